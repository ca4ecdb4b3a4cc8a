"""Speed and size, as ratios to named peers or to the limits that we hold ourselves to."""
