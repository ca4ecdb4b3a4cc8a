"""Rules: event, condition, action, priority (E3)."""

from __future__ import annotations

import logging
from typing import Any

import pytest

from tests.events.play import HOUR, SECOND, Play
from webvigil.errors import EndlessRules, EventRefused, NotFound
from webvigil.events import Context, Detector, Occurrence, Plus, Primitive, Rule, RuleFailure, VirtualClock

A, B, C = Primitive("a"), Primitive("b"), Primitive("c")


def writes(page: list[str], word: str) -> Any:
    return lambda _: page.append(word)


def fails(_: Occurrence) -> bool:
    raise ZeroDivisionError("no such luck")


def test_an_action_sees_the_parameters_of_the_event(play: Play) -> None:
    play.watch(A)
    play.detector.raise_event("a", page=7, url="https://site.test/")
    (told,) = play.seen
    assert (told.name, told.parameters) == ("a", {"page": 7, "url": "https://site.test/"})


def test_parameters_are_gathered_from_all_that_made_up_the_event(play: Play) -> None:
    play.watch(A >> B, Context.CUMULATIVE)
    play.detector.raise_event("a", page=1)
    play.detector.raise_event("a", page=2, size=10)
    play.detector.raise_event("b")
    (told,) = play.seen
    assert told.values("page") == (1, 2)
    assert (told.value("page"), told.value("size"), told.value("colour", "none")) == (2, 10, "none")


def test_an_action_waits_for_its_condition(play: Play) -> None:
    play.detector.add(
        Rule(name="big", event=A, condition=lambda it: it.value("size") > 5, action=play.seen.append)
    )
    for size in (3, 9, 5):
        play.detector.raise_event("a", size=size)
    assert [told.value("size") for told in play.seen] == [9]


def test_several_rules_run_by_priority_and_then_as_they_were_added(play: Play) -> None:
    page: list[str] = []
    for name, event, priority in [("low", A, -1), ("first", A, 0), ("second", A | B, 0), ("high", A, 5)]:
        play.detector.add(Rule(name=name, event=event, priority=priority, action=writes(page, name)))
    play.raise_("a")
    assert page == ["high", "first", "second", "low"]


def test_an_event_nobody_listens_to_passes(play: Play) -> None:
    play.detector.raise_event("unheard of")
    assert play.detector.size() == 0


# --- Failing -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("part", ["condition", "action"])
def test_a_failing_rule_harms_no_other(play: Play, caplog: pytest.LogCaptureFixture, part: str) -> None:
    page: list[str] = []
    broken: dict[str, Any] = {"action": writes(page, "never")} | {part: fails}
    play.detector.add(Rule(name="broken", event=A, priority=1, **broken))
    play.detector.add(Rule(name="sound", event=A, action=writes(page, "sound")))
    with caplog.at_level(logging.WARNING):
        play.raise_("a")
    assert page == ["sound"]
    (failure,) = play.failures
    assert (failure.rule.name, failure.part, failure.occurrence.name) == ("broken", part, "a")
    assert str(failure) == f"rule 'broken' failed in its {part} on a: ZeroDivisionError: no such luck"
    assert str(failure) in caplog.text


def test_a_failing_report_harms_nobody_either(caplog: pytest.LogCaptureFixture) -> None:
    def report(failure: RuleFailure) -> None:
        raise OSError("no line")

    detector = Detector(VirtualClock(Play().clock.now()), on_failure=report)
    detector.add(Rule(name="broken", event=A, action=fails))
    detector.raise_event("a")
    detector.raise_event("a")
    assert caplog.text.count("Could not report the failure of rule broken.") == 2


def test_a_stop_from_outside_is_not_taken_for_a_failure(play: Play) -> None:
    def interrupted(_: Occurrence) -> None:
        raise KeyboardInterrupt

    play.detector.add(Rule(name="stop", event=A, action=interrupted))
    play.watch(B)
    with pytest.raises(KeyboardInterrupt):
        play.raise_("a")
    assert play.tell("b") == ["b.1"]


# --- Raising events ----------------------------------------------------------------------------------


def test_an_action_may_raise_events(play: Play) -> None:
    """Event s1 starts an hour after a, and s2 starts when s1 does (JIT 4.3)."""
    detector = play.detector
    detector.add(Rule(name="start s1", event=Plus(A, HOUR), action=lambda _: detector.raise_event("b")))
    detector.add(Rule(name="start s2", event=B, action=lambda _: detector.raise_event("c")))
    play.watch(C)
    play.raise_("a")
    play.clock.advance(2 * HOUR)
    assert play.times() == [HOUR]


def test_what_rules_raise_happens_breadth_first(play: Play) -> None:
    page: list[str] = []

    def on(name: str, *then: str) -> None:
        def act(_: Occurrence) -> None:
            page.append(name)
            for following in then:
                play.detector.raise_event(following)

        play.detector.add(Rule(name=f"on {name}", event=Primitive(name), action=act))

    on("a", "b", "c")
    on("b", "d")
    on("c", "e")
    on("d")
    on("e")
    play.raise_("a")
    assert page == ["a", "b", "c", "d", "e"]


def test_what_a_rule_raises_comes_after_what_it_reacts_to(play: Play) -> None:
    play.detector.add(
        Rule(name="echo", event=A, action=lambda _: play.detector.raise_event("b", label="echo"))
    )
    play.watch(A >> B)
    assert play.tell("a") == ["a.1 echo"]


@pytest.mark.parametrize("fan_out", [1, 2])
def test_rules_that_call_each_other_without_end_are_stopped(fan_out: int) -> None:
    play = Play(longest_cascade=500)

    def raises(name: str) -> Any:
        return lambda _: [play.detector.raise_event(name) for _ in range(fan_out)]

    play.detector.add(Rule(name="ping", event=A, action=raises("b")))
    play.detector.add(Rule(name="pong", event=B, action=raises("a")))
    play.watch(C)
    play.raise_("a")
    assert play.failures
    assert {type(failure.error) for failure in play.failures} == {EndlessRules}
    assert "one cause has led to 500 events raised by rules" in str(play.failures[0])
    assert play.tell("c") == ["c.1"]


@pytest.mark.parametrize(("count", "is_stopped"), [(3, False), (4, True)])
def test_as_many_events_as_the_longest_cascade_may_follow_from_each_cause(
    count: int, is_stopped: bool
) -> None:
    play = Play(longest_cascade=3)
    play.detector.add(
        Rule(name="all", event=A, action=lambda _: [play.detector.raise_event("b") for _ in range(count)])
    )
    for _ in range(2):  # the second cause is counted anew
        play.raise_("a")
        told = [str(failure.error).partition(":")[0] for failure in play.failures]
        assert told == is_stopped * ["one cause has led to 3 events raised by rules, and now to 'b'"]
        play.failures.clear()


def test_a_start_that_many_hang_on_is_not_taken_for_endless(play: Play) -> None:
    for number in range(20_000):
        play.detector.add(
            Rule(
                name=f"s{number}", event=A, action=lambda _, n=number: play.detector.raise_event(f"start {n}")
            )
        )
    play.raise_("a")
    assert play.failures == []


def test_time_does_not_pass_within_a_rule(play: Play) -> None:
    play.watch(Plus(A, SECOND))
    play.detector.add(Rule(name="hurry", event=A, action=lambda _: play.clock.advance(HOUR)))
    play.raise_("a")
    (failure,) = play.failures
    assert isinstance(failure.error, EventRefused)


# --- Coming and going --------------------------------------------------------------------------------


def test_a_disabled_rule_rests_while_its_event_is_still_detected(play: Play) -> None:
    play.watch(A >> B)
    play.detector.disable("watch")
    assert play.tell("a b") == []
    play.detector.enable("watch")
    assert play.tell("b") == ["a.1 b.2"]


def test_a_rule_removed_by_another_does_not_run_any_more(play: Play) -> None:
    play.detector.add(
        Rule(name="spoilsport", event=A, priority=1, action=lambda _: play.detector.remove("watch"))
    )
    play.watch(A)
    assert play.tell("a") == []
    assert [rule.name for rule in play.detector.rules()] == ["spoilsport"]


def test_a_rule_may_replace_itself(play: Play) -> None:
    def once(_: Occurrence) -> None:
        play.detector.remove("once")
        play.watch(A)

    play.detector.add(Rule(name="once", event=A, action=once))
    assert play.tell("a a") == ["a.2"]


def test_names_are_unique_and_known(play: Play) -> None:
    play.watch(A)
    with pytest.raises(EventRefused, match="there is a rule 'watch' already"):
        play.watch(B)
    assert play.detector.size() == 1
    for act in (play.detector.remove, play.detector.enable, play.detector.disable):
        with pytest.raises(NotFound, match="there is no rule 'nobody'"):
            act("nobody")
