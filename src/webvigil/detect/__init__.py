"""Two digests and a change type in, a Finding out. Each change type has its own module."""
