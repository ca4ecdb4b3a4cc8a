"""Specimens in, a site full of form services out: members of the shipped classes, and look-alikes.

`databases` holds the answers, `tongues` the languages, `looks` how forms and results are written, and
`passages` the pages between them. `members` combines these into some ninety services, `rarities` adds some
made by hand, and `look_alikes` holds services that must not be recognised.
"""

from tests.zoo.look_alikes import look_alikes
from tests.zoo.members import members
from tests.zoo.rarities import rarities
from tests.zoo.specimen import Specimen, settle

__all__ = ["Specimen", "look_alikes", "members", "rarities", "settle"]
