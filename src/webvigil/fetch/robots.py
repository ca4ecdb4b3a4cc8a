"""An address in, an error out if the host's robots.txt forbids the visit; its rules are kept for a day (F4).

If there is no robots.txt (4xx), everything may be visited. If it cannot be read (5xx, no answer), nothing is
visited until it can be, unless older rules are known (RFC 9309).
"""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from urllib.parse import urlsplit

from protego import Protego

from webvigil.errors import HostBusy, PageRefused, PageUnreachable
from webvigil.fetch.client import Ask, Asks
from webvigil.fetch.shared_call import SingleFlight
from webvigil.model.moment import HOUR, Millis
from webvigil.model.page import place_of
from webvigil.model.version import retry_after

# RFC 9309: robots.txt should not be used for longer than a day.
_A_DAY = 24 * 3600.0
# After this many seconds a robots.txt that could not be read is asked for again.
_SOON = 600.0
# RFC 9309 asks for at least 500 KiB; the number of hosts bounds the memory.
_LARGEST = 2_000_000
_HOSTS_REMEMBERED = 20_000
LONGEST_DELAY: Millis = HOUR  # a longer Crawl-delay is shortened to this


@dataclass(frozen=True, slots=True)
class Rules:
    """The rules of one host. If `trouble` is set, they could not be read, and nothing may be visited."""

    text: Protego
    until: float
    trouble: str = ""


class Robots:
    """The rules of all hosts that were visited lately. `now` returns seconds on a steady clock."""

    def __init__(self, client: Asks, *, now: Callable[[], float] = time.monotonic) -> None:
        self._client = client
        self._now = now
        self._name = client.user_agent.partition("/")[0].strip() or client.user_agent
        self._known: OrderedDict[str, Rules] = OrderedDict()
        self._flights: SingleFlight[str, Rules] = SingleFlight()

    async def judge(self, url: str) -> None:
        """Raises PageRefused if the host forbids the visit, PageUnreachable if its rules cannot be read."""
        origin = _origin(url)
        rules = self._known.get(origin)
        if rules is None or rules.until <= self._now():
            rules = await self._flights.do(origin, lambda: self._renewed(origin))
        if rules.trouble:
            raise PageUnreachable(rules.trouble)
        if not rules.text.can_fetch(url, self._name):
            raise PageRefused(f"robots.txt of {urlsplit(url).netloc} does not want robots to visit this page")

    def delay(self, host: str) -> Millis:
        """Returns the pause between requests that the host's robots.txt asks for; 0 if none, or if it is not
        known."""
        known = [rules for scheme in ("https", "http") if (rules := self._known.get(f"{scheme}://{host}"))]
        delays = [rules.text.crawl_delay(self._name) or 0 for rules in known]
        return min(int(max(delays, default=0) * 1000), LONGEST_DELAY)

    async def _renewed(self, origin: str) -> Rules:
        """Fetches the rules and keeps them. If they cannot be read, the older rules are used on."""
        rules = await self._asked(origin)
        older = self._known.pop(origin, None)
        if rules.trouble and older and not older.trouble:
            rules = Rules(older.text, rules.until)
        self._known[origin] = rules
        while len(self._known) > _HOSTS_REMEMBERED:
            self._known.popitem(last=False)
        return rules

    async def _asked(self, origin: str) -> Rules:
        """Fetches robots.txt. If there is no connection to the host, that error is raised and not
        remembered."""
        try:
            reply = await self._client.ask(Ask(url=f"{origin}/robots.txt", limit=_LARGEST))
        except PageRefused as error:
            raise type(error)(f"{error} (asked for its robots.txt)") from error
        answer = reply.answer
        if answer.status == 429:
            raise HostBusy("the server answered 429 for its robots.txt", wait=retry_after(answer))
        if answer.status >= 500:
            trouble = f"robots.txt cannot be read (the server answered {answer.status}), so we stay away"
            return Rules(Protego.parse(""), self._now() + _SOON, trouble)
        text = answer.body.decode("utf-8", "replace") if answer.status == 200 else ""
        return Rules(Protego.parse(text), self._now() + _A_DAY)


@lru_cache(4096)  # the same pages are looked at again and again
def _origin(url: str) -> str:
    scheme, host = place_of(url)
    return f"{scheme}://{host}"
