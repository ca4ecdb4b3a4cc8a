"""Forms of the site: a page with a form, and a page that answers what was sent."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from html import escape

from tests.site.look import Body
from tests.site.page import SitePage

Respond = Callable[[dict[str, str]], Body]


@dataclass(frozen=True, slots=True)
class Field:
    """One field of a form. With options it is a choice, otherwise an input of that kind."""

    name: str
    kind: str = "text"
    value: str = ""
    options: tuple[str, ...] = ()
    label: str = ""


@dataclass(frozen=True, slots=True)
class Form:
    """A form. `page` shows it, and `answers` is the page it is sent to."""

    page: SitePage
    answers: SitePage

    @property
    def url(self) -> str:
        return self.page.url


def markup(fields: Iterable[Field | str], method: str, action: str) -> str:
    rows = "\n".join(_row(field if isinstance(field, Field) else Field(field)) for field in fields)
    return (
        f'<!doctype html><title>Form</title>\n<form action="{escape(action)}" method="{method.lower()}">\n'
        f"{rows}\n<button>Send</button>\n</form>\n"
    )


def _row(field: Field) -> str:
    if field.kind == "hidden":
        return _control(field)
    return f"<p><label>{escape(field.label or field.name)} {_control(field)}</label>"


def _control(field: Field) -> str:
    name = escape(field.name)
    if not field.options:
        return f'<input type="{escape(field.kind)}" name="{name}" value="{escape(field.value)}">'
    options = "".join(f"<option{_chosen(field, o)}>{escape(o)}</option>" for o in field.options)
    return f'<select name="{name}">{options}</select>'


def _chosen(field: Field, option: str) -> str:
    return " selected" if option == field.value else ""
