"""An answer and the last good version of its page in, the reason to doubt that it is the page out (Q6).

An answer that keeps half of what the page said is the page, unless it keeps only the frame of the site (menu,
header, footer) around a password field or under the title of a non-page. Any other answer is compared with
what servers send in place of a page (`nonpages`). Only forms that the last good version did not have count: a
page that always was a log-in form, or speaks of maintenance every day, is itself. An answer without such a
form that is far shorter, of another kind or from another address may be what the page has become. It is worth
a second request, and no more.

The bounds below are covered by tests/fetch/test_suspicion.py; run it again after changing one.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from itertools import islice
from urllib.parse import urlsplit

from webvigil.detect.shop.availability import OUT_OF_STOCK
from webvigil.detect.shop.products import Product, products
from webvigil.document import PageDigest
from webvigil.document.arrays import distinct
from webvigil.document.main import shell
from webvigil.fetch import nonpages
from webvigil.model.doubt import Suspicion
from webvigil.model.version import Answer

KEPT = 0.5
"""An answer that keeps this share of the texts, or of the words, of the last good version is the page."""

SHORT = 200
"""A page of fewer characters is short by nature, so neither its length nor its phrases make it suspicious."""

FEW_WORDS = 600
"""In a text of at most so many characters a phrase counts anywhere; in a longer text only in a heading."""

ONE_SCREEN = 1_500
"""Log-in forms and captchas are shorter than this; longer texts are pages that contain such a form."""

FAR_SHORTER = 0.25
"""An answer with at most this share of the known text has lost most of its page. `./test-real` shows whether
another share believes maintenance pages or doubts real ones."""

_WORD = re.compile(r"\w+")
_ENDS = re.compile(rb"</(?:html|body|rss|feed|rdf:rdf|urlset|sitemapindex|opml|svg)\s*>", re.IGNORECASE)
# Bytes at the end of a body in which a closing tag is searched; the most headings of a page that are read;
# and the most members that a JSON object with an error message may have.
_TAIL = 2_000
_MOST_HEADINGS = 20
_MOST_MEMBERS = 50
_CHECKS = ("challenge-platform", "challenges.cloudflare.com/cdn-cgi", "_cf_chl_opt", "ddos-guard", "awswaf")
_CAPTCHAS = (
    *("g-recaptcha", "recaptcha/api", "recaptcha/enterprise", "h-captcha", "hcaptcha.com", "cf-turnstile"),
    *("captcha-delivery.com", "px-captcha", "geetest", "smartcaptcha", "friendlycaptcha", "mtcaptcha"),
)
_ERROR_KEYS = frozenset(
    ("error", "errors", "errorcode", "error_code", "errormessage", "error_message", "fault", "exception")
)
_TELLING_KEYS = frozenset(("message", "detail", "msg", "reason", "title"))
_BESIDE_ERRORS = frozenset(
    ("status", "statuscode", "code", "success", "ok", "type", "instance", "path", "timestamp", "requestid")
)
_NAMES = {"html": "HTML", "xml": "XML", "json": "JSON", "text": "plain text", "binary": "a file"}


@dataclass(frozen=True, slots=True)
class LastGood:
    """The last good version: its digest, and a function that loads its bytes when they are needed."""

    page: PageDigest
    body: Callable[[], bytes]

    @property
    def url(self) -> str:
        """The address it came from, after redirects."""
        return self.page.source_url


def suspicion_of(answer: Answer, page: PageDigest, last: LastGood) -> Suspicion | None:
    """Returns what the answer seems to be, or None if it is the page, changed or not. `page` is the digest of
    the answer."""
    if _reads_alike(page, last.page) and not _has_password(page):
        return None
    if _is_cut(answer.body, page, last):
        return Suspicion("cut", "is cut off")
    if _share_of_texts(last.page, page) >= KEPT:
        return _in_the_frame(answer, page, last)
    if _is_empty(page):
        return None if _is_empty(last.page) else _without_text(page)
    if page.kind == "json":
        return _json_trouble(page, last.page)
    known, now = last.page.visible_text, page.visible_text
    if _share(_words(known), _words(now)) >= KEPT:
        return _in_the_frame(answer, page, last)
    return (
        _known_form(answer, page, last)
        or _elsewhere(answer.url, last.url)
        or _another_kind(page, last.page)
        or _far_shorter(now, known)
    )


def first_suspicion(answer: Answer, page: PageDigest) -> Suspicion | None:
    """Returns what the first answer of a page seems to be, when there is no version to compare it with."""
    if _is_empty(page):
        return _without_text(page)
    if page.kind == "json":
        return None
    text = page.visible_text
    found = _forms(answer, page, text, wordy=True, screen=FEW_WORDS)
    return _said(found[0]) if found else None


def is_login_form(page: PageDigest) -> bool:
    """Tells whether a page has little but a form that asks for a password."""
    return page.is_html and _has_password(page) and len(page.visible_text) <= FEW_WORDS


def lost_product(last: PageDigest, page: PageDigest) -> Suspicion | None:
    """Returns a suspicion if a page had a product with a price and an availability and does not show them any
    more: shops often send a page before they know its data. What is out of stock needs no price."""
    match products(last), products(page):
        case [_], []:
            return Suspicion("product", "shows no product any more", clear=False)
        case [before], [now]:
            return _lost_offer(before, now)
    return None


def _lost_offer(before: Product, now: Product) -> Suspicion | None:
    if before.availability and not now.availability:
        return Suspicion("product", "shows no availability any more", clear=False)
    if before.price and not now.price and now.availability not in OUT_OF_STOCK:
        return Suspicion("product", "shows no price any more", clear=False)
    return None


def _reads_alike(page: PageDigest, known: PageDigest) -> bool:
    """Tells whether two pages differ in attributes and comments at most. The signatures of a stored digest
    tell it without reading the digest."""
    return (
        page.kind == known.kind
        and page.same_content(known)
        and page.same_tags(known)
        and page.same_structure(known)
    )


# --- what does not depend on words ------------------------------------------------------------------


def _is_cut(body: bytes, page: PageDigest, last: LastGood) -> bool:
    """Returns True if the answer has no closing tag and is a beginning of the last good version: its lines
    are known, and the last lines are missing. A page that merely omits optional closing tags still has its
    last lines."""
    if last.page.kind == "json":
        return page.kind == "text" and body.lstrip()[:1] in (b"{", b"[")
    if last.page.kind not in ("html", "xml") or _has_end(body):
        return False
    lines, known = page.visible_text.splitlines(), last.page.visible_text.splitlines()
    if not lines or len(lines) >= len(known) or known[-1] in lines:
        return False
    return _share(set(lines[:-1]), set(known)) >= KEPT and _has_end(last.body())


def _has_end(body: bytes) -> bool:
    return bool(_ENDS.search(body[-_TAIL:]))


def _is_empty(page: PageDigest) -> bool:
    """Returns True if the page has no text and no image."""
    if page.kind == "binary":
        return False
    if page.kind in ("json", "xml") and not page.is_html:
        return len(page) <= 1
    return not page.visible_text.strip() and not page.images


def _without_text(page: PageDigest) -> Suspicion:
    """Returns what a page without any text is. The fields of a form may be named by their placeholders."""
    return _said("log-in") if page.is_html and _has_password(page) else Suspicion("empty", "is empty")


def _elsewhere(url: str, known: str) -> Suspicion | None:
    """Returns a suspicion if the answer came from another address than the last good version."""
    to, before = _place(url), _place(known)
    if to == before:
        return None
    if to[0] == before[0] and not to[1]:
        return Suspicion("elsewhere", "leads to the first page of its site")
    return Suspicion("elsewhere", f"leads elsewhere, to {url}", clear=False)


def _another_kind(page: PageDigest, known: PageDigest) -> Suspicion | None:
    if page.kind == known.kind or page.is_html == known.is_html is True:
        return None
    said = f"answers with {_NAMES[page.kind]} in place of {_NAMES[known.kind]}"
    return Suspicion("another kind", said, clear=False)


def _far_shorter(now: str, known: str) -> Suspicion | None:
    if len(known) < SHORT or len(now) > FAR_SHORTER * len(known):
        return None
    return Suspicion("far shorter", "is far shorter than before", clear=False)


def _json_trouble(page: PageDigest, known: PageDigest) -> Suspicion | None:
    """Returns a suspicion if the answer is JSON that tells of an error and the last good version was not."""
    wrong = Suspicion("error", "answers with an error in place of the page")
    if known.kind != "json":
        return wrong if _tells_error(page) else _another_kind(page, known)
    kept = (_members(page) & _members(known)) - _BESIDE_ERRORS - _TELLING_KEYS
    return wrong if _tells_error(page) and not _tells_error(known) and not kept else None


def _tells_error(page: PageDigest) -> bool:
    """Returns True if the outermost members of the JSON object are those of an error message."""
    members = _members(page)
    if members & _ERROR_KEYS:
        return True
    return bool(members & _TELLING_KEYS) and members <= _TELLING_KEYS | _BESIDE_ERRORS


def _members(page: PageDigest) -> set[str]:
    """Returns the names of the outermost members that have a value. An object with many members gives none,
    because error messages have few."""
    outer = page.children(0)
    is_small = outer and page.tag(outer[0]) == "object" and page.structure[outer[0]] <= _MOST_MEMBERS
    nodes = page.children(outer[0]) if is_small else []
    named = ((page.attribute(node, "key") or "", node) for node in nodes)
    return {name.lower() for name, node in named if page.text(node) not in ("", "null", "false")}


# --- the forms of non-pages -------------------------------------------------------------------------


def _known_form(answer: Answer, page: PageDigest, last: LastGood) -> Suspicion | None:
    """Returns the first form of a non-page that the answer has and the last good version had not. Lines that
    both have in common, such as a menu, are left out.

    A page with a log-in box beside its text is no log-in page: what its parts show excuses the same parts in
    the answer, but no title or phrase."""
    known = last.page.visible_text
    lines = set(known.splitlines())
    new = "\n".join(line for line in page.visible_text.splitlines() if line not in lines)
    spoken = _by_words(last.page, known, wordy=True)
    if nonpages.asks_for_login(urlsplit(last.url).path):
        spoken.append("log-in")
    before = [*spoken, *_by_parts(None, last.page, known, ONE_SCREEN)]
    fresh = [kind for kind in _by_parts(answer, page, new, ONE_SCREEN) if kind not in before]
    fresh += [kind for kind in _by_words(page, new, wordy=len(known) >= SHORT) if kind not in spoken]
    if (
        nonpages.asks_for_login(urlsplit(answer.url).path)
        and answer.url != last.url
        and "log-in" not in before
    ):
        fresh.append("log-in")
    return _said(fresh[0]) if fresh else None


def _in_the_frame(answer: Answer, page: PageDigest, last: LastGood) -> Suspicion | None:
    """Returns what the answer is if it only keeps what stands around the text on all pages of its site."""
    if not _says_it_is_none(page, last.page) or _share(_own_texts(last.page), set(page.texts)) >= KEPT:
        return None
    return _known_form(answer, page, last)


def _says_it_is_none(page: PageDigest, last: PageDigest) -> bool:
    """Tells whether the answer has the title of a non-page, or a password field and little else, and the last
    good version had not."""
    if page.title != last.title and nonpages.in_titles((page.title,)):
        return not nonpages.in_titles((last.title,))
    return _has_password(page) and not _has_password(last) and len(page.visible_text) <= ONE_SCREEN


def _own_texts(page: PageDigest) -> set[str]:
    """Returns the texts that readers see, without those in the frame of the site."""
    nodes = distinct(page.words.nodes)
    return {page.text(node) for node in nodes[~shell(page)[nodes]].tolist()}


def _forms(
    answer: Answer | None, page: PageDigest, text: str, *, wordy: bool, screen: int = ONE_SCREEN
) -> list[str]:
    """Returns the kinds of non-page that a page looks like, the surest first.

    `text` is the part of its text that counts. If `wordy`, phrases in the text count, not only those in the
    title. In a text of more than `screen` characters a password field or a captcha says nothing.
    """
    return list(dict.fromkeys([*_by_parts(answer, page, text, screen), *_by_words(page, text, wordy=wordy)]))


def _by_words(page: PageDigest, text: str, *, wordy: bool) -> list[str]:
    """Returns the kinds that the title names and, if `wordy`, the headings and phrases of the text."""
    found = nonpages.in_titles((page.title, *_headings(page, text)) if wordy else (page.title,))
    return found + (nonpages.in_text(text) if wordy and len(text) <= FEW_WORDS else [])


def _by_parts(answer: Answer | None, page: PageDigest, text: str, screen: int) -> list[str]:
    """Returns the kinds that headers, scripts, captchas and password fields show."""
    if answer and (answer.header("cf-mitigated") or "").lower() == "challenge":
        return ["check"]
    if not page.is_html or len(text) > screen:
        return []
    named = "\n".join((*page.attribute_values, *(one for one in page.texts if "_cf_chl_opt" in one))).lower()
    found = ["check"] if any(mark in named for mark in _CHECKS) else []
    found += ["captcha"] if any(mark in named for mark in _CAPTCHAS) else []
    return found + (["log-in"] if _has_password(page) else [])


def _has_password(page: PageDigest) -> bool:
    kinds = (page.attribute(node, "type") for node in page.nodes_of("input").tolist())
    return any((kind or "").strip().lower() == "password" for kind in kinds)


def _headings(page: PageDigest, text: str) -> list[str]:
    """Returns the first headings of levels 1 and 2, as far as they are in the text that counts."""
    lines = set(text.splitlines())
    upper = (" ".join(one.text.split()) for one in page.headings if one.level <= 2)
    return list(islice((one for one in upper if one in lines), _MOST_HEADINGS))


def _said(kind: str) -> Suspicion:
    return Suspicion(kind, nonpages.KINDS[kind].said)


# --- measuring --------------------------------------------------------------------------------------


def _share(known: set[str], now: set[str]) -> float:
    """Returns the share of the known items that is still there."""
    return len(known & now) / len(known) if known else 0.0


def _share_of_texts(known: PageDigest, now: PageDigest) -> float:
    """Returns the share of the known texts that is still there. Texts of white space do not count."""
    texts = set(known.texts)
    gone = texts.difference(now.texts)
    counted = _visible(texts)
    return (counted - _visible(gone)) / counted if counted else 0.0


def _visible(texts: set[str]) -> int:
    return len(texts) - sum(map(str.isspace, texts))


def _words(text: str) -> set[str]:
    return set(_WORD.findall(text.lower()))


def _place(url: str) -> tuple[str, str]:
    """Returns host and path of an address, without what rarely makes another page: scheme, `www.`, last
    slash, query."""
    parts = urlsplit(url)
    return (parts.netloc.rpartition("@")[2].lower().removeprefix("www."), parts.path.rstrip("/"))
