"""A tab that shows a page with a form in, the same tab with the form filled in and sent out.

Some forms are sent by a script, so no request can be made without the script. The browser fills in the fields
as a person does, lets the page hear of it, and presses the button of the form.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

from webvigil.errors import PageRefused

if TYPE_CHECKING:
    from playwright.async_api import Page as Tab

# Milliseconds for a script to begin its work after the button was pressed, and for a new page to load.
_BREATH = 300
_LOADING = 10_000

# A field is called by its name, or by # and its id where it has none. The value is set past the wrappers that
# libraries put around fields, so that they see a change.
_FILL = """fields => {
    const called = (form, name) => name.startsWith('#')
        ? form.querySelector('#' + CSS.escape(name.slice(1)))
        : form.elements.namedItem(name);
    const form = [...document.forms].find(one => fields.every(([name]) => called(one, name)));
    if (!form) return 'form';
    const happened = kind => new Event(kind, {bubbles: true});
    const tell = one => ['input', 'change'].forEach(kind => one.dispatchEvent(happened(kind)));
    for (const [name, value] of fields) {
        const found = called(form, name);
        const all = found instanceof RadioNodeList ? [...found] : [found];
        const one = all.find(each => each.type === 'radio' && each.value === value) || all[0];
        if (one.type === 'radio' || one.type === 'checkbox') one.checked = one.value === value;
        else Object.getOwnPropertyDescriptor(Object.getPrototypeOf(one), 'value').set.call(one, value);
        tell(one);
    }
    const pick = choice => [...form.elements].find(one => choice(one.type) && !one.disabled)
        || form.querySelector('input[type=image]');
    const button = pick(kind => kind === 'submit') || pick(kind => kind === 'button');
    setTimeout(() => button ? button.click() : form.requestSubmit(), 0);
    return '';
}"""


async def fill(tab: Tab, fields: Sequence[tuple[str, str]]) -> None:
    """Fills in the first form of the page that has all of these fields, and sends it. Raises PageRefused if
    no form has them."""
    from playwright.async_api import Error

    missing = await tab.evaluate(_FILL, [list(one) for one in fields])
    if missing:
        raise PageRefused(f"no form of the page has the fields {', '.join(name for name, _ in fields)}")
    await tab.wait_for_timeout(_BREATH)
    with suppress(Error):
        await tab.wait_for_load_state("domcontentloaded", timeout=_LOADING)
