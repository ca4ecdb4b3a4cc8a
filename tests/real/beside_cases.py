"""What is watched in both programs: a page in several versions, and the job or watch that watches it.

A case says at which versions (counted from 2) the two differ, and what the import says about it. A difference
that nobody explained fails, and so does an explanation without a difference.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any, NamedTuple


class Answer(NamedTuple):
    body: str
    status: int = 200
    media_type: str = "text/html"


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    name: str
    versions: tuple[str | Answer, ...]
    about: dict[str, Any] = field(default_factory=dict)
    told: tuple[int, ...]
    """The versions that the other program tells, as its documentation promises; checked as well."""
    differs: tuple[int, ...] = ()
    said: str = ""
    """Part of what the import says where the two differ."""
    header: tuple[str, str] | None = None
    method: str = "GET"
    body: str = ""


def page(*lines: str, title: str = "Harbour") -> str:
    inner = "\n".join(f"<p>{line}</p>" for line in lines)
    return f"<html><head><title>{title}</title></head>\n<body><h1>Harbour</h1>\n{inner}\n</body></html>"


def items(*lines: str, note: str = "Open daily") -> str:
    inner = "\n".join(f"<li>{line}</li>" for line in lines)
    return (
        f"<html><head><title>Harbour</title></head>\n<body><p class=note>{note}</p>\n"
        f'<div id=board class="board wide"><ul class=list>\n{inner}\n</ul></div>\n</body></html>'
    )


def feed(*titles: str) -> Answer:
    inner = "".join(f"<item><title>{one}</title><guid>{one}</guid></item>" for one in titles)
    return Answer(f"<rss><channel><title>Harbour</title>{inner}</channel></rss>", 200, "application/xml")


def data(**members: Any) -> Answer:
    return Answer(json.dumps(members), 200, "application/json")


def offer(price: str, stock: str = "InStock") -> str:
    about = {
        "@context": "https://schema.org",
        "@type": "Product",
        "name": "Lamp",
        "offers": {
            "@type": "Offer",
            "price": price,
            "priceCurrency": "EUR",
            "availability": f"https://schema.org/{stock}",
        },
    }
    ld = f'<script type="application/ld+json">{json.dumps(about)}</script>'
    return f"<html><head><title>Lamp</title>{ld}</head><body><h1>Lamp</h1><p>{price} EUR</p></body></html>"


TEXT = ["html2text"]
BOARD = items("Anna, 9:00, pier 1", "Berta, 10:00, pier 2")

# Jobs that urlwatch and webchanges read alike.
BOTH = (
    Case(
        name="raw page",
        versions=(page("one"), page("two"), page("two"), page("two").replace("<p>", '<p class="x">')),
        told=(2, 4),
    ),
    Case(
        name="text only",
        versions=(page("one"), page("one").replace("<p>", '<p class="x">'), page("two"), page("two")),
        about={"filter": TEXT},
        told=(3,),
    ),
    Case(
        name="css",
        versions=(
            BOARD,
            items("Anna, 9:00, pier 1", "Berta, 10:00, pier 2", note="Closed"),
            items("Anna, 9:00"),
        ),
        about={"filter": [{"css": "#board"}, *TEXT]},
        told=(3,),
    ),
    Case(
        name="css without text",
        versions=(BOARD, BOARD.replace("<ul class=list>", "<ul class=wide>"), BOARD.replace("Open", "Shut")),
        about={"filter": [{"css": "#board"}]},
        told=(2, 3),
    ),
    Case(
        name="css with exclusion",
        versions=(
            items("Anna", "<b>5 seats</b> Berta"),
            items("Anna", "<b>4 seats</b> Berta"),
            items("Anna", "<b>4 seats</b> Cora"),
        ),
        about={"filter": [{"css": {"selector": "#board", "exclude": "b"}}, *TEXT]},
        told=(3,),
    ),
    Case(
        name="xpath with functions",
        versions=(
            items("Anna late", "Berta"),
            items("Anna late", "Cora"),
            items("Anna late", "Cora", "Dora late"),
        ),
        about={
            "filter": [
                {"xpath": "//li[contains(., 'late') and string-length(normalize-space(.)) > 3]"},
                *TEXT,
            ]
        },
        told=(3,),
    ),
    Case(
        name="xpath of attributes",
        versions=(
            '<p><a href="/a">A</a></p>',
            '<p><a href="/a">B</a></p>',
            '<p><a href="/c">B</a></p>',
        ),
        about={"filter": [{"xpath": "//a/@href"}]},
        told=(3,),
    ),
    Case(
        name="some of the matches",
        versions=(
            items("one", "two", "three", "four"),
            items("ONE", "two", "three", "four"),
            items("ONE", "TWO", "three", "four"),
            items("ONE", "TWO", "three", "FOUR"),
        ),
        about={"filter": [{"css": {"selector": "li", "skip": 1, "maxitems": 2}}, *TEXT]},
        told=(3,),
    ),
    Case(
        name="chained filters",
        versions=(
            items("Anna, pier 1", "Berta, pier 2", "Sponsored: pier 3"),
            items("Anna, pier 1", "Berta, pier 2", "Sponsored: pier 4"),
            items("Anna, pier 1", "Berta, gone", "Sponsored: pier 4"),
            items("Anna, pier 1", "Berta, away", "Sponsored: pier 4"),
            items("Anna, pier 2", "Berta, away", "Sponsored: pier 4", note="pier 9"),
        ),
        about={
            "filter": [
                {"css": "#board"},
                {"xpath": "//li"},
                *TEXT,
                {"grep": "pier"},
                {"grepi": "^ *[*]? *Spon"},
            ]
        },
        told=(3, 5),
        differs=(),
    ),
    Case(
        name="lines dropped",
        versions=(
            page("Anna", "12 visitors"),
            page("Anna", "13 visitors"),
            page("Berta", "13 visitors"),
        ),
        about={"filter": [*TEXT, {"grepi": "visitors"}]},
        told=(3,),
    ),
    Case(
        name="substitution",
        versions=(page("Anna, 12:01:03"), page("Anna, 12:01:04"), page("Berta, 12:01:05")),
        about={"filter": [*TEXT, {"re.sub": r"\d+:\d+:\d+"}]},
        told=(3,),
    ),
    Case(
        name="substitution that keeps a part",
        versions=(page("Anna 12:01"), page("Anna 12:02"), page("Anna 13:02")),
        about={"filter": [*TEXT, {"re.sub": {"pattern": r"(\d+):\d+", "repl": r"\1"}}]},
        told=(3,),
        differs=(2,),
        said="keeps a part of what it finds",
    ),
    Case(
        name="what an expression finds",
        versions=(page("EUR 12 and more"), page("EUR 12 and less"), page("EUR 13 and less")),
        about={"filter": [*TEXT, {"re.findall": r"EUR \d+"}]},
        told=(3,),
    ),
    Case(
        name="sorted lines",
        versions=(
            page("Anna", "Berta", "Cora"),
            page("Cora", "Anna", "Berta"),
            page("Cora", "Dora", "Berta"),
        ),
        about={"filter": [*TEXT, "sort"]},
        told=(3,),
    ),
    Case(
        name="repeated lines",
        versions=(page("Anna", "Berta"), page("Anna", "Berta", "Anna"), page("Anna", "Cora")),
        about={"filter": [*TEXT, "remove-duplicate-lines"]},
        told=(3,),
        differs=(2,),
        said="a line that comes once more is a change",
    ),
    Case(
        name="element by id",
        versions=(BOARD, BOARD.replace("Open daily", "Shut"), BOARD.replace("Anna", "Cora")),
        about={"filter": [{"element-by-id": "board"}, *TEXT]},
        told=(3,),
    ),
    Case(
        name="checksum",
        versions=(page("one"), page("one") + " ", page("one") + " "),
        about={"filter": ["sha1sum"]},
        told=(2,),
    ),
    Case(
        name="json in lines",
        versions=(data(ships=["Anna"], at=1), data(ships=["Anna"], at=1), data(ships=["Berta"], at=1)),
        about={"filter": ["format-json"]},
        told=(3,),
    ),
    Case(
        name="jq",
        versions=(
            data(ships=[{"name": "Anna", "at": 1}]),
            data(ships=[{"name": "Anna", "at": 2}]),
            data(ships=[{"name": "Berta", "at": 2}]),
        ),
        about={"filter": [{"jq": ".ships[].name"}]},
        told=(3,),
    ),
    Case(
        name="csv",
        versions=(
            Answer("ship,pier\nAnna,1\nBerta,2", 200, "text/csv"),
            Answer("ship,pier\nAnna,1\nBerta,2", 200, "text/csv"),
            Answer("ship,pier\nAnna,1\nBerta,3", 200, "text/csv"),
        ),
        about={
            "filter": [
                {
                    "csv2text": {
                        "format_message": "{ship} at {pier}",
                        "has_header": True,
                        "ignore_header": False,
                    }
                }
            ]
        },
        told=(3,),
    ),
    Case(
        name="feed",
        versions=(feed("Anna in", "Berta in"), feed("Anna in", "Berta in"), feed("Cora in", "Anna in")),
        about={"filter": [{"xpath": {"path": "//item/title", "method": "xml"}}]},
        told=(3,),
    ),
    Case(
        name="gone and back",
        versions=(page("Anna"), Answer("<p>nothing here</p>", 404), page("Anna"), page("Berta")),
        about={"filter": TEXT},
        told=(4,),
    ),
    Case(
        name="a form",
        versions=(page("Anna"), page("Anna"), page("Berta")),
        about={"data": {"q": "ships", "page": "2"}, "filter": TEXT},
        told=(3,),
        method="POST",
        body="q=ships&page=2",
    ),
    Case(
        name="put",
        versions=(page("Anna"), page("Anna"), page("Berta")),
        about={"method": "PUT", "data": '{"q": "ships"}', "filter": TEXT},
        told=(3,),
        method="PUT",
        body='{"q": "ships"}',
    ),
    Case(
        name="with a header",
        versions=(page("Anna"), page("Anna"), page("Berta")),
        about={"headers": {"X-Api-Key": "t0ken"}, "filter": TEXT},
        told=(3,),
        header=("X-Api-Key", "t0ken"),
    ),
    Case(
        name="only additions",
        versions=(page("Anna", "Berta"), page("Anna"), page("Anna", "Cora")),
        about={"filter": TEXT, "diff_filter": [{"grep": "^[+][^+]"}]},
        told=(3,),
    ),
    Case(
        name="seen before",
        versions=(page("Anna"), page("Berta"), page("Anna"), page("Cora")),
        about={"filter": TEXT, "compared_versions": 3},
        told=(2, 4),
    ),
)

WEBCHANGES = (
    Case(
        name="json in another order",
        versions=(data(ships=["Anna"], at=1), data(at=1, ships=["Anna"]), data(at=1, ships=["Berta"])),
        about={"filters": ["format-json"]},
        told=(2, 3),
        differs=(2,),
        said="the order of members does not count",
    ),
    Case(
        name="additions",
        versions=(page("Anna", "Berta"), page("Anna"), page("Anna", "Cora")),
        about={"filters": TEXT, "additions_only": True},
        told=(3,),
    ),
    Case(
        name="deletions",
        versions=(page("Anna", "Berta"), page("Anna", "Berta", "Cora"), page("Anna", "Cora")),
        about={"filters": TEXT, "deletions_only": True},
        told=(3,),
    ),
    Case(
        name="lines by text",
        versions=(page("Anna in", "Berta out"), page("Anna in", "Berta away"), page("Cora in", "Berta away")),
        about={"filters": [*TEXT, {"keep_lines_containing": "in"}]},
        told=(3,),
    ),
    Case(
        name="lines deleted by text",
        versions=(page("Anna in", "Berta out"), page("Anna in", "Cora out"), page("Cora in", "Cora out")),
        about={"filters": [*TEXT, {"delete_lines_containing": "out"}]},
        told=(3,),
    ),
    Case(
        name="between lines",
        versions=(
            page("Start", "Anna", "End", "Dora"),
            page("Start", "Anna", "End", "Emma"),
            page("Start", "Berta", "End", "Emma"),
        ),
        about={"filters": [*TEXT, {"between": {"start": "Start", "end": "End"}}]},
        told=(3,),
    ),
    Case(
        name="json body",
        versions=(page("Anna"), page("Anna"), page("Berta")),
        about={"data": {"q": "ships"}, "data_as_json": True, "filters": TEXT},
        told=(3,),
        method="POST",
        body='{"q": "ships"}',
    ),
    Case(
        name="query",
        versions=(page("Anna"), page("Anna"), page("Berta")),
        about={"params": {"q": "ships"}, "filters": TEXT},
        told=(3,),
    ),
)

WATCHES = (
    Case(
        name="text",
        versions=(page("one"), page("one").replace("<p>", '<p class="x">'), page("two"), page("two")),
        told=(3,),
    ),
    Case(
        name="links",
        versions=('<p><a href="/a">A</a></p>', '<p><a href="/b">A</a></p>', '<p><a href="/b">B</a></p>'),
        told=(3,),
    ),
    Case(
        name="css",
        versions=(BOARD, BOARD.replace("Open daily", "Shut"), BOARD.replace("Anna", "Cora")),
        about={"include_filters": ["#board"]},
        told=(3,),
    ),
    Case(
        name="two filters",
        versions=(
            BOARD,
            BOARD.replace("Open daily", "Shut"),
            BOARD.replace("Anna", "Cora").replace("Open daily", "Shut"),
        ),
        about={"include_filters": ["#board", ".note"]},
        told=(2, 3),
    ),
    Case(
        name="xpath with later functions",
        versions=(
            items("Anna is late", "Berta"),
            items("Anna is late", "Cora"),
            items("Anna is late", "Cora", "DORA IS LATE"),
        ),
        about={
            "include_filters": ["xpath://li[matches(., 'is late', 'i') and ends-with(lower-case(.), 'late')]"]
        },
        told=(3,),
    ),
    Case(
        name="parts left out",
        versions=(BOARD, BOARD.replace("Open daily", "Shut"), BOARD.replace("Anna", "Cora")),
        about={"subtractive_selectors": [".note"]},
        told=(3,),
    ),
    Case(
        name="ignored by line",
        versions=(
            page("Anna", "12 visitors today"),
            page("Anna", "13 Visitors since noon"),
            page("Anna", "13 visitors", "14 visitors"),
            page("Berta", "13 visitors"),
        ),
        about={"ignore_text": ["visitors"]},
        told=(4,),
    ),
    Case(
        name="ignored by expression",
        versions=(page("Anna", "at 12:03 h"), page("Anna", "about 12:04 h"), page("Berta", "about 12:04 h")),
        about={"ignore_text": [r"/\d+:\d+/"]},
        told=(3,),
    ),
    Case(
        name="trigger by text",
        versions=(
            page("Anna"),
            page("Berta"),
            page("Cora", "Sale today"),
            page("Dora", "big sale"),
            page("Emma"),
        ),
        about={"trigger_text": ["sale"]},
        told=(3, 4),
    ),
    Case(
        name="trigger by expression",
        versions=(page("EUR 12"), page("EUR 14"), page("USD 14"), page("USD 15")),
        about={"trigger_text": [r"/usd \d+/"]},
        told=(3, 4),
    ),
    Case(
        name="trigger that comes back",
        versions=(page("Anna", "sale"), page("Berta", "sale"), page("Berta"), page("Berta", "sale")),
        about={"trigger_text": ["sale"]},
        told=(2,),
        differs=(4,),
        said="not with the last one that held the text",
    ),
    Case(
        name="blocked while text is there",
        versions=(
            page("Anna"),
            page("Berta", "closed"),
            page("Cora", "CLOSED now"),
            page("Dora"),
            page("Emma"),
        ),
        about={"text_should_not_be_present": ["closed"]},
        told=(4, 5),
    ),
    Case(
        name="unique lines",
        versions=(page("Anna"), page("Anna", "Berta"), page("Anna"), page("Berta"), page("Berta", "Cora")),
        about={"check_unique_lines": True},
        told=(2, 5),
    ),
    Case(
        name="sorted",
        versions=(
            page("Anna", "Berta", "Cora"),
            page("Cora", "Anna", "Berta"),
            page("Cora", "Dora", "Berta"),
        ),
        about={"sort_text_alphabetically": True},
        told=(3,),
    ),
    Case(
        name="repeated lines",
        versions=(page("Anna", "Berta"), page("Anna", "Berta", "Anna"), page("Anna", "Cora")),
        about={"remove_duplicate_lines": True},
        told=(3,),
        differs=(2,),
        said="a line that comes once more is a change",
    ),
    Case(
        name="extracted",
        versions=(page("EUR 12 and more"), page("EUR 12 and less"), page("EUR 13 and less")),
        about={"extract_text": [r"/EUR \d+/"]},
        told=(3,),
    ),
    Case(
        name="lines with texts",
        versions=(page("Anna in", "Berta out"), page("Anna in", "Berta away"), page("Cora IN", "Berta away")),
        about={"extract_lines_containing": ["in"]},
        told=(3,),
    ),
    Case(
        name="only what came",
        versions=(page("Anna", "Berta"), page("Anna"), page("Anna", "Cora")),
        about={"filter_text_added": True, "filter_text_removed": False, "filter_text_replaced": False},
        told=(3,),
    ),
    Case(
        name="condition on a number",
        versions=(
            items("12", note="a"),
            items("8", note="b"),
            items("14", note="c"),
            items("15", note="c"),
        ),
        about={
            "include_filters": ["#board"],
            "conditions": [{"field": "extracted_number", "operator": ">", "value": "10"}],
            "conditions_match_logic": "ALL",
        },
        told=(3, 4),
    ),
    Case(
        name="condition on text",
        versions=(page("Anna"), page("Berta"), page("Cora has apples"), page("Dora has apples and worms")),
        about={
            "conditions": [
                {"field": "page_filtered_text", "operator": "in", "value": "apples"},
                {"field": "page_filtered_text", "operator": "!contains_regex", "value": "w.rms"},
            ],
            "conditions_match_logic": "ALL",
        },
        told=(3,),
    ),
    Case(
        name="one condition of two",
        versions=(page("Anna"), page("Berta has pears"), page("Cora"), page("Dora has apples")),
        about={
            "conditions": [
                {"field": "page_filtered_text", "operator": "in", "value": "apples"},
                {"field": "page_filtered_text", "operator": "in", "value": "pears"},
            ],
            "conditions_match_logic": "ANY",
        },
        told=(2, 4),
    ),
    Case(
        name="json path",
        versions=(
            data(ships=[{"name": "Anna", "at": 1}]),
            data(ships=[{"name": "Anna", "at": 2}]),
            data(ships=[{"name": "Berta", "at": 2}]),
        ),
        about={"include_filters": ["json:$.ships[*].name"]},
        told=(3,),
    ),
    Case(
        name="jq",
        versions=(
            data(ships=[{"name": "Anna", "at": 1}]),
            data(ships=[{"name": "Anna", "at": 2}]),
            data(ships=[{"name": "Berta", "at": 2}]),
        ),
        about={"include_filters": ["jq:.ships[].name"]},
        told=(3,),
    ),
    Case(
        name="jq that computes",
        versions=(
            data(ships=[{"name": "Anna", "at": 1}, {"name": "Dora", "at": 4}]),
            data(ships=[{"name": "Emma", "at": 2}, {"name": "Dora", "at": 4}]),
            data(ships=[{"name": "Emma", "at": 2}, {"name": "Berta", "at": 5}]),
        ),
        about={"include_filters": ["jq:.ships[] | select(.at > 3) | .name"]},
        told=(3,),
    ),
    Case(
        name="whole json",
        versions=(data(ships=["Anna"], at=1), data(at=1, ships=["Anna"]), data(ships=["Berta"], at=1)),
        told=(3,),
    ),
    Case(
        name="csv",
        versions=(
            Answer("ship,pier\nAnna,1", 200, "text/csv"),
            Answer("ship,pier\nAnna,1", 200, "text/csv"),
            Answer("ship,pier\nAnna,2", 200, "text/csv"),
        ),
        told=(3,),
    ),
    Case(
        name="back in stock",
        versions=(
            offer("10.00", "OutOfStock"),
            offer("10.00", "OutOfStock"),
            offer("10.00"),
            offer("10.00", "SoldOut"),
        ),
        about={"processor": "restock_diff"},
        told=(3,),
    ),
    Case(
        name="all of stock",
        versions=(offer("10.00"), offer("10.00", "SoldOut"), offer("10.00"), offer("11.00")),
        about={
            "processor": "restock_diff",
            "beside": {
                "restock_diff.json": {
                    "restock_diff": {"in_stock_processing": "all_changes", "follow_price_changes": False}
                }
            },
        },
        told=(2, 3),
    ),
    Case(
        name="price within limits",
        versions=(offer("10.00"), offer("11.00"), offer("4.00"), offer("9.00"), offer("21.00")),
        about={
            "processor": "restock_diff",
            "beside": {
                "restock_diff.json": {
                    "restock_diff": {
                        "in_stock_processing": "in_stock_only",
                        "follow_price_changes": True,
                        "price_change_min": 5,
                        "price_change_max": 20,
                    }
                }
            },
        },
        told=(3, 5),
    ),
    Case(
        name="price by percent",
        versions=(offer("100.00"), offer("103.00"), offer("120.00"), offer("118.00")),
        about={
            "processor": "restock_diff",
            "beside": {
                "restock_diff.json": {
                    "restock_diff": {
                        "in_stock_processing": "off",
                        "follow_price_changes": True,
                        "price_change_threshold_percent": 5,
                    }
                }
            },
        },
        told=(3,),
    ),
    Case(
        name="post with json",
        versions=(page("Anna"), page("Anna"), page("Berta")),
        about={"method": "POST", "body": '{"q": "ships"}', "headers": {"Content-Type": "application/json"}},
        told=(3,),
        method="POST",
        body='{"q": "ships"}',
    ),
    Case(
        name="put",
        versions=(page("Anna"), page("Anna"), page("Berta")),
        about={"method": "PUT", "body": "q=ships"},
        told=(3,),
        method="PUT",
        body="q=ships",
    ),
    Case(
        name="with a header",
        versions=(page("Anna"), page("Anna"), page("Berta")),
        about={"headers": {"X-Api-Key": "t0ken"}},
        told=(3,),
        header=("X-Api-Key", "t0ken"),
    ),
    Case(
        name="gone and back",
        versions=(page("Anna"), Answer("<p>nothing here</p>", 404), page("Anna"), page("Berta")),
        told=(4,),
    ),
    Case(
        name="errors that are watched",
        versions=(
            page("Anna"),
            Answer(page("nothing here"), 404),
            Answer(page("still nothing"), 404),
            page("Anna"),
        ),
        about={"ignore_status_codes": True},
        told=(2, 3, 4),
        differs=(2, 3, 4),
        said="watches what an error page says",
    ),
    Case(
        name="filters of a group",
        versions=(
            BOARD,
            BOARD.replace("Open daily", "Shut"),
            BOARD.replace("Anna", "Cora"),
            BOARD.replace("Anna, 9:00", "Cora, 11 guests"),
        ),
        about={"groups": ["Boards"]},
        told=(3, 4),
    ),
    Case(
        name="settings for all",
        versions=(
            page("Anna", "we use biscuits"),
            page("Anna", "we used biscuits"),
            page("Berta", "we used biscuits"),
        ),
        told=(3,),
    ),
)
TAGS: dict[str, dict[str, Any]] = {"Boards": {"include_filters": ["#board"], "ignore_text": ["guests"]}}
APPLICATION: dict[str, Any] = {"global_ignore_text": ["biscuits"]}
