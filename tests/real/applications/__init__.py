"""One module for each application. `HELD_OUT` are those that nothing in the product was tuned to."""

from tests.real.application import Application
from tests.real.applications.cgit import Cgit
from tests.real.applications.datasette import Datasette
from tests.real.applications.dokuwiki import DokuWiki
from tests.real.applications.federated_wiki import FederatedWiki
from tests.real.applications.fossil import Fossil
from tests.real.applications.gitweb import GitWeb
from tests.real.applications.kiwix import Kiwix
from tests.real.applications.mediawiki import MediaWiki
from tests.real.applications.mercurial import Mercurial
from tests.real.applications.moin import Moin
from tests.real.applications.omega import Omega
from tests.real.applications.oscar import Oscar
from tests.real.applications.roundup import Roundup
from tests.real.applications.spirit import Spirit
from tests.real.applications.sqlite_web import SqliteWeb
from tests.real.applications.tiddlywiki import TiddlyWiki
from tests.real.applications.trac import Trac

KNOWN: tuple[type[Application], ...] = (
    DokuWiki,
    MediaWiki,
    Trac,
    Roundup,
    Datasette,
    GitWeb,
    TiddlyWiki,
    Oscar,
)
HELD_OUT: tuple[type[Application], ...] = (
    Cgit,
    Fossil,
    Mercurial,
    Moin,
    FederatedWiki,
    Spirit,
    Omega,
    Kiwix,
)
ALL = (*KNOWN, *HELD_OUT)
WATCHED = (*ALL, SqliteWeb)
"""Those that are watched and searched. The last one has no search, but forms that run SQL."""
