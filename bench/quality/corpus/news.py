"""News: a front page and an article, with advertisements, tickers and share buttons around them."""

from __future__ import annotations

from bench.quality.expect import (
    Pair,
    deleted,
    either,
    gone,
    inserted,
    more,
    moved,
    new,
    pair,
    replaced,
    shown,
    some,
    updated,
)
from bench.quality.pages import edit, reformatted, served_again, site, swap

URL = "https://www.harbourpost.example/"
MENU = (("/world", "World"), ("/business", "Business"), ("/sport", "Sport"), ("/weather", "Weather"))

FRONT = site(
    "The Harbour Post",
    """  <main>
    <section class="lead">
      <article data-id="88120">
        <a href="/2026/03/02/port-strike-ends"><img src="/img/88120-640.jpg" srcset="/img/88120-320.jpg 320w, /img/88120-640.jpg 640w" alt="Cranes at dawn"></a>
        <h1><a href="/2026/03/02/port-strike-ends">Port strike ends after nine days</a></h1>
        <p>Dockers returned to work on Monday morning after the union and the port authority signed a two-year agreement.</p>
      </article>
    </section>
    <section class="stories">
      <h2>Latest</h2>
      <article data-id="88117">
        <h3><a href="/2026/03/02/ferry-timetable">New ferry timetable from April</a></h3>
        <p>Two more crossings a day, and the first boat leaves at 5.40.</p>
      </article>
      <article data-id="88115">
        <h3><a href="/2026/03/01/library-hours">City library opens on Sundays</a></h3>
        <p>Readers asked for it for years; the trial runs until the end of June.</p>
      </article>
      <article data-id="88109">
        <h3><a href="/2026/03/01/bridge-toll">Bridge toll stays at two pounds</a></h3>
        <p>The council voted against an increase by seven votes to six.</p>
      </article>
      <article data-id="88102">
        <h3><a href="/2026/02/28/storm-damage">Storm damage: insurers count the cost</a></h3>
        <p>Roofs, fences and forty small boats were lost in the night to Saturday.</p>
      </article>
    </section>
    <aside>
      <h2>Most read</h2>
      <ol id="most-read">
        <li><a href="/2026/02/27/whale">A whale in the inner harbour</a></li>
        <li><a href="/2026/02/26/bakery">The last bakery on Quay Street closes</a></li>
        <li><a href="/2026/02/28/storm-damage">Storm damage: insurers count the cost</a></li>
        <li><a href="/2026/02/25/school-meals">School meals get a new supplier</a></li>
      </ol>
      <div class="weather"><img src="/img/weather/rain.png" alt=""><p>Rain, 7 degrees</p></div>
      <a href="mailto:desk@harbourpost.example">Write to us</a>
      <a href="javascript:window.print()">Print</a>
    </aside>
  </main>""",
    name="The Harbour Post",
    menu=MENU,
    footer="The Harbour Post, 12 Quay Street. Published daily since 1871.",
)

ARTICLE = site(
    "Port strike ends after nine days - The Harbour Post",
    """  <main>
    <article>
      <h1>Port strike ends after nine days</h1>
      <p class="byline">By <a href="/authors/m-doyle">Maeve Doyle</a>, 2 March 2026</p>
      <figure>
        <picture>
          <source srcset="/img/88120-1280.webp" type="image/webp">
          <img src="/img/88120-1280.jpg" alt="Cranes at dawn">
        </picture>
        <figcaption>The first ship was unloaded at six. Photograph: Ian Teague</figcaption>
      </figure>
      <p>Dockers returned to work on Monday morning after the union and the port authority signed a two-year agreement on pay and shifts.</p>
      <p>The agreement raises hourly wages by 4.5 per cent this year and by a further 3 per cent in 2027. Night shifts will be limited to ten a month.</p>
      <p>A spokeswoman for the port authority said the backlog of containers would be cleared by the end of the week. Some forty ships are still waiting in the bay.</p>
      <h2>What was agreed</h2>
      <ul>
        <li>Wages rise by 4.5 per cent in 2026 and 3 per cent in 2027</li>
        <li>No more than ten night shifts a month</li>
        <li>A joint safety committee from May</li>
      </ul>
      <blockquote>We are glad to be back at work, said crane driver Tom Askew.</blockquote>
      <p>Shippers estimate the losses at about 60 million pounds. The chamber of commerce asked for a settlement fund for small importers, but the government has not answered yet.</p>
    </article>
    <section class="share">
      <a href="https://social.example/share?u=https%3A%2F%2Fwww.harbourpost.example%2F2026%2F03%2F02%2Fport-strike-ends">Share</a>
      <button type="button" value="https://www.harbourpost.example/2026/03/02/port-strike-ends">Copy link</button>
    </section>
    <section id="comments">
      <h2>Comments</h2>
      <div class="comment"><p><b>gull22</b>: About time.</p></div>
      <div class="comment"><p><b>old salt</b>: And who pays for the spoiled fruit?</p></div>
    </section>
  </main>""",
    name="The Harbour Post",
    menu=MENU,
    footer="The Harbour Post, 12 Quay Street. Published daily since 1871.",
)
ARTICLE_URL = URL + "2026/03/02/port-strike-ends"

STORY = """      <article data-id="88123">
        <h3><a href="/2026/03/02/tram-line">Tram line to the hospital approved</a></h3>
        <p>Work begins in autumn.</p>
      </article>
"""
FERRY = """      <article data-id="88117">
        <h3><a href="/2026/03/02/ferry-timetable">New ferry timetable from April</a></h3>
        <p>Two more crossings a day, and the first boat leaves at 5.40.</p>
      </article>
"""
STORM = """      <article data-id="88102">
        <h3><a href="/2026/02/28/storm-damage">Storm damage: insurers count the cost</a></h3>
        <p>Roofs, fences and forty small boats were lost in the night to Saturday.</p>
      </article>
"""

PAIRS: tuple[Pair, ...] = (
    pair(
        "news/front-story-comes-and-goes-links",
        "all links",
        FRONT,
        served_again(FRONT, (FERRY, STORY), ("mailto:desk@", "mailto:editors@")),
        new(URL + "2026/03/02/tram-line", 1),
        gone(URL + "2026/03/02/ferry-timetable", 1),
        url=URL,
    ),
    pair(
        "news/front-one-of-two-links-to-a-story-gone",
        "all links",
        FRONT,
        served_again(FRONT, (STORM, "")),
        shown("d-", URL + "2026/02/28/storm-damage"),
        url=URL,
    ),
    pair(
        "news/front-headline-rewritten-links-same",
        "all links",
        FRONT,
        served_again(FRONT, ("New ferry timetable from April", "Ferries: more boats from April")),
        url=URL,
    ),
    pair(
        "news/front-links-made-absolute",
        "all links",
        FRONT,
        served_again(
            FRONT,
            (
                '<a href="/2026/03/01/library-hours">',
                '<a href="https://www.harbourpost.example/2026/03/01/library-hours">',
            ),
            ('<a href="/2026/03/01/bridge-toll">', "<a class=more href='2026/03/01/bridge-toll'>"),
            ("javascript:window.print()", "javascript:printPage(2)"),
        ),
        url=URL,
    ),
    pair(
        "news/front-lead-picture-changed",
        "all images",
        FRONT,
        served_again(
            FRONT,
            (
                '<img src="/img/88120-640.jpg" srcset="/img/88120-320.jpg 320w, /img/88120-640.jpg 640w" alt="Cranes at dawn">',
                '<img src="/img/88131-640.jpg" srcset="/img/88131-320.jpg 320w, /img/88131-640.jpg 640w" alt="A crane driver">',
            ),
        ),
        new(URL + "img/88131-640.jpg"),
        new(URL + "img/88131-320.jpg"),
        gone(URL + "img/88120-640.jpg"),
        gone(URL + "img/88120-320.jpg"),
        url=URL,
    ),
    pair(
        "news/front-weather-icon",
        "all images",
        FRONT,
        served_again(
            FRONT, ("/img/weather/rain.png", "/img/weather/sun.png"), ("Rain, 7 degrees", "Sun, 11 degrees")
        ),
        new(URL + "img/weather/sun.png", 1),
        gone(URL + "img/weather/rain.png", 1),
        url=URL,
    ),
    pair(
        "news/front-alt-text-only",
        "all images",
        FRONT,
        served_again(
            FRONT,
            ('alt="Cranes at dawn"', 'alt="Cranes in the morning light" loading="lazy"'),
            ("Rain, 7", "Rain, 8"),
        ),
        url=URL,
    ),
    pair(
        "news/front-served-again-any-change",
        "any change",
        FRONT,
        reformatted(served_again(FRONT)),
        url=URL,
    ),
    pair(
        "news/front-weather-text-any-change",
        "any change",
        FRONT,
        served_again(FRONT, ("Rain, 7 degrees", "Snow, 1 degrees")),
        inserted("Snow 1"),
        deleted("Rain 7"),
        url=URL,
    ),
    pair(
        "news/front-story-replaced-any-change",
        "any change",
        FRONT,
        served_again(FRONT, (FERRY, STORY)),
        new(URL + "2026/03/02/tram-line"),
        gone(URL + "2026/03/02/ferry-timetable"),
        inserted("Tram line to the hospital approved Work begins in autumn."),
        deleted(
            "New ferry timetable from April Two more crossings a day, and the first boat leaves at 5.40."
        ),
        url=URL,
    ),
    pair("news/front-served-again-exact", "exact change", FRONT, served_again(FRONT), some(), url=URL),
    pair("news/front-identical-exact", "exact change", FRONT, FRONT, url=URL),
    pair(
        "news/front-most-read-order",
        "list: {#most-read}",
        FRONT,
        swap(
            served_again(FRONT),
            '<li><a href="/2026/02/26/bakery">The last bakery on Quay Street closes</a></li>',
            '<li><a href="/2026/02/28/storm-damage">Storm damage: insurers count the cost</a></li>',
        ),
        either(
            (moved("The last bakery on Quay Street closes"),),
            (moved("Storm damage: insurers count the cost"),),
        ),
        url=URL,
    ),
    pair(
        "news/front-most-read-new-entry",
        "list: {A whale in the inner harbour}",
        FRONT,
        served_again(
            FRONT,
            (
                '        <li><a href="/2026/02/25/school-meals">School meals get a new supplier</a></li>\n',
                "",
            ),
            (
                '        <li><a href="/2026/02/27/whale">',
                '        <li><a href="/2026/03/02/port-strike-ends">Port strike ends</a></li>\n        <li><a href="/2026/02/27/whale">',
            ),
        ),
        shown("i", "Port strike ends"),
        shown("d", "School meals get a new supplier"),
        url=URL,
    ),
    pair(
        "news/front-most-read-rest-of-page-changed",
        "list: {#most-read}",
        FRONT,
        served_again(FRONT, (FERRY, STORY), ("Rain, 7 degrees", "Sun, 12 degrees")),
        url=URL,
    ),
    pair(
        "news/front-structure-story-added",
        "structure",
        FRONT,
        edit(FRONT, (FERRY, STORY + FERRY)),
        shown("i", "article"),
        url=URL,
    ),
    pair(
        "news/front-structure-texts-new",
        "structure",
        FRONT,
        edit(
            FRONT,
            ("Rain, 7 degrees", "Sun, 12 degrees"),
            ("New ferry timetable from April", "Ferries: more boats"),
        ),
        url=URL,
    ),
    pair(
        "news/front-keyword-strike",
        "keywords: {strike, ferry, tram}",
        FRONT,
        served_again(
            FRONT, (FERRY, STORY), ("Port strike ends after nine days", "Port strike: the Strike is over")
        ),
        more("strike", 1, 2),
        gone("ferry", 1),
        new("tram", 1),
        url=URL,
    ),
    pair(
        "news/front-keyword-part-of-word",
        "keywords: {port, toll}",
        FRONT,
        served_again(
            FRONT,
            ("A whale in the inner harbour", "Airport queue: a whale of an export report"),
            ("Roofs, fences", "Tolls, fences"),
        ),
        url=URL,
    ),
    pair(
        "news/front-keywords-both-appear",
        "keywords all {tram, hospital} appear",
        FRONT,
        served_again(FRONT, (FERRY, STORY)),
        some(),
        url=URL,
    ),
    pair(
        "news/front-keywords-only-one-appears",
        "keywords all {tram, airport} appear",
        FRONT,
        served_again(FRONT, (FERRY, STORY)),
        url=URL,
    ),
    pair(
        "news/front-keywords-disappear",
        "keywords all {ferry, timetable} disappear",
        FRONT,
        served_again(FRONT, (FERRY, STORY)),
        some(),
        url=URL,
    ),
    pair(
        "news/front-links-and-images-one-side",
        "all links AND all images",
        FRONT,
        served_again(FRONT, (FERRY, STORY)),
        url=URL,
    ),
    pair(
        "news/front-links-and-not-images",
        "all links AND NOT all images",
        FRONT,
        served_again(FRONT, (FERRY, STORY)),
        new(URL + "2026/03/02/tram-line"),
        gone(URL + "2026/03/02/ferry-timetable"),
        url=URL,
    ),
    pair(
        "news/front-links-or-keyword",
        "all links OR keywords: {snow}",
        FRONT,
        served_again(FRONT, ("Rain, 7 degrees", "Snow, 1 degrees")),
        new("snow", 1),
        url=URL,
    ),
    pair(
        "news/article-correction-words",
        "all words",
        ARTICLE,
        served_again(
            ARTICLE,
            ("about 60 million pounds", "about 72 million pounds"),
            ("but the government has not answered yet", "but the government refused"),
        ),
        inserted("72 refused"),
        deleted("60 has not answered yet"),
        url=ARTICLE_URL,
    ),
    pair(
        "news/article-paragraph-added-words",
        "all words",
        ARTICLE,
        served_again(
            ARTICLE,
            (
                "      <h2>What was agreed</h2>",
                "      <p>Ferry traffic was never affected.</p>\n      <h2>What was agreed</h2>",
            ),
        ),
        inserted("Ferry traffic was never affected"),
        url=ARTICLE_URL,
    ),
    pair(
        "news/article-markup-only-words",
        "all words",
        ARTICLE,
        reformatted(
            served_again(
                ARTICLE,
                (
                    "the port authority signed a two-year agreement",
                    "the <em>port authority</em> signed a <a href='/agreement'>two-year agreement</a>",
                ),
                ("<b>gull22</b>", "<strong>gull22</strong>"),
                ("said crane driver Tom Askew.", "said crane driver Tom&nbsp;Askew."),
            )
        ),
        url=ARTICLE_URL,
    ),
    pair(
        "news/article-punctuation-only-words",
        "all words",
        ARTICLE,
        served_again(
            ARTICLE,
            ("We are glad to be back at work, said", "“We are glad to be back at work”, said"),
            ("About time.", "About time!"),
        ),
        url=ARTICLE_URL,
    ),
    pair(
        "news/article-date-excepted",
        "all words except {2, 3, March, 2026}",
        ARTICLE,
        served_again(ARTICLE, ("</a>, 2 March 2026</p>", "</a>, 3 March 2026</p>")),
        url=ARTICLE_URL,
    ),
    pair(
        "news/article-more-than-excepted",
        "all words except {gull22, pounds}",
        ARTICLE,
        served_again(ARTICLE, ("About time.", "gull22 pounds About bloody time.")),
        inserted("bloody"),
        url=ARTICLE_URL,
    ),
    pair(
        "news/article-paragraphs-exchanged-words",
        "all words",
        ARTICLE,
        swap(
            served_again(ARTICLE),
            '<div class="comment"><p><b>gull22</b>: About time.</p></div>',
            '<div class="comment"><p><b>old salt</b>: And who pays for the spoiled fruit?</p></div>',
        ),
        either((moved("gull22 About time"),), (moved("old salt And who pays for the spoiled fruit"),)),
        url=ARTICLE_URL,
    ),
    pair(
        "news/article-phrase-updated",
        "phrase: {hourly wages by 4.5 per cent this year}",
        ARTICLE,
        served_again(
            ARTICLE, ("hourly wages by 4.5 per cent this year", "hourly wages by 5.2 per cent this year")
        ),
        updated("hourly wages by 4.5 per cent this year", "hourly wages by 5.2 per cent this year"),
        url=ARTICLE_URL,
    ),
    pair(
        "news/article-phrase-deleted",
        "phrase: {settlement fund for small importers}",
        ARTICLE,
        served_again(
            ARTICLE, ("asked for a settlement fund for small importers, but", "asked for help, but")
        ),
        shown("d", "settlement fund for small importers"),
        url=ARTICLE_URL,
    ),
    pair(
        "news/article-phrase-inserted",
        "phrase: {port authority}",
        ARTICLE,
        served_again(
            ARTICLE,
            (
                "Some forty ships are still waiting in the bay.",
                "Some forty ships wait in the bay, the port authority added.",
            ),
        ),
        either((shown("i", "port authority"),), (shown("i+", "port authority"),)),
        url=ARTICLE_URL,
    ),
    pair(
        "news/article-phrase-context-rewritten",
        "phrase: {joint safety committee}",
        ARTICLE,
        served_again(
            ARTICLE,
            ("A joint safety committee from May", "The new joint safety committee meets first in May"),
            ("No more than ten night shifts a month", "At most ten night shifts"),
        ),
        url=ARTICLE_URL,
    ),
    pair(
        "news/article-phrase-far-context-and-phrase-changed",
        "phrase: {Night shifts will be limited to ten a month}",
        ARTICLE,
        served_again(
            ARTICLE,
            (
                "The agreement raises hourly wages by 4.5 per cent this year and by",
                "Hourly wages go up this year and by",
            ),
            ("Night shifts will be limited to ten a month", "Night shifts will be limited to eight a month"),
        ),
        updated(
            "Night shifts will be limited to ten a month", "Night shifts will be limited to eight a month"
        ),
        url=ARTICLE_URL,
    ),
    pair(
        "news/article-phrase-near-context-changed-too",
        "phrase: {said crane driver Tom Askew}",
        ARTICLE,
        served_again(
            ARTICLE,
            (
                "<blockquote>We are glad to be back at work, said crane driver Tom Askew.</blockquote>\n      <p>Shippers estimate the losses at about 60 million pounds. The chamber of commerce asked",
                "<blockquote>It feels good, said crane operator Tom Askew.</blockquote>\n      <p>Losses are put at 60 million. Commerce asked",
            ),
        ),
        updated("said crane driver Tom Askew", "said crane operator Tom Askew"),
        url=ARTICLE_URL,
    ),
    pair(
        "news/article-phrase-replaced-entirely",
        "phrase: {forty ships are still waiting}",
        ARTICLE,
        served_again(
            ARTICLE,
            (
                "Some forty ships are still waiting in the bay.",
                "Some of the traffic was diverted elsewhere in the bay.",
            ),
        ),
        shown("d", "forty ships are still waiting"),
        url=ARTICLE_URL,
    ),
    pair(
        "news/article-regex-percentages",
        r"regular expression: {[0-9.]+ per cent}",
        ARTICLE,
        served_again(
            ARTICLE, ("by a further 3 per cent in 2027. Night", "by a further 2.5 per cent in 2027. Night")
        ),
        either((shown("d-", "3 per cent"), new("2.5 per cent")), (updated("3 per cent", "2.5 per cent"),)),
        url=ARTICLE_URL,
    ),
    pair(
        "news/article-regex-untouched",
        r"regular expression: {[0-9.]+ per cent} in text",
        ARTICLE,
        served_again(
            ARTICLE,
            ("about 60 million pounds", "about 72 million pounds"),
            ("<!-- rendered", "<!-- cached 12 per cent, rendered"),
        ),
        url=ARTICLE_URL,
    ),
    pair(
        "news/article-regex-in-source-author",
        r'regular expression: {href="/authors/[a-z-]+"} in source',
        ARTICLE,
        served_again(ARTICLE, ("/authors/m-doyle", "/authors/j-price")),
        replaced('href="/authors/m-doyle"', 'href="/authors/j-price"'),
        url=ARTICLE_URL,
    ),
    pair(
        "news/article-content-comment-added",
        "content",
        ARTICLE,
        served_again(
            ARTICLE,
            (
                "    </section>\n  </main>",
                '      <div class="comment"><p><b>pilot</b>: Welcome back!</p></div>\n    </section>\n  </main>',
            ),
        ),
        inserted("pilot Welcome back"),
        url=ARTICLE_URL,
    ),
    pair(
        "news/article-picture-format-added",
        "all images",
        ARTICLE,
        served_again(
            ARTICLE,
            (
                '<source srcset="/img/88120-1280.webp" type="image/webp">',
                '<source srcset="/img/88120-1280.avif" type="image/avif">\n          <source srcset="/img/88120-1280.webp" type="image/webp">',
            ),
        ),
        new(URL + "img/88120-1280.avif", 1),
        url=ARTICLE_URL,
    ),
    pair(
        "news/article-value-url-in-button",
        "all links",
        ARTICLE,
        served_again(
            ARTICLE,
            (
                'value="https://www.harbourpost.example/2026/03/02/port-strike-ends"',
                'value="https://hpost.example/s/88120"',
            ),
        ),
        new("https://hpost.example/s/88120", 1),
        gone(URL + "2026/03/02/port-strike-ends", 1),
        url=ARTICLE_URL,
    ),
    pair(
        "news/article-attributes-alt",
        "attributes",
        ARTICLE,
        edit(
            ARTICLE,
            ('alt="Cranes at dawn"', 'alt="Cranes at sunrise"'),
            ("About time.", "About time, really."),
        ),
        updated("Cranes at dawn", "Cranes at sunrise"),
        url=ARTICLE_URL,
    ),
    pair(
        "news/article-attributes-reordered",
        "attributes",
        ARTICLE,
        edit(
            ARTICLE,
            (
                '<img src="/img/88120-1280.jpg" alt="Cranes at dawn">',
                "<img  alt='Cranes at dawn'   src=/img/88120-1280.jpg >",
            ),
            ("about 60 million pounds", "about 72 million pounds"),
        ),
        url=ARTICLE_URL,
    ),
)
