"""Reads exports of changedetection.io: a backup (ZIP), `url-watches.json`, `watch.json`, its API's list."""

from __future__ import annotations

import io
import json
import re
import zipfile
import zlib
from typing import Any

from webvigil.app.moving.formats.found import (
    Found,
    every,
    name_from,
    page_of,
    part,
    texts,
    title_from,
    topic_from,
)
from webvigil.errors import SettingRefused
from webvigil.language import parse_expression
from webvigil.language.texts import EXPRESSION, with_flags
from webvigil.model.sentinel import (
    AnyCondition,
    ChangeExpression,
    Condition,
    FetchWhen,
    Part,
    Sentinel,
    WhenCondition,
)

# Limits against ZIP bombs: bytes of one unpacked member, and members of an archive.
_LARGEST_MEMBER = 50_000_000
_MOST_MEMBERS = 50_000
_LISTS = ("url-watches.json", "changedetection.json")
_MEMBER = re.compile(r"(?P<id>[0-9a-f-]{8,40})/(?P<kind>watch|tag)\.json")
_SECONDS = {"weeks": 604_800, "days": 86_400, "hours": 3_600, "minutes": 60, "seconds": 1}
_LEFT_BEHIND = {
    "browser_steps": "browser steps",
    "webdriver_js_execute_code": "script run in the page",
    "notification_urls": "notification addresses",
    "text_should_not_be_present": "blocking text",
    "extract_text": "text extraction",
    "headers": "request headers: add them with 'webvigil login'",
    "body": "request body",
    "conditions": "conditions",
    "proxy": "proxy",
}


def is_mine(data: bytes) -> bool:
    if data[:4] == b"PK\x03\x04":
        return True
    return data.lstrip()[:1] == b"{" and (
        b'"watching"' in data or (b'"url"' in data and (b'"last_c' in data or b'"uuid"' in data))
    )


def read(data: bytes) -> list[Found]:
    documents = _from_zip(data) if data[:4] == b"PK\x03\x04" else [_json(data)]
    tags = {key: title for document in documents for key, title in _tags(document).items()}
    return [_found(watch, tags) for document in documents for watch in _watches(document)]


def _from_zip(data: bytes) -> list[Any]:
    """Reads the wanted JSON members of the archive in memory. Nothing is unpacked to disk, and `_member`
    refuses a member above the size limit."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            wanted = [
                info
                for info in archive.infolist()[:_MOST_MEMBERS]
                if info.filename in _LISTS or _MEMBER.fullmatch(info.filename)
            ]
            return [_document(info.filename, _json(_member(archive, info))) for info in wanted]
    except (zipfile.BadZipFile, zlib.error, NotImplementedError, EOFError, RuntimeError) as error:
        raise SettingRefused(f"this zip file cannot be read ({error})") from error


def _document(name: str, content: Any) -> Any:
    """Wraps a tag that has its own file as if it stood in the settings, so that `_tags` finds both kinds
    alike."""
    member = _MEMBER.fullmatch(name)
    if member is None or member["kind"] != "tag":
        return content
    return {"settings": {"application": {"tags": {member["id"]: content}}}}


def _member(archive: zipfile.ZipFile, info: zipfile.ZipInfo) -> bytes:
    with archive.open(info) as stream:
        content = stream.read(_LARGEST_MEMBER + 1)
    if len(content) > _LARGEST_MEMBER:
        raise SettingRefused(f"{info.filename} in this zip file is too large")
    return content


def _json(data: bytes) -> Any:
    try:
        return json.loads(data)
    except (ValueError, RecursionError) as error:
        raise SettingRefused("this is no JSON that can be read") from error


def _tags(document: Any) -> dict[str, str]:
    try:
        known = document["settings"]["application"]["tags"]
        return {key: str(one["title"]) for key, one in known.items()}
    except (KeyError, TypeError, AttributeError):
        return {}


def _watches(document: Any) -> list[dict[str, Any]]:
    """Returns the watches in a document, whichever of the four exports it comes from."""
    if not isinstance(document, dict):
        return []
    watching = document.get("watching")
    if isinstance(watching, dict):
        return [one for one in watching.values() if isinstance(one, dict)]
    if "url" in document:
        return [document]
    return [one for one in document.values() if isinstance(one, dict) and "url" in one]


def _found(watch: dict[str, Any], tags: dict[str, str]) -> Found:
    """Turns a watch into a sentinel. Parts of a watch that have no counterpart become remarks."""
    title = watch.get("title") or watch.get("page_title")
    source = str(title or watch.get("url"))[:200]
    try:
        page = page_of(watch.get("url"))
    except ValueError as error:
        return Found(source=source, trouble=str(error))
    remarks = [f"not taken along: {words}" for key, words in _LEFT_BEHIND.items() if watch.get(key)]
    monitor, within = _filters(texts(watch.get("include_filters") or watch.get("css_filter")))
    sentinel = Sentinel(
        name=name_from(title, page.url),
        target=page,
        title=title_from(title),
        monitor=monitor,
        within=within,
        ignore=tuple(_ignored(watch)),
        when=_trigger(texts(watch.get("trigger_text"))),
        fetch=_fetch(watch),
        render="browser" if "webdriver" in str(watch.get("fetch_backend")) else None,
        topic=topic_from(_topics(watch, tags)),
    )
    return Found(source=source, sentinel=sentinel, enabled=not watch.get("paused"), remarks=tuple(remarks))


def _filters(found: list[str]) -> tuple[ChangeExpression | None, tuple[Part, ...]]:
    """Turns filters into a change expression for a JSON path, or into the parts of the page that are
    watched."""
    paths = [one.removeprefix("json:").strip() for one in found if one.startswith("json:")]
    within = tuple(part(one) for one in found if not one.startswith(("json:", "jq:", "jqraw:")))
    if not paths:
        return None, within
    quoted = paths[0].replace("\\", "\\\\").replace('"', '\\"')
    return parse_expression(f'value json "{quoted}"'), ()


def _ignored(watch: dict[str, Any]) -> list[Part]:
    parts = [part(one) for one in texts(watch.get("subtractive_selectors"))]
    for one in texts(watch.get("ignore_text")):
        pattern = EXPRESSION.fullmatch(one)
        parts.append(Part("regex", with_flags(*pattern.groups()) if pattern else re.escape(one)))
    return parts


def _trigger(found: list[str]) -> WhenCondition | None:
    wanted = [_appearance(one) for one in found]
    if not wanted:
        return None
    return wanted[0] if len(wanted) == 1 else AnyCondition(tuple(wanted))


def _appearance(text: str) -> Condition:
    pattern = EXPRESSION.fullmatch(text)
    if pattern is None:
        return Condition("appears", text=text)
    return Condition("appears", "matches", text=with_flags(*pattern.groups()))


def _fetch(watch: dict[str, Any]) -> FetchWhen:
    between = watch.get("time_between_check")
    if watch.get("time_between_check_use_default") or not isinstance(between, dict):
        return every(0)
    numbers = ((between.get(unit), seconds) for unit, seconds in _SECONDS.items())
    return every(sum(n * seconds for n, seconds in numbers if isinstance(n, int | float) and 0 < n < 1e6))


def _topics(watch: dict[str, Any], tags: dict[str, str]) -> list[str]:
    listed = watch.get("tags") if isinstance(watch.get("tags"), list) else []
    named = [tags.get(str(one), "") for one in listed or []]
    return [*named, *str(watch.get("tag") or "").split(",")]
