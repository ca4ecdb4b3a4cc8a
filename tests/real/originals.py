"""The programs that people come from, installed from PyPI and run as their users run them.

Each has a folder of its own. `look` lets it look at all its pages once, and returns the names of the pages
for which it told a change.
"""

from __future__ import annotations

import json
import os
import re
import socket
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import yaml

from tests.real import installing

_PATIENCE = 240
PACKAGES = {
    "urlwatch": ("urlwatch", "jq", "html2text", "jsbeautifier", "cssbeautifier"),
    "webchanges": ("webchanges[use_browser,jq,html2text,beautify,xmldiff]",),
    "changedetection.io": ("changedetection.io", "jq"),
}


def programs(tool: str) -> Path:
    return installing.python(tool, *PACKAGES[tool])


def asked(tool: str, script: str, given: Any = None) -> Any:
    """Runs a script in the environment of a tool, and returns the JSON in its last line."""
    done = _run([str(programs(tool) / "python"), "-c", script], text=json.dumps(given))
    return json.loads(done.stdout.strip().splitlines()[-1])


def _run(command: Sequence[str], *, text: str = "", environment: Mapping[str, str] | None = None) -> Any:
    done = subprocess.run(
        command,
        capture_output=True,
        text=True,
        input=text,
        timeout=_PATIENCE,
        check=False,
        env={**os.environ, **(environment or {})},
    )
    if done.returncode not in (0, 1):
        raise AssertionError(f"{command[0]}: {done.stderr[-2000:]}")
    return done


class Jobs:
    """urlwatch or webchanges with a list of jobs."""

    def __init__(self, tool: str, folder: Path, jobs: Sequence[Mapping[str, Any]]) -> None:
        self._tool, self._folder = tool, folder
        self.file = folder / "jobs.yaml"
        self.file.write_text(yaml.safe_dump_all([dict(job) for job in jobs], sort_keys=False))
        self.configuration = folder / "configuration.yaml"
        report = {"stdout": {"enabled": True, "color": False}, "text": {"details": False, "footer": False}}
        display = {"new": True, "error": True, "unchanged": False, "empty-diff": False}
        self.configuration.write_text(yaml.safe_dump({"display": display, "report": report}))

    def look(self) -> set[str]:
        kept = "--cache" if self._tool == "urlwatch" else "--database"
        given = "--urls" if self._tool == "urlwatch" else "--jobs"
        program = str(programs(self._tool) / self._tool)
        files = [given, str(self.file), "--config", str(self.configuration)]
        done = _run([program, *files, kept, str(self._folder / "kept.db")])
        return {
            name.strip() for name in re.findall(r"CHANGED: (.+?)(?: \(.*\))?$", done.stdout, re.MULTILINE)
        }


_MAKE = """
import json, sys
given = json.load(sys.stdin)
sys.stdout, out = sys.stderr, sys.stdout
from changedetectionio.store import ChangeDetectionStore
store = ChangeDetectionStore(datastore_path=given["folder"], include_default_watches=False)
settings = store.data["settings"]
settings["application"].update(given["application"])
tags = {}
for title, about in given["tags"].items():
    tags[title] = store.add_tag(title)
    settings["application"]["tags"][tags[title]].update(about)
    settings["application"]["tags"][tags[title]].commit()
made = {}
for name, watch in given["watches"].items():
    url, beside = watch.pop("url"), watch.pop("beside", {})
    watch["tags"] = [tags[one] for one in watch.pop("groups", [])]
    made[name] = store.add_watch(url=url, extras={**watch, "title": name, "paused": False})
    for file, content in beside.items():
        with open(f"{given['folder']}/{made[name]}/{file}", "w") as stream:
            json.dump(content, stream)
store.commit()
print(json.dumps(made), file=out, flush=True)
import os
os._exit(0)
"""


_BACK_UP = """
import json, os, sys
given = json.load(sys.stdin)
sys.stdout, out = sys.stderr, sys.stdout
from changedetectionio.store import ChangeDetectionStore
from changedetectionio.blueprint.backups import create_backup
store = ChangeDetectionStore(datastore_path=given["folder"], include_default_watches=False)
tags = store.data["settings"]["application"]["tags"]
create_backup(given["folder"], store.data["watching"], tags=tags)
print("true", file=out, flush=True)
os._exit(0)
"""


class ChangeDetection:
    """changedetection.io with watches, tags and settings."""

    def __init__(
        self,
        folder: Path,
        watches: Mapping[str, Mapping[str, Any]],
        tags: Mapping[str, Mapping[str, Any]],
        application: Mapping[str, Any],
    ) -> None:
        self._folder = folder
        given = {"folder": str(folder), "watches": watches, "tags": tags, "application": application}
        self._ids: dict[str, str] = asked("changedetection.io", _MAKE, given)

    def backup(self) -> Path:
        """Returns the backup that the program writes now."""
        asked("changedetection.io", _BACK_UP, {"folder": str(self._folder)})
        return max(self._folder.glob("changedetection-backup-*.zip"))

    def look(self) -> set[str]:
        before = self._kept()
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        program = programs("changedetection.io") / "changedetection.io"
        environment = {"ALLOW_IANA_RESTRICTED_ADDRESSES": "true", "LOGGER_LEVEL": "WARNING"}
        environment |= {"MINIMUM_SECONDS_RECHECK_TIME": "0", "DISABLE_VERSION_CHECK": "yes"}
        command = [
            str(program),
            "-h",
            "127.0.0.1",
            "-p",
            str(port),
            "-d",
            str(self._folder),
            "-r",
            "all",
            "-b",
        ]
        _run(command, environment=environment)
        after = self._kept()
        return {name for name in self._ids if before[name] and after[name] > before[name]}

    def troubles(self) -> dict[str, str]:
        """Returns what went wrong at the last look, by watch."""
        return {name: said for name in self._ids if (said := self._watch(name).get("last_error"))}

    def _watch(self, name: str) -> dict[str, Any]:
        found: dict[str, Any] = json.loads((self._folder / self._ids[name] / "watch.json").read_text())
        return found

    def _kept(self) -> dict[str, int]:
        """Returns how many versions it has kept of each watch: it keeps one for each change that it tells."""
        files = {name: (self._folder / number).glob("history*.txt") for name, number in self._ids.items()}
        return {name: sum(len(one.read_text().split()) for one in several) for name, several in files.items()}
