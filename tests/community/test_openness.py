"""Whether a host is public: by all its addresses, remembered for some time (B5)."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from ipaddress import ip_network

import pytest

from webvigil.community.openness import OpenHosts, places_of
from webvigil.model.version import Answer, Frame

PUBLIC, PRIVATE = "93.184.216.34", "10.0.0.1"


class Names:
    """A name server that counts what it is asked."""

    def __init__(self, *addresses: str) -> None:
        self.addresses, self.asked = list(addresses), list[str]()

    def __call__(self, name: str) -> list[str]:
        self.asked.append(name)
        return self.addresses


@pytest.mark.parametrize(
    ("address", "asks"),
    [
        ("http://name.test/", ["name.test"]),
        ("http://name.test:81/", ["name.test"]),
        ("http://me:secret@name.test/", ["name.test"]),
        ("http://a@b@name.test/", ["name.test"]),
        (f"http://{PUBLIC}:80/", []),
        ("http://[2606:2800:220:1::1]:81/", []),
    ],
)
def test_a_name_is_looked_up_without_user_and_port(address: str, asks: list[str]):
    names = Names(PUBLIC)
    assert OpenHosts(lookup=names).are_open([address, address])
    assert names.asked == asks


@pytest.mark.parametrize(("passed", "lookups"), [(599.0, 1), (600.0, 2), (601.0, 2)])
def test_a_verdict_is_remembered_for_ten_minutes(
    passed: float, lookups: int, monkeypatch: pytest.MonkeyPatch
):
    now, names = [1_000.0], Names(PUBLIC)
    monkeypatch.setattr("webvigil.community.openness.time.monotonic", lambda: now[0])
    hosts = OpenHosts(lookup=names)
    assert hosts.are_open(["http://name.test/"])
    now[0] += passed
    assert hosts.are_open(["http://name.test/"])
    assert len(names.asked) == lookups


def test_a_host_that_is_not_public_is_remembered_too():
    names = Names(PRIVATE)
    hosts = OpenHosts(lookup=names)
    assert [hosts.are_open(["http://name.test/"]) for _ in range(2)] == [False, False]
    assert names.asked == ["name.test"]


@pytest.mark.parametrize(("hosts", "lookups"), [(2, 1), (3, 2)])
def test_when_many_hosts_are_remembered_all_are_forgotten(
    hosts: int, lookups: int, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("webvigil.community.openness._MOST", 2)
    names = Names(PUBLIC)
    judge = OpenHosts(lookup=names)
    for number in range(hosts):
        judge.are_open([f"http://n{number}.test/"])
    judge.are_open(["http://n0.test/"])
    assert names.asked.count("n0.test") == lookups


def test_both_ways_of_asking_give_and_remember_the_same():
    async def asked(hosts: OpenHosts) -> list[bool]:
        try:
            return [await hosts.is_open("name.test"), await hosts.is_open("name.test:81")]
        finally:
            await hosts.close()

    for address, expected in ((PUBLIC, True), (PRIVATE, False)):
        names = Names(address)
        hosts = OpenHosts(lookup=names)
        assert asyncio.run(asked(hosts)) == [expected, expected]
        assert hosts.are_open(["http://name.test/"]) is expected


@pytest.mark.parametrize(
    ("addresses", "is_open", "leads_inside"),
    [
        ([PUBLIC], True, False),
        ([PRIVATE], False, True),
        ([PUBLIC, PRIVATE], False, True),
        ([], False, False),
        (["192.168.7.7"], True, False),
    ],
)
def test_all_addresses_count_and_an_operator_may_open_a_network(
    addresses: list[str], is_open: bool, leads_inside: bool
):
    hosts = OpenHosts([ip_network("192.168.7.0/24")], lookup=Names(*addresses))
    assert hosts.are_open(["http://name.test/"]) is is_open
    assert hosts.lead_inside(["http://name.test/"]) is leads_inside
    assert hosts.are_open([])
    assert not hosts.lead_inside([])


def test_the_places_of_an_answer_are_those_that_show_something():
    page = Answer(url="http://a.test/", status=200, headers=(), body=b"a")
    deep = replace(page, url="http://c.test/")
    empty = replace(page, url="http://b.test/", body=b"", frames=(Frame(address="c", answer=deep),))
    assert sorted(places_of(replace(page, frames=(Frame(address="b", answer=empty),)))) == [
        "http://a.test/",
        "http://c.test/",
    ]
