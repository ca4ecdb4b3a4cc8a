"""A shop's page from the moment it is added: offered as a product, watched, told, drawn and exported."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner
from fastapi.testclient import TestClient

from tests.fetch.fetching import LOOPBACK
from tests.site import Site
from tests.web.doors import browser_of, program_of
from webvigil.app.operating.stores import opened, repository
from webvigil.app.sentinels.install import install_text
from webvigil.app.settings import Settings, read_settings
from webvigil.app.worker.stages import RealStages
from webvigil.cli.main import webvigil
from webvigil.fetch.http import HttpFetcher
from webvigil.flow import check
from webvigil.store.promises import Knowledge
from webvigil.web.application import create_application


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    given = {"data": str(tmp_path), "allow_networks": "127.0.0.0/8", "host_delay": "0", "user": "jill"}
    return read_settings(given, environment={})


@pytest.fixture
def knowledge(settings: Settings) -> Iterator[Knowledge]:
    with opened(settings) as made:
        yield made


@pytest.fixture
def person(knowledge: Knowledge, settings: Settings) -> Iterator[TestClient]:
    with browser_of(create_application(knowledge, settings), knowledge, "jill") as client:
        yield client


def sofa(price: str = "1299.00", stock: str = "InStock") -> str:
    offer = f'{{"price": "{price}", "priceCurrency": "EUR", "availability": "https://schema.org/{stock}"}}'
    data = f'{{"@type": "Product", "name": "Polaris sofa", "offers": {offer}}}'
    text = "<p>A sofa for long evenings, with a frame of beech and a cover of wool.</p>" * 4
    return f'<script type="application/ld+json">{data}</script><h1>Polaris sofa</h1><main>{text}</main>'


def look(knowledge: Knowledge, settings: Settings) -> None:
    async def looked() -> None:
        async with HttpFetcher(user_agent="test", allowed=LOOPBACK) as fetcher:
            stages = RealStages(fetcher, knowledge, repository(settings, knowledge.versions))
            for claim in knowledge.schedule.claim("w", hosts=9, pages=9, lease=30_000):
                results = [await check(due, claim.now, stages) for due in claim.pages]
                assert knowledge.schedule.finish(claim, results)

    asyncio.run(looked())


def shows(site: Site, knowledge: Knowledge, settings: Settings, page: str) -> None:
    """Lets the shop change its page, and looks at it."""
    site.page("/sofa", page)
    (watched,) = knowledge.sentinels.get("jill", "sofa").pages
    knowledge.schedule.ask(watched.id)
    look(knowledge, settings)


def test_the_product_of_a_page_is_recommended(site: Site, person: TestClient):
    url = site.page("/sofa", sofa()).url
    offered = person.get("/add", params={"url": url}).text
    first = offered[offered.index('name="choice"') :][:700]
    assert "The product “Polaris sofa”" in first
    assert "Recommended" in first
    assert offered.count("Recommended") == 1
    preview = person.post("/add/preview", data={"url": url, "choice": "product\n"}).text
    assert "Polaris sofa · Price: € 1,299.00" in preview


def test_a_product_is_told_drawn_and_exported(
    site: Site, person: TestClient, knowledge: Knowledge, settings: Settings
):
    url = site.page("/sofa", sofa()).url
    install_text(
        knowledge,
        settings,
        f"Create Sentinel sofa Using {url} Monitor product When becomes in stock OR price drops 5%",
    )
    look(knowledge, settings)
    shows(site, knowledge, settings, sofa("1270.00"))
    shows(site, knowledge, settings, sofa("1270.00", "SoldOut"))
    assert knowledge.changes.all() == [], "neither is asked for"
    shows(site, knowledge, settings, sofa("1230.00", "SoldOut"))
    shows(site, knowledge, settings, sofa("1230.00"))
    inbox = person.get("/").text.replace("\u00a0", " ")
    assert "Polaris sofa · Price: € 1,270.00 → € 1,230.00 (−3.1 %)" in inbox
    assert "Polaris sofa · Availability: sold out → in stock" in inbox
    page = person.get("/sentinels/sofa").text
    assert "Price over time" in page
    assert "price, availability and name of the product" in page
    with program_of(create_application(knowledge, settings), knowledge, "jill", "read") as program:
        values = program.get("/api/v1/sentinels/sofa/values").json()
        (newest, _) = program.get("/api/v1/changes").json()
    assert [one["text"] for one in values][-1] == "€ 1,230.00"
    assert newest["findings"][0]["objects"][0]["label"] == "Polaris sofa · Availability"


def test_a_change_of_a_price_leads_to_its_chart(
    site: Site, person: TestClient, knowledge: Knowledge, settings: Settings
):
    url = site.page("/sofa", SHOWN.format("€ 1,299.00", "Mon")).url
    install_text(knowledge, settings, f"Create Sentinel sofa Using {url} Monitor any change")
    look(knowledge, settings)
    shows(site, knowledge, settings, SHOWN.format("€ 1,279.00", "Mon"))
    shows(site, knowledge, settings, SHOWN.format("€ 1,279.00", "Friday"))
    pages = [person.get(f"/changes/{one.id}").text for one in knowledge.changes.all()]
    words, price = sorted(pages, key=lambda text: "Draw these prices" in text)
    assert "Draw these prices over time" not in words
    assert "/add?url=" in price[price.index("How did they move?") :][:200]


SHOWN = "<title>Shop</title><h1>Polaris sofa</h1><p>{}</p><p>Delivery on {}</p>"


def test_the_command_line_says_that_a_page_offers_a_product(site: Site, knowledge: Knowledge, tmp_path: Path):
    url = site.page("/sofa", sofa()).url
    environment = {
        "WEBVIGIL_USER": "jill",
        "WEBVIGIL_ALLOW_NETWORKS": "127.0.0.0/8",
        "WEBVIGIL_FIRST_LOOK": "10",
    }
    where = ["--data", str(tmp_path)]
    made = CliRunner().invoke(webvigil, ["watch", url, "--name", "all", *where], env=environment)
    said = (
        f"{url}: it offers a product (Polaris sofa, € 1,299.00, in stock); Monitor product tells of its price"
    )
    assert said in made.output
    asked = ["watch", url, "--monitor", "product", "--name", "sofa", *where]
    assert "it offers" not in CliRunner().invoke(webvigil, asked, env=environment).output


def test_a_page_without_a_product_is_a_warning(site: Site, knowledge: Knowledge, tmp_path: Path):
    url = site.page("/news", "<h1>News</h1><p>Nothing is for sale.").url
    environment = {
        "WEBVIGIL_USER": "jill",
        "WEBVIGIL_ALLOW_NETWORKS": "127.0.0.0/8",
        "WEBVIGIL_FIRST_LOOK": "10",
    }
    asked = ["watch", url, "--monitor", "product", "--name", "news", "--data", str(tmp_path)]
    made = CliRunner().invoke(webvigil, asked, env=environment)
    assert "the page shows no product with a price or an availability" in made.output
