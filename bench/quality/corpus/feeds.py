"""Feeds and XML data: RSS, Atom, a product catalogue, a weather station."""

from __future__ import annotations

from bench.quality.expect import (
    ATOM,
    RSS,
    XML,
    Pair,
    deleted,
    either,
    gone,
    inserted,
    more,
    new,
    pair,
    replaced,
    shown,
    some,
    updated,
)
from bench.quality.pages import edit, reformatted, swap

RSS_URL = "https://blog.tidepool.example/feed.xml"
RSS_FEED = """<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom" xmlns:dc="http://purl.org/dc/elements/1.1/">
  <channel>
    <title>Tidepool, a blog about the shore</title>
    <link>https://blog.tidepool.example/</link>
    <atom:link href="https://blog.tidepool.example/feed.xml" rel="self" type="application/rss+xml"/>
    <description>Notes from between the tides</description>
    <language>en</language>
    <!-- built by pelican 4.9 -->
    <item>
      <title>Counting limpets</title>
      <link>https://blog.tidepool.example/limpets</link>
      <guid isPermaLink="false">tidepool-0310</guid>
      <pubDate>Mon, 02 Mar 2026 07:00:00 GMT</pubDate>
      <dc:creator>Ines Roca</dc:creator>
      <description>How we marked two hundred limpets with nail varnish and what we learnt about their way home.</description>
    </item>
    <item>
      <title>The brown crab in winter</title>
      <link>https://blog.tidepool.example/brown-crab</link>
      <guid isPermaLink="false">tidepool-0309</guid>
      <pubDate>Thu, 19 Feb 2026 07:00:00 GMT</pubDate>
      <dc:creator>Jon Byrne</dc:creator>
      <description>It walks into deeper water in November. Nobody knows why the females come back first.</description>
    </item>
    <item>
      <title>Storm beach</title>
      <link>https://blog.tidepool.example/storm-beach</link>
      <guid isPermaLink="false">tidepool-0308</guid>
      <pubDate>Sun, 01 Feb 2026 07:00:00 GMT</pubDate>
      <dc:creator>Ines Roca</dc:creator>
      <description>A pebble ridge moved four metres inland in one night.</description>
    </item>
  </channel>
</rss>
"""
RSS_ITEM = """    <item>
      <title>A new kelp forest</title>
      <link>https://blog.tidepool.example/kelp</link>
      <guid isPermaLink="false">tidepool-0311</guid>
      <pubDate>Mon, 09 Mar 2026 07:00:00 GMT</pubDate>
      <dc:creator>Jon Byrne</dc:creator>
      <description>Kelp came back to the north cove after eleven years.</description>
    </item>
"""
FIRST_ITEM = "    <item>\n      <title>Counting limpets</title>"

ATOM_URL = "https://releases.gearbox.example/atom"
ATOM_FEED = """<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom">
  <title>Gearbox releases</title>
  <id>urn:uuid:60a76c80-d399-11d9-b93c-0003939e0af6</id>
  <link href="https://releases.gearbox.example/"/>
  <link rel="self" href="https://releases.gearbox.example/atom"/>
  <updated>2026-03-01T18:30:02Z</updated>
  <entry>
    <title>Gearbox 4.2.1</title>
    <link href="https://releases.gearbox.example/4.2.1"/>
    <id>urn:gearbox:4.2.1</id>
    <updated>2026-03-01T18:30:02Z</updated>
    <summary>Fixes a crash when the configuration file is empty.</summary>
  </entry>
  <entry>
    <title>Gearbox 4.2.0</title>
    <link href="https://releases.gearbox.example/4.2.0"/>
    <id>urn:gearbox:4.2.0</id>
    <updated>2026-02-11T10:00:00Z</updated>
    <summary>Faster start, new plug-in interface, support for Debian packages.</summary>
  </entry>
  <entry>
    <title>Gearbox 4.1.7</title>
    <link href="https://releases.gearbox.example/4.1.7"/>
    <id>urn:gearbox:4.1.7</id>
    <updated>2026-01-20T10:00:00Z</updated>
    <summary>Security release. Everybody should upgrade.</summary>
  </entry>
</feed>
"""

RELEASE = """  <entry>
    <title>Gearbox 4.3.0</title>
    <link href="https://releases.gearbox.example/4.3.0"/>
    <id>urn:gearbox:4.3.0</id>
    <updated>2026-03-08T18:30:02Z</updated>
    <summary>New user interface.</summary>
  </entry>
"""

CATALOGUE_URL = "https://data.seeds.example/catalogue.xml"
CATALOGUE = """<?xml version="1.0" encoding="UTF-8"?>
<!-- generated nightly -->
<catalogue currency="EUR" updated="2026-03-02">
  <category name="Beans">
    <seed sku="B-101">
      <name>Scarlet Runner</name>
      <price>3.20</price>
      <stock>140</stock>
      <note>Needs a frame</note>
    </seed>
    <seed sku="B-102">
      <name>Blue Lake</name>
      <price>2.90</price>
      <stock>75</stock>
      <note>Early</note>
    </seed>
  </category>
  <category name="Tomatoes">
    <seed sku="T-201">
      <name>Black Krim</name>
      <price>3.50</price>
      <stock>12</stock>
      <note>Early</note>
    </seed>
    <seed sku="T-202">
      <name>Gardener Delight</name>
      <price>2.90</price>
      <stock>260</stock>
      <note>Sweet and small</note>
    </seed>
  </category>
</catalogue>
"""

STATION_URL = "https://meteo.example/station/114.xml"
STATION = """<?xml version="1.0" encoding="UTF-8"?>
<station id="114" xmlns="urn:meteo:obs">
  <place>
    <name>Säntis</name>
    <height unit="m">2502</height>
  </place>
  <observation time="2026-03-02T06:00:00Z">
    <temperature unit="C">-8.4</temperature>
    <humidity unit="%">71</humidity>
    <wind unit="km/h">54</wind>
    <weather>snow showers</weather>
  </observation>
  <forecast>
    <day date="2026-03-03"><min>-12</min><max>-6</max><weather>clear</weather></day>
    <day date="2026-03-04"><min>-10</min><max>-3</max><weather>clear</weather></day>
    <day date="2026-03-05"><min>-7</min><max>-1</max><weather>snow showers</weather></day>
  </forecast>
  <source>Automatic station, checked daily</source>
  <licence>free with attribution</licence>
</station>
"""

PAIRS: tuple[Pair, ...] = (
    pair(
        "feeds/rss-new-item-links",
        "all links",
        RSS_FEED,
        edit(RSS_FEED, (FIRST_ITEM, RSS_ITEM + FIRST_ITEM)),
        new("https://blog.tidepool.example/kelp", 1),
        type=RSS,
        url=RSS_URL,
    ),
    pair(
        "feeds/rss-new-item-any-change",
        "any change",
        RSS_FEED,
        edit(RSS_FEED, (FIRST_ITEM, RSS_ITEM + FIRST_ITEM)),
        # C13: every leaf of the new item is an object, known by the way to it.
        inserted("A new kelp forest"),
        inserted("https://blog.tidepool.example/kelp"),
        inserted("tidepool-0311"),
        inserted("false"),
        inserted("Mon, 09 Mar 2026 07:00:00 GMT"),
        inserted("Jon Byrne"),
        inserted("Kelp came back to the north cove after eleven years."),
        type=RSS,
        url=RSS_URL,
    ),
    pair(
        "feeds/rss-new-item-keyword",
        "keywords: {kelp, crab}",
        RSS_FEED,
        edit(RSS_FEED, (FIRST_ITEM, RSS_ITEM + FIRST_ITEM)),
        shown("i", "kelp"),
        type=RSS,
        url=RSS_URL,
    ),
    pair(
        "feeds/rss-keyword-absent",
        "keywords: {urchin}",
        RSS_FEED,
        edit(RSS_FEED, (FIRST_ITEM, RSS_ITEM + FIRST_ITEM)),
        type=RSS,
        url=RSS_URL,
    ),
    pair(
        "feeds/rss-built-again-any-change",
        "any change",
        RSS_FEED,
        reformatted(
            edit(RSS_FEED, ("<!-- built by pelican 4.9 -->", "<!-- built by pelican 4.10 -->"))
        ).lstrip(),
        type=RSS,
        url=RSS_URL,
    ),
    pair(
        "feeds/rss-title-corrected-words",
        "all words",
        RSS_FEED,
        edit(RSS_FEED, ("<title>Storm beach</title>", "<title>Storm beach, revisited</title>")),
        inserted("revisited"),
        type=RSS,
        url=RSS_URL,
    ),
    pair(
        "feeds/rss-phrase-updated",
        "phrase: {moved four metres inland in one night}",
        RSS_FEED,
        edit(RSS_FEED, ("moved four metres inland in one night", "moved six metres inland in one night")),
        updated("moved four metres inland in one night", "moved six metres inland in one night"),
        type=RSS,
        url=RSS_URL,
    ),
    pair(
        "feeds/rss-structure-new-item",
        "structure",
        RSS_FEED,
        edit(RSS_FEED, (FIRST_ITEM, RSS_ITEM + FIRST_ITEM)),
        shown("i", "item"),
        type=RSS,
        url=RSS_URL,
    ),
    pair(
        "feeds/rss-comment",
        "comments",
        RSS_FEED,
        edit(
            RSS_FEED,
            ("<!-- built by pelican 4.9 -->", "<!-- built by pelican 4.10 -->"),
            (FIRST_ITEM, RSS_ITEM + FIRST_ITEM),
        ),
        replaced("built by pelican 4.9", "built by pelican 4.10"),
        type=RSS,
        url=RSS_URL,
    ),
    pair(
        "feeds/atom-release-links",
        "all links",
        ATOM_FEED,
        edit(
            ATOM_FEED,
            (
                "  <entry>\n    <title>Gearbox 4.2.1</title>",
                RELEASE + "  <entry>\n    <title>Gearbox 4.2.1</title>",
            ),
        ),
        new("https://releases.gearbox.example/4.3.0", 1),
        type=ATOM,
        url=ATOM_URL,
    ),
    pair(
        "feeds/atom-touched-links",
        "all links",
        ATOM_FEED,
        ATOM_FEED.replace("2026-03-01T18:30:02Z", "2026-03-02T00:00:00Z"),
        type=ATOM,
        url=ATOM_URL,
    ),
    pair(
        "feeds/atom-latest-title-value",
        "value xpath \"//*[local-name()='entry'][1]/*[local-name()='title']\"",
        ATOM_FEED,
        edit(ATOM_FEED, ("<title>Gearbox 4.2.1</title>", "<title>Gearbox 4.3.0</title>")),
        updated("Gearbox 4.2.1", "Gearbox 4.3.0"),
        type=ATOM,
        url=ATOM_URL,
    ),
    pair(
        "feeds/atom-security-keyword-leaves",
        "keywords: {security}",
        ATOM_FEED,
        edit(
            ATOM_FEED,
            (
                ATOM_FEED[
                    ATOM_FEED.index("  <entry>\n    <title>Gearbox 4.1.7") : ATOM_FEED.index("</feed>")
                ],
                "",
            ),
        ),
        gone("security", 1),
        type=ATOM,
        url=ATOM_URL,
    ),
    pair(
        "feeds/atom-dates-excepted",
        "all words except {2026-03-01T18:30:02Z, 2026-03-02T00:00:00Z}",
        ATOM_FEED,
        ATOM_FEED.replace("2026-03-01T18:30:02Z", "2026-03-02T00:00:00Z"),
        type=ATOM,
        url=ATOM_URL,
    ),
    pair(
        "feeds/catalogue-price-any-change",
        "any change",
        CATALOGUE,
        edit(
            CATALOGUE,
            ("<price>3.50</price>", "<price>3.80</price>"),
            ("<!-- generated nightly -->", "<!-- generated at noon -->"),
        ),
        replaced("3.50", "3.80"),
        type=XML,
        url=CATALOGUE_URL,
    ),
    pair(
        "feeds/catalogue-price-xpath",
        "value xpath \"//seed[@sku='T-201']/price\"",
        CATALOGUE,
        edit(
            CATALOGUE,
            ("<price>3.50</price>", "<price>3.80</price>"),
            ("<price>3.20</price>", "<price>3.00</price>"),
        ),
        updated("3.50", "3.80"),
        type=XML,
        url=CATALOGUE_URL,
    ),
    pair(
        "feeds/catalogue-price-xpath-other-seed",
        "value xpath \"//seed[@sku='T-201']/price\"",
        CATALOGUE,
        edit(
            CATALOGUE,
            ("<price>3.20</price>", "<price>3.00</price>"),
            ("<stock>12</stock>", "<stock>9</stock>"),
        ),
        type=XML,
        url=CATALOGUE_URL,
    ),
    pair(
        "feeds/catalogue-reformatted",
        "any change",
        CATALOGUE,
        reformatted(CATALOGUE)
        .lstrip()
        .replace(
            '<catalogue currency="EUR" updated="2026-03-02">',
            "<catalogue updated='2026-03-02'\n   currency='EUR'>",
        ),
        type=XML,
        url=CATALOGUE_URL,
    ),
    pair(
        # C13: the same word, but it now belongs to another seed.
        "feeds/catalogue-note-at-another-place",
        "keywords: {early}",
        CATALOGUE,
        edit(
            CATALOGUE,
            (
                "<stock>75</stock>\n      <note>Early</note>",
                "<stock>75</stock>\n      <note>Needs a frame too</note>",
            ),
            ("<note>Needs a frame</note>", "<note>Early</note>"),
        ),
        some(),
        type=XML,
        url=CATALOGUE_URL,
    ),
    pair(
        "feeds/catalogue-attributes",
        "attributes",
        CATALOGUE,
        edit(CATALOGUE, ('currency="EUR"', 'currency="CHF"'), ("<price>3.20</price>", "<price>3.00</price>")),
        updated("EUR", "CHF", "currency"),
        type=XML,
        url=CATALOGUE_URL,
    ),
    pair(
        "feeds/catalogue-attribute-order",
        "attributes",
        CATALOGUE,
        edit(
            CATALOGUE,
            (
                '<catalogue currency="EUR" updated="2026-03-02">',
                "<catalogue updated='2026-03-02' currency='EUR'>",
            ),
            ("<price>3.20</price>", "<price>3.00</price>"),
        ),
        type=XML,
        url=CATALOGUE_URL,
    ),
    pair(
        "feeds/catalogue-structure-note-added",
        "structure",
        CATALOGUE,
        edit(CATALOGUE, ("<stock>12</stock>", "<stock>12</stock>\n      <organic/>")),
        shown("i", "organic"),
        type=XML,
        url=CATALOGUE_URL,
    ),
    pair(
        "feeds/catalogue-tags",
        "tags",
        CATALOGUE,
        edit(
            CATALOGUE,
            ("<stock>12</stock>", "<stock>12</stock>\n      <organic/>"),
            ("      <note>Sweet and small</note>\n", ""),
        ),
        new("organic", 1),
        shown("d-", "note"),
        type=XML,
        url=CATALOGUE_URL,
    ),
    pair(
        "feeds/catalogue-prolog-exact",
        "exact change",
        CATALOGUE,
        edit(CATALOGUE, ("<!-- generated nightly -->\n", "")),
        some(),
        type=XML,
        url=CATALOGUE_URL,
    ),
    pair(
        "feeds/station-content",
        "content",
        STATION,
        edit(STATION, ("-8.4", "-6.1"), ('time="2026-03-02T06:00:00Z"', 'time="2026-03-02T07:00:00Z"')),
        replaced("8.4", "6.1"),
        type=XML,
        url=STATION_URL,
    ),
    pair(
        "feeds/station-content-attribute-only",
        "content",
        STATION,
        edit(STATION, ('time="2026-03-02T06:00:00Z"', 'time="2026-03-02T07:00:00Z"')),
        type=XML,
        url=STATION_URL,
    ),
    pair(
        "feeds/station-temperature",
        'value css "temperature"',
        STATION,
        edit(STATION, ("-8.4", "-6.1"), (">54<", ">61<")),
        updated("-8.4", "-6.1"),
        type=XML,
        url=STATION_URL,
    ),
    pair(
        # C13: three leaves say "clear" or "snow showers"; the words are the same, their places are not.
        "feeds/station-forecast-days-exchange-weather",
        "any change",
        STATION,
        edit(
            STATION,
            ("<max>-3</max><weather>clear</weather>", "<max>-3</max><weather>snow showers</weather>"),
            ("<max>-1</max><weather>snow showers</weather>", "<max>-1</max><weather>clear</weather>"),
        ),
        some(),
        type=XML,
        url=STATION_URL,
    ),
    pair(
        "feeds/station-phrase-at-its-leaf",
        "phrase: {snow showers}",
        STATION,
        edit(
            STATION,
            (
                '<wind unit="km/h">54</wind>\n    <weather>snow showers</weather>',
                '<wind unit="km/h">12</wind>\n    <weather>fog</weather>',
            ),
        ),
        either((shown("d", "snow showers"),), (shown("d-", "snow showers"),)),
        type=XML,
        url=STATION_URL,
    ),
    pair(
        "feeds/station-numbers-words",
        "all words",
        STATION,
        edit(STATION, (">71<", ">69<"), (">54<", ">61<")),
        inserted("69 61"),
        deleted("71 54"),
        type=XML,
        url=STATION_URL,
    ),
    pair(
        "feeds/rss-items-swapped-links",
        "all links",
        RSS_FEED,
        swap(RSS_FEED, "https://blog.tidepool.example/limpets", "https://blog.tidepool.example/storm-beach"),
        type=RSS,
        url=RSS_URL,
    ),
    pair(
        "feeds/atom-more-links",
        "all links",
        ATOM_FEED,
        edit(
            ATOM_FEED,
            (
                "<summary>Security release.",
                '<link rel="related" href="https://releases.gearbox.example/4.2.0"/>\n    <summary>Security release.',
            ),
        ),
        more("https://releases.gearbox.example/4.2.0", 1, 2),
        type=ATOM,
        url=ATOM_URL,
    ),
)
