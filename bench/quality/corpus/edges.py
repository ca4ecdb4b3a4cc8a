"""Awkward cases on otherwise ordinary pages: near twins, whole pages replaced, invisible differences."""

from __future__ import annotations

from bench.quality.corpus.data import QUOTE_URL, QUOTES, TIDES, TIDES_URL
from bench.quality.corpus.legal import TERMS, TERMS_URL
from bench.quality.corpus.news import ARTICLE, ARTICLE_URL, FRONT
from bench.quality.corpus.news import URL as NEWS_URL
from bench.quality.corpus.shop import GERMAN, GERMAN_URL, LISTING, LISTING_URL, PRODUCT, WHISPER
from bench.quality.corpus.shop import URL as PRODUCT_URL
from bench.quality.corpus.tables import DATA, DATA_URL, TRAIN_URL, TRAINS
from bench.quality.expect import (
    JSON,
    TEXT,
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

COURSE_URL = "https://www.uni-lakeside.example/courses/spring"
COURSES = site(
    "Spring courses | Lakeside University",
    """  <main>
    <h1>Spring courses</h1>
    <p>Registration closes on 20 March. Registration closes on 20 March for guests too.</p>
    <ul class="courses">
      <li>Databases, Monday 10 to 12, room B 102, 4 places left
        <ul><li>Exercise group A, Tuesday 8 to 10</li><li>Exercise group B, Thursday 8 to 10</li></ul>
      </li>
      <li>Networks, Tuesday 14 to 16, room B 102, 9 places left</li>
      <li>Compilers, Wednesday 10 to 12, room C 007, 0 places left</li>
      <li>Logic, Thursday 10 to 12, room C 007, 12 places left</li>
    </ul>
    <table class="rooms" border="1">
      <thead><tr><th rowspan="2">Room</th><th colspan="2">Seats</th></tr><tr><th>lecture</th><th>exam</th></tr></thead>
      <tbody>
        <tr><td>B 102</td><td>120</td><td>48</td></tr>
        <tr><td>C 007</td><td>80</td><td>32</td></tr>
        <tr><td>C 008</td><td>80</td><td>32</td></tr>
      </tbody>
    </table>
    <h2>Office hours</h2>
    <p>Office hours of Dr. Amari are on Monday at nine. Office hours of Dr. Brandt are on Monday at ten. Office hours of Dr. Chen are on Monday at eleven.</p>
    <p hidden id="late">Late registration costs 50 pounds.</p>
    <p class="changed">Last change of this page: <time>2 March 2026</time></p>
  </main>""",
    name="Lakeside University",
    menu=(("/study", "Study"), ("/courses", "Courses"), ("/library", "Library")),
    footer="Lakeside University, Registrar's office.",
)
MAINTENANCE = site(
    "Back soon",
    """  <main>
    <h1>We will be back soon</h1>
    <p>Our engineers replace a disk. Thank you for your patience.</p>
  </main>""",
    name="Lakeside University",
)
LEAGUE_URL = "https://www.rowing-league.example/standings"
LEAGUE = site(
    "Standings | Rowing league",
    """  <main>
    <h1>Standings after round 6</h1>
    <table class="standings">
      <thead><tr><th>#</th><th>Club</th><th>Races</th><th>Points</th></tr></thead>
      <tbody>
        <tr><td>1</td><td>Thames Blue</td><td>6</td><td>31</td></tr>
        <tr><td>2</td><td>Cam Oars</td><td>6</td><td>28</td></tr>
        <tr><td>3</td><td>Avon Eight</td><td>6</td><td>27</td></tr>
        <tr><td>4</td><td>Tyne Scullers</td><td>6</td><td>19</td></tr>
        <tr><td>5</td><td>Dee Boat Club</td><td>6</td><td>12</td></tr>
      </tbody>
    </table>
    <table class="results">
      <caption>Results of round 6</caption>
      <tr><th>Heat</th><th>Winner</th><th>Time</th></tr>
      <tr><td>Heat</td><td>Thames Blue</td><td>6:41.2</td></tr>
      <tr><td>Heat</td><td>Cam Oars</td><td>6:44.9</td></tr>
      <tr><td>Final</td><td>Thames Blue</td><td>6:38.0</td></tr>
      <tr><td>Heat</td><td>Thames Blue</td><td>6:41.2</td></tr>
    </table>
  </main>""",
    name="Rowing league",
    menu=(("/standings", "Standings"), ("/fixtures", "Fixtures"), ("/clubs", "Clubs")),
    footer="Rowing league, results without guarantee.",
)
LIST = COURSES[COURSES.index('    <ul class="courses">') : COURSES.index('    <table class="rooms"')]

PAIRS: tuple[Pair, ...] = (
    # --- phrases among near twins
    pair(
        "edges/phrase-one-of-twins-updated",
        "phrase: {are on Monday at}",
        COURSES,
        served_again(COURSES, ("Dr. Brandt are on Monday at ten", "Dr. Brandt are on Friday at ten")),
        updated("are on Monday at", "are on Friday at"),
        url=COURSE_URL,
    ),
    pair(
        "edges/phrase-twin-deleted",
        "phrase: {Registration closes on 20 March}",
        COURSES,
        served_again(
            COURSES,
            (
                "Registration closes on 20 March. Registration closes on 20 March for guests too.",
                "Registration closes on 20 March.",
            ),
        ),
        either(
            (shown("d", "Registration closes on 20 March"),),
            (shown("d-", "Registration closes on 20 March"),),
        ),
        url=COURSE_URL,
    ),
    pair(
        "edges/phrase-page-replaced",
        "phrase: {Logic, Thursday 10 to 12}",
        COURSES,
        MAINTENANCE,
        shown("d", "Logic, Thursday 10 to 12"),
        url=COURSE_URL,
    ),
    pair(
        "edges/phrase-paragraph-deleted",
        "phrase: {Night shifts will be limited to ten a month}",
        ARTICLE,
        served_again(
            ARTICLE,
            (
                "      <p>The agreement raises hourly wages by 4.5 per cent this year and by a further 3 per cent in 2027. Night shifts will be limited to ten a month.</p>\n",
                "",
            ),
        ),
        shown("d", "Night shifts will be limited to ten a month"),
        url=ARTICLE_URL,
    ),
    pair(
        "edges/phrase-new-markup-and-neighbours",
        "phrase: {room C 007}",
        COURSES,
        reformatted(
            served_again(
                COURSES,
                (
                    "<li>Compilers, Wednesday 10 to 12, room C 007, 0 places left</li>",
                    "<li><b>Compilers</b>, Wednesday 10 to 12, <i>room</i> C&nbsp;007, 3 places left</li>",
                ),
                ("room C 007, 12 places left", "room <span>C 007</span>, 7 places left"),
            )
        ),
        url=COURSE_URL,
    ),
    pair(
        "edges/phrase-items-sorted-otherwise",
        "phrase: {Networks, Tuesday 14 to 16}",
        COURSES,
        swap(
            served_again(COURSES),
            "      <li>Networks, Tuesday 14 to 16, room B 102, 9 places left</li>\n",
            "      <li>Logic, Thursday 10 to 12, room C 007, 12 places left</li>\n",
        ),
        either((), (moved("Networks, Tuesday 14 to 16"),)),
        url=COURSE_URL,
    ),
    pair(
        "edges/phrase-at-the-end-of-the-page",
        "phrase: {Registrar's office}",
        COURSES,
        served_again(COURSES, ("Registrar's office.", "Registrar's new office.")),
        updated("Registrar's office", "Registrar's new office"),
        url=COURSE_URL,
    ),
    pair(
        "edges/phrase-becomes-hidden-then-shown",
        "phrase: {Late registration costs 50 pounds}",
        COURSES,
        served_again(COURSES, ('<p hidden id="late">', '<p id="late">')),
        shown("i", "Late registration costs 50 pounds"),
        url=COURSE_URL,
    ),
    # --- words
    pair(
        "edges/words-hidden-shown",
        "all words",
        COURSES,
        served_again(COURSES, ('<p hidden id="late">', '<p id="late">')),
        inserted("Late registration costs 50 pounds"),
        url=COURSE_URL,
    ),
    pair(
        "edges/words-hidden-changed",
        "all words",
        COURSES,
        served_again(COURSES, ("Late registration costs 50 pounds.", "Late registration costs 80 pounds.")),
        url=COURSE_URL,
    ),
    pair(
        "edges/words-soft-hyphens",
        "all words",
        GERMAN,
        served_again(
            GERMAN,
            ("Bedienungsanleitung", "Bedienungs&shy;anleitung"),
            ("Kegelmahlwerk", "Kegel\u00admahlwerk"),
        ),
        url=GERMAN_URL,
    ),
    pair(
        "edges/words-joined",
        "all words",
        ARTICLE,
        served_again(ARTICLE, ("About time.", "Nevertheless, about time.")),
        inserted("Nevertheless about"),
        deleted("About"),
        url=ARTICLE_URL,
    ),
    pair(
        "edges/words-currency-only",
        "all words",
        PRODUCT,
        served_again(PRODUCT, ("$349.00", "€349.00")),
        some(),
        url=PRODUCT_URL,
    ),
    pair(
        "edges/words-repeated",
        "all words",
        COURSES,
        served_again(
            COURSES,
            (
                "Registration closes on 20 March for guests too.",
                "Registration closes on 20 March for guests too, too.",
            ),
        ),
        inserted("too"),
        url=COURSE_URL,
    ),
    pair(
        "edges/words-page-replaced",
        "any change",
        COURSES,
        MAINTENANCE,
        some(),
        url=COURSE_URL,
    ),
    pair(
        "edges/words-script-and-style-and-template",
        "all words",
        COURSES,
        served_again(
            COURSES,
            (
                "    <h2>Office hours</h2>",
                "    <template><p>Template text</p></template>\n    <style>p::before { content: 'new' }</style>\n    <h2>Office hours</h2>",
            ),
        ),
        url=COURSE_URL,
    ),
    pair(
        "edges/words-excepted-inside-new-text",
        "all words except {the, a, of, on}",
        ARTICLE,
        served_again(
            ARTICLE,
            (
                "      <h2>What was agreed</h2>",
                "      <p>On the quay a band played the song of the sea, and the crowd sang on a while.</p>\n      <h2>What was agreed</h2>",
            ),
            ("signed a two-year agreement on pay", "signed the two-year agreement on the pay"),
        ),
        inserted("quay band played song sea and crowd sang while"),
        url=ARTICLE_URL,
    ),
    # --- tables
    pair(
        "edges/table-its-own-name-row-deleted",
        "table: {Whisper}",
        LISTING,
        served_again(LISTING, (WHISPER, "")),
        shown("d", "Whisper"),
        url=LISTING_URL,
    ),
    pair(
        "edges/table-named-cell-updated",
        "table: {sold out}",
        LISTING,
        served_again(LISTING, ("<td>sold out</td>", "<td>in stock</td>")),
        updated("sold out", "in stock", "Whisper"),
        url=LISTING_URL,
    ),
    pair(
        "edges/table-another-table-put-before",
        "table: {1}",
        LISTING,
        served_again(
            LISTING,
            (
                "    <h1>Stoves</h1>",
                "    <table><tr><td>Easter sale</td></tr><tr><td>20% off</td></tr></table>\n    <h1>Stoves</h1>",
            ),
        ),
        # Watched by number: it is still the same table, and there is another one with that number.
        either((), (shown("i", "Easter sale"),)),
        url=LISTING_URL,
    ),
    pair(
        "edges/table-spanning-headers",
        "table: {Seats}",
        COURSES,
        served_again(
            COURSES, ("<td>C 007</td><td>80</td><td>32</td>", "<td>C 007</td><td>80</td><td>30</td>")
        ),
        updated("32", "30", "C 007"),
        url=COURSE_URL,
    ),
    pair(
        "edges/table-row-with-new-key",
        "table: {Seats}",
        COURSES,
        served_again(
            COURSES, ("<td>B 102</td><td>120</td><td>48</td>", "<td>B 103</td><td>120</td><td>48</td>")
        ),
        either((updated("B 102", "B 103"),), (shown("d", "B 102"), shown("i", "B 103"))),
        url=COURSE_URL,
    ),
    pair(
        "edges/table-column-moved",
        'table: {css "#pop"}',
        DATA,
        served_again(
            DATA,
            (
                "<th>Island</th><th>2024</th><th>2025</th><th>Area km²</th>",
                "<th>Island</th><th>Area km²</th><th>2024</th><th>2025</th>",
            ),
            ("<td>4,618</td><td>4,587</td><td>432</td>", "<td>432</td><td>4,618</td><td>4,587</td>"),
            ("<td>1,209</td><td>1,198</td><td>59</td>", "<td>59</td><td>1,209</td><td>1,198</td>"),
            ("<td>171</td><td>176</td><td>77</td>", "<td>77</td><td>171</td><td>176</td>"),
            ("<td>110</td><td>114</td><td>31</td>", "<td>31</td><td>110</td><td>114</td>"),
            ("<td>3,180</td><td>3,201</td><td>620</td>", "<td>620</td><td>3,180</td><td>3,201</td>"),
            ("<td>258</td><td>252</td><td>367</td>", "<td>367</td><td>258</td><td>252</td>"),
            ("<td>9,546</td><td>9,528</td><td>1,586</td>", "<td>1,586</td><td>9,546</td><td>9,528</td>"),
        ),
        moved("Area km²"),
        url=DATA_URL,
    ),
    pair(
        "edges/table-heading-renamed",
        "table: {Departures}",
        TRAINS,
        served_again(TRAINS, ("<th>Platform</th>", "<th>Track</th>")),
        updated("Platform", "Track"),
        url=TRAIN_URL,
    ),
    pair(
        "edges/table-cell-and-column-at-once",
        "table: {Births}",
        DATA,
        served_again(
            DATA,
            ("<tr><th>Island</th><th>2024</th></tr>", "<tr><th>Island</th><th>2024</th><th>2025</th></tr>"),
            ("<tr><td>Arran</td><td>31</td></tr>", "<tr><td>Arran</td><td>32</td><td>29</td></tr>"),
            ("<tr><td>Islay</td><td>27</td></tr>", "<tr><td>Islay</td><td>27</td><td>25</td></tr>"),
        ),
        shown("i", "2025"),
        updated("31", "32", "Arran"),
        url=DATA_URL,
    ),
    pair(
        "edges/table-renumbered-page-replaced",
        "table: {Seats}",
        COURSES,
        MAINTENANCE,
        shown("d"),
        url=COURSE_URL,
    ),
    pair(
        "edges/table-standings-points",
        "table: {Club}",
        LEAGUE,
        served_again(
            LEAGUE,
            ("<td>Tyne Scullers</td><td>6</td><td>19</td>", "<td>Tyne Scullers</td><td>7</td><td>24</td>"),
        ),
        updated("6", "7", "Tyne Scullers"),
        updated("19", "24", "Tyne Scullers"),
        url=LEAGUE_URL,
    ),
    pair(
        # Two clubs change places: the rank cells stay where they are, so either account is right.
        "edges/table-standings-clubs-change-places",
        "table: {Club}",
        LEAGUE,
        served_again(
            LEAGUE,
            (
                "<tr><td>2</td><td>Cam Oars</td><td>6</td><td>28</td></tr>",
                "<tr><td>2</td><td>Avon Eight</td><td>7</td><td>30</td></tr>",
            ),
            (
                "<tr><td>3</td><td>Avon Eight</td><td>6</td><td>27</td></tr>",
                "<tr><td>3</td><td>Cam Oars</td><td>6</td><td>28</td></tr>",
            ),
        ),
        either(
            (
                moved("Avon Eight"),
                updated("6", "7", "Avon Eight"),
                updated("27", "30", "Avon Eight"),
                updated("3", "2", "Avon Eight"),
                updated("2", "3", "Cam Oars"),
            ),
            (
                moved("Cam Oars"),
                updated("6", "7", "Avon Eight"),
                updated("27", "30", "Avon Eight"),
                updated("3", "2", "Avon Eight"),
                updated("2", "3", "Cam Oars"),
            ),
            (
                updated("Cam Oars", "Avon Eight"),
                updated("6", "7"),
                updated("28", "30"),
                updated("Avon Eight", "Cam Oars"),
                updated("27", "28"),
            ),
        ),
        url=LEAGUE_URL,
    ),
    pair(
        "edges/table-one-of-two-equal-rows-deleted",
        "table: {Results of round 6}",
        LEAGUE,
        served_again(
            LEAGUE,
            (
                "      <tr><td>Final</td><td>Thames Blue</td><td>6:38.0</td></tr>\n      <tr><td>Heat</td><td>Thames Blue</td><td>6:41.2</td></tr>\n",
                "      <tr><td>Final</td><td>Thames Blue</td><td>6:38.0</td></tr>\n",
            ),
        ),
        shown("d", "Thames Blue", "6:41.2"),
        url=LEAGUE_URL,
    ),
    pair(
        "edges/table-row-moved-and-updated",
        "table: {Island}",
        DATA,
        served_again(
            DATA,
            ("        <tr><td>Jura</td><td>258</td><td>252</td><td>367</td></tr>\n", ""),
            (
                "        <tr><td>Arran</td><td>4,618",
                "        <tr><td>Jura</td><td>258</td><td>255</td><td>367</td></tr>\n        <tr><td>Arran</td><td>4,618",
            ),
        ),
        moved("Jura"),
        updated("252", "255", "Jura"),
        url=DATA_URL,
    ),
    pair(
        "edges/table-standings-sorted-the-other-way",
        'table: {css ".standings"}',
        LEAGUE,
        LEAGUE.replace(
            LEAGUE[LEAGUE.index("        <tr><td>1</td>") : LEAGUE.index("      </tbody>")],
            "".join(
                reversed(
                    LEAGUE[
                        LEAGUE.index("        <tr><td>1</td>") : LEAGUE.index("      </tbody>")
                    ].splitlines(keepends=True)
                )
            ),
        ),
        # Any one of the clubs may be the one that stayed.
        either(
            (moved("Cam Oars"), moved("Avon Eight"), moved("Tyne Scullers"), moved("Dee Boat Club")),
            (moved("Thames Blue"), moved("Avon Eight"), moved("Tyne Scullers"), moved("Dee Boat Club")),
            (moved("Thames Blue"), moved("Cam Oars"), moved("Tyne Scullers"), moved("Dee Boat Club")),
            (moved("Thames Blue"), moved("Cam Oars"), moved("Avon Eight"), moved("Dee Boat Club")),
            (moved("Thames Blue"), moved("Cam Oars"), moved("Avon Eight"), moved("Tyne Scullers")),
        ),
        url=LEAGUE_URL,
    ),
    # --- lists
    pair(
        "edges/list-nested-item-added",
        'list: {css "ul.courses"}',
        COURSES,
        served_again(
            COURSES,
            (
                "<li>Exercise group B, Thursday 8 to 10</li>",
                "<li>Exercise group B, Thursday 8 to 10</li><li>Exercise group C, Friday 8 to 10</li>",
            ),
        ),
        either(
            (shown("i", "Exercise group C, Friday 8 to 10"),),
            (updated("Exercise group B, Thursday 8 to 10", "Exercise group C, Friday 8 to 10"),),
        ),
        url=COURSE_URL,
    ),
    pair(
        "edges/list-moved-on-the-page",
        "list: {Networks, Tuesday}",
        COURSES,
        served_again(COURSES, (LIST, ""), ("    <p hidden", LIST + "    <p hidden")),
        url=COURSE_URL,
    ),
    pair(
        "edges/list-numbered-instead",
        "list: {Twelve pegs}",
        PRODUCT,
        served_again(
            PRODUCT,
            ('<ul id="bag">', '<ol id="bag">'),
            ("Four guy lines</li>\n    </ul>", "Four guy lines</li>\n    </ol>"),
        ),
        url=PRODUCT_URL,
    ),
    pair(
        "edges/list-vanished",
        "list: {Networks, Tuesday}",
        COURSES,
        served_again(COURSES, (LIST, "    <p>Courses are published in April.</p>\n")),
        shown("d"),
        url=COURSE_URL,
    ),
    pair(
        "edges/list-item-moved-to-the-top",
        "list: {Two poles}",
        PRODUCT,
        served_again(
            PRODUCT,
            ("      <li>Four guy lines</li>\n", ""),
            (
                "      <li>Inner tent and fly</li>\n",
                "      <li>Four guy lines</li>\n      <li>Inner tent and fly</li>\n",
            ),
        ),
        moved("Four guy lines"),
        url=PRODUCT_URL,
    ),
    pair(
        "edges/list-places-left",
        "list: {Databases}",
        COURSES,
        served_again(COURSES, ("C 007, 0 places left", "C 007, 2 places left")),
        updated("C 007, 0 places left", "C 007, 2 places left"),
        url=COURSE_URL,
    ),
    # --- links and images
    pair(
        "edges/links-commented-out",
        "all links",
        FRONT,
        served_again(
            FRONT,
            (
                '<a href="mailto:desk@harbourpost.example">Write to us</a>',
                '<!-- <a href="/jobs">Jobs</a> -->',
            ),
            (
                '<li><a href="/2026/02/27/whale">A whale in the inner harbour</a></li>',
                '<!-- <li><a href="/2026/02/27/whale">A whale</a></li> -->',
            ),
        ),
        gone(NEWS_URL + "2026/02/27/whale", 1),
        url=NEWS_URL,
    ),
    pair(
        "edges/links-base-added",
        "all links",
        COURSES,
        served_again(
            COURSES,
            (
                '  <meta charset="utf-8">',
                '  <meta charset="utf-8">\n  <base href="https://www.uni-lakeside.example/elsewhere/">',
            ),
        ),
        url=COURSE_URL,
    ),
    pair(
        "edges/links-spaces-in-addresses",
        "all links",
        FRONT,
        served_again(
            FRONT,
            ('href="/2026/02/27/whale"', 'href="  /2026/02/27/whale\n"'),
            ('href="/2026/02/26/bakery"', "HREF=/2026/02/26/bakery"),
        ),
        url=NEWS_URL,
    ),
    pair(
        "edges/links-twice-instead-of-once",
        "all links",
        FRONT,
        served_again(
            FRONT,
            (
                '<li><a href="/2026/02/27/whale">',
                '<li><a href="/2026/02/26/bakery">Bakery</a> <a href="/2026/02/27/whale">',
            ),
        ),
        more(NEWS_URL + "2026/02/26/bakery", 1, 2),
        url=NEWS_URL,
    ),
    pair(
        "edges/links-moved-on-the-page",
        "all links",
        FRONT,
        swap(
            served_again(FRONT),
            '<a href="/2026/02/27/whale">A whale in the inner harbour</a>',
            '<a href="/2026/03/01/bridge-toll">Bridge toll stays at two pounds</a>',
        ),
        url=NEWS_URL,
    ),
    pair(
        "edges/images-lazy-placeholder",
        "all images",
        FRONT,
        served_again(
            FRONT,
            (
                '<img src="/img/weather/rain.png" alt="">',
                '<img src="/img/weather/rain.png" data-src="/img/weather/rain@2x.png" style="background:url(/img/x.png)" alt="">',
            ),
        ),
        url=NEWS_URL,
    ),
    pair(
        "edges/images-written-into-the-page",
        "all images",
        FRONT,
        served_again(
            FRONT,
            (
                '<img src="/img/weather/rain.png" alt="">',
                '<img src="data:image/gif;base64,R0lGODlhAQABAAAAACw=" alt="">',
            ),
        ),
        gone(NEWS_URL + "img/weather/rain.png", 1),
        shown("i"),
        url=NEWS_URL,
    ),
    # --- keywords
    pair(
        "edges/keywords-cut-by-markup",
        "keywords: {registration, guests}",
        COURSES,
        served_again(
            COURSES,
            (
                "Registration closes on 20 March for guests too.",
                "<b>Reg</b>istration closes on 20 March for g<i>uest</i>s too.",
            ),
        ),
        url=COURSE_URL,
    ),
    pair(
        "edges/keywords-hyphens-and-marks",
        "keywords: {guests}",
        COURSES,
        served_again(COURSES, ("for guests too.", "for “guests”, too (guests-only evening).")),
        more("guests", 1, 2),
        url=COURSE_URL,
    ),
    pair(
        "edges/keywords-all-appear-were-there",
        "keywords all {registration, march} appear",
        COURSES,
        served_again(COURSES, ("for guests too.", "for guests too. Registration ends in March.")),
        url=COURSE_URL,
    ),
    pair(
        "edges/keywords-all-second-one-arrives",
        "keywords all {registration, waitlist} appear",
        COURSES,
        served_again(COURSES, ("0 places left", "waitlist only")),
        some(),
        url=COURSE_URL,
    ),
    # --- regular expressions
    pair(
        "edges/regex-case-insensitive",
        r"regular expression: {(?i)room [a-z] \d+}",
        COURSES,
        served_again(
            COURSES, ("Logic, Thursday 10 to 12, room C 007", "Logic, Thursday 10 to 12, Room D 011")
        ),
        either((shown("d-", "room C 007"), new("Room D 011")), (updated("room C 007", "Room D 011"),)),
        url=COURSE_URL,
    ),
    pair(
        "edges/regex-matches-nothing",
        r"regular expression: {ISBN [0-9-]+}",
        COURSES,
        served_again(COURSES, ("0 places left", "waitlist only")),
        url=COURSE_URL,
    ),
    pair(
        "edges/regex-catastrophe",
        r"regular expression: {(\w+\s?)+!}",
        COURSES,
        served_again(COURSES, ("0 places left", "waitlist only")),
        url=COURSE_URL,
    ),
    pair(
        "edges/regex-empty-matches",
        r"regular expression: {z*}",
        TERMS,
        served_again(TERMS, ("sixty days", "ninety days")),
        url=TERMS_URL,
    ),
    pair(
        "edges/regex-across-inline-markup",
        r"regular expression: {\d+ places left}",
        COURSES,
        served_again(COURSES, ("12 places left", "<b>11</b> places left")),
        replaced("12 places left", "11 places left"),
        url=COURSE_URL,
    ),
    # --- values
    pair(
        "edges/value-date-written-otherwise",
        'value css "p.changed time"',
        COURSES,
        served_again(
            COURSES,
            ("<time>2 March 2026</time>", "<time>March 2, 2026</time>"),
            ("0 places left", "1 places left"),
        ),
        url=COURSE_URL,
    ),
    pair(
        "edges/value-date-later",
        'value css "p.changed time"',
        COURSES,
        served_again(COURSES, ("<time>2 March 2026</time>", "<time>March 5, 2026</time>")),
        updated("2 March 2026", "March 5, 2026"),
        url=COURSE_URL,
    ),
    pair(
        "edges/value-of-several-elements",
        'value css "ul.courses > li"',
        COURSES,
        served_again(COURSES, ("9 places left", "8 places left")),
        updated("9 places left", "8 places left"),
        url=COURSE_URL,
    ),
    pair(
        "edges/value-count-by-xpath",
        "value xpath \"count(//ul[@class='courses']/li)\"",
        COURSES,
        served_again(
            COURSES,
            (
                "      <li>Logic, Thursday",
                "      <li>Ethics, Friday 10 to 12</li>\n      <li>Logic, Thursday",
            ),
        ),
        updated("4", "5"),
        url=COURSE_URL,
    ),
    pair(
        "edges/value-other-currency",
        'value css "#price"',
        PRODUCT,
        served_again(PRODUCT, ("$349.00", "€349.00")),
        updated("$349.00", "€349.00"),
        url=PRODUCT_URL,
    ),
    pair(
        "edges/value-in-words",
        'value css ".stock span"',
        PRODUCT,
        served_again(PRODUCT, ('<span class="in">In stock</span>', '<span class="in">Sold out</span>')),
        updated("In stock", "Sold out"),
        url=PRODUCT_URL,
    ),
    pair(
        "edges/value-appears",
        'value css ".coupon"',
        PRODUCT,
        served_again(
            PRODUCT,
            ("    <h2>Description</h2>", '    <p class="coupon">Save 10%</p>\n    <h2>Description</h2>'),
        ),
        shown("i", "Save 10%"),
        url=PRODUCT_URL,
    ),
    pair(
        "edges/value-absent-in-both",
        'value css ".coupon"',
        PRODUCT,
        served_again(PRODUCT, ("$349.00", "$339.00")),
        url=PRODUCT_URL,
    ),
    pair(
        "edges/value-json-all-prices",
        'value json "$.quotes[*].price"',
        QUOTES,
        edit(QUOTES, ("2461.00", "2470.00")),
        updated("2461.00", "2470.00"),
        type=JSON,
        url=QUOTE_URL,
    ),
    pair(
        "edges/value-json-broken-answer",
        'value json "$.quotes[0].price"',
        QUOTES,
        "<html><head><title>502</title></head><body><h1>502 Bad Gateway</h1></body></html>",
        shown("d", "9120.50"),
        type=JSON,
        after_type="text/html",
        url=QUOTE_URL,
    ),
    pair(
        "edges/value-regex-first-number",
        r'value regex "closes on (\d+ \w+)"',
        COURSES,
        COURSES.replace("closes on 20 March", "closes on 27 March"),
        either((shown("u", "27 March"),), (shown("u", "27 March"), shown("u", "27 March"))),
        url=COURSE_URL,
    ),
    # --- aspects
    pair(
        "edges/structure-wrapper",
        "structure",
        COURSES,
        edit(COURSES, ("    <h2>Office hours</h2>", '    <div class="new"><h2>Office hours</h2></div>')),
        some(),
        url=COURSE_URL,
    ),
    pair(
        "edges/structure-section-moved",
        "structure",
        COURSES,
        edit(COURSES, (LIST, ""), ("    <p hidden", LIST + "    <p hidden")),
        some(),
        url=COURSE_URL,
    ),
    pair(
        "edges/layout-section-moved",
        "layout",
        COURSES,
        served_again(COURSES, (LIST, ""), ("    <p hidden", LIST + "    <p hidden")),
        some(),
        url=COURSE_URL,
    ),
    pair(
        "edges/layout-answer-again",
        "layout",
        COURSES,
        reformatted(served_again(COURSES, ("0 places left", "3 places left"))),
        url=COURSE_URL,
    ),
    pair(
        "edges/tags-heading-level",
        "tags",
        COURSES,
        served_again(COURSES, ("<h2>Office hours</h2>", "<h3>Office hours</h3>")),
        new("h3", 1),
        gone("h2", 1),
        url=COURSE_URL,
    ),
    pair(
        "edges/tags-reformatted",
        "tags",
        COURSES,
        reformatted(
            served_again(
                COURSES,
                ("0 places left", "3 places left"),
                ('<table class="rooms" border="1">', "<TABLE CLASS='rooms'>"),
            )
        ),
        url=COURSE_URL,
    ),
    pair(
        "edges/attributes-link-target",
        "attributes",
        TERMS,
        edit(
            TERMS,
            ('<a href="/legal/privacy">', '<a href="/legal/privacy" rel="nofollow">'),
            ("sixty days", "ten days"),
        ),
        shown("i", "nofollow"),
        url=TERMS_URL,
    ),
    pair(
        "edges/attributes-entities",
        "attributes",
        PRODUCT,
        edit(PRODUCT, ('alt="Front"', "alt='&#70;ront'"), ('alt="Side"', "alt=Side")),
        url=PRODUCT_URL,
    ),
    pair(
        "edges/comments-added-and-removed",
        "comments",
        TERMS,
        edit(
            TERMS,
            ("<!-- terms revision 41 -->", ""),
            ("  <main class", "  <!--[if IE]><p>Old browser</p><![endif]-->\n  <main class"),
        ),
        either(
            (shown("d", "terms revision 41"), shown("i", "Old browser")),
            (updated("terms revision 41", "if IE p Old browser p endif"),),
        ),
        url=TERMS_URL,
    ),
    pair(
        "edges/comments-in-script",
        "comments",
        TERMS,
        edit(
            TERMS, ("window.__STATE__", "/* <!-- patched --> */ window.__STATE__"), ("sixty days", "ten days")
        ),
        url=TERMS_URL,
    ),
    pair(
        "edges/content-moved",
        "content",
        COURSES,
        swap(served_again(COURSES), "<h2>Office hours</h2>", "<h1>Spring courses</h1>"),
        some(),
        url=COURSE_URL,
    ),
    pair(
        "edges/content-new-markup",
        "content",
        COURSES,
        reformatted(
            served_again(
                COURSES,
                ('<ul class="courses">', '<ul class="courses wide" id="c">'),
                ("<h1>Spring courses</h1>", "<h1 id=top>Spring courses</h1>"),
            )
        ),
        url=COURSE_URL,
    ),
    pair(
        "edges/exact-identical-text",
        "exact change",
        TIDES,
        TIDES,
        type=TEXT,
        url=TIDES_URL,
    ),
    # --- combined
    pair(
        "edges/precedence-and-before-or",
        "all images OR all links AND keywords: {waitlist}",
        COURSES,
        served_again(COURSES, ("0 places left", "waitlist only")),
        url=COURSE_URL,
    ),
    pair(
        "edges/not-alone-links-changed",
        "NOT all links",
        FRONT,
        served_again(FRONT, ("/2026/02/27/whale", "/2026/02/27/whale-2")),
        url=NEWS_URL,
    ),
    pair(
        "edges/not-first",
        "NOT all links AND keywords: {waitlist}",
        COURSES,
        served_again(COURSES, ("0 places left", "waitlist only")),
        new("waitlist", 1),
        url=COURSE_URL,
    ),
    pair(
        "edges/value-or-phrase",
        'value css "#price" OR phrase: {two vestibules}',
        PRODUCT,
        served_again(PRODUCT, ("two doors and two vestibules", "two doors and one vestibule")),
        either((shown("d", "two vestibules"),), (updated("two vestibules", "one vestibule"),)),
        url=PRODUCT_URL,
    ),
)
