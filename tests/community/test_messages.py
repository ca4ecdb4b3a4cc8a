"""Only messages that are signed, for us and recent are believed (B5)."""

from __future__ import annotations

import hashlib
import json
import stat
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from webvigil.community.keys import (
    Identity,
    decoded,
    encoded,
    fingerprint,
    identity_from,
    is_key,
    is_signed,
    same_fingerprint,
)
from webvigil.community.messages import REFUSALS, SKEW, opened, written
from webvigil.community.receiving import Kind, Receiver, Reply
from webvigil.errors import MessageRefused, SettingRefused
from webvigil.model.peer import Peer
from webvigil.store.memory import MemoryKnowledge

NOW = 1_800_000_000_000
HERE, THERE, ELSEWHERE = Identity(b"here"), Identity(b"there"), Identity(b"elsewhere")
CONTENTS = st.dictionaries(
    st.text(max_size=8), st.none() | st.booleans() | st.integers() | st.text(max_size=20), max_size=4
)


def refused(wire: bytes, identity: Identity = HERE, now: int = NOW, largest: int = 10_000) -> str:
    with pytest.raises(MessageRefused) as caught:
        opened(wire, identity, now=now, largest=largest)
    assert str(caught.value) == REFUSALS[caught.value.reason]
    return caught.value.reason


def to_us(body: bytes = b"", **content: object) -> bytes:
    return written(THERE, HERE.key, "page", content, body, sent=NOW)[1]


class TestKeys:
    def test_a_server_keeps_its_key(self, tmp_path: Path):
        first = identity_from("", tmp_path)
        assert identity_from("", tmp_path).key == first.key
        assert stat.S_IMODE((tmp_path / "peer_key").stat().st_mode) == 0o600
        assert identity_from("", tmp_path / "other").key != first.key

    def test_a_setting_gives_the_same_key_on_every_machine(self, tmp_path: Path):
        given = "sixteen letters or more"
        assert identity_from(given, tmp_path / "a").key == identity_from(given, tmp_path / "b").key
        assert not (tmp_path / "a").exists()
        with pytest.raises(SettingRefused, match="peer_key is too short"):
            identity_from("short", tmp_path)

    def test_a_fingerprint_can_be_read_out(self):
        shown = HERE.fingerprint
        assert len(shown.split("-")) == 8
        assert shown == fingerprint(HERE.key) != THERE.fingerprint
        assert same_fingerprint(shown, shown.upper().replace("-", " "))
        assert not same_fingerprint(shown, THERE.fingerprint)
        assert not same_fingerprint(shown, "")

    @given(st.text(max_size=90), st.text(max_size=50), st.binary(max_size=20))
    def test_no_text_is_a_signature_by_chance(self, signature: str, key: str, content: bytes):
        assert not is_signed(content, signature, HERE.key)
        assert not is_signed(content, HERE.sign(content), key)

    @given(st.binary(max_size=40))
    def test_bytes_have_one_spelling(self, content: bytes):
        assert decoded(encoded(content)) == content
        for other in (encoded(content) + "=", " " + encoded(content), encoded(content) + "\n"):
            with pytest.raises(ValueError):
                decoded(other)

    def test_only_a_key_is_a_key(self):
        assert is_key(HERE.key)
        assert not any(is_key(text) for text in ("", "x" * 43, HERE.key[:-1], HERE.key + "A", "é" * 43))


class TestOpening:
    @given(CONTENTS, st.binary(max_size=200), st.sampled_from(["", "a" * 32]))
    def test_what_was_written_is_read(self, content: dict[str, object], body: bytes, answers: str):
        id_, wire = written(THERE, HERE.key, "page", content, body, sent=NOW, answers=answers)
        message = opened(wire, HERE, now=NOW, largest=10_000)
        assert (message.sender, message.receiver, message.kind) == (THERE.key, HERE.key, "page")
        assert (message.id, message.sent, message.answers) == (id_, NOW, answers)
        assert (message.content, message.body) == (content, body)

    @given(st.data())
    @settings(max_examples=300)
    def test_any_altered_byte_is_refused(self, data: st.DataObject):
        wire = to_us(b"a body", number=1)
        place = data.draw(st.integers(0, len(wire) - 1))
        other = data.draw(st.integers(0, 255).filter(lambda one: one != wire[place]))
        assert refused(wire[:place] + bytes([other]) + wire[place + 1 :]) in ("form", "signature")

    @given(st.data())
    def test_what_is_cut_off_or_added_to_is_refused(self, data: st.DataObject):
        wire = to_us(b"a body")
        assert refused(wire[: data.draw(st.integers(0, len(wire) - 1))]) in ("form", "signature")
        assert refused(wire + data.draw(st.binary(min_size=1, max_size=9))) == "signature"

    def test_a_head_without_an_end_is_no_message(self):
        wire = to_us()
        assert refused(wire[: wire.index(b"\n")]) == "form"

    @given(st.binary(max_size=400))
    def test_no_bytes_break_it(self, wire: bytes):
        assert refused(wire) == "form"

    def test_a_message_is_for_one_server(self):
        assert refused(to_us(), ELSEWHERE) == "receiver"

    @pytest.mark.parametrize(("late", "refusal"), [(SKEW, ""), (SKEW + 1, "time"), (-SKEW - 1, "time")])
    def test_a_message_is_of_now(self, late: int, refusal: str):
        if refusal:
            assert refused(to_us(), now=NOW + late) == refusal
        else:
            assert opened(to_us(), HERE, now=NOW + late, largest=10_000)

    def test_more_than_we_take_is_not_looked_at(self):
        assert refused(to_us(b"x" * 20_000)) == "size"

    @pytest.mark.parametrize(
        "head",
        [
            b"[]",
            b"{}",
            b'"x"',
            b"[" * 30_000,
            b'{"to":1}',
            b"\xff",
            b"NaN",
            json.dumps(
                {
                    "to": HERE.key,
                    "kind": "k",
                    "id": "1" * 32,
                    "sent": True,
                    "content": {},
                    "answers": "",
                    "digest": "",
                }
            ).encode(),
            json.dumps(
                {
                    "to": HERE.key,
                    "kind": "k" * 99,
                    "id": "1" * 32,
                    "sent": NOW,
                    "content": {},
                    "answers": "",
                    "digest": "",
                }
            ).encode(),
            *(
                json.dumps(
                    {
                        "to": HERE.key,
                        "kind": "k",
                        "id": half * 32 or "1" * 32,
                        "sent": NOW,
                        "content": {"page": "\ud800"},
                        "answers": "",
                        "digest": hashlib.sha256().hexdigest(),
                    }
                ).encode()
                for half in ("", "\ud800")
            ),
        ],
    )
    def test_who_can_sign_must_still_keep_to_the_form(self, head: bytes):
        signature = THERE.sign(b"\0".join((b"webvigil/1", THERE.key.encode(), head)))
        wire = b" ".join((b"webvigil/1", THERE.key.encode(), signature.encode(), head)) + b"\n"
        assert refused(wire, largest=100_000) == "form"

    def test_another_version_is_not_guessed_at(self):
        assert refused(to_us().replace(b"webvigil/1", b"webvigil/2", 1)) == "form"


class TestReceiving:
    @pytest.fixture
    def knowledge(self) -> MemoryKnowledge:
        made = MemoryKnowledge(clock=lambda: NOW)
        made.peers.put(Peer(key=THERE.key, url="http://there.test", state="known"))
        return made

    @pytest.fixture
    def receiver(self, knowledge: MemoryKnowledge) -> Receiver:
        kinds = {
            "page": Kind(lambda peer, message: Reply({"url": peer.url, **message.content}, message.body)),
            "hello": Kind(lambda peer, message: Reply({"state": peer.state}), strangers=True),
        }
        return Receiver(HERE, knowledge.peers, kinds, now=lambda: NOW)

    def refused(self, receiver: Receiver, wire: bytes) -> str:
        with pytest.raises(MessageRefused) as caught:
            receiver.received(wire)
        return caught.value.reason

    def test_a_peer_is_answered_signed_and_to_its_message(self, receiver: Receiver):
        id_, wire = written(THERE, HERE.key, "page", {"a": 1}, b"body", sent=NOW)
        answer = opened(receiver.received(wire), THERE, now=NOW, largest=10_000)
        assert (answer.sender, answer.answers, answer.kind) == (HERE.key, id_, "page")
        assert (answer.content, answer.body) == ({"url": "http://there.test", "a": 1}, b"body")

    def test_a_message_is_heard_once(self, receiver: Receiver, knowledge: MemoryKnowledge):
        wire = to_us()
        receiver.received(wire)
        assert self.refused(receiver, wire) == "repeat"
        found = knowledge.peers.get(THERE.key)
        assert found
        assert found.figures.refused == 1

    def test_a_stranger_may_only_say_hello(self, receiver: Receiver):
        for kind, expected in (("page", "sender"), ("nothing", "sender")):
            wire = written(ELSEWHERE, HERE.key, kind, sent=NOW)[1]
            assert self.refused(receiver, wire) == expected
        assert receiver.received(written(ELSEWHERE, HERE.key, "hello", sent=NOW)[1])

    def test_who_is_distrusted_is_not_heard(self, receiver: Receiver, knowledge: MemoryKnowledge):
        for state in ("distrusted", "invited", "asking"):
            known = knowledge.peers.get(THERE.key)
            assert known
            knowledge.peers.put(replace(known, state=state))
            assert self.refused(receiver, to_us()) == "sender"
        knowledge.peers.put(Peer(key=THERE.key, url="", state="distrusted"))
        assert self.refused(receiver, written(THERE, HERE.key, "hello", sent=NOW)[1]) == "sender"

    def test_an_answer_is_no_question_and_an_unknown_kind_is_none(self, receiver: Receiver):
        answer = written(THERE, HERE.key, "page", sent=NOW, answers="a" * 32)[1]
        assert self.refused(receiver, answer) == "kind"
        assert self.refused(receiver, written(THERE, HERE.key, "nothing", sent=NOW)[1]) == "kind"


@pytest.mark.parametrize(("length", "fits"), [(40, True), (41, False)])
def test_the_kind_of_a_message_has_at_most_forty_characters(length: int, fits: bool):
    id_, wire = written(THERE, HERE.key, "k" * length, sent=NOW)
    assert len(id_) == 32
    if fits:
        assert opened(wire, HERE, now=NOW, largest=10_000).kind == "k" * length
    else:
        assert refused(wire) == "form"
