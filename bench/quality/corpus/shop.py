"""Shops: a product page, a listing and a German and a Japanese product."""

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
    updated,
)
from bench.quality.pages import edit, reformatted, served_again, site, swap

URL = "https://shop.northtrail.example/tents/aurora-2"
ORIGIN = "https://shop.northtrail.example"
MENU = (("/tents", "Tents"), ("/packs", "Packs"), ("/stoves", "Stoves"), ("/cart", "Cart"))

PRODUCT = site(
    "Aurora 2 tent | Northtrail",
    """  <ol class="crumbs"><li><a href="/">Home</a></li><li><a href="/tents">Tents</a></li><li>Aurora 2</li></ol>
  <main itemscope itemtype="https://schema.org/Product">
    <h1 itemprop="name">Aurora 2</h1>
    <div class="gallery">
      <img src="/media/aurora-2/front.jpg" alt="Front">
      <img src="/media/aurora-2/side.jpg" alt="Side">
      <img src="/media/aurora-2/inside.jpg" alt="Inside">
    </div>
    <p class="price css-1ab9x">Now <span id="price">$349.00</span> <s class="was">$399.00</s></p>
    <p class="stock"><span class="in">In stock</span>, <span id="left">14</span> left in the warehouse</p>
    <p class="rating">4.6 of 5 stars from <a href="#reviews"><span id="reviews-count">1,284</span> reviews</a></p>
    <form action="/cart/add" method="post">
      <input type="hidden" name="sku" value="AUR-2-GRN">
      <select name="colour"><option value="green">Green</option><option value="sand">Sand</option></select>
      <button>Add to cart</button>
    </form>
    <h2>Description</h2>
    <p>A freestanding tent for two with two doors and two vestibules. Pitches in four minutes, inner or outer first.</p>
    <p>The fly is made of ripstop nylon with a silicone coating on both sides and a water column of 3000 mm.</p>
    <h2>Specifications</h2>
    <table id="specs">
      <caption>Specifications</caption>
      <tr><th>Weight</th><td>1.85 kg</td></tr>
      <tr><th>Packed size</th><td>42 x 14 cm</td></tr>
      <tr><th>Floor area</th><td>2.8 m²</td></tr>
      <tr><th>Poles</th><td>DAC Featherlite 8.5 mm</td></tr>
      <tr><th>Warranty</th><td>5 years</td></tr>
    </table>
    <h2>What is in the bag</h2>
    <ul id="bag">
      <li>Inner tent and fly</li>
      <li>Two poles</li>
      <li>Twelve pegs</li>
      <li>Four guy lines</li>
    </ul>
    <section class="also">
      <h2>Others also bought</h2>
      <a href="/tents/aurora-3"><img src="/media/aurora-3/thumb.jpg" alt="">Aurora 3</a>
      <a href="/stoves/pika"><img src="/media/pika/thumb.jpg" alt="">Pika stove</a>
      <a href="/packs/lynx-45"><img src="/media/lynx-45/thumb.jpg" alt="">Lynx 45</a>
    </section>
  </main>""",
    name="Northtrail",
    menu=MENU,
    footer="Free returns within 60 days. Northtrail Outfitters.",
)

ALSO = """      <a href="/stoves/pika"><img src="/media/pika/thumb.jpg" alt="">Pika stove</a>
      <a href="/packs/lynx-45"><img src="/media/lynx-45/thumb.jpg" alt="">Lynx 45</a>
"""
ALSO_OTHERS = """      <a href="/stoves/marten"><img src="/media/marten/thumb.jpg" alt="">Marten stove</a>
      <a href="/packs/lynx-60"><img src="/media/lynx-60/thumb.jpg" alt="">Lynx 60</a>
"""

LISTING = site(
    "Stoves | Northtrail",
    """  <main>
    <h1>Stoves</h1>
    <p>Showing <span class="count">6</span> of 38 products, sorted by popularity</p>
    <table class="products" id="products">
      <thead><tr><th>Product</th><th>Fuel</th><th>Weight</th><th>Price</th><th>Stock</th></tr></thead>
      <tbody>
        <tr><td><a href="/stoves/pika">Pika</a></td><td>Gas</td><td>85 g</td><td>$49.95</td><td>in stock</td></tr>
        <tr><td><a href="/stoves/marten">Marten</a></td><td>Gas</td><td>132 g</td><td>$64.50</td><td>in stock</td></tr>
        <tr><td><a href="/stoves/ember">Ember</a></td><td>Wood</td><td>410 g</td><td>$89.00</td><td>2 weeks</td></tr>
        <tr><td><a href="/stoves/trangia-25">Trangia 25</a></td><td>Spirit</td><td>860 g</td><td>$112.00</td><td>in stock</td></tr>
        <tr><td><a href="/stoves/whisper">Whisper</a></td><td>Petrol</td><td>325 g</td><td>$139.00</td><td>sold out</td></tr>
        <tr><td><a href="/stoves/dragon">Dragon</a></td><td>Petrol</td><td>400 g</td><td>$189.90</td><td>in stock</td></tr>
      </tbody>
    </table>
    <nav class="pages"><a href="?page=1">1</a> <a href="?page=2">2</a> <a href="?page=3">3</a></nav>
    <h2>Fuel by country</h2>
    <table>
      <tr><th>Country</th><th>Gas cartridge</th><th>Spirit</th></tr>
      <tr><td>Norway</td><td>screw</td><td>rødsprit</td></tr>
      <tr><td>France</td><td>pierce, screw</td><td>alcool à brûler</td></tr>
    </table>
  </main>""",
    name="Northtrail",
    menu=MENU,
    footer="Free returns within 60 days. Northtrail Outfitters.",
)
LISTING_URL = ORIGIN + "/stoves"
EMBER = """        <tr><td><a href="/stoves/ember">Ember</a></td><td>Wood</td><td>410 g</td><td>$89.00</td><td>2 weeks</td></tr>
"""
WHISPER = """        <tr><td><a href="/stoves/whisper">Whisper</a></td><td>Petrol</td><td>325 g</td><td>$139.00</td><td>sold out</td></tr>
"""
TABLE_START = '    <table class="products" id="products">'
TABLE = LISTING[LISTING.index(TABLE_START) : LISTING.index('    <nav class="pages">')]

GERMAN = site(
    "Kaffeemühle Handwerk 3 – Mahlgut & Söhne",
    """  <main>
    <h1>Kaffeemühle „Handwerk 3“</h1>
    <img src="/bilder/handwerk3.jpg" alt="Kaffeemühle">
    <p class="preis">Preis: <strong class="betrag">1.249,00 €</strong> inkl. MwSt., zzgl. <a href="/versand">Versand</a></p>
    <p class="lager">Lieferbar ab <time class="ab">12.03.2026</time></p>
    <h2>Beschreibung</h2>
    <p>Die Mühle hat ein Kegelmahlwerk aus gehärtetem Stahl, ein Gehäuse aus Nussbaum und einen Behälter für 60 Gramm Bohnen. Sie wird in unserer Werkstatt in der Großen Straße von Hand zusammengesetzt.</p>
    <p>Für die Reinigung genügt ein trockener Pinsel. Das Mahlwerk ist nach etwa 500 Kilogramm zu wechseln.</p>
    <h2>Lieferumfang</h2>
    <ul>
      <li>Mühle</li>
      <li>Kurbel</li>
      <li>Pinsel</li>
      <li>Bedienungsanleitung</li>
    </ul>
  </main>""",
    name="Mahlgut & Söhne",
    lang="de",
    menu=(("/muehlen", "Mühlen"), ("/bohnen", "Bohnen"), ("/kasse", "Kasse")),
    footer="Mahlgut & Söhne, Große Straße 4, Osnabrück. Impressum und Datenschutz.",
)
GERMAN_URL = "https://www.mahlgut.example/handwerk-3"

JAPANESE = site(
    "南部鉄器 急須 0.6L | 岩手工芸",
    """  <main>
    <h1>南部鉄器 急須 0.6L</h1>
    <div class="photo"><img src="/photo/kyusu-01.jpg" alt="急須"></div>
    <p class="kakaku">販売価格：<b id="kakaku">12,800円</b>（税込）</p>
    <p class="zaiko">在庫：残り<span id="zaiko">3</span>点</p>
    <h2>商品説明</h2>
    <p>盛岡の職人が一つ一つ手作りした急須です。内側はホーロー仕上げなので、錆びにくく、お手入れが簡単です。</p>
    <p>送料は全国一律800円です。一万円以上のお買い上げで送料無料になります。</p>
    <table>
      <caption>仕様</caption>
      <tr><th>容量</th><td>0.6リットル</td></tr>
      <tr><th>重さ</th><td>1.3キログラム</td></tr>
      <tr><th>産地</th><td>岩手県盛岡市</td></tr>
    </table>
  </main>""",
    name="岩手工芸",
    lang="ja",
    menu=(("/tetsubin", "鉄瓶"), ("/kyusu", "急須"), ("/cart", "カート")),
    footer="岩手工芸株式会社 〒020-0000 岩手県盛岡市",
)
JAPANESE_URL = "https://www.iwate-kogei.example/kyusu/06"

PAIRS: tuple[Pair, ...] = (
    pair(
        "shop/price-drops",
        'value css "#price"',
        PRODUCT,
        served_again(PRODUCT, ("$349.00", "$299.00"), (ALSO, ALSO_OTHERS)),
        updated("349", "299"),
        url=URL,
    ),
    pair(
        "shop/price-same-page-changed",
        'value css "#price"',
        PRODUCT,
        served_again(PRODUCT, ("$399.00", "$429.00"), (ALSO, ALSO_OTHERS), (">14<", ">9<")),
        url=URL,
    ),
    pair(
        "shop/price-written-otherwise",
        'value css "#price"',
        PRODUCT,
        served_again(
            PRODUCT, ('<span id="price">$349.00</span>', '<span id="price" class="big"> $ 349 </span>')
        ),
        url=URL,
    ),
    pair(
        "shop/price-gone",
        'value css "#price"',
        PRODUCT,
        served_again(
            PRODUCT,
            ('Now <span id="price">$349.00</span>', "Call us for the price"),
            ("In stock", "Sold out"),
        ),
        shown("d", "349"),
        url=URL,
    ),
    pair(
        "shop/reviews-count",
        "value xpath \"//span[@id='reviews-count']\"",
        PRODUCT,
        served_again(PRODUCT, ("1,284", "1,301")),
        updated("1,284", "1,301"),
        url=URL,
    ),
    pair(
        "shop/stock-by-regex",
        r'value regex "(\d+) left in the warehouse"',
        PRODUCT,
        served_again(
            PRODUCT, ('<span id="left">14</span>', '<span id="left">3</span>'), ("$349.00", "$359.00")
        ),
        updated("14", "3"),
        url=URL,
    ),
    pair(
        "shop/stock-by-regex-same",
        r'value regex "(\d+) left in the warehouse"',
        PRODUCT,
        served_again(PRODUCT, ('<span id="left">14</span> left', "<b>14</b>  left"), ("$349.00", "$359.00")),
        url=URL,
    ),
    pair(
        "shop/specs-cell-updated",
        "table: {Specifications}",
        PRODUCT,
        served_again(PRODUCT, ("1.85 kg", "1.79 kg"), (ALSO, ALSO_OTHERS)),
        updated("1.85 kg", "1.79 kg", "Weight"),
        url=URL,
    ),
    pair(
        "shop/specs-row-added-by-id",
        "table: {#specs}",
        PRODUCT,
        served_again(
            PRODUCT,
            ("      <tr><th>Warranty", "      <tr><th>Season</th><td>3</td></tr>\n      <tr><th>Warranty"),
        ),
        shown("i", "Season"),
        url=URL,
    ),
    pair(
        "shop/specs-row-removed-by-text",
        "table: {Packed size}",
        PRODUCT,
        served_again(PRODUCT, ("      <tr><th>Poles</th><td>DAC Featherlite 8.5 mm</td></tr>\n", "")),
        shown("d", "Poles"),
        url=URL,
    ),
    pair(
        "shop/specs-surroundings-changed",
        "table: {Specifications}",
        PRODUCT,
        served_again(
            PRODUCT,
            ("<h2>Specifications</h2>", "<h2>Technical data</h2>\n    <p>Measured by us.</p>"),
            ("<h2>What is in the bag</h2>", "<h2>Included</h2>"),
            ("A freestanding tent", "A light, freestanding tent"),
        ),
        url=URL,
    ),
    pair(
        "shop/specs-vanished",
        "table: {Specifications}",
        PRODUCT,
        served_again(
            PRODUCT,
            (
                PRODUCT[PRODUCT.index("    <h2>Specifications") : PRODUCT.index("    <h2>What is in")],
                "    <p>Details on request.</p>\n",
            ),
        ),
        shown("d"),
        url=URL,
    ),
    pair(
        "shop/specs-styled-anew",
        "table: {Specifications}",
        PRODUCT,
        reformatted(
            served_again(
                PRODUCT,
                (
                    "<th>Weight</th><td>1.85 kg</td>",
                    '<th scope="row"><span>Weight</span></th><td class="n"><b>1.85&nbsp;kg</b></td>',
                ),
                ('<table id="specs">', '<table id="specs" class="zebra">'),
            )
        ),
        url=URL,
    ),
    pair(
        "shop/bag-item-updated",
        "list: {Two poles}",
        PRODUCT,
        served_again(PRODUCT, ("<li>Twelve pegs</li>", "<li>Fourteen pegs</li>")),
        updated("Twelve pegs", "Fourteen pegs"),
        url=URL,
    ),
    pair(
        "shop/bag-item-removed",
        'list: {css "#bag"}',
        PRODUCT,
        served_again(PRODUCT, ("      <li>Four guy lines</li>\n", "")),
        shown("d", "Four guy lines"),
        url=URL,
    ),
    pair(
        "shop/bag-same-list-elsewhere-changed",
        "list: {Inner tent and fly}",
        PRODUCT,
        served_again(
            PRODUCT,
            (
                '<li><a href="/tents">Tents</a></li><li>Aurora 2</li>',
                '<li><a href="/sale">Sale</a></li><li>Aurora 2</li>',
            ),
        ),
        url=URL,
    ),
    pair(
        "shop/recommendations-images",
        "all images",
        PRODUCT,
        served_again(PRODUCT, (ALSO, ALSO_OTHERS)),
        new(ORIGIN + "/media/marten/thumb.jpg", 1),
        new(ORIGIN + "/media/lynx-60/thumb.jpg", 1),
        gone(ORIGIN + "/media/pika/thumb.jpg", 1),
        gone(ORIGIN + "/media/lynx-45/thumb.jpg", 1),
        url=URL,
    ),
    pair(
        "shop/gallery-reordered",
        "all images",
        PRODUCT,
        swap(
            served_again(PRODUCT),
            '<img src="/media/aurora-2/front.jpg" alt="Front">',
            '<img src="/media/aurora-2/inside.jpg" alt="Inside">',
        ),
        url=URL,
    ),
    pair(
        "shop/gallery-picture-twice",
        "all images",
        PRODUCT,
        served_again(
            PRODUCT,
            ('<img src="/media/aurora-3/thumb.jpg" alt="">', '<img src="/media/aurora-2/side.jpg" alt="">'),
        ),
        gone(ORIGIN + "/media/aurora-3/thumb.jpg", 1),
        more(ORIGIN + "/media/aurora-2/side.jpg", 1, 2),
        url=URL,
    ),
    pair(
        "shop/form-action-changed",
        "all links",
        PRODUCT,
        served_again(PRODUCT, ('action="/cart/add"', 'action="/basket/items"')),
        new(ORIGIN + "/basket/items", 1),
        gone(ORIGIN + "/cart/add", 1),
        url=URL,
    ),
    pair(
        "shop/sold-out-keywords",
        "keywords: {in stock, sold out}",
        PRODUCT,
        served_again(PRODUCT, ('<span class="in">In stock</span>', '<span class="out">Sold out</span>')),
        gone("in stock", 1),
        new("sold out", 1),
        url=URL,
    ),
    pair(
        "shop/availability-phrase",
        "phrase: {left in the warehouse}",
        PRODUCT,
        served_again(PRODUCT, (">14<", ">2<"), ("$349.00", "$329.00")),
        url=URL,
    ),
    pair(
        "shop/description-phrase-updated",
        "phrase: {a water column of 3000 mm}",
        PRODUCT,
        served_again(
            PRODUCT,
            ("a water column of 3000 mm", "a water column of 1500 mm"),
            ("Pitches in four minutes", "Pitches in three minutes"),
        ),
        updated("a water column of 3000 mm", "a water column of 1500 mm"),
        url=URL,
    ),
    pair(
        "shop/prices-by-regex",
        r"regular expression: {\$[0-9]+\.[0-9][0-9]}",
        PRODUCT,
        served_again(PRODUCT, ("$349.00", "$319.00")),
        replaced("$349.00", "$319.00"),
        url=URL,
    ),
    pair(
        "shop/prices-by-regex-moved-only",
        r"regular expression: {\$[0-9]+\.[0-9][0-9]}",
        PRODUCT,
        served_again(
            PRODUCT,
            (
                'Now <span id="price">$349.00</span> <s class="was">$399.00</s>',
                'Was <s class="was">$399.00</s>, now <span id="price">$349.00</span>',
            ),
        ),
        url=URL,
    ),
    pair(
        "shop/sku-in-source",
        r'regular expression: {name="sku" value="[A-Z0-9-]+"} in source',
        PRODUCT,
        served_again(PRODUCT, ("AUR-2-GRN", "AUR-2B-GRN")),
        replaced('name="sku" value="AUR-2-GRN"', 'name="sku" value="AUR-2B-GRN"'),
        url=URL,
    ),
    pair(
        "shop/sku-in-source-attributes-of-others",
        r'regular expression: {name="sku" value="[A-Z0-9-]+"} in source',
        PRODUCT,
        served_again(PRODUCT, (ALSO, ALSO_OTHERS), ("$349.00", "$319.00")),
        url=URL,
    ),
    pair(
        "shop/listing-row-inserted",
        "table: {Product}",
        LISTING,
        served_again(
            LISTING,
            (
                EMBER,
                '        <tr><td><a href="/stoves/flint">Flint</a></td><td>Wood</td><td>390 g</td><td>$75.00</td><td>in stock</td></tr>\n'
                + EMBER,
            ),
            ('<span class="count">6</span>', '<span class="count">7</span>'),
        ),
        shown("i", "Flint"),
        url=LISTING_URL,
    ),
    pair(
        "shop/listing-row-deleted",
        "table: {1}",
        LISTING,
        served_again(LISTING, (WHISPER, "")),
        shown("d", "Whisper"),
        url=LISTING_URL,
    ),
    pair(
        "shop/listing-two-cells-updated",
        "table: {#products}",
        LISTING,
        served_again(LISTING, ("<td>$89.00</td><td>2 weeks</td>", "<td>$79.00</td><td>in stock</td>")),
        updated("$89.00", "$79.00", "Ember"),
        updated("2 weeks", "in stock", "Ember"),
        url=LISTING_URL,
    ),
    pair(
        "shop/listing-row-moved",
        "table: {Product}",
        LISTING,
        served_again(LISTING, (WHISPER, ""), ("      <tbody>\n", "      <tbody>\n" + WHISPER)),
        moved("Whisper"),
        url=LISTING_URL,
    ),
    pair(
        "shop/listing-column-added",
        "table: {Product}",
        LISTING,
        served_again(
            LISTING,
            ("<th>Stock</th>", "<th>Stock</th><th>Rating</th>"),
            (
                "<td>85 g</td><td>$49.95</td><td>in stock</td>",
                "<td>85 g</td><td>$49.95</td><td>in stock</td><td>4.8</td>",
            ),
            ("<td>$64.50</td><td>in stock</td>", "<td>$64.50</td><td>in stock</td><td>4.1</td>"),
            ("<td>2 weeks</td>", "<td>2 weeks</td><td>4.4</td>"),
            ("<td>$112.00</td><td>in stock</td>", "<td>$112.00</td><td>in stock</td><td>4.9</td>"),
            ("<td>sold out</td>", "<td>sold out</td><td>3.9</td>"),
            ("<td>$189.90</td><td>in stock</td>", "<td>$189.90</td><td>in stock</td><td>4.2</td>"),
        ),
        shown("i", "Rating"),
        url=LISTING_URL,
    ),
    pair(
        "shop/listing-other-table-changed",
        "table: {#products}",
        LISTING,
        served_again(
            LISTING,
            ("<td>Norway</td><td>screw</td>", "<td>Norway</td><td>screw, clip</td>"),
            ("of 38 products", "of 39 products"),
        ),
        url=LISTING_URL,
    ),
    pair(
        "shop/listing-table-moved-on-page",
        "table: {Trangia 25}",
        LISTING,
        served_again(LISTING, (TABLE, ""), ("  </main>", TABLE + "  </main>")),
        url=LISTING_URL,
    ),
    pair(
        "shop/listing-second-table-by-number",
        "table: {2}",
        LISTING,
        served_again(LISTING, ("alcool à brûler", "alcool ménager"), ("$49.95", "$47.95")),
        updated("alcool à brûler", "alcool ménager", "France"),
        url=LISTING_URL,
    ),
    pair(
        "shop/listing-tags-images-added",
        "tags",
        LISTING,
        served_again(
            LISTING,
            (
                '<a href="/stoves/pika">Pika</a>',
                '<img src="/media/pika/t.jpg" alt=""><a href="/stoves/pika">Pika</a>',
            ),
            ("<h1>Stoves</h1>", "<h1>Stoves</h1><video src=/v.mp4></video>"),
        ),
        more("img", 1, 2),
        new("video", 1),
        url=LISTING_URL,
    ),
    pair(
        "shop/listing-tags-same",
        "tags",
        LISTING,
        served_again(LISTING, ("$49.95", "$47.95"), ("<td>sold out</td>", "<td>in stock</td>")),
        url=LISTING_URL,
    ),
    pair(
        "shop/listing-sorting-words",
        "all words except {38, 39}",
        LISTING,
        served_again(
            LISTING, ("of 38 products", "of 39 products"), ("sorted by popularity", "sorted by price")
        ),
        inserted("price"),
        deleted("popularity"),
        url=LISTING_URL,
    ),
    pair(
        "shop/german-price",
        'value css ".betrag"',
        GERMAN,
        served_again(GERMAN, ("1.249,00 €", "1.199,00 €")),
        updated("1.249,00", "1.199,00"),
        url=GERMAN_URL,
    ),
    pair(
        "shop/german-price-same-amount",
        'value css ".betrag"',
        GERMAN,
        served_again(GERMAN, ("1.249,00 €", "1249,00&nbsp;€"), ("12.03.2026", "19.03.2026")),
        url=GERMAN_URL,
    ),
    pair(
        "shop/german-delivery-date",
        'value css "time.ab"',
        GERMAN,
        served_again(GERMAN, ("12.03.2026", "19.03.2026"), ("1.249,00 €", "1.199,00 €")),
        updated("12.03.2026", "19.03.2026"),
        url=GERMAN_URL,
    ),
    pair(
        "shop/german-words",
        "all words",
        GERMAN,
        served_again(
            GERMAN,
            ("ein Gehäuse aus Nussbaum", "ein Gehäuse aus geölter Eiche"),
            ("Großen Straße von", "Großen Straße vollständig von"),
        ),
        inserted("geölter Eiche vollständig"),
        deleted("Nussbaum"),
        url=GERMAN_URL,
    ),
    pair(
        "shop/german-entities-words",
        "all words",
        GERMAN,
        served_again(
            GERMAN,
            ("gehärtetem Stahl", "geh&auml;rtetem Stahl"),
            ("in der Großen Straße von", "in der Gro&szlig;en Stra&#223;e von"),
            ("„Handwerk 3“", "&bdquo;Handwerk 3&ldquo;"),
        ),
        url=GERMAN_URL,
    ),
    pair(
        "shop/german-keywords",
        "keywords: {Mühle, Mahlwerk}",
        GERMAN,
        served_again(
            GERMAN, ("Das Mahlwerk ist nach etwa 500 Kilogramm zu wechseln.", "Die MÜHLE ist wartungsfrei.")
        ),
        more("Mühle", 2, 3),
        gone("Mahlwerk", 1),
        url=GERMAN_URL,
    ),
    pair(
        "shop/german-list-item-inserted",
        "list: {Kurbel}",
        GERMAN,
        served_again(
            GERMAN, ("      <li>Pinsel</li>\n", "      <li>Pinsel</li>\n      <li>Ersatzmahlwerk</li>\n")
        ),
        shown("i", "Ersatzmahlwerk"),
        url=GERMAN_URL,
    ),
    pair(
        "shop/japanese-price",
        'value css "#kakaku"',
        JAPANESE,
        served_again(
            JAPANESE, ("12,800円", "11,500円"), ('<span id="zaiko">3</span>', '<span id="zaiko">2</span>')
        ),
        updated("12,800", "11,500"),
        url=JAPANESE_URL,
    ),
    pair(
        "shop/japanese-words",
        "all words",
        JAPANESE,
        served_again(JAPANESE, ("お手入れが簡単です。", "お手入れが大変簡単です。")),
        inserted("大変"),
        url=JAPANESE_URL,
    ),
    pair(
        "shop/japanese-words-punctuation",
        "all words",
        JAPANESE,
        reformatted(
            served_again(
                JAPANESE,
                ("ホーロー仕上げなので、錆びにくく、", "ホーロー仕上げなので錆びにくく、"),
                ("（税込）", "(税込)"),
            )
        ),
        url=JAPANESE_URL,
    ),
    pair(
        "shop/japanese-phrase",
        "phrase: {送料は全国一律800円です}",
        JAPANESE,
        served_again(JAPANESE, ("送料は全国一律800円です", "送料は全国一律950円です")),
        updated("送料は全国一律800円です", "送料は全国一律950円です"),
        url=JAPANESE_URL,
    ),
    pair(
        "shop/japanese-table",
        "table: {仕様}",
        JAPANESE,
        served_again(JAPANESE, ("1.3キログラム", "1.25キログラム"), ("12,800円", "11,500円")),
        updated("1.3キログラム", "1.25キログラム", "重さ"),
        url=JAPANESE_URL,
    ),
    pair(
        "shop/japanese-keyword",
        "keywords: {送料無料, 在庫}",
        JAPANESE,
        served_again(
            JAPANESE,
            (
                "一万円以上のお買い上げで送料無料になります。",
                "送料無料！一万円以上のお買い上げで送料無料になります。",
            ),
        ),
        more("送料無料", 1, 2),
        url=JAPANESE_URL,
    ),
    pair(
        "shop/table-or-list",
        "table: {#specs} OR list: {#bag}",
        PRODUCT,
        served_again(PRODUCT, ("<li>Two poles</li>", "<li>Three poles</li>")),
        updated("Two poles", "Three poles"),
        url=URL,
    ),
    pair(
        "shop/fewer-of-a-keyword",
        "keywords: {petrol, gas, wood}",
        LISTING,
        served_again(LISTING, (WHISPER, ""), (EMBER, "")),
        fewer("petrol", 2, 1),
        gone("wood", 1),
        url=LISTING_URL,
    ),
    pair(
        "shop/attribute-option-value",
        "attributes",
        PRODUCT,
        edit(PRODUCT, ('<option value="sand">', '<option value="sand" disabled>')),
        shown("i", "disabled"),
        url=URL,
    ),
    pair(
        "shop/comments-build-note",
        "comments",
        PRODUCT,
        edit(
            PRODUCT,
            ("  <main itemscope", "  <!-- experiment 42: green button -->\n  <main itemscope"),
            ("$349.00", "$339.00"),
        ),
        either((shown("i", "experiment 42: green button"),), (inserted("experiment 42: green button"),)),
        url=URL,
    ),
)
