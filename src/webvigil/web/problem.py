"""An error in, its HTTP status and its answer as application/problem+json out.

The answer holds one sentence that says what to do.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping
from typing import Any

from fastapi.responses import JSONResponse

from webvigil.errors import (
    HostUnreachable,
    MessageRefused,
    MistakeInText,
    NameTaken,
    NotFound,
    ObjectLost,
    PageError,
    PeerUnreachable,
    StoreError,
    WebVigilError,
)

_log = logging.getLogger("webvigil.web")
MEDIA_TYPE = "application/problem+json"
_TITLES = {
    400: "Refused",
    401: "Not signed in",
    403: "Not allowed",
    404: "Not found",
    405: "Not possible here",
    409: "Name taken",
    410: "Lost",
    413: "Too large",
    422: "Not understood",
    429: "Too often",
    502: "It did not come",
    503: "Busy",
}


def problem(status: int, detail: str, **more: Any) -> JSONResponse:
    title = _TITLES.get(status, "Trouble")
    content = {"type": "about:blank", "title": title, "status": status, "detail": detail, **more}
    return JSONResponse(content, status_code=status, media_type=MEDIA_TYPE)


def status_of(error: WebVigilError) -> int:
    if isinstance(error, NotFound):
        return 404
    if isinstance(error, ObjectLost):
        return 410
    if isinstance(error, NameTaken):
        return 409
    if isinstance(error, MistakeInText):
        return 422
    if isinstance(error, PageError):
        return 502 if error.transient or isinstance(error, HostUnreachable) else 422
    if isinstance(error, PeerUnreachable | MessageRefused):
        return 502
    return 503 if error.transient else 400


def told_of(error: Exception) -> str:
    """Returns the message of an error for users. An error of the store is logged in full and shown in general
    words, because its message may name the database and paths of the server."""
    if not isinstance(error, StoreError) or not error.told:
        return str(error)
    _log.error("Failed at a request: %s (The user was told: %s)", error, error.told)
    return error.told


def about(error: WebVigilError) -> dict[str, Any]:
    """Returns further fields of the JSON answer: for a mistake in a text its place, word and suggestion."""
    if isinstance(error, MistakeInText):
        return {
            "line": error.line,
            "column": error.column,
            "word": error.word,
            "suggestion": error.suggestion,
        }
    return {}


# Our words for the kinds of mistakes that the validation of requests reports. Other kinds keep its own
# message.
_MISTAKES = {
    "missing": "is missing",
    "string_too_long": "is longer than {max_length} characters",
    "too_long": "has more than {max_length} entries",
    "int_parsing": "is not a whole number",
    "int_type": "is not a whole number",
    "bool_parsing": "is neither true nor false",
    "greater_than_equal": "is less than {ge}",
    "less_than_equal": "is more than {le}",
    "less_than": "is {lt} or more",
    "literal_error": "is none of {expected}",
    "enum": "is none of {expected}",
    "extra_forbidden": "is not known here",
    "json_invalid": "is not JSON",
    "datetime_parsing": "is not a time such as 2026-12-31T08:00:00Z",
    "datetime_from_date_parsing": "is not a time such as 2026-12-31T08:00:00Z",
}


def misunderstood(mistake: Mapping[str, Any]) -> str:
    """Returns one mistake of a request as a sentence that names the field and says what is wrong with it."""
    inside = [str(one) for one in mistake["loc"] if one not in ("body", "query") and not isinstance(one, int)]
    place = ".".join(inside) or "what was sent"
    words = _MISTAKES.get(str(mistake["type"]), "")
    return f"{place} {words.format_map(mistake.get('ctx') or {})}" if words else f"{place}: {mistake['msg']}"
