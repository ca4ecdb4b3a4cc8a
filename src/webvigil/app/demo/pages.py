"""A seed and a step in, the HTML of a page of the demo site out. `town` decides what the page says."""

from __future__ import annotations

from html import escape
from importlib.resources import files

from webvigil.app.demo.town import Place, Story, Ware, chance, places, stories, told, wares
from webvigil.app.demo.town import place as place_of

_STYLE = files("webvigil.app.demo").joinpath("style.css").read_text(encoding="utf-8")


def news(seed: int, step: int) -> str:
    newest, *older = stories(seed, step)
    body = f'<h1>News</h1>{_story(newest, "lead")}<div class="grid">{"".join(map(_story, older))}</div>'
    return _page("News", body)


def prices(seed: int, step: int) -> str:
    rows = "".join(_row(ware) for ware in wares(seed, step))
    head = '<tr><th scope="col">Article<th scope="col">Price<th scope="col">In stock</tr>'
    table = f"<thead>{head}</thead><tbody>{rows}</tbody>"
    caption = "<caption>Ship chandler's, by the quay</caption>"
    return _page("Prices", f"<h1>Prices</h1><table>{caption}{table}</table>")


def links(seed: int, step: int) -> str:
    items = "".join(_link(place) for place in places(seed, step))
    return _page("Links", f'<h1>Links</h1><ul class="links">{items}</ul>')


PAGES = {"news": news, "prices": prices, "links": links}


def index(period: float) -> str:
    pages = "".join(f'<li><a href="/{name}">{name.capitalize()}</a><p>{_ABOUT[name]}</p>' for name in PAGES)
    why = (
        f"These pages exist to be watched. Each of them changes by itself every {period:g} seconds, "
        "so that you can see what WebVigil makes of it without waiting for the world."
    )
    title = "A town that changes"
    return _page(title, f'<h1>{title}</h1><p>{why}</p><ul class="links">{pages}</ul>')


_ABOUT = {
    "news": "Headlines with pictures. One comes, one goes, and an older one gets an update.",
    "prices": "A shop: prices wander, shelves empty and fill again, an offer comes and goes.",
    "links": "A list of places. One link enters, another leaves.",
}


def story(seed: int, number: int) -> str:
    shown = told(seed, number)
    title = f'<p class="topic">{shown.topic}</p><h1>{shown.headline}</h1>'
    body = f"<article>{_picture_of(number)}<div>{title}<p>{shown.text}</p></div></article>"
    return _page(shown.headline, f'{body}<p class="back"><a href="/news">More news</a></p>')


def place(seed: int, number: int) -> str:
    shown = place_of(seed, number)
    back = '<p class="back"><a href="/links">More links</a></p>'
    return _page(shown.title, f"<h1>{shown.title}</h1><p>{shown.blurb}</p>{back}")


def picture(seed: int, number: int) -> str:
    """Draws the picture of a story as SVG: a sun and three hills, in colours that depend on the story's
    number."""
    hue = int(360 * chance(seed, "hue", number))
    sun = 40 + int(240 * chance(seed, "sun", number))
    hills = "".join(_hill(seed, number, layer, hue) for layer in range(3))
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 320 160" role="img">'
        f'<rect width="320" height="160" fill="hsl({hue} 60% 86%)"/>'
        f'<circle cx="{sun}" cy="50" r="22" fill="hsl({(hue + 40) % 360} 90% 66%)"/>{hills}</svg>'
    )


def _story(shown: Story, kind: str = "brief") -> str:
    title = f'<h2><a href="/story/{shown.number}">{shown.headline}</a></h2>'
    body = f'<p class="topic">{shown.topic}</p>{title}<p>{shown.text}</p>'
    return f'<article class="{kind}">{_picture_of(shown.number)}<div>{body}</div></article>'


def _picture_of(number: int) -> str:
    return f'<img src="/picture/{number}.svg" alt="" width="320" height="160">'


def _row(ware: Ware) -> str:
    stock = str(ware.stock) if ware.stock else '<span class="out">sold out</span>'
    name = escape(ware.name) + (' <span class="topic">offer</span>' if ware.offer else "")
    return f'<tr><th scope="row">{name}<td>€ {ware.cents / 100:.2f}<td>{stock}</tr>'


def _link(shown: Place) -> str:
    return f'<li><a href="/place/{shown.number}">{shown.title}</a><p>{shown.blurb}</p>'


def _hill(seed: int, number: int, layer: int, hue: int) -> str:
    heights = [70 + 25 * layer + int(40 * chance(seed, "hill", number, layer, x)) for x in range(5)]
    line = " ".join(f"{x * 80},{height}" for x, height in enumerate(heights))
    return f'<polygon points="0,160 {line} 320,160" fill="hsl({hue} 45% {62 - 14 * layer}%)"/>'


def _page(title: str, body: str) -> str:
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(title)} · Demo town</title>"
        f'<link rel="icon" href="data:,"><style>{_STYLE}</style></head>\n'
        f'<body><header><a href="/">Demo town</a><nav>{_tabs()}</nav></header>\n<main>{body}</main>\n'
        "<footer>A demo of WebVigil. The town and its news are made up.</footer></body></html>\n"
    )


def _tabs() -> str:
    return "".join(f'<a href="/{name}">{name.capitalize()}</a>' for name in PAGES)
