"""A form in, the reason why it must never be sent out, or "" if it may be sent (S5).

Forms that look as if sending them had an effect are left alone: log-in, purchase, subscription, contact,
upload, account, deletion. The signs are the kinds of the fields, the names of the form and its buttons, and
the address. A button that says "search" speaks for its form, but not against a password field.
"""

from __future__ import annotations

from collections.abc import Iterator
from urllib.parse import unquote, urlsplit

from webvigil.discover import words
from webvigil.discover.questions import Button, Control, Question
from webvigil.discover.words import said

_KINDS = {
    "a log-in": words.LOG_IN,
    "an account": words.ACCOUNT,
    "a purchase": words.PURCHASE,
    "a subscription": words.SUBSCRIPTION,
    "a contact or comment form": words.CONTACT,
    "an upload": words.UPLOAD,
    "a deletion": words.DELETION,
    "a change": words.CHANGE,
}
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
_COMMANDS = frozenset(("action", "op", "cmd", "do", "task", "mode", "act", "command", "_method", "form_id"))


def refusal(question: Question, *, post: bool) -> str:
    """Returns why a form is left alone, or "" if it may be sent."""
    reason = next(_reasons(question), "")
    if reason:
        return f"it looks like {reason}"
    if not usable_buttons(question):
        word, kind = _about_button(question.buttons[0])
        return f"it looks like {kind}: its button says {word!r}"
    if not post and all(question.verb(button) == "POST" for button in usable_buttons(question)):
        return "it is sent with POST, which is not allowed"
    return ""


def acts(text: str) -> bool:
    """Tells whether a link with this text or address looks as if following it had an effect."""
    return any(said(listed, text) for listed in _KINDS.values())


def usable_buttons(question: Question) -> tuple[Button, ...]:
    """Returns the buttons that may be pressed, a search button first. A form without buttons is sent by the
    Enter key."""
    buttons = question.buttons or (Button(),)
    harmless = [button for button in buttons if not _about_button(button)[0]]
    return tuple(sorted(harmless, key=_rank))


def _rank(button: Button) -> int:
    return 0 if said(words.SEARCH, button.text) else 1 if said(words.ASK, button.text) else 2


def _reasons(question: Question) -> Iterator[str]:
    yield from filter(None, map(_about_control, question.controls))
    yield from _by_commands(question)
    yield from _by_shape(question)
    if not _searches(question):
        yield from _by_names(question)


def _searches(question: Question) -> bool:
    """Tells whether a button of the form says that it searches, or whether the form has a search field."""
    speaks = any(said(words.SEARCH, button.text) for button in usable_buttons(question))
    return speaks or any(control.kind == "search" for control in question.controls)


def _about_control(control: Control) -> str:
    if control.kind == "password":
        return "a log-in: it asks for a password"
    if control.kind == "file":
        return "an upload: it asks for a file"
    if control.autocomplete.startswith("cc-") or any(said(_CARDS, word) for word in control.words[:3]):
        return f"a purchase: it asks for a card ({control.name[:40]!r})"
    if control.autocomplete in _SECRET:
        return f"a log-in: it asks for a {control.autocomplete}"
    return ""


def _about_button(button: Button) -> tuple[str, str]:
    """Returns the word that forbids pressing a button and what the word means, or two "" if the button may be
    pressed."""
    shown = button.text or button.value or button.name
    if said(words.SEARCH, shown):
        return "", ""
    return next(((word, kind) for kind, listed in _KINDS.items() if (word := said(listed, shown))), ("", ""))


def _by_commands(question: Question) -> Iterator[str]:
    for control in question.controls:
        if control.kind == "hidden" and control.name.casefold() in _COMMANDS:
            for kind, listed in _KINDS.items():
                if word := said(listed, control.value):
                    yield f"{kind}: it is sent with {control.name[:40]}={word}"


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
    if emails and persons >= 2 and not _searches(question):
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
        for kind, listed in _KINDS.items():
            if word := said(listed, text):
                yield f"{kind}: {place} {word!r}"
