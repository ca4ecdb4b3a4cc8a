"""`webvigil discover` finds services on a small local site, as a person runs it."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from tests.discover.little_web import blast_page
from tests.site import Site
from tests.whole.serving import environment, webvigil
from webvigil.discover.crawler.trail import read_trail, recorded_visits
from webvigil.language import parse


@pytest.fixture
def genomes(site: Site) -> Site:
    form = "<form action=/cgi/{0}><textarea name=sequence></textarea><button>Search</button></form>"
    links = "".join(f"<a href=/{name}>{name}</a>" for name in ("mouse-blast", "yeast-blast", "about", "shop"))
    site.page("/", f"<title>Genomes</title>{links}")
    for name in ("mouse", "yeast"):
        site.page(f"/{name}-blast", f"<title>{name}</title><h1>{name}</h1>{form.format(name)}")
        site.page(f"/cgi/{name}", blast_page)
    site.page("/about", "<title>About</title><p>us</p>")
    site.page(
        "/shop", "<title>Shop</title><form action=/order><input name=sequence><button>Buy</button></form>"
    )
    return site


@pytest.fixture
def seeds(genomes: Site, tmp_path: Path) -> Path:
    file = tmp_path / "seeds.txt"
    file.write_text(f"# where to begin\n\n{genomes.url}/\n")
    return file


def discover(seeds: Path, *more: str) -> subprocess.CompletedProcess[str]:
    return webvigil("discover", "--class", "dna-blast", "--seeds", str(seeds), *more)


def test_services_are_found_told_and_become_sentinels(genomes: Site, seeds: Path, tmp_path: Path):  # S2 S6 S7
    file = tmp_path / "found.txt"
    done = discover(seeds, "--hint", "blast", "--sentinels", str(file))
    assert done.returncode == 0, done.stderr
    for words in (
        f"{genomes.url}/mouse-blast",
        "Services found against pages visited",
        "nothing left to visit",
    ):
        assert words in done.stdout
    assert genomes.hits("/order") == 0
    assert len(parse(file.read_text())) == 2


def test_a_program_reads_the_same(genomes: Site, seeds: Path):
    told = json.loads(discover(seeds, "--frontier", "random", "--json").stdout)
    assert sorted(one["page"] for one in told["services"]) == [
        f"{genomes.url}/mouse-blast",
        f"{genomes.url}/yeast-blast",
    ]
    assert told["pages"] == 5
    assert told["services"][0]["profile"]
    assert "Create Sentinel" in told["services"][0]["sentinel"]
    assert told["found_after_pages"][-1] == [5, 2]
    assert {one["outcome"] for one in told["forms"]} <= {"filtered", "refused by manners"}


def test_a_dry_run_says_what_it_would_ask_and_asks_nothing(genomes: Site, seeds: Path):
    done = discover(seeds, "--dry-run")
    assert done.returncode == 0
    assert f"would ask GET {genomes.url}/cgi/mouse sequence=" in done.stdout
    assert not any(one.path.startswith("/cgi/") for one in genomes.requests)


def test_where_nothing_is_found_the_exit_code_says_so(site: Site, tmp_path: Path):
    site.page("/", "<p>nothing here</p>")
    seeds = tmp_path / "seeds.txt"
    seeds.write_text(site.url)
    done = discover(seeds)
    assert (done.returncode, done.stderr) == (1, "")
    assert "No service of this class was found" in done.stdout


@pytest.mark.parametrize(
    ("arguments", "trouble"),
    [
        (["--class", "nothing", "--seeds", "SEEDS"], "neither a file nor one of the classes"),
        (["--class", "dna-blast", "--seeds", "/nowhere.txt"], "No such file"),
        (["--class", "dna-blast", "--seeds", "SEEDS", "--resume"], "--resume needs --trace"),
        (["--class", "dna-blast", "--seeds", "SEEDS", "--frontier", "hint"], "--hint WORD"),
        (["--class", "dna-blast", "--seeds", "BROKEN"], "not a web address"),
        (["--class", "BROKEN", "--seeds", "SEEDS"], "line 1"),
        (["--class", "dna-blast", "--seeds", "EMPTY"], "holds no address"),
    ],
)
def test_trouble_is_one_clear_line(seeds: Path, tmp_path: Path, arguments: list[str], trouble: str):
    (tmp_path / "broken").write_text("what is this")
    (tmp_path / "empty").write_text("# nothing\n")
    places = {"SEEDS": str(seeds), "BROKEN": str(tmp_path / "broken"), "EMPTY": str(tmp_path / "empty")}
    done = webvigil("discover", *(places.get(one, one) for one in arguments))
    assert done.returncode == 2
    assert trouble in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1


def test_killed_in_the_middle_it_goes_on_without_visiting_or_asking_again(
    genomes: Site, seeds: Path, tmp_path: Path
):
    for number in range(30):
        more = f"<a href=/deep/{number + 1}-{'x' * number}>on</a>" if number < 29 else ""
        genomes.page(
            f"/deep/{number}-{'x' * (number - 1)}", f"<title>{number}</title><p>{'y' * number}</p>{more}"
        )
    genomes.page("/about", "<title>About</title><a href=/deep/0->deep</a>")
    trace = tmp_path / "trace.jsonl"
    command = [sys.executable, "-m", "webvigil", "discover", "--class", "dna-blast", "--seeds", str(seeds)]
    command += ["--trace", str(trace), "--concurrency", "1", "--depth", "50"]
    process = subprocess.Popen(
        command, env=environment(), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    genomes.wait_until(lambda log: sum(one.path.startswith("/deep") for one in log) >= 2, within=60)
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    before = len(recorded_visits("\n".join(trace.read_text().split("\n")[:-1])))
    assert 0 < before < 35
    done = discover(seeds, "--trace", str(trace), "--resume", "--depth", "50", "--json")
    assert done.returncode == 0, done.stderr
    counts = Counter(one.target for one in genomes.requests if one.path != "/robots.txt")
    repeated = {path: count for path, count in counts.items() if count > 1}
    assert len(repeated) <= 1
    assert not any(path.startswith("/cgi") for path in repeated)
    assert len({step.url for step in read_trail(trace) if hasattr(step, "arrived")}) == 35
    again = discover(seeds, "--trace", str(trace))
    assert (again.returncode, "go on with --resume" in again.stderr) == (2, True)
    other = ("--class", "timetable", "--seeds", str(seeds), "--trace", str(trace), "--resume")
    assert "record of a search for dna-blast" in webvigil("discover", *other).stderr
