"""The Python library: what `from webvigil import …` gives."""
