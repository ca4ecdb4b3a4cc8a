"""The pages of the dashboard: adding, listing, acting, and that nothing typed becomes markup."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
from fastapi.testclient import TestClient
from lxml import html

from tests.site import Site
from tests.store.making import checked, claim_all, new_change, new_version, sentinel
from tests.web.doors import browser_of
from webvigil.app.operating.stores import opened
from webvigil.app.sentinels.install import install_text
from webvigil.app.settings import Settings, read_settings
from webvigil.errors import PageUnreachable
from webvigil.flow import failed
from webvigil.model.doubt import Doubt
from webvigil.store.promises import Knowledge
from webvigil.web.application import create_application

TABLE = "<table><tr><th>what<th>price<tr><td>tea<td>3</table>"
PAGE = f"<title>Town prices</title><main>{TABLE}<a href=/x>x</a></main>"


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    given = {"data": str(tmp_path), "allow_networks": "127.0.0.0/8", "host_delay": "0"}
    return read_settings(given, environment={})


@pytest.fixture
def knowledge(settings: Settings) -> Iterator[Knowledge]:
    with opened(settings) as made:
        made.users.add("jill")
        made.users.add("jack")
        yield made


@pytest.fixture
def jill(knowledge: Knowledge, settings: Settings) -> Iterator[TestClient]:
    with browser_of(create_application(knowledge, settings), knowledge, "jill") as client:
        client.headers["accept"] = "text/html"
        yield client


class TestAdding:
    def test_a_page_is_looked_at_chosen_from_and_watched(
        self, jill: TestClient, knowledge: Knowledge, site: Site
    ):
        page = site.page("/prices", PAGE)
        shown = jill.get("/add", params={"url": page.url})
        assert "Table" in shown.text
        assert "town-prices" in shown.text
        preview = jill.post("/add/preview", data={"url": page.url, "choice": "table: {1}\n"})
        assert "tea" in preview.text
        saved = jill.post(
            "/add",
            data={
                "url": page.url,
                "choice": "table: {1}\n",
                "name": "town-prices",
                "fetch": "1 hour",
                "topic": "shops",
            },
        )
        assert saved.headers["location"] == "/sentinels/town-prices"
        text = knowledge.sentinels.get("jill", "town-prices").text
        assert "Monitor table: {1}" in text
        assert "Fetch 1 hour" in text
        assert "Topic" in text
        assert jill.get("/sentinels/town-prices").status_code == 200

    def test_ones_own_words_and_part_are_taken(self, jill: TestClient, knowledge: Knowledge, site: Site):
        page = site.page("/prices", PAGE)
        data = {"url": page.url, "choice": "own", "own": "keywords: {sale}", "within": "main", "name": "sale"}
        assert jill.post("/add", data=data).status_code == 303
        text = knowledge.sentinels.get("jill", "sale").text
        assert "keywords: {sale}" in text
        assert 'Within css "main"' in text

    def test_many_pages_are_watched_by_one_sentinel(self, jill: TestClient, knowledge: Knowledge):
        urls = "https://a.test/\nhttps://b.test/ c.test"
        assert "and 2 more pages" in jill.get("/add", params={"url": urls}).text
        jill.post("/add", data={"url": urls, "choice": "all links\n", "name": "many"})
        pages = knowledge.sentinels.get("jill", "many").pages
        assert [page.url for page in pages] == ["https://a.test/", "https://b.test/", "https://c.test/"]

    @pytest.mark.parametrize(
        "url",
        [
            "javascript:alert(1)",
            "file:///etc/passwd",
            "ftp://x.test/",
            "http://",
            "https://a.test/\\@b",
            "x " * 300,
            "http://169.254.169.254/latest/meta-data",
            "http://[::1]/",
        ],
    )
    def test_what_is_no_public_page_is_refused_in_a_sentence(self, jill: TestClient, url: str):
        shown = jill.get("/add", params={"url": url})
        assert shown.status_code == 400
        assert 'class="trouble"' in shown.text
        saved = jill.post("/add", data={"url": url, "choice": "any change\n", "name": "bad"})
        assert saved.status_code == 400

    def test_a_sentinel_is_written_as_text(self, jill: TestClient, knowledge: Knowledge):
        text = "Create Sentinel t1 Using https://a.test/ Monitor all links"
        assert "all right" in jill.post("/add/check", data={"text": text}).text
        assert "Line 1, column" in jill.post("/add/check", data={"text": "Create Sentinel"}).text
        assert jill.post("/add/text", data={"text": text}).headers["location"] == "/sentinels/t1"
        again = jill.post("/add/text", data={"text": text})
        assert again.status_code == 400
        assert "already" in again.text
        assert "Create Sentinel t1" in again.text, "what was typed is not lost"

    @pytest.mark.parametrize("name", ["a?b", "a#b", "100% tea", '"q"', "a b", "ünï", "<b>"])
    def test_whatever_it_is_called_its_page_is_found(self, jill: TestClient, knowledge: Knowledge, name: str):
        form = {"url": "https://a.test/", "choice": "any change", "name": name}
        place = jill.post("/add", data=form).headers["location"]
        assert jill.get(place).status_code == 200
        assert jill.post(place, data={"action": "disable"}).headers["location"] == place
        assert not knowledge.sentinels.get("jill", name).enabled

    def test_one_without_a_name_gets_one(self, jill: TestClient, knowledge: Knowledge):
        place = jill.post("/add", data={"url": "https://a.test/", "choice": "any change"}).headers["location"]
        assert jill.get(place).status_code == 200

    def test_no_text_is_no_sentinel(self, jill: TestClient):
        answer = jill.post("/add/text", data={"text": " \n"})
        assert answer.status_code == 400
        assert "at least one sentinel" in answer.text

    @pytest.mark.parametrize(
        ("url", "said"),
        [
            ("http://127.0.0.1:1/", "Connection refused"),
            ("http://10.0.0.1/", "not a public address"),
            ("http://[::ffff:10.0.0.1]/", "not a public address"),
            ("http://127.0.0.1:99999/", "its port is no number"),
            ("http://" + "a" * 300 + ".test/", "its host name is none"),
            ("javascript:alert(1)", "must start with http"),
            ("mailto:jill@example.org", "must start with http"),
            ("data:text/html,x", "must start with http"),
            ("file:///etc/passwd", "must start with http"),
            ("https://", "names no host"),
        ],
    )
    @pytest.mark.parametrize("path", ["/add", "/add/pick"])
    def test_trouble_with_an_address_is_told_in_words(self, jill: TestClient, path: str, url: str, said: str):
        answer = jill.get(path, params={"url": url})
        assert answer.status_code == 400
        (trouble,) = html.fromstring(answer.text).xpath("//*[@role='alert']")
        assert said in trouble.text_content()
        assert not re.search(r"Errno|codec|Error|\[|robots\.txt:|cast to", trouble.text_content())

    @pytest.mark.parametrize(
        ("status", "said"),
        [(401, "wants a log-in"), (403, "let a browser look"), (404, "is the address right")],
    )
    def test_what_the_server_said_is_explained(self, jill: TestClient, site: Site, status: int, said: str):
        answer = jill.get("/add", params={"url": site.page("/closed", "x").answers(status).url})
        (trouble,) = html.fromstring(answer.text).xpath("//*[@role='alert']")
        assert f"answered {status}: " in trouble.text_content()
        assert said in trouble.text_content()


RESTING = {"url": "https://a.test/1", "title": "rests", "paused": True, "last_checked": 1}
AWAKE = {"url": "https://a.test/2", "title": "looks", "paused": False, "last_checked": 1}


class TestBringing:
    def installed(self, jill: TestClient, data: bytes) -> TestClient:
        """Imports a file as a user does: sends it, sees the plan, and confirms it."""
        shown = jill.post("/import", files={"file": ("backup.json", data)})
        (form,) = [one for one in html.fromstring(shown.text).forms if one.action == "/import"]
        assert jill.post("/import", data=dict(form.form_values())).status_code == 303
        return jill

    def test_what_rested_elsewhere_rests_here(self, jill: TestClient, knowledge: Knowledge):
        watching = {"watching": {"u1": RESTING, "u2": AWAKE}}
        self.installed(jill, json.dumps(watching).encode())
        assert not knowledge.sentinels.get("jill", "rests").enabled
        assert knowledge.sentinels.get("jill", "looks").enabled

    def test_a_long_list_is_installed_as_well(self, jill: TestClient, knowledge: Knowledge):
        """The text of the plan is longer than a field of any other form may be."""
        lines = "".join(f"https://a.test/{number}/{'x' * 6000}\n" for number in range(200))
        self.installed(jill, lines.encode())
        assert len(knowledge.sentinels.all("jill")) == 200


class TestTrouble:
    def test_one_that_cannot_be_done_does_not_hold_up_the_others(
        self, jill: TestClient, knowledge: Knowledge
    ):
        knowledge.sentinels.add(sentinel("here"))
        answer = jill.post("/sentinels/many", data={"action": "disable", "name": ["gone", "here"]})
        assert answer.status_code == 400
        assert "1 of 2 could not be done" in answer.text
        assert "no sentinel" in answer.text
        assert not knowledge.sentinels.get("jill", "here").enabled

    def test_who_is_signed_in_finds_the_way_back(self, jill: TestClient):
        answer = jill.get("/nowhere")
        assert answer.status_code == 404
        assert html.fromstring(answer.text).xpath("//nav//a[@href='/sentinels']")

    @pytest.mark.parametrize(
        ("method", "path", "sent", "said"),
        [
            ("GET", "/inbox?before=abc", {}, "before is not a whole number"),
            ("GET", "/changes/x", {}, "there is no such address"),
            ("GET", "/changes/99999999999999999999", {}, "there is no such address"),
            ("GET", "/pages/99999999999999999999/versions/1", {}, "there is no such address"),
            ("GET", "/export/everything", {}, "there is no such address"),
            ("POST", "/sentinels/many", {}, "action is missing"),
            ("POST", "/sentinels/many", {"action": "boom"}, "action is none of"),
            ("POST", "/account/tokens", {"name": "x" * 2000}, "name is longer than 1000 characters"),
            ("POST", "/bulletin", {}, "this cannot be done at this address"),
        ],
    )
    def test_what_is_not_understood_is_told_in_words(
        self, jill: TestClient, method: str, path: str, sent: dict[str, str], said: str
    ):
        answer = jill.request(method, path, data=sent)
        assert said in html.fromstring(answer.text).text_content()
        assert "Input should" not in answer.text


class TestLists:
    def test_sentinels_are_found_filtered_and_walked(self, jill: TestClient, knowledge: Knowledge):
        knowledge.sentinels.add(*(sentinel(f"s{number:03}", text="…") for number in range(60)))
        first = jill.get("/sentinels").text
        assert first.count('class="row"') == 50
        more = (
            first.partition('class="older"')[2]
            .partition('hx-get="')[2]
            .partition('"')[0]
            .replace("&amp;", "&")
        )
        assert jill.get(more, headers={"hx-request": "true"}).text.count('class="row"') == 10
        assert jill.get("/sentinels?words=s007").text.count('class="row"') == 1
        assert "Nothing here with these filters" in jill.get("/sentinels?state=failed").text

    def test_many_are_acted_on_at_once(self, jill: TestClient, knowledge: Knowledge):
        knowledge.sentinels.add(*(sentinel(name) for name in ("a", "b", "c")))
        jill.post("/sentinels/many", data={"action": "disable", "name": ["a", "b"]})
        assert [one.enabled for one in knowledge.sentinels.all("jill")] == [True, False, False]
        jill.post("/sentinels/many", data={"action": "remove", "name": ["c"]})
        assert [one.name for one in knowledge.sentinels.all("jill")] == ["b", "a"]
        assert jill.post("/sentinels/many", data={"action": "explode", "name": ["a"]}).status_code == 422

    def test_a_removal_says_what_it_did_and_is_undone_at_once(self, jill: TestClient, knowledge: Knowledge):
        knowledge.sentinels.add(sentinel("a"), sentinel("b"))
        (claim,) = claim_all(knowledge)
        found = new_change(claim.pages[0].watches[0].sentinel, 1, 2)
        knowledge.schedule.finish(claim, [checked(claim, claim.pages[0], changes=(found,))])
        gone = jill.post("/sentinels/a", data={"action": "remove"})
        toast = html.fromstring(jill.get(gone.headers["location"]).text).cssselect(".toast")[0]
        assert "Removed a with 1 change." in toast.text_content()
        (button,) = toast.cssselect("button")
        back = jill.post(toast.get("action"), data={button.get("name"): button.get("value")})
        assert "Brought back 1 sentinel with all changes." in jill.get(back.headers["location"]).text
        assert [one.name for one in knowledge.sentinels.all("jill")] == ["b", "a"]
        assert len(knowledge.changes.all("jill", sentinel="a")) == 1

    def test_many_removals_are_undone_together_and_only_by_their_owner(
        self, jill: TestClient, knowledge: Knowledge, settings: Settings
    ):
        knowledge.sentinels.add(*(sentinel(name) for name in ("a", "b", "c")))
        gone = jill.post("/sentinels/many", data={"action": "remove", "name": ["a", "b"]})
        there = jill.get(gone.headers["location"]).text
        assert "Removed 2 sentinels with 0 changes." in there
        undo = html.fromstring(there).cssselect(".toast button")[0].get("value")
        with browser_of(create_application(knowledge, settings), knowledge, "jack") as jack:
            assert jack.post("/sentinels-removed", data={"undo": undo}).status_code == 400
            wrong = knowledge.sentinels.removed("jill")[0].id
            assert jack.post("/sentinels-removed", data={"number": str(wrong)}).status_code == 400
        knowledge.sentinels.add(sentinel("a"))
        partly = jill.post("/sentinels-removed", data={"undo": undo})
        assert "another sentinel &#39;a&#39; now" in partly.text
        assert sorted(one.name for one in knowledge.sentinels.all("jill")) == ["a", "b", "c"]
        listed = html.fromstring(jill.get("/sentinels-removed").text)
        assert [one.get("aria-label") for one in listed.cssselect(".rows button")] == ["Bring back a"]

    def test_removed_sentinels_come_in_pieces(self, jill: TestClient, knowledge: Knowledge):
        knowledge.sentinels.add(*(sentinel(f"s{number:03}", text="…") for number in range(60)))
        everything = {"action": "remove", "everything": "true", "filters": ""}
        assert jill.post("/sentinels/many", data=everything).status_code == 303
        first = html.fromstring(jill.get("/sentinels-removed").text)
        (older,) = first.xpath("//p[@class='older']/a/@href")
        rest = html.fromstring(jill.get(older).text)
        listed = [page.xpath("//button[@name='number']/@value") for page in (first, rest)]
        assert [len(some) for some in listed] == [50, 10]
        assert len({*listed[0], *listed[1]}) == 60
        assert not rest.xpath("//p[@class='older']")

    def test_what_was_removed_beside_a_failure_is_undone_at_once(
        self, jill: TestClient, knowledge: Knowledge
    ):
        knowledge.sentinels.add(sentinel("a"), sentinel("b"))
        partly = jill.post("/sentinels/many", data={"action": "remove", "name": ["a", "none", "b"]})
        assert (partly.status_code, "1 of 3 could not be done" in partly.text) == (400, True)
        (toast,) = html.fromstring(partly.text).cssselect(".toast")
        assert "Removed 2 sentinels with 0 changes." in toast.text_content()
        (button,) = toast.cssselect("button")
        jill.post(toast.get("action"), data={button.get("name"): button.get("value")})
        assert [one.name for one in knowledge.sentinels.all("jill")] == ["b", "a"]

    def test_all_that_the_filters_let_through_are_acted_on_at_once(
        self, jill: TestClient, knowledge: Knowledge
    ):
        knowledge.sentinels.add(*(sentinel(f"s{number:03}", text="…") for number in range(130)))
        page = jill.get("/sentinels?words=s0").text
        assert "all 100 of this list" in page
        filters = page.partition('name="filters" value="')[2].partition('"')[0]
        answer = jill.post(
            "/sentinels/many", data={"action": "disable", "everything": "true", "filters": filters}
        )
        assert answer.headers["location"] == "/sentinels?words=s0&did=disable&number=100"
        resting = [one.name for one in knowledge.sentinels.all("jill") if not one.enabled]
        assert (len(resting), min(resting), max(resting)) == (100, "s000", "s099")

    def test_the_largest_change_stands_first_where_that_is_wanted(
        self, jill: TestClient, knowledge: Knowledge
    ):
        knowledge.sentinels.add(*(sentinel(f"s{number}", f"http://s{number}.test/") for number in range(5)))
        for claim, share in zip(claim_all(knowledge), (0.1, 0.9, 0.3, 0.8, 0.5), strict=True):
            due = claim.pages[0]
            change = new_change(due.watches[0].sentinel, 1, 2)
            (finding,) = change.findings
            change = replace(change, findings=(replace(finding, share=share),))
            knowledge.schedule.finish(claim, [checked(claim, due, changes=(change,))])
        shown = re.findall(r"(\d+) % of the text", jill.get("/inbox?order=largest").text)
        assert shown == ["90", "80", "50", "30", "10"]
        assert "largest of the" not in jill.get("/inbox").text

    def test_with_none_chosen_that_is_said(self, jill: TestClient, knowledge: Knowledge):
        knowledge.sentinels.add(sentinel("a"))
        answer = jill.post("/sentinels/many", data={"action": "disable"})
        assert answer.status_code == 400
        assert "No sentinel is chosen" in answer.text

    def test_a_page_that_fails_says_why_in_the_lists(self, jill: TestClient, knowledge: Knowledge):
        knowledge.sentinels.add(sentinel("a"))
        (claim,) = claim_all(knowledge)
        error = PageUnreachable("the server answered 503")
        knowledge.schedule.finish(claim, [failed(claim.pages[0], claim.now, error, 0)])
        assert "The server answered 503. It failed once" in jill.get("/sentinels").text

    @pytest.mark.parametrize("path", ["/sentinels", "/sentinels/a", "/pages/1", "/health"])
    def test_a_question_in_the_reason_ends_its_sentence(
        self, jill: TestClient, knowledge: Knowledge, path: str
    ):
        knowledge.users.change("jill", role="admin")
        text = "Create Sentinel a Using http://site.test/ Monitor any change"
        knowledge.sentinels.add(sentinel("a", text=text))
        (claim,) = claim_all(knowledge)
        error = PageUnreachable("there is no such page; is the address right?")
        knowledge.schedule.finish(claim, [failed(claim.pages[0], claim.now, error, 0)])
        told = " ".join(jill.get(path).text.split())
        assert "There is no such page; is the address right? It failed once" in told or (
            "failed once. There is no such page; is the address right? <" in told
        )
        assert "right?;" not in told
        assert "right?." not in told

    def test_a_page_that_shows_something_else_says_what_wherever_it_is_shown(
        self, jill: TestClient, knowledge: Knowledge
    ):
        text = "Create Sentinel a Using http://site.test/ Monitor any change"
        (added,) = knowledge.sentinels.add(sentinel("a", text=text))
        knowledge.users.change("jill", role="admin")
        (claim,) = claim_all(knowledge)
        seen = Doubt(kind="log-in", said="asks for a log-in", clear=True, since=claim.now)
        knowledge.schedule.finish(claim, [checked(claim, claim.pages[0], doubt=seen)])
        shown = jill.get("/sentinels/a").text
        assert re.search(
            r"<p>It asks for a log-in, first seen <time [^>]*>[^<]+</time>, it seems\. It is looked", shown
        )
        knowledge.schedule.ask(added.pages[0].id)
        (claim,) = claim_all(knowledge, lease=0)
        told = replace(seen, told=True)
        knowledge.schedule.finish(claim, [checked(claim, claim.pages[0], doubt=told)])
        for place in ("/sentinels/a", "/pages", f"/pages/{added.pages[0].id}", "/health"):
            shown = jill.get(place).text
            assert re.search(
                r" class=trouble>It asks for a log-in, first seen <time [^>]*>[^<]+</time>\.<", shown
            ), place

    def test_changes_are_filtered_and_marked(self, jill: TestClient, knowledge: Knowledge):
        change = find_a_change(knowledge)
        assert f"change-{change}" in jill.get("/inbox?show=unread&type=all+links").text
        card = jill.post(f"/changes/{change}/seen", headers={"hx-request": "true"}).text
        assert "Mark as unread" in card
        assert "Nothing here" in jill.get("/inbox?show=unread").text
        jill.post(f"/changes/{change}/seen", data={"seen": "false"})
        assert jill.post("/changes/seen", data={"up_to": change}).status_code == 303
        assert knowledge.changes.get(change).seen
        jill.post(f"/changes/{change}/note", data={"note": " call them "})
        assert "call them" in jill.get(f"/changes/{change}").text

    def test_what_was_on_the_screen_is_marked_and_nothing_else(self, jill: TestClient, knowledge: Knowledge):
        texts = {"a": "art", "b": "money", "c": "art"}
        added = knowledge.sentinels.add(
            *(sentinel(name, f"http://{name}.test/", topic=topic) for name, topic in texts.items())
        )
        found = {one.name: change_of(knowledge, one.pages[0].id) for one in added}
        page = jill.get("/inbox?topic=art").text
        assert "Mark these as read" in page
        assert '<input type="hidden" name="topic" value="art">' in page
        assert f'name="up_to" value="{found["c"]}"' in page
        answer = jill.post("/changes/seen", data={"up_to": found["a"], "topic": "art"})
        assert answer.headers["location"] == "/inbox?topic=art"
        assert [knowledge.changes.get(found[name]).seen for name in "abc"] == [True, False, False]
        assert "Mark all <span data-unread>2</span> as read" in jill.get("/inbox").text
        jill.post("/changes/seen", data={"up_to": found["c"], "type": "visual"})
        assert not knowledge.changes.get(found["b"]).seen
        jill.post("/changes/seen", data={"up_to": found["b"]})
        assert [knowledge.changes.get(found[name]).seen for name in "abc"] == [True, True, False]
        none = html.fromstring(jill.get("/inbox?topic=none").text)
        (button,) = none.xpath("//button[@form='all-seen']")
        assert (button.text_content(), button.get("hidden") is not None) == ("Mark these as read", True)


class TestSafety:
    HOSTILE = "<script>alert(1)</script>\"'><img src=x onerror=alert(1)>{{7*7}}"

    @pytest.mark.parametrize(
        "path",
        [
            "/add?url={}",
            "/sentinels?words={}",
            "/inbox?topic={}",
            "/inbox?sentinel={}",
            "/inbox?type={}",
            "/sentinels/{}",
            "/changes/{}",
        ],
    )
    def test_what_is_in_an_address_stays_text(self, jill: TestClient, path: str):
        shown = jill.get(path.format(self.HOSTILE)).text
        assert "<script>alert" not in shown
        assert "<img src=x" not in shown
        assert "49" not in shown

    def test_what_a_site_says_stays_text(self, jill: TestClient, site: Site):
        page = site.page(
            "/evil",
            f"<title>{self.HOSTILE.replace('<', '&lt;')}</title><table><tr><td>{{{{7*7}}}}<td>x</table>",
        )
        for shown in (
            jill.get("/add", params={"url": page.url}).text,
            jill.post("/add/preview", data={"url": page.url, "choice": "any change\n"}).text,
        ):
            assert "<script>alert" not in shown
            assert "<img src=x" not in shown
            assert "{{7*7}}" in shown

    def test_settings_show_no_secrets(self, knowledge: Knowledge, tmp_path: Path):
        given = {"data": str(tmp_path), "secret_key": "c" * 44, "database": "", "proxy": "http://u:pw@p.test"}
        application = create_application(knowledge, read_settings(given, environment={}))
        admin = browser_of(application, knowledge, "me")
        shown = admin.get("/settings").text
        assert "c" * 44 not in shown
        assert "pw@" not in shown

    def test_vendored_files_are_what_they_were(self):
        folder = Path(__file__).parents[2] / "src/webvigil/web/static/vendor"
        lines = [line.split() for line in (folder / "HASHES").read_text().splitlines() if line[0] != "#"]
        assert {name for _, name in lines} == {
            file.name for file in folder.iterdir() if file.suffix in (".js", ".css")
        }
        for known, name in lines:
            assert hashlib.sha256((folder / name).read_bytes()).hexdigest() == known

    def test_a_downloaded_version_is_nothing_to_show(self, jill: TestClient, knowledge: Knowledge):
        his = knowledge.sentinels.add(sentinel("his", user="jack"))[0].pages[0].id
        assert jill.get(f"/pages/{his}/versions/1").status_code == 404


def find_a_change(knowledge: Knowledge) -> int:
    knowledge.sentinels.add(sentinel("s1"))
    (claim,) = claim_all(knowledge)
    due = claim.pages[0]
    change = new_change(due.watches[0].sentinel, 1, 2)
    knowledge.schedule.finish(claim, [checked(claim, due, version=new_version(1), changes=(change,))])
    return knowledge.changes.all()[0].id


def change_of(knowledge: Knowledge, page: int) -> int:
    """Returns a change of the page, now."""
    knowledge.schedule.ask(page)
    for claim in claim_all(knowledge):
        for due in claim.pages:
            found = (new_change(due.watches[0].sentinel, 1, 2),) if due.id == page else ()
            knowledge.schedule.finish(claim, [checked(claim, due, changes=found)])
    return knowledge.changes.all()[0].id


NEWS = "Create Sentinel news Using http://site.test/ Monitor all links Fetch 2 hour Priority 4"


class TestEditing:
    @pytest.fixture(autouse=True)
    def _news(self, knowledge: Knowledge, settings: Settings) -> None:
        install_text(knowledge, replace(settings, user="jill"), NEWS)

    def test_the_basic_fields_are_shown_and_saved_and_the_rest_stays(
        self, jill: TestClient, knowledge: Knowledge
    ):
        assert "/sentinels/news/edit" in jill.get("/sentinels/news").text
        shown = jill.get("/sentinels/news/edit").text
        assert 'value="all links"' in shown
        assert 'value="2 hour" selected' in shown
        fields = {
            "monitor": "all images",
            "within": "main > p",
            "fetch": "on change",
            "topic": "t",
            "notify": "log",
        }
        saved = jill.post("/sentinels/news/edit", data=fields)
        assert (saved.status_code, saved.headers["location"]) == (303, "/sentinels/news")
        assert knowledge.sentinels.get("jill", "news").text.splitlines() == [
            "Create Sentinel news Using http://site.test/",
            "Monitor all images",
            'Within css "main > p"',
            "Fetch on change",
            "Notify By log",
            "Topic t",
            "Priority 4",
        ]

    def test_the_whole_text_is_saved(self, jill: TestClient, knowledge: Knowledge):
        text = NEWS.replace("links", "words")
        assert "all right" in jill.post("/add/check?edited=news", data={"text": text}).text
        assert jill.post("/sentinels/news/text", data={"text": text}).status_code == 303
        assert "all words" in knowledge.sentinels.get("jill", "news").text

    @pytest.mark.parametrize(
        ("place", "data", "said"),
        [
            ("edit", {"monitor": "all linx"}, "all linx"),
            ("edit", {"monitor": "all links", "fetch": "1 second"}, "too often"),
            ("edit", {"notify": "pigeon home"}, "pigeon"),
            ("edit", {"within": "<script>alert(1)</script>"}, "&lt;script&gt;alert"),
            ("text", {"text": "Create Sentinel other Using http://site.test/"}, "keeps its name"),
            ("text", {"text": ""}, "there are 0"),
        ],
    )
    def test_what_is_wrong_is_said_and_what_was_typed_stays(
        self, jill: TestClient, knowledge: Knowledge, place: str, data: dict[str, str], said: str
    ):
        before = knowledge.sentinels.get("jill", "news")
        answer = jill.post(f"/sentinels/news/{place}", data=data)
        assert answer.status_code == 400
        assert said in answer.text
        assert "<script>alert" not in answer.text
        assert knowledge.sentinels.get("jill", "news") == before

    def test_nobody_edits_what_is_not_theirs(self, knowledge: Knowledge, settings: Settings):
        jack = browser_of(create_application(knowledge, settings), knowledge, "jack")
        assert jack.get("/sentinels/news/edit").status_code == 404
        assert jack.post("/sentinels/news/edit", data={"topic": "mine"}).status_code == 404
        assert jack.post("/sentinels/news/text", data={"text": NEWS}).status_code == 404


class TestSearching:
    def test_changes_are_found_as_cards(self, jill: TestClient, knowledge: Knowledge):
        knowledge.sentinels.add(sentinel("s1", topic="press"))
        (claim,) = claim_all(knowledge)
        (due,) = claim.pages
        change = new_change(due.watches[0].sentinel, 1, 2)
        knowledge.schedule.finish(claim, [checked(claim, due, version=new_version(1), changes=(change,))])
        today = f"{datetime.now(UTC):%Y-%m-%d}"
        assert "star stands" in jill.get("/search").text
        for query, found in (
            ({"q": "x"}, 1),
            ({"q": "x", "topic": "press", "type": "all links", "sentinel": " s1 "}, 1),
            ({"q": "nothing"}, 0),
            ({"since": today, "until": today}, 1),
            ({"until": "2020-01-01"}, 0),
            ({"q": "<script>alert(1)</script>"}, 0),
        ):
            answer = jill.get("/search", params=query).text
            assert answer.count('class="change') == found, query
            assert (f"{found} found." if found else "Nothing was found.") in answer
            assert "<script>alert" not in answer

    @pytest.mark.parametrize("day", ["yesterday", "2026-13-01", "9999-12-31", "0001-01-01"])
    def test_a_strange_day_is_no_trouble(self, jill: TestClient, day: str):
        for name in ("since", "until"):
            assert jill.get("/search", params={name: day}).status_code in (200, 400)
