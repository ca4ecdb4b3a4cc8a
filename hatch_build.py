"""Compiles the accelerator where there is a compiler; without one the product is installed without it.

python hatch_build.py     compiles it in place, beside its source
"""

from __future__ import annotations

import shutil
import sys
import tempfile
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent
SOURCE = Path("src/webvigil/document/_fast.c")
MODULE = "webvigil.document._fast"


def compiled(root: Path) -> Path | None:
    """The compiled module beside its source; None where it cannot be compiled.

    One of before goes first: it may not fit the source, and one that is at work must not be written over.
    """
    for before in (root / SOURCE).parent.glob("_fast.*.so"):
        before.unlink()
    try:
        from setuptools import Distribution, Extension
        from setuptools.command.build_ext import build_ext

        with tempfile.TemporaryDirectory() as folder:
            extension = Extension(MODULE, [str(root / SOURCE)], extra_compile_args=["-O3"])
            command = build_ext(Distribution({"ext_modules": [extension]}))
            command.build_lib = command.build_temp = folder
            command.ensure_finalized()
            command.run()
            built = Path(command.get_ext_fullpath(MODULE))
            return Path(shutil.copy(built, (root / SOURCE).with_name(built.name)))
    except (Exception, SystemExit) as error:  # noqa: BLE001 - whatever a compiler does, it works without
        sys.stderr.write(f"webvigil: the accelerator is not compiled ({error}); all works without it\n")
        return None


try:
    from hatchling.builders.hooks.plugin.interface import BuildHookInterface
except ImportError:  # compiled by hand
    pass
else:

    class Accelerator(BuildHookInterface):  # type: ignore[type-arg]
        """Takes the compiled module into the wheel, which then fits this platform only."""

        def initialize(self, version: str, build_data: dict[str, Any]) -> None:
            built = compiled(Path(self.root))
            if built is not None:
                build_data["pure_python"] = False
                build_data["infer_tag"] = True
                build_data["artifacts"].append(f"/{built.relative_to(self.root)}")


if __name__ == "__main__":
    sys.exit(0 if compiled(ROOT) else 1)
