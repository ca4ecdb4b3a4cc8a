"""What we raise, as a tree. The name tells the caller what can be done next.

WebVigilError                 one clear sentence for a person, never a traceback
├── MistakeInText             a sentinel or service class cannot be read: line, column, what was expected
├── SentinelRefused           a sentinel reads well but must not be installed
│   └── NameTaken             … because the user has one of that name
├── ServiceRefused            what is given as the profile of a service is none
├── NotFound                  no such sentinel, page, version, change, user
├── SettingRefused            a setting has a value that cannot be used
├── PageError                 a page could not be fetched or read
│   ├── PageUnreachable       passes by itself: time-out, connection, 5xx
│   │   ├── HostUnreachable   … and it is not the page but its whole host: no name, no connection
│   │   └── HostBusy          … because the host asks for a rest: 429, 503
│   ├── PageRefused           needs a person: 4xx, a forbidden address, too large
│   └── DocumentRefused       the bytes came, but cannot be taken for a document
├── PatternRefused            a selector, an XPath or a regular expression that cannot be used
├── XPackError                a packed file that is damaged, hostile, cut off or newer than we are
├── EventRefused              an event or rule that cannot be defined so
│   └── EndlessRules          … because rules raise each other's events without end
├── StoreError                the knowledge base or the page repository
│   ├── StoreBusy             passes by itself: locked, connection lost, server restarting
│   ├── StoreRefused          needs a person: foreign file, newer version, no permission, disk full
│   │   └── KeyMissing        … because something was sealed with another secret_key
│   └── ObjectLost            an object that a row names cannot be read any more: cut, flipped, bad disk
│       ├── ObjectMissing     … because it is not there
│       └── VersionLost       … and with it a version of a page
├── ChannelError              a notice could not be delivered
│   ├── ChannelBusy           passes by itself
│   │   └── ChannelLocked     … when somebody brings the key that the contact was sealed with
│   └── ChannelRefused        needs a person
├── PeerError                 another WebVigil that we share work with
│   ├── PeerUnreachable       passes by itself: no connection, time-out, resting
│   ├── PeerRefused           it said no, or needs a person: not known, not confirmed
│   └── MessageRefused        what came is no message that we can believe
├── RemoteError               a WebVigil server that a command asks
│   ├── RemoteUnreachable     passes by itself: no connection, time-out, busy
│   └── RemoteRefused         it said no, or needs a person: token, certificate, another version, not WebVigil
└── ServerRefused             serving is impossible: port in use, no permission
"""

import unicodedata


class WebVigilError(Exception):
    """The root. `transient` says whether trying again later may help."""

    transient = False


class MistakeInText(WebVigilError):
    """A text that cannot be read; says where, and what to write instead."""

    def __init__(
        self,
        message: str,
        *,
        line: int = 1,
        column: int = 1,
        word: str = "",
        expected: tuple[str, ...] = (),
        suggestion: str = "",
    ) -> None:
        super().__init__(message)
        self.message = message
        self.line = line
        self.column = column
        self.word = word
        self.expected = expected
        self.suggestion = suggestion

    def __str__(self) -> str:
        return f"line {self.line}, column {self.column}: {self.message}"

    def pointed(self, text: str) -> str:
        """The sentence, the line it is about (cut to fit a screen) and a caret under the word."""
        lines = text.removeprefix("\ufeff").split("\n")
        line = lines[self.line - 1].rstrip("\r") if self.line <= len(lines) else ""
        first = max(0, self.column - 61)
        shown, before = line[first : first + 100], line[first : self.column - 1]
        under = shown[len(before) :][: max(1, len(self.word))]
        return f"{self}\n  {_visible(shown)}\n  {_as_wide(before, ' ')}{_as_wide(under, '^') or '^'}"


def _as_wide(text: str, mark: str) -> str:
    """As many marks as the text takes on a screen; tabs stay, for nobody knows how wide they are."""
    widths = {"W": 2, "F": 2}
    return "".join(
        "\t" if letter == "\t" else mark * widths.get(unicodedata.east_asian_width(letter), 1)
        for letter in text
        if not unicodedata.combining(letter)
    )


def _visible(line: str) -> str:
    return "".join(letter if letter.isprintable() or letter == "\t" else "\ufffd" for letter in line)


class SentinelRefused(WebVigilError):
    pass


class NameTaken(SentinelRefused):
    pass


class ServiceRefused(WebVigilError):
    pass


class NotFound(WebVigilError):
    pass


class SettingRefused(WebVigilError):
    pass


class PageError(WebVigilError):
    pass


class PageUnreachable(PageError):
    transient = True


class HostUnreachable(PageUnreachable):
    pass


class HostBusy(PageUnreachable):
    """`wait` is the rest the host asked for, in milliseconds; 0 if it did not say."""

    def __init__(self, message: str, *, wait: int = 0) -> None:
        super().__init__(message)
        self.wait = wait


class PageRefused(PageError):
    pass


class DocumentRefused(PageError):
    pass


class PatternRefused(WebVigilError):
    pass


class XPackError(WebVigilError):
    pass


class EventRefused(WebVigilError):
    pass


class EndlessRules(EventRefused):
    pass


class StoreError(WebVigilError):
    """`told` is what the users of a server read instead, where the message speaks of its folders and its
    database: these are for the log and for who runs the command."""

    told = "the store cannot do this; the log of the server says why"


class StoreBusy(StoreError):
    transient = True
    told = "the store is busy; try again in a moment"


class StoreRefused(StoreError):
    pass


class KeyMissing(StoreRefused):
    pass


class ObjectLost(StoreError):
    told = ""


class ObjectMissing(ObjectLost):
    pass


class VersionLost(ObjectLost):
    """`number` is that of the version that cannot be read."""

    def __init__(self, number: int, reason: str) -> None:
        super().__init__(f"version {number} cannot be read any more: {reason}")
        self.number = number


class ChannelError(WebVigilError):
    pass


class ChannelBusy(ChannelError):
    """`wait` is the rest the receiver asked for, in milliseconds; 0 if it did not say."""

    transient = True

    def __init__(self, message: str, *, wait: int = 0) -> None:
        super().__init__(message)
        self.wait = wait


class ChannelLocked(ChannelBusy):
    pass


class ChannelRefused(ChannelError):
    pass


class ServerRefused(WebVigilError):
    pass


class RemoteError(WebVigilError):
    pass


class RemoteUnreachable(RemoteError):
    transient = True


class RemoteRefused(RemoteError):
    pass


class PeerError(WebVigilError):
    pass


class PeerUnreachable(PeerError):
    transient = True


class PeerRefused(PeerError):
    pass


class MessageRefused(PeerError):
    """`reason` is one word for programs and counters; the sentence is always the same for it."""

    def __init__(self, reason: str, message: str) -> None:
        super().__init__(message)
        self.reason = reason
