"""Commands of a test in, pages that change out: a real web server on loopback.

    with Site() as site:
        page = site.page("/news", "<p>one")
        ...                                   # fetch page.url
        page.becomes("<p>two")                # the next request sees it
        assert page.hits == 1

`page` has the commands for one page, `server` the site as a whole, `log` the requests that were made.
`look` describes a healthy page and `trouble` its faults; `answer` makes an answer from both, `script` turns
the answer into steps on the wire, and `wire` executes the steps.
"""

from tests.site.forms import Field, Form
from tests.site.log import Request
from tests.site.look import Coding
from tests.site.page import SitePage
from tests.site.server import Site

__all__ = ["Coding", "Field", "Form", "Request", "Site", "SitePage"]
