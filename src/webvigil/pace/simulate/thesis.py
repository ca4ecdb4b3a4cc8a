"""The results that the thesis reports, to be compared with ours (VIG Tables 4.2 to 4.10)."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Tuning:
    """One line of Tables 4.2 to 4.9: how `bea` was tuned, and what it captured in how many cycles."""

    case: str
    alpha: int
    beta: int
    memory: int
    captured: int
    cycles: int
    convergence: tuple[int, ...]


_TOTALS = """
RFast240   ideal  240   240
RFast240   bea    206   362
RFast240   naive  240   583
Cons240    ideal  240   240
Cons240    bea    239   292
Cons240    naive  240   600
Rand240    ideal  240   240
Rand240    bea    224   343
Rand240    naive  240   800
CONST1000  bea    907  1326
RAND1000   bea    971  1649
"""
"""Case, policy, captured and cycles, from Table 4.10, and from Tables 4.2 and 4.6 for α 4, β 2, H 20."""

_TABLES = """
CONST1000  20  2  2  861  1206  576  229   52    2
CONST1000  20  4  2  907  1326  584  239   71   11
CONST1000  20  6  2  912  1333  585  243   74    8
CONST1000  20  4  4  854  1243  550  247   46    6
CONST1000  20  4  6  842  1219  565  231   34    5
CONST1000  50  2  2  829  1126  583  209   30    3
CONST1000  50  4  2  869  1250  566  236   61    1
CONST1000  50  6  2  849  1223  572  246   35    4
CONST1000  50  4  4  847  1222
CONST1000  50  4  6  813  1198
RAND1000   20  2  2  936  1524  409  470   55    1
RAND1000   20  4  2  971  1649  412  490   65    1
RAND1000   20  6  2  978  1688  418  488   64    1
RAND1000   20  4  4  922  1574  359  508   45    6
RAND1000   20  4  6  917  1572  357  494   59    6
RAND1000   50  2  2  957  1525  434  479   42    1
RAND1000   50  4  2  976  1653  381  524   65    3
RAND1000   50  6  2  983  1662  381  532   68    1
RAND1000   50  4  4  967  1608  380  542   39    3
RAND1000   50  4  6  964  1608  381  533   45    2
"""
"""Case, H, α, β, captured, cycles and, if reported, how often c was 1, 0.5, 0.3 and 0.25."""


def _tuning(line: str) -> Tuning:
    case, *numbers = line.split()
    memory, alpha, beta, captured, cycles, *convergence = map(int, numbers)
    return Tuning(
        case=case,
        alpha=alpha,
        beta=beta,
        memory=memory,
        captured=captured,
        cycles=cycles,
        convergence=tuple(convergence),
    )


TUNINGS = tuple(map(_tuning, _TABLES.strip().splitlines()))

REPORTED: dict[tuple[str, str], tuple[int, int]] = {
    (case, policy): (int(captured), int(cycles))
    for case, policy, captured, cycles in map(str.split, _TOTALS.strip().splitlines())
}
"""(captured, cycles) by case and policy."""
