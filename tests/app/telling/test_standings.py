"""Standings tell what each sentinel watches without parsing each text whole (N2)."""

from __future__ import annotations

from hypothesis import HealthCheck, example, given, settings

from tests.language import strategies
from webvigil.app.telling.standings import type_of
from webvigil.language import parse, print_expression, print_sentinel
from webvigil.model.sentinel import ChangeType, Sentinel, WebPage

PLAIN = Sentinel(name="s1", target=WebPage("https://example.org/"))
LOUD = Sentinel(
    name="Monitor all images", target=WebPage("https://a.test/Monitor"), topics=("Monitor all words",)
)


@settings(max_examples=120, deadline=None, suppress_health_check=list(HealthCheck))
@given(strategies.sentinels)
@example(PLAIN)
@example(LOUD)
def test_what_is_watched_is_what_the_whole_text_says(sentinel: Sentinel):
    text = print_sentinel(sentinel)
    whole = parse(text)[0].monitor or ChangeType("any change")
    assert type_of(text) == print_expression(whole)
