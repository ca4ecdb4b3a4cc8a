"""Commands report clearly what goes wrong between them and a server, and never send the token elsewhere."""

from __future__ import annotations

import json
import socket
from datetime import timedelta
from email.message import Message
from http.client import BadStatusLine, IncompleteRead
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import click
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.site import Site
from tests.site.certificates import Authority
from webvigil import __version__
from webvigil.app.to_json import portrait_as_json, sentinel_as_json
from webvigil.cli import asking, at_server
from webvigil.cli import from_json as heard
from webvigil.cli.address import MAKE_ONE, checked_address, server
from webvigil.cli.asking import Answer, Asking
from webvigil.cli.at_server import AtServer, next_before
from webvigil.cli.place import server_wanted
from webvigil.errors import (
    NotFound,
    RemoteError,
    RemoteRefused,
    RemoteUnreachable,
    SettingRefused,
)
from webvigil.model.doubt import Doubt
from webvigil.model.installed import ToldSentinel, WatchedPage
from webvigil.model.moment import as_datetime, as_millis
from webvigil.model.portrait import Portrait
from webvigil.model.sentinel import State
from webvigil.model.wanted import LARGEST_ID

TOKEN = "wv_secret"
LIST = "/api/v1/sentinels"


def at(address: str, patience: float = 20.0, ca_file: str = "") -> AtServer:
    return AtServer(Asking(server(address, TOKEN), ca_file, patience))


def says(site: Site, path: str, content: Any, status: int = 200) -> None:
    """Serves JSON at a path, as a WebVigil server would."""
    body = json.dumps(content)
    if status == 200:
        site.page(path, body, media_type="application/json")
    else:
        head = f"HTTP/1.1 {status} No\r\nContent-Type: application/problem+json\r\nConnection: close\r\n\r\n"
        site.page(path).raw((head + body).encode())


def trouble(there: AtServer) -> str:
    with pytest.raises(RemoteError) as told:
        there.all()
    assert TOKEN not in str(told.value)
    return str(told.value)


class TestTheWay:
    def test_nothing_listens(self):
        with socket.create_server(("127.0.0.1", 0)) as taken:
            port = taken.getsockname()[1]
        assert "nothing listens there; is 'webvigil serve' running" in trouble(at(f"http://127.0.0.1:{port}"))

    @pytest.mark.parametrize("host", ["nobody.invalid", "a..b", "x" * 64 + ".example", "0.0.0.0.0"])
    def test_nobody_knows_the_host(self, host: str, monkeypatch: pytest.MonkeyPatch):
        monkeypatch.setenv("no_proxy", "*")
        there = AtServer(Asking(server(f"http://{host}", TOKEN, plain_http=True)))
        assert "nobody knows this host" in trouble(there)

    def test_an_answer_that_does_not_come_is_not_waited_for(self, site: Site):
        page = site.page(LIST).hangs()
        said = trouble(at(site.url, patience=0.3))
        page.answers_normally()
        assert said == f"{site.url} gave no answer in 0.3 s"

    def test_an_answer_that_drips_is_not_waited_for(self, site: Site):
        site.page(LIST, "x" * 1000, media_type="application/json").slow(per_chunk=0.1, chunk=1)
        assert "gave no answer in 0.5 s" in trouble(at(site.url, patience=0.5))

    def test_what_was_asked_may_have_been_done(self, site: Site):
        site.page(f"{LIST}/news").breaks(after_bytes=None).allows("DELETE")
        with pytest.raises(
            RemoteUnreachable, match="whether it was done is not known: 'webvigil list' tells"
        ):
            at(site.url).remove("news")

    @pytest.mark.parametrize("after", [None, 3])
    def test_a_connection_that_ends_early(self, site: Site, after: int | None):
        site.page(LIST, "[[[[[[", media_type="application/json").breaks(after_bytes=after)
        said = trouble(at(site.url))
        assert said == f"{site.url} ended the connection before its answer was whole"

    def test_an_answer_without_end(self, site: Site, monkeypatch: pytest.MonkeyPatch):
        monkeypatch.setattr(asking, "LARGEST", 1_000_000)
        site.page(LIST, media_type="application/json").endless()
        assert "larger than 1 MB" in trouble(at(site.url))


class TestTls:
    @pytest.fixture
    def authority(self, tmp_path: Path) -> Authority:
        return Authority(tmp_path)

    def test_a_certificate_of_an_own_authority_is_trusted_when_named(self, authority: Authority):
        with Site(tls=authority.server("127.0.0.1")) as site:
            says(site, LIST, [])
            assert "WEBVIGIL_CA_FILE" in trouble(at(site.url))
            assert site.requests == []
            assert at(site.url, ca_file=str(authority.file)).all() == []

    @pytest.mark.parametrize(
        ("name", "days", "reason"), [("other.test", 1, "IP address mismatch"), ("127.0.0.1", -1, "expired")]
    )
    def test_a_wrong_certificate_gets_no_token(self, authority: Authority, name: str, days: int, reason: str):
        tls = authority.server(name, valid_for=timedelta(days=days))
        with Site(tls=tls) as site:
            assert reason in trouble(at(site.url, ca_file=str(authority.file)))
            assert site.requests == []

    def test_plain_http_where_tls_was_meant_and_the_other_way_round(self, site: Site, authority: Authority):
        assert "does not speak TLS" in trouble(at(site.url.replace("http:", "https:")))
        with Site(tls=authority.server("127.0.0.1")) as secure:
            assert trouble(at(secure.url.replace("https:", "http:")))

    def test_a_file_that_holds_no_authorities(self, tmp_path: Path):
        (tmp_path / "x.pem").write_text("nothing")
        with pytest.raises(SettingRefused, match="holds no certificates"):
            at("https://127.0.0.1:1", ca_file=str(tmp_path / "x.pem"))


class TestWhoAnswers:
    @pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
    def test_the_token_follows_no_redirect(self, site: Site, status: int):
        with Site("127.0.0.2") as other:
            says(other, LIST, [])
            site.page(LIST).redirects_to(f"{other.url}{LIST}", status)
            said = trouble(at(site.url))
            assert f"sends us to {other.url}{LIST}; the token is not sent there" in said
            assert other.connections == 0

    def test_a_link_to_the_next_piece_leads_nowhere_else(self, site: Site):
        with Site("127.0.0.2") as other:
            link = f'<{other.url}{LIST}?before=7>; rel="next"'
            site.page(LIST, "[]", media_type="application/json").headers({"Link": link})
            assert at(site.url).all() == []
            assert (len(site.requests), other.connections) == (2, 0)

    def test_proxies_are_not_asked_for_what_is_here(self, site: Site, monkeypatch: pytest.MonkeyPatch):
        says(site, LIST, [])
        with Site("127.0.0.2") as proxy:
            monkeypatch.setenv("http_proxy", proxy.url)
            monkeypatch.delenv("no_proxy", raising=False)
            assert at(site.url).all() == []
            assert proxy.connections == 0

    def test_a_proxy_leads_to_what_is_elsewhere(self, site: Site, monkeypatch: pytest.MonkeyPatch):
        says(site, LIST, [])
        monkeypatch.setenv("http_proxy", site.url)
        monkeypatch.delenv("no_proxy", raising=False)
        there = AtServer(Asking(server("http://vigil.example", TOKEN, plain_http=True)))
        assert there.all() == []
        assert site.requests[0].headers["Host"] == "vigil.example"

    @pytest.mark.parametrize(
        ("content", "kind"),
        [
            ("<h1>Welcome", "text/html"),
            ("[", "application/json"),
            ("[" * 100_000, "application/json"),
            ("", "text/plain"),
        ],
    )
    def test_another_web_server(self, site: Site, content: str, kind: str):
        site.page(LIST, content, media_type=kind)
        assert f"what answers at {site.url} is not WebVigil" in trouble(at(site.url))

    def test_no_web_server_at_all(self, site: Site):
        site.page(LIST).raw(b"220 mail.example ESMTP\r\n")
        assert "does not speak HTTP" in trouble(at(site.url))

    def test_a_proxy_without_webvigil_behind_it(self, site: Site):
        site.page(LIST).answers(502)
        assert "answers 502: the WebVigil behind it is not there" in trouble(at(site.url))

    @pytest.mark.parametrize(
        "content",
        [{}, 1, None, "x", [1], [{}], [{"name": "x"}], {"detail": "x"}, [[]]],
        ids=str,
    )
    def test_another_version_is_told_and_another_program_too(self, site: Site, content: Any):
        says(site, LIST, content)
        assert "is not WebVigil" in trouble(at(site.url))
        says(site, "/healthz", {"version": "9.1", "queue_age": 0})
        assert "is WebVigil 9.1 and answers what this command" in trouble(at(site.url))
        assert "Authorization" not in site.requests[-1].headers

    def test_an_address_that_is_not_there_is_no_missing_sentinel(self, site: Site):
        says(site, "/healthz", {"version": "0.0.1", "queue_age": 0})
        says(site, f"{LIST}/news", {"detail": "there is no such address"}, 404)
        with pytest.raises(RemoteRefused, match=r"is WebVigil 0\.0\.1"):
            at(site.url).portrait("news")
        says(site, f"{LIST}/news", {"detail": "there is no sentinel 'news'"}, 404)
        with pytest.raises(NotFound, match="there is no sentinel 'news'"):
            at(site.url).portrait("news")

    def test_a_server_that_is_busy(self, site: Site):
        says(site, LIST, {"detail": "the database is locked"}, 503)
        with pytest.raises(RemoteUnreachable, match="the database is locked"):
            at(site.url).all()

    @pytest.mark.parametrize("name", ["a/b", ".", "..", "", "x" * 201, "a\ud800"])
    def test_a_name_that_would_be_another_address_is_not_asked_for(self, site: Site, name: str):
        for asked in (at(site.url).remove, at(site.url).timeline):
            with pytest.raises(NotFound, match="there is no sentinel "):
                asked(name)
        assert site.requests == []

    @pytest.mark.parametrize(
        ("status", "kind", "said"),
        [
            (401, RemoteRefused, "{at} does not know this token; {make}"),
            (403, RemoteRefused, "no way; {make}"),
            (400, RemoteRefused, "no way"),
            (429, RemoteUnreachable, "no way"),
            (503, RemoteUnreachable, "no way"),
            (405, RemoteRefused, "what answers at {at} is not WebVigil; look at the address"),
        ],
    )
    def test_each_status_has_its_sentence(self, site: Site, status: int, kind: type[RemoteError], said: str):
        says(site, LIST, {"detail": "no way"}, status)
        with pytest.raises(RemoteError) as told:
            at(site.url).all()
        assert type(told.value) is kind
        assert str(told.value) == said.format(at=site.url, make=MAKE_ONE)

    @pytest.mark.parametrize("status", [502, 503, 504])
    def test_what_stands_before_webvigil_says_that_it_is_not_there(self, status: int):
        said = f"x answers {status}: the WebVigil behind it is not there; try again later"
        assert asking._foreign("x", status) == said

    @pytest.mark.parametrize("status", [200, 500, 501, 505])
    def test_what_is_not_webvigil_is_told_with_its_status(self, status: int):
        said = f"what answers at x is not WebVigil (status {status}, no JSON); look at the address"
        assert asking._foreign("x", status) == said

    def test_where_a_redirect_leads_is_told_if_it_says_so(self):
        rest = "; the token is not sent there. Name the address that answers itself"
        assert asking._redirected("x", "") == f"x sends us elsewhere{rest}"
        assert asking._redirected("x", "y" * 201) == f"x sends us to {'y' * 200}{rest}"


@pytest.mark.parametrize(
    ("reason", "kind", "said"),
    [
        (
            socket.gaierror(),
            RemoteUnreachable,
            "x is not reachable: nobody knows this host; look at the name",
        ),
        (TimeoutError(), RemoteUnreachable, "x is not reachable: no connection in 2.5 s"),
        (
            ConnectionRefusedError(),
            RemoteUnreachable,
            "x is not reachable: nothing listens there; is 'webvigil serve' running, and the port right?",
        ),
        (OSError(113, "No route"), RemoteUnreachable, "x is not reachable: No route"),
        (OSError("odd"), RemoteUnreachable, "x is not reachable: odd"),
        ("unknown url type", RemoteUnreachable, "x is not reachable: unknown url type"),
    ],
)
def test_why_a_server_is_not_reached(reason: object, kind: type[RemoteError], said: str):
    found = asking._unreachable("x", reason, 2.5)
    assert (type(found), str(found)) == (kind, said)


@pytest.mark.parametrize(
    ("error", "kind", "said"),
    [
        (TimeoutError(), RemoteUnreachable, "x gave no answer in 2.5 s"),
        (ConnectionResetError(), RemoteUnreachable, "x ended the connection before its answer was whole"),
        (IncompleteRead(b""), RemoteUnreachable, "x ended the connection before its answer was whole"),
    ],
)
@pytest.mark.parametrize("method", ["GET", "POST"])
def test_after_a_change_was_asked_for_nobody_knows_whether_it_was_done(
    error: Exception, kind: type[RemoteError], said: str, method: str
):
    found = asking._cut_off("x", error, 2.5, method)
    unknown = "" if method == "GET" else "; whether it was done is not known: 'webvigil list' tells"
    assert (type(found), str(found)) == (kind, said + unknown)


@pytest.mark.parametrize("method", ["GET", "POST"])
def test_what_is_no_http_is_told_as_such(method: str):
    found = asking._cut_off("x", BadStatusLine("220 mail"), 2.5, method)
    said = "what answers at x does not speak HTTP; look at the address and the port"
    assert (type(found), str(found)) == (RemoteRefused, said)


def heard_from(status: int, content: bytes, kind: str = "application/json", **headers: str) -> Any:
    """Returns what an answer says: the value of its JSON, or the error."""
    head = Message()
    head["Content-Type"] = kind
    for name, value in headers.items():
        head[name] = value
    response: Any = SimpleNamespace(status=status, headers=head)
    try:
        return Asking(server("http://127.0.0.1:1", TOKEN))._parsed(response, content)
    except RemoteError as error:
        return str(error)


NO_JSON = "what answers at http://127.0.0.1:1 is not WebVigil (status {}, no JSON); look at the address"
ELSEWHERE = (
    "http://127.0.0.1:1 sends us {}; the token is not sent there. Name the address that answers itself"
)


@pytest.mark.parametrize(
    ("status", "content", "kind", "said"),
    [
        (200, b"[1]", "application/json", [1]),
        (400, b"{}", "application/problem+json", {}),
        (299, b"[1]", "application/json; charset=utf-8", [1]),
        (300, b"[1]", "application/json", ELSEWHERE.format("elsewhere")),
        (399, b"[1]", "application/json", ELSEWHERE.format("elsewhere")),
        (204, b"", "text/plain", None),
        (204, b"x", "text/plain", NO_JSON.format(204)),
        (200, b"", "text/plain", NO_JSON.format(200)),
        (200, b"[1]", "text/html", NO_JSON.format(200)),
        (200, b"[1", "application/json", NO_JSON.format(200)),
    ],
)
def test_an_answer_is_json_or_empty_on_purpose(status: int, content: bytes, kind: str, said: Any):
    assert heard_from(status, content, kind) == said


def test_a_redirect_tells_where_it_leads():
    assert heard_from(301, b"", Location="/x") == ELSEWHERE.format("to /x")


NEWER = (
    "http://127.0.0.1:1 is WebVigil {} and answers what this command, of WebVigil "
    f"{__version__}, does not understand; use the same version on both sides"
)


@pytest.mark.parametrize(
    ("there", "said"),
    [
        (
            {"queue_age": 0, "version": "9" * 41},
            "http://127.0.0.1:1 is WebVigil " + "9" * 40 + " and answers what this command, of WebVigil "
            f"{__version__}, does not understand; use the same version on both sides",
        ),
        (
            {"queue_age": 0},
            NEWER.format("of another version"),
        ),
        ({"version": "9"}, "what answers at http://127.0.0.1:1 is not WebVigil; look at the address"),
        (["queue_age"], "what answers at http://127.0.0.1:1 is not WebVigil; look at the address"),
        (None, "what answers at http://127.0.0.1:1 is not WebVigil; look at the address"),
    ],
)
def test_an_answer_that_is_not_understood_says_who_gave_it(
    monkeypatch: pytest.MonkeyPatch, there: object, said: str
):
    monkeypatch.setattr(Asking, "_answer", lambda *_: Answer(200, {}, there))
    with pytest.raises(RemoteRefused) as refused:
        Asking(server("http://127.0.0.1:1", TOKEN)).misunderstood()
    assert str(refused.value) == said


@pytest.mark.parametrize(("body", "sent"), [(None, None), ({"a": 1}, b'{"a": 1}'), ([], b"[]")])
def test_what_is_sent_is_json_and_says_so(monkeypatch: pytest.MonkeyPatch, body: Any, sent: bytes | None):
    asked: list[Any] = []
    monkeypatch.setattr(Asking, "_answer", lambda _, *said: asked.append(said) or Answer(299, {}, None))
    assert Asking(server("http://127.0.0.1:1", TOKEN)).ask("PUT", "/x", body=body, a="b c").status == 299
    kind = {} if sent is None else {"Content-Type": "application/json"}
    assert asked == [("PUT", "/api/v1/x?a=b+c", {"Authorization": f"Bearer {TOKEN}"} | kind, sent)]


def test_an_answer_of_300_is_no_success(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(Asking, "_answer", lambda *_: Answer(300, {}, {"detail": "many"}))
    with pytest.raises(RemoteRefused, match="many"):
        Asking(server("http://127.0.0.1:1", TOKEN)).ask("GET", "/x")


class TestTheAddress:
    @pytest.mark.parametrize(
        ("said", "address"),
        [
            ("https://vigil.example/\n", "https://vigil.example"),
            ("https://vigil.example:8443/under/", "https://vigil.example:8443/under"),
            ("http://127.0.0.1:8420", "http://127.0.0.1:8420"),
            ("http://127.1.2.3", "http://127.1.2.3"),
            ("http://[::1]:8420", "http://[::1]:8420"),
            ("http://LOCALHOST:1", "http://LOCALHOST:1"),
        ],
    )
    def test_is_taken(self, said: str, address: str):
        assert server(said, TOKEN).address == address

    @pytest.mark.parametrize(
        "host",
        ["vigil.example", "10.0.0.1", "localhost.example", "127.0.0.1.example", "127.1", "[::2]", "0.0.0.0"],
    )
    def test_plain_http_to_another_machine_must_be_meant(self, host: str):
        with pytest.raises(SettingRefused, match="is plain http: everybody on the way could read the token"):
            server(f"http://{host}", TOKEN)
        assert server(f"http://{host}", TOKEN, plain_http=True).address == f"http://{host}"

    @pytest.mark.parametrize(
        "said",
        [
            *(
                "vigil.example",
                "ftp://vigil.example",
                "http://",
                "https://:80",
                "https://a:port",
                "https://a:99999",
            ),
            *(
                "https://me:pw@vigil.example",
                "https://a/?x=1",
                "https://a/#x",
                "https://[::",
                "file:///etc/passwd",
            ),
            *(
                "https://a b",
                "https://ä.example",
                "https://a\x00b",
                "",
                "https://a:0",
                "https://127.0.0.1@b",
                "http://[::1%5d.b]",
            ),
        ],
    )
    def test_is_refused(self, said: str):
        with pytest.raises(SettingRefused):
            server(said, TOKEN)

    @pytest.mark.parametrize("token", [None, "", "  ", "a b", "a\r\nHost: x", "ä"])
    def test_a_token_that_is_none(self, token: str | None):
        with pytest.raises(SettingRefused, match="'webvigil token add NAME --scope write' makes one"):
            server("https://vigil.example", token)

    @pytest.mark.parametrize(
        ("address", "said"),
        [
            ("vigil.example", "'vigil.example' is no address of a server; one is https://vigil.example"),
            ("https://a:0", "'https://a:0' is no address of a server; one is https://vigil.example"),
            ("https://me@a", "the address of a server has no user, password, ? or #; the token is enough"),
            ("https://a/?x", "the address of a server has no user, password, ? or #; the token is enough"),
            ("https://a/#x", "the address of a server has no user, password, ? or #; the token is enough"),
            ("https://a b", "'https://a b' has letters that an address must not have"),
            ("https://ä.example", "'https://ä.example' has letters that an address must not have"),
            ("https://a%20b", "'https://a%20b' has letters that an address must not have"),
        ],
    )
    def test_what_is_wrong_with_an_address_is_said(self, address: str, said: str):
        with pytest.raises(SettingRefused) as refused:
            checked_address(address)
        assert str(refused.value) == said

    @pytest.mark.parametrize(
        ("address", "is_local"),
        [
            ("http://127.0.0.1", True),
            ("http://Localhost", True),
            ("https://[::1]", True),
            ("https://vigil.example", False),
            ("https://10.0.0.1", False),
        ],
    )
    def test_this_machine_is_known_by_its_address(self, address: str, is_local: bool):
        assert server(address, TOKEN).local is is_local
        assert checked_address(f"{address}/") == address

    @pytest.mark.parametrize(
        ("token", "said"),
        [
            (None, f"a server wants a token: set WEBVIGIL_TOKEN, or say --token; {MAKE_ONE}"),
            (" ", f"a server wants a token: set WEBVIGIL_TOKEN, or say --token; {MAKE_ONE}"),
            ("a b", f"the token has letters that no token has; {MAKE_ONE}"),
            ("ä", f"the token has letters that no token has; {MAKE_ONE}"),
            ("a\x07", f"the token has letters that no token has; {MAKE_ONE}"),
        ],
    )
    def test_what_is_wrong_with_a_token_is_said(self, token: str | None, said: str):
        with pytest.raises(SettingRefused) as refused:
            server("https://vigil.example", token)
        assert str(refused.value) == said

    def test_a_token_is_not_told_by_chance(self):
        assert TOKEN not in repr(server("https://vigil.example", f"{TOKEN}\n"))

    @given(st.text(max_size=60))
    def test_any_text_is_an_address_or_refused(self, text: str):
        for said in (text, f"https://{text}"):
            try:
                found = server(said, TOKEN)
            except SettingRefused:
                continue
            assert found.address.isascii()
            assert not found.address.endswith("/")


NOTHING = dict.fromkeys(("data", "database", "objects", "user", "server", "token")) | {"plain_http": False}
SERVER = "https://vigil.example"
IN_ENVIRONMENT = {"WEBVIGIL_SERVER": SERVER, "WEBVIGIL_TOKEN": TOKEN}


class TestStoreOrServer:
    def address(self, environment: dict[str, str], **given: Any) -> str | None:
        found = server_wanted(NOTHING | given, environment)
        return found.address if found else None

    def test_the_command_line_counts_more_than_the_environment(self):
        assert self.address({}) is None
        assert self.address({"WEBVIGIL_SERVER": ""}) is None
        assert self.address({}, server=SERVER, token=TOKEN) == SERVER
        assert self.address(IN_ENVIRONMENT) == SERVER
        assert self.address(IN_ENVIRONMENT, server="https://b.example") == "https://b.example"
        assert self.address(IN_ENVIRONMENT, data="data") is None
        assert self.address(IN_ENVIRONMENT | {"WEBVIGIL_DATA": "x"}, server=SERVER) == SERVER

    @pytest.mark.parametrize(
        ("given", "environment"),
        [
            ({"server": SERVER, "data": "data"}, {}),
            ({"server": SERVER, "database": "sqlite:///x"}, {}),
            ({"server": SERVER, "user": "jill"}, {}),
            ({"user": "jill"}, IN_ENVIRONMENT),
            ({"token": TOKEN}, {}),
            ({"token": TOKEN, "data": "data"}, IN_ENVIRONMENT),
            ({"plain_http": True}, {}),
            ({}, IN_ENVIRONMENT | {"WEBVIGIL_DATA": "data"}),
            ({}, IN_ENVIRONMENT | {"WEBVIGIL_DATABASE": "postgresql://x/y"}),
        ],
    )
    def test_between_two_nobody_guesses(self, given: dict[str, Any], environment: dict[str, str]):
        with pytest.raises(click.UsageError):
            self.address(environment, **given)


texts = st.text(max_size=20)
numbers = st.integers(0, 2**53)
moments = numbers.map(lambda millis: as_datetime(millis % 4_000_000_000_000))
doubts = st.builds(
    Doubt, kind=texts, said=texts, clear=st.just(True), since=moments.map(as_millis), told=st.booleans()
)
pages = st.builds(
    lambda level, via, **more: WatchedPage(level=level, via=via if level else "", **more),
    level=st.integers(0, 2),
    via=texts,
    id=numbers,
    url=texts,
    due=st.none() | moments,
    latest=numbers,
    checks=numbers,
    failures=numbers,
    doubt=st.none() | doubts,
)
several_pages = st.lists(pages, max_size=3).map(tuple)
sentinels = st.builds(
    ToldSentinel,
    name=texts,
    text=texts,
    state=st.sampled_from(State),
    installed_at=moments,
    pages=several_pages,
    changes=numbers,
    linked=numbers,
    full=st.booleans(),
)
portraits = st.builds(
    Portrait,
    sentinel=sentinels,
    next=texts,
    pace=st.dictionaries(texts, texts, max_size=3),
    trouble=st.dictionaries(texts, texts, max_size=3),
    linked=several_pages,
    most_linked=numbers,
)
anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | texts,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=6,
)


@given(portraits)
def test_what_a_server_tells_is_heard_as_it_was(portrait: Portrait):
    said = json.loads(json.dumps(portrait_as_json(portrait)))
    assert heard.portrait(said) == portrait
    assert heard.sentinel(json.loads(json.dumps(sentinel_as_json(portrait.sentinel)))) == portrait.sentinel


@given(portraits, st.data())
def test_one_wrong_word_is_not_let_through(portrait: Portrait, data: st.DataObject):
    """Data with one wrong value is either refused, or read so that the value still has its type."""
    said = portrait_as_json(portrait)
    name = data.draw(st.sampled_from(sorted(said)))
    said[name] = data.draw(anything)
    try:
        found = heard.portrait(said)
    except (KeyError, TypeError, ValueError, AttributeError):
        return
    again = portrait_as_json(found)
    assert type(again[name]) is type(said[name])


@given(st.text() | st.integers().map(lambda n: f'</x?before={n}>; rel="next"'), numbers)
def test_lists_come_to_an_end(link: str, before: int):
    found = next_before(link, before)
    assert found is None or -LARGEST_ID <= found < before


@pytest.mark.parametrize(
    ("link", "before"),
    [
        ('</x?before=6>; rel="next"', 6),
        ("</x?limit=2&before=-6>; rel=next", -6),
        ('</x?before=7>; rel="next"', None),  # it would repeat itself
        ('</x?before=8>; rel="next"', None),
        ('</x?before=6>; rel="prev"', None),
        ('</x>; rel="next"', None),
        (f'</x?before=-{LARGEST_ID}>; rel="next"', -LARGEST_ID),
        (f'</x?before=-{LARGEST_ID + 1}>; rel="next"', None),
        ('</x?before=-9999999999999999999>; rel="next"', None),
        ('</x?before=٣>; rel="next"', None),
        ('</x?before=--3>; rel="next"', None),
        ("", None),
    ],
)
def test_a_link_says_where_the_next_piece_begins(link: str, before: int | None):
    assert next_before(link, 7) == before


@pytest.mark.parametrize("name", ["x" * 200, "é", "a.b", "\ud7ff1", "\ue0001"])
def test_a_name_that_a_sentinel_can_have_is_asked_for(name: str):
    assert at_server._possible(name) == name


def test_half_a_letter_is_no_letter_of_a_name():
    assert [at_server._is_utf8(letter) for letter in ("\ud7ff", "\ue000")] == [True, True]
    assert [at_server._is_utf8(chr(code)) for code in (0xD800, 0xDBFF, 0xDFFF)] == [False] * 3
