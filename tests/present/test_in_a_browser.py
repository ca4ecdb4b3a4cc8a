"""The HTML file in a real browser: nothing of a hostile page acts, and no request leaves the file (P4)."""

from __future__ import annotations

from pathlib import Path

from tests.browser import browser
from tests.present.reading import page
from tests.present.test_presentation import HOSTILE, escaped, paragraphs
from webvigil.present.presentation import present


def test_a_hostile_page_runs_no_script_and_asks_for_nothing(tmp_path: Path):
    file = tmp_path / "changes.html"
    live = "<script>window.ran = 1</script><img src=//evil.test/x onerror='window.ran = 1'>"
    live += "<style>@import '//evil.test/y'</style>"
    old, new = page(paragraphs("one two")), page(live + paragraphs("one three", *map(escaped, HOSTILE)))
    file.write_text(present(old, new, "single"), "utf-8")
    asked: list[str] = []
    with browser() as running:
        tab = running.new_page()
        tab.on("request", lambda request: asked.append(request.url))
        tab.goto(file.as_uri())
        # The only script is our own, for the keys.
        assert tab.evaluate("[window.ran ?? 0, document.scripts.length, document.images.length]") == [0, 1, 0]
        assert tab.locator("main ins").first.inner_text().strip() == "three"
        # The marks are not only colours.
        assert "line-through" in tab.locator("main del").first.evaluate(
            "one => getComputedStyle(one).textDecoration"
        )
        assert "underline" in tab.locator("main ins").first.evaluate(
            "one => getComputedStyle(one).textDecoration"
        )
        tab.locator("details#changes a").first.click()
        assert tab.url.endswith("#c1")
    assert set(asked) == {file.as_uri()}
