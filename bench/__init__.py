"""Speed and quality, each a command that prints its figures and writes JSON."""
