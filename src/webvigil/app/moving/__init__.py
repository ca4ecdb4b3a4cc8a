"""Files of other programs in, sentinels out, and back: import and export."""
