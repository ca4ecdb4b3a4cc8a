"""Reads exports of changedetection.io: a backup (ZIP), `url-watches.json`, `watch.json`, its API's list."""

from __future__ import annotations

import io
import json
import re
import zipfile
from collections.abc import Iterator
from fnmatch import fnmatchcase
from typing import Any

from webvigil.app.moving.formats.found import Found, page_of, texts
from webvigil.app.moving.formats.said import (
    OFF,
    REMARK,
    Keys,
    Said,
    found_from,
    is_usual,
    remarks_of,
    reported,
    said_by,
    told,
)
from webvigil.app.moving.formats.settings_keys import APPLICATION, OF_TAG, REQUESTS, SETTINGS, TAG
from webvigil.app.moving.formats.watch_keys import GLOBAL, KEYS, TAGGED, monitored
from webvigil.errors import SettingRefused
from webvigil.store.zips import UNREADABLE_ZIP

# Limits against ZIP bombs: bytes of one unpacked member and of all together, and members of an archive.
_LARGEST_MEMBER = 50_000_000
_LARGEST = 100_000_000
_MOST_MEMBERS = 50_000
_LISTS = ("url-watches.json", "changedetection.json")
_MEMBER = re.compile(r"(?P<id>[0-9a-f-]{8,40})/(?P<kind>watch|tag|restock_diff|image_ssim_diff)\.json")


def is_mine(data: bytes) -> bool:
    if data[:4] == b"PK\x03\x04":
        return True
    return data.lstrip()[:1] == b"{" and (
        b'"watching"' in data or (b'"url"' in data and (b'"last_c' in data or b'"uuid"' in data))
    )


def read(data: bytes) -> list[Found]:
    documents = _from_zip(data) if data[:4] == b"PK\x03\x04" else [_json(data)]
    tags = {key: tag for document in documents for key, tag in _tags(document).items()}
    beside = [one for one in documents if isinstance(one, dict) and "of watch" in one]
    settings: dict[str, Any] = {}
    for document in documents:
        settings |= _settings_of(document)
    watches = [_with_beside(watch, beside) for document in documents for watch in _watches(document)]
    found = [_found(watch, tags, settings) for watch in watches]
    return found + [one for one in (_about_settings(settings, tags),) if one.remarks]


def _from_zip(data: bytes) -> list[Any]:
    """Reads the wanted JSON members of the archive in memory. Nothing is unpacked to disk, and an archive
    whose wanted members are above the size limit together is refused."""
    left = _LARGEST
    found: list[Any] = []
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            wanted = [
                info
                for info in archive.infolist()[:_MOST_MEMBERS]
                if info.filename in _LISTS or _MEMBER.fullmatch(info.filename)
            ]
            for info in wanted:
                content = _member(archive, info, min(_LARGEST_MEMBER, left))
                left -= len(content)
                found.append(_document(info.filename, _json(content)))
    except UNREADABLE_ZIP as error:
        raise SettingRefused(f"this zip file cannot be read ({error})") from error
    return found


def _document(name: str, content: Any) -> Any:
    """Wraps what has a file of its own: a tag as if it stood in the settings, so that `_tags` finds both
    kinds alike, and the settings of a processor with the watch they are for."""
    member = _MEMBER.fullmatch(name)
    if member is None or member["kind"] == "watch":
        return content
    if member["kind"] == "tag":
        return {"settings": {"application": {"tags": {member["id"]: content}}}}
    return {"of watch": member["id"], "processor": member["kind"], "about": content}


def _with_beside(watch: dict[str, Any], beside: list[dict[str, Any]]) -> dict[str, Any]:
    """Returns the watch with the settings of its processor that stand in a file beside it."""
    for one in beside:
        if one["of watch"] == watch.get("uuid") and isinstance(one["about"], dict):
            kind = one["processor"]
            inner = one["about"].get(kind)
            watch = watch | {f"processor_config_{kind}": inner if isinstance(inner, dict) else one["about"]}
    return watch


def _member(archive: zipfile.ZipFile, info: zipfile.ZipInfo, most: int) -> bytes:
    with archive.open(info) as stream:
        content = stream.read(most + 1)
    if len(content) > most:
        raise SettingRefused(f"this zip file is too large: {info.filename} goes beyond what is read")
    return content


def _json(data: bytes) -> Any:
    try:
        return json.loads(data)
    except (ValueError, RecursionError) as error:
        raise SettingRefused("this is no JSON that can be read") from error


def _settings_of(document: Any) -> dict[str, Any]:
    settings = document.get("settings") if isinstance(document, dict) else None
    if not isinstance(settings, dict):
        return {}
    return {
        name: value for name, value in settings.items() if name != "application" or _is_more_than_tags(value)
    }


def _is_more_than_tags(application: Any) -> bool:
    return isinstance(application, dict) and set(application) != {"tags"}


def _tags(document: Any) -> dict[str, dict[str, Any]]:
    try:
        known = document["settings"]["application"]["tags"]
        return {str(key): one for key, one in known.items() if isinstance(one, dict)}
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


def _found(watch: dict[str, Any], tags: dict[str, dict[str, Any]], settings: dict[str, Any]) -> Found:
    """Turns a watch into a sentinel, with what its tags and the settings say for it."""
    title = watch.get("title") or watch.get("page_title")
    source = str(title or watch.get("url") or "a watch")[:200]
    if "{{" in str(watch.get("url")) or "{%" in str(watch.get("url")):
        return Found(source=source, trouble="the address is a template that is filled in at each look there")
    try:
        page = page_of(str(watch.get("url") or "").removeprefix("source:"))
    except ValueError as error:
        return Found(source=source, trouble=str(error))
    watch = watch | {name: texts(watch[name]) for name in ("include_filters", "css_filter") if name in watch}
    mine = _tags_of(watch, tags)
    whole = watch | _from_tags(mine) | _from_settings(settings)
    if mine or watch.get("tags"):
        whole["tags"] = [str(tag.get("title") or "") for tag in mine.values()]
    said = [*said_by(whole, KEYS), *_of_all(settings), *monitored(whole), *_quiet(whole)]
    return found_from(source, title, page.url, said, whole)


def _tags_of(watch: dict[str, Any], tags: dict[str, dict[str, Any]]) -> dict[str, dict[str, Any]]:
    """Returns the tags of a watch: those it names, and those whose pattern fits its address."""
    listed = [str(one) for one in watch["tags"]] if isinstance(watch.get("tags"), list) else []
    address = str(watch.get("url") or "").lower()
    fitting = [key for key, tag in tags.items() if _fits(str(tag.get("url_match_pattern") or ""), address)]
    return {key: tags[key] for key in dict.fromkeys([*listed, *fitting]) if key in tags}


def _fits(pattern: str, address: str) -> bool:
    pattern = pattern.strip().lower()
    if not pattern:
        return False
    return fnmatchcase(address, pattern) if any(one in pattern for one in "*?[") else pattern in address


def _from_tags(tags: dict[str, dict[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for tag in tags.values():
        for name in OF_TAG:
            if given := texts(tag.get(name)):
                found[f"{name} {TAGGED}"] = [*found.get(f"{name} {TAGGED}", []), *given]
        prices = tag.get("processor_config_restock_diff") or tag.get("restock_settings")
        if tag.get("overrides_watch") and prices:
            found.setdefault(f"processor_config_restock_diff {TAGGED}", prices)
    return found


def _from_settings(settings: dict[str, Any]) -> dict[str, Any]:
    requests, application = (_dict(settings.get(name)) for name in ("requests", "application"))
    shared = {
        "headers": settings.get("headers"),
        "time_between_check": requests.get("time_between_check"),
        "proxy": requests.get("proxy"),
        "fetch_backend": application.get("fetch_backend"),
        "webdriver_delay": application.get("webdriver_delay"),
        "notification_urls": application.get("notification_urls"),
        "ignore_text": application.get("global_ignore_text"),
        "subtractive_selectors": application.get("global_subtractive_selectors"),
    }
    return {f"{name} {GLOBAL}": value for name, value in shared.items() if value}


def _dict(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _quiet(watch: dict[str, Any]) -> Iterator[Said]:
    """Yields `Quiet off`, because the other program compares every answer as it comes. Not for products: of a
    product nothing is left out anyway, and a page that lacks its product for one look is better looked at
    twice."""
    if watch.get("processor") != "restock_diff":
        yield Said("quiet", "off")


def _of_all(settings: dict[str, Any]) -> Iterator[Said]:
    application = _dict(settings.get("application"))
    if application.get("all_paused"):
        yield Said(OFF, "", "all_paused")
    if application.get("all_muted"):
        yield Said("every", "interactive", "all_muted")


def _about_settings(settings: dict[str, Any], tags: dict[str, dict[str, Any]]) -> Found:
    """Returns the report on the settings that no watch takes along."""
    said = [
        *_report(settings, SETTINGS, ""),
        *_report(_dict(settings.get("requests")), REQUESTS, "requests "),
        *_report(_dict(settings.get("application")), APPLICATION, "application "),
    ]
    for tag in tags.values():
        more = {name: value for name, value in tag.items() if name not in OF_TAG and name != "title"}
        said += _report(more, TAG | KEYS, f"tag {tag.get('title')} ")
    return Found(source="settings", remarks=tuple(remarks_of(said)), told=told(said, {}))


def _report(section: dict[str, Any], keys: Keys, prefix: str) -> Iterator[Said]:
    for name, value in section.items():
        key = keys.get(name)
        if key is None:
            yield Said(REMARK, "unknown here, not taken along", f"{prefix}{name}")
        elif not key.record and not is_usual(value, key):
            if key.becomes and not prefix.startswith("tag "):
                continue
            yield Said(REMARK, reported(key), f"{prefix}{name}")
