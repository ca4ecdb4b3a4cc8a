"""API routes for administrators about users: list, add, change, remove and sign out users."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response
from pydantic import BaseModel, ConfigDict, Field

from webvigil.app.people.accounts import add_user, change_role, remove_user
from webvigil.app.people.sign_in import new_link, sign_out_everywhere
from webvigil.model.shapes import LinkShape, UserShape
from webvigil.model.user import Role
from webvigil.web.access import Admin, home_of_request, knowledge_of
from webvigil.web.api.account import own_session, user_as_json
from webvigil.web.api.answers import MOST, Limit, Name, Skip, in_pieces

router = APIRouter(tags=["users"])


class NewUser(BaseModel):
    model_config = ConfigDict(extra="forbid")
    name: str = Field(max_length=200, examples=["jill"])
    role: Role = "user"


class NewRole(BaseModel):
    model_config = ConfigDict(extra="forbid")
    role: Role


@router.get("/users", summary="All users")
def users(
    request: Request, response: Response, _: Admin, skip: Skip = 0, limit: Limit = MOST
) -> list[UserShape]:
    every = knowledge_of(request).users.all()
    return [user_as_json(one) for one in in_pieces(request, response, every, skip, limit)]


@router.post("/users", status_code=201, summary="Add a user")
def add(request: Request, _: Admin, body: NewUser) -> UserShape:
    return user_as_json(add_user(knowledge_of(request).users, body.name, body.role))


@router.get("/users/{name}", summary="One user")
def user(request: Request, _: Admin, name: Name) -> UserShape:
    return user_as_json(knowledge_of(request).users.get(name))


@router.patch("/users/{name}", summary="Change a user's role")
def change(request: Request, _: Admin, name: Name, body: NewRole) -> UserShape:
    return user_as_json(change_role(knowledge_of(request).users, name, body.role))


@router.delete("/users/{name}", status_code=204, summary="Remove a user with all their sentinels")
def remove(request: Request, _: Admin, name: Name) -> None:
    remove_user(knowledge_of(request), name)


@router.post("/users/{name}/link", status_code=201, summary="A sign-in link for a user, good for a day")
def link(request: Request, caller: Admin, name: Name) -> LinkShape:
    own_session(caller)
    knowledge = knowledge_of(request)
    return {"link": new_link(knowledge, knowledge.users.get(name).name, home_of_request(request))}


@router.post("/users/{name}/sign-out", status_code=204, summary="End all sessions of a user")
def sign_out(request: Request, _: Admin, name: Name) -> None:
    knowledge = knowledge_of(request)
    sign_out_everywhere(knowledge.users, knowledge.users.get(name).name)
