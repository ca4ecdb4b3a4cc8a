"""A page, and the answers with status 200 that servers send in its place, in several languages."""

from __future__ import annotations

from dataclasses import dataclass

from webvigil.model.version import Answer

URL = "http://shop.test/lamps"

_ROWS = "".join(
    f"<tr><td>{name} lamp</td><td>{price} EUR</td><td>{stock} in stock at our {town} branch</td></tr>"
    for name, price, stock, town in (
        ("Aurora", 120, 4, "northern"),
        ("Borealis", 99, 17, "southern"),
        ("Candela", 45, 3, "riverside"),
        ("Dusk", 310, 1, "station"),
        ("Ember", 75, 22, "harbour"),
    )
)
MENU = (
    "<nav><a href=/>Home</a> <a href=/lamps>Lamps</a> <a href=/chairs>Chairs</a> <a href=/help>Help</a></nav>"
)
FOOT = "<footer>Shop for light and comfort, Hill Street 7. Open from nine to six.</footer>"
GOOD = (
    f"<!doctype html><html><head><title>Lamps | Shop</title></head><body>{MENU}<h1>All our lamps</h1>"
    f"<p>Each lamp is made by hand in the valley and comes with a warranty of seven years.</p>"
    f"<table>{_ROWS}</table><p>Delivery takes three days; returns are free within a month.</p>{FOOT}"
    "</body></html>"
)


def answer(body: str, url: str = URL, kind: str = "text/html; charset=utf-8", **headers: str) -> Answer:
    named = tuple((name.replace("_", "-"), value) for name, value in headers.items())
    return Answer(url=url, status=200, headers=(("Content-Type", kind), *named), body=body.encode())


def page(title: str, body: str) -> str:
    return f"<!doctype html><html><head><title>{title}</title></head><body>{body}</body></html>"


_LOGIN = "<form method=post><input name=user><input type=password name=secret><button>Go</button></form>"


@dataclass(frozen=True, slots=True)
class Bad:
    """An answer that is not the page. `kind` is what it must be recognised as, `said` a part of the
    message."""

    kind: str
    said: str
    answer: Answer


BAD = {
    "empty": Bad("empty", "is empty", answer("")),
    "nothing to see": Bad("empty", "is empty", answer(page("Lamps | Shop", "<div id=app></div>"))),
    "cut": Bad("cut", "is cut off", answer(GOOD[: GOOD.index("Dusk")])),
    "cut near the end": Bad("cut", "is cut off", answer(GOOD[: GOOD.index("returns")])),
    "error": Bad("error", "an error", answer(page("500 Internal Server Error", "<h1>Server Error</h1>"))),
    "error in a frame of the site": Bad(
        "error",
        "an error",
        answer(
            page("Shop", f"{MENU}<h1>Oops</h1><p>Something went wrong. Please try again later.</p>{FOOT}")
        ),
    ),
    "error of the database": Bad("error", "an error", answer("Error establishing a database connection")),
    "maintenance": Bad(
        "maintenance",
        "under maintenance",
        answer(page("Shop", "<h1>We’ll be back soon!</h1><p>We are working on something nice.</p>")),
    ),
    "Wartung": Bad(
        "maintenance", "maintenance", answer(page("Wartungsarbeiten", "<p>Gleich geht es weiter."))
    ),
    "メンテナンス": Bad(
        "maintenance", "maintenance", answer(page("お知らせ", "<p>ただいまメンテナンス中です。"))
    ),
    "log-in form": Bad(
        "log-in", "asks for a log-in", answer(page("Shop", f"{MENU}<h1>Welcome</h1>{_LOGIN}"))
    ),
    "log-in form without words": Bad(
        "log-in", "asks for a log-in", answer(page("Shop", _LOGIN.replace("Go", "")))
    ),
    "log-in in French": Bad("log-in", "log-in", answer(page("Connexion | Shop", "<p>Votre compte</p>"))),
    "redirect to a log-in": Bad(
        "log-in",
        "log-in",
        answer(page("Shop", "<p>Who are you?</p>"), "http://id.shop.test/auth/login?next=/l"),
    ),
    "consent": Bad(
        "consent",
        "consent",
        answer(
            page("Before you continue", "<h1>Before you continue</h1><p>" + "We and our partners … " * 80)
        ),
    ),
    "Zustimmung": Bad("consent", "consent", answer(page("Shop", "<h1>Wir schätzen Ihre Privatsphäre</h1>"))),
    "captcha": Bad(
        "captcha", "captcha", answer(page("Shop", "<p>One step more</p><div class=g-recaptcha></div>"))
    ),
    "captcha in words": Bad(
        "captcha", "captcha", answer(page("Sorry", "<p>We saw unusual traffic from you."))
    ),
    "check of the browser": Bad(
        "check",
        "check of the browser",
        answer(page("Just a moment...", "<p>shop.test"), cf_mitigated="challenge"),
    ),
    "check of the browser in words": Bad(
        "check", "check of the browser", answer(page("shop.test", "<h1>Checking your browser</h1>"))
    ),
    "soft 404": Bad(
        "not found",
        "no such page",
        answer(page("Page not found | Shop", f"{MENU}<h1>Sorry</h1><p>There is nothing here.</p>{FOOT}")),
    ),
    "страница": Bad("not found", "no such page", answer(page("Магазин", "<h1>Страница не найдена</h1>"))),
    "JSON error": Bad(
        "error", "an error", answer('{"error": "backend timed out", "code": 7}', kind="application/json")
    ),
    "JSON problem": Bad(
        "error", "an error", answer('{"status": 401, "message": "who?"}', kind="application/json")
    ),
    "redirect home": Bad(
        "elsewhere",
        "first page",
        answer(
            page("Shop", "<h1>Welcome to our shop</h1><p>Discover chairs, tables and more.</p>"),
            "http://shop.test/",
        ),
    ),
}
"""Each is clearly no page."""
