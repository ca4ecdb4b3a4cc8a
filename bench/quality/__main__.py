"""Runs the benchmark of detection: `python -m bench.quality`."""

import sys

from bench.quality.score import main

sys.exit(main())
