"""Pictures are shown side by side or under a line that the reader drags, with a frame for each region."""

from __future__ import annotations

import re
from io import BytesIO

from PIL import Image

from webvigil.document.screenshot import Box
from webvigil.model.change import Finding, ObjectChange, Status
from webvigil.present.pictures import pictured
from webvigil.present.swipe import Drawn, swipe


def png(width: int, height: int) -> bytes:
    written = BytesIO()
    Image.new("RGB", (width, height), "white").save(written, "PNG")
    return written.getvalue()


def visual(*boxes: tuple[Box | None, Box | None], where: str = "") -> Finding:
    kinds = {(True, False): Status.GONE, (False, True): Status.NEW, (True, True): Status.UPDATED}
    objects = [
        ObjectChange(
            object="region",
            status=kinds[before is not None, after is not None],
            before=str(before) if before else None,
            after=str(after) if after else None,
            where=(where,) if where else (),
        )
        for before, after in boxes
    ]
    return Finding(type="visual", objects=tuple(objects))


HERE, THERE = Box(10, 20, 30, 40), Box(5, 28, 7, 9)
LINK = Finding(type="all links", objects=(ObjectChange(object="x", status=Status.NEW, after="x"),))


def test_each_region_has_one_number_on_both_sides_of_a_file():
    text = pictured(png(90, 80), png(70, 60), [LINK, visual((HERE, None), (HERE, THERE), where="/html/p")])
    assert "<h1>2 changed regions</h1>" in text
    before, after = re.findall(r"<figcaption>(.*?)</figure>", text, re.DOTALL)
    assert before.startswith(
        'Before</figcaption>\n<svg viewBox="0 0 90 80">\n<image href="data:image/png;base64,'
    )
    assert after.startswith(
        'After</figcaption>\n<svg viewBox="0 0 70 60">\n<image href="data:image/png;base64,'
    )
    assert 'width="90" height="80"/>' in before
    frame = (
        '<g class="{}"><title>30×40 at 10,20, /html/p</title><rect x="10" y="20" width="30" height="40"/>'
        '<text x="14" y="42">{}</text></g>'
    )
    assert re.findall("<g.*</g>", before) == [frame.format("d", 1), frame.format("u", 2)]
    assert re.findall("<text[^>]*>(.*)</text>", after) == ["2"]
    assert text.endswith("</main>\n</body>\n</html>\n")


def test_a_region_without_a_place_on_the_page_is_named_by_its_box():
    text = pictured(png(9, 8), png(9, 8), [visual((None, THERE))])
    assert "<h1>1 changed region</h1>" in text
    assert "<title>7×9 at 5,28</title>" in text
    assert "<h1>0 changed regions</h1>" in pictured(png(9, 8), png(9, 8), [LINK])


def test_pictures_are_swiped_with_their_regions():
    text = swipe(Drawn("/a&b", 90, 80), Drawn("/c"), "<x>", [LINK, visual((HERE, THERE), (None, THERE))])
    assert text == (
        '<div class="swipe"><label class="slide"><span>Before</span><input type="range" min="0" max="100" '
        'value="50" aria-label="&lt;x&gt;: where before ends and after begins"/><span>After</span></label>'
        '<div class="stack"><div class="was">'
        '<img alt="&lt;x&gt;, before" src="/a&amp;b" width="90" height="80"/>'
        '<svg viewBox="0 0 90 80" aria-hidden="true">'
        '<g class="u"><rect x="10" y="20" width="30" height="40"/>'
        '<rect class="tag" x="10" y="0" width="26" height="28"/><text x="16" y="22">1</text></g></svg></div>'
        '<div class="is"><img alt="&lt;x&gt;, after" src="/c"/></div></div></div>'
    )


def test_a_number_stands_above_its_frame_where_there_is_room_and_no_more_than_200_are_drawn():
    low = Box(5, 30, 7, 9)
    text = swipe(Drawn("/a"), Drawn("/b", 90, 80), "x", [visual(*[(None, low)] * 201)])
    tags = re.findall(
        r'<rect class="tag" x="5" y="(\d+)" width="(\d+)" height="28"/><text x="11" y="(\d+)">', text
    )
    assert (tags[0], tags[9], tags[-1], len(tags)) == (
        ("2", "26", "24"),
        ("2", "40", "24"),
        ("2", "54", "24"),
        200,
    )
