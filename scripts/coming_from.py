"""The page docs/coming-from.md, made from the tables by which foreign files are imported."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from webvigil.app.moving.formats.chain import FILTERS
from webvigil.app.moving.formats.contacts import REPORTERS, SERVICES
from webvigil.app.moving.formats.distill import KEYS as DISTILL
from webvigil.app.moving.formats.job_keys import KEYS as JOBS
from webvigil.app.moving.formats.opml import KEYS as OPML
from webvigil.app.moving.formats.said import Key
from webvigil.app.moving.formats.settings_keys import APPLICATION, REQUESTS, SETTINGS, TAG
from webvigil.app.moving.formats.watch_keys import GLOBAL, TAGGED
from webvigil.app.moving.formats.watch_keys import KEYS as WATCHES
from webvigil.app.moving.formats.watch_parts import (
    OTHER_FIELDS,
    RESTOCK,
    STEP_REMARKS,
    STEPS,
)
from webvigil.language import check

_HEAD = """# Coming from another program

`webvigil import FILE --dry-run` shows what a file of another program becomes, key by key, and installs
nothing. Every key
becomes a clause, or is named with what it did there; none is left out in silence. How to import is told in
[import and export](reference/moving.md).

```console
$ cat > jobs.yaml <<'END'
> name: Departures
> url: https://ferry.example/times
> filter:
>   - css: table.times
>   - html2text
>   - grep: pier
> max_tries: 3
> END
$ webvigil import jobs.yaml --dry-run
urlwatch: 1 would be installed, 0 refused
+ Departures
    name: Departures                  Title
    url: https://ferry.example/times  Using https://ferry.example/times
    filter 1 css: table.times         Within css "table.times"
...
```

Imported sentinels compare what the other program compared: the text of a page, its markup or its bytes, and
nothing is
kept [quiet](quiet.md). If you would rather be told less, take `Quiet off` out of them, or watch `any
change`.

## changedetection.io

A backup (*Backups* in its menu), `url-watches.json` or the list of its API. What a group and the settings
say for a watch is written into its sentinel. Compared beside it on the same pages by
`./test-real -k backup`.

What differs in general:

- Ignored text, triggers and conditions are judged on the text as WebVigil shows it, one line for each
  block.
- A change while a trigger is missing is not told later: each version is compared with the one before, not
  with the last one that was told. Where a page comes back to what it was, that is a change here.
- The title of the page counts.
- A part that has gone is told at once, and a page that answers an error is told as trouble when it keeps
  failing.

### Watches
"""
_URLWATCH = """
## urlwatch and webchanges

The list of jobs (`urls.yaml`, `jobs.yaml`), with the configuration or without:
`webvigil import urls.yaml urlwatch.yaml`. The configuration gives the defaults of jobs and says who is
told. Compared
beside both programs on the same pages by `./test-real -k jobs`.

What differs in general:

- Without a filter both compare bytes (`Monitor exact change`); behind a selector without `html2text` the
  markup (`Monitor
  content OR structure`), as WebVigil writes it and not as it was sent; else the text.
- Text is what a browser shows, one line for each block, whichever converter is named.
- Selectors that follow each other become one XPath, filters on lines one expression.
- How often to look is not said in these files: WebVigil looks when the page tends to change. Write `Fetch 1
  hour`, or run
  `webvigil run --due` from cron as before.
- Commands are never run, neither as jobs nor as filters, differs or reporters.

### Jobs
"""


_DISTILL = """
## Distill Web Monitor

The JSON export of its monitors. A value that is not in this table is named in the report.
"""
_OPML = """
## OPML

The list of a feed reader. Each feed is watched, and its folder becomes a topic.
"""
# Clauses that the tables name, each with a sentinel that uses it. The page lists those that the language does
# not have.
_NEEDED = {
    "`Monitor product`": "Create Sentinel a Using https://a.test/ Monitor product",
    "`Using request`": 'Create Sentinel a Using request PUT https://a.test/ json "{}"',
    "`Message`": 'Create Sentinel a Using https://a.test/ Message title "a"',
    "several topics": "Create Sentinel a Using https://a.test/ Topic a, b",
    '`value jq "…"`': 'Create Sentinel a Using https://a.test/ Monitor value jq ".a"',
}
_MISSING = """The language does not have yet: {}.

Keys that need one of them are reported; a request that cannot be said is refused rather than asked in another
way.
"""


def _missing() -> str:
    lacking = [name for name, text in _NEEDED.items() if check(text).mistakes]
    return _MISSING.format(", ".join(lacking)) if lacking else ""


def page() -> str:
    """Returns the text of the page."""
    head, table = _HEAD.split("## changedetection.io", 1)
    return "\n".join(
        [
            "\n".join(one for one in (head.rstrip() + "\n", _missing()) if one),
            "## changedetection.io" + table,
            *_table(_watches()),
            "\n### Groups and settings\n",
            *_table(_settings()),
            "\n### Prices and stock\n",
            *_table((f"`{name}`", clause, "") for name, clause in RESTOCK.items()),
            "\n### Steps in a browser\n",
            *_table(_steps()),
            "\n### Conditions\n",
            *_table(_conditions()),
            _URLWATCH,
            *_table(_keys(JOBS, tools=True)),
            "\n### Filters\n",
            *_table(_filters()),
            "\n### Reporters\n",
            *_table(_reporters()),
            _DISTILL,
            *_table(_keys(DISTILL)),
            _OPML,
            *_table(_keys(OPML)),
            "",
        ]
    )


def _table(rows: Iterator[tuple[str, str, str]]) -> Iterator[str]:
    yield "| there | here | what differs |"
    yield "|---|---|---|"
    for there, clause, difference in rows:
        yield f"| {_cell(there)} | {_cell(clause)} | {_cell(difference)} |"


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


def _watches() -> Iterator[tuple[str, str, str]]:
    mine = {name: key for name, key in WATCHES.items() if not name.endswith((GLOBAL, TAGGED))}
    return _keys(mine)


def _keys(keys: Mapping[str, Key], *, tools: bool = False) -> Iterator[tuple[str, str, str]]:
    for name, key in keys.items():
        if key.record and not key.becomes:
            continue
        only = f" ({key.tools[0]})" if tools and len(key.tools) == 1 else ""
        yield f"`{name}`{only}", *_fate(key.becomes, key.about, key.difference)


def _fate(becomes: str, about: str, difference: str) -> tuple[str, str]:
    return (becomes, difference) if becomes else ("reported", f"it {about}")


def _settings() -> Iterator[tuple[str, str, str]]:
    yield from _keys({f"tag {name}": key for name, key in TAG.items()})
    yield from _keys(SETTINGS)
    yield from _keys({f"requests {name}": key for name, key in REQUESTS.items()})
    yield from _keys({f"application {name}": key for name, key in APPLICATION.items()})


def _steps() -> Iterator[tuple[str, str, str]]:
    for name, becomes in STEPS.items():
        clause = becomes("#place", "https://…" if name == "Goto URL" else "2" if "seconds" in name else "…")
        yield name, f"`Steps {clause}`", STEP_REMARKS.get(name, "")
    yield "Remove elements", '`Ignore css "…"`', ""
    for name, remark in STEP_REMARKS.items():
        if name not in STEPS:
            yield name, "reported", remark


def _conditions() -> Iterator[tuple[str, str, str]]:
    yield (
        "`extracted_number`",
        "`When value > …`",
        "about the watched part; without one, about numbers that changed",
    )
    yield "`page_filtered_text`", "`When matches /…/`, `When NOT matches /…/`", ""
    yield (
        "`levenshtein_ratio` below …",
        "`When changed > …%`",
        "measured is the share of the text that changed",
    )
    for name, about in OTHER_FIELDS.items():
        yield f"`{name}`", "reported", f"it {about}"


def _filters() -> Iterator[tuple[str, str, str]]:
    for name, one in FILTERS.items():
        only = f" ({one.tools[0]})" if len(one.tools) == 1 else ""
        yield f"`{name}`{only}", *_fate(one.becomes, one.about, one.difference)
        for option, doing in one.options.items():
            if doing and option != "<any>":
                yield f"`{name}` › `{option}`", "reported", f"it {doing}"


def _reporters() -> Iterator[tuple[str, str, str]]:
    yield (
        "`email`, `mailgun`",
        "`Notify By email …`",
        "through the mail server of WebVigil, after a confirmation",
    )
    yield "`webhook`", "`Notify By webhook …`", "the fields are those of WebVigil"
    for name in SERVICES:
        yield (
            f"`{name}`",
            '`Notify By apprise "…"`',
            "the address is kept sealed; the operator allows services",
        )
    for name, about in REPORTERS.items():
        yield f"`{name}`", "reported", f"it {about}"
