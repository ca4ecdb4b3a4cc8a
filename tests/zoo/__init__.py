"""Specimens in, a site full of form services out: members of the shipped classes, and look-alikes of them.

`databases` knows the answers, `tongues` the languages, `looks` how forms and results are written, `passages` what
stands between them; `members` breeds some ninety services out of these, `rarities` adds some made by hand; `look_alikes` what must not be taken for one.
"""

from tests.zoo.look_alikes import look_alikes
from tests.zoo.members import members
from tests.zoo.rarities import rarities
from tests.zoo.specimen import Specimen, settle

__all__ = ["Specimen", "look_alikes", "members", "rarities", "settle"]
