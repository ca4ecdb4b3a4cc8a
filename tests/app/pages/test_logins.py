"""Log-ins are read as people write them, and each is used for the pages that it is for."""

from __future__ import annotations

from typing import Any

import pytest

from tests.store.making import sentinel
from webvigil.app.pages.logins import Logins, login_from, with_login
from webvigil.errors import PageRefused, SettingRefused
from webvigil.fetch.login import Login, Seal
from webvigil.model.login import SealedLogin
from webvigil.model.page import Page
from webvigil.store.memory import MemoryKnowledge

HOME = "https://site.test/"


def read(headers: Any = (), cookies: Any = (), secrets: Any = ()) -> Login | str:
    try:
        return login_from(HOME, headers, cookies, secrets)
    except SettingRefused as refused:
        return str(refused)


UNSENT = "the value of the header X contains a character that cannot be sent"
NO_SECRET = "a secret is written NAME=VALUE, and one is not"
UNTYPED = "the value of the secret pin cannot be typed"


@pytest.mark.parametrize(
    ("headers", "cookies", "secrets", "expected"),
    [
        (["X: a"], [], [], Login(url=HOME, headers=(("X", "a"),))),
        (["X: a\tb"], [], [], Login(url=HOME, headers=(("X", "a\tb"),))),
        (["X: a\x1fb"], [], [], UNSENT),
        (["X: a b"], [], [], Login(url=HOME, headers=(("X", "a b"),))),
        (["X: é"], [], [], UNSENT),
        (["X:"], [], [], Login(url=HOME, headers=(("X", ""),))),
        (["X"], [], [], "'X' is no header; write NAME:VALUE"),
        ([f"{'x y' * 20}: a"], [], [], f"{('x y' * 20)[:40]!r} is no header; write NAME:VALUE"),
        (["HOST: a"], [], [], "the header HOST is not for you to set"),
        (["Upgrade: a"], [], [], "the header Upgrade is not for you to set"),
        (["COOKIE: a=1;; b=2"], [], [], Login(url=HOME, cookies=(("a", "1"), ("b", "2")))),
        ([], ["a"], [], "'a' is no cookie; write NAME=VALUE"),
        ([], ["a="], [], Login(url=HOME, cookies=(("a", ""),))),
        ([], [], ["pin=1234"], Login(url=HOME, secrets=(("pin", "1234"),))),
        ([], [], [" pin = 1 "], Login(url=HOME, secrets=(("pin", " 1 "),))),
        ([], [], ["pin=1", "pin=2"], Login(url=HOME, secrets=(("pin", "2"),))),
        ([], [], ["pin=" + "x" * 4000], Login(url=HOME, secrets=(("pin", "x" * 4000),))),
        ([], [], ["pin=" + "x" * 4001], UNTYPED),
        ([], [], ["pin=a\0b"], UNTYPED),
        ([], [], ["pin="], NO_SECRET),
        ([], [], [" =x"], NO_SECRET),
        ([], [], ["pin"], NO_SECRET),
        ([], [], [], "a log-in needs at least one cookie, header or secret"),
    ],
)
def test_a_login_is_read_or_refused_in_words(
    headers: list[str], cookies: list[str], secrets: list[str], expected: Login | str
):
    assert read(headers, cookies, secrets) == expected


def test_a_secret_has_a_name_of_the_language():
    said = read(secrets=["x" * 101 + "=1"])
    assert isinstance(said, str)
    assert said.startswith("a secret cannot have this name: ")


def test_an_address_that_is_none_is_refused():
    with pytest.raises(SettingRefused):
        login_from("http://[x", ["X: a"], [])


def test_a_page_that_has_a_login_keeps_it():
    known = [SealedLogin(id=7, user="jill", url=HOME, sealed="")]
    assert with_login(Page(url=HOME, login="3"), known).login == "3"
    assert with_login(Page(url=HOME), known).login == "7"


class TestKept:
    """Log-ins in a knowledge base, with a sentinel on two pages of the site and one of another."""

    @pytest.fixture
    def knowledge(self) -> MemoryKnowledge:
        knowledge = MemoryKnowledge(delay=0)
        for user in ("jill", "kim"):
            knowledge.users.add(user)
            knowledge.sentinels.add(
                sentinel("s", f"{HOME}a/1", f"{HOME}b", "https://other.test/a/", user=user)
            )
        return knowledge

    @pytest.fixture
    def logins(self, knowledge: MemoryKnowledge) -> Logins:
        return Logins(knowledge, Seal(b"key"))

    def seen(self, knowledge: MemoryKnowledge, user: str = "jill") -> dict[str, str]:
        pages = knowledge.sentinels.get(user, "s").pages
        return {one.url: knowledge.versions.page(one.id).login for one in pages}

    def put(self, logins: Logins, url: str, user: str = "jill", *secrets: tuple[str, str]) -> None:
        logins.put(user, Login(url=url, cookies=(("c", "1"),), secrets=secrets))

    def test_pages_below_are_seen_with_it_from_then_on(self, knowledge: MemoryKnowledge, logins: Logins):
        self.put(logins, f"{HOME}a/")
        (kept,) = knowledge.logins.all("jill")
        told = {f"{HOME}a/1": str(kept.id), f"{HOME}b": "", "https://other.test/a/": ""}
        assert self.seen(knowledge) == told
        assert set(self.seen(knowledge, "kim").values()) == {""}
        self.put(logins, HOME)
        outer = max(one.id for one in knowledge.logins.all("jill"))
        assert self.seen(knowledge) == told | {f"{HOME}b": str(outer)}
        logins.remove("jill", f"{HOME}a/")
        assert self.seen(knowledge) == told | {f"{HOME}a/1": str(outer), f"{HOME}b": str(outer)}
        logins.remove("jill", HOME)
        assert set(self.seen(knowledge).values()) == {""}

    def test_a_login_opens_for_its_pages(self, knowledge: MemoryKnowledge, logins: Logins):
        self.put(logins, HOME, "jill", ("pin", "1"), ("word", "x"))
        (kept,) = knowledge.logins.all("jill")
        page = Page(url=f"{HOME}b", login=str(kept.id))
        assert logins.of(page) == Login(
            url=HOME, cookies=(("c", "1"),), secrets=(("pin", "1"), ("word", "x"))
        )
        assert logins.of(Page(url=HOME)) is None
        assert logins.beside(page) == [kept]
        for wrong in ("999", "x"):
            lost = Page(url=HOME, login=wrong)
            assert logins.beside(lost) == []
            with pytest.raises(PageRefused, match=r"^the log-in of this page cannot be used: "):
                logins.of(lost)
        with pytest.raises(PageRefused):
            Logins(knowledge, Seal(b"other")).of(page)

    def test_secrets_are_named_and_not_told(self, knowledge: MemoryKnowledge, logins: Logins):
        self.put(logins, HOME, "jill", ("pin", "1"), ("word", "x"))
        self.put(logins, "https://other.test/", "jill")
        assert sorted(logins.with_secrets("jill")) == [
            ("https://other.test/", ()),
            (HOME, ("pin", "word")),
        ]
        assert [logins.secrets_for("jill", one) for one in (f"{HOME}b", "https://other.test/")] == [
            ("pin", "word"),
            (),
        ]
        assert logins.secrets_for("jill", "https://third.test/") is None
        assert logins.secrets_for("kim", f"{HOME}b") is None
        assert dict(Logins(knowledge, Seal(b"other")).with_secrets("jill")) == {
            HOME: (),
            "https://other.test/": (),
        }
