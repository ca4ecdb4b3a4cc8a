"""Timetables and data tables: trains, Greek ferries, statistics, exam results."""

from __future__ import annotations

from bench.quality.expect import (
    Pair,
    deleted,
    either,
    gone,
    inserted,
    moved,
    new,
    pair,
    replaced,
    shown,
    some,
    updated,
)
from bench.quality.pages import edit, reformatted, served_again, site, swap

TRAIN_URL = "https://rail.valley.example/departures/ashford"
TRAINS = site(
    "Departures from Ashford",
    """  <main>
    <h1>Departures from Ashford</h1>
    <p>Live departures. Times are local.</p>
    <table class="board">
      <caption>Departures</caption>
      <thead>
        <tr><th>Time</th><th>Train</th><th>To</th><th>Platform</th><th>Status</th></tr>
      </thead>
      <tbody>
        <tr><td>08:02</td><td>RE 4</td><td>Millbrook</td><td>2</td><td>on time</td></tr>
        <tr><td>08:10</td><td>IC 71</td><td>Great Harwood</td><td>5</td><td>on time</td></tr>
        <tr><td>08:17</td><td>S 3</td><td>Airport</td><td>1</td><td>on time</td></tr>
        <tr><td>08:32</td><td>RE 6</td><td>Millbrook</td><td>2</td><td>on time</td></tr>
        <tr><td>08:40</td><td>IC 73</td><td>Saltburn</td><td>5</td><td>on time</td></tr>
        <tr><td>08:47</td><td>S 5</td><td>Airport</td><td>1</td><td>on time</td></tr>
      </tbody>
    </table>
    <h2>Works on the line</h2>
    <ul class="works">
      <li>Platform 3 closed until 20 March</li>
      <li>Lift at the north entrance out of order</li>
    </ul>
    <table class="legend">
      <caption>Signs</caption>
      <tr><td>RE</td><td>regional express</td></tr>
      <tr><td>IC</td><td>intercity, seat reservation advised</td></tr>
      <tr><td>S</td><td>suburban train</td></tr>
    </table>
  </main>""",
    name="Valley Rail",
    menu=(("/plan", "Plan a trip"), ("/tickets", "Tickets"), ("/help", "Help")),
    footer="Valley Rail. Call 0800 555 010.",
)
FIRST = "        <tr><td>08:02</td><td>RE 4</td><td>Millbrook</td><td>2</td><td>on time</td></tr>\n"
AIRPORT = "        <tr><td>08:17</td><td>S 3</td><td>Airport</td><td>1</td><td>on time</td></tr>\n"
LAST = "        <tr><td>08:47</td><td>S 5</td><td>Airport</td><td>1</td><td>on time</td></tr>\n"

GREEK_URL = "https://www.aktoploia.example/naxos"
GREEK = site(
    "Δρομολόγια Πειραιάς – Νάξος",
    """  <main>
    <h1>Δρομολόγια Πειραιάς – Νάξος</h1>
    <p>Τα δρομολόγια ισχύουν από 1 Απριλίου έως 31 Μαΐου 2026.</p>
    <table>
      <thead><tr><th>Πλοίο</th><th>Αναχώρηση</th><th>Άφιξη</th><th>Τιμή</th></tr></thead>
      <tbody>
        <tr><td>Άγιος Νικόλαος</td><td>07:30</td><td>12:45</td><td>38,50 €</td></tr>
        <tr><td>Αιγαίο Εξπρές</td><td>07:00</td><td>10:15</td><td>64,00 €</td></tr>
        <tr><td>Κυκλάδες</td><td>17:30</td><td>22:50</td><td>38,50 €</td></tr>
      </tbody>
    </table>
    <p>Η επιβίβαση αρχίζει μία ώρα πριν από την αναχώρηση. Τα κατοικίδια ταξιδεύουν δωρεάν σε ειδικό χώρο.</p>
    <ul>
      <li>Έκπτωση 50% για παιδιά έως δέκα ετών</li>
      <li>Έκπτωση 25% για φοιτητές</li>
    </ul>
  </main>""",
    name="Ακτοπλοΐα",
    lang="el",
    menu=(("/dromologia", "Δρομολόγια"), ("/eisitiria", "Εισιτήρια"), ("/epikoinonia", "Επικοινωνία")),
    footer="Ακτοπλοΐα Α.Ε., Ακτή Μιαούλη 20, Πειραιάς",
)

DATA_URL = "https://stats.isles.example/population"
DATA = site(
    "Population by island",
    """  <main>
    <h1>Population by island</h1>
    <p>Source: register of residents. Preliminary figures are marked with an asterisk.</p>
    <table id="pop">
      <caption>Population, 1 January</caption>
      <thead>
        <tr><th>Island</th><th>2024</th><th>2025</th><th>Area km²</th></tr>
      </thead>
      <tbody>
        <tr><td>Arran</td><td>4,618</td><td>4,587</td><td>432</td></tr>
        <tr><td>Barra</td><td>1,209</td><td>1,198</td><td>59</td></tr>
        <tr><td>Coll</td><td>171</td><td>176</td><td>77</td></tr>
        <tr><td>Eigg</td><td>110</td><td>114</td><td>31</td></tr>
        <tr><td>Islay</td><td>3,180</td><td>3,201</td><td>620</td></tr>
        <tr><td>Jura</td><td>258</td><td>252</td><td>367</td></tr>
      </tbody>
      <tfoot>
        <tr><td>Total</td><td>9,546</td><td>9,528</td><td>1,586</td></tr>
      </tfoot>
    </table>
    <p>Download the data as <a href="/files/population-2025.csv">CSV</a> or <a href="/files/population-2025.ods">ODS</a>.</p>
    <table id="births">
      <caption>Births</caption>
      <tr><th>Island</th><th>2024</th></tr>
      <tr><td>Arran</td><td>31</td></tr>
      <tr><td>Islay</td><td>27</td></tr>
    </table>
  </main>""",
    name="Isles Statistics",
    menu=(("/population", "Population"), ("/economy", "Economy"), ("/api", "API")),
    footer="Isles Statistics Office. Open data licence.",
)

HINDI_URL = "https://pariksha.example/parinaam"
HINDI = site(
    "परीक्षा परिणाम 2026",
    """  <main>
    <h1>परीक्षा परिणाम 2026</h1>
    <p>राज्य शिक्षा बोर्ड ने बारहवीं कक्षा के परिणाम घोषित कर दिए हैं। छात्र अपना अनुक्रमांक लिखकर परिणाम देख सकते हैं।</p>
    <table>
      <caption>ज़िलेवार परिणाम</caption>
      <tr><th>ज़िला</th><th>परीक्षार्थी</th><th>उत्तीर्ण</th></tr>
      <tr><td>जयपुर</td><td>48210</td><td>91.4%</td></tr>
      <tr><td>उदयपुर</td><td>22875</td><td>88.0%</td></tr>
      <tr><td>कोटा</td><td>19964</td><td>93.2%</td></tr>
    </table>
    <p>पुनर्मूल्यांकन के लिए आवेदन की अंतिम तिथि 15 अप्रैल है। शुल्क 300 रुपये प्रति विषय है।</p>
    <p>अधिक जानकारी के लिए अपने विद्यालय से संपर्क करें।</p>
  </main>""",
    name="राज्य शिक्षा बोर्ड",
    lang="hi",
    menu=(("/", "मुख्य पृष्ठ"), ("/parinaam", "परिणाम"), ("/sampark", "संपर्क")),
    footer="राज्य शिक्षा बोर्ड, जयपुर",
)

PAIRS: tuple[Pair, ...] = (
    pair(
        "tables/train-delayed",
        "table: {Departures}",
        TRAINS,
        served_again(
            TRAINS,
            (
                "<td>Great Harwood</td><td>5</td><td>on time</td>",
                "<td>Great Harwood</td><td>5</td><td>12 min late</td>",
            ),
        ),
        updated("on time", "12 min late"),
        url=TRAIN_URL,
    ),
    pair(
        "tables/train-platform-change",
        "table: {Departures}",
        TRAINS,
        served_again(
            TRAINS,
            ("<td>Saltburn</td><td>5</td><td>on time</td>", "<td>Saltburn</td><td>7</td><td>on time</td>"),
        ),
        updated("5", "7"),
        url=TRAIN_URL,
    ),
    pair(
        "tables/board-moves-on",
        "table: {1}",
        TRAINS,
        served_again(
            TRAINS,
            (FIRST, ""),
            (
                LAST,
                LAST
                + "        <tr><td>09:02</td><td>RE 8</td><td>Millbrook</td><td>2</td><td>on time</td></tr>\n",
            ),
        ),
        shown("d", "08:02"),
        shown("i", "09:02"),
        url=TRAIN_URL,
    ),
    pair(
        "tables/board-legend-changed-only",
        "table: {Departures}",
        TRAINS,
        served_again(
            TRAINS,
            ("seat reservation advised", "seat reservation needed"),
            ("Platform 3 closed", "Platform 4 closed"),
        ),
        url=TRAIN_URL,
    ),
    pair(
        "tables/legend-by-text",
        "table: {regional express}",
        TRAINS,
        served_again(TRAINS, ("seat reservation advised", "seat reservation needed"), (FIRST, "")),
        updated("intercity, seat reservation advised", "intercity, seat reservation needed", "IC"),
        url=TRAIN_URL,
    ),
    pair(
        "tables/board-wrapped-in-new-markup",
        "table: {Departures}",
        TRAINS,
        reformatted(
            served_again(
                TRAINS,
                (
                    '<table class="board">',
                    '<div class="scroll"><div><table class="board css-1ab9x" role="grid">',
                ),
                (LAST + "      </tbody>\n    </table>", LAST + "      </tbody>\n    </table></div></div>"),
                ("<p>Live departures. Times are local.</p>", "<p>Updated every minute.</p>"),
            )
        ),
        url=TRAIN_URL,
    ),
    pair(
        "tables/board-gone-no-trains",
        "table: {Departures}",
        TRAINS,
        served_again(
            TRAINS,
            (
                TRAINS[TRAINS.index('    <table class="board">') : TRAINS.index("    <h2>Works")],
                "    <p>No trains tonight.</p>\n",
            ),
        ),
        shown("d"),
        url=TRAIN_URL,
    ),
    pair(
        "tables/works-list",
        "list: {Lift at the north entrance}",
        TRAINS,
        served_again(TRAINS, ("closed until 20 March", "closed until 27 March"), (FIRST, "")),
        updated("Platform 3 closed until 20 March", "Platform 3 closed until 27 March"),
        url=TRAIN_URL,
    ),
    pair(
        "tables/works-list-board-changed",
        "list: {Lift at the north entrance}",
        TRAINS,
        served_again(TRAINS, (FIRST, ""), ("Works on the line", "Notices")),
        url=TRAIN_URL,
    ),
    pair(
        "tables/train-times-regex",
        r"regular expression: {[0-9][0-9]:[0-9][0-9]}",
        TRAINS,
        served_again(
            TRAINS,
            (AIRPORT, ""),
            ("<td>on time</td></tr>\n        <tr><td>08:10", "<td>late</td></tr>\n        <tr><td>08:10"),
        ),
        gone("08:17", 1),
        url=TRAIN_URL,
    ),
    pair(
        "tables/train-airport-keyword",
        "keywords: {airport, cancelled}",
        TRAINS,
        served_again(
            TRAINS,
            (
                "<td>S 5</td><td>Airport</td><td>1</td><td>on time</td>",
                "<td>S 5</td><td>Airport</td><td>1</td><td>cancelled</td>",
            ),
        ),
        new("cancelled", 1),
        url=TRAIN_URL,
    ),
    pair(
        "tables/train-value-next-airport",
        "value xpath \"//tr[td[3]='Airport'][1]/td[1]\"",
        TRAINS,
        served_again(TRAINS, (AIRPORT, "")),
        updated("08:17", "08:47"),
        url=TRAIN_URL,
    ),
    pair(
        "tables/greek-price",
        "table: {Πλοίο}",
        GREEK,
        served_again(GREEK, ("<td>10:15</td><td>64,00 €</td>", "<td>10:15</td><td>71,50 €</td>")),
        updated("64,00 €", "71,50 €", "Αιγαίο Εξπρές"),
        url=GREEK_URL,
    ),
    pair(
        "tables/greek-column-removed",
        "table: {Πλοίο}",
        GREEK,
        served_again(
            GREEK,
            ("<th>Άφιξη</th>", ""),
            ("<td>12:45</td>", ""),
            ("<td>10:15</td>", ""),
            ("<td>22:50</td>", ""),
        ),
        shown("d", "Άφιξη"),
        url=GREEK_URL,
    ),
    pair(
        "tables/greek-words",
        "all words",
        GREEK,
        served_again(
            GREEK,
            ("έως 31 Μαΐου 2026", "έως 15 Ιουνίου 2026"),
            ("ταξιδεύουν δωρεάν σε", "ταξιδεύουν με εισιτήριο σε"),
        ),
        inserted("15 Ιουνίου με εισιτήριο"),
        deleted("31 Μαΐου δωρεάν"),
        url=GREEK_URL,
    ),
    pair(
        "tables/greek-keyword-accents",
        "keywords: {έκπτωση, δωρεάν}",
        GREEK,
        served_again(GREEK, ("<li>Έκπτωση 25% για φοιτητές</li>", "<li>Δωρεάν για φοιτητές</li>")),
        shown("d-", "έκπτωση"),
        shown("i+", "δωρεάν"),
        url=GREEK_URL,
    ),
    pair(
        "tables/greek-phrase-stays",
        "phrase: {μία ώρα πριν από την αναχώρηση}",
        GREEK,
        served_again(
            GREEK,
            ("<td>07:30</td>", "<td>07:45</td>"),
            ("Τα κατοικίδια ταξιδεύουν δωρεάν σε ειδικό χώρο.", ""),
        ),
        url=GREEK_URL,
    ),
    pair(
        "tables/data-revised-cell",
        'table: {css "#pop"}',
        DATA,
        served_again(
            DATA,
            ("<td>171</td><td>176</td>", "<td>171</td><td>178</td>"),
            ("<td>9,528</td>", "<td>9,530</td>"),
        ),
        updated("176", "178", "Coll"),
        updated("9,528", "9,530", "Total"),
        url=DATA_URL,
    ),
    pair(
        "tables/data-new-year-column",
        "table: {Population, 1 January}",
        DATA,
        served_again(
            DATA,
            ("<th>2025</th><th>Area", "<th>2025</th><th>2026</th><th>Area"),
            ("<td>4,587</td>", "<td>4,587</td><td>4,560</td>"),
            ("<td>1,198</td>", "<td>1,198</td><td>1,203</td>"),
            ("<td>176</td>", "<td>176</td><td>175</td>"),
            ("<td>114</td>", "<td>114</td><td>117</td>"),
            ("<td>3,201</td>", "<td>3,201</td><td>3,188</td>"),
            ("<td>252</td>", "<td>252</td><td>249</td>"),
            ("<td>9,528</td>", "<td>9,528</td><td>9,492</td>"),
        ),
        shown("i", "2026"),
        url=DATA_URL,
    ),
    pair(
        "tables/data-columns-exchanged",
        "table: {#births}",
        DATA,
        served_again(
            DATA,
            ("<tr><th>Island</th><th>2024</th></tr>", "<tr><th>2024</th><th>Island</th></tr>"),
            ("<tr><td>Arran</td><td>31</td></tr>", "<tr><td>31</td><td>Arran</td></tr>"),
            ("<tr><td>Islay</td><td>27</td></tr>", "<tr><td>27</td><td>Islay</td></tr>"),
        ),
        either((moved("2024"),), (moved("Island"),)),
        url=DATA_URL,
    ),
    pair(
        "tables/data-rows-sorted-otherwise",
        'table: {css "#pop"}',
        DATA,
        swap(
            served_again(DATA),
            "        <tr><td>Arran</td><td>4,618</td><td>4,587</td><td>432</td></tr>\n",
            "        <tr><td>Barra</td><td>1,209</td><td>1,198</td><td>59</td></tr>\n",
        ),
        either((moved("Arran"),), (moved("Barra"),)),
        url=DATA_URL,
    ),
    pair(
        "tables/data-row-deleted-and-total",
        "table: {Population, 1 January}",
        DATA,
        served_again(
            DATA,
            ("        <tr><td>Eigg</td><td>110</td><td>114</td><td>31</td></tr>\n", ""),
            ("<td>9,546</td><td>9,528</td><td>1,586</td>", "<td>9,436</td><td>9,414</td><td>1,555</td>"),
        ),
        shown("d", "Eigg"),
        updated("9,546", "9,436", "Total"),
        updated("9,528", "9,414", "Total"),
        updated("1,586", "1,555", "Total"),
        url=DATA_URL,
    ),
    pair(
        "tables/data-births-table-number",
        "table: {2}",
        DATA,
        served_again(
            DATA,
            ("<td>Arran</td><td>31</td>", "<td>Arran</td><td>33</td>"),
            ("<td>171</td><td>176</td>", "<td>171</td><td>178</td>"),
        ),
        updated("31", "33", "Arran"),
        url=DATA_URL,
    ),
    pair(
        "tables/data-pop-unchanged-births-changed",
        "table: {Barra}",
        DATA,
        served_again(
            DATA,
            ("<td>Arran</td><td>31</td>", "<td>Arran</td><td>33</td>"),
            ("Preliminary figures are", "Provisional figures are"),
        ),
        url=DATA_URL,
    ),
    pair(
        "tables/data-cells-marked-up",
        'table: {css "#pop"} text only',
        DATA,
        served_again(
            DATA,
            ("<td>3,180</td>", '<td align="right" class="n"> 3,180\n </td>'),
            ("<td>Jura</td>", "<td><a href='/jura'>Jura</a></td>"),
        ),
        url=DATA_URL,
    ),
    pair(
        "tables/data-cell-gains-a-link",
        'table: {css "#pop"}',
        DATA,
        served_again(DATA, ("<td>Jura</td>", "<td><a href='/jura'>Jura</a></td>")),
        updated("Jura", "Jura (https://stats.isles.example/jura)"),
        url=DATA_URL,
    ),
    pair(
        "tables/data-total-value",
        'value css "tfoot td:nth-child(3)"',
        DATA,
        served_again(
            DATA,
            ("<td>9,528</td>", "<td>9,530</td>"),
            ("<td>171</td><td>176</td>", "<td>171</td><td>178</td>"),
        ),
        updated("9,528", "9,530"),
        url=DATA_URL,
    ),
    pair(
        "tables/data-total-value-same",
        'value css "tfoot td:nth-child(3)"',
        DATA,
        served_again(
            DATA, ("<td>9,546</td>", "<td>9,500</td>"), ("<td>9,528</td>", '<td class="sum">9&#8239;528</td>')
        ),
        url=DATA_URL,
    ),
    pair(
        "tables/data-download-links",
        "all links",
        DATA,
        served_again(DATA, ("/files/population-2025.csv", "/files/population-2026.csv")),
        new("https://stats.isles.example/files/population-2026.csv", 1),
        gone("https://stats.isles.example/files/population-2025.csv", 1),
        url=DATA_URL,
    ),
    pair(
        "tables/data-structure-row",
        "structure",
        DATA,
        edit(DATA, ("        <tr><td>Eigg</td><td>110</td><td>114</td><td>31</td></tr>\n", "")),
        shown("d", "tr"),
        url=DATA_URL,
    ),
    pair(
        "tables/data-structure-numbers-only",
        "structure",
        DATA,
        edit(DATA, ("<td>171</td><td>176</td>", "<td>171</td><td>178</td>")),
        url=DATA_URL,
    ),
    pair(
        "tables/data-layout-table-first",
        "layout",
        DATA,
        swap(
            served_again(DATA),
            DATA[DATA.index('    <table id="births">') : DATA.index("  </main>")],
            "    <h1>Population by island</h1>\n",
        ),
        some(),
        url=DATA_URL,
    ),
    pair(
        "tables/data-attributes-id",
        "attributes",
        DATA,
        edit(DATA, ('<table id="births">', '<table id="births-by-island">')),
        updated("births", "births-by-island"),
        url=DATA_URL,
    ),
    pair(
        "tables/data-attributes-text-only",
        "attributes",
        DATA,
        edit(
            DATA,
            ("<td>Arran</td><td>31</td>", "<td>Arran</td><td>33</td>"),
            ("register of residents", "register of inhabitants"),
        ),
        url=DATA_URL,
    ),
    pair(
        "tables/hindi-result",
        "table: {ज़िलेवार परिणाम}",
        HINDI,
        served_again(HINDI, ("<td>22875</td><td>88.0%</td>", "<td>22875</td><td>89.5%</td>")),
        updated("88.0%", "89.5%", "उदयपुर"),
        url=HINDI_URL,
    ),
    pair(
        "tables/hindi-words",
        "all words",
        HINDI,
        served_again(HINDI, ("अंतिम तिथि 15 अप्रैल है", "अंतिम तिथि 30 अप्रैल है"), ("शुल्क 300 रुपये", "शुल्क 350 रुपये")),
        inserted("30 350"),
        deleted("15 300"),
        url=HINDI_URL,
    ),
    pair(
        "tables/hindi-words-danda",
        "all words",
        HINDI,
        reformatted(served_again(HINDI, ("घोषित कर दिए हैं। छात्र", "घोषित कर दिए हैं | छात्र"))),
        url=HINDI_URL,
    ),
    pair(
        "tables/hindi-keyword",
        "keywords: {परिणाम}",
        HINDI,
        served_again(HINDI, ("अपने विद्यालय से संपर्क करें।", "अपने विद्यालय से संपर्क करें। परिणाम अंतिम है।")),
        shown("i+", "परिणाम"),
        url=HINDI_URL,
    ),
    pair(
        "tables/hindi-phrase",
        "phrase: {शुल्क 300 रुपये प्रति विषय है}",
        HINDI,
        served_again(HINDI, ("शुल्क 300 रुपये प्रति विषय है", "शुल्क 350 रुपये प्रति विषय है")),
        updated("शुल्क 300 रुपये प्रति विषय है", "शुल्क 350 रुपये प्रति विषय है"),
        url=HINDI_URL,
    ),
    pair(
        "tables/hindi-fee-regex",
        r"regular expression: {[0-9]+ रुपये}",
        HINDI,
        served_again(HINDI, ("शुल्क 300 रुपये", "शुल्क 350 रुपये")),
        replaced("300 रुपये", "350 रुपये"),
        url=HINDI_URL,
    ),
)
