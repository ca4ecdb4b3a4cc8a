"""The table of commands: name, module in this package, one line of help. A new command is one line here.

The module holds a click command of the same name (or one called `command`).
"""

from typing import NamedTuple


class Entry(NamedTuple):
    module: str
    help: str


COMMANDS: dict[str, Entry] = {
    "check": Entry("check", "Reads sentinels, says what is wrong with them, prints their canonical text."),
}
