"""Speed and quality, each a command that prints ratios to named peers."""
