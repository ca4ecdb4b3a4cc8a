"""Two digests and a change type in, a Finding out. One module per change type."""
