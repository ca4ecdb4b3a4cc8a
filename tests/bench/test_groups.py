"""The group benchmarks measure what they say, on pages that differ and sentinels that find something."""

from __future__ import annotations

from bench.speed import groups
from webvigil.app.worker.evaluate import Evaluator
from webvigil.detect.in_context import in_context
from webvigil.language import parse
from webvigil.model.change import Finding


def told_in_group(page: groups.Changed) -> list[tuple[Finding, ...]]:
    due = groups._due(page, 1, len(page.texts))
    versions = page.old.digest(), page.new.digest()
    done = Evaluator().compare(due, due.watches, 2, lambda number: versions[number - 1])
    return [one.found[0].findings if one.found else () for one in done]


def test_both_ways_find_the_same():
    """The oracle of the benchmark: each sentinel alone is told what it is told in its group."""
    page = groups.changed_pages()[0]
    texts = page.texts[:27]
    few = groups.Changed(page.old, page.new, texts)
    told = told_in_group(few)
    versions = few.old.digest(), few.new.digest()
    alone = [groups._compare_alone(few, parse(text)[0]) for text in texts]
    assert told == [in_context(*versions, findings) for findings in alone]
    assert any(told)
    assert not all(told)


def test_pages_have_the_size_of_the_papers():
    sizes = [len(old) for old, _ in groups.made_up_pages()]
    nodes = len(groups.Version(groups.made_up_pages(1)[0][0]).digest())
    assert 30_000 <= sum(sizes) / len(sizes) <= 60_000
    assert 1_400 <= nodes <= 2_200
