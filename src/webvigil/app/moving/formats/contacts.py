"""Notification addresses of other programs in, contacts out. Those with secrets become sealed services."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

from webvigil.app.moving.formats.said import REMARK, SERVICE, Said
from webvigil.language.texts import quoted

_MAIL = ("mailto", "mailtos")
_MAILED = "the mail goes through the mail server of WebVigil, after the address is confirmed"
_HOOKED = "the webhook is sent the fields that WebVigil documents"
_NO_ADDRESS = "not taken along; its address cannot be read"
_HOOKS = {"json": "http", "jsons": "https"}
# Addresses that the other programs make themselves; Apprise knows none of them.
_OWN = ("get", "gets", "post", "posts", "put", "puts", "delete", "deletes", "form", "forms", "xml", "xmls")


def contact(address: str, key: str = "") -> Iterator[Said]:
    """Yields the contact that an address in Apprise's notation becomes."""
    try:
        yield from list(_contact(address.strip(), key))
    except ValueError:
        yield Said(REMARK, _NO_ADDRESS, key)


def _contact(address: str, key: str) -> Iterator[Said]:
    parts = urlsplit(address)
    scheme = parts.scheme.lower()
    if scheme in _MAIL:
        yield from _mail(address, key)
    elif scheme in _HOOKS:
        place = parts.netloc.rpartition("@")[2]
        yield Said("notify", f"webhook {_HOOKS[scheme]}://{place}{parts.path}", key)
        yield Said(REMARK, _HOOKED, key)
    elif scheme in _OWN or not scheme:
        yield Said(
            REMARK, f"not taken along; it sends to an address of the form {scheme or 'unknown'}://", key
        )
    else:
        yield from service(scheme, address, key)


def service(name: str, url: str, key: str = "") -> Iterator[Said]:
    """Yields a service under a name that tells two of the same kind apart."""
    called = f"{name}-{hashlib.blake2b(url.encode(), digest_size=3).hexdigest()}"
    yield Said(SERVICE, f"{called} {url}", key)
    yield Said("notify", f"apprise {quoted(called)}", key)


def _mail(address: str, key: str) -> Iterator[Said]:
    parts = urlsplit(address)
    wanted = [one for text in parse_qs(parts.query).get("to", []) for one in text.split(",")]
    user = unquote(parts.username or "")
    wanted = wanted or [unquote(one) for one in parts.path.strip("/").split("/") if "@" in unquote(one)]
    wanted = wanted or ([user if "@" in user else f"{user}@{parts.hostname}"] if user else [])
    for one in wanted:
        yield Said("notify", f"email {one.strip()}", key)
    yield Said(REMARK, _MAILED if wanted else "not taken along; it names no address", key)


# --- The reporters of urlwatch and webchanges ----------------------------------------------------


def _web(given: Mapping[str, str], key: str) -> tuple[str, str]:
    """Returns whether an address is encrypted ("s" or ""), and its host and path."""
    parts = urlsplit(given.get(key, ""))
    return "s" if parts.scheme == "https" else "", f"{parts.netloc}{parts.path}".rstrip("/")


def _gotify(given: Mapping[str, str]) -> str:
    sealed, place = _web(given, "server_url")
    return f"gotify{sealed}://{place}/{given.get('token', '')}"


def _ntfy(given: Mapping[str, str]) -> str:
    sealed, place = _web(given, "topic_url")
    token = given.get("authorization", "").removeprefix("Bearer ")
    return f"ntfy{sealed}://{f'{token}@' if token else ''}{place}"


def _mattermost(given: Mapping[str, str]) -> str:
    sealed, place = _web(given, "webhook_url")
    return f"mmost{sealed}://{place.replace('/hooks/', '/', 1)}"


def _matrix(given: Mapping[str, str]) -> str:
    sealed, place = _web(given, "homeserver")
    return f"matrix{sealed}://{given.get('access_token', '')}@{place}/{given.get('room_id', '')}"


# The address of each service in Apprise's notation, made of the options of the reporter.
SERVICES: dict[str, Callable[[Mapping[str, str]], str]] = {
    "telegram": lambda given: f"tgram://{given.get('bot_token', '')}/{given.get('chat_id', '').strip('[]')}",
    "pushover": lambda given: f"pover://{given.get('user', '')}@{given.get('app', '')}",
    "pushbullet": lambda given: f"pbul://{given.get('api_key', '')}",
    "slack": lambda given: f"slack://{given.get('webhook_url', '').partition('/services/')[2]}",
    "discord": lambda given: f"discord://{given.get('webhook_url', '').partition('/webhooks/')[2]}",
    "ifttt": lambda given: f"ifttt://{given.get('key', '')}@{given.get('event', '')}",
    "prowl": lambda given: f"prowl://{given.get('api_key', '')}",
    "gotify": _gotify,
    "ntfy": _ntfy,
    "mattermost": _mattermost,
    "matrix": _matrix,
}
# Reporters that become no contact, and what they do.
REPORTERS = {
    "text": "says how a report looks",
    "markdown": "says how a report looks",
    "html": "says how a report looks",
    "stdout": "shows changes where it runs; here the dashboard and webvigil changes do",
    "browser": "shows changes where it runs; here the dashboard does",
    "shell": "runs a program of the system, which WebVigil never does",
    "run_command": "runs a program of the system, which WebVigil never does",
    "xmpp": "tells by XMPP; Apprise can, if the operator allows it",
    "github_issue": "writes an issue at GitHub",
    "tz": "is the time zone of reports; here each user has one",
}


def reporter(name: str, about: Mapping[str, Any], key: str) -> Iterator[Said]:
    """Yields the contact of a reporter that is enabled."""
    try:
        yield from list(_reporter(name, about, key))
    except ValueError:
        yield Said(REMARK, _NO_ADDRESS, key)


def _reporter(name: str, about: Mapping[str, Any], key: str) -> Iterator[Said]:
    given = {option: str(value) for option, value in about.items() if value not in (None, "")}
    if name in ("email", "mailgun"):
        for one in given.get("to", "").split(","):
            if "@" in one:
                yield Said("notify", f"email {one.strip()}", key)
        yield Said(REMARK, _MAILED, key)
    elif name in SERVICES:
        yield from service(name, SERVICES[name](given), key)
    elif name == "webhook":
        yield Said("notify", f"webhook {given.get('webhook_url', '')}", key)
        yield Said(REMARK, _HOOKED, key)
    else:
        about_it = REPORTERS.get(name, "tells by a service that is unknown here")
        yield Said(REMARK, f"not taken along; it {about_it}", key)
