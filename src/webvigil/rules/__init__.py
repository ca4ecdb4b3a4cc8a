"""A Sentinel in, its events and rules out: verification and the life cycle."""
