"""A `When` condition and the findings of a check in, yes or no out: decides whether a sentinel notifies (T1).

    changed > 50%        the largest share of the watched content that changed; without %, the number of
                         changed objects
    inserted >= 3        the number of new objects; also deleted, updated, moved; with %, their share of
                         the watched content
    score > 1500         the sum of the scores of all findings
    appears "sold out"   the new version contains the text and the old version does not; also disappears
    value < 10           a watched value is below 10 in the new version
    value between 5 and 9   a watched value is at least 5 and at most 9 in the new version
    status >= 500        the page answers so; no answer at all counts as 0
    contains "sold out"  the new version contains the text; also by an expression
    in stock             the product of the page can be had; also out of stock
    price < 100          the product costs less than 100; also between
    becomes …            the condition holds on the new version and does not on the old one
    value drops 10%      a watched value is lower by a tenth (without %: by 10) than at the last
                         notification of this sentinel; also of a price
    means "it is sold out"  a language model says that the change means this; asked later (J1)
    … in css "#stock"    a text or a value is looked for in this part of the page, whatever is watched

`drops`, `rises` and `moves` compare with the version of the sentinel's last notification, or with its first
version, so that many small steps add up. If the watched part has vanished, the sentinel notifies whatever its
condition says.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from decimal import Decimal
from operator import eq, ge, gt, le, lt, ne
from typing import Any

from webvigil.detect import product
from webvigil.detect.find import find
from webvigil.detect.quantities import parse_value
from webvigil.detect.sequences import Haystack, finder
from webvigil.detect.shop.availability import IN_STOCK, OUT_OF_STOCK
from webvigil.detect.shop.products import Product
from webvigil.detect.status import status_of
from webvigil.detect.value import found
from webvigil.detect.wording import folded, folded_words
from webvigil.document import PageDigest
from webvigil.document.masks import view
from webvigil.document.patterns import compile_pattern
from webvigil.model.change import Finding, ObjectChange, Status
from webvigil.model.logic import holds, rest
from webvigil.model.sentinel import (
    MOVES,
    OF_PRODUCTS,
    Becomes,
    ChangeType,
    Condition,
    Part,
    WhenCondition,
    conditions_of,
    is_about_meaning,
)

_COMPARISONS: dict[str, Callable[[Any, Any], bool]] = {
    "<": lt, "<=": le, ">": gt, ">=": ge, "=": eq, "!=": ne,
}  # fmt: skip
_STATUSES = {
    "inserted": (Status.NEW, Status.MORE),
    "deleted": (Status.GONE, Status.FEWER),
    "updated": (Status.UPDATED,),
    "moved": (Status.MOVED,),
    "changed": tuple(Status),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """The facts a condition is judged by.

    `findings` compares the previous version with the new one, `since` compares the version of the last
    notification with the new one. `look` returns both versions of the watched part. `vanished` says that the
    watched part is no longer on the page. `changes` are the change types that the sentinel watches.
    `look_since` returns the versions that `since` compares; if it is None, they are those of `look`.
    """

    findings: tuple[Finding, ...]
    since: tuple[Finding, ...]
    look: Callable[[], tuple[PageDigest, PageDigest]]
    vanished: bool = False
    changes: tuple[ChangeType, ...] = ()
    look_since: Callable[[], tuple[PageDigest, PageDigest]] | None = None


def worth_telling(condition: WhenCondition | None, case: Case) -> bool | WhenCondition:
    """Returns True if there is no condition, if the watched part has vanished, or if the condition holds. If
    that depends on what the change means, returns what is left of the condition: only `means`, with AND, OR
    and NOT."""
    if condition is None or case.vanished:
        return True
    left: bool | WhenCondition = rest(
        condition, lambda one: None if is_about_meaning(one) else _is_met(one, case)
    )
    return left


def measures_values(condition: WhenCondition | None) -> bool:
    """Returns True if some part of the condition asks how far a value has moved (drops, rises, moves)."""
    return any(one.operator in MOVES for one in conditions_of(condition))


def _is_met(condition: Condition | Becomes, case: Case) -> bool:
    match condition:
        case Becomes(operand):
            return _began(operand, case)
        case Condition("appears"):
            return _appears(condition, *case.look())
        case Condition("disappears"):
            return _appears(condition, *reversed(case.look()))
        case Condition("value" | "price", "drops" | "rises" | "moves"):
            return any(_moved(condition, one) for one in _moving(condition, case))
        case Condition("value", part=None):
            return any(_is(condition, one) for one in _changed_values(case) or _standing_values(case, 1))
        case Condition("price") if changed := _changed_prices(case):
            return any(_is(condition, one) for one in changed)
    if condition.is_state:
        return _stood(condition, case, 1)
    return _is(condition, _amount(condition, case.findings))


def _is(condition: Condition, amount: Decimal | float | None) -> bool:
    if amount is None or condition.number is None:
        return False
    if condition.upper is not None:
        return Decimal(str(condition.number)) <= Decimal(str(amount)) <= Decimal(str(condition.upper))
    # Decimal(0.1) is 0.1000000000000000055…; going through the text keeps the number that the user wrote.
    return _COMPARISONS[condition.operator](Decimal(str(amount)), Decimal(str(condition.number)))


# --- how much -------------------------------------------------------------------------------------


def _amount(condition: Condition, findings: tuple[Finding, ...]) -> float:
    """Returns the number that a condition on score, share or number of objects is compared with."""
    if condition.subject == "score":
        return sum(one.score for one in findings)
    statuses = _STATUSES[condition.subject]
    if condition.unit == "%":
        return max((100 * one.share * _part(one, statuses) for one in findings), default=0.0)
    return sum(_count(one.objects, statuses) for one in findings)


def _part(finding: Finding, statuses: tuple[Status, ...]) -> float:
    """Returns which share of the changed objects of a finding has one of these statuses."""
    every = _count(finding.objects, tuple(Status))
    return _count(finding.objects, statuses) / every if every else 0.0


def _count(objects: Iterable[ObjectChange], statuses: tuple[Status, ...]) -> int:
    """Counts the changed objects with these statuses. A link that occurs three times more often counts three
    times."""
    return sum(_times(one) for one in objects if one.status in statuses)


def _times(one: ObjectChange) -> int:
    return abs(one.new - one.old) if one.old is not None and one.new is not None else 1


# --- texts ----------------------------------------------------------------------------------------


def _appears(condition: Condition, before: PageDigest, after: PageDigest) -> bool:
    """Returns True if the new version contains the text of the condition and the old version does not."""
    return not _stands(condition, before) and _stands(condition, after)


def _stands(condition: Condition, digest: PageDigest) -> bool:
    """Returns True if the page contains the text of the condition, or its part does if it names one.

    A regular expression is searched in the visible text. Other texts are searched word by word, ignoring
    case; a text without any word, such as `€`, is searched as characters.
    """
    text = condition.text
    if condition.part:
        digest = view(digest.whole, (condition.part,))
    if condition.operator == "matches":
        return compile_pattern(text).occurs_in(digest.shown.text)
    words = folded_words(text)
    if words:
        return bool(finder(words).counts(Haystack(digest.words.words)))
    return folded(" ".join(text.split())) in folded(digest.visible_text)


def _stood(condition: WhenCondition, case: Case, side: int) -> bool:
    """Returns True if a state holds on the old version (`side` 0) or on the new one (1)."""

    def is_true(one: Condition) -> bool:
        match one.subject:
            case "contains":
                return _stands(one, case.look()[side])
            case "status":
                return _is(one, status_of(case.look()[side]))
            case "in stock" | "out of stock" | "price":
                return bool(_fitting(one, case, side))
        numbers = _numbers_at(one.part, case, side) if one.part else _standing_values(case, side)
        return any(_is(one, number) for number in numbers)

    return holds(condition, is_true)


def _began(condition: WhenCondition, case: Case) -> bool:
    """Returns True if a state holds now and did not before. Of several products each is asked by itself."""
    if isinstance(condition, Condition) and condition.subject in OF_PRODUCTS:
        return bool(_fitting(condition, case, 1) - _fitting(condition, case, 0))
    return _stood(condition, case, 1) and not _stood(condition, case, 0)


# --- products -------------------------------------------------------------------------------------


def _fitting(condition: Condition, case: Case, side: int) -> set[str]:
    """Returns what the products of one version are called that a condition holds for. The only product of a
    page has the same name in both."""
    every = [product.found(one, _product(case)) for one in case.look()]
    alone = all(len(some) <= 1 for some in every)
    return {"" if alone else one.key for one in every[side] if _fits(condition, one)}


def _fits(condition: Condition, one: Product) -> bool:
    match condition.subject:
        case "in stock":
            return one.availability in IN_STOCK
        case "out of stock":
            return one.availability in OUT_OF_STOCK
    return one.price is not None and _is(condition, one.price.low)


def _product(case: Case) -> ChangeType:
    """Returns the change type that says which products count: those that the sentinel watches, or the page's
    own."""
    return next((one for one in case.changes if one.kind == _PRODUCT.kind), _PRODUCT)


_PRODUCT = ChangeType("product")


def _changed_prices(case: Case) -> list[Decimal]:
    """Returns the prices that products have now, of those whose price changed."""
    changed = (one for finding in case.findings if finding.type == _PRODUCT.kind for one in finding.objects)
    numbers = (_number(one.after) for one in changed if one.object == product.PRICE)
    return [number for number in numbers if number is not None]


# --- values ---------------------------------------------------------------------------------------


def _moving(condition: Condition, case: Case) -> Iterable[ObjectChange]:
    """Returns the values or prices that may have moved since the last notification."""
    look = case.look_since or case.look
    if condition.subject == "price":
        found = find(*look(), _product(case)).objects
        return [one for one in found if one.object == product.PRICE]
    if condition.part:
        old, new = look()
        return find(old.whole, new.whole, _value_at(condition.part)).objects
    return _values(case.since)


def _numbers_at(part: Part, case: Case, side: int) -> list[Decimal | None]:
    return [one.value.number for one in found(case.look()[side].whole, _value_at(part))]


def _value_at(part: Part) -> ChangeType:
    return ChangeType("value", (str(part.argument),), part.by)


def _values(findings: tuple[Finding, ...]) -> Iterator[ObjectChange]:
    """Yields the changed objects of the `value` findings, or of all findings if the sentinel watches no
    value."""
    chosen = [one for one in findings if one.type == "value"] or findings
    return (one for finding in chosen for one in finding.objects)


def _changed_values(case: Case) -> list[Decimal | None]:
    """Returns the numbers that changed values have now."""
    return [_number(one.after) for one in _values(case.findings)]


def _standing_values(case: Case, side: int) -> list[Decimal | None]:
    """Returns the numbers of all watched values on one version, whether they changed or not. A sentinel that
    watches no value has the numbers of what was found."""
    watched = [one for one in case.changes if one.kind == "value"]
    if not watched:
        return [_number(one.after if side else one.before) for one in _values(case.findings)]
    return [one.value.number for change in watched for one in found(case.look()[side], change)]


def _moved(condition: Condition, one: ObjectChange) -> bool:
    """Returns True if a value moved by at least the asked amount. Values of different units never do."""
    old, new = parse_value(one.before or ""), parse_value(one.after or "")
    before, after = old.number, new.number
    if before is None or after is None or condition.number is None or len({old.unit, new.unit} - {""}) > 1:
        return False
    step = {"drops": before - after, "rises": after - before}.get(condition.operator, abs(after - before))
    asked = Decimal(str(condition.number))
    if condition.unit == "%":
        asked = abs(before) * asked / 100
    return step > 0 and step >= asked


def _number(text: str | None) -> Decimal | None:
    return parse_value(text).number if text else None
