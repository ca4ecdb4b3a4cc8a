"""A reason against installing a sentinel, with the words of its text that the reason is about."""

from __future__ import annotations


class Objection(str):
    """`about` names words of the sentinel's text in the order in which they stand there, often a clause and
    a word in it. The reason is about the last one that the text has."""

    __slots__ = ("about",)
    about: tuple[str, ...]

    def __new__(cls, said: str, *about: str) -> Objection:
        made = super().__new__(cls, said)
        made.about = about
        return made
