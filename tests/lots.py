"""Pages put together by lot, always the same ones: for tests that compare what is found with what was kept.

A lot draws numbers from its seed alone, on every machine and with every version of Python.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from html import escape
from typing import TypeVar

T = TypeVar("T")

_WORDS = """
harbour bridge ferry market river town lamp sofa rug chair table garden school museum concert film
ticket train coast storm tide island letter window kitchen baker pilot teacher singer doctor winter
summer Monday Friday open closed late early new old small large quiet blue green road house field
""".split()  # noqa: SIM905
_LITTLE = ("the", "a", "of", "in", "and", "for", "with", "to", "is", "was", "our", "by")
_FORMS = (
    "{n} {w}",
    "{n}.{d} %",
    "€ {n}.{dd}",
    "${n},{ddd}",
    "{n}:{d}{d}",
    "{n} minutes ago",
    "{dd} March 2026",
    "2026-0{k}-1{d}",
    "updated {k} hours ago",
    "In stock",
    "Sold out",
    "{n} of {dd} places",
    "{w}-{w}",
    "{w}@{w}.test",
    "{n} km",
    "-{n}",
    "Nr. {n}",
)


class Lot:
    """Draws numbers, and by them one of several things."""

    def __init__(self, seed: int) -> None:
        self._state = (seed * 2_654_435_769 + 12_345) % 2**48
        for _ in range(5):
            self.below(9)

    def below(self, many: int) -> int:
        """Returns a number from 0 up to before `many`."""
        self._state = (self._state * 25_214_903_917 + 11) % 2**48
        return (self._state >> 16) % many

    def one_of(self, things: Sequence[T]) -> T:
        return things[self.below(len(things))]

    def happens(self, percent: int) -> bool:
        return self.below(100) < percent

    def shuffled(self, things: Sequence[T]) -> list[T]:
        left = list(things)
        return [left.pop(self.below(len(left))) for _ in things]

    def word(self) -> str:
        return self.one_of(_LITTLE) if self.happens(30) else self.one_of(_WORDS)

    def fact(self) -> str:
        """Returns a number with its unit, a price, a time, or words that say one thing."""
        digits = {"d": self.below(10), "dd": 10 + self.below(90), "ddd": 100 + self.below(900)}
        return self.one_of(_FORMS).format(
            n=1 + self.below(40), k=1 + self.below(9), w=self.one_of(_WORDS), **digits
        )

    def words(self, most: int) -> str:
        return " ".join(self.word() for _ in range(1 + self.below(most)))

    def sentence(self) -> str:
        said = [self.words(7), *([self.fact()] if self.happens(40) else []), self.words(5)]
        return " ".join(said).capitalize() + self.one_of((".", ".", ".", "!", "?"))


@dataclass
class Element:
    """An element, or with a name of "" a text."""

    name: str
    text: str = ""
    attributes: dict[str, str] = field(default_factory=dict)
    children: list[Element] = field(default_factory=list)

    def copy(self) -> Element:
        return Element(self.name, self.text, dict(self.attributes), [one.copy() for one in self.children])

    def below(self) -> Iterator[Element]:
        yield self
        for child in self.children:
            yield from child.below()

    def named(self, *names: str) -> list[Element]:
        return [one for one in self.below() if one.name in names]

    @property
    def html(self) -> str:
        if not self.name:
            return escape(self.text, quote=False)
        if self.name == "#comment":
            return f"<!--{self.text}-->"
        said = "".join(f' {name}="{escape(value)}"' for name, value in self.attributes.items())
        if self.name in ("img", "br", "hr", "meta", "link", "input"):
            return f"<{self.name}{said}>"
        return f"<{self.name}{said}>{''.join(one.html for one in self.children)}</{self.name}>"

    @property
    def xml(self) -> str:
        if not self.name or self.name == "#comment":
            return self.html
        said = "".join(f' {name}="{escape(value)}"' for name, value in self.attributes.items())
        return f"<{self.name}{said}>{''.join(one.xml for one in self.children)}</{self.name}>"


def text(said: str) -> Element:
    return Element("", said)


def element(name: str, /, *inner: Element | str, **attributes: str) -> Element:
    children = [text(one) if isinstance(one, str) else one for one in inner]
    return Element(name, "", {key.rstrip("_"): value for key, value in attributes.items()}, children)


# --- pages ------------------------------------------------------------------------------------------


def page(lot: Lot) -> Element:
    """Returns the body of a page: a menu, a main part with several blocks, and a footer."""
    main = element("main", element("h1", lot.words(4).capitalize()))
    for _ in range(2 + lot.below(6)):
        main.children += lot.one_of(_BLOCKS)(lot)
    menu = element("nav", *[_link(lot) for _ in range(lot.below(5))])
    body = element("body", menu, main, element("footer", element("p", lot.sentence())))
    if lot.happens(30):
        body.children.insert(1, element("aside", *_list(lot)))
    return body


def written(body: Element, title: str) -> str:
    return f"<!doctype html><html lang=en><head><title>{escape(title)}</title></head>{body.html}</html>"


def _link(lot: Lot) -> Element:
    name = lot.words(3)
    return element("a", name, href=_address(lot))


def _address(lot: Lot) -> str:
    form = lot.one_of(("/{}", "/{}/{}.html", "https://other.test/{}?id={}", "{}?utm_source={}", "#{}"))
    return form.format(lot.one_of(_WORDS).lower(), lot.one_of(_WORDS).lower())


def _picture(lot: Lot) -> Element:
    return element(
        "img", src=f"/{lot.one_of(_WORDS).lower()}.png", alt=lot.words(2) if lot.happens(60) else ""
    )


def _paragraph(lot: Lot) -> list[Element]:
    inner: list[Element | str] = []
    for _ in range(1 + lot.below(3)):
        inner.append(lot.sentence() + " ")
        if lot.happens(25):
            inner += [element(lot.one_of(("b", "em", "span")), lot.fact()), " "]
        if lot.happens(25):
            inner += [_link(lot), " "]
    return [element("p", *inner, **({"class_": lot.one_of(_WORDS)} if lot.happens(20) else {}))]


def _section(lot: Lot) -> list[Element]:
    head = element(lot.one_of(("h2", "h2", "h3")), lot.words(4).capitalize())
    if lot.happens(30):
        head.attributes["id"] = lot.one_of(_WORDS)
    return [head, *_paragraph(lot), *(_paragraph(lot) if lot.happens(50) else [])]


def _item(lot: Lot, depth: int) -> Element:
    said: list[Element | str] = [lot.words(4)]
    if lot.happens(30):
        said = [_link(lot)]
    if lot.happens(40):
        said += [", ", lot.fact()]
    if depth < 2 and lot.happens(15):
        said += _list(lot, depth + 1)
    return element("li", *said)


def _list(lot: Lot, depth: int = 0) -> list[Element]:
    if depth == 0 and lot.happens(15):
        pairs = [[element("dt", lot.words(2)), element("dd", lot.fact())] for _ in range(1 + lot.below(4))]
        return [element("dl", *[one for pair in pairs for one in pair])]
    items = [_item(lot, depth) for _ in range(1 + lot.below(6))]
    return [element(lot.one_of(("ul", "ul", "ol")), *items)]


def _table(lot: Lot) -> list[Element]:
    width, height = 1 + lot.below(4), 1 + lot.below(6)
    rows = []
    if lot.happens(70):
        rows.append(element("tr", *[element("th", lot.words(2).capitalize()) for _ in range(width)]))
    for number in range(height):
        cells: list[Element | str] = [_link(lot) if lot.happens(20) else lot.words(2)]
        if lot.happens(20):
            cells = [str(number + 1)]
        rows.append(
            element("tr", element("td", *cells), *[element("td", lot.fact()) for _ in range(width - 1)])
        )
    caption = [element("caption", lot.words(3).capitalize())] if lot.happens(40) else []
    return [element("table", *caption, *rows)]


def _shop(lot: Lot) -> list[Element]:
    items = [
        element(
            "li",
            element("a", element("h3", f"{lot.one_of(_WORDS)} {number}"), href=f"/goods/{number}"),
            element("span", f"€ {5 + lot.below(90)}.{10 + lot.below(90)}", class_="price"),
            element("span", lot.one_of(("In stock", "Sold out", "Only 2 left"))),
        )
        for number in range(1 + lot.below(5))
    ]
    return [element("ul", *items, class_="goods")]


def _pictures(lot: Lot) -> list[Element]:
    return [element("p", *[_picture(lot) for _ in range(1 + lot.below(3))])]


def _odd(lot: Lot) -> list[Element]:
    return [
        lot.one_of(
            (
                Element("#comment", lot.words(3)),
                element("pre", "\n".join(lot.words(4) for _ in range(3))),
                element("p", lot.sentence(), hidden=""),
                element("div", element("div", element("span", lot.fact())), style="color: red"),
                element("form", element("input", name="q", value=lot.word()), action="/find"),
                element("blockquote", *_paragraph(lot)),
                element("time", lot.fact(), datetime="2026-03-01"),
                element("details", element("summary", lot.words(3)), *_paragraph(lot)),
            )
        )
    ]


_BLOCKS: tuple[Callable[[Lot], list[Element]], ...] = (
    _paragraph,
    _paragraph,
    _section,
    _list,
    _list,
    _table,
    _table,
    _shop,
    _pictures,
    _odd,
)


# --- what becomes of a page ---------------------------------------------------------------------------


def changed(lot: Lot, body: Element, most: int = 5) -> Element:
    """Returns a copy of a page after some changes."""
    new = body.copy()
    for _ in range(1 + lot.below(most)):
        lot.one_of(_CHANGES)(lot, new)
    return new


def _reword(lot: Lot, body: Element) -> None:
    one = lot.one_of([one for one in body.below() if not one.name and one.text.strip()] or [text("x")])
    words = one.text.split(" ")
    at = lot.below(len(words))
    words[at : at + lot.below(3)] = lot.words(2).split() if lot.happens(80) else []
    one.text = " ".join(words)


def _renumber(lot: Lot, body: Element) -> None:
    numbered = [one for one in body.below() if not one.name and any(map(str.isdigit, one.text))]
    if numbered:
        one = lot.one_of(numbered)
        places = [at for at, sign in enumerate(one.text) if sign.isdigit()]
        at = lot.one_of(places)
        one.text = one.text[:at] + str(1 + lot.below(9)) + one.text[at + 1 :]


def _refact(lot: Lot, body: Element) -> None:
    held = [one for one in body.named("td", "dd", "span", "b", "em", "time") if len(one.children) == 1]
    if held:
        lot.one_of(held).children = [text(lot.fact())]


def _homes(body: Element) -> list[Element]:
    """Returns the elements with something in them, except texts. The page itself is one in any case."""
    found = [one for one in body.below() if one.children and one.name not in ("p", "h1", "h2", "h3")]
    if not found:
        body.children.append(text(""))
    return found or [body]


def _remove(lot: Lot, body: Element) -> None:
    home = lot.one_of(_homes(body))
    del home.children[lot.below(len(home.children))]


def _repeat(lot: Lot, body: Element) -> None:
    home = lot.one_of(_homes(body))
    one = lot.one_of(home.children).copy()
    _reword(lot, one)
    home.children.insert(lot.below(len(home.children) + 1), one)


def _move(lot: Lot, body: Element) -> None:
    home = lot.one_of(_homes(body))
    one = home.children.pop(lot.below(len(home.children)))
    there = home if lot.happens(70) else lot.one_of(_homes(body))
    there.children.insert(lot.below(len(there.children) + 1), one)


def _add(lot: Lot, body: Element) -> None:
    home = lot.one_of([body, *body.named("main", "aside")])
    at = lot.below(len(home.children) + 1)
    home.children[at:at] = lot.one_of(_BLOCKS)(lot)


def _column(lot: Lot, body: Element) -> None:
    tables = body.named("table")
    if tables:
        rows = lot.one_of(tables).named("tr")
        at, is_new = lot.below(3), lot.happens(60)
        for row in rows:
            if is_new:
                row.children.insert(at, element(row.children[0].name if row.children else "td", lot.fact()))
            else:
                del row.children[at : at + 1]


def _lead(lot: Lot, body: Element) -> None:
    links = body.named("a")
    if links:
        lot.one_of(links).attributes["href"] = _address(lot)


def _dress(lot: Lot, body: Element) -> None:
    one = lot.one_of([one for one in body.below() if one.name and one.name != "#comment"])
    if one.attributes and lot.happens(50):
        name = lot.one_of(list(one.attributes))
        one.attributes[name] = lot.word()
    else:
        one.attributes[lot.one_of(("class", "id", "title", "style"))] = lot.word()


def _rename(lot: Lot, body: Element) -> None:
    others = {"p": "div", "h2": "h3", "b": "strong", "ul": "ol", "em": "i", "span": "b", "aside": "div"}
    named = body.named(*others)
    if named:
        one = lot.one_of(named)
        one.name = others[one.name]


def _wrap(lot: Lot, body: Element) -> None:
    home = lot.one_of(_homes(body))
    at = lot.below(len(home.children))
    home.children[at] = element("div", home.children[at])


_CHANGES: tuple[Callable[[Lot, Element], None], ...] = (
    _reword,
    _reword,
    _renumber,
    _renumber,
    _refact,
    _remove,
    _remove,
    _repeat,
    _repeat,
    _move,
    _move,
    _add,
    _add,
    _column,
    _lead,
    _dress,
    _rename,
    _wrap,
)


# --- data -------------------------------------------------------------------------------------------


def catalogue(lot: Lot) -> Element:
    """Returns a document of XML: records of a few fields, some with attributes and parts."""
    name, fields = (
        lot.one_of(("item", "ship", "entry")),
        [lot.one_of(_WORDS) for _ in range(1 + lot.below(4))],
    )
    records: list[Element] = []
    for number in range(1 + lot.below(6)):
        inner = [element(one, lot.fact() if lot.happens(60) else lot.words(4)) for one in fields]
        if lot.happens(25):
            inner.append(element("parts", *[element("part", lot.words(2)) for _ in range(1 + lot.below(3))]))
        record = element(name, *(inner if lot.happens(85) else [lot.sentence(), *inner]))
        if lot.happens(50):
            record.attributes["id"] = f"n{number}"
        records.append(record)
    return element("all", element("title", lot.words(3)), *records)


def catalogue_changed(lot: Lot, root: Element, most: int = 4) -> Element:
    """Returns a copy of a document of XML after some changes."""
    new = root.copy()
    for _ in range(1 + lot.below(most)):
        lot.one_of((_reword, _renumber, _remove, _repeat, _move, _dress, _wrap))(lot, new)
    return new


def data(lot: Lot, depth: int = 0) -> object:
    """Returns a value as JSON has it."""
    if depth < 3 and lot.happens(70 - 20 * depth):
        if lot.happens(40):
            return [data(lot, depth + 1) for _ in range(lot.below(5))]
        names = [lot.one_of(_WORDS).lower() for _ in range(1 + lot.below(5))]
        return {name: data(lot, depth + 1) for name in names}
    scalars: tuple[object, ...] = (
        lot.words(3),
        lot.fact(),
        lot.below(100),
        lot.below(99) / 4,
        True,
        None,
        "",
    )
    return lot.one_of(scalars)


def data_changed(lot: Lot, value: object, depth: int = 0) -> object:
    """Returns a value of JSON after some changes."""
    if isinstance(value, dict):
        new = {key: data_changed(lot, one, depth + 1) for key, one in value.items() if not lot.happens(8)}
        if lot.happens(15):
            new[lot.one_of(_WORDS).lower()] = data(lot, depth + 1)
        return new
    if isinstance(value, list):
        some = [data_changed(lot, one, depth + 1) for one in value if not lot.happens(10)]
        if lot.happens(25):
            some.insert(lot.below(len(some) + 1), data(lot, depth + 1))
        return lot.shuffled(some) if lot.happens(10) else some
    if lot.happens(20):
        return data(lot, 3)
    return f"{value} {lot.word()}" if isinstance(value, str) and lot.happens(10) else value
