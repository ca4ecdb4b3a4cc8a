"""Who may read metrics without a token."""

from __future__ import annotations

from ipaddress import ip_network

import pytest

from webvigil.app.operating.insiders import is_inside

OFFICE = [ip_network("10.1.0.0/16"), ip_network("2001:db8::/32")]


@pytest.mark.parametrize("address", ["127.0.0.1", "::1", "::ffff:127.0.0.1", "10.1.2.3", "2001:db8::7"])
def test_this_machine_and_the_networks_of_the_operator_are_inside(address: str):
    assert is_inside(address, OFFICE)


@pytest.mark.parametrize("address", ["", "testclient", "127.0.0.1, 10.1.2.3", "192.0.2.1", "10.2.0.1", "::2"])
def test_others_and_what_is_no_address_are_outside(address: str):
    assert not is_inside(address, OFFICE)


def test_what_a_proxy_passed_on_is_not_from_this_machine():
    assert not is_inside("127.0.0.1", OFFICE, forwarded=True)
    assert is_inside("10.1.2.3", OFFICE, forwarded=True)
