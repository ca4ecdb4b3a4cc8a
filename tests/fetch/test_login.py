"""Tests that logins are stored sealed, with a key that is not in the database (F7)."""

from __future__ import annotations

import base64
import stat
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webvigil.app.pages.logins import folder_of, login_from, with_login
from webvigil.errors import SettingRefused, StoreRefused
from webvigil.fetch.login import Login, Seal, key_from, without_secrets
from webvigil.model.login import SealedLogin
from webvigil.model.page import Page

LOGIN = Login(url="https://site.test/", headers=(("X-Key", "s3cret"),), cookies=(("id", "abc"),))


def test_what_is_sealed_comes_back():
    seal = Seal(b"key")
    sealed = seal.seal(LOGIN, "jill")
    assert seal.open(sealed, LOGIN.url, "jill") == LOGIN
    assert "s3cret" not in sealed
    assert b"s3cret" not in base64.b64decode(sealed)


def test_no_two_seals_are_alike():
    seal = Seal(b"key")
    assert seal.seal(LOGIN, "jill") != seal.seal(LOGIN, "jill")


@pytest.mark.parametrize(
    ("key", "url", "owner"),
    [(b"other", LOGIN.url, "jill"), (b"key", "https://evil.test/", "jill"), (b"key", LOGIN.url, "jack")],
)
def test_a_sealed_login_opens_for_its_key_address_and_owner_only(key: bytes, url: str, owner: str):
    sealed = Seal(b"key").seal(LOGIN, "jill")
    with pytest.raises(StoreRefused, match="sealed with another secret_key"):
        Seal(key).open(sealed, url, owner)


@given(st.text(max_size=40))
def test_a_damaged_seal_is_a_clear_error(text: str):
    with pytest.raises(StoreRefused):
        Seal(b"key").open(text, LOGIN.url, "jill")


def test_secrets_are_not_shown_by_accident():
    assert "s3cret" not in repr(LOGIN)


def test_the_key_is_made_once_and_for_its_owner_only(tmp_path: Path):
    key = key_from("", tmp_path)
    assert len(key) >= 32
    assert key_from("", tmp_path) == key
    assert stat.S_IMODE((tmp_path / "secret_key").stat().st_mode) == 0o600
    assert [file.name for file in tmp_path.iterdir()] == ["secret_key"]


def test_the_folder_of_the_key_is_made_where_only_a_database_elsewhere_is_used(tmp_path: Path):
    folder = tmp_path / "not yet" / "there"
    assert key_from("", folder) == (folder / "secret_key").read_bytes().strip()


def test_the_key_may_be_a_setting(tmp_path: Path):
    assert key_from("correct horse battery staple", tmp_path) == b"correct horse battery staple"
    assert list(tmp_path.iterdir()) == []
    with pytest.raises(SettingRefused, match="too short"):
        key_from("short", tmp_path)


@pytest.mark.parametrize(
    ("page", "login"),
    [
        ("https://site.test/account/orders", "2"),
        ("https://site.test/account/", "2"),
        ("https://site.test/news", "1"),
        ("http://site.test/news", ""),
        ("https://site.test:444/news", ""),
        ("https://other.test/account/", ""),
        ("https://site.test/accounting", "1"),
    ],
)
def test_the_nearest_login_above_a_page_counts(page: str, login: str):
    known = [
        SealedLogin(id=1, user="jill", url="https://site.test/", sealed=""),
        SealedLogin(id=2, user="jill", url="https://site.test/account/", sealed=""),
    ]
    assert with_login(Page(url=page), known).login == login


@pytest.mark.parametrize(
    ("page", "login"),
    [
        ("https://site.test/members", "1"),
        ("https://site.test/members?page=2", "1"),
        ("https://site.test/members/list", "1"),
        ("https://site.test/api", "2"),
        ("https://site.test/", ""),
        ("https://site.test/news", ""),
        ("https://site.test/membership", ""),
    ],
)
def test_a_login_for_one_page_is_not_sent_to_its_neighbours(page: str, login: str):
    known = [
        SealedLogin(id=1, user="jill", url="https://site.test/members", sealed=""),
        SealedLogin(id=2, user="jill", url="https://site.test/api", sealed=""),
    ]
    assert with_login(Page(url=page), known).login == login


@pytest.mark.parametrize(
    ("page", "folder"),
    [
        ("https://site.test/", "https://site.test/"),
        ("https://site.test/news", "https://site.test/"),
        ("https://site.test/a/b?c=d/e", "https://site.test/a/"),
        ("https://site.test/a/", "https://site.test/a/"),
    ],
)
def test_the_folder_of_a_page(page: str, folder: str):
    assert folder_of(page) == folder


def test_who_is_known_sees_another_page():
    plain = Page(url="https://site.test/")
    assert Page(url="https://site.test/", login="1").key != plain.key


def test_a_cookie_header_becomes_cookies():
    login = login_from("https://site.test", ["Cookie: a=1; b=2=3", "X-Key : v"], ["a=9", "c=4"])
    assert login == Login(
        url="https://site.test/", headers=(("X-Key", "v"),), cookies=(("a", "1"), ("c", "4"), ("b", "2=3"))
    )


@pytest.mark.parametrize(
    ("headers", "cookies", "message"),
    [
        ((), (), "at least one"),
        (("Host: evil.test",), (), "not for you"),
        (("X-Key: a\r\nHost: evil",), (), "cannot be sent"),
        (("nothing",), (), "NAME:VALUE"),
        ((), ("a b=1",), "NAME=VALUE"),
        ((), ("a=ü",), "cannot be sent"),
    ],
)
def test_what_cannot_be_sent_is_refused(headers: Any, cookies: Any, message: str):
    with pytest.raises(SettingRefused, match=message):
        login_from("https://site.test/", headers, cookies)


@pytest.mark.parametrize(
    ("url", "kept"),
    [
        ("https://site.test/a?p=s3%20cret&x=1", "https://site.test/a?p=secret-word&x=1"),
        ("https://site.test/a?p=s3+cret#p=s3%20cret", "https://site.test/a?p=secret-word#p=secret-word"),
        ("https://site.test/a?p=s3%20crets&q=", "https://site.test/a?p=s3%20crets&q="),
        ("https://site.test/s3%20cret/1?x=12", "https://site.test/s3%20cret/1?x=12"),
    ],
)
def test_an_address_is_kept_without_the_secrets_of_its_parameters(url: str, kept: str):
    login = Login(url="https://site.test/", secrets=(("word", "s3 cret"), ("pin", "1234")))
    assert without_secrets(url, login) == kept
    assert without_secrets(url, None) == url
    assert without_secrets(url, LOGIN) == url
