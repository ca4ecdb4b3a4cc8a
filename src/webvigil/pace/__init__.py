"""What a page did so far in, the time of the next look out."""
