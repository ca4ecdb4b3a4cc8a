"""JSON answers and plain text: an API, a package index, a changelog, a measurement file."""

from __future__ import annotations

from bench.quality.expect import (
    JSON,
    TEXT,
    Pair,
    deleted,
    either,
    gone,
    inserted,
    more,
    moved,
    new,
    pair,
    replaced,
    shown,
    some,
    updated,
)
from bench.quality.pages import edit, swap

QUOTE_URL = "https://api.metals.example/v1/quotes"
QUOTES = """{
  "request": "5f3e9ac2d17b48e0",
  "market": {"name": "Metals Exchange", "open": true, "currency": "USD"},
  "quotes": [
    {"symbol": "CU", "name": "Copper", "price": 9120.50, "change": -0.8, "volume": 18230},
    {"symbol": "AL", "name": "Aluminium", "price": 2461.00, "change": 0.2, "volume": 22904},
    {"symbol": "NI", "name": "Nickel", "price": 15870.25, "change": 1.4, "volume": 7311},
    {"symbol": "ZN", "name": "Zinc", "price": 2874.75, "change": -0.1, "volume": 9020}
  ],
  "units": {
    "price": "USD per tonne",
    "volume": "lots"
  },
  "exchanges": [
    {"id": "lon", "city": "London", "zone": "Europe/London"},
    {"id": "sha", "city": "Shanghai", "zone": "Asia/Shanghai"}
  ],
  "notice": "Prices are delayed by fifteen minutes",
  "next": "https://api.metals.example/v1/quotes?page=2"
}
"""

PACKAGE_URL = "https://index.pkg.example/pika/json"
PACKAGE = """{
  "info": {
    "name": "pika-tools",
    "version": "2.4.1",
    "summary": "Small tools for large files",
    "license": "MIT",
    "requires_python": ">=3.9",
    "downloads": {"last_day": 1840, "last_week": 12755}
  },
  "releases": {
    "2.3.0": [{"filename": "pika_tools-2.3.0.tar.gz", "size": 48210}],
    "2.4.0": [{"filename": "pika_tools-2.4.0.tar.gz", "size": 49003}],
    "2.4.1": [{"filename": "pika_tools-2.4.1.tar.gz", "size": 49017}]
  },
  "maintainers": ["ana", "bo", "chidi"],
  "urls": {
    "home": "https://pika.example/",
    "source": "https://code.example/pika"
  }
}
"""

CHANGELOG_URL = "https://code.example/pika/CHANGES.txt"
CHANGELOG = """Changes in pika-tools
=====================

2.4.1 (2026-02-20)
------------------
- The index is no longer written twice.
- Reading from a pipe works again on macOS.

2.4.0 (2026-01-30)
------------------
- New command: pika split.
- Files above four gigabytes are read in pieces.
- Python 3.8 is no longer supported.

2.3.0 (2025-11-02)
------------------
- First release with wheels for Windows.
- The option --fast is now the default.

How to upgrade
--------------
Run the installer again. Your configuration in ~/.pika is kept. If something goes
wrong, write to help@pika.example and attach the log file.
"""

TIDES_URL = "https://harbour.example/tides.txt"
TIDES = """# Tide table, harbour gauge 7
# generated 2026-03-02T08:15:01Z
date        high   m     low    m
2026-03-02  05:12  4.8   11:30  0.9
2026-03-03  05:58  5.1   12:14  0.6
2026-03-04  06:41  5.3   12:57  0.5
2026-03-05  07:22  5.2   13:38  0.6
2026-03-06  08:02  4.9   14:17  0.9
2026-03-07  08:40  4.5   14:55  1.3
2026-03-08  09:19  4.0   15:34  1.7
2026-03-09  10:03  3.6   16:20  2.1
2026-03-10  11:04  3.3   17:28  2.4
2026-03-11  12:36  3.2   19:05  2.4
2026-03-12  14:11  3.5   20:31  2.1
2026-03-13  15:10  3.9   21:22  1.7

Heights are above chart datum. Strong westerly wind can raise the water by half a metre.
Times are local winter time; add an hour from 29 March.
Keep clear of the ferry berth. The gauge is read every six minutes and checked
by hand on the first of each month.

Harbour office, telephone 555 0142
"""

PAIRS: tuple[Pair, ...] = (
    pair(
        "data/json-price",
        'value json "$.quotes[0].price"',
        QUOTES,
        edit(QUOTES, ("9120.50", "9244.00"), ("5f3e9ac2d17b48e0", "b8812fd0c6e94a37")),
        updated("9120.50", "9244.00"),
        type=JSON,
        url=QUOTE_URL,
    ),
    pair(
        "data/json-price-other-quote",
        'value json "$.quotes[0].price"',
        QUOTES,
        edit(QUOTES, ("2461.00", "2470.00"), ("5f3e9ac2d17b48e0", "b8812fd0c6e94a37")),
        type=JSON,
        url=QUOTE_URL,
    ),
    pair(
        "data/json-price-same-number",
        'value json "$.quotes[0].price"',
        QUOTES,
        edit(QUOTES, ("9120.50", "9120.5")),
        type=JSON,
        url=QUOTE_URL,
    ),
    pair(
        "data/json-market-closes",
        'value json "$.market.open"',
        QUOTES,
        edit(QUOTES, ('"open": true', '"open": false')),
        updated("true", "false"),
        type=JSON,
        url=QUOTE_URL,
    ),
    pair(
        "data/json-value-removed",
        'value json "$.notice"',
        QUOTES,
        edit(QUOTES, ('  "notice": "Prices are delayed by fifteen minutes",\n', "")),
        shown("d", "Prices are delayed by fifteen minutes"),
        type=JSON,
        url=QUOTE_URL,
    ),
    pair(
        "data/json-version",
        'value json "$.info.version"',
        PACKAGE,
        edit(
            PACKAGE,
            ('"version": "2.4.1"', '"version": "2.5.0"'),
            ("12755", "13010"),
        ),
        updated("2.4.1", "2.5.0"),
        type=JSON,
        url=PACKAGE_URL,
    ),
    pair(
        "data/json-version-same-downloads-grow",
        'value json "$.info.version"',
        PACKAGE,
        edit(PACKAGE, ("12755", "13010"), ("1840", "1911")),
        type=JSON,
        url=PACKAGE_URL,
    ),
    pair(
        "data/json-any-change",
        "any change",
        PACKAGE,
        edit(PACKAGE, ("Small tools for large files", "Small tools for huge files")),
        either((replaced("large", "huge"),), (inserted("huge"), deleted("large"))),
        type=JSON,
        url=PACKAGE_URL,
    ),
    pair(
        "data/json-indented-otherwise-any-change",
        "any change",
        PACKAGE,
        PACKAGE.replace("\n", "").replace("  ", ""),
        type=JSON,
        url=PACKAGE_URL,
    ),
    pair(
        "data/json-keys-reordered-any-change",
        "any change",
        PACKAGE,
        swap(PACKAGE, '    "license": "MIT",\n', '    "requires_python": ">=3.9",\n'),
        type=JSON,
        url=PACKAGE_URL,
    ),
    pair(
        "data/json-indented-otherwise-exact",
        "exact change",
        PACKAGE,
        PACKAGE.replace("\n", "").replace("  ", ""),
        some(),
        type=JSON,
        url=PACKAGE_URL,
    ),
    pair(
        "data/json-maintainer-keyword",
        "keywords: {dana, chidi}",
        PACKAGE,
        edit(PACKAGE, ('"bo", "chidi"]', '"bo", "dana"]')),
        new("dana", 1),
        gone("chidi", 1),
        type=JSON,
        url=PACKAGE_URL,
    ),
    pair(
        "data/json-regex-file-names",
        r"regular expression: {pika_tools-[0-9.]+[0-9]\.tar\.gz}",
        PACKAGE,
        edit(
            PACKAGE,
            (
                '"size": 49017}]',
                '"size": 49017}],\n    "2.5.0": [{"filename": "pika_tools-2.5.0.tar.gz", "size": 51200}]',
            ),
        ),
        new("pika_tools-2.5.0.tar.gz", 1),
        type=JSON,
        url=PACKAGE_URL,
    ),
    pair(
        "data/json-phrase-updated",
        "phrase: {Prices are delayed by fifteen minutes}",
        QUOTES,
        edit(QUOTES, ("delayed by fifteen minutes", "delayed by twenty minutes"), ("9120.50", "9244.00")),
        updated("Prices are delayed by fifteen minutes", "Prices are delayed by twenty minutes"),
        type=JSON,
        url=QUOTE_URL,
    ),
    pair(
        "data/json-content",
        "content",
        QUOTES,
        edit(QUOTES, ("15870.25", "15901.00")),
        replaced("15870.25", "15901.00"),
        type=JSON,
        url=QUOTE_URL,
    ),
    pair(
        "data/json-structure-quote-added",
        "structure",
        QUOTES,
        edit(
            QUOTES,
            (
                '"volume": 9020}\n',
                '"volume": 9020},\n    {"symbol": "PB", "name": "Lead", "price": 2011.5, "change": 0.0, "volume": 410}\n',
            ),
        ),
        some(),
        type=JSON,
        url=QUOTE_URL,
    ),
    pair(
        "data/json-structure-numbers",
        "structure",
        QUOTES,
        edit(QUOTES, ("15870.25", "15901.00"), ("9120.50", "9244.00")),
        type=JSON,
        url=QUOTE_URL,
    ),
    pair(
        "data/changelog-release-words",
        "all words",
        CHANGELOG,
        edit(
            CHANGELOG,
            (
                "2.4.1 (2026-02-20)\n",
                "2.4.2 (2026-03-01)\n------------------\n- Symbolic links are followed.\n\n2.4.1 (2026-02-20)\n",
            ),
        ),
        inserted("2.4.2 2026-03-01 Symbolic links are followed"),
        type=TEXT,
        url=CHANGELOG_URL,
    ),
    pair(
        "data/changelog-rewrapped-words",
        "all words",
        CHANGELOG,
        edit(
            CHANGELOG,
            (
                "Run the installer again. Your configuration in ~/.pika is kept. If something goes\nwrong, write",
                "Run the installer again.\nYour configuration in ~/.pika is kept.\n\nIf something goes wrong, write",
            ),
            ("Changes in pika-tools\n=====================", "Changes in pika-tools\n---------------------"),
        ),
        type=TEXT,
        url=CHANGELOG_URL,
    ),
    pair(
        "data/changelog-keyword",
        "keywords: {security, windows}",
        CHANGELOG,
        edit(
            CHANGELOG,
            (
                "- The index is no longer written twice.",
                "- Security: the index is no longer written twice on Windows.",
            ),
        ),
        new("security", 1),
        more("windows", 1, 2),
        type=TEXT,
        url=CHANGELOG_URL,
    ),
    pair(
        "data/changelog-phrase-updated",
        "phrase: {Python 3.8 is no longer supported}",
        CHANGELOG,
        edit(CHANGELOG, ("Python 3.8 is no longer supported", "Python 3.9 is no longer supported")),
        updated("Python 3.8 is no longer supported", "Python 3.9 is no longer supported"),
        type=TEXT,
        url=CHANGELOG_URL,
    ),
    pair(
        "data/changelog-version-regex",
        r'value regex "([0-9]+\.[0-9]+\.[0-9]+) \("',
        CHANGELOG,
        edit(
            CHANGELOG, ("- Reading from a pipe works again on macOS.", "- Reading from a pipe works again.")
        ),
        type=TEXT,
        url=CHANGELOG_URL,
    ),
    pair(
        "data/changelog-lines-swapped-words",
        "all words",
        CHANGELOG,
        swap(CHANGELOG, "- New command: pika split.\n", "- Python 3.8 is no longer supported.\n"),
        either(
            (moved("New command pika split"), moved("Python 3.8 is no longer supported")),
            (moved("New command pika split"), moved("Files above four gigabytes are read in pieces")),
            (
                moved("Files above four gigabytes are read in pieces"),
                moved("Python 3.8 is no longer supported"),
            ),
        ),
        type=TEXT,
        url=CHANGELOG_URL,
    ),
    pair(
        "data/changelog-line-ends-any-change",
        "any change",
        CHANGELOG,
        CHANGELOG.replace("\n", "\r\n"),
        type=TEXT,
        url=CHANGELOG_URL,
    ),
    pair(
        "data/changelog-line-ends-exact",
        "exact change",
        CHANGELOG,
        CHANGELOG.replace("\n", "\r\n"),
        some(),
        type=TEXT,
        url=CHANGELOG_URL,
    ),
    pair(
        "data/tides-times-regex",
        r"regular expression: {2026-03-0[0-9]  [0-9:]+}",
        TIDES,
        edit(TIDES, ("2026-03-04  06:41", "2026-03-04  06:44")),
        replaced("2026-03-04 06:41", "2026-03-04 06:44"),
        type=TEXT,
        url=TIDES_URL,
    ),
    pair(
        "data/tides-value",
        r'value regex "2026-03-05 +[0-9:]+ +([0-9.]+)"',
        TIDES,
        edit(TIDES, ("07:22  5.2", "07:22  5.4"), ("2026-03-02T08:15:01Z", "2026-03-03T08:15:01Z")),
        updated("5.2", "5.4"),
        type=TEXT,
        url=TIDES_URL,
    ),
    pair(
        "data/tides-value-header-noise",
        r'value regex "2026-03-05 +[0-9:]+ +([0-9.]+)"',
        TIDES,
        edit(TIDES, ("05:12  4.8", "05:12  4.7"), ("2026-03-02T08:15:01Z", "2026-03-03T08:15:01Z")),
        type=TEXT,
        url=TIDES_URL,
    ),
    pair(
        "data/tides-any-change",
        "any change",
        TIDES,
        edit(TIDES, ("by half a metre", "by a whole metre")),
        either((inserted("a whole"), deleted("half a")), (inserted("whole"), deleted("half"))),
        type=TEXT,
        url=TIDES_URL,
    ),
)
