"""A Notice in, a Receipt out. Each channel has its own module."""
