"""Routes of the API that call what they depend on themselves, in one go."""

from __future__ import annotations

import threading
from inspect import signature
from pathlib import Path
from typing import Annotated, Any

import pytest
from fastapi import Depends, FastAPI, Query
from fastapi.testclient import TestClient

from tests.web.doors import program_of, stranger
from webvigil.app.settings import read_settings
from webvigil.store.memory import MemoryKnowledge
from webvigil.web.access import reader
from webvigil.web.api.route import Told
from webvigil.web.api.together import together
from webvigil.web.application import create_application

CALLS: list[tuple[str, int]] = []


def who(name: str = "nobody") -> str:
    CALLS.append(("who", threading.get_ident()))
    return name


def whose(caller: Annotated[str, Depends(who)], other: Annotated[str, Query(max_length=3)] = "") -> str:
    CALLS.append(("whose", threading.get_ident()))
    return other or caller


def answer(
    mine: Annotated[str, Depends(who)], theirs: Annotated[str, Depends(whose)], many: int = 1
) -> dict[str, Any]:
    """What it says."""
    CALLS.append(("answer", threading.get_ident()))
    return {"mine": mine, "theirs": theirs, "many": many}


def below(name: int) -> int:
    return name


def torn(one: Annotated[int, Depends(below)], name: str) -> str:
    return name * one


@pytest.fixture
def knowledge() -> MemoryKnowledge:
    known = MemoryKnowledge(delay=0)
    known.users.add("jill")
    return known


@pytest.fixture
def application(knowledge: MemoryKnowledge, tmp_path: Path) -> FastAPI:
    return create_application(knowledge, read_settings({"data": str(tmp_path)}, environment={}))


def test_all_is_called_once_in_one_thread_and_takes_what_each_wants():
    CALLS.clear()
    made = together(answer)
    assert list(signature(made).parameters) == ["many", "name", "other"]
    assert (made.__name__, made.__doc__) == ("answer", "What it says.")
    application = FastAPI()
    application.router.add_api_route("/", made, methods=["GET"])
    client = TestClient(application)
    assert client.get("/?name=jill&many=3").json() == {"mine": "jill", "theirs": "jill", "many": 3}
    assert [name for name, _ in CALLS] == ["who", "whose", "answer"]
    assert len({thread for _, thread in CALLS}) == 1
    assert client.get("/?name=jill&other=ann").json()["theirs"] == "ann"
    assert client.get("/?other=long").status_code == 422


def test_one_name_for_two_things_is_not_taken():
    with pytest.raises(AssertionError, match="two things are called name"):
        together(torn)


def test_what_is_wrong_with_a_question_is_told_only_to_who_may_ask(
    application: FastAPI, knowledge: MemoryKnowledge
):
    wrong = "/api/v1/sentinels?limit=none"
    assert stranger(application).get(wrong).status_code == 401
    ended = TestClient(application, headers={"authorization": "Bearer wv_no"})
    assert ended.get(wrong).status_code == 401
    assert program_of(application, knowledge, "jill", "read").get(wrong).status_code == 422


def test_the_rules_of_a_route_are_known():
    route = Told("/x", lambda **_: None, methods=["GET"])
    assert route.endpoint.rules == ()
    assert reader in together(_asked).rules  # type: ignore[attr-defined]


def _asked(caller: Annotated[Any, Depends(reader)]) -> str:
    return str(caller.name)
