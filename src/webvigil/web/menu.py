"""The entries under *More*: a user in, the places that this user may open out."""

from __future__ import annotations

from typing import NamedTuple

from webvigil.model.user import User


class Entry(NamedTuple):
    """A place of the dashboard. `starts` draws a line above the entry, because another kind of place begins
    with it."""

    name: str
    path: str
    icon: str
    words: str
    about: str
    admin: bool = False
    starts: bool = False


ENTRIES = (
    Entry("summaries", "/summaries", "note", "Summaries", "Changes summed up by day, week or topic"),
    Entry("topics", "/topics", "tag", "Topics", "What counts for all sentinels of a topic"),
    Entry("pages", "/pages", "page", "Pages", "Every page that is watched, with its versions"),
    Entry("discover", "/discover", "globe", "Discover", "Search the web for services to watch"),
    Entry("shares", "/account/shares", "share", "Shared links", "Changes that you showed to others"),
    Entry("moving", "/import", "file", "Import and export", "Sentinels from files and other programs"),
    Entry(
        "telling",
        "/account/telling",
        "bell",
        "Contacts and feeds",
        "Whom to tell, quiet hours, messages that were not delivered",
        starts=True,
    ),
    Entry("health", "/health", "heart", "Health", "Failing pages, notices and the journal", admin=True),
    Entry("users", "/users", "user", "Users", "Accounts and sign-in links", admin=True),
    Entry("community", "/community", "link", "Community", "Servers that share the work", admin=True),
    Entry("settings", "/settings", "gear", "Settings", "How this server is set up", admin=True),
    Entry("account", "/account", "user", "Account", "Time zone, password, tokens, log-ins", starts=True),
)


def menu_of(user: User) -> list[Entry]:
    return [one for one in ENTRIES if user.role == "admin" or not one.admin]
