"""Tests of a mail in a real Chromium: it fits, can be read, loads nothing and runs nothing."""

from __future__ import annotations

import pytest

from tests.browser import browser
from tests.notify.telling import START, change
from tests.notify.test_email import LINKS, renderer, report
from tests.notify.test_render import HOSTILE, hostile_report
from webvigil.model.notice import Waiting
from webvigil.notify.summary import summary

# Returns, for every visible text, its contrast with the background (WCAG 2, 1.4.3).
_CONTRAST = """() => {
  const part = x => x <= .03928 ? x / 12.92 : ((x + .055) / 1.055) ** 2.4;
  const light = c => { const v = c.map(x => part(x / 255));
    return .2126 * v[0] + .7152 * v[1] + .0722 * v[2] };
  const rgb = text => (text.match(/[\\d.]+/g) || []).map(Number);
  const behind = node => { for (; node; node = node.parentElement) {
    const c = rgb(getComputedStyle(node).backgroundColor);
    if (c.length == 3 || c[3] > 0) return c.slice(0, 3) }
    return [255, 255, 255] };
  const worst = [];
  for (const node of document.body.querySelectorAll('*')) {
    const own = [...node.childNodes].some(n => n.nodeType == 3 && n.data.trim());
    if (!own) continue;
    const [a, b] = [light(rgb(getComputedStyle(node).color).slice(0, 3)), light(behind(node))];
    worst.push([(Math.max(a, b) + .05) / (Math.min(a, b) + .05), node.textContent.trim().slice(0, 40)]);
  }
  return worst.sort((a, b) => a[0] - b[0])[0];
}"""


def mails() -> dict[str, str]:
    waiting = [
        Waiting(id=n, since=START, due=0, notice=hostile_report(text) if n else report(important=True))
        for n, text in enumerate(HOSTILE)
    ]
    made = {
        "report": report(important=True),
        "hostile": hostile_report("x" * 500 + HOSTILE[5]),
        "summary": summary(waiting, "topic"),
        "event": change("e", subject="prices has ended", body={"event": "SentinelExpired", "reason": "over"}),
    }
    return {name: renderer().render(notice, LINKS).html for name, notice in made.items()}


@pytest.mark.slow
def test_a_mail_as_a_person_sees_it():
    with browser() as running:
        for scheme in ("light", "dark"):
            for width in (360, 720):
                for name, html in mails().items():
                    context = running.new_context(
                        viewport={"width": width, "height": 500},
                        color_scheme=scheme,
                    )
                    page = context.new_page()
                    asked: list[str] = []
                    page.on("request", lambda request, asked=asked: asked.append(request.url))
                    page.on("dialog", lambda dialog, asked=asked: asked.append(dialog.message))
                    page.set_content(html)
                    what = f"{name}, {scheme}, {width} wide"
                    assert asked == [], f"{what}: nothing is fetched or run"
                    assert page.evaluate("document.documentElement.scrollWidth") <= width, f"{what}: it fits"
                    ratio, text = page.evaluate(_CONTRAST)
                    assert ratio >= 4.5, f"{what}: {text!r} can be read"
                    context.close()
