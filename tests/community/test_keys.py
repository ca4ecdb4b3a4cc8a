"""The identity of a server: what it signs is believed, and each key has one spelling and one fingerprint."""

from __future__ import annotations

import pytest

from webvigil.community.keys import (
    Identity,
    decoded,
    encoded,
    fingerprint,
    is_key,
    is_signed,
    same_fingerprint,
)

OURS, THEIRS = Identity(b"our secret"), Identity(b"their secret")


def test_a_secret_makes_the_same_keys_on_every_machine():
    assert len(OURS.key) == 43
    assert Identity(b"our secret").key == OURS.key != THEIRS.key
    assert Identity(b"our secret").archive_key.private_numbers() == OURS.archive_key.private_numbers()
    assert OURS.archive_key.curve.name == "secp384r1"


def test_keys_stay_those_that_other_servers_know():
    """Peers and evidence of years ago are recognised by them."""
    assert OURS.key == "kDJtgnV7QD9kQDOj5HE97hjIB7ccO0tj6k62KXG3khI"
    number = (
        "9e88885c56394e4b33c414e9f02d91c225b4ba371052b36d4516b0de8f04e3ab55490f7e22d953f77ffc791c7c605b87"
    )
    assert f"{OURS.archive_key.private_numbers().private_value:x}" == number


def test_what_is_signed_is_believed_and_nothing_else():
    signature = OURS.sign(b"hello")
    assert len(signature) == 86
    assert is_signed(b"hello", signature, OURS.key)
    assert not is_signed(b"hello!", signature, OURS.key)
    assert not is_signed(b"hello", signature, THEIRS.key)
    assert not is_signed(b"hello", "x", OURS.key)
    assert not is_signed(b"hello", signature, "x")


def test_a_fingerprint_is_eight_groups_of_four_and_case_and_groups_do_not_matter():
    found = fingerprint(OURS.key)
    assert found == OURS.fingerprint
    assert [len(group) for group in found.split("-")] == [4] * 8
    assert same_fingerprint(found, found.upper().replace("-", " "))
    assert not same_fingerprint(found, THEIRS.fingerprint)


@pytest.mark.parametrize(("length", "fits"), [(31, False), (32, True), (33, False)])
def test_a_key_has_thirty_two_bytes(length: int, fits: bool):
    assert is_key(encoded(b"x" * length)) is fits


@pytest.mark.parametrize("text", ["!", "a", "YQ==", "YR", "Y Q", "YQ\n"])
def test_only_one_spelling_is_read(text: str):
    with pytest.raises(ValueError, match=r"."):
        decoded(text)
    assert not is_key(text)


@pytest.mark.parametrize("content", [b"", b"a", b"ab", b"abc", b"\xff\xfe\xfd"])
def test_what_is_encoded_is_decoded(content: bytes):
    assert decoded(encoded(content)) == content
    assert not set("+/=") & set(encoded(content))
