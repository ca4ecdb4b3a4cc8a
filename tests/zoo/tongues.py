"""The languages of the zoo, each with its words for fields, buttons and headings."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Tongue:
    code: str
    search: str
    labels: dict[str, str]
    names: dict[str, str]
    nothing: dict[str, str]
    wrong: str
    results: str
    wait: str
    here: str
    go_on: str
    shelf: tuple[str, str]
    heads: dict[str, tuple[str, ...]]


ENGLISH = Tongue(
    "en",
    "Search",
    {"author": "Author", "title": "Title", "product": "Product", "name": "Surname", "place": "City", "from": "From",
     "to": "To", "keywords": "Search for", "sequence": "Sequence", "program": "Program", "database": "Database"},
    {"author": "author", "title": "title", "product": "product", "name": "lastname", "place": "city", "from": "from",
     "to": "to", "keywords": "query", "sequence": "sequence", "program": "program", "database": "database"},
    {"books": "No titles found.", "offers": "No products found.", "people": "No entries found.",
     "trains": "No connections found.", "articles": "Nothing fits.", "genes": "***** No hits found ******"},
    "Please enter something we can work with.", "Results", "Please wait, your request is being worked on.",
    "Click here for your results", "Continue", ("Shelf mark", "available"),
    {"books": ("Title", "Author", "Year", "Shelf mark"), "offers": ("Product", "Shop", "Price"),
     "people": ("Name", "Address", "Phone"), "trains": ("Departure", "Arrival", "Train")},
)  # fmt: skip
GERMAN = Tongue(
    "de",
    "Suchen",
    {"author": "Verfasser", "title": "Titel", "product": "Produkt", "name": "Nachname", "place": "Ort", "from": "Von",
     "to": "Nach", "keywords": "Suchbegriff", "sequence": "Sequenz", "program": "Programm", "database": "Datenbank"},
    {"author": "verfasser", "title": "titel", "product": "suchbegriff", "name": "nachname", "place": "ort", "from": "start",
     "to": "ziel", "keywords": "suche", "sequence": "sequenz", "program": "prog", "database": "db"},
    {"books": "Keine Treffer.", "offers": "Keine Produkte gefunden.", "people": "Keine Einträge.",
     "trains": "Keine Verbindung gefunden.", "articles": "Leider nichts.", "genes": "***** No hits found ******"},
    "Bitte prüfen Sie Ihre Angaben.", "Ergebnisse", "Bitte warten, Ihre Anfrage wird bearbeitet.",
    "Zu den Ergebnissen", "Weiter", ("Signatur", "ausleihbar"),
    {"books": ("Titel", "Verfasser", "Jahr", "Signatur"), "offers": ("Produkt", "Händler", "Preis"),
     "people": ("Name", "Anschrift", "Telefon"), "trains": ("Abfahrt", "Ankunft", "Zug")},
)  # fmt: skip
FRENCH = Tongue(
    "fr",
    "Rechercher",
    {"author": "Auteur", "title": "Titre", "product": "Produit", "name": "Nom", "place": "Ville", "from": "Départ",
     "to": "Arrivée", "keywords": "Recherche", "sequence": "Séquence", "program": "Programme", "database": "Base"},
    {"author": "auteur", "title": "titre", "product": "produit", "name": "nom", "place": "ville", "from": "depart",
     "to": "arrivee", "keywords": "mots", "sequence": "seq", "program": "program", "database": "db"},
    {"books": "Aucun document.", "offers": "Aucun produit.", "people": "Aucune personne.",
     "trains": "Aucune liaison.", "articles": "Rien.", "genes": "***** No hits found ******"},
    "Veuillez vérifier votre saisie.", "Résultats", "Veuillez patienter.", "Voir les résultats", "Continuer",
    ("Cote", "disponible"),
    {"books": ("Titre", "Auteur", "Année", "Cote"), "offers": ("Produit", "Magasin", "Prix"),
     "people": ("Nom", "Adresse", "Téléphone"), "trains": ("Départ", "Arrivée", "Train")},
)  # fmt: skip
SPANISH = Tongue(
    "es",
    "Buscar",
    {"author": "Autor", "title": "Título", "product": "Producto", "name": "Apellidos", "place": "Ciudad", "from": "Origen",
     "to": "Destino", "keywords": "Palabras", "sequence": "Secuencia", "program": "Programa", "database": "Base de datos"},
    {"author": "autor", "title": "titulo", "product": "producto", "name": "apellido", "place": "ciudad", "from": "origen",
     "to": "destino", "keywords": "buscar", "sequence": "secuencia", "program": "program", "database": "database"},
    {"books": "Sin resultados.", "offers": "No hay productos.", "people": "Sin resultados.",
     "trains": "No hay trenes.", "articles": "Nada.", "genes": "***** No hits found ******"},
    "Revise los datos.", "Resultados", "Espere, por favor.", "Ver resultados", "Continuar", ("Signatura", "disponible"),
    {"books": ("Título", "Autor", "Año", "Signatura"), "offers": ("Producto", "Tienda", "Precio"),
     "people": ("Nombre", "Dirección", "Teléfono"), "trains": ("Salida", "Llegada", "Tren")},
)  # fmt: skip
TONGUES = (ENGLISH, GERMAN, FRENCH, SPANISH)
