"""The exceptions of WebVigil, as a tree. The name of an exception tells the caller what can be done next.

WebVigilError                 one clear sentence for a person, never a traceback
├── MistakeInText             a sentinel or service class cannot be read: line, column, what was expected
├── SentinelRefused           a sentinel reads well but must not be installed
│   └── NameTaken             … because the user has another sentinel of that name
├── ServiceRefused            the given profile of a service is not valid
├── NotFound                  no such sentinel, page, version, change, user
├── SettingRefused            a setting has a value that cannot be used
├── PageError                 a page could not be fetched or read
│   ├── PageUnreachable       passes by itself: time-out, connection, 5xx
│   │   ├── StepFailed        … because a step before the page was read failed
│   │   ├── HostUnreachable   … and the whole host is affected, not only the page: no name, no connection
│   │   └── HostBusy          … because the host asks for a rest: 429, 503
│   ├── PageRefused           needs a person: 4xx, a forbidden address, too large
│   │   └── CertificateRefused  … because the certificate of the host is not valid
│   └── DocumentRefused       the bytes came, but cannot be read as a document
├── PatternRefused            a selector, an XPath or a regular expression cannot be used
├── XPackError                a packed file is damaged, hostile, cut off or of a newer format
├── EventRefused              an event or rule cannot be defined this way
│   └── EndlessRules          … because rules raise each other's events without end
├── StoreError                the knowledge base or the page repository failed
│   ├── StoreBusy             passes by itself: locked, connection lost, server restarting
│   ├── StoreRefused          needs a person: foreign file, newer version, no permission, disk full
│   │   └── KeyMissing        … because a value was sealed with another secret_key
│   └── ObjectLost            an object named by a row cannot be read any more: cut, flipped, bad disk
│       ├── ObjectMissing     … because the object is not there
│       └── VersionLost       … and with it a version of a page
├── ChannelError              a notice could not be delivered
│   ├── ChannelBusy           passes by itself
│   │   └── ChannelLocked     … when the operator restores the secret_key that the contact was sealed with
│   └── ChannelRefused        needs a person
├── ModelError                a language model did not say what a change means
│   ├── ModelBusy             passes by itself: no connection, time-out, 429, 5xx
│   └── ModelRefused          needs a person: key, model, address, or not the protocol
├── PeerError                 another WebVigil server that shares work with this one
│   ├── PeerUnreachable       passes by itself: no connection, time-out, resting
│   ├── PeerRefused           the peer said no, or needs a person: not known, not confirmed
│   └── MessageRefused        a message of a peer cannot be believed
├── RemoteError               a WebVigil server that a command asks
│   ├── RemoteUnreachable     passes by itself: no connection, time-out, busy
│   └── RemoteRefused         the server said no, or needs a person: token, certificate, another version,
│                             not WebVigil
└── ServerRefused             serving is impossible: port in use, no permission
"""

import unicodedata


class WebVigilError(Exception):
    """The root of all exceptions that WebVigil raises on purpose. `transient` says whether trying again later
    may help."""

    transient = False


class MistakeInText(WebVigilError):
    """A text cannot be read. The exception says where the mistake is and what to write instead."""

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
        """Returns the message, the line with the mistake (cut to fit a screen) and a caret under the wrong
        word."""
        lines = text.removeprefix("\ufeff").split("\n")
        line = lines[self.line - 1].rstrip("\r") if self.line <= len(lines) else ""
        # Cutting 60 characters before the mistake and 100 in all keeps the caret on a screen of usual width.
        first = max(0, self.column - 61)
        shown, before = line[first : first + 100], line[first : self.column - 1]
        under = shown[len(before) :][: max(1, len(self.word))]
        return f"{self}\n  {_visible(shown)}\n  {_as_wide(before, ' ')}{_as_wide(under, '^') or '^'}"


def _as_wide(text: str, mark: str) -> str:
    """Returns as many marks as the text has columns on a screen. Tabs stay tabs, because their width depends
    on the terminal."""
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


class StepFailed(PageUnreachable):
    """A step in the browser failed. `number` counts from 1, `picture` is what the browser showed then (b"" if
    it showed nothing)."""

    def __init__(self, message: str, *, number: int, picture: bytes = b"") -> None:
        super().__init__(message)
        self.number = number
        self.picture = picture


class HostUnreachable(PageUnreachable):
    pass


class HostBusy(PageUnreachable):
    """The host asks for a rest. `wait` is its length in milliseconds, 0 if the host did not say."""

    def __init__(self, message: str, *, wait: int = 0) -> None:
        super().__init__(message)
        self.wait = wait


class PageRefused(PageError):
    pass


class CertificateRefused(PageRefused):
    """The certificate of a host is not valid."""


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
    """The store failed. The message names folders and databases, so it is for the log and for the person who
    runs the command; users of a server read `told` instead."""

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
    """A version of a page cannot be read any more; `number` is the number of that version."""

    def __init__(self, number: int, reason: str) -> None:
        super().__init__(f"version {number} cannot be read any more: {reason}")
        self.number = number


class ChannelError(WebVigilError):
    pass


class ChannelBusy(ChannelError):
    """The receiver cannot take the notice now. `wait` is the rest it asked for in milliseconds, 0 if it did
    not say."""

    transient = True

    def __init__(self, message: str, *, wait: int = 0) -> None:
        super().__init__(message)
        self.wait = wait


class ChannelLocked(ChannelBusy):
    pass


class ChannelRefused(ChannelError):
    pass


class ModelError(WebVigilError):
    pass


class ModelBusy(ModelError):
    """The model cannot answer now. `wait` is the rest that its server asked for in milliseconds, 0 if it did
    not say; `worked` says that it may have worked for the question all the same."""

    transient = True

    def __init__(self, message: str, *, wait: int = 0, worked: bool = False) -> None:
        super().__init__(message)
        self.wait = wait
        self.worked = worked


class ModelRefused(ModelError):
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
    """A message of a peer cannot be believed. `reason` is one word for programs and counters; each reason has
    always the same sentence."""

    def __init__(self, reason: str, message: str) -> None:
        super().__init__(message)
        self.reason = reason
