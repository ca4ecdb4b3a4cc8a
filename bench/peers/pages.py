"""The pages that are looked at: about 47 KB each, and a hundred and fifty small edits of one."""

from __future__ import annotations

import random
from collections.abc import Callable

_LETTERS = "bcdfghklmnprstvw"
_VOWELS = "aeiou"
_DICE = random.Random(47)
_WORDS = sorted(
    {
        "".join(_DICE.choice(_LETTERS) + _DICE.choice(_VOWELS) for _ in range(_DICE.randint(2, 4)))
        for _ in range(900)
    }
)
_ARTICLES = 67
_IMAGE_EDITS = _LINK_EDITS = 21
EDITS = 150

Article = dict[str, str]


def page(seed: int = 0, token: str = "") -> str:
    """Returns the HTML of a front page. The token stands in places that no reader sees."""
    return _html(_articles(seed), token)


def edit(number: int) -> tuple[str, str]:
    """Returns one small edit: the page before and after. 21 change a link, 21 a picture, the others a
    text."""
    before = _articles(number)
    after = [dict(one) for one in before]
    dice = random.Random(1000 + number)
    place = dice.randrange(len(after))
    if number < _LINK_EDITS:
        after[place]["link"] += "-moved"
    elif number < _LINK_EDITS + _IMAGE_EDITS:
        after[place]["image"] = after[place]["image"].replace(".jpg", "-2.jpg")
    else:
        _TEXT_EDITS[number % len(_TEXT_EDITS)](after, place, dice)
    return _html(before), _html(after)


def _replace_word(articles: list[Article], place: int, dice: random.Random) -> None:
    words = articles[place]["text"].split()
    words[dice.randrange(len(words))] = "replacement"
    articles[place]["text"] = " ".join(words)


def _insert_word(articles: list[Article], place: int, dice: random.Random) -> None:
    words = articles[place]["text"].split()
    words.insert(dice.randrange(len(words)), "insertion")
    articles[place]["text"] = " ".join(words)


def _delete_word(articles: list[Article], place: int, dice: random.Random) -> None:
    words = articles[place]["text"].split()
    del words[dice.randrange(len(words))]
    articles[place]["text"] = " ".join(words)


def _change_price(articles: list[Article], place: int, dice: random.Random) -> None:
    articles[place]["price"] = f"{dice.randint(200, 300)}.00"


def _change_title(articles: list[Article], place: int, dice: random.Random) -> None:
    articles[place]["title"] += " again"


def _insert_article(articles: list[Article], place: int, dice: random.Random) -> None:
    articles.insert(place, {**articles[place], "title": "A new article", "text": "It is short."})


def _delete_article(articles: list[Article], place: int, dice: random.Random) -> None:
    del articles[place]


_TEXT_EDITS: list[Callable[[list[Article], int, random.Random], None]] = [
    _replace_word,
    _insert_word,
    _delete_word,
    _change_price,
    _change_title,
    _insert_article,
    _delete_article,
]


def _articles(seed: int) -> list[Article]:
    dice = random.Random(seed)
    return [
        {
            "title": " ".join(dice.choices(_WORDS, k=6)).capitalize(),
            "text": " ".join(dice.choices(_WORDS, k=60)),
            "link": f"/{dice.choice(_WORDS)}/{number}",
            "image": f"/pictures/{dice.choice(_WORDS)}{number}.jpg",
            "price": f"{dice.randint(1, 199)}.{dice.randint(0, 99):02}",
        }
        for number in range(_ARTICLES)
    ]


def _html(articles: list[Article], token: str = "") -> str:
    body = "\n".join(
        f'<article class="card teaser"><h2><a href="{one["link"]}">{one["title"]}</a></h2>'
        f'<img src="{one["image"]}" width="320" height="200" alt=""/>'
        f'<p class="lead">{one["text"]}</p></article>'
        for one in articles
    )
    prices = "\n".join(f"<tr><td>{one['title']}</td><td>{one['price']}</td></tr>" for one in articles)
    topics = "\n".join(f"<li>{one['title'].split()[0]}</li>" for one in articles[:12])
    return f"""<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>The daily page</title>
<meta name="csrf-token" content="{token}"><!-- served {token} --></head>
<body><header><h1>The daily page</h1><ul>{topics}</ul></header>
<form action="/search"><input type="hidden" name="t" value="{token}"><input name="q"></form>
<main>{body}</main><table>{prices}</table></body></html>
"""
