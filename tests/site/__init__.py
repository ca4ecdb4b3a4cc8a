"""Commands of a test in, pages that change out: a real web server on loopback.

    with Site() as site:
        page = site.page("/news", "<p>one")
        ...                                   # fetch page.url
        page.becomes("<p>two")                # the next request sees it
        assert page.hits == 1

Read `page` for what a page can be told, `server` for the site as a whole, `log` for what it remembers.
`look` says how a page is when all is well, `trouble` what goes wrong, `answer` makes both into an answer,
`script` into steps on the wire, and `wire` takes them.
"""

from tests.site.forms import Field, Form
from tests.site.log import Request
from tests.site.look import Coding
from tests.site.page import SitePage
from tests.site.server import Site

__all__ = ["Coding", "Field", "Form", "Request", "Site", "SitePage"]
