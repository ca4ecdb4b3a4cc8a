"""Hostile data: JSON, XML, feeds, tables of text, calendars, records line by line."""

from __future__ import annotations

import json

from bench.speed.making import Shape, Versions, around, by_chance, each, filled, reversed_pieces, shuffled


def _json(versions: Versions) -> tuple[Versions, str]:
    return around("[", versions, "0]"), "application/json"


def _xml(versions: Versions) -> tuple[Versions, str]:
    return around("<x>", versions, "</x>"), "text/xml"


def _csv(versions: Versions, head: str = "id,name,price\n") -> tuple[Versions, str]:
    return around(head, versions), "text/csv"


def _rss(versions: Versions) -> tuple[Versions, str]:
    return around("<rss><channel>", versions, "</channel></rss>"), "application/rss+xml"


def _calendar(versions: Versions) -> tuple[Versions, str]:
    return around("BEGIN:VCALENDAR\n", versions, "END:VCALENDAR\n"), "text/calendar"


def _item(number: int, version: int = 0) -> str:
    return (
        f"<item><title>news {number}</title><link>https://example.org/{number}</link>"
        f"<guid>{number}</guid><description>text {number + version}</description></item>"
    )


def _event(number: int, version: int = 0) -> str:
    day = f"2026{number % 12 + 1:02}{number % 28 + 1:02}"
    return (
        f"BEGIN:VEVENT\nUID:{number}\nSUMMARY:Event {number}\n"
        f"DTSTART:{day}T{(number + version) % 24:02}0000Z\nEND:VEVENT\n"
    )


def _sisters(size: int, version: int) -> str:
    """Returns nested JSON objects with a number before and behind the object on every level."""
    levels = size // 26
    return (
        "".join(f'{{"a":{n + version},"b":' for n in range(levels))
        + "0"
        + "".join(f',"c":{n % 9}}}' for n in range(levels))
    )


DATA: dict[str, Shape] = {
    "JSON by chance": lambda size: _json(by_chance(size, ("0,", "1,", "2,"))),
    "JSON texts by chance": lambda size: _json(by_chance(size, ('"a",', '"b c",', "null,", "true,"))),
    "JSON, reversed": lambda size: _json(reversed_pieces(size, lambda n: f"{n},")),
    "JSON records, shuffled": lambda size: _json(
        shuffled(size, lambda n: f'{{"id":{n},"name":"word {n}","price":{n % 97}}},')
    ),
    "JSON records without ids, shuffled": lambda size: _json(
        shuffled(size, lambda n: f'{{"a":{n % 7},"b":[{n},{n % 3}]}},')
    ),
    "JSON records, equal": lambda size: _json(
        (filled('{"a":1,"b":2},', size), filled('{"a":1,"b":2},{"a":2,"b":1},', size))
    ),
    "JSON records, other keys": lambda size: _json(each(size, lambda n, v: f'{{"k{n * 2 + v}":{n}}},')),
    "JSON lists in lists, shuffled": lambda size: _json(shuffled(size, lambda n: f"[[{n}],[[{n % 5}]]],")),
    "JSON in JSON in JSON": lambda size: _json(
        each(size, lambda n, v: json.dumps({"a": json.dumps({"b": json.dumps({"price": n + v})})}) + ",")
    ),
    "JSON, one key again and again": lambda size: (
        around("{", each(size, lambda n, v: f'"a":{n + v},'), '"a":0}'),
        "application/json",
    ),
    "JSON, long numbers": lambda size: _json(each(size, lambda n, v: "9" * 4000 + f"{n + v},")),
    "JSON, one endless number": lambda size: _json(("1" * size + ",", "2" * size + ",")),
    "JSON, numbers of any rank": lambda size: _json(
        each(size, lambda n, v: f"{n + v}e{n * 7},-0.0{n}e-{n},")
    ),
    "JSON, sisters on every level": lambda size: ((_sisters(size, 0), _sisters(size, 1)), "application/json"),
    "JSON, escaped": lambda size: _json(each(size, lambda n, v: f'"\\u00{(n + v) % 90 + 10}\\n\\t\\ud83d",')),
    "JSON, one key of everything": lambda size: (
        around('{"', each(size, lambda n, v: f"{n + v} "), '":0}'),
        "application/json",
    ),
    "records line by line": lambda size: (
        each(size, lambda n, v: f'{{"id":{n},"a":{n * 2 + v}}}\n'),
        "application/x-ndjson",
    ),
    "records line by line, broken": lambda size: (
        each(size, lambda n, v: f'{{"id":{n + v},\n{{}}\n'),
        "application/x-ndjson",
    ),
    "XML by chance": lambda size: _xml(by_chance(size, ("<a>1</a>", "<b>2</b>", "<a>2</a>", "<c/>"))),
    "XML, reversed": lambda size: _xml(reversed_pieces(size, lambda n: f"<a>{n}</a>")),
    "XML, other names": lambda size: _xml(each(size, lambda n, v: f"<n{n * 2 + v}>1</n{n * 2 + v}>")),
    "XML, texts between": lambda size: _xml(each(size, lambda n, v: f"{n + v}<a/>")),
    "XML, namespaces": lambda size: _xml(
        each(size, lambda n, v: f"<p{n}:a xmlns:p{n}='urn:{n + v}'>{n}</p{n}:a>")
    ),
    "XML, nested namespaces": lambda size: (
        tuple(
            "".join(f"<a xmlns:n{n}='u{v}'>" for n in range(size // 30)) + "x" + "</a>" * (size // 30)
            for v in (0, 1)
        ),
        "text/xml",
    ),  # type: ignore[dict-item]
    "XML, a laugh in each entity": lambda size: (
        around(
            "<!DOCTYPE x [<!ENTITY a0 'ha'>"
            + "".join(f"<!ENTITY a{n} '{f'&a{n - 1};' * 10}'>" for n in range(1, 12))
            + "]><x>",
            each(size, lambda n, v: f"<b>&a{n % 4};{n + v}</b>"),
            "</x>",
        ),
        "text/xml",
    ),
    "XML, sections of characters": lambda size: _xml(each(size, lambda n, v: f"<a><![CDATA[{n + v}]]></a>")),
    "XML, instructions": lambda size: _xml(each(size, lambda n, v: f"<?a {n + v}?><!--{n + v}-->")),
    "XML, attributes of one element": lambda size: (
        around("<x ", each(size, lambda n, v: f"a{n}='{n + v}' "), "/>"),
        "text/xml",
    ),
    "feed, shuffled": lambda size: _rss(shuffled(size, _item)),
    "feed, all changed": lambda size: _rss(each(size, _item)),
    "feed, all new": lambda size: _rss(each(size, lambda n, v: _item(n + v * 100_000))),
    "CSV, all changed": lambda size: _csv(each(size, lambda n, v: f"{n},word {n},{n + v}\n")),
    "CSV, shuffled": lambda size: _csv(shuffled(size, lambda n: f"{n},word {n},{n % 97}\n")),
    "CSV, reversed": lambda size: _csv(reversed_pieces(size, lambda n: f"{n % 99},word,{n}\n")),
    "CSV by chance": lambda size: _csv(by_chance(size, ("1,a,2\n", "2,b,1\n", "1,b,3\n"))),
    "CSV, one row": lambda size: _csv(each(size, lambda n, v: f"{n + v},"), ""),
    "CSV, many columns": lambda size: _csv(
        each(size, lambda n, v: ",".join(str(n + v + k) for k in range(900)) + "\n"), ""
    ),
    "CSV of quotes": lambda size: _csv((filled('"', size), filled('",', size))),
    "CSV, a line break in each cell": lambda size: _csv(each(size, lambda n, v: f'{n},"a\n{n + v}",b\n')),
    "CSV, ragged": lambda size: _csv(each(size, lambda n, v: "," * (n % 300) + f"{n + v}\n")),
    "calendar, all changed": lambda size: _calendar(each(size, _event)),
    "calendar, shuffled": lambda size: _calendar(shuffled(size, _event)),
    "calendar of one event": lambda size: _calendar(
        each(size, lambda n, v: f"BEGIN:VEVENT\nUID:1\nSUMMARY:{n + v}\nEND:VEVENT\n")
    ),
    "calendar, folded": lambda size: _calendar(
        around("BEGIN:VEVENT\nSUMMARY:a", each(size, lambda n, v: f"\n {n + v}"), "\nEND:VEVENT\n")
    ),
}
