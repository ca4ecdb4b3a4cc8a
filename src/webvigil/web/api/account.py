"""API routes for the caller's own account: time zone, scores, password, tokens."""

from __future__ import annotations

import math
from dataclasses import asdict
from typing import Annotated
from zoneinfo import available_timezones

from fastapi import APIRouter, Path, Request, Response
from pydantic import BaseModel, ConfigDict, Field

from webvigil.app.people.passwords import LONGEST, is_right, set_password
from webvigil.app.people.sign_in import new_api_token, sign_out_elsewhere
from webvigil.errors import SettingRefused
from webvigil.model.shapes import CallerShape, NewTokenShape, ScoresShape, TokenShape, UserShape
from webvigil.model.user import Scope, Token, User
from webvigil.trigger.scores import Taste, new_taste, taste
from webvigil.web.access import Caller, NotAllowed, Reader, Writer, knowledge_of
from webvigil.web.api.answers import MOST, Limit, Skip, in_pieces

router = APIRouter(tags=["account"])
TokenId = Annotated[str, Path(max_length=40)]


class NewZone(BaseModel):
    model_config = ConfigDict(extra="forbid")
    zone: str = Field(max_length=60, examples=["Europe/Vienna"])


class NewPassword(BaseModel):
    """The old and the new password. `old` may be left out if the user has no password yet."""

    model_config = ConfigDict(extra="forbid")
    old: str = Field("", max_length=LONGEST)
    new: str = Field(max_length=LONGEST, examples=["four words make it"])


class NewScores(BaseModel):
    """Weights of kinds of change, and words of interest. They replace all that was set before."""

    model_config = ConfigDict(extra="forbid")
    weights: dict[str, int] = Field(default_factory=dict, max_length=100, examples=[{"link": 512}])
    interests: list[Annotated[str, Field(max_length=200)]] = Field(
        default_factory=list, max_length=1_000, examples=[["merger", "interest rate"]]
    )


class NewToken(BaseModel):
    model_config = ConfigDict(extra="forbid")
    name: str = Field(max_length=200, examples=["my script"])
    scope: Scope = "read"


@router.get("/me", summary="Who am I?")
def me(caller: Reader) -> CallerShape:
    return {**user_as_json(caller.user), "scope": caller.scope}


@router.patch("/me", summary="Change my time zone")
def change_me(request: Request, caller: Writer, body: NewZone) -> UserShape:
    if body.zone not in available_timezones():
        raise SettingRefused(f"{body.zone!r} is no time zone; one is Europe/Vienna")
    return user_as_json(knowledge_of(request).users.change(caller.name, zone=body.zone))


@router.put("/me/password", status_code=204, summary="Set my password; all other sessions end")
def change_password(request: Request, caller: Writer, body: NewPassword) -> None:
    own_session(caller)
    knowledge, guesses, key = knowledge_of(request), request.app.state.guesses, f"name {caller.name}"
    if knowledge.users.password(caller.name):
        wait = math.ceil(guesses.wait(key))
        if wait:
            raise NotAllowed(f"too many attempts; try again in {wait} s")
        if not is_right(knowledge.users, caller.name, body.old):
            guesses.was_wrong(key)
            raise NotAllowed("the old password is not right")
    set_password(knowledge.users, caller.name, body.new)
    # Somebody who knew the old password may be signed in elsewhere, so all other sessions end.
    request.state.new_session = sign_out_elsewhere(knowledge, caller.name)


@router.get("/me/scores", summary="What weighs more to me: weights and words of interest")
def scores(caller: Reader) -> ScoresShape:
    return _scores_as_json(taste(caller.user.taste))


@router.put("/me/scores", summary="Set what weighs more to me; {} for what holds for everybody")
def change_scores(request: Request, caller: Writer, body: NewScores) -> ScoresShape:
    wanted = new_taste(body.weights.items(), body.interests)
    knowledge_of(request).users.prefer(caller.name, wanted.as_text())
    return _scores_as_json(wanted)


def _scores_as_json(wanted: Taste) -> ScoresShape:
    return {"weights": asdict(wanted.weights), "interests": list(wanted.interests)}


@router.get("/me/tokens", summary="My API tokens, newest first")
def tokens(
    request: Request, response: Response, caller: Reader, skip: Skip = 0, limit: Limit = MOST
) -> list[TokenShape]:
    every = knowledge_of(request).users.tokens(caller.name, purpose="api")
    return [token_as_json(one) for one in in_pieces(request, response, every, skip, limit)]


@router.post("/me/tokens", status_code=201, summary="Make an API token; its secret is shown this once")
def add_token(request: Request, caller: Writer, body: NewToken) -> NewTokenShape:
    own_session(caller)
    secret = new_api_token(knowledge_of(request), caller.user, body.name, body.scope)
    return {"name": body.name, "scope": body.scope, "token": secret}


@router.delete("/me/tokens/{token}", status_code=204, summary="End an API token")
def end_token(request: Request, caller: Writer, token: TokenId) -> None:
    knowledge_of(request).users.drop_token(caller.name, token, purpose="api")


def own_session(caller: Caller) -> None:
    """Raises NotAllowed for a caller with an API token. Whoever finds a token could otherwise make more
    tokens, or change the password and lock its owner out."""
    if not caller.by_session:
        raise NotAllowed("this needs a sign-in with a browser; a token is not enough")


def user_as_json(user: User) -> UserShape:
    created = user.created_at.isoformat()
    return {"name": user.name, "role": user.role, "zone": user.zone, "created_at": created}


def token_as_json(token: Token) -> TokenShape:
    return {
        "id": token.id,
        "name": token.name,
        "scope": token.scope,
        "created_at": token.created_at.isoformat(),
        "used_at": token.used_at.isoformat() if token.used_at else None,
    }
