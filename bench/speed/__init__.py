"""Speed and size, as ratios to named peers measured side by side in one run."""
