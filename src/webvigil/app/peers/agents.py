"""Personal agents: sent to a peer, recalled, and guests of peers admitted by this server's rules (B1).

A personal agent works for one sentinel at another server. While the agent is away, the sentinel rests at
home.
"""

from __future__ import annotations

import json
import secrets
from contextlib import suppress
from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING, Protocol
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from webvigil.app.peers.roster import peer_named
from webvigil.app.sentinels.by_hand import HandStore, disable, enable
from webvigil.app.sentinels.registry import RegistryStore, verifier
from webvigil.app.settings import Settings
from webvigil.community.mediator import House
from webvigil.community.openness import OpenHosts
from webvigil.errors import NameTaken, NotFound, PeerRefused, SentinelRefused
from webvigil.language import parse, print_sentinel
from webvigil.model.agent import Agent, Goals
from webvigil.model.approach import PLAIN
from webvigil.model.moment import DAY, as_datetime
from webvigil.model.peer import Peer
from webvigil.model.sentinel import (
    FetchEvery,
    Sentinel,
    SeveralTargets,
    Target,
    WebPage,
    approach_of,
    questions_of,
    render_of,
)
from webvigil.store.promises import Agents, Peers, Schedule, Versions
from webvigil.trigger.scores import new_taste

if TYPE_CHECKING:
    from webvigil.model.shapes import AgentShape

# Agents of one user that may be away at the same time.
MOST_AWAY = 1000
_OVER = ("refused", "recalling")


class AgentStore(HandStore, Protocol):
    """The parts of the knowledge base that sending and recalling agents needs."""

    agents: Agents
    peers: Peers
    schedule: Schedule
    versions: Versions


def send_agent(knowledge: AgentStore, settings: Settings, name: str, peer: str) -> Agent:
    """Sends the agent of a sentinel to a peer and disables the sentinel here. `peer` is an address or the
    beginning of a fingerprint.

    Raises PeerRefused or SentinelRefused if the agent cannot go.
    """
    if not settings.community:
        raise PeerRefused("this server shares its work with no others; see the setting community")
    installed = knowledge.sentinels.get(settings.user, name)
    sentinel = parse(installed.text)[0]
    _refuse_unfit(sentinel)
    if any(knowledge.versions.page(page.id).login for page in installed.pages):
        raise SentinelRefused(f"{name} sees its pages by a log-in of yours, which stays here")
    away = knowledge.agents.all("away", user=settings.user)
    if any(one.goals.name == name and one.state not in _OVER for one in away):
        raise SentinelRefused(f"the agent of {name} is away already; recall it first")
    if len(away) >= MOST_AWAY:
        raise SentinelRefused(f"{len(away)} of your agents are away; that is enough")
    found = _known_peer(knowledge.peers, peer)
    for one in away:
        if one.goals.name == name and one.state == "refused":
            knowledge.agents.remove(one.id)
    owner = knowledge.users.get(settings.user)
    goals = Goals(name=name, text=print_sentinel(_bare(sentinel)), taste=owner.taste, zone=owner.zone)
    agent = Agent(
        id=secrets.token_hex(16),
        side="away",
        peer=found.key,
        user=settings.user,
        goals=goals,
        state="sending",
        at=knowledge.schedule.now(),
    )
    knowledge.agents.put(agent)
    disable(knowledge, settings.user, name)
    return agent


def recall_agent(knowledge: AgentStore, user: str, name: str) -> Agent:
    """Calls agents of a sentinel back. The sentinel watches here again at once; the peer is told as soon as
    it can be reached. Raises NotFound if no agent is away."""
    found = [one for one in knowledge.agents.all("away", user=user) if one.goals.name == name]
    if not found:
        raise NotFound(f"no agent of {name!r} is away")
    for one in found:
        if one.state == "refused":
            knowledge.agents.remove(one.id)
        else:
            watch_again(knowledge, one)  # first, so that a failure after it leaves no page unwatched
            knowledge.agents.put(replace(one, state="recalling", reason=""))
    return found[-1]


def rest(knowledge: HandStore, agent: Agent) -> None:
    """Disables the sentinel of an agent that is on its way, so that only one of the two watches."""
    with suppress(NotFound):
        if knowledge.sentinels.get(agent.user, agent.goals.name).enabled:
            disable(knowledge, agent.user, agent.goals.name)


def watch_again(knowledge: HandStore, agent: Agent) -> None:
    """Enables the sentinel of an agent again. Does nothing if the sentinel was removed or its life span has
    ended."""
    with suppress(NotFound, SentinelRefused):
        enable(knowledge, agent.user, agent.goals.name)


def _known_peer(peers: Peers, name: str) -> Peer:
    found = peer_named(peers, name)
    if found.state != "known":
        raise PeerRefused(f"{found.url} and this server do not know each other yet; both must say yes")
    return found


def house_of(settings: Settings) -> House:
    return House(
        agents=settings.agents_per_peer, letters=settings.agent_letters, silence=settings.agent_days * DAY
    )


# --- guests --------------------------------------------------------------------------------------------


def admit(knowledge: RegistryStore, settings: Settings, agent: Agent) -> None:
    """Lets the agent of a peer watch here from now on. Steps that were already done are not repeated, so that
    a peer may ask again after an interruption.

    Raises WebVigilError with the reason if the agent may not watch here.
    """
    sentinel = _guest(settings, agent)
    with suppress(NameTaken):
        knowledge.users.add(agent.user, zone=_zone(agent.goals.zone))
    with suppress(NotFound):
        knowledge.sentinels.get(agent.user, sentinel.name)
        return
    if agent.goals.taste:
        knowledge.users.prefer(agent.user, _taste(agent.goals.taste))
    guest = replace(settings, user=agent.user)
    registry = verifier(knowledge, guest, as_datetime(knowledge.schedule.now()))
    refused = registry.take_all([sentinel])
    if refused:
        raise SentinelRefused("; ".join(refused[sentinel.name]))
    planned = registry.planned[sentinel.name]
    if len(planned.pages) > settings.agent_pages:
        raise SentinelRefused(f"an agent may watch {settings.agent_pages} pages here")
    if OpenHosts(settings.share_networks).lead_inside(page.url for page in planned.pages):
        raise SentinelRefused("an agent watches public pages; private networks are for our own users")
    reach = replace(planned.reach, most=settings.agent_pages - len(planned.pages))
    knowledge.sentinels.add(replace(planned, reach=reach, notices=(), priority=0))


def _guest(settings: Settings, agent: Agent) -> Sentinel:
    """Returns the sentinel of an agent as it runs here: it tells nobody but its home, and looks not more
    often than the setting `agent_interval` allows."""
    found = parse(agent.goals.text)
    if len(found) != 1 or found[0].name != agent.goals.name:
        raise SentinelRefused("an agent works for one sentinel")
    _refuse_unfit(found[0])
    slowest = timedelta(seconds=settings.agent_interval)
    fetch = found[0].fetch
    if isinstance(fetch, FetchEvery) and fetch.interval < slowest:
        fetch = replace(fetch, interval=slowest)
    return replace(_bare(found[0]), fetch=fetch)


def _bare(sentinel: Sentinel) -> Sentinel:
    """Returns a sentinel without contacts, urgency and presentation, because these are decided at its
    home."""
    return replace(
        sentinel, contacts=(), notify=None, priority=None, topics=(), message=None, summary=None, present=None
    )


def _refuse_unfit(sentinel: Sentinel) -> None:
    if not _is_open(sentinel.target):
        raise SentinelRefused(
            "an agent watches pages that everybody sees: no forms, and not the pages of another sentinel"
        )
    if render_of(sentinel) == "browser":
        raise SentinelRefused("an agent does not render pages in a browser at a peer")
    if approach_of(sentinel) != PLAIN:
        raise SentinelRefused(
            "an agent at a peer goes no way of its own: leave out Through, Agent and Timeout"
        )
    if questions_of(sentinel.when):
        raise SentinelRefused("an agent asks no language model of a peer: leave out means")


def _is_open(target: Target) -> bool:
    match target:
        case WebPage(url):
            return "@" not in url.partition("?")[0]
        case SeveralTargets(_, targets):
            return all(map(_is_open, targets))
    return False


def _zone(name: str) -> str:
    try:
        ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return "UTC"
    return name


def _taste(text: str) -> str:
    """Returns the taste of an agent's owner if a user of this server could have written it; raises
    SentinelRefused otherwise."""
    try:
        plain = json.loads(text)
        new_taste(dict(plain.get("weights", {})).items(), plain.get("interests", ()))
    except (ValueError, TypeError, AttributeError, RecursionError) as error:
        raise SentinelRefused("what the owner of the agent cares about cannot be read") from error
    return text


def agent_as_json(peers: Peers, agent: Agent) -> AgentShape:
    """Returns an agent as JSON. `peer` is the server where the agent is, or where a guest comes from."""
    peer = peers.get(agent.peer)
    return {
        "sentinel": agent.goals.name,
        "side": agent.side,
        "peer": peer.url if peer else "",
        "state": agent.state,
        "reason": agent.reason,
        "since": as_datetime(agent.at).isoformat(),
        "heard_at": as_datetime(agent.heard_at).isoformat() if agent.heard_at else None,
        "letters": agent.letters if agent.side == "away" else None,
    }
