"""A reader who follows one check of a changed page does not get lost: `scripts/walk.py` counts the files."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

MOST = 60
"""As many files as one check passes. Where the accelerator was not built, its plain twins are passed, too."""
TWINS = 3


def test_one_check_passes_few_files():
    script = Path(__file__).parents[1] / "scripts/walk.py"
    done = subprocess.run([sys.executable, script], capture_output=True, text=True, check=True)
    found = re.match(r"(\d+) files, (\d+) switches", done.stdout)
    assert found is not None, done.stdout
    assert 45 <= int(found[1]) <= MOST + TWINS, "python scripts/walk.py --files names them"
