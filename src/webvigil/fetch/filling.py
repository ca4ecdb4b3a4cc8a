"""A tab that shows a page with a form in, the same tab with the form filled in and sent out.

Some forms are sent by a script, so no request can be made without the script. The browser fills in the fields
as a person does, lets the page hear of it, and presses the button that sends the question. A field that is a
button names this button. Otherwise it is the one that says "search", in the language of the page, or the next
one after the fields; buttons that clear, log in or write are pressed only if the form has no others.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from webvigil.document.form_words import act_of_button, rank_of_button
from webvigil.errors import PageRefused

if TYPE_CHECKING:
    from playwright.async_api import Page as Tab

# Milliseconds that a script gets to begin its work after the button was pressed, and a new page to load.
_BREATH = 300
_LOADING = 10_000

# Fills in the fields. A field is given by its name, or by # and its id if it has no name. The value is set
# with the setter of the browser, not with that of a library around the field, so that the library notices a
# change. Returns the form, its last field that was filled in, and the button that the fields name.
_FILL = """fields => {
    const called = (form, name) => name.startsWith('#')
        ? form.querySelector('#' + CSS.escape(name.slice(1)))
        : form.elements.namedItem(name)
            || form.querySelector(`input[type=image][name="${CSS.escape(name)}"]`);
    const form = [...document.forms].find(one => fields.every(([name]) => called(one, name)));
    if (!form) return {};
    const held = {form, last: null, named: null};
    const happened = kind => new Event(kind, {bubbles: true});
    const tell = one => ['input', 'change'].forEach(kind => one.dispatchEvent(happened(kind)));
    for (const [name, value] of fields) {
        const found = called(form, name);
        const all = found instanceof RadioNodeList ? [...found] : [found];
        const pressed = all.filter(one => ['submit', 'image', 'button'].includes(one.type));
        if (pressed.length) {
            const says = one => [one.value, one.textContent.trim()];
            held.named = pressed.find(one => says(one).includes(value)) || pressed[0];
            continue;
        }
        const one = all.find(each => each.type === 'radio' && each.value === value) || all[0];
        if (one.type === 'radio' || one.type === 'checkbox') one.checked = one.value === value;
        else Object.getOwnPropertyDescriptor(Object.getPrototypeOf(one), 'value').set.call(one, value);
        tell(one);
        held.last = one;
    }
    return held;
}"""
# Returns null if there is no form, else a description of each button that may be pressed.
_BUTTONS = """held => {
    if (!held.form) return null;
    const all = [...held.form.elements, ...held.form.querySelectorAll('input[type=image]')];
    held.buttons = all.filter(one => ['submit', 'image', 'button'].includes(one.type) && !one.disabled);
    const follows = (one, other) => other && other.compareDocumentPosition(one) & 4;
    const shown = one => [one.innerText, one.type === 'image' ? '' : one.value,
        ...['alt', 'aria-label', 'title'].map(name => one.getAttribute(name))];
    return held.buttons.map(one => ({
        shown: shown(one).filter(Boolean).join(' '),
        name: one.name || one.id,
        sends: one.type !== 'button',
        seen: one.getClientRects().length > 0,
        after: !!follows(one, held.last),
        named: one === held.named,
    }));
}"""
# The click is made after this script has ended, because it may load another page.
_PRESS = """(held, number) => {
    const button = held.buttons[number];
    setTimeout(() => button ? button.click() : held.form.requestSubmit(), 0);
}"""


@dataclass(frozen=True, slots=True, kw_only=True)
class FormButton:
    """A button of a form. `sends`: it sends the form without a script; `after`: it stands behind the last
    field that was filled in; `named`: the fields name it."""

    shown: str = ""
    name: str = ""
    sends: bool = True
    seen: bool = True
    after: bool = True
    named: bool = False


def pressed(buttons: Sequence[FormButton]) -> int:
    """Returns the number of the button that a person would press to send the question, -1 if the form has no
    button."""
    return min(range(len(buttons)), key=lambda number: _order(buttons[number]), default=-1)


def _order(button: FormButton) -> tuple[bool, ...]:
    rank = rank_of_button(button.shown)
    turns = rank == 3 or bool(act_of_button(button.shown, button.name)[0])
    return not button.named, turns, not button.seen, not button.sends, rank > 0, rank > 1, not button.after


async def fill(tab: Tab, fields: Sequence[tuple[str, str]]) -> None:
    """Fills in the first form of the page that has all of these fields, and sends it. Raises PageRefused if
    no form has them."""
    from playwright.async_api import Error

    held = await tab.evaluate_handle(_FILL, [list(one) for one in fields])
    known = await held.evaluate(_BUTTONS)
    if known is None:
        raise PageRefused(f"no form of the page has the fields {', '.join(name for name, _ in fields)}")
    await held.evaluate(_PRESS, pressed([FormButton(**one) for one in known]))
    await tab.wait_for_timeout(_BREATH)
    with suppress(Error):
        await tab.wait_for_load_state("domcontentloaded", timeout=_LOADING)
