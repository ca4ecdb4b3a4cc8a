"""The text of a sentinel in, a Sentinel out, and back."""
