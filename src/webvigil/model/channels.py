"""The table of channels by the word in `Notify By …`: one row for each, which all other packages read.

The module of `notify` that makes a channel is found by its row; verification, delivery, the commands, the
dashboard and the reference go through the rows. CONTRIBUTING.md says what a new channel needs beside its row.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import Literal, NamedTuple, get_args

# The channels whose contacts are kept, with a secret or a confirmation (`webvigil contact add`).
Kept = Literal["email", "webhook", "apprise", "feed"]
KEPT: tuple[str, ...] = get_args(Kept)


class ChannelKind(NamedTuple):
    """Whom a channel reaches, and what its address is; a channel that takes no address has an empty one.

    `checked` says how an address is verified: as a mail or a web address, or only that there is one. `ask`
    is what to tell a user who left the address out. `module` is the module of `notify` that makes the
    channel, where that is not named as the channel is. `needs` is the setting without which the channel
    cannot be used, and `lacking` what that means in words.
    """

    reaches: Literal["people", "programs", "nobody"]
    address: str
    help: str
    checked: Literal["mail", "web", "given"] = "given"
    ask: str = ""
    module: str = ""
    needs: str = ""
    lacking: str = ""


CHANNELS = MappingProxyType(
    {
        "email": ChannelKind(
            "people",
            "an e-mail address",
            "A mail with text and HTML.",
            checked="mail",
            needs="smtp_host",
            lacking="the operator has named no mail server",
        ),
        "webhook": ChannelKind("programs", "a web address", "Signed JSON for a program.", checked="web"),
        "apprise": ChannelKind(
            "people",
            "the name of a service",
            "Chat, SMS, push and others, through Apprise.",
            ask='say which service is meant: apprise "NAME" '
            "(add it with 'webvigil contact add apprise NAME')",
            module="services",
        ),
        "bulletin": ChannelKind("nobody", "", "Your page of reports on the dashboard.", module="silent"),
        "feed": ChannelKind("nobody", "", "Atom feeds at secret addresses.", module="silent"),
        "log": ChannelKind("programs", "", "A line of JSON in the program's log."),
    }
)

FOR_PEOPLE = tuple(name for name, kind in CHANNELS.items() if kind.reaches == "people")
