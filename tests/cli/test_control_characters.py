"""Control characters of a page do not act on the terminal that shows it; JSON contains them escaped (U3)."""

from __future__ import annotations

import json
import logging
import re
from pathlib import Path

import pytest

from tests.store.making import checked, claim_all, sentinel
from tests.whole.serving import webvigil
from webvigil.app.operating.logs import start_logging
from webvigil.model.change import Finding, ObjectChange, Status
from webvigil.model.json_text import json_text
from webvigil.model.version import Answer
from webvigil.model.work import Look, NewChange, NewVersion
from webvigil.present.escape import one_line, plain_text
from webvigil.store.objects.directory import Directory
from webvigil.store.repository import PageRepository
from webvigil.store.sql.knowledge import SqlKnowledge

URL = "http://site.test/prices"
# Clears the screen, renames the window, rings the bell, sets a colour by the one-byte form of the escape,
# goes back to the start of the line, and reverses the direction of text.
EVIL = "\x1b[2J\x1b]0;mine\x07 \x9b31m a\x00b c\rd \u202eright\u202c \u2066left\u2069 \x7f\u2028 \ud800"
ACTING = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")


def harmless(text: str) -> bool:
    return not ACTING.search(text)


def entities(text: str) -> str:
    """Returns the text as HTML entities, so that it does not depend on the charset of the page."""
    return "".join(f"&#{ord(one)};" if ord(one) > 126 or ord(one) < 32 else one for one in text)


@pytest.fixture
def files(tmp_path: Path) -> tuple[str, str]:
    old, new = tmp_path / "old.html", tmp_path / "new.html"
    old.write_text("<title>Old</title><p>one<p>two <a href=/a>a</a><table><tr><td>k<td>1</table>", "utf-8")
    body = EVIL.replace("\ud800", "")
    new.write_bytes(
        f"<title>{body}</title><p>{body}<p>{entities(body)} <a href='/{body}'>a</a>"
        f"<table><tr><td>k<td>{body}</table><!--{body}--><img src='{body}'><x{chr(155)}>".encode()
    )
    return str(old), str(new)


MONITORS = (
    "any change", "exact change", "all links", "all images", "all words", "content", "structure", "layout",
    "tags", "attributes", "comments", "table: {1}", "regular expression: {(?s)two.*}",
)  # fmt: skip


def test_a_difference_is_told_without_control_characters(files: tuple[str, str]):
    done = webvigil("diff", *files, "--monitor", " OR ".join(MONITORS), "--url", URL)
    assert done.returncode == 1
    assert "·[2J" in done.stdout
    assert harmless(done.stdout), ACTING.search(done.stdout)
    assert all(line[0] in " +-~>" or line.split(":")[0] in " ".join(MONITORS)
               for line in done.stdout.splitlines())  # fmt: skip


@pytest.mark.parametrize("how", ["only", "single", "dual"])
def test_the_page_with_its_changes_is_shown_without_control_characters(files: tuple[str, str], how: str):
    done = webvigil("diff", *files, "--present", how)
    painted = re.sub(r"\x1b\[[\d;]*m", "", done.stdout)
    assert done.returncode == 1
    assert harmless(painted), ACTING.search(painted)


def test_json_gives_it_exactly_and_in_escapes(files: tuple[str, str]):
    done = webvigil("diff", *files, "--monitor", "comments OR all words", "--json")
    assert done.returncode == 1
    assert harmless(done.stdout.replace("\n", ""))
    texts = [one["object"] for finding in json.loads(done.stdout)["findings"] for one in finding["objects"]]
    assert any("\x1b]0;mine\x07" in text and "\u202eright\u202c" in text for text in texts)


def test_a_file_with_a_wrong_name_is_refused_in_plain_words(tmp_path: Path):
    done = webvigil("diff", f"{tmp_path}/\x1b[2J.html", "x.html")
    assert done.returncode == 2
    assert harmless(done.stderr)


def test_a_digest_in_words(files: tuple[str, str]):
    done = webvigil("digest", files[1])
    assert done.returncode == 0
    assert "title" in done.stdout
    assert harmless(done.stdout)


def test_a_query_on_a_packed_page(files: tuple[str, str], tmp_path: Path):
    packed = str(tmp_path / "page.xpk")
    assert webvigil("pack", files[1], "-o", packed).returncode == 0
    for asked in (("--text",), ("--paths",), ()):
        done = webvigil("query", packed, "//p | //a | //comment()", *asked)
        assert done.returncode == 0
        assert harmless(done.stdout)
    assert harmless(webvigil("query", packed, "string(/)").stdout)
    assert harmless(webvigil("stat", packed).stdout)
    exact = webvigil("query", packed, "//comment()", "--json").stdout
    assert harmless(exact.replace("\n", ""))
    assert "\u202eright" in json.loads(exact)["nodes"][0]["text"]


@pytest.fixture
def data(tmp_path: Path) -> str:
    """Returns a database whose page, change and look all contain control characters."""
    knowledge = SqlKnowledge(f"sqlite:///{tmp_path / 'webvigil.sqlite3'}")
    knowledge.users.add("me", role="admin")
    text = f"Create Sentinel s1 Using {URL} Monitor all links"
    knowledge.sentinels.add(sentinel("s1", URL, user="me", text=text))
    evil = EVIL.replace("\ud800", "").replace("\x00", "")
    body = f"<p>{evil}<a href='/{evil}'>x</a>".encode()
    kept = PageRepository(Directory(tmp_path / "objects")).keep(
        Answer(url=URL, status=200, headers=(("Content-Type", "text/html"),), body=body)
    )
    version = NewVersion(
        number=1, url=URL, status=200, signature="s", object=kept.object, size=len(body), stored=kept.stored
    )
    (claim,) = claim_all(knowledge)
    (page,) = claim.pages
    told = Finding(
        type="all words",
        objects=(
            ObjectChange(object=f"{evil}\nnext", status=Status.NEW),
            ObjectChange(object="x", status=Status.UPDATED, before="x", after=f"{evil}\nnext"),
        ),
    )
    change = NewChange(sentinel=page.watches[0].sentinel, old_version=0, new_version=1, findings=(told,))
    look = Look(why="due", decision="failed", status=200, error=f"{evil}\nnext", plan=f"{evil}; next look")
    assert knowledge.schedule.finish(
        claim, [checked(claim, page, version=version, changes=(change,), look=look)]
    )
    knowledge.close()
    return str(tmp_path)


@pytest.mark.parametrize(
    ("command", "seen"),
    [
        (("changes",), "·[2J"),
        (("search", "next"), "·[2J"),
        (("log", URL), "·[2J"),
        (("show", "s1"), "·[2J"),
        (("list",), "s1"),
        (("versions", URL), "bytes"),
        (("compare", URL, "1", "1"), "no change"),
    ],
)
def test_what_is_stored_is_told_line_by_line(data: str, command: tuple[str, ...], seen: str):
    done = webvigil(*command, "--data", data)
    assert done.returncode == 0, done.stderr
    assert seen in done.stdout
    assert harmless(done.stdout), ACTING.search(done.stdout)
    assert not any(line.startswith("next") for line in done.stdout.splitlines())


@pytest.mark.parametrize("command", [("changes",), ("log", URL), ("list",)])
def test_and_as_json_in_escapes(data: str, command: tuple[str, ...]):
    done = webvigil(*command, "--data", data, "--json")
    assert done.returncode == 0, done.stderr
    assert harmless(re.sub("\n *", "", done.stdout))
    assert json.loads(done.stdout)


def test_json_text_says_the_same_as_json():
    value = {"a": EVIL, "b": [EVIL, 1.5, None, True], EVIL: "ünï"}
    assert json.loads(json_text(value)) == value
    assert json.loads(json_text(value, 2)) == value
    assert harmless(json_text(value))
    assert "ünï" in json_text(value)
    json_text(value).encode()


def test_one_line_stays_one_line_and_plain_text_keeps_its_lines():
    assert one_line("a\n b\tc\r\nd\u2028e\x85f") == "a b c d e f"
    assert one_line("two  spaces stay") == "two  spaces stay"
    assert plain_text("a\n\tb") == "a\n\tb"


@pytest.mark.parametrize("form", ["text", "json"])
def test_a_log_line_stays_a_harmless_line(form: str, capfd: pytest.CaptureFixture[str]):
    logger = logging.getLogger("webvigil")
    level, handlers = logger.level, logger.handlers[:]
    try:
        start_logging("info", form)
        # pytest also captures log records, and fails on a lone surrogate when it passes them on.
        logger.propagate = False
        logger.getChild("test").warning("%s: %s", URL, f"{EVIL}\n2026-01-01 ERROR forged")
    finally:
        logger.propagate = True
        logger.setLevel(level)
        logger.handlers[:] = handlers
    (line,) = capfd.readouterr().err.splitlines()
    assert harmless(line)
    assert "forged" in line
