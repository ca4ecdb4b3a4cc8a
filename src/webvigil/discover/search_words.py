"""Words in, a service class out that asks them: words that the user gives, or words of the site itself.

A search knows nothing of "water" on a site about ships. So a user may say what to ask, and where a class
allows it, words that the page with the form speaks of are asked before the examples of the class.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace

from webvigil.discover.description import Argument, Example, ServiceClass
from webvigil.discover.types import Types
from webvigil.discover.views import Views
from webvigil.document import form_words as known_words
from webvigil.errors import SettingRefused

MOST_GIVEN = 20
"""Most words that a user may give."""
_MOST_OF_SITE = 2
_NAMED = re.compile(r"([\w.-]+)=(.*)", re.DOTALL)
_WORD = re.compile(r"[^\W\d_]{4,30}")
# Links of a page whose words are counted; a page of an index may have thousands.
_MOST_LINKS = 200
# Words that stand on the pages of most sites, whatever the sites are about.
_EVERYWHERE = """
    home page pages main start site website web portal welcome menu navigation navigate contents content help
    about contact privacy policy terms imprint legal disclaimer cookies language english deutsch français
    español italiano login logout account user users username member members guest anonymous profile
    preferences settings admin recent changes change history index list table view views show hide more less
    next previous first last back forward from with your this that these those here there have been will what
    when where which while their they them then than into over under only other others also some many most
    each every between after before because search find results result query advanced filter sort order date
    time today yesterday year month week title author name type size file files format download upload print
    share feed feeds link links related category categories special random article articles news blog wiki
    tools tool version source code edit create new delete comment comments discussion talk summary description
    status priority powered generated copyright rights reserved license licence project projects issue issues
    ticket tickets repository commit commits branch branches tree blob diff tags toggle skip jump close open
    save cancel submit send loading javascript enabled required error warning info information startseite
    seite seiten suche hilfe impressum datenschutz anmelden accueil recherche aide connexion inicio ayuda
    buscar
    pagina página
"""


def asked(service: ServiceClass, given: Sequence[str]) -> ServiceClass:
    """Returns the class with examples that ask the given words, before its own. `NAME=WORDS` is for one
    argument of the class, other words are for its first required argument. Raises SettingRefused for an
    unknown argument or for words that it cannot take."""
    if len(given) > MOST_GIVEN:
        raise SettingRefused(f"at most {MOST_GIVEN} questions can be given")
    made = tuple(_example(service, values) for values in _questions(service, given))
    return replace(service, examples=(*made, *service.examples)) if made else service


def with_words_of(views: Views, service: ServiceClass) -> ServiceClass:
    """Returns the class with examples that ask words of this page, if the class allows it. Given words come
    before them."""
    first = service.examples[0] if service.examples else None
    argument = next((one for one in first.arguments if one.site), None) if first else None
    if first is None or argument is None:
        return service
    given = [one for one in service.examples if one.given]
    told = {value for one in service.examples for value in (each.value for each in one.arguments)}
    words = [word for word in site_words(views) if word not in told][:_MOST_OF_SITE]
    made = [_with(first, {argument.name: word}, given=False) for word in words]
    return replace(service, examples=(*given, *made, *(one for one in service.examples if not one.given)))


def site_words(views: Views) -> list[str]:
    """Returns the words that a page speaks of most: those of its headings and links, but no word that most
    sites have."""
    counted: Counter[str] = Counter()
    for text, weight in _speaking(views):
        for word in dict.fromkeys(_WORD.findall(text.casefold())):
            counted[word] += weight
    body = Counter(_WORD.findall(views("text").casefold()))
    best = [word for word in counted if word not in _common()]
    return sorted(best, key=lambda word: (-counted[word] - min(body[word], 5), -len(word), word))


def _speaking(views: Views) -> Iterator[tuple[str, int]]:
    digest = views.digest
    for heading in digest.headings[:50]:
        yield heading.text, 3
    for _, text in views.links[:_MOST_LINKS]:
        if len(text) <= 60:
            yield text, 1


def _common() -> frozenset[str]:
    listed = [
        getattr(known_words, name) for name in dir(known_words) if name.isupper() and not name.startswith("_")
    ]
    return frozenset(_WORD.findall(" ".join([_EVERYWHERE, *listed]).casefold()))


def _questions(service: ServiceClass, given: Sequence[str]) -> list[dict[str, str]]:
    """Returns the questions as values by argument. Values for different arguments belong to one question
    until an argument is named again."""
    names = {one.name for example in service.examples for one in example.arguments}
    plain = next(one.name for one in service.examples[0].arguments if one.required)
    found: list[dict[str, str]] = []
    for text in given:
        named = _NAMED.fullmatch(text.strip())
        name, value = (named[1], named[2].strip()) if named and named[1] in names else (plain, text.strip())
        if not value:
            raise SettingRefused("a question to ask is empty")
        if not found or name in found[-1]:
            found.append({})
        found[-1][name] = value
    return found


def _example(service: ServiceClass, values: dict[str, str]) -> Example:
    for example in service.examples:
        if values.keys() <= {one.name for one in example.arguments}:
            made = _with(example, values, given=True)
            types = Types(service)
            for one in made.arguments:
                if one.name in values and not one.iterator and not types.fits(one.type, one.value):
                    raise SettingRefused(f"{one.value[:60]!r} cannot be asked: {one.name!r} is a {one.type}")
            return made
    raise SettingRefused(f"no example of the class has the arguments {', '.join(values)} together")


def _with(example: Example, values: dict[str, str], *, given: bool) -> Example:
    def filled(argument: Argument) -> Argument:
        return replace(argument, value=values[argument.name]) if argument.name in values else argument

    return replace(example, arguments=tuple(map(filled, example.arguments)), given=given)
