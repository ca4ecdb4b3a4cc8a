"""The demo town of one seed is the same in every run: what it says at two moments."""

from __future__ import annotations

import re

import pytest

from webvigil.app.demo.pages import PAGES, index, picture, place, story
from webvigil.app.demo.town import places, stories, wares

WARES = {
    0: [
        ("Storm lantern", 3370, 10),
        ("Enamel teapot", 2810, 9),
        ("Rope, 20 m", 1840, 10),
        ("Folding kayak", 67380, 6),
        ("Wool blanket", 7500, 1),
        ("Brass compass", 4270, 5),
        ("Garden shears", 2260, 10),
        ("Field glasses", 14950, 6),
        ("Sourdough starter", 460, 8),
        ("Rain coat", 10460, 0),
        ("Left-handed scissors", 1350, 4),
    ],
    37: [
        ("Storm lantern", 3340, 12),
        ("Enamel teapot", 2600, 3),
        ("Rope, 20 m", 1810, 10),
        ("Folding kayak", 68760, 9),
        ("Wool blanket", 7370, 6),
        ("Brass compass", 3950, 7),
        ("Garden shears", 2290, 5),
        ("Field glasses", 15970, 7),
        ("Sourdough starter", 470, 12),
        ("Rain coat", 9700, 5),
        ("Seed potatoes, 5 kg", 822, 3),
    ],
}
STORIES = {
    0: [
        (100, "Culture", "The lighthouse keeper finds a map from 1783"),
        (99, "School", "The puppet theatre discovers a quiet corner"),
        (98, "Town", "The botanical garden lends out a thousand umbrellas"),
        (97, "Market", "The night market celebrates a hundredth year"),
        (96, "Science", "The repair café moves across the river"),
        (95, "Market", "The weather station starts a walk by moonlight"),
        (94, "Town", "The chess club plays to a full house"),
    ],
    37: [
        (137, "Science", "The tram company discovers a quiet corner"),
        (136, "Weather", "A ferry captain lends out a thousand umbrellas"),
        (135, "Harbour", "A school orchestra celebrates a hundredth year"),
        (134, "Science", "The lighthouse keeper moves across the river"),
        (133, "Culture", "The puppet theatre starts a walk by moonlight"),
        (132, "School", "The botanical garden plays to a full house"),
        (131, "Science", "The night market answers every single letter"),
    ],
}
PLACES = {
    0: [
        (96, "Borrowed gardens behind walls"),
        (100, "Curious walks along the canal"),
        (91, "Early stairs of the old town"),
        (95, "Forgotten maps of the hills"),
        (98, "Handmade lanterns and kites"),
        (94, "Little photographs of doors"),
        (92, "Quiet puzzles for trams"),
        (97, "Slow letters to the editor"),
        (93, "Weekend benches with a view"),
        (99, "Windy stories about fog"),
    ],
    37: [
        (135, "Borrowed songs for rowing"),
        (130, "Early gardens behind walls"),
        (134, "Forgotten walks along the canal"),
        (137, "Handmade boats for sale"),
        (133, "Little stories about fog"),
        (131, "Quiet letters to the editor"),
        (128, "Secret photographs of doors"),
        (136, "Slow birds of the breakwater"),
        (129, "Sunny maps of the hills"),
        (132, "Weekend lanterns and kites"),
    ],
}
TEXTS = [
    "It took eleven people, two ladders and a long afternoon. The council votes on it in a fortnight.",
    "Even the gulls kept quiet for a minute. There is talk of making it a tradition.",
]
BLURBS = ["Small, tidy and surprisingly complete.", "Collected over thirty years by one patient person."]
PICTURE = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 320 160" role="img"><rect width="320" '
    'height="160" fill="hsl(274 60% 86%)"/><circle cx="86" cy="50" r="22" fill="hsl(314 90% '
    '66%)"/><polygon points="0,160 0,99 80,92 160,71 240,70 320,98 320,160" fill="hsl(274 45% '
    '62%)"/><polygon points="0,160 0,97 80,134 160,113 240,127 320,118 320,160" fill="hsl(274 45% '
    '48%)"/><polygon points="0,160 0,158 80,124 160,157 240,129 320,128 320,160" fill="hsl(274 45% '
    '34%)"/></svg>'
)


@pytest.mark.parametrize("step", [0, 37])
def test_the_goods_stories_and_links_are_those_of_the_step(step: int):
    assert [(one.name, one.cents, one.stock) for one in wares(1, step)] == WARES[step]
    assert [one.offer for one in wares(1, step)] == [False] * 10 + [True]
    assert [(one.number, one.topic, one.headline) for one in stories(1, step)] == STORIES[step]
    assert [(one.number, one.title) for one in places(1, step)] == PLACES[step]


def test_an_older_story_has_an_update():
    assert [one.text for one in stories(1, 37)][1:3] == TEXTS
    assert stories(1, 37)[3].text.endswith("Update: the neighbouring town wants to take part.")
    assert [one.blurb for one in places(1, 37)][:2] == BLURBS


def test_a_picture_is_that_of_its_story():
    assert picture(1, 137) == PICTURE


def test_a_page_shows_the_goods_with_prices_and_stock():
    rows = re.findall(r'<tr><th scope="row">(.*?)</tr>', PAGES["prices"](1, 0))
    assert rows[0] == "Storm lantern<td>€ 33.70<td>10"
    assert rows[9] == 'Rain coat<td>€ 104.60<td><span class="out">sold out</span>'
    assert rows[10] == 'Left-handed scissors <span class="topic">offer</span><td>€ 13.50<td>4'
    assert "watched. Each of them changes by itself every 7.5 seconds, so" in index(7.5)


def test_each_story_and_each_place_has_a_page_of_its_own():
    assert f"<h1>{STORIES[37][0][2]}</h1>" in story(1, 137)
    number, title = PLACES[0][0]
    assert f"<h1>{title}</h1>" in place(1, number)
