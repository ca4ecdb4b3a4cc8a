"""The rules of hosts: how long they are kept, and what each answer means, without a server (F4)."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from webvigil.errors import HostBusy, PageError, PageRefused, PageUnreachable
from webvigil.fetch import robots
from webvigil.fetch.client import Ask, Reply
from webvigil.fetch.robots import Robots
from webvigil.model.version import Answer

PRIVATE = "User-agent: *\nDisallow: /private\nCrawl-delay: 2.5\n"


class Host:
    """A client that answers for robots.txt as it was told last."""

    user_agent = "WebVigil/1.0 (+x)"

    def __init__(self) -> None:
        self.answer: tuple[int, str] | PageError = (200, PRIVATE)
        self.asked: list[Ask] = []

    async def ask(self, ask: Ask) -> Reply:
        self.asked.append(ask)
        if isinstance(self.answer, PageError):
            raise self.answer
        status, text = self.answer
        headers = (("Retry-After", "9"),)
        return Reply(
            answer=Answer(url=ask.url, status=status, headers=headers, body=text.encode()), received=1
        )


class Rules:
    """The rules of a host, by a clock that the test moves."""

    def __init__(self, agent: str = "") -> None:
        self.host, self.now = Host(), 0.0
        if agent:
            self.host.user_agent = agent
        client: Any = self.host
        self.rules = Robots(client, now=lambda: self.now)

    def say(self, url: str = "http://a.test/private") -> str:
        try:
            asyncio.run(self.rules.judge(url))
        except PageError as error:
            return f"{type(error).__name__}: {error}"
        return ""

    @property
    def asked(self) -> int:
        return len(self.host.asked)


FORBIDDEN = "PageRefused: robots.txt of a.test does not want robots to visit this page"


def test_rules_are_asked_for_once_and_again_after_a_day():
    rules = Rules()
    assert [rules.say(), rules.say("http://a.test/public"), rules.asked] == [FORBIDDEN, "", 1]
    assert rules.host.asked[0].url == "http://a.test/robots.txt"
    assert rules.host.asked[0].limit == 2_000_000
    rules.now = 86_399.0
    assert (rules.say(), rules.asked) == (FORBIDDEN, 1)
    rules.now = 86_400.0
    assert (rules.say(), rules.asked) == (FORBIDDEN, 2)


@pytest.mark.parametrize(
    ("status", "said"),
    [
        (200, FORBIDDEN),
        (201, ""),
        (404, ""),
        (499, ""),
        (429, "HostBusy: the server answered 429 for its robots.txt"),
        (
            500,
            "PageUnreachable: robots.txt cannot be read (the server answered 500), so we stay away",
        ),
    ],
)
def test_what_the_answer_for_robots_txt_means(status: int, said: str):
    rules = Rules()
    rules.host.answer = (status, PRIVATE)
    assert rules.say() == said


def test_a_busy_host_says_how_long_to_wait():
    rules = Rules()
    rules.host.answer = (429, "")
    with pytest.raises(HostBusy) as caught:
        asyncio.run(rules.rules.judge("http://a.test/"))
    assert caught.value.wait == 9_000


def test_rules_that_cannot_be_read_are_asked_for_again_soon():
    rules = Rules()
    rules.host.answer = (503, "")
    rules.say()
    rules.now, rules.host.answer = 599.0, (200, "")
    assert "the server answered 503" in rules.say()
    rules.now = 600.0
    assert (rules.say(), rules.asked) == ("", 2)


def test_older_rules_hold_while_new_ones_cannot_be_read():
    rules = Rules()
    rules.say()
    rules.now, rules.host.answer = 86_400.0, (500, "")
    assert (rules.say(), rules.asked) == (FORBIDDEN, 2)
    rules.now += 600.0
    assert (rules.say(), rules.asked) == (FORBIDDEN, 3)
    rules.host.answer, rules.now = (200, ""), rules.now + 600.0
    assert (rules.say(), rules.asked) == ("", 4)


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (PageRefused("no"), "PageRefused: no (asked for its robots.txt)"),
        (PageUnreachable("gone"), "PageUnreachable: gone"),
    ],
)
def test_an_error_on_the_way_is_told_and_not_remembered(error: PageError, said: str):
    rules = Rules()
    rules.host.answer = error
    assert (rules.say(), rules.say(), rules.asked) == (said, said, 2)


def test_the_delay_of_a_host_is_known_with_its_rules_and_at_most_an_hour():
    rules = Rules()
    assert rules.rules.delay("a.test") == 0
    rules.say()
    assert (rules.rules.delay("a.test"), rules.rules.delay("b.test")) == (2_500, 0)
    rules.host.answer = (200, "User-agent: *\nCrawl-delay: 7\n")
    rules.say("https://a.test/")
    assert rules.rules.delay("a.test") == 7_000
    rules.host.answer = (200, "User-agent: *\nCrawl-delay: 3601\n")
    rules.say("https://b.test/")
    assert rules.rules.delay("b.test") == 3_600_000


@pytest.mark.parametrize(
    ("agent", "rules_for", "said"),
    [
        ("WebVigil/1.0 (+x)", "WebVigil", FORBIDDEN),
        ("WebVigil/1.0 (+x)", "Other", ""),
        ("Other (of Jill)/1.0", "Other (of Jill)", FORBIDDEN),
    ],
)
def test_rules_are_read_by_the_name_before_the_slash(agent: str, rules_for: str, said: str):
    rules = Rules(agent)
    rules.host.answer = (200, f"User-agent: {rules_for}\nDisallow: /\n")
    assert rules.say() == said
    assert rules.rules.delay("a.test") == 0


def test_the_rules_of_the_hosts_that_were_visited_last_are_remembered(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(robots, "_HOSTS_REMEMBERED", 2)
    rules = Rules()
    for host in ("a", "b", "c", "b", "c", "a"):
        rules.say(f"http://{host}.test/")
    assert [one.url[7] for one in rules.host.asked] == ["a", "b", "c", "a"]
