"""Annotated page pairs in, precision and recall per change type out.

    python -m bench.quality [--type T] [--show-misses] [--json]

The corpus is a set of self-made page pairs by genre; what a careful reader expects to be told is
written by hand next to each pair, in the words of `expect`.
"""
