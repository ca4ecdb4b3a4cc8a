"""Benchmarks of speed and quality: each is a command that prints its figures, or writes them as JSON."""
