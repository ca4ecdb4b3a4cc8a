"""Settings come from defaults, file, environment and command line; a wrong one is refused with its origin."""

from __future__ import annotations

import ipaddress
from dataclasses import fields
from pathlib import Path
from typing import get_origin, get_type_hints

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
