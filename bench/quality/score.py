"""Precision, recall and the right verdict per change type, held against the floors.

Each pair counts the same: its precision is the share of the told objects that were expected, its recall
the share of the expected facts that were told; a type's figure is the mean over its pairs. A pair in
which nothing may be told has no recall, and precision 0 if something is told.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean
from typing import Any

from bench.quality import real
from bench.quality.corpus import PAIRS
from bench.quality.expect import COMBINED, TYPES, Fact, Pair, digest
from bench.quality.match import Tally, tally
from webvigil.model.change import ObjectChange

FLOORS = Path(__file__).with_name("floors.json")
FIGURES = ("precision", "recall", "verdict")
# Floors are kept with three decimals; a figure may lie this much below what was written.
_ROUNDING = 0.0005


@dataclass(frozen=True, slots=True)
class Answer:
    """What a detector says about a pair."""

    changed: bool
    objects: tuple[ObjectChange, ...] = ()
    trouble: str = ""


Detector = Callable[[Pair], Answer]


@dataclass(frozen=True, slots=True)
class Result:
    """One pair, what the detector said about it, and the tally of both."""

    pair: Pair
    answer: Answer
    tally: Tally

    @property
    def verdict(self) -> bool:
        return not self.answer.trouble and self.answer.changed in {bool(one) for one in self.pair.accounts}

    @property
    def right(self) -> bool:
        return self.verdict and not self.tally.missed and not self.tally.surplus


def product(pair: Pair) -> Answer:
    """Returns what the product says."""
    from webvigil.detect.find import evaluate
    from webvigil.document import read
    from webvigil.language import parse_expression

    old = read(pair.before, pair.content_type, pair.url)
    new = read(pair.after, pair.after_type or pair.content_type, pair.url)
    evaluation = evaluate(old, new, parse_expression(pair.monitor))
    objects = tuple(one for finding in evaluation.findings for one in finding.objects)
    return Answer(evaluation.changed, objects if evaluation.changed else ())


def score(pairs: Iterable[Pair], detector: Detector = product) -> list[Result]:
    return [_result(pair, _answer(pair, detector)) for pair in pairs]


def figures(results: Sequence[Result]) -> dict[str, dict[str, Any]]:
    """Returns the figures per change type, and over all under "all"."""
    kinds = [*TYPES, COMBINED]
    rows = {kind: _row([one for one in results if one.pair.type == kind]) for kind in kinds}
    return {kind: row for kind, row in rows.items() if row["pairs"]} | {"all": _row(results)}


def below(now: dict[str, dict[str, Any]], floors: dict[str, Any]) -> list[str]:
    """Returns what has fallen below its floor, as sentences."""
    return [
        f"{kind}: {figure} {now[kind][figure]:.3f} is below its floor {floor[figure]:.3f}"
        for kind, floor in floors.get("types", {}).items()
        if kind in now
        for figure in FIGURES
        if now[kind][figure] < floor[figure] - _ROUNDING
    ]


def raised(now: dict[str, dict[str, Any]], floors: dict[str, Any], corpus: str) -> dict[str, Any]:
    """Returns the floors for this corpus: never lower than they were, unless the corpus is another one."""
    old = floors.get("types", {}) if floors.get("corpus") == corpus else {}
    kinds = {
        kind: {figure: round(max(row[figure], old.get(kind, {}).get(figure, 0.0)), 3) for figure in FIGURES}
        for kind, row in now.items()
    }
    return {"corpus": corpus, "pairs": now["all"]["pairs"], "types": kinds}


def main(arguments: Sequence[str] | None = None) -> int:
    options = _options().parse_args(arguments)
    if options.real is not None:
        return real.main(Path(options.real))
    pairs = tuple(pair for pair in PAIRS if not options.type or pair.type == options.type)
    if not pairs:
        print(
            f"no pairs of type {options.type!r}; there are: {', '.join([*TYPES, COMBINED])}", file=sys.stderr
        )
        return 2
    results = score(pairs)
    now = figures(results)
    _report(results, now, options)
    return _hold(now, options)


def _hold(now: dict[str, dict[str, Any]], options: argparse.Namespace) -> int:
    """Compares the figures with the floors, or writes new floors if that was asked for. Returns the exit
    code."""
    corpus = digest(PAIRS)
    floors = json.loads(FLOORS.read_text()) if FLOORS.exists() else {}
    if options.raise_floors:
        FLOORS.write_text(json.dumps(raised(now, floors, corpus), indent=2) + "\n")
        return 0
    complaints = [] if options.type else below(now, floors)
    if floors.get("corpus") != corpus:
        complaints.insert(
            0, "the corpus is not the one the floors were set with: --raise-floors sets them again"
        )
    for line in complaints:
        print(line, file=sys.stderr)
    return 1 if complaints else 0


def _answer(pair: Pair, detector: Detector) -> Answer:
    try:
        return detector(pair)
    except Exception as error:  # noqa: BLE001 - a crash is a miss like any other, and is shown as one
        return Answer(changed=False, trouble=f"{type(error).__name__}: {error}")


def _result(pair: Pair, answer: Answer) -> Result:
    return Result(pair, answer, tally(pair, answer.objects))


def _row(results: Sequence[Result]) -> dict[str, Any]:
    precisions = [one.tally.precision for one in results if one.tally.precision is not None]
    recalls = [one.tally.recall for one in results if one.tally.recall is not None]
    return {
        "pairs": len(results),
        "quiet": sum(not one.pair.changed for one in results),
        "right": sum(one.right for one in results),
        "precision": fmean(precisions) if precisions else 1.0,
        "recall": fmean(recalls) if recalls else 1.0,
        "verdict": fmean(one.verdict for one in results) if results else 1.0,
    }


# --- What is shown -------------------------------------------------------------------------------


def _report(results: Sequence[Result], now: dict[str, dict[str, Any]], options: argparse.Namespace) -> None:
    document = {
        "corpus": digest(PAIRS),
        "types": now,
        "misses": [_plain(one) for one in results if not one.right],
    }
    if options.out:
        Path(options.out).write_text(json.dumps(document, indent=2, ensure_ascii=False) + "\n")
    if options.json:
        print(json.dumps(document, indent=2, ensure_ascii=False))
        return
    counts = f"{'pairs':>5} {'quiet':>5} {'right':>5}"
    print(f"{'change type':<20} {counts} {'precision':>9} {'recall':>7} {'verdict':>7}")
    for kind, row in now.items():
        counts = f"{row['pairs']:>5} {row['quiet']:>5} {row['right']:>5}"
        print(f"{kind:<20} {counts} {row['precision']:>9.3f} {row['recall']:>7.3f} {row['verdict']:>7.3f}")
    if options.show_misses:
        for one in results:
            if not one.right:
                print(_miss(one))


def _miss(result: Result) -> str:
    lines = [f"\n{result.pair.name}: {result.pair.monitor}"]
    lines += [f"  expected {_fact(fact)}" for fact in result.pair.accounts[0]] or ["  expected nothing"]
    lines += [f"  told     {_object(one)}" for one in result.answer.objects] or ["  told     nothing"]
    return "\n".join([*lines, f"  trouble  {result.answer.trouble}"] if result.answer.trouble else lines)


def _fact(fact: Fact) -> str:
    given = {
        name: getattr(fact, name) for name in ("status", "object", "before", "after", "shows", "old", "new")
    }
    return f"{fact.sort} " + ", ".join(
        f"{name}={value!r}" for name, value in given.items() if value not in ("", (), None)
    )


def _object(one: ObjectChange) -> str:
    sides = {"old": one.old, "new": one.new, "before": one.before, "after": one.after}
    given = [f"{name}={value!r}" for name, value in sides.items() if value is not None]
    return " ".join([f"{one.status!s:<2} {one.object!r}", *given, *one.where[:2]])


def _plain(result: Result) -> dict[str, Any]:
    return {
        "pair": result.pair.name,
        "monitor": result.pair.monitor,
        "expected": [_fact(fact) for fact in result.pair.accounts[0]],
        "told": [_object(one) for one in result.answer.objects],
        "trouble": result.answer.trouble,
    }


def _options() -> argparse.ArgumentParser:
    options = argparse.ArgumentParser(
        prog="python -m bench.quality", description="How well changes are found."
    )
    options.add_argument("--type", help="only this change type")
    options.add_argument(
        "--show-misses", action="store_true", help="print what was expected and what was told"
    )
    options.add_argument("--json", action="store_true", help="print the figures as JSON")
    options.add_argument("--out", metavar="FILE", help="write the figures as JSON")
    options.add_argument("--raise-floors", action="store_true", help="make the present figures the floors")
    options.add_argument(
        "--real",
        nargs="?",
        metavar="DIR",
        const=str(real.DATA),
        help="check the laws on real page pairs instead (default: the shared data folder beside the project)",
    )
    return options
