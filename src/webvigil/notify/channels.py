"""The table of channels, by their word in `Notify By …`.

A new channel is one line here, one module in this package, and its construction in `app.telling.delivery`.
"""

from __future__ import annotations

from typing import Literal, NamedTuple


class Kind(NamedTuple):
    """Whom a channel reaches, and what its address is. A channel without an address has an empty text
    there."""

    reaches: Literal["people", "programs", "nobody"]
    address: str
    help: str


CHANNELS: dict[str, Kind] = {
    "email": Kind("people", "an e-mail address", "A mail with text and HTML."),
    "webhook": Kind("programs", "a web address", "Signed JSON for a program."),
    "apprise": Kind("people", "the name of a service", "Chat, SMS, push and others, through Apprise."),
    "bulletin": Kind("nobody", "", "Your page of reports on the dashboard."),
    "feed": Kind("nobody", "", "Atom feeds at secret addresses."),
    "log": Kind("programs", "", "A line of JSON in the program's log."),
}

FOR_PEOPLE = tuple(name for name, kind in CHANNELS.items() if kind.reaches == "people")
