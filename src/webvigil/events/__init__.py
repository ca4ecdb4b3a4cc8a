"""Occurrences and the clock in, composite events and the rules that run on them out."""
