"""The text of a sentinel in, an installed sentinel out: checked, installed, edited, previewed, shown."""
