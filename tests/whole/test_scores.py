"""Words that interest a user decide what is told to this user, and to nobody else (T2)."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx2

from tests.site import Site
from tests.whole.serving import Serving, eventually, webvigil, webvigil_json

USERS = ("jill", "joe")


def test_words_of_interest_decide_who_is_told(site: Site, tmp_path: Path):
    page = site.page("/", "<p>Quiet day")
    text = (
        f"Create Sentinel s Using {page.url}\nMonitor all words\nFetch 1 second\nWhen score > 60\n"
        "Quiet off\nNotify By log\n"
    )
    data = ("--data", str(tmp_path))
    for name in USERS:
        assert webvigil("user", "add", name, *data).returncode == 0
        done = webvigil("add", "-", "--user", name, *data, text=text)
        assert done.returncode == 0, done.stderr
    with Serving(tmp_path) as serving, window(serving, "jill", *data) as jill:
        page.wait_for(2, within=60)
        # Six letters weigh 6, and the first time of a word of interest adds 64.
        jill.post("/account/scores", data={"interests": "merger\r\ninterest  rate\r\n"})
        assert "words of interest: merger, interest rate" in webvigil("user", "scores", "jill", *data).stdout
        page.becomes("<p>Quiet day merger")
        (change,) = eventually(lambda: changes("jill", *data))
        assert [one["score"] for one in change["findings"]] == [6 + 64]
        assert "Score 70" in seen(jill, f"/changes/{change['id']}")
        # The second time of a word in one difference adds 128.
        page.becomes("<p>Quiet day merger merger of the merger")
        later = eventually(lambda: changes("jill", *data)[:-1])
        assert [one["score"] for one in later[0]["findings"]] == [len("mergerofthemerger") + 64 + 128]
        # Without words of interest the same words weigh no more than others.
        assert jill.put("/api/v1/me/scores", json={}).json()["interests"] == []
        page.becomes("<p>Quiet day")
        hits = page.hits
        page.wait_for(hits + 2, within=60)
        assert len(changes("jill", *data)) == 2
        assert changes("joe", *data) == [], "what interests one user is no matter of another"
        told = eventually(lambda: told_in(serving) if len(told_in(serving)) > 1 else [])
    assert told == ["jill", "jill"]


def told_in(serving: Serving) -> list[str]:
    """Returns who was told of a change, in order."""
    notices = (line.partition("webvigil.notice: ")[2] for line in serving.output)
    said = [json.loads(one) for one in notices if one]
    return [one["user"] for one in said if one.get("findings")]


def changes(user: str, *data: str) -> list[dict]:
    return webvigil_json("changes", "--user", user, *data)


@contextmanager
def window(serving: Serving, user: str, *data: str) -> Iterator[httpx2.Client]:
    """Yields a browser in which the user is signed in."""
    link = webvigil("user", "link", user, "--url", serving.address, *data).stdout.strip()
    headers = {"Origin": serving.address}
    with httpx2.Client(
        base_url=serving.address, follow_redirects=True, timeout=60, headers=headers
    ) as client:
        assert client.get(link).status_code == 200
        yield client


def seen(client: httpx2.Client, path: str) -> str:
    return " ".join(re.sub(r"<[^>]*>", " ", client.get(path).text).split())
