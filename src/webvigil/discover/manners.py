"""A form in, the reason why it must never be sent out, or "" if it may be sent (S5).

Forms that look as if sending them had an effect are left alone: log-in, purchase, subscription, contact,
upload, account, deletion, and all that writes: edits, previews, new pages, votes, reports. So are consoles,
which run what is typed into them: SQL, commands, programs. The signs are the kinds of the fields, the names
of the form and its buttons, the address and what is sent along. A button that says "search" speaks for its
form, but not against a password field. A form that is sent with POST is left alone as a whole if one of its
buttons acts: its other buttons work on the same thing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from urllib.parse import parse_qsl, unquote, urlsplit

from webvigil.discover.questions import Button, Control, Question
from webvigil.document import form_words as words
from webvigil.document.form_words import (
    act_of_button,
    act_said,
    is_called,
    is_said,
    rank_of_button,
    said,
    tokens,
)

_CARDS = """
    card number|cardnumber|creditcard|credit card|cvv|cvc|iban|kartennummer|kreditkarte|carte bancaire
    numéro de carte|número de tarjeta|tarjeta|numero di carta|номер карты
"""
_EMAIL = "email|e mail|mail|correo|courriel|adresse électronique|メール|邮箱"
_PERSON = """
    first name|firstname|last name|lastname|surname|full name|your name|vorname|nachname|prénom|nom de famille
    nombre|apellido|cognome|phone|telephone|telefon|street|company|firma
"""
_SECRET = ("username", "current-password", "new-password", "one-time-code")
# Hidden fields with these names tell the server what to do.
_COMMANDS = frozenset(("action", "op", "cmd", "do", "task", "mode", "act", "command", "method", "form"))
# What such a field says beside the words above.
_COMMANDED = "update|new|store|write|patch|page put|submit page"
# A question to a database, not "Select a journal from the list".
_SELECT = re.compile(r"(?s)\s*(?:SELECT\b.{1,2000}?\sFROM|[Ss]elect\s+\*\s+[Ff]rom)\b")
_METHODS = frozenset(("put", "patch", "delete"))


def refusal(question: Question, *, post: bool) -> str:
    """Returns why a form is left alone, or "" if it may be sent."""
    reason = next(_reasons(question), "")
    if reason:
        return f"it looks like {reason}"
    if not usable_buttons(question):
        word, kind = _about_button(question.buttons[0])
        return f"it looks like {kind}: its button says {word!r}"
    posts = all(question.verb(button) != "GET" for button in usable_buttons(question))
    if post and posts and (reason := _without_sign(question)):
        return reason
    if posts and not post:
        return "it is sent with POST, which is not allowed"
    return ""


def acts(text: str) -> bool:
    """Tells whether a link with this text or address looks as if following it had an effect."""
    return act_said(text) is not None


def acts_at_once(text: str, address: str) -> bool:
    """Tells whether a link may do something as soon as it is followed: log out, delete, vote, fill a basket.
    Its text says so, or a part of its address."""
    parts = urlsplit(address)
    named = (*parts.path.split("/"), *(value for _, value in parse_qsl(parts.query)))
    return is_said(words.AT_ONCE, text, 4) or any(is_said(words.AT_ONCE, unquote(one), 2) for one in named)


def usable_buttons(question: Question) -> tuple[Button, ...]:
    """Returns the buttons that may be pressed, a search button first. A form without buttons is sent by the
    Enter key."""
    buttons = question.buttons or (Button(),)
    harmless = [button for button in buttons if not _about_button(button)[0]]
    return tuple(sorted(harmless, key=lambda button: rank_of_button(button.text)))


def _reasons(question: Question) -> Iterator[str]:
    yield from filter(None, map(_about_control, question.controls))
    if question.riddle:
        yield f"a form for people only: it has a {question.riddle!r}"
    yield from _by_console(question)
    yield from _by_files(question)
    yield from _by_commands(question)
    yield from _by_shape(question)
    yield from _by_writing(question)
    yield from _by_order(question)
    yield from _by_buttons(question)
    if not searches(question):
        yield from _by_names(question)


def searches(question: Question) -> bool:
    """Tells whether a button of the form says that it searches, or whether the form has a search field or is
    called a search."""
    speaks = any(said(words.SEARCH, button.text) for button in usable_buttons(question))
    named = any(said(words.SEARCH, name) for name in question.about)
    return speaks or named or any(control.kind == "search" for control in question.controls)


def _about_control(control: Control) -> str:
    if control.kind == "password":
        return "a log-in: it asks for a password"
    if control.kind != "hidden" and (word := _called(control, words.RIDDLE)):
        return f"a form for people only: it asks for a {word!r}"
    if control.autocomplete.startswith("cc-") or any(said(_CARDS, word) for word in control.words[:3]):
        return f"a purchase: it asks for a card ({control.name[:40]!r})"
    if control.autocomplete in _SECRET:
        return f"a log-in: it asks for a {control.autocomplete}"
    return ""


def _about_button(button: Button) -> tuple[str, str]:
    """Returns the word that forbids pressing a button and what the word means, or two "" if the button may be
    pressed."""
    return act_of_button(button.text, button.value, button.name)


def _by_buttons(question: Question) -> Iterator[str]:
    """Yields the acting buttons of a form that is sent with POST."""
    for button in question.buttons:
        word, kind = _about_button(button)
        word, kind = (word, kind) if word else (said(words.UPDATE, button.text or button.value), "a change")
        if word and question.verb(button) != "GET":
            yield f"{kind}: its button says {word!r}"


def _without_sign(question: Question) -> str:
    """Returns why a form that is sent with POST is left alone although nothing speaks against it: nothing
    speaks for it, either."""
    said_by = [
        *map(_shown, question.buttons),
        *question.about,
        question.lead,
        unquote(urlsplit(question.action).path),
    ]
    asks = any(said(listed, text) for listed in (words.SEARCH, words.ASK, words.QUESTION) for text in said_by)
    return "" if asks or _asks(question) else "nothing says that it only asks, and it is sent with POST"


def _by_files(question: Question) -> Iterator[str]:
    """Yields a file that must be sent. Where a large field takes the same question, the file may be left
    out."""
    files = [control for control in question.controls if control.kind == "file"]
    instead = [one for one in question.controls if one.kind == "textarea" and _called(one, words.QUESTION)]
    if files and (not instead or any(one.required for one in files)):
        yield "an upload: it asks for a file"


def _asks(question: Question) -> bool:
    """Tells whether a text field is called like a question, or whether the form says that it searches."""
    texts = (control for control in question.controls if control.is_text)
    return searches(question) or any(_called(control, words.QUESTION) for control in texts)


def _by_commands(question: Question) -> Iterator[str]:
    sent = [(one.name, one.value) for one in question.controls if one.kind == "hidden"]
    if any(question.verb(button) != "GET" for button in question.buttons or (Button(),)):
        sent += parse_qsl(urlsplit(question.action).query)
    for name, value in sent:
        word, kind = command(name, value) or ("", "")
        if word:
            yield f"{kind}: it is sent with {name[:40]}={word}"
        if word := said(words.EDIT_TOKENS, name):
            yield f"an edit: it is sent with a {name[:40]!r}"


def command(name: str, value: str) -> tuple[str, str] | None:
    """Returns what a field tells the server to do, as a word and its meaning; None if it tells nothing that
    has an effect."""
    called = tokens(name).strip()
    if called == "method" and value.strip().casefold() in _METHODS:
        return value.strip()[:40], "a change"
    if called not in _COMMANDS and name.casefold() != "form_id":
        return None
    word = said(_COMMANDED, value)
    return act_said(value) or ((word, "a change") if word else None)


def _by_writing(question: Question) -> Iterator[str]:
    """Yields reasons that follow from fields to write in: a large one beside a title, or one that is called
    like a text to be kept."""
    reads = all(question.verb(button) == "GET" for button in question.buttons or (Button(),))
    if reads and searches(question):
        return
    texts = [control for control in question.controls if control.is_text]
    large = [one for one in texts if one.kind == "textarea" and not _called(one, words.QUESTION)]
    for control in large:
        if word := _called(control, words.WRITING):
            yield f"a new entry: it has a field for a {word!r}"
    title = next((word for one in texts if one not in large and (word := _named(one, words.TITLE))), "")
    if large and title:
        yield f"a new entry: it has a large field beside a {title!r}"
    if not reads:
        for control in texts:
            if word := _named(control, "edit summary|summary|ticket|wikitext"):
                yield f"a new entry: it has a field for a {word!r}"


def _by_order(question: Question) -> Iterator[str]:
    """Yields reasons that follow from what only an order asks for: where to send the goods, and how many."""
    shipping = next(
        (word for one in question.controls if one.is_text and (word := _called(one, words.SHIPPING))), ""
    )
    quantity = next(
        (
            word
            for one in question.controls
            if one.kind != "hidden" and (word := _called(one, words.QUANTITY))
        ),
        "",
    )
    if shipping:
        yield f"a purchase: it asks for {shipping!r}"
    if quantity and not _asks(question):
        yield f"a purchase: it asks for a {quantity!r}"


def _by_console(question: Question) -> Iterator[str]:
    """Yields the signs of a form that runs what is typed into it: what a field is called or holds, and for a
    field that may ask as well, what the buttons and the address say."""
    buttons = question.buttons or (Button(),)
    runs = next(filter(None, map(_runs, buttons)), "")
    finds = not runs and any(said(words.FIND, _shown(button)) for button in buttons)
    texts = [control for control in question.controls if control.is_text]
    for control in texts:
        if name := _program(control, runs=bool(runs), finds=finds):
            yield f"a console: it runs what is typed into {name[:40]!r}"
    if any(_compares(question, control) for control in texts):
        return
    large = any(control.kind == "textarea" for control in texts)
    if large and runs:
        yield f"a console: its button says {runs!r}"
    for button in buttons:
        place = _last_part(question.target(button))
        posts = question.verb(button) != "GET"
        if is_called(words.CONSOLE, place) and (large or (posts and not finds)):
            yield f"a console: its address says {place[:40]!r}"
        if is_called("query|queries", place) and large and not finds:
            yield f"a console: it has a large field, and its address says {place[:40]!r}"


def _program(control: Control, *, runs: bool, finds: bool) -> str:
    """Returns what a text field is called if it takes a program or an order to the server, "" if not. A small
    field called "code" may be that of a search."""
    large = control.kind == "textarea"
    for name in control.words[:3]:
        programs = is_called(words.PROGRAM, name) and (runs or (large and not finds))
        if is_called(words.COMMAND, name) or programs or (large and said(words.DATABASE, name)):
            return name
    holds = large and any(map(_SELECT.match, (control.value, *control.words)))
    return (control.name or "a large field") if holds else ""


def _runs(button: Button) -> str:
    """Returns what a button says if it runs what was typed. "Run BLAST" and "Run search" do not."""
    shown = _shown(button)
    if said(words.FIND, shown):
        return ""
    return said(words.EXECUTE, shown) or (tokens(shown).strip() if is_called(words.RUN, shown) else "")


def _compares(question: Question, control: Control) -> bool:
    """Tells whether a field takes sequences, which are compared and not run."""
    about = (*question.about, *map(_shown, question.buttons), _last_part(question.action))
    named = any(said(words.SEQUENCE, text) for text in (*control.words, *about))
    return named or bool(said("blast|fasta|nucleotide|protein", question.lead))


def _shown(button: Button) -> str:
    return button.text or button.value or button.name


def _last_part(address: str) -> str:
    return unquote(urlsplit(address).path).rstrip("/").rpartition("/")[2].partition(".")[0]


def _named(control: Control, listed: str) -> str:
    """Returns the word of a list by which the name, the id or the label calls a control. The text before a
    control may belong to another one."""
    return next((word for name in control.words[:3] if (word := said(listed, name))), "")


def _by_shape(question: Question) -> Iterator[str]:
    """Yields reasons that follow from the combination of a form's fields."""
    texts = [control for control in question.controls if control.is_text]
    emails = [control for control in texts if control.kind == "email" or _called(control, _EMAIL)]
    if emails and len(texts) == len(emails):
        yield "a subscription: it asks for an e-mail address and nothing else"
    for control in texts:
        if control.kind == "textarea" and (word := _called(control, words.CONTACT)):
            yield f"a contact or comment form: it has a field for a {word!r}"
    persons = sum(bool(_called(control, _PERSON)) for control in texts)
    if emails and persons >= 2 and not searches(question):
        yield "an account: it asks for a name and an e-mail address"


def _called(control: Control, listed: str) -> str:
    return next((word for name in control.words if (word := said(listed, name))), "")


def _by_names(question: Question) -> Iterator[str]:
    """Yields reasons that follow from the address, the names and the headings of a form."""
    path = unquote(urlsplit(question.action).path)
    places = [
        ("its address says", path),
        ("it is called", " ".join(question.about)),
        ("above it stands", question.lead),
    ]
    for place, text in places:
        if found := act_said(text):
            word, kind = found
            yield f"{kind}: {place} {word!r}"
