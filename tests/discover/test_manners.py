"""Forms whose sending has an effect are never sent; forms that only ask are (S5)."""

from __future__ import annotations

import pytest

from tests.discover.test_questions import questions
from webvigil.discover.manners import refusal
from webvigil.document.form_words import said, tokens


def refused(markup: str, *, post: bool = True) -> str:
    (form,) = questions(markup)
    return refusal(form, post=post)


def with_button(word: str) -> str:
    return f"<form action=/go><input name=q><button>{word}</button></form>"


@pytest.mark.parametrize(
    ("kind", "words"),
    {
        "a log-in": ("Log in", "Sign in", "Anmelden", "Se connecter", "Iniciar sesión", "Accedi", "Inloggen",
                     "Zaloguj",
                     "Войти", "ログイン", "登录"),
        "a purchase": ("Buy now", "Add to cart", "Checkout", "Kaufen", "In den Warenkorb", "Acheter",
                       "Comprar",
                       "Acquista", "Купить", "购买"),
        "a subscription": ("Subscribe", "Newsletter", "Abonnieren", "S'abonner", "Suscríbete",
                           "Iscriviti", "購読"),
        "a deletion": ("Delete", "Remove", "Delete this search", "Suche löschen",
                       "Löschen", "Supprimer", "Eliminar", "Удалить", "删除"),
        "an account": ("Sign up", "Register", "Registrieren", "Créer un compte", "Registrarse", "注册"),
        "a contact or comment form": ("Post comment", "Send message", "Nachricht", "Contactez-nous",
                                      "Comentario"),
        "an upload": ("Upload", "Hochladen", "Téléverser"),
        "a change": ("Vote", "Save changes", "Save search", "検索条件を保存",
                     "Speichern", "Enregistrer", "Guardar", "Salva",
                     "Opslaan", "Zapisz", "Сохранить", "保存", "저장"),
        "an edit": ("Edit", "Show preview", "Preview", "Submit changes", "Vorschau", "Bearbeiten",
                    "Prévisualiser", "Modifier", "Vista previa", "Anteprima", "Voorvertoning", "Podgląd",
                    "Предпросмотр",
                    "Önizleme", "プレビュー", "预览", "미리보기"),
        "a new entry": ("Create ticket", "Submit entry", "Add page", "Post", "Erstellen", "Hinzufügen",
                        "Créer", "Ajouter", "Crear", "Aggiungi", "Toevoegen", "Dodaj", "Создать", "Oluştur",
                        "投稿", "创建"),
        "a report": ("Report abuse", "Report a bug", "Missbrauch melden", "Signaler un problème", "举报"),
        "purchase": ("Order oligos", "Bestellen", "Commander", "Заказать", "注文"),
    }.items(),
)  # fmt: skip
def test_buttons_that_act_are_known_in_many_languages(kind: str, words: tuple[str, ...]):
    for word in words:
        assert kind in refused(with_button(word)), word


@pytest.mark.parametrize(
    "word",
    [
        "Search",
        "Suchen",
        "Rechercher",
        "Buscar",
        "Cerca",
        "Zoeken",
        "Найти",
        "検索",
        "搜索",
        "Go",
        "OK",
        "",
        "BLAST",
        "Submit",
    ],
)
def test_buttons_that_ask_may_be_pressed(word: str):
    assert refused(with_button(word)) == ""


@pytest.mark.parametrize(
    ("markup", "reason"),
    [
        ("<form><input name=q><input type=password name=p><button>Search</button></form>", "password"),
        ("<form><input name=q><input type=file name=f><button>Search</button></form>", "file"),
        ("<form><input name=q><input name=cvv><button>Search</button></form>", "card"),
        ("<form><input name=q autocomplete=cc-name><button>Search</button></form>", "card"),
        ("<form><input type=email name=e></form>", "e-mail address and nothing else"),
        ("<form><input name=q><textarea name=comment></textarea><button>Search</button></form>", "comment"),
        (
            "<form><input name=q><input type=hidden name=op value=login><button>Find</button></form>",
            "op=login",
        ),
        ("<form action=/user/login><input name=q><button>Go</button></form>", "its address says 'login'"),
        ("<form id=newsletterForm><input name=q><button>Go</button></form>", "it is called 'newsletter'"),
        ("<h2>Leave a comment</h2><form><input name=q><button>OK</button></form>", "above it stands"),
        ("<form><fieldset><legend>My account</legend><input name=q></fieldset></form>", "above it stands"),
        (
            "<form><input name=first_name><input name=last_name><input name=email><button>OK</button></form>",
            "a name",
        ),
        ("<form action=/go><input name=q><button>Go to checkout</button></form>", "purchase"),
        ("<form action=/go><input name=q><button>Get our newsletter</button></form>", "subscription"),
        # What writes: by its buttons, its address, its fields, what is sent along, and its method.
        ("<form method=post><input name=q><button>Search</button><button>Save</button></form>", "'save'"),
        ("<form method=post action='/w?action=submit&do=edit'><input name=q><button>Go</form>", "do=edit"),
        (
            "<form method=post><input name=title><textarea name=t></textarea><button>Go</form>",
            "beside a 'title'",
        ),
        ("<form method=post><textarea name=wikitext></textarea><button>Go</form>", "'wikitext'"),
        ("<form method=post><input name=q><input name=summary><button>Go</form>", "'summary'"),
        (
            "<form method=post><input name=q><input type=hidden name=wpEdittime><button>Go</form>",
            "wpEdittime",
        ),
        (
            "<form method=post><input name=q><input type=hidden name=_method value=PUT><button>Go</form>",
            "PUT",
        ),
        ("<form method=post><input name=q><button>Update</button></form>", "'update'"),
        ("<form method=post><input name=x><button>OK</button></form>", "nothing says that it only asks"),
        # What only people may answer, and what only an order asks for.
        ("<form><input name=q><input name=captcha><button>Search</form>", "people only"),
        ("<form><input name=q><div class=g-recaptcha></div><button>Search</form>", "g-recaptcha"),
        ("<form><input name=sequence>Shipping address <input name=a><button>Go</form>", "'shipping'"),
        ("<form><input name=item><input name=quantity><button>Go</form>", "'quantity'"),
    ],
)
def test_forms_that_act_are_known_by_what_they_have(markup: str, reason: str):
    assert reason in refused(markup)


@pytest.mark.parametrize(
    "markup",
    [
        # A button that says it searches speaks for its form.
        "<form action=/register/companies><input name=q><button>Search</button></form>",
        "<form id=contact-search><input name=q><button>Find</button></form>",
        "<h2>Comments</h2><form><input name=q><button>Search comments</button></form>",
        # Services that take long ask for an e-mail address besides other things.
        "<form><textarea name=sequence></textarea><input name=email><button>BLAST</button></form>",
        # A file that may be sent instead of the question is left out.
        "<form><textarea name=sequence></textarea><input type=file name=f><button>BLAST</button></form>",
        "<form method=post>Job title <input name=job><textarea name=query></textarea><button>Submit</form>",
        "<form><input name=q><select name=o><option>x</select><button>Order by date</button></form>",
        # Forbidden words inside other words do not count.
        "<form action=/cartography><input name=q><select name=sort_order><option>x</select><button>Go</form>",
        "<form><input name=border><input name=recorder><button>Go</button></form>",
    ],
)
def test_forms_that_only_ask_may_be_sent(markup: str):
    assert refused(markup) == ""


def test_post_is_refused_last_so_that_the_better_reason_is_told():
    assert "log-in" in refused("<form method=post><input type=password name=p></form>", post=False)
    assert "POST" in refused("<form method=post><input name=q></form>", post=False)
    assert refused("<form method=post><input name=q></form>") == ""


def test_names_are_read_as_words():
    assert tokens("addToCart_btn-2") == " add to cart btn "
    assert said("add to cart", "addToCart") == "add to cart"
    assert said("cart", "cartography") == ""
