"""A store with pages whose versions are exported to web archives: repeated content, a frame, a form."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import replace

from tests.store.making import checked, claim_all, new_version, sentinel
from webvigil.app.operating.stores import opened, repository
from webvigil.app.pages.documents import signature_of
from webvigil.app.settings import Settings
from webvigil.model.version import Answer, Frame
from webvigil.model.work import Look
from webvigil.store.promises import Knowledge
from webvigil.store.sql.knowledge import SqlKnowledge

URL = "http://site.test/prices?b=2&a=1"
BODIES = (
    b"<h1>Prices</h1><p>Lamp 10 EUR",
    b"<h1>Prices</h1><p>Lamp 12 EUR",
    b"<h1>Prices</h1><p>Lamp 10 EUR",
)
HEADERS = (
    ("Content-Type", "text/html; charset=utf-8"),
    ("Content-Encoding", "gzip"),
    ("Content-Length", "7"),
    ("Set-Cookie", "session=secret"),
    ("X-Odd", "caf\udce9 – ü"),
)
FRAME = Frame(
    address="/f",
    answer=Answer(
        url="http://site.test/f", status=200, headers=(("Content-Type", "text/html"),), body=b"<p>small"
    ),
)


class Clock:
    now = 1_762_000_000_123

    def __call__(self) -> int:
        return self.now


@contextmanager
def kept_pages(settings: Settings, url: str = URL) -> Iterator[Knowledge]:
    """Opens a store in which jill watches a page with three versions, the third equal to the first. A look
    after the third found it unchanged. All looks are an hour apart. Somebody else watches another page."""
    with opened(settings):
        pass  # makes the folder and the user
    clock = Clock()
    with closing(SqlKnowledge(settings.database_url, clock=clock)) as made:
        made.sentinels.add(sentinel("prices", url))
        made.users.add("kim")
        made.sentinels.add(sentinel("others", "http://other.test/", user="kim"))
        before = ""
        for number, body in enumerate((*BODIES, b""), 1):
            clock.now += 3_600_000
            for claim in claim_all(made):
                due, version = claim.pages[0], None
                if body:
                    answer = Answer(url=due.page.url, status=200, headers=HEADERS, body=body, frames=(FRAME,))
                    stored = repository(settings, made.versions).keep(
                        answer, after=before if due.id == 1 else "", in_row=True
                    )
                    before = stored.object if due.id == 1 else before
                    version = replace(
                        new_version(number),
                        url=due.page.url,
                        object=stored.object,
                        size=len(body),
                        base=stored.base,
                        delta=stored.delta,
                        signature=signature_of(answer),
                    )
                look = Look(why="due", decision="changed" if version else "same", status=200)
                made.schedule.finish(claim, [checked(claim, due, version=version, look=look)])
                made.schedule.ask(due.id)
        yield made
