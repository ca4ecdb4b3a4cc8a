"""What a user wants in, an installed sentinel out: checked, installed, edited, previewed, shown."""
