"""Making a sentinel warns of what it names that is not on its page, from a command and from a server (V3)."""

from __future__ import annotations

from pathlib import Path

from tests.site import Site
from tests.whole.serving import Serving, eventually, webvigil, webvigil_json

LOOKING = {"WEBVIGIL_FIRST_LOOK": "30"}
NO_PRICE = 'there is no value at css ".preis" on the page'


def test_a_command_looks_itself_where_no_server_is_at_work(site: Site, tmp_path: Path):
    page = site.page("/shop", "<p class=price>5 EUR")
    watch = ("watch", page.url, "--data", str(tmp_path))
    wrong = webvigil(*watch, "--name", "wrong", "--monitor", 'value css ".preis"', **LOOKING)
    assert (wrong.returncode, wrong.stderr) == (0, f"warning: {page.url}: {NO_PRICE}\n")
    right = webvigil(*watch, "--name", "right", "--monitor", 'value css ".price"', **LOOKING)
    assert (right.returncode, right.stderr) == (0, "")
    wish = webvigil(*watch, "--name", "wish", "--monitor", "keywords: {sold out}", **LOOKING)
    assert "you will be told when it appears" in wish.stderr
    page.answers(status=500)
    away = webvigil(*watch, "--name", "away", **LOOKING)
    assert (away.returncode, away.stderr) == (
        0,
        f"warning: {page.url}: it could not be fetched: the server answered 500\n",
    )
    hits = page.hits
    blind = webvigil(*watch, "--name", "blind", "--monitor", "all links", WEBVIGIL_FIRST_LOOK="0")
    assert blind.stderr == ""
    assert page.hits == hits


def test_the_look_of_a_server_at_work_is_waited_for_and_the_trouble_is_shown(site: Site, tmp_path: Path):
    page = site.page("/shop", "<p class=price>5 EUR")
    data = ("--data", str(tmp_path))
    text = f'Create Sentinel wrong Using {page.url} Monitor value css ".preis" Fetch 1 hour'
    with Serving(tmp_path, **LOOKING) as serving:
        eventually(lambda: webvigil("list", *data).returncode == 0)
        made = webvigil("add", "-", *data, text=text, **LOOKING)
        assert made.stderr == f"warning: {page.url}: {NO_PRICE}\n"
        assert page.hits == 1
        shown = webvigil_json("list", "--trouble", *data)
        assert [(one["name"], one["trouble"]) for one in shown] == [("wrong", {page.url: NO_PRICE})]
        assert NO_PRICE in webvigil("list", *data).stdout
        assert NO_PRICE in webvigil("show", "wrong", *data).stdout
        token = webvigil("token", "add", "program", "--scope", "write", *data).stdout.split()[0]
        asked = ("--server", serving.address, "--token", token)
        other = text.replace("wrong", "other").replace(".preis", ".prise")
        answered = webvigil("add", "-", *asked, text=other)
        assert '".prise"' in answered.stderr, answered
        page.becomes("<p class=preis>4 EUR")
        ran = webvigil("run", "wrong", *asked)
        assert (ran.returncode, ran.stderr) == (0, ""), ran
        assert [one["name"] for one in webvigil_json("list", "--trouble", *data)] == ["other"]
