"""What a shop says about availability in, one of a few words out.

It is said as schema.org names it, or in words of the page in the languages of the web.
"""

from __future__ import annotations

import re
from functools import cache

IN_STOCK = frozenset(("in stock", "limited availability", "in store only", "online only", "made to order"))
OUT_OF_STOCK = frozenset(("out of stock", "sold out", "discontinued"))
"""What is in neither set is on its way: pre-order, presale, back-order, reserved."""

# The best first: of several offers of a product the best one tells whether it can be had.
ORDER = (
    *("in stock", "limited availability", "online only", "in store only", "made to order"),
    *("pre-order", "presale", "back-order", "reserved"),
    *("out of stock", "sold out", "discontinued"),
)
# The names of schema.org and of the catalogues of large platforms, without spaces and signs.
_NAMES = {
    **{name.replace(" ", "").replace("-", ""): name for name in ORDER},
    "available": "in stock",
    "availablefororder": "in stock",
    "instoreavailability": "in store only",
    "lowstock": "limited availability",
    "limitedstock": "limited availability",
    "limited": "limited availability",
    "oos": "out of stock",
    "notavailable": "out of stock",
    "unavailable": "out of stock",
    "outstock": "out of stock",
    "nostock": "out of stock",
    "soldout": "sold out",
    "pending": "out of stock",
    "backordered": "back-order",
    "preorderonly": "pre-order",
}
_SIGNS = re.compile(r"[\s_\-]+")

# Looked for in short lines of the page. What a language says of things that cannot be had is looked for
# first, because it often holds what is said of those that can: "not in stock".
_OUT = """
out of stock|sold out|not in stock|no longer available|currently unavailable|temporarily unavailable
not available|unavailable|notify me when|email me when|back in stock soon|discontinued
ausverkauft|nicht verfügbar|nicht lieferbar|nicht auf lager|nicht mehr lieferbar|nicht mehr verfügbar
nicht vorrätig|derzeit vergriffen|vergriffen|zurzeit nicht lieferbar
épuisé|rupture de stock|en rupture|indisponible|plus disponible|non disponible|pas en stock
agotado|sin existencias|no disponible|fuera de stock|sin stock|esgotado|indisponível|fora de estoque
sem estoque|esaurito|non disponibile|non in magazzino|terminato
uitverkocht|niet op voorraad|niet leverbaar|niet beschikbaar
slutsåld|slut i lager|ej i lager|utsolgt|ikke på lager|udsolgt|loppuunmyyty|ei varastossa|tilapäisesti loppu
wyprzedany|brak w magazynie|niedostępny|produkt niedostępny|vyprodáno|není skladem|nedostupné|vypredané
elfogyott|nincs készleten|nincs raktáron|stoc epuizat|indisponibil|nu este în stoc
нет в наличии|распродано|немає в наявності|няма наличност|изчерпан|rasprodano|nije dostupno
tükendi|stokta yok|εξαντλημένο|μη διαθέσιμο|אזל מהמלאי|غير متوفر|نفدت الكمية|ناموجود
在庫切れ|売り切れ|品切れ|完売|缺货|售罄|无货|缺貨|售完|품절|일시품절|hết hàng|สินค้าหมด|stok habis|habis terjual
"""
_IN = """
in stock|left in stock|available now|ready to ship|ships today|available online
auf lager|sofort lieferbar|lieferbar|vorrätig|sofort verfügbar|verfügbar
en stock|disponible|disponível|em estoque|em stock|en existencia|disponibile|disponibilità immediata
op voorraad|direct leverbaar|i lager|på lager|finns i lager|varastossa|na skladě|skladem|na sklade|w magazynie
dostępny|készleten|raktáron|în stoc|в наличии|є в наявності|в наявності|наличен|na zalihi|stokta var|stokta
άμεσα διαθέσιμο|σε απόθεμα|במלאי|متوفر|在庫あり|有货|现货|有貨|재고 있음|còn hàng|มีสินค้า|tersedia
"""
_BUY = """
add to cart|add to basket|add to bag|add to trolley|buy now|add to shopping cart|buy it now|purchase
in den warenkorb|in den einkaufswagen|in den korb|jetzt kaufen|zum warenkorb hinzufügen|in warenkorb
ajouter au panier|acheter|ajouter au sac|añadir al carrito|agregar al carrito|añadir a la cesta|comprar
aggiungi al carrello|acquista|adicionar ao carrinho|in winkelwagen|in winkelmand|toevoegen aan winkelwagen
lägg i varukorg|lägg i varukorgen|köp|legg i handlekurv|kjøp|læg i kurv|føj til kurv|lisää ostoskoriin|osta
dodaj do koszyka|do koszyka|do košíku|přidat do košíku|vložit do košíku|do košíka|kosárba|kosárba teszem
adaugă în coș|в корзину|добавить в корзину|купить|до кошика|купити|добави в количката|u košaricu
sepete ekle|προσθήκη στο καλάθι|הוסף לסל|أضف إلى السلة|カートに入れる|カートに追加|加入购物车|加入購物車
立即购买|장바구니에 담기|장바구니|thêm vào giỏ|หยิบใส่ตะกร้า|tambah ke keranjang
"""


_IN_A_STREET = re.compile(
    r"pick-?\s?up|\bstores?\b|in-store|click\W+collect|abhol|filiale|\bmarkt\b|magasin|retrait|tienda|recog"
    r"|negozi|ritiro|winkel\b|afhal|butik|sklep|prodejn|üzlet|магазин|店舗|门店|매장"
)


def availability_named(text: str) -> str:
    """Returns the availability that a name means (`https://schema.org/InStock`, `out_of_stock`), or the words
    of a page; "" for anything else."""
    name = text.strip().rstrip("/").rpartition("/")[2].rpartition(":")[2].rpartition("#")[2]
    return _NAMES.get(_SIGNS.sub("", name).lower(), "") or availability_in(text[:200])


def availability_in(line: str) -> str:
    """Returns "out of stock" or "in stock" for a line that says so in any language; "" for other lines, and
    for those about a shop in a street."""
    folded = line.casefold()
    if _IN_A_STREET.search(folded):
        return ""
    if _phrases(_OUT).search(folded):
        return "out of stock"
    return "in stock" if _phrases(_IN).search(folded) else ""


def is_buying(text: str) -> bool:
    """Returns True for what stands on a button that puts a product into a cart."""
    return _phrases(_BUY).search(text.casefold()) is not None


@cache
def _phrases(listed: str) -> re.Pattern[str]:
    """Returns a pattern for any of the phrases, as whole words where the script has words."""
    phrases = sorted((one.strip().casefold() for one in re.split(r"[|\n]", listed) if one.strip()), key=len)
    said = "|".join(
        re.escape(one).replace(r"\ ", r"\s+")
        for one in reversed(phrases)
        if one.isascii() or not _joined(one)
    )
    joined = "|".join(re.escape(one) for one in reversed(phrases) if _joined(one))
    return re.compile(rf"(?<!\w)(?:{said})(?!\w)|{joined}")


def _joined(phrase: str) -> bool:
    """Returns True for a script that writes words without spaces between them."""
    return any("\u0e00" <= letter <= "\u0eff" or "\u3040" <= letter <= "\ud7ff" for letter in phrase)
