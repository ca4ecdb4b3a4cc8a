"""A Notice in, a Receipt out. One module per channel."""
