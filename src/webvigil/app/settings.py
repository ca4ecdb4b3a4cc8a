"""Defaults, a file, the environment (WEBVIGIL_…) and the command line in, frozen settings out.

Later sources win over earlier ones. `TABLE` is the single list of settings: `webvigil settings` prints it,
the reference documents it, and the code receives the values of `Settings` as plain arguments.
"""

from __future__ import annotations

import ipaddress
import os
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from webvigil.errors import SettingRefused
from webvigil.model.pace import POLICIES

Network = ipaddress.IPv4Network | ipaddress.IPv6Network
PREFIX = "WEBVIGIL_"
FILE_NAME = "webvigil.toml"


@dataclass(frozen=True, slots=True)
class Settings:
    data: Path
    database: str
    objects: str
    host: str
    port: int
    shown_port: int
    shown_url: str
    demo_port: int
    user: str
    concurrency: int
    host_delay: float
    host_concurrency: int
    lease: float
    default_interval: float
    minimum_interval: float
    on_change: str
    second_look: float
    shortest_wait: float
    longest_wait: float
    confirm_after: float
    looks_per_hour: int
    host_looks_per_hour: int
    fetch_timeout: float
    fetch_bytes: int
    fetch_redirects: int
    fetch_frames: int
    user_agent: str
    obey_robots: bool
    proxy: str
    browser: str
    browser_pages: int
    keep_versions: int
    keep_days: int
    keep_bytes: int
    log_days: int
    version_steps: int
    collect_interval: float
    linked_pages: int
    link_patience: float
    first_look: float
    ca_file: str
    public_url: str
    secret_key: str
    allow_networks: tuple[Network, ...]
    smtp_host: str
    smtp_port: int
    smtp_security: str
    smtp_user: str
    smtp_password: str
    mail_from: str
    notices_per_hour: int
    templates: str
    apprise_schemes: str
    log_level: str
    log_format: str
    metrics_port: int
    trusted_proxies: tuple[Network, ...]
    user_header: str
    community: bool
    peer_key: str
    peer_timeout: float
    peer_checks: int
    peer_listed: bool
    share_networks: tuple[Network, ...]
    agents_per_peer: int
    agent_pages: int
    agent_interval: float
    agent_letters: int
    agent_days: int
    share_history: bool
    metrics_networks: tuple[Network, ...]

    @property
    def database_url(self) -> str:
        """Address of the database; SQLite in the data folder if none is set."""
        return self.database or f"sqlite:///{self.data / 'webvigil.sqlite3'}"

    @property
    def objects_url(self) -> str:
        return self.objects or str(self.data / "objects")


@dataclass(frozen=True, slots=True)
class Entry:
    """One setting in the table: its default, the kind that tells how its text is read, and its help text."""

    default: str
    kind: str
    help: str


TABLE: dict[str, Entry] = {
    "data": Entry("data", "path", "Folder for the database, the page versions and the settings file."),
    "database": Entry("", "text", "Database address; empty: SQLite in the data folder."),
    "objects": Entry(
        "", "text", "Where page versions go: a folder or s3://BUCKET; empty: in the data folder."
    ),
    "host": Entry("127.0.0.1", "text", "Address the dashboard, or the metrics of a worker, listen on."),
    "port": Entry("8420", "port", "Port of the dashboard."),
    "shown_port": Entry(
        "0", "port", "Port for other people's pages, apart from the dashboard; 0: its port plus two."
    ),
    "shown_url": Entry(
        "",
        "text",
        "Address at which readers reach that port, such as https://pages.vigil.example; empty: ours.",
    ),
    "demo_port": Entry("8421", "port", "Port of the demo site (`serve --demo`)."),
    "user": Entry("me", "text", "The user that commands act for."),
    "concurrency": Entry("100", "count", "How many hosts are visited at the same time."),
    "host_delay": Entry("1", "seconds", "Rest between two requests to the same host."),
    "host_concurrency": Entry("2", "count", "How many requests to the same host may be under way at once."),
    "lease": Entry("30", "seconds", "After this time the work of a worker that died is taken over."),
    "default_interval": Entry(
        "0", "seconds", "How often to look when a sentinel does not say; 0: as with `Fetch on change`."
    ),
    "minimum_interval": Entry("5", "seconds", "The shortest interval a sentinel may ask for."),
    "on_change": Entry(
        "learned", "policy", "How `Fetch on change` chooses when to look: learned, bea or naive."
    ),
    "second_look": Entry(
        "20",
        "seconds",
        "A page is looked at once more so long after its first look, to learn what never rests. 0: not.",
    ),
    "shortest_wait": Entry("60", "seconds", "`Fetch on change` never looks sooner than this after a look."),
    "longest_wait": Entry("86400", "seconds", "`Fetch on change` never waits longer than this for a look."),
    "confirm_after": Entry(
        "60",
        "seconds",
        "An answer that looks like no page is looked at again so much later before it is told. 0: not.",
    ),
    "looks_per_hour": Entry(
        "0", "number", "Budget of looks at all pages; `Fetch on change` spends what intervals leave. 0: none."
    ),
    "host_looks_per_hour": Entry(
        "0", "number", "Budget of looks of `Fetch on change` at the pages of one host. 0: none."
    ),
    "fetch_timeout": Entry("30", "seconds", "Longest time for one answer."),
    "fetch_bytes": Entry("20000000", "count", "Largest answer, after decompression, in bytes."),
    "fetch_redirects": Entry("10", "count", "Most redirects that are followed."),
    "fetch_frames": Entry("10", "number", "Most frames that are fetched with a page."),
    "user_agent": Entry("WebVigil/0.1", "text", "How we introduce ourselves to web servers."),
    "obey_robots": Entry(
        "yes", "switch", "Whether robots.txt decides which pages are visited, and how often."
    ),
    "proxy": Entry("", "text", "Proxy for all fetches, such as http://proxy.example:3128; empty: none."),
    "browser": Entry("", "text", "Chromium that renders pages; empty: the first one found on the PATH."),
    "browser_pages": Entry("2", "count", "How many pages are rendered at the same time."),
    "keep_versions": Entry(
        "100", "number", "How many versions of a page are kept beyond those that are needed; 0: all."
    ),
    "keep_days": Entry(
        "365", "number", "How many days versions, and those that a change tells of, are kept; 0: for ever."
    ),
    "keep_bytes": Entry(
        "100000000", "number", "How many bytes the versions of one page may take; 0: any number."
    ),
    "log_days": Entry(
        "90",
        "number",
        "How many days looks, delivered notices, the journal and pages nobody watches are kept; 0: for ever.",
    ),
    "version_steps": Entry(
        "8", "number", "How many steps a version may be stored from a whole copy; 0: only whole copies."
    ),
    "collect_interval": Entry(
        "86400", "seconds", "How often what nobody needs is removed; 0: only by `webvigil collect`."
    ),
    "linked_pages": Entry(
        "100", "number", "Most linked pages that one sentinel with a `Depth` watches beside its own."
    ),
    "link_patience": Entry(
        "86400", "seconds", "How long a link must be missing until the page behind it is let go."
    ),
    "first_look": Entry(
        "5", "seconds", "How long adding a sentinel waits to see what is missing on its pages; 0: not at all."
    ),
    "ca_file": Entry("", "text", "File with further certificate authorities (PEM) to trust; empty: none."),
    "public_url": Entry(
        "", "text", "Address at which others reach us, such as https://vigil.example; needed for WebSub."
    ),
    "secret_key": Entry(
        "",
        "secret",
        "Key that seals log-ins; empty: the file secret_key in the data folder, made when missing.",
    ),
    "allow_networks": Entry(
        "",
        "networks",
        "Private networks that may be visited, such as 10.0.0.0/8,127.0.0.1; public ones always may.",
    ),
    "smtp_host": Entry("", "text", "Mail server that takes our mail; empty: nobody is told by e-mail."),
    "smtp_port": Entry("587", "port", "Port of the mail server."),
    "smtp_security": Entry(
        "starttls", "security", "How the connection to the mail server is kept secret: starttls, tls or none."
    ),
    "smtp_user": Entry("", "text", "Name to log in to the mail server with; empty: no log-in."),
    "smtp_password": Entry("", "secret", "Password for the mail server; better given in the environment."),
    "mail_from": Entry("WebVigil <webvigil@localhost>", "text", "Sender of our mail."),
    "notices_per_hour": Entry(
        "20",
        "number",
        "Most messages that a person gets in an hour; more are merged into a summary. 0: no limit.",
    ),
    "templates": Entry("", "text", "Folder with templates for messages that replace ours; empty: none."),
    "apprise_schemes": Entry(
        "discord,gchat,pbul,pover,slack,tgram,twilio,vonage,wxteams",
        "text",
        "Services of Apprise that users may be told by; those at an address of the user's choice with care.",
    ),
    "log_level": Entry("info", "level", "How much to log: debug, info, warning or error."),
    "log_format": Entry("text", "log_format", "How to log: text for people, json for programs."),
    "metrics_port": Entry("0", "port", "Port for the metrics and the health of `webvigil worker`; 0: none."),
    "trusted_proxies": Entry(
        "",
        "networks",
        "Where reverse proxies stand whose X-Forwarded-For, -Proto and user_header count; empty: nowhere.",
    ),
    "user_header": Entry(
        "",
        "text",
        "Header in which a trusted proxy names the user it signed in, such as X-Forwarded-User; empty: none.",
    ),
    "community": Entry(
        "yes", "switch", "Whether this server shares its work with others that were made its peers."
    ),
    "peer_key": Entry(
        "",
        "secret",
        "Key by which peers know us; empty: the file peer_key in the data folder, made when missing.",
    ),
    "peer_timeout": Entry("5", "seconds", "Longest time for the answer of a peer."),
    "peer_checks": Entry(
        "5", "number", "How many of a hundred answers of a peer are compared with a fetch of our own."
    ),
    "peer_listed": Entry(
        "yes", "switch", "Whether peers may tell their own peers where we are and that we watch a page."
    ),
    "share_networks": Entry(
        "",
        "networks",
        "Private networks whose pages are shared with peers, too, such as 10.0.0.0/8; public ones always.",
    ),
    "agents_per_peer": Entry(
        "20", "number", "How many personal agents of one peer may be guests here; 0: none."
    ),
    "agent_pages": Entry("10", "count", "How many pages, with linked ones, a guest may watch."),
    "agent_interval": Entry("600", "seconds", "The shortest interval at which we look for a guest."),
    "agent_letters": Entry(
        "500",
        "count",
        "How many letters of a guest wait here while its home is away; older ones are dropped.",
    ),
    "agent_days": Entry("30", "count", "A guest whose home was not heard of for so many days leaves."),
    "share_history": Entry(
        "no",
        "switch",
        "Whether users see the versions of a page from before they began to watch it, which others watched.",
    ),
    "metrics_networks": Entry(
        "",
        "networks",
        "Networks that may read /metrics, such as 10.0.0.0/8; this machine, and whoever has a token, always.",
    ),
}


def read_settings(
    given: Mapping[str, Any] | None = None,
    *,
    environment: Mapping[str, str] | None = None,
    file: Path | None = None,
) -> Settings:
    """Reads all settings once. `given` are the options of the command line; None there means that the option
    was not used.

    Raises SettingRefused, with the place where the value was written, for a value that cannot be read.
    """
    environment = os.environ if environment is None else environment
    said = {name: str(value) for name, value in (given or {}).items() if value is not None}
    from_environment = _from_environment(environment)
    place = Path(said.get("data") or from_environment.get("data") or TABLE["data"].default)
    texts = {name: entry.default for name, entry in TABLE.items()}
    sources = [
        _from_file(file or _settings_file(environment, place)),
        {name: (text, f"{PREFIX}{name.upper()}") for name, text in from_environment.items()},
        {name: (text, f"--{name.replace('_', '-')}") for name, text in said.items()},
    ]
    origins: dict[str, str] = {}
    for source in sources:
        for name, (text, origin) in source.items():
            texts[name], origins[name] = text, origin
    values = {name: _value(name, texts[name], origins.get(name, name)) for name in texts}
    return Settings(**values)


def _settings_file(environment: Mapping[str, str], data: Path) -> Path | None:
    named = environment.get(f"{PREFIX}CONFIG")
    if named:
        return Path(named)
    usual = data / FILE_NAME
    return usual if usual.is_file() else None


def _from_environment(environment: Mapping[str, str]) -> dict[str, str]:
    return {name: environment[key] for name in TABLE if (key := f"{PREFIX}{name.upper()}") in environment}


def _from_file(file: Path | None) -> dict[str, tuple[str, str]]:
    if file is None:
        return {}
    try:
        content = tomllib.loads(file.read_text(encoding="utf-8"))
    except OSError as error:
        raise SettingRefused(f"the settings file {file} cannot be read: {error.strerror}") from error
    except RecursionError as error:
        raise SettingRefused(f"the settings file {file} is nested too deeply") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise SettingRefused(f"the settings file {file} is not valid TOML: {error}") from error
    unknown = sorted(set(content) - set(TABLE))
    if unknown:
        raise SettingRefused(f"{file}: there is no setting {unknown[0]!r}; 'webvigil settings' lists them")
    return {name: (_as_text(value), f"{name} in {file}") for name, value in content.items()}


def _as_text(value: Any) -> str:
    return ",".join(map(str, value)) if isinstance(value, list) else str(value)


def _value(name: str, text: str, origin: str) -> Any:
    try:
        return _READERS[TABLE[name].kind](text)
    except ValueError as error:
        raise SettingRefused(f"{origin}: {text!r} {error}") from error


def _port(text: str) -> int:
    if not (text.isascii() and text.isdigit() and int(text) < 65536):
        raise ValueError("is not a port number (0 to 65535)")
    return int(text)


def _count(text: str) -> int:
    if not (text.isascii() and text.isdigit() and int(text) > 0):
        raise ValueError("is not a whole number above zero")
    return int(text)


def _number(text: str) -> int:
    if not (text.isascii() and text.isdigit()):
        raise ValueError("is not a whole number")
    return int(text)


def _switch(text: str) -> bool:
    known = {"yes": True, "true": True, "on": True, "1": True}
    known |= {"no": False, "false": False, "off": False, "0": False}
    if text.lower() not in known:
        raise ValueError("is neither yes nor no")
    return known[text.lower()]


def _seconds(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = -1
    if not 0 <= value < 10**9:
        raise ValueError("is not a number of seconds")
    return value


def _networks(text: str) -> tuple[Network, ...]:
    parts = [part.strip() for part in text.split(",") if part.strip()]
    try:
        return tuple(ipaddress.ip_network(part, strict=False) for part in parts)
    except ValueError:
        raise ValueError("is not a list of networks such as 10.0.0.0/8,127.0.0.1") from None


def _policy(text: str) -> str:
    if text.lower() not in POLICIES:
        raise ValueError(f"is none of {', '.join(POLICIES)}")
    return text.lower()


def _security(text: str) -> str:
    if text.lower() not in ("starttls", "tls", "none"):
        raise ValueError("is none of starttls, tls, none")
    return text.lower()


def _level(text: str) -> str:
    if text.lower() not in ("debug", "info", "warning", "error"):
        raise ValueError("is none of debug, info, warning, error")
    return text.lower()


def _log_format(text: str) -> str:
    if text.lower() not in ("text", "json"):
        raise ValueError("is neither text nor json")
    return text.lower()


_READERS: dict[str, Any] = {
    "path": lambda text: Path(text).expanduser(),
    "text": str,
    "port": _port,
    "count": _count,
    "number": _number,
    "switch": _switch,
    "seconds": _seconds,
    "networks": _networks,
    "level": _level,
    "log_format": _log_format,
    "policy": _policy,
    "security": _security,
    "secret": str,
}

assert [field.name for field in fields(Settings)] == list(TABLE), (
    "the table and Settings name the same things"
)
