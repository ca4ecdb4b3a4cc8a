"""Where the second origin is, as the reader of a request reaches it."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from webvigil.web.api.answers import PROBLEMS, file_answer, in_pieces
from webvigil.web.origin import shown_origin


def asked(url: str, **state: Any) -> Any:
    scheme, _, host = url.partition("://")
    return SimpleNamespace(
        app=SimpleNamespace(state=SimpleNamespace(**state)),
        url=SimpleNamespace(scheme=scheme, hostname=host.partition("/")[0] or None, path="/list"),
        query_params={"order": "newest"},
    )


@pytest.mark.parametrize(
    ("url", "state", "origin"),
    [
        ("http://v.test/", {"shown_url": "https://shown.test", "shown_port": 4}, "https://shown.test"),
        ("https://v.test/", {"shown_url": "", "shown_port": 8081}, "https://v.test:8081"),
        ("http://localhost/", {"shown_port": 8081}, "http://127.0.0.1:8081"),
        ("http://127.0.0.1/", {"shown_port": 8081}, "http://localhost:8081"),
        ("http://::1/", {"shown_port": 8081}, "http://[::1]:8081"),
        ("http://v.test/", {}, ""),
        ("http://v.test/", {"shown_port": 0}, ""),
        ("http://v_test/", {"shown_port": 8081}, ""),
        (f"http://{'x' * 253}/", {"shown_port": 1}, f"http://{'x' * 253}:1"),
        (f"http://{'x' * 254}/", {"shown_port": 1}, ""),
        (f"http://{':' * 45}/", {"shown_port": 1}, f"http://[{':' * 45}]:1"),
        (f"http://{':' * 46}/", {"shown_port": 1}, ""),
        ("http:///", {"shown_port": 8081}, ""),
    ],
)
def test_the_second_origin_has_another_name_or_another_port(url: str, state: dict[str, Any], origin: str):
    assert shown_origin(asked(url, **state)) == origin


def test_each_kind_of_trouble_is_described():
    assert {status: one["description"] for status, one in PROBLEMS.items()} == {
        400: "Refused; `detail` says why",
        401: "Not signed in",
        403: "Not allowed for this user or token",
        404: "Not there, or not yours",
        409: "The name is taken",
        422: "Not understood; `detail` says what and where",
        "default": "Any other trouble; `detail` says which",
    }


def test_files_have_the_general_type_beside_their_own_but_texts_do_not():
    assert [*file_answer("text/csv", "text/plain")[200]["content"]] == ["text/csv", "text/plain"]
    assert [*file_answer("text/csv", "image/png")[200]["content"]] == [
        "text/csv",
        "image/png",
        "application/octet-stream",
    ]
    assert [*file_answer()[200]["content"]] == ["application/octet-stream"]


@pytest.mark.parametrize(
    ("number", "skip", "piece", "link"),
    [
        (5, 0, [0, 1, 2], '</list?order=newest&skip=3>; rel="next"'),
        (3, 0, [0, 1, 2], None),
        (4, 1, [1, 2, 3], None),
        (5, 1, [1, 2, 3], '</list?order=newest&skip=4>; rel="next"'),
        (2, 2, [], None),
    ],
)
def test_a_piece_leads_to_the_next_one_if_there_is_one(
    number: int, skip: int, piece: list[int], link: str | None
):
    response: Any = SimpleNamespace(headers={})
    assert in_pieces(asked("http://v.test/"), response, range(number), skip, 3) == range(*_ends(piece))
    assert response.headers.get("link") == link


def _ends(piece: list[int]) -> tuple[int, int]:
    return (piece[0], piece[-1] + 1) if piece else (2, 2)
