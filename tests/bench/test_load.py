"""The report of a load generator is read: answers are counted, and a run with failed requests is refused."""

from __future__ import annotations

import pytest

from bench.peers.load import answers_in

REPORT = """Running 2s test @ http://127.0.0.1:1/
  1 threads and 4 connections
  Thread Stats   Avg      Stdev     Max   +/- Stdev
    Latency     3.14ms    1.00ms  20.00ms   90.00%
  2460 requests in 2.00s, 1.20MB read{}
Requests/sec:   1229.90
"""


def test_the_answers_are_counted():
    assert answers_in(REPORT.format("")) == 2460


@pytest.mark.parametrize(
    "report",
    [
        REPORT.format("\n  Non-2xx or 3xx responses: 3"),
        REPORT.format("\n  Socket errors: connect 0, read 4, write 0, timeout 0"),
        REPORT.replace("2460", "0").format(""),
        "",
    ],
)
def test_what_was_no_answer_is_not_counted(report: str):
    with pytest.raises(RuntimeError, match="did not answer"):
        answers_in(report)
