"""A jq program and a JSON page in, the values that it gives out (C14).

jq is an extra (`pip install 'webvigil[jq]'`). A program of a user may run for ever, and nothing can stop it
inside this process; so each runs in a process of its own, with little time, little memory, no environment and
no files to read.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from functools import lru_cache
from importlib.util import find_spec

import numpy as np

from webvigil.document import PageDigest
from webvigil.document.json_tree import Budget, tree_of
from webvigil.errors import PatternRefused

_ROOT = np.ones(1, dtype=np.int64)
# Bounds of one program, so that no program holds up the others: its characters, its seconds of processor
# time, the bytes of memory and of output, and the values of the page that it is given.
LONGEST = 1_000
SECONDS = 1
_MEMORY = 1 << 30
_MOST_BYTES = 2_000_000
_MOST_VALUES = 50_000_000
# What reads files, the environment or other input, outside of strings.
_READS = re.compile(r"(?<![.\w$])(import|include|modulemeta|env|\$ENV|input_filename|input|inputs)\b|\$ENV\b")
_STRING = re.compile(r'"(?:[^"\\]|\\.)*"', re.DOTALL)
_PROGRAM = """
import resource, sys
limit = lambda what, most: resource.setrlimit(what, (most, most))
limit(resource.RLIMIT_CPU, int(sys.argv[1]))
limit(resource.RLIMIT_AS, int(sys.argv[2]))
sys.path[:] = sys.argv[4].split("\\n")
import jq, json
limit(resource.RLIMIT_NOFILE, 3)
left = int(sys.argv[3])
program, text = json.load(sys.stdin)
try:
    for value in jq.compile(program).input_text(text):
        line = json.dumps(value, ensure_ascii=True)
        left -= len(line)
        if left < 0:
            break
        print(line)
except ValueError as error:
    print(str(error).splitlines()[0][:200], file=sys.stderr)
    sys.exit(3)
"""


def values(digest: PageDigest, program: str) -> list[str]:
    """Returns what a program gives on a JSON page: texts as they are, other values as JSON. Raises
    PatternRefused for a program that cannot run, or not on this page."""
    check(program)
    (data,) = tree_of(digest).values(_ROOT, Budget(program, _MOST_VALUES))
    try:
        text = json.dumps(data, ensure_ascii=True)
    except (RecursionError, ValueError) as error:
        raise PatternRefused("the page is nested too deeply for jq") from error
    return [_shown(line) for line in _run(program, text).splitlines()]


def _shown(line: str) -> str:
    value = json.loads(line)
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _run(program: str, text: str) -> str:
    limits = [str(SECONDS), str(_MEMORY), str(_MOST_BYTES), "\n".join(sys.path)]
    try:
        done = subprocess.run(  # noqa: S603  (our own program; the user's is data to it)
            [sys.executable, "-I", "-c", _PROGRAM, *limits],
            input=json.dumps([program, text]),
            capture_output=True,
            text=True,
            timeout=3 * SECONDS,
            env={},
            check=False,
        )
    except subprocess.TimeoutExpired as error:
        raise PatternRefused(_too_long(program)) from error
    if done.returncode == 3:
        raise PatternRefused(f"the jq program {program!r} cannot be used: {done.stderr.strip()}")
    if done.returncode:
        raise PatternRefused(_too_long(program))
    return done.stdout


def _too_long(program: str) -> str:
    return f"the jq program {program!r} takes too long or too much memory on this page"


@lru_cache(256)
def check(program: str) -> None:
    """Raises PatternRefused for a program that cannot run on any page."""
    if find_spec("jq") is None:
        raise PatternRefused("jq is not installed here; the operator can add it: pip install 'webvigil[jq]'")
    if len(program) > LONGEST:
        raise PatternRefused(f"the jq program is too long: at most {LONGEST} characters")
    if found := _READS.search(_STRING.sub('""', program)):
        raise PatternRefused(f"a jq program reads the page and nothing else; leave out {found[0]}")
    import jq

    try:
        jq.compile(program)
    except ValueError as error:
        said = str(error).splitlines()[0][:200]
        raise PatternRefused(f"the jq program {program!r} cannot be read: {said}") from error
