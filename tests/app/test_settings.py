"""Settings come from defaults, file, environment and command line; a wrong one is refused with its origin."""

from __future__ import annotations

import ipaddress
from dataclasses import fields
from pathlib import Path
from typing import Any, get_origin, get_type_hints

import pytest

from webvigil.app.pages.fetchers import ways_of
from webvigil.app.settings import TABLE, Settings, read_settings
from webvigil.errors import SettingRefused


def test_the_defaults_are_a_working_installation():
    settings = read_settings(environment={})
    assert (settings.host, settings.port, settings.user) == ("127.0.0.1", 8420, "me")
    assert settings.database_url == "sqlite:///data/webvigil.sqlite3"
    assert settings.objects_url == "data/objects"
    assert settings.allow_networks == ()


def test_later_sources_win(tmp_path: Path):
    (tmp_path / "webvigil.toml").write_text("port = 1\nhost = '0.0.0.0'\nlease = 5.5\n")
    environment = {"WEBVIGIL_PORT": "2", "WEBVIGIL_HOST": "::1", "WEBVIGIL_DATA": str(tmp_path)}
    settings = read_settings({"port": "3", "host": None}, environment=environment)
    assert (settings.port, settings.host, settings.lease) == (3, "::1", 5.5)


def test_proxies_are_read_from_lists_tables_and_texts(tmp_path: Path):
    file = tmp_path / "other.toml"
    proxies = (("office", "http://u:p@proxy.test:3128"), ("tor", "socks5://127.0.0.1:9050"))
    for text in (
        "proxies = ['office=http://u:p@proxy.test:3128', 'tor=socks5://127.0.0.1:9050']",
        "proxies = {office = 'http://u:p@proxy.test:3128', tor = 'socks5://127.0.0.1:9050'}",
        "proxies = 'office=http://u:p@proxy.test:3128, tor=socks5://127.0.0.1:9050'",
    ):
        file.write_text(f"{text}\nhost_proxies = ['a.test=office']\nunverified_hosts = ['b.test']\n")
        settings = read_settings(environment={"WEBVIGIL_CONFIG": str(file)})
        assert settings.proxies == proxies
        ways = ways_of(settings)
        assert str(ways.to("https://a.test/")) == "the proxy office"
        assert ways.to("https://b.test/") is None
        assert not ways.verifies("https://b.test/")


def test_a_host_cannot_have_a_proxy_that_is_not_there():
    settings = read_settings({"host_proxies": "a.test=office"}, environment={})
    with pytest.raises(SettingRefused, match=r"host_proxies: there is no proxy 'office' for a\.test"):
        ways_of(settings)


def test_a_file_can_be_named(tmp_path: Path):
    file = tmp_path / "other.toml"
    file.write_text("allow_networks = ['10.0.0.0/8', '127.0.0.1']\n")
    settings = read_settings(environment={"WEBVIGIL_CONFIG": str(file)})
    assert settings.allow_networks == (ipaddress.ip_network("10.0.0.0/8"), ipaddress.ip_network("127.0.0.1"))


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("port", "99999", "WEBVIGIL_PORT: '99999' is not a port number"),
        ("port", "٣", "is not a port number"),
        ("concurrency", "0", "is not a whole number above zero"),
        ("lease", "soon", "is not a number of seconds"),
        ("lease", "nan", "is not a number of seconds"),
        ("lease", "-1", "is not a number of seconds"),
        ("allow_networks", "everywhere", "is not a list of networks"),
        ("log_level", "loud", "is none of debug"),
        ("proxies", "http://u:p@proxy.test:3128", "WEBVIGIL_PROXIES: its value is not a list of proxies"),
        ("proxies", "office=ftp://u:p@proxy.test", "WEBVIGIL_PROXIES: its value has no address for office"),
        ("host_proxies", "a.test", "is not a list of hosts"),
    ],
)
def test_a_wrong_value_is_refused_with_its_origin(name: str, text: str, message: str):
    with pytest.raises(SettingRefused, match=message):
        read_settings(environment={f"WEBVIGIL_{name.upper()}": text})


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("prot = 1", "no setting 'prot'"),
        ("port = ", "not valid TOML"),
        ("port = true", "not a port"),
    ],
)
def test_a_wrong_file_is_refused(content: str, message: str, tmp_path: Path):
    (tmp_path / "webvigil.toml").write_text(content)
    with pytest.raises(SettingRefused, match=message):
        read_settings({"data": str(tmp_path)}, environment={})


def test_a_named_file_that_is_not_there_is_refused(tmp_path: Path):
    with pytest.raises(SettingRefused, match="cannot be read"):
        read_settings(environment={"WEBVIGIL_CONFIG": str(tmp_path / "none.toml")})


def test_every_setting_has_help():
    assert all(entry.help.endswith(".") for entry in TABLE.values())


def test_every_default_is_read_as_the_type_of_its_setting():
    types = get_type_hints(Settings)
    wrong = [
        name
        for name, entry in TABLE.items()
        if not isinstance(entry.read(entry.default), get_origin(types[name]) or types[name])
    ]
    assert not wrong


def test_a_setting_is_written_once_and_known_everywhere():
    assert [*TABLE, "given", "chosen"] == [field.name for field in fields(Settings)]
    assert {entry.kind for entry in TABLE.values()} >= {"path", "port", "secret", "networks"}


PORT = "is not a port number (0 to 65535)"
COUNT = "is not a whole number above zero"
SECONDS = "is not a number of seconds"
MONEY = "is not an amount of money"
SERVER = "is not the address of a server, such as http://127.0.0.1:11434/v1"
NETWORKS = "is not a list of networks such as 10.0.0.0/8,127.0.0.1"
HOSTS = "is not a list of hosts such as intranet.example=office,*.corp.example=office"


@pytest.mark.parametrize(
    ("name", "text", "value"),
    [
        ("port", "0", 0),
        ("port", "65535", 65535),
        ("port", "65536", PORT),
        ("port", "-1", PORT),
        ("port", "", PORT),
        ("port", "\u0663", PORT),
        ("port", "²", PORT),
        ("concurrency", "1", 1),
        ("concurrency", "0", COUNT),
        ("concurrency", "\u0663", COUNT),
        ("concurrency", "1.5", COUNT),
        ("fetch_frames", "0", 0),
        ("fetch_frames", "-1", "is not a whole number"),
        ("fetch_frames", "\u0663", "is not a whole number"),
        ("lease", "0", 0.0),
        ("lease", "-0.1", SECONDS),
        ("lease", "999999999.5", 999_999_999.5),
        ("lease", "1000000000", SECONDS),
        ("lease", "x", SECONDS),
        ("lease", "inf", SECONDS),
        ("ai_price_read", "0", 0.0),
        ("ai_price_read", "-0.5", MONEY),
        ("ai_price_read", "999999999.5", 999_999_999.5),
        ("ai_price_read", "1000000000", MONEY),
        ("ai_price_read", "x", MONEY),
        ("ai_price_read", "nan", MONEY),
        ("ai_url", "", ""),
        ("ai_url", "http://a.test/v1", "http://a.test/v1"),
        ("ai_url", "https://a.test", "https://a.test"),
        ("ai_url", "ftp://a.test", SERVER),
        ("ai_url", "http:///v1", SERVER),
        ("ai_url", "http://a.test/?x=1", SERVER),
        ("ai_url", "http://a.test/#x", SERVER),
        ("share_history", "YES", True),
        ("share_history", "1", True),
        ("share_history", "on", True),
        ("share_history", "true", True),
        ("share_history", "No", False),
        ("share_history", "0", False),
        ("share_history", "off", False),
        ("share_history", "false", False),
        ("share_history", "2", "is neither yes nor no"),
        ("smtp_security", "TLS", "tls"),
        ("smtp_security", "ssl", "is none of starttls, tls, none"),
        ("log_level", "Error", "error"),
        ("log_level", "all", "is none of debug, info, warning, error"),
        ("log_format", "JSON", "json"),
        ("log_format", "xml", "is neither text nor json"),
        ("allow_networks", " ,", ()),
        ("allow_networks", "10.0.0.1/8", (ipaddress.ip_network("10.0.0.0/8"),)),
        ("allow_networks", "10", NETWORKS),
        ("host_proxies", " a = b , ,c=d ", (("a", "b"), ("c", "d"))),
        ("host_proxies", "a=", HOSTS),
        ("host_proxies", "=b", HOSTS),
        ("host_proxies", "a=b,c", HOSTS),
        ("unverified_hosts", " a ,,b", ("a", "b")),
        ("unverified_hosts", "", ()),
        ("proxies", "a=socks4a://p", (("a", "socks4a://p"),)),
        (
            "proxies",
            "a=http://",
            "has no address for a; write http, https, socks5, socks5h, socks4, socks4a:// and a host",
        ),
    ],
)
def test_a_text_is_a_value_or_is_refused(name: str, text: str, value: Any):
    try:
        found = getattr(read_settings({name: text}, environment={}), name)
    except SettingRefused as refused:
        said = "its value" if name == "proxies" else repr(text)
        found = str(refused).removeprefix(f"--{name.replace('_', '-')}: {said} ")
    assert found == value


def test_a_data_folder_at_home_is_found():
    assert read_settings({"data": "~/x"}, environment={}).data == Path.home() / "x"


def test_where_each_setting_was_said_is_known(tmp_path: Path):
    (tmp_path / "webvigil.toml").write_text("port = 1\nuser = 'kim'\nlease = 5\n")
    environment = {"WEBVIGIL_USER": "jill", "WEBVIGIL_LEASE": "6", "OTHER": "x"}
    settings = read_settings({"data": tmp_path, "lease": 7, "host": None}, environment=environment)
    assert settings.given == {
        "port": f"port in {tmp_path / 'webvigil.toml'}",
        "user": "WEBVIGIL_USER",
        "lease": "--lease",
        "data": "--data",
    }
    assert (settings.port, settings.user, settings.lease) == (1, "jill", 7.0)
    (tmp_path / "webvigil.toml").write_text("port = 70000")
    with pytest.raises(SettingRefused, match=r"^port in .*webvigil.toml: '70000' is not a port number"):
        read_settings({"data": tmp_path}, environment={})


def test_the_file_in_the_folder_that_the_environment_names_is_read(tmp_path: Path):
    (tmp_path / "webvigil.toml").write_text("port = 7")
    other = tmp_path / "other"
    other.mkdir()
    (other / "webvigil.toml").write_text("port = 8")
    environment = {"WEBVIGIL_DATA": str(tmp_path)}
    assert read_settings(environment=environment).port == 7
    assert read_settings({"data": str(other)}, environment=environment).port == 8
    assert read_settings(environment=environment, file=other / "webvigil.toml").port == 8


def test_a_database_elsewhere_has_no_file():
    settings = read_settings({"database": "postgresql://db.test/x", "objects": "s3://tea"}, environment={})
    assert (settings.database_url, settings.sqlite_file, settings.objects_url) == (
        "postgresql://db.test/x",
        None,
        "s3://tea",
    )
    assert read_settings(environment={}).sqlite_file == Path("data/webvigil.sqlite3")
