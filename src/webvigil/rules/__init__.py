"""A Sentinel in, its events and rules out: verification, installation and the life cycle."""
