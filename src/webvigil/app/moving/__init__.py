"""Files of other programs in, sentinels out, and sentinels in, files out: import and export."""
