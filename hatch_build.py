"""Compiles the accelerator where there is a compiler; without one the product is installed without it.

python hatch_build.py     compiles it in place, in the package that uses it
"""

from __future__ import annotations

import shutil
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent
DOCUMENT = Path("src/webvigil/document")
MODULE = "webvigil.document._fast"
_OPTIONS = ["-O3", "-fvisibility=hidden"]


def sources(root: Path) -> list[Path]:
    """The files in C that make the module, and the header they share."""
    return sorted(path for path in (root / DOCUMENT / "native").iterdir() if path.suffix in (".c", ".h"))


def built(root: Path, folder: Path, options: Sequence[str] = ()) -> Path:
    """Compiles the module into a folder. `options` are given to the compiler and the linker."""
    from setuptools import Distribution, Extension
    from setuptools.command.build_ext import build_ext

    files = [str(path) for path in sources(root)]
    extension = Extension(
        MODULE,
        [name for name in files if name.endswith(".c")],
        depends=[name for name in files if name.endswith(".h")],
        extra_compile_args=[*_OPTIONS, *options],
        extra_link_args=list(options),
    )
    command = build_ext(Distribution({"ext_modules": [extension]}))
    command.build_lib = str(folder)
    command.build_temp = str(folder / "objects")
    command.ensure_finalized()
    command.run()
    return Path(command.get_ext_fullpath(MODULE))


def compiled(root: Path) -> Path | None:
    """The compiled module in the package; None where it cannot be compiled.

    One of before goes first: it may not fit the source, and one that is at work must not be written over.
    """
    for before in (root / DOCUMENT).glob("_fast.*.so"):
        before.unlink()
    try:
        with tempfile.TemporaryDirectory() as folder:
            made = built(root, Path(folder))
            return Path(shutil.copy(made, root / DOCUMENT / made.name))
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
            made = compiled(Path(self.root))
            if made is not None:
                build_data["pure_python"] = False
                build_data["infer_tag"] = True
                build_data["artifacts"].append(f"/{made.relative_to(self.root)}")


if __name__ == "__main__":
    sys.exit(0 if compiled(ROOT) else 1)
