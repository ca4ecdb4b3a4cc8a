"""Twenty alignment services and nineteen look-alikes and traps on one host, as biologists' servers had them.

Many of them look the same: one form at different addresses, one program behind different hidden fields. Some
need what a browser does: parts, cookies, scripts. Some of the traps must never be sent at all.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from html import escape

from tests.site import Request, Site
from tests.site.look import Refusal

Answer = Callable[[Request], str]

KNOWN = ("ATGGTGCATCTGACTCC", "GATCACAGGTCTATCACCC")
NO_HITS = "<pre>BLASTN 2.2.6\n\n ***** No hits found ******\n</pre>"


@dataclass(frozen=True, kw_only=True)
class Service:
    """One service or trap. `pages` are its further pages; `acts`: it must not get a single request but for the
    page with its form."""

    name: str
    form: str
    pages: dict[str, Answer | str] = field(default_factory=dict)
    redirects: dict[str, Callable[[Request], tuple[tuple[str, str], ...]]] = field(default_factory=dict)
    member: bool = True
    possible: bool = False
    acts: bool = False
    scripted: bool = False

    @property
    def path(self) -> str:
        return f"/{self.name}/"


def settle(site: Site, service: Service) -> str:
    """Puts the service on the site, and returns the address of its form."""
    for path, content in {"": _page(service.form), **service.pages}.items():
        page = site.page(service.path + path, content).allows("GET", "HEAD", "POST")
        page.validators = "none"
    for path, headers in service.redirects.items():
        site.page(service.path + path, "").allows("GET", "POST").guarded(_leads_on(headers))
    return site.url + service.path


def _leads_on(headers: Callable[[Request], tuple[tuple[str, str], ...]]) -> Callable[[Request], Refusal]:
    return lambda request: Refusal(303, headers(request))


def _page(body: str) -> str:
    return (
        f"<html><head><title>Sequence server</title></head><body><h1>Sequence server</h1>{body}</body></html>"
    )


def aligned(sequence: str) -> str:
    """Returns the answer of a server that knows two sequences."""
    letters = "".join(line for line in sequence.upper().splitlines() if not line.startswith(">"))
    letters = "".join(letters.split())
    if not letters or set(letters) - set("ACGTN"):
        return "<p>Error: this is no nucleotide sequence.</p>"
    if not letters.startswith(KNOWN):
        return NO_HITS
    row = (
        f"Query: 1   {letters[:40].lower()} 40\n           {'|' * 40}\nSbjct: 101 {letters[:40].lower()} 140"
    )
    return f"<pre>BLASTN 2.2.6\n\n>gb|AE0001|\n Score = 80 bits (40), Expect = 2e-15\n\n{row}\n</pre>"


def asked(request: Request) -> str:
    sent = {**dict(request.query), **request.fields}
    return next((sent[name] for name in ("sequence", "SEQUENCE", "QUERY", "seq", "f1") if sent.get(name)), "")


def answers(request: Request) -> str:
    return _page(aligned(asked(request)))


def _form(inside: str, method: str = "post", more: str = "", action: str = "run") -> str:
    return f"<form action='{action}' method={method} {more}>{inside}</form>"


_AREA = "<p>Paste a DNA sequence: <textarea name=sequence rows=8 cols=60></textarea>"
_GO = "<input type=submit value='Run BLAST'>"
_PARTS = "enctype='multipart/form-data'"


def _in_parts(request: Request) -> str:
    """Answers like a program that reads only forms in parts (multipart)."""
    if not request.headers.get("Content-Type", "").startswith("multipart/form-data"):
        return _page("<p>Error: malformed request.</p>")
    return answers(request)


def _sets(name: str) -> Callable[[Request], tuple[tuple[str, str], ...]]:
    """Returns what makes the headers of an answer: a cookie that keeps the question, and a redirect to `name`."""
    return lambda request: (
        ("Location", name),
        ("Set-Cookie", f"asked={''.join(asked(request).split())[:60]}; Path=/"),
    )


def _by_cookie(request: Request) -> str:
    cookies = dict(
        one.strip().split("=", 1) for one in request.headers.get("Cookie", "").split(";") if "=" in one
    )
    return _page(aligned(cookies.get("asked", "")))


def _behind_a_link(request: Request) -> str:
    return _page("<p>Your search is done. <a href='result'>View results</a>")


def _ticket(request: Request) -> str:
    return f"<html><head><meta http-equiv=refresh content='0; url=show?seq={_short(request)}'></head><body>Wait</body></html>"


def _short(request: Request) -> str:
    return "".join(asked(request).split())[:60]


def _confirms(request: Request) -> str:
    kept = f"<input type=hidden name=sequence value='{escape(asked(request))}'>"
    return _page(
        f"<p>Ready.<form action=show method=post>{kept}<input type=submit value='Show results'></form>"
    )


def _framed(request: Request) -> str:
    return f"<html><frameset cols='20%,*'><frame src='/blank'><frame src='show?seq={_short(request)}'></frameset></html>"


def _never(request: Request) -> str:
    """Has an empty database, but knows what a sequence is."""
    found = aligned(asked(request))
    return _page(found if "Error" in found else NO_HITS)


_SCRIPTED_FORM = """<div id=place></div><script>document.getElementById('place').innerHTML =
 "<form action=run method=get>Sequence <textarea name=sequence></textarea><button>Search</button></form>"</script>"""
_SCRIPTED_ANSWER = """<p>Sequence <form onsubmit="event.preventDefault(); ask(this)"><textarea id=sequence></textarea>
 <button>Run BLAST</button></form><div id=out></div><script>const ask = async form => {
 const found = await fetch('run?sequence=' + encodeURIComponent(form.elements.sequence.value));
 document.getElementById('out').innerHTML = await found.text(); }</script>"""


def services() -> list[Service]:
    run = {"run": answers}
    twin = _form(_AREA + _GO)
    shared = "<input type=hidden name=db value={}>" + _AREA + _GO
    return [
        Service(name="plain", form=_form(_AREA + _GO, "get"), pages=run),
        Service(name="posted", form=_form(_AREA + "<input type=submit value=Submit>"), pages=run),
        Service(name="in-parts", form=_form(_AREA + _GO, more=_PARTS), pages={"run": _in_parts}),
        Service(
            name="file-instead",
            form=_form(_AREA + "<p>or a file: <input type=file name=upl>" + _GO, more=_PARTS),
            pages={"run": _in_parts},
        ),
        Service(name="job-title", form=_form("Job title <input name=job_title>" + _AREA + _GO), pages=run),
        Service(name="by-mail", form=_form(_AREA + "E-mail <input name=email>" + _GO), pages=run),
        Service(
            name="behind-a-link",
            form=_form(_AREA + _GO),
            pages={"done": _behind_a_link, "result": _by_cookie},
            redirects={"run": _sets("done")},
        ),
        Service(
            name="by-cookie",
            form=_form(_AREA + _GO),
            pages={"result": _by_cookie},
            redirects={"run": _sets("result")},
        ),
        Service(name="ticket", form=_form(_AREA + _GO), pages={"run": _ticket, "show": answers}),
        Service(name="confirms", form=_form(_AREA + _GO), pages={"run": _confirms, "show": answers}),
        Service(name="framed", form=_form(_AREA + _GO), pages={"run": _framed, "show": answers}),
        Service(name="human", form=_form(shared.format("human"), action="/cgi-bin/blast")),
        Service(name="mouse", form=_form(shared.format("mouse"), action="/cgi-bin/blast")),
        *(Service(name=f"twin-{one}", form=twin, pages=run) for one in ("a", "b", "c", "d")),
        Service(name="nothing-there", form=_form(_AREA + _GO), pages={"run": _never}, possible=True),
        Service(name="scripted-form", form=_SCRIPTED_FORM, pages=run, scripted=True),
        Service(
            name="scripted-answer",
            form=_SCRIPTED_ANSWER,
            pages={"run": lambda request: aligned(asked(request))},
            scripted=True,
        ),
    ]


def _orders(button: str, quantity: str, address: str) -> str:
    return _form(
        f"{_AREA}<p>{quantity} <input name=n1><p>{address} <textarea name=t2></textarea><button>{button}</button>"
    )


def traps() -> list[Service]:
    def acting(name: str, inside: str, **more: str) -> Service:
        form = _form(inside, **more)
        return Service(name=name, form=form, pages={"run": answers}, member=False, acts=True)

    def alike(name: str, answer: Answer, inside: str = _AREA + _GO) -> Service:
        return Service(name=name, form=_form(inside), pages={"run": answer}, member=False)

    return [
        Service(
            name="oligo-order",
            form=_orders("Order oligos", "Quantity", "Shipping address"),
            pages={"run": answers},
            member=False,
            acts=True,
        ),
        Service(
            name="oligo-bestellung",
            form=_orders("Weiter", "Menge", "Lieferadresse"),
            pages={"run": answers},
            member=False,
            acts=True,
        ),
        acting("ordering", _AREA + "<button>Order synthesis</button>"),
        acting("captcha", _AREA + "<img src=/captcha.png>Code <input name=code2>" + _GO),
        acting("riddle", _AREA + "<div class=g-recaptcha data-sitekey=x></div>" + _GO),
        acting("upload", "<input type=file name=sequence required>" + _AREA + _GO, more=_PARTS),
        acting("deposit", "Title <input name=title><textarea name=entry></textarea>" + _GO),
        acting("submission", _AREA + "<button>Submit entry</button>"),
        acting("annotation", _AREA + "<textarea name=comment></textarea><button>Send</button>"),
        acting("editing", _AREA + "<input type=hidden name=wpEdittime value=1><button>OK</button>"),
        acting("preview", _AREA + "<button>Preview</button><button name=go>Go</button>"),
        acting("voting", _AREA + "<button>Vote</button>"),
        acting("log-in", _AREA + "<input type=password name=p>" + _GO),
        acting("deletion", _AREA + "<input type=hidden name=_method value=DELETE>" + _GO),
        alike("counter", lambda request: _page(f"<p>{len(asked(request))} bases")),
        alike("formatter", lambda request: _page(f"<pre>Query: 1 {_short(request)} 60</pre>")),
        alike("everybody", lambda request: _page(aligned(KNOWN[0] * 4))),
        alike("nothing-for-anybody", lambda request: _page(NO_HITS)),
        alike("thanks", lambda request: _page("<p>Thank you. The result will be sent by mail.")),
    ]
