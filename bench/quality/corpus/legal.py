"""Legal texts: terms of service, a French contract of sale, a Russian regulation."""

from __future__ import annotations

from bench.quality.expect import (
    Pair,
    deleted,
    either,
    fewer,
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

TERMS_URL = "https://www.cloudnook.example/legal/terms"
TERMS = site(
    "Terms of Service | Cloudnook",
    """  <main class="legal">
    <h1>Terms of Service</h1>
    <p class="effective">Effective date: <time datetime="2026-01-15">January 15, 2026</time></p>
    <!-- terms revision 41 -->
    <ol class="toc">
      <li><a href="#s1">The agreement</a></li>
      <li><a href="#s2">Your account</a></li>
      <li><a href="#s3">Fees and payment</a></li>
      <li><a href="#s4">Termination</a></li>
      <li><a href="#s5">Liability</a></li>
    </ol>
    <h2 id="s1">1. The agreement</h2>
    <p>These terms are a contract between you and Cloudnook Ltd. By opening an account you accept them. If you do not agree, you must not use the service.</p>
    <h2 id="s2">2. Your account</h2>
    <p>You must be at least sixteen years old to open an account. You are responsible for keeping your password secret and for everything that happens under your account.</p>
    <p>We may ask you to verify your identity. We keep the documents that you send us for no longer than ninety days.</p>
    <h2 id="s3">3. Fees and payment</h2>
    <p>The monthly fee is charged in advance. We may change the fee with thirty days notice by e-mail. You can end the contract before the change takes effect.</p>
    <p>Invoices that are not paid within fourteen days bear interest at eight per cent a year.</p>
    <h2 id="s4">4. Termination</h2>
    <p>You may end this contract at any time in your account settings. We may end it with sixty days notice, or at once if you break these terms in a serious way.</p>
    <p>After termination you can download your data for thirty days. After that we delete it.</p>
    <h2 id="s5">5. Liability</h2>
    <p>We are liable without limit for intent and gross negligence. In all other cases our liability is limited to the fees that you paid in the last twelve months.</p>
    <p>This contract is governed by the law of Ireland. The courts of Dublin have jurisdiction.</p>
    <p>Questions? Write to <a href="mailto:legal@cloudnook.example">legal@cloudnook.example</a> or read the <a href="/legal/privacy">privacy policy</a>.</p>
  </main>""",
    name="Cloudnook",
    menu=(("/product", "Product"), ("/pricing", "Pricing"), ("/legal/terms", "Legal")),
    footer="Cloudnook Ltd, 3 Canal Walk, Dublin.",
)

FRENCH_URL = "https://www.lunettes-dubois.example/cgv"
FRENCH = site(
    "Conditions générales de vente – Lunettes Dubois",
    """  <main>
    <h1>Conditions générales de vente</h1>
    <p>Dernière mise à jour : 4 février 2026</p>
    <h2>Article 1 – Objet</h2>
    <p>Les présentes conditions régissent les ventes conclues sur le site entre la société Dubois et ses clients particuliers.</p>
    <h2>Article 2 – Prix</h2>
    <p>Les prix sont indiqués en euros, toutes taxes comprises. Les frais de livraison s’élèvent à 5,90 € et sont offerts à partir de 80 € d’achat.</p>
    <h2>Article 3 – Livraison</h2>
    <p>La commande est expédiée sous trois jours ouvrés. Le client peut annuler la commande si le délai dépasse trente jours.</p>
    <h2>Article 4 – Droit de rétractation</h2>
    <p>Le client dispose d’un délai de quatorze jours pour se rétracter sans donner de motif. Les frais de retour sont à sa charge.</p>
    <table>
      <caption>Frais de livraison</caption>
      <thead><tr><th>Zone</th><th>Délai</th><th>Prix</th></tr></thead>
      <tbody>
        <tr><td>France métropolitaine</td><td>3 jours</td><td>5,90 €</td></tr>
        <tr><td>Belgique et Luxembourg</td><td>5 jours</td><td>8,90 €</td></tr>
        <tr><td>Suisse</td><td>7 jours</td><td>14,50 €</td></tr>
      </tbody>
    </table>
    <h2>Article 5 – Litiges</h2>
    <p>En cas de litige, le client peut recourir gratuitement au médiateur de la consommation. Le droit français est applicable.</p>
  </main>""",
    name="Lunettes Dubois",
    lang="fr",
    menu=(("/femme", "Femme"), ("/homme", "Homme"), ("/panier", "Panier")),
    footer="Société Dubois, 18 rue des Lilas, Lyon.",
)

RUSSIAN_URL = "https://transport.gorod.example/pravila"
RUSSIAN = site(
    "Правила пользования городским транспортом",
    """  <main>
    <h1>Правила пользования городским транспортом</h1>
    <p>Утверждены решением городского совета от 10 января 2026 года.</p>
    <h2>1. Общие положения</h2>
    <p>Пассажир обязан оплатить проезд при входе и хранить билет до конца поездки. Билет действителен в течение девяноста минут.</p>
    <h2>2. Провоз багажа</h2>
    <p>Бесплатно разрешается провозить одно место ручной клади. Велосипеды перевозятся за отдельную плату.</p>
    <h2>3. Штрафы</h2>
    <p>За безбилетный проезд взимается штраф в размере 1500 рублей. Контролёр обязан предъявить удостоверение.</p>
    <ul>
      <li>Курение в салоне запрещено</li>
      <li>Запрещено отвлекать водителя</li>
      <li>Животные перевозятся в переноске</li>
    </ul>
    <p>Вопросы принимаются по телефону горячей линии ежедневно с 8 до 20 часов.</p>
  </main>""",
    name="Горэлектротранс",
    lang="ru",
    menu=(("/marshruty", "Маршруты"), ("/tarify", "Тарифы"), ("/kontakty", "Контакты")),
    footer="Управление городского транспорта, 2026",
)

PAIRS: tuple[Pair, ...] = (
    pair(
        "legal/terms-notice-period-words",
        "all words",
        TERMS,
        served_again(
            TERMS,
            (
                "We may change the fee with thirty days notice by e-mail",
                "We may change the fee with fourteen days notice by e-mail",
            ),
        ),
        inserted("fourteen"),
        deleted("thirty"),
        url=TERMS_URL,
    ),
    pair(
        "legal/terms-clause-added-words",
        "all words",
        TERMS,
        served_again(
            TERMS,
            (
                "    <p>This contract is governed",
                "    <p>Nothing here limits your statutory rights as a consumer.</p>\n    <p>This contract is governed",
            ),
        ),
        inserted("Nothing here limits your statutory rights as a consumer"),
        url=TERMS_URL,
    ),
    pair(
        "legal/terms-sentence-removed-words",
        "all words",
        TERMS,
        served_again(TERMS, (" You can end the contract before the change takes effect.", "")),
        deleted("You can end the contract before the change takes effect"),
        url=TERMS_URL,
    ),
    pair(
        "legal/terms-redesign-words",
        "all words",
        TERMS,
        reformatted(
            served_again(
                TERMS,
                ('<main class="legal">', '<div class="wrap"><div class="col"><main class="legal v2">'),
                ("  </main>", "  </main></div></div>"),
                (
                    "<p>These terms are a contract between you and Cloudnook Ltd.",
                    '<p class="lead">These <b>terms</b> are a contract between you and <span>Cloudnook&nbsp;Ltd</span>.',
                ),
                ("<!-- terms revision 41 -->", "<!-- terms revision 41b -->"),
            )
        ),
        url=TERMS_URL,
    ),
    pair(
        "legal/terms-word-split-by-markup",
        "all words",
        TERMS,
        served_again(
            TERMS,
            ("your password secret", "your pass<wbr>word <i>sec</i>ret"),
            ("fourteen days bear", "fourteen&#32;days bear"),
        ),
        url=TERMS_URL,
    ),
    pair(
        "legal/terms-phrase-weakened",
        "phrase: {We may end it with sixty days notice}",
        TERMS,
        served_again(TERMS, ("We may end it with sixty days notice", "We may end it with seven days notice")),
        updated("We may end it with sixty days notice", "We may end it with seven days notice"),
        url=TERMS_URL,
    ),
    pair(
        "legal/terms-phrase-word-inserted",
        "phrase: {you can download your data for thirty days}",
        TERMS,
        served_again(
            TERMS,
            (
                "you can download your data for thirty days",
                "you can download your data and settings for thirty days",
            ),
        ),
        updated(
            "you can download your data for thirty days",
            "you can download your data and settings for thirty days",
        ),
        url=TERMS_URL,
    ),
    pair(
        "legal/terms-phrase-one-of-two-places",
        "phrase: {thirty days}",
        TERMS,
        served_again(TERMS, ("your data for thirty days. After", "your data for a year. After")),
        either((shown("d", "thirty days"),), (shown("d-", "thirty days"),)),
        url=TERMS_URL,
    ),
    pair(
        "legal/terms-phrase-sections-around-it-new",
        "phrase: {limited to the fees that you paid in the last twelve months}",
        TERMS,
        served_again(
            TERMS,
            (
                "We are liable without limit for intent and gross negligence. In all other cases our liability is",
                "Except for intent, our whole liability remains",
            ),
            ("This contract is governed by the law of Ireland.", "Irish law applies."),
        ),
        url=TERMS_URL,
    ),
    pair(
        "legal/terms-phrase-moved-with-its-paragraph",
        "phrase: {bear interest at eight per cent a year}",
        TERMS,
        swap(
            served_again(TERMS),
            "    <p>Invoices that are not paid within fourteen days bear interest at eight per cent a year.</p>\n",
            "    <p>After termination you can download your data for thirty days. After that we delete it.</p>\n",
        ),
        either((), (moved("bear interest at eight per cent a year"),)),
        url=TERMS_URL,
    ),
    pair(
        "legal/terms-phrase-in-bold",
        "phrase: {gross negligence}",
        TERMS,
        served_again(
            TERMS, ("for intent and gross negligence.", "for intent and <b>gross</b>\n <i>negligence</i>.")
        ),
        url=TERMS_URL,
    ),
    pair(
        "legal/terms-phrase-second-occurrence",
        "phrase: {gross negligence}",
        TERMS,
        served_again(
            TERMS,
            (
                "The courts of Dublin have jurisdiction.",
                "The courts of Dublin have jurisdiction, also for gross negligence.",
            ),
        ),
        either((shown("i", "gross negligence"),), (shown("i+", "gross negligence"),)),
        url=TERMS_URL,
    ),
    pair(
        "legal/terms-effective-date",
        'value css ".effective time"',
        TERMS,
        served_again(
            TERMS,
            (
                '<time datetime="2026-01-15">January 15, 2026</time>',
                '<time datetime="2026-03-01">March 1, 2026</time>',
            ),
        ),
        updated("January 15, 2026", "March 1, 2026"),
        url=TERMS_URL,
    ),
    pair(
        "legal/terms-effective-date-same",
        "value xpath \"//p[@class='effective']/time/@datetime\"",
        TERMS,
        served_again(TERMS, (">January 15, 2026<", ">15 January 2026<")),
        url=TERMS_URL,
    ),
    pair(
        "legal/terms-revision-comment",
        "comments",
        TERMS,
        edit(
            TERMS,
            ("<!-- terms revision 41 -->", "<!-- terms revision 42 -->"),
            ("thirty days notice", "twenty days notice"),
        ),
        replaced("terms revision 41", "terms revision 42"),
        url=TERMS_URL,
    ),
    pair(
        "legal/terms-comments-untouched",
        "comments",
        TERMS,
        edit(
            TERMS,
            ("thirty days notice", "twenty days notice"),
            ('<main class="legal">', '<main class="legal wide">'),
        ),
        url=TERMS_URL,
    ),
    pair(
        "legal/terms-comment-content",
        "content",
        TERMS,
        edit(
            TERMS,
            ("<!-- terms revision 41 -->", "<!-- terms revision 42 -->"),
            ('<main class="legal">', '<main class="legal wide">'),
        ),
        url=TERMS_URL,
    ),
    pair(
        "legal/terms-content",
        "content",
        TERMS,
        served_again(TERMS, ("at least sixteen years old", "at least eighteen years old")),
        inserted("eighteen"),
        deleted("sixteen"),
        url=TERMS_URL,
    ),
    pair(
        "legal/terms-toc-entry-links",
        "all links",
        TERMS,
        served_again(
            TERMS,
            (
                '<li><a href="#s5">Liability</a></li>',
                '<li><a href="#s5">Liability</a></li>\n      <li><a href="#s6">Disputes</a></li>',
            ),
            ('<a href="/legal/privacy">', '<a href="/legal/privacy-2026">'),
        ),
        new(TERMS_URL + "#s6", 1),
        new("https://www.cloudnook.example/legal/privacy-2026", 1),
        gone("https://www.cloudnook.example/legal/privacy", 1),
        url=TERMS_URL,
    ),
    pair(
        "legal/terms-toc-list",
        "list: {Fees and payment}",
        TERMS,
        served_again(
            TERMS,
            (
                '<li><a href="#s4">Termination</a></li>',
                '<li><a href="#s4">Termination and suspension</a></li>',
            ),
        ),
        updated("Termination", "Termination and suspension"),
        url=TERMS_URL,
    ),
    pair(
        "legal/terms-keywords",
        "keywords: {arbitration, jurisdiction, liability}",
        TERMS,
        served_again(
            TERMS, ("The courts of Dublin have jurisdiction.", "Disputes go to arbitration in Dublin.")
        ),
        new("arbitration", 1),
        gone("jurisdiction", 1),
        url=TERMS_URL,
    ),
    pair(
        "legal/terms-keywords-in-hidden-places",
        "keywords: {arbitration, waiver}",
        TERMS,
        served_again(
            TERMS,
            (
                '<main class="legal">',
                '<main class="legal arbitration" data-topic="waiver"><script>var arbitration = "waiver";</script>',
            ),
            ("<!-- terms revision 41 -->", "<!-- arbitration, waiver -->"),
        ),
        url=TERMS_URL,
    ),
    pair(
        "legal/terms-keywords-all-stay",
        "keywords all {arbitration, jurisdiction} disappear",
        TERMS,
        served_again(TERMS, ("The courts of Dublin have jurisdiction.", "Disputes are settled by talking.")),
        url=TERMS_URL,
    ),
    pair(
        "legal/terms-both-words-vanish-one",
        "keywords all {law, jurisdiction} disappear",
        TERMS,
        served_again(TERMS, ("The courts of Dublin have jurisdiction.", "Disputes are settled by talking.")),
        some(),
        url=TERMS_URL,
    ),
    pair(
        "legal/terms-structure-section-added",
        "structure",
        TERMS,
        edit(
            TERMS,
            (
                '    <h2 id="s5">',
                '    <h2 id="s4b">4b. Suspension</h2>\n    <p>We may suspend accounts.</p>\n    <h2 id="s5">',
            ),
        ),
        shown("i", "h2"),
        shown("i", "p"),
        url=TERMS_URL,
    ),
    pair(
        "legal/terms-structure-words-only",
        "structure",
        TERMS,
        reformatted(edit(TERMS, ("sixty days", "ten days"), ('"t": 1772439301', '"t": 1772444853'))),
        url=TERMS_URL,
    ),
    pair(
        # C10: attributes are a part of the structure (ROC Fig. 22), so it cannot be unchanged when they change.
        "legal/terms-structure-attribute",
        "structure",
        TERMS,
        edit(TERMS, ('<main class="legal">', '<main class="legal" id="m">'), ("sixty days", "ten days")),
        some(),
        url=TERMS_URL,
    ),
    pair(
        "legal/terms-layout-words-only",
        "layout",
        TERMS,
        served_again(
            TERMS,
            ("sixty days", "ten days"),
            ("governed by the law of Ireland", "governed by the law of Malta"),
        ),
        url=TERMS_URL,
    ),
    pair(
        "legal/terms-layout-columns",
        "layout",
        TERMS,
        served_again(
            TERMS,
            ('    <h2 id="s1">', '    <table><tr><td>\n    <h2 id="s1">'),
            ('    <h2 id="s4">', '    </td><td>\n    <h2 id="s4">'),
            ("  </main>", "    </td></tr></table>\n  </main>"),
        ),
        some(),
        url=TERMS_URL,
    ),
    pair(
        "legal/terms-exact-space",
        "exact change",
        TERMS,
        edit(TERMS, ("<h1>Terms of Service</h1>", "<h1>Terms of Service</h1> ")),
        some(),
        url=TERMS_URL,
    ),
    pair(
        "legal/terms-case-change-words",
        "all words",
        TERMS,
        served_again(TERMS, ("at once if you break", "AT ONCE if you break")),
        inserted("AT ONCE"),
        deleted("at once"),
        url=TERMS_URL,
    ),
    pair(
        "legal/terms-many-small-edits-any-change",
        "any change",
        TERMS,
        served_again(
            TERMS,
            ("at least sixteen years old", "at least eighteen years old"),
            ("no longer than ninety days", "no longer than one year"),
            ('<a href="/legal/privacy">', '<a href="/legal/privacy-2026">'),
        ),
        inserted("eighteen one year"),
        deleted("sixteen ninety days"),
        new("https://www.cloudnook.example/legal/privacy-2026"),
        gone("https://www.cloudnook.example/legal/privacy"),
        url=TERMS_URL,
    ),
    pair(
        "legal/french-words",
        "all words",
        FRENCH,
        served_again(
            FRENCH,
            ("s’élèvent à 5,90 € et", "s’élèvent à 6,90 € et"),
            ("offerts à partir de 80 €", "offerts à partir de 100 €"),
        ),
        inserted("6,90 100"),
        deleted("5,90 80"),
        url=FRENCH_URL,
    ),
    pair(
        "legal/french-apostrophes-and-entities",
        "all words",
        FRENCH,
        served_again(
            FRENCH,
            ("Dernière mise à jour :", "Derni&egrave;re mise &agrave; jour&nbsp;:"),
            ("sous trois jours", "sous trois&#160;jours"),
        ),
        url=FRENCH_URL,
    ),
    pair(
        "legal/french-accents-decomposed",
        "all words",
        FRENCH,
        served_again(
            FRENCH, ("régissent les ventes", "re\u0301gissent les ventes"), ("médiateur", "me\u0301diateur")
        ),
        url=FRENCH_URL,
    ),
    pair(
        "legal/french-phrase",
        "phrase: {d’un délai de quatorze jours pour se rétracter}",
        FRENCH,
        served_again(FRENCH, ("délai de quatorze jours pour", "délai de trente jours pour")),
        updated(
            "d’un délai de quatorze jours pour se rétracter", "d’un délai de trente jours pour se rétracter"
        ),
        url=FRENCH_URL,
    ),
    pair(
        "legal/french-date-excepted",
        "all words except {4, 11, février}",
        FRENCH,
        served_again(FRENCH, ("4 février 2026", "11 février 2026")),
        url=FRENCH_URL,
    ),
    pair(
        "legal/french-table-price",
        "table: {Frais de livraison}",
        FRENCH,
        served_again(FRENCH, ("<td>7 jours</td><td>14,50 €</td>", "<td>7 jours</td><td>16,00 €</td>")),
        updated("14,50 €", "16,00 €", "Suisse"),
        url=FRENCH_URL,
    ),
    pair(
        "legal/french-table-row-and-cell",
        "table: {Zone}",
        FRENCH,
        served_again(
            FRENCH,
            (
                "<td>5 jours</td><td>8,90 €</td></tr>",
                "<td>4 jours</td><td>8,90 €</td></tr>\n        <tr><td>Italie</td><td>6 jours</td><td>9,90 €</td></tr>",
            ),
        ),
        updated("5 jours", "4 jours", "Belgique et Luxembourg"),
        shown("i", "Italie"),
        url=FRENCH_URL,
    ),
    pair(
        "legal/french-table-text-around-it",
        "table: {Suisse}",
        FRENCH,
        served_again(
            FRENCH,
            ("Les frais de retour sont à sa charge.", "Les frais de retour sont offerts."),
            ("Article 5 – Litiges", "Article 6 – Litiges"),
        ),
        url=FRENCH_URL,
    ),
    pair(
        "legal/french-regex-euros",
        r"regular expression: {[0-9]+(,[0-9]+)? €}",
        FRENCH,
        served_again(FRENCH, ("à partir de 80 €", "à partir de 95 €")),
        replaced("80 €", "95 €"),
        url=FRENCH_URL,
    ),
    pair(
        "legal/russian-fine",
        "all words",
        RUSSIAN,
        served_again(
            RUSSIAN,
            ("в размере 1500 рублей", "в размере 2000 рублей"),
            ("Велосипеды перевозятся за отдельную плату.", "Велосипеды перевозятся бесплатно."),
        ),
        inserted("2000 бесплатно"),
        deleted("1500 за отдельную плату"),
        url=RUSSIAN_URL,
    ),
    pair(
        "legal/russian-fine-by-regex",
        r"regular expression: {[0-9]+ рублей}",
        RUSSIAN,
        served_again(RUSSIAN, ("1500 рублей", "2000 рублей"), ("10 января 2026", "10 марта 2026")),
        replaced("1500 рублей", "2000 рублей"),
        url=RUSSIAN_URL,
    ),
    pair(
        "legal/russian-keywords-case",
        "keywords: {штраф, билет}",
        RUSSIAN,
        served_again(
            RUSSIAN,
            ("Билет действителен в течение", "БИЛЕТ, даже мятый билет, действителен в течение"),
            ("взимается штраф в размере", "взимается плата в размере"),
        ),
        more("билет", 2, 3),
        gone("штраф", 1),
        url=RUSSIAN_URL,
    ),
    pair(
        "legal/russian-other-encoding-words",
        "all words",
        RUSSIAN,
        RUSSIAN.replace('charset="utf-8"', 'charset="windows-1251"').encode("cp1251", "xmlcharrefreplace"),
        type="text/html; charset=utf-8",
        after_type="text/html; charset=windows-1251",
        url=RUSSIAN_URL,
    ),
    pair(
        "legal/russian-list",
        "list: {Курение в салоне запрещено}",
        RUSSIAN,
        served_again(
            RUSSIAN,
            ("      <li>Запрещено отвлекать водителя</li>\n", ""),
            ("Животные перевозятся в переноске", "Животные перевозятся в наморднике"),
        ),
        shown("d", "Запрещено отвлекать водителя"),
        updated("Животные перевозятся в переноске", "Животные перевозятся в наморднике"),
        url=RUSSIAN_URL,
    ),
    pair(
        "legal/russian-phrase-gone",
        "phrase: {Контролёр обязан предъявить удостоверение}",
        RUSSIAN,
        served_again(RUSSIAN, (" Контролёр обязан предъявить удостоверение.", "")),
        shown("d", "Контролёр обязан предъявить удостоверение"),
        url=RUSSIAN_URL,
    ),
    pair(
        "legal/terms-fewer-mentions",
        "keywords: {contract}",
        TERMS,
        served_again(TERMS, ("You may end this contract at any time", "You may leave at any time")),
        fewer("contract", 4, 3),
        url=TERMS_URL,
    ),
)
