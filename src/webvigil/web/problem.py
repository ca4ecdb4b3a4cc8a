"""Trouble as programs read it: application/problem+json, one sentence that says what to do."""

from __future__ import annotations

from typing import Any

from fastapi.responses import JSONResponse

from webvigil.errors import (
    HostUnreachable,
    MistakeInText,
    NameTaken,
    NotFound,
    PageError,
    WebVigilError,
)

MEDIA_TYPE = "application/problem+json"
_TITLES = {
    400: "Refused",
    401: "Not signed in",
    403: "Not allowed",
    404: "Not found",
    405: "Not possible here",
    409: "Name taken",
    413: "Too large",
    422: "Not understood",
    429: "Too often",
    502: "The page did not come",
    503: "Busy",
}


def problem(status: int, detail: str, **more: Any) -> JSONResponse:
    title = _TITLES.get(status, "Trouble")
    content = {"type": "about:blank", "title": title, "status": status, "detail": detail, **more}
    return JSONResponse(content, status_code=status, media_type=MEDIA_TYPE)


def status_of(error: WebVigilError) -> int:
    if isinstance(error, NotFound):
        return 404
    if isinstance(error, NameTaken):
        return 409
    if isinstance(error, MistakeInText):
        return 422
    if isinstance(error, PageError):
        return 502 if error.transient or isinstance(error, HostUnreachable) else 422
    return 503 if error.transient else 400


def about(error: WebVigilError) -> dict[str, Any]:
    """What a program may want to know besides the sentence."""
    if isinstance(error, MistakeInText):
        return {
            "line": error.line,
            "column": error.column,
            "word": error.word,
            "suggestion": error.suggestion,
        }
    return {}
