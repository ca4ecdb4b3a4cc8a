"""Defaults, a file, the environment (WEBVIGIL_…) and the command line in, frozen settings out.

Later sources win over earlier ones. The class `Settings` is the single list of settings: a field has the
type, the kind, the default and the help text of its setting, and whether an administrator may choose it in
the dashboard (`operating.chosen`). The file, the environment, the command line, the form in the dashboard,
`webvigil settings` and the reference derive from it, and the code receives the values as plain arguments.
"""

from __future__ import annotations

import ipaddress
import os
import tomllib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any, NamedTuple, get_type_hints
from urllib.parse import urlsplit

from webvigil.errors import SettingRefused
from webvigil.model.pace import POLICIES

Network = ipaddress.IPv4Network | ipaddress.IPv6Network
PREFIX = "WEBVIGIL_"
FILE_NAME = "webvigil.toml"
PROXY_SCHEMES = ("http", "https", "socks5", "socks5h", "socks4", "socks4a")


# --- how the text of a setting is read ------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of settings. `read` turns the text of a setting into its value, and raises ValueError if the
    text is no such value."""

    name: str
    read: Callable[[str], Any]


def _folder(text: str) -> Path:
    return Path(text).expanduser()


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


def _amount(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = -1
    if not 0 <= value < 10**9:
        raise ValueError("is not an amount of money")
    return value


def _server(text: str) -> str:
    parts = urlsplit(text)
    if text and (
        parts.scheme not in ("http", "https") or not parts.hostname or parts.query or parts.fragment
    ):
        raise ValueError("is not the address of a server, such as http://127.0.0.1:11434/v1")
    return text


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


def _proxies(text: str) -> tuple[tuple[str, str], ...]:
    found = _pairs(text, "is not a list of proxies such as office=http://proxy.example:3128")
    for name, url in found:
        parts = urlsplit(url)
        if parts.scheme not in PROXY_SCHEMES or not parts.hostname:
            raise ValueError(f"has no address for {name}; write {', '.join(PROXY_SCHEMES)}:// and a host")
    return found


def _host_proxies(text: str) -> tuple[tuple[str, str], ...]:
    return _pairs(text, "is not a list of hosts such as intranet.example=office,*.corp.example=office")


def _pairs(text: str, trouble: str) -> tuple[tuple[str, str], ...]:
    parts = [part.strip() for part in text.split(",") if part.strip()]
    pairs = [(name.strip(), value.strip()) for name, _, value in (part.partition("=") for part in parts)]
    if not all(name and value for name, value in pairs):
        raise ValueError(trouble)
    return tuple(pairs)


def _hosts(text: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in text.split(",") if part.strip())


Folder = Annotated[Path, Kind("path", _folder)]
Text = Annotated[str, Kind("text", str)]
Secret = Annotated[str, Kind("secret", str)]
Port = Annotated[int, Kind("port", _port)]
Count = Annotated[int, Kind("count", _count)]
Number = Annotated[int, Kind("number", _number)]
Seconds = Annotated[float, Kind("seconds", _seconds)]
Amount = Annotated[float, Kind("amount", _amount)]
Server = Annotated[str, Kind("server", _server)]
Switch = Annotated[bool, Kind("switch", _switch)]
Networks = Annotated[tuple[Network, ...], Kind("networks", _networks)]
Proxies = Annotated[tuple[tuple[str, str], ...], Kind("secret", _proxies)]
HostProxies = Annotated[tuple[tuple[str, str], ...], Kind("hosts", _host_proxies)]
Hosts = Annotated[tuple[str, ...], Kind("hosts", _hosts)]
Policy = Annotated[str, Kind("policy", _policy)]
Security = Annotated[str, Kind("security", _security)]
Level = Annotated[str, Kind("level", _level)]
LogFormat = Annotated[str, Kind("log_format", _log_format)]


class When(StrEnum):
    """When a choice of the administrator in the dashboard counts."""

    AT_ONCE = "at once"
    AFTER_RESTART = "after a restart"
    NOWHERE = ""  # the setting is only read from the file, the environment and the command line


# --- the settings ---------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Settings:
    """The values of all settings. Each setting has its kind, the text of its default, and its help text."""

    data: Annotated[Folder, "data", "Folder for the database, the page versions and the settings file."]
    database: Annotated[Text, "", "Database address; empty: SQLite in the data folder."]
    objects: Annotated[
        Text, "", "Where page versions go: a folder or s3://BUCKET; empty: in the data folder."
    ]
    host: Annotated[Text, "127.0.0.1", "Address the dashboard, or the metrics of a worker, listen on."]
    port: Annotated[Port, "8420", "Port of the dashboard."]
    shown_port: Annotated[
        Port, "0", "Port for other people's pages, apart from the dashboard; 0: its port plus two."
    ]
    shown_url: Annotated[
        Text,
        "",
        "Address at which readers reach that port, such as https://pages.vigil.example; empty: ours.",
    ]
    demo_port: Annotated[Port, "8421", "Port of the demo site (`serve --demo`)."]
    user: Annotated[Text, "me", "The user that commands act for."]
    concurrency: Annotated[Count, "100", "How many hosts are visited at the same time.", When.AT_ONCE]
    host_delay: Annotated[Seconds, "1", "Rest between two requests to the same host.", When.AFTER_RESTART]
    host_concurrency: Annotated[
        Count, "2", "How many requests to the same host may be under way at once.", When.AFTER_RESTART
    ]
    lease: Annotated[Seconds, "30", "After this time the work of a worker that died is taken over."]
    default_interval: Annotated[
        Seconds,
        "0",
        "How often to look when a sentinel does not say; 0: as with `Fetch on change`.",
        When.AT_ONCE,
    ]
    minimum_interval: Annotated[
        Seconds, "5", "The shortest interval a sentinel may ask for.", When.AFTER_RESTART
    ]
    on_change: Annotated[
        Policy, "learned", "How `Fetch on change` chooses when to look: learned, bea or naive.", When.AT_ONCE
    ]
    second_look: Annotated[
        Seconds,
        "20",
        "A page is looked at once more so long after its first look, to learn what never rests. 0: not.",
        When.AT_ONCE,
    ]
    shortest_wait: Annotated[
        Seconds, "60", "`Fetch on change` never looks sooner than this after a look.", When.AT_ONCE
    ]
    longest_wait: Annotated[
        Seconds, "86400", "`Fetch on change` never waits longer than this for a look.", When.AT_ONCE
    ]
    confirm_after: Annotated[
        Seconds,
        "60",
        "An answer that looks like no page is looked at again so much later before it is told. 0: not.",
        When.AT_ONCE,
    ]
    looks_per_hour: Annotated[
        Number,
        "0",
        "Budget of looks at all pages; `Fetch on change` spends what intervals leave. 0: none.",
        When.AT_ONCE,
    ]
    host_looks_per_hour: Annotated[
        Number, "0", "Budget of looks of `Fetch on change` at the pages of one host. 0: none.", When.AT_ONCE
    ]
    fetch_timeout: Annotated[Seconds, "30", "Longest time for one answer.", When.AFTER_RESTART]
    fetch_bytes: Annotated[
        Count, "20000000", "Largest answer, after decompression, in bytes.", When.AFTER_RESTART
    ]
    fetch_redirects: Annotated[Count, "10", "Most redirects that are followed.", When.AFTER_RESTART]
    fetch_frames: Annotated[Number, "10", "Most frames that are fetched with a page.", When.AFTER_RESTART]
    user_agent: Annotated[
        Text, "WebVigil/0.1", "How we introduce ourselves to web servers.", When.AFTER_RESTART
    ]
    longest_timeout: Annotated[
        Seconds, "120", "Longest time that a sentinel may ask for with `Timeout`.", When.AFTER_RESTART
    ]
    obey_robots: Annotated[
        Switch,
        "yes",
        "Whether robots.txt decides which pages are visited, and how often.",
        When.AFTER_RESTART,
    ]
    proxy: Annotated[Text, "", "Proxy for all fetches, such as http://proxy.example:3128; empty: none."]
    proxies: Annotated[
        Proxies,
        "",
        "Proxies by name, such as office=http://proxy.example:3128,tor=socks5://127.0.0.1:9050 (`Through`).",
    ]
    host_proxies: Annotated[
        HostProxies, "", "Proxies of hosts, such as intranet.example=office,*.corp.example=office."
    ]
    unverified_hosts: Annotated[
        Hosts,
        "",
        "Hosts whose certificate need not be valid, such as nas.example,10.0.0.5:8443; empty: none.",
    ]
    browser: Annotated[Text, "", "Chromium that renders pages; empty: the first one found on the PATH."]
    browser_pages: Annotated[Count, "2", "How many pages are rendered at the same time.", When.AFTER_RESTART]
    step_timeout: Annotated[
        Seconds, "10", "Longest time for one step in the browser (`Steps`).", When.AFTER_RESTART
    ]
    step_scripts: Annotated[
        Switch, "no", "Whether `Steps` of users may run scripts of their own in the pages they open."
    ]
    endless: Annotated[
        Switch,
        "no",
        "Whether the dashboard proposes that a new sentinel never ends; otherwise a year.",
        When.AT_ONCE,
    ]
    keep_versions: Annotated[
        Number,
        "100",
        "How many versions of a page are kept beyond those that are needed; 0: all.",
        When.AT_ONCE,
    ]
    keep_days: Annotated[
        Number,
        "365",
        "How many days a version is kept, also one that a change is about; 0: for ever.",
        When.AT_ONCE,
    ]
    keep_bytes: Annotated[
        Number, "100000000", "How many bytes the versions of one page may take; 0: any number.", When.AT_ONCE
    ]
    log_days: Annotated[
        Number,
        "90",
        "How many days looks, delivered notices, the journal and pages nobody watches are kept; 0: for ever.",
        When.AT_ONCE,
    ]
    version_steps: Annotated[
        Number,
        "8",
        "How many steps a version may be stored from a whole copy; 0: only whole copies.",
        When.AFTER_RESTART,
    ]
    collect_interval: Annotated[
        Seconds,
        "86400",
        "How often what nobody needs is removed; 0: only by `webvigil collect`.",
        When.AT_ONCE,
    ]
    linked_pages: Annotated[
        Number,
        "100",
        "Most linked pages that one sentinel with a `Depth` watches beside its own.",
        When.AT_ONCE,
    ]
    link_patience: Annotated[
        Seconds, "86400", "How long a link must be missing until the page behind it is let go.", When.AT_ONCE
    ]
    first_look: Annotated[
        Seconds,
        "5",
        "How long adding a sentinel waits to see what is missing on its pages; 0: not at all.",
        When.AT_ONCE,
    ]
    ca_file: Annotated[Text, "", "File with further certificate authorities (PEM) to trust; empty: none."]
    public_url: Annotated[
        Text,
        "",
        "Address at which others reach us, such as https://vigil.example; needed for WebSub.",
        When.AFTER_RESTART,
    ]
    secret_key: Annotated[
        Secret,
        "",
        "Key that seals log-ins; empty: the file secret_key in the data folder, made when missing.",
    ]
    allow_networks: Annotated[
        Networks,
        "",
        "Private networks that may be visited, such as 10.0.0.0/8,127.0.0.1; public ones always may.",
    ]
    smtp_host: Annotated[
        Text, "", "Mail server that takes our mail; empty: nobody is told by e-mail.", When.AT_ONCE
    ]
    smtp_port: Annotated[Port, "587", "Port of the mail server.", When.AT_ONCE]
    smtp_security: Annotated[
        Security,
        "starttls",
        "How the connection to the mail server is kept secret: starttls, tls or none.",
        When.AT_ONCE,
    ]
    smtp_user: Annotated[Text, "", "Name to log in to the mail server with; empty: no log-in.", When.AT_ONCE]
    smtp_password: Annotated[
        Secret, "", "Password for the mail server; better given in the environment.", When.AT_ONCE
    ]
    mail_from: Annotated[Text, "WebVigil <webvigil@localhost>", "Sender of our mail.", When.AT_ONCE]
    notices_per_hour: Annotated[
        Number,
        "20",
        "Most messages that a person gets in an hour; more are merged into a summary. 0: no limit.",
        When.AT_ONCE,
    ]
    templates: Annotated[Text, "", "Folder with templates for messages that replace ours; empty: none."]
    apprise_schemes: Annotated[
        Text,
        "discord,gchat,pbul,pover,slack,tgram,twilio,vonage,wxteams",
        "Services of Apprise that users may be told by; those at an address of the user's choice with care.",
        When.AT_ONCE,
    ]
    log_level: Annotated[Level, "info", "How much to log: debug, info, warning or error.", When.AFTER_RESTART]
    log_format: Annotated[LogFormat, "text", "How to log: text for people, json for programs."]
    metrics_port: Annotated[Port, "0", "Port for the metrics and the health of `webvigil worker`; 0: none."]
    trusted_proxies: Annotated[
        Networks,
        "",
        "Where reverse proxies stand whose X-Forwarded-For, -Proto and user_header count; empty: nowhere.",
    ]
    user_header: Annotated[
        Text,
        "",
        "Header in which a trusted proxy names the user it signed in, such as X-Forwarded-User; empty: none.",
    ]
    community: Annotated[
        Switch,
        "yes",
        "Whether this server shares its work with others that were made its peers.",
        When.AFTER_RESTART,
    ]
    peer_key: Annotated[
        Secret,
        "",
        "Key by which peers know us; empty: the file peer_key in the data folder, made when missing.",
    ]
    peer_timeout: Annotated[Seconds, "5", "Longest time for the answer of a peer.", When.AFTER_RESTART]
    peer_checks: Annotated[
        Number,
        "5",
        "How many of a hundred answers of a peer are compared with a fetch of our own.",
        When.AFTER_RESTART,
    ]
    peer_listed: Annotated[
        Switch,
        "yes",
        "Whether peers may tell their own peers where we are and that we watch a page.",
        When.AFTER_RESTART,
    ]
    share_networks: Annotated[
        Networks,
        "",
        "Private networks whose pages are shared with peers, too, such as 10.0.0.0/8; public ones always.",
    ]
    agents_per_peer: Annotated[
        Number, "20", "How many personal agents of one peer may be guests here; 0: none.", When.AFTER_RESTART
    ]
    agent_pages: Annotated[
        Count, "10", "How many pages, with linked ones, a guest may watch.", When.AFTER_RESTART
    ]
    agent_interval: Annotated[
        Seconds, "600", "The shortest interval at which we look for a guest.", When.AFTER_RESTART
    ]
    agent_letters: Annotated[
        Count,
        "500",
        "How many letters of a guest wait here while its home is away; older ones are dropped.",
        When.AFTER_RESTART,
    ]
    agent_days: Annotated[
        Count, "30", "A guest whose home was not heard of for so many days leaves.", When.AFTER_RESTART
    ]
    share_history: Annotated[
        Switch,
        "no",
        "Whether users see the versions of a page from before they began to watch it, which others watched.",
        When.AT_ONCE,
    ]
    metrics_networks: Annotated[
        Networks,
        "",
        "Networks that may read /metrics, such as 10.0.0.0/8; this machine, and whoever has a token, always.",
    ]
    ai_url: Annotated[
        Server,
        "",
        "Server of a language model (OpenAI's chat protocol), such as http://127.0.0.1:11434/v1; empty: no.",
        When.AT_ONCE,
    ]
    ai_model: Annotated[Text, "", "Name of the model that judges what changes mean.", When.AT_ONCE]
    ai_key: Annotated[
        Secret, "", "Key for the server of the language model; empty: it needs none.", When.AT_ONCE
    ]
    ai_timeout: Annotated[Seconds, "30", "Longest time for one answer of the language model.", When.AT_ONCE]
    ai_at_a_time: Annotated[
        Count, "2", "How many questions a worker asks the language model at the same time.", When.AT_ONCE
    ]
    ai_tokens_per_day: Annotated[
        Number,
        "200000",
        "Most tokens that the questions of one user take in a day. 0: no limit.",
        When.AT_ONCE,
    ]
    ai_seconds_per_day: Annotated[
        Number,
        "3600",
        "Most seconds that the language model works for one user in a day. 0: no limit.",
        When.AT_ONCE,
    ]
    ai_price_read: Annotated[
        Amount, "0", "What a million tokens cost that the language model reads.", When.AT_ONCE
    ]
    ai_price_written: Annotated[
        Amount, "0", "What a million tokens cost that the language model writes.", When.AT_ONCE
    ]
    ai_cost_per_day: Annotated[
        Amount, "1", "Most that the questions of one user may cost in a day. 0: no limit.", When.AT_ONCE
    ]

    # The settings that the file, the environment or the command line says, each with the place that says it.
    given: dict[str, str] = field(default_factory=dict, compare=False)
    # The settings whose values an administrator chose in the dashboard.
    chosen: frozenset[str] = field(default=frozenset(), compare=False)

    @property
    def database_url(self) -> str:
        """Address of the database; SQLite in the data folder if none is set."""
        return self.database or f"sqlite:///{self.sqlite_file}"

    @property
    def sqlite_file(self) -> Path | None:
        """The file of the database in the data folder; None if the database is elsewhere."""
        return None if self.database else self.data / "webvigil.sqlite3"

    @property
    def objects_url(self) -> str:
        return self.objects or str(self.data / "objects")


class Entry(NamedTuple):
    """What the class `Settings` says about one setting."""

    kind: str
    read: Callable[[str], Any]
    default: str
    help: str
    when: When = When.NOWHERE


def _table() -> Iterator[tuple[str, Entry]]:
    for name, hint in get_type_hints(Settings, include_extras=True).items():
        if said := getattr(hint, "__metadata__", None):
            kind, default, help_, *when = said
            yield name, Entry(kind.name, kind.read, default, help_, *when)


TABLE = dict(_table())
"""The settings by name, as the file, the environment, `webvigil settings` and the reference list them."""


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
    values = {name: value_of(name, texts[name], origins.get(name, name)) for name in texts}
    return Settings(**values, given=origins)


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
    if isinstance(value, dict):
        return ",".join(f"{name}={one}" for name, one in value.items())
    return ",".join(map(str, value)) if isinstance(value, list) else str(value)


def value_of(name: str, text: str, origin: str) -> Any:
    """Reads the text of a setting. Raises SettingRefused, with the place where it was written."""
    try:
        return TABLE[name].read(text)
    except ValueError as error:
        said = "its value" if TABLE[name].kind == "secret" else repr(text)
        raise SettingRefused(f"{origin}: {said} {error}") from error
