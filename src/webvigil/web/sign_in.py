"""Who is asking: the user whose session the request's cookie names."""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends, Request

from webvigil.app.sign_in import user_of_session
from webvigil.model.user import User

COOKIE = "webvigil_session"


class NotSignedIn(Exception):
    pass


def signed_in(request: Request) -> User:
    secret = request.cookies.get(COOKIE)
    user = user_of_session(request.app.state.knowledge, secret) if secret else None
    if user is None:
        raise NotSignedIn
    return user


SignedIn = Annotated[User, Depends(signed_in)]
