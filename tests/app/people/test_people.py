"""Passwords, passes, links, sessions and tokens are valid as long as they say, and not a moment longer."""

from __future__ import annotations

import pytest

from webvigil.app.people.passes import LASTS, Passes, _decoded, _encoded
from webvigil.app.people.passwords import Guesses, is_right, set_password
from webvigil.app.people.sign_in import (
    LINK_LASTS,
    ROTATED_LASTS,
    SESSION_LASTS,
    SESSION_ROTATES,
    TOKEN_LASTS,
    USED_LINK_LASTS,
    api_token,
    new_api_token,
    new_link,
    new_session,
    session_from_link,
    session_from_password,
    session_of,
    sign_out,
    sign_out_elsewhere,
    sign_out_everywhere,
)
from webvigil.errors import SettingRefused
from webvigil.store.memory import MemoryKnowledge

MINUTE = 60_000
DAY = 24 * 60 * MINUTE
BASE = "https://v.test"


class Clock:
    """A clock that stands still until it is moved."""

    def __init__(self) -> None:
        self.now = 1_700_000_000_000

    def __call__(self) -> int:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def knowledge(clock: Clock) -> MemoryKnowledge:
    made = MemoryKnowledge(delay=0, clock=clock)
    made.users.add("jill")
    made.users.add("root", role="admin")
    return made


# --- passwords ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("password", "reason"),
    [
        ("abcdefghi", "the password is too short: at least 10 characters"),
        ("ab" * 500 + "c", "the password is too long: at most 1000 characters"),
        ("JILL-abcdefgh", "the password is little more than the user's name"),
        ("abcabcabcabc", "the password repeats the same few characters"),
    ],
)
def test_a_weak_password_is_refused_with_its_reason(knowledge: MemoryKnowledge, password: str, reason: str):
    with pytest.raises(SettingRefused) as told:
        set_password(knowledge.users, "jill", password)
    assert str(told.value) == reason
    assert knowledge.users.password("jill") == ""


@pytest.mark.parametrize("password", ["abcdefghij", "abcd" * 250, "jill-abcdefghi", "abcdabcdabcd"])
def test_a_password_at_the_limit_is_taken(knowledge: MemoryKnowledge, password: str):
    set_password(knowledge.users, "jill", password)
    assert is_right(knowledge.users, "jill", password)
    assert not is_right(knowledge.users, "jill", password + "x")
    assert not is_right(knowledge.users, "nobody", password)


def test_a_guess_waits_longer_after_each_wrong_one():
    now = [0.0]
    guesses = Guesses(lambda: now[0])
    waits = []
    for _ in range(13):
        waits.append(guesses.wait("a"))
        guesses.was_wrong("a", "b")
    assert waits == [0, 0, 0, 0, 0, 1, 2, 4, 8, 16, 32, 60, 60]
    assert (guesses.wait("b", "new"), guesses.wait("new"), guesses.wait()) == (60, 0, 0)
    now[0] = 59.5
    assert guesses.wait("a") == 0.5
    now[0] = 61
    assert guesses.wait("a") == 0
    guesses.was_right("b", "new")
    assert guesses.wait("b") == 0


def test_wrong_guesses_are_forgotten_after_an_hour():
    now = [100.0]
    guesses = Guesses(lambda: now[0])
    for _ in range(6):
        guesses.was_wrong("a")
    now[0] += 3600
    guesses.was_wrong("a")
    assert guesses.wait("a") == 4, "an hour is not over"
    now[0] += 3601
    guesses.was_wrong("a")
    assert guesses.wait("a") == 0


# --- passes ---------------------------------------------------------------------------------------------


def test_a_pass_opens_what_it_says_until_it_expires():
    now = [1_000.0]
    passes = Passes(b"key", lambda: now[0])
    short, long = passes.written("page", {"page": 3}), passes.written("page", {"page": 4}, 601)
    assert passes.read("page", short) == {"kind": "page", "until": 1_600, "page": 3}
    assert LASTS == 600
    now[0] = 1_599.9
    assert passes.read("page", short)
    now[0] = 1_600
    assert passes.read("page", short) is None
    assert passes.read("page", long)
    assert passes.read("picture", long) is None


def test_a_pass_that_was_touched_opens_nothing():
    passes = Passes(b"key", lambda: 0)
    good = passes.written("page", {"page": 3})
    text, _, signature = good.partition(".")
    for bad in ("", ".", text, f"{text}.", f"{text}.{signature}x", f"{text}x.{signature}", f"ä{good}", "é"):
        assert passes.read("page", bad) is None, bad
    assert Passes(b"other", lambda: 0).read("page", good) is None


def test_a_pass_has_at_most_eight_thousand_characters():
    passes = Passes(b"key", lambda: 0)
    lengths = {size: len(passes.written("page", {"url": "x" * size})) for size in range(5_900, 5_960)}
    longest = max(size for size, length in lengths.items() if length <= 8_000)
    assert lengths[longest] >= 7_999
    assert passes.read("page", passes.written("page", {"url": "x" * longest}))
    assert passes.read("page", passes.written("page", {"url": "x" * (longest + 2)})) is None


@pytest.mark.parametrize("plain", [b"", b"a", b"ab", b"abc", b"abcd", b"\xff\xfe\xfb"])
def test_what_is_encoded_for_an_address_is_decoded(plain: bytes):
    text = _encoded(plain)
    assert _decoded(text) == plain
    assert not {*text} & {*"=+/"}


# --- links and sessions ---------------------------------------------------------------------------------


def secret(link: str) -> str:
    assert link.startswith(f"{BASE}/sign-in?token=")
    return link.partition("=")[2]


def test_a_link_is_valid_for_a_day_and_ten_minutes_after_its_use(knowledge: MemoryKnowledge, clock: Clock):
    assert (LINK_LASTS, USED_LINK_LASTS, SESSION_LASTS) == (DAY, 10 * MINUTE, 30 * DAY)
    unused, begun = secret(new_link(knowledge, "jill", BASE)), clock.now
    clock.now = begun + DAY - 1
    assert session_from_link(knowledge, unused)
    clock.now = begun + DAY
    assert session_from_link(knowledge, unused) is None, "a use makes it no longer"
    used, begun = secret(new_link(knowledge, "jill", BASE)), clock.now
    assert session_from_link(knowledge, used)
    clock.now = begun + 10 * MINUTE - 1
    assert session_from_link(knowledge, used)
    clock.now = begun + 20 * MINUTE
    assert session_from_link(knowledge, used) is None


def test_a_session_gets_a_new_secret_twice_a_day(knowledge: MemoryKnowledge, clock: Clock):
    assert (SESSION_ROTATES, ROTATED_LASTS) == (DAY // 2, MINUTE)
    first, begun = new_session(knowledge, "jill"), clock.now
    clock.now = begun + SESSION_ROTATES - 1
    assert not session_of(knowledge, first).renewed
    clock.now = begun + SESSION_ROTATES
    second = session_of(knowledge, first).renewed
    assert second
    assert session_of(knowledge, second).token.user.name == "jill"
    assert not session_of(knowledge, first).renewed, "it was renewed already"
    clock.now += MINUTE - 1
    assert session_of(knowledge, first)
    clock.now += 1
    assert session_of(knowledge, first) is None
    assert session_of(knowledge, second)


def test_a_session_ends_by_itself_and_when_it_is_told(knowledge: MemoryKnowledge, clock: Clock):
    lone, begun = new_session(knowledge, "jill"), clock.now
    clock.now = begun + 30 * DAY
    assert session_of(knowledge, lone) is None
    ended, other = new_session(knowledge, "jill"), new_session(knowledge, "jill")
    sign_out(knowledge.users, ended)
    assert (session_of(knowledge, ended), session_of(knowledge, other) is None) == (None, False)
    link = secret(new_link(knowledge, "jill", BASE))
    mine = sign_out_elsewhere(knowledge, "jill")
    assert (session_of(knowledge, other), session_from_link(knowledge, link)) == (None, None)
    assert session_of(knowledge, mine)
    sign_out_everywhere(knowledge.users, "jill")
    assert session_of(knowledge, mine) is None


def test_a_password_opens_a_session(knowledge: MemoryKnowledge):
    set_password(knowledge.users, "jill", "four small words")
    opened = session_from_password(knowledge, "jill", "four small words")
    assert opened
    assert session_of(knowledge, opened)
    assert session_from_password(knowledge, "jill", "four small word") is None


# --- tokens ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["", "  ", "x" * 101, "a\nb"])
def test_a_token_needs_a_name(knowledge: MemoryKnowledge, name: str):
    with pytest.raises(
        SettingRefused, match="a token needs a name of up to 100 characters that tells what it"
    ):
        new_api_token(knowledge, knowledge.users.get("jill"), name, "read")


def test_a_token_allows_no_more_than_its_user(knowledge: MemoryKnowledge, clock: Clock):
    with pytest.raises(SettingRefused, match="only an administrator can have a token with the scope admin"):
        new_api_token(knowledge, knowledge.users.get("jill"), "x", "admin")
    assert new_api_token(knowledge, knowledge.users.get("root"), "x", "admin")
    made = new_api_token(knowledge, knowledge.users.get("jill"), " " + "x" * 98 + " ", "read")
    assert made.startswith("wv_")
    token = api_token(knowledge.users, made)
    assert (token.name, token.scope) == ("x" * 98, "read")
    assert api_token(knowledge.users, made.removeprefix("wv_")) is None
    clock.now += TOKEN_LASTS - 1
    assert api_token(knowledge.users, made)
    clock.now += 1
    assert api_token(knowledge.users, made) is None
    assert TOKEN_LASTS == 3650 * DAY


def test_a_password_is_hashed_as_strongly_as_is_advised(knowledge: MemoryKnowledge):
    set_password(knowledge.users, "jill", "a long enough word")
    known = knowledge.users.password("jill")
    assert known
    assert known.startswith("$argon2id$v=19$m=19456,t=2,p=1$")
