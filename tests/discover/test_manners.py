"""Forms whose sending has an effect are never sent; forms that only ask are (S5)."""

from __future__ import annotations

import pytest

from tests.discover.test_questions import questions
from webvigil.discover.manners import acts, acts_at_once, refusal
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


@pytest.mark.parametrize("method", ["get", "post"])
@pytest.mark.parametrize(
    ("inside", "sign"),
    [
        # By what a field is called, whatever the button says.
        ("<textarea name=sql></textarea><button>Search</button>", "'sql'"),
        ("<input name=sql><button>Search</button>", "'sql'"),
        ("<input name=cmd>", "'cmd'"),
        ("<input name=command><button>Go</button>", "'command'"),
        ("<textarea name=statement></textarea><button>OK</button>", "'statement'"),
        ("<textarea id=tableSql name=t></textarea><button>Query</button>", "'tableSql'"),
        ("<label for=a>MySQL query</label><textarea id=a name=x></textarea><button>Go</button>", "MySQL"),
        ("<textarea name=code></textarea><button>Submit</button>", "'code'"),
        ("<textarea name=script></textarea><button>Show</button>", "'script'"),
        ("<textarea name=expression></textarea><button>Query</button>", "'expression'"),
        ("<textarea name=コード></textarea><button>OK</button>", "コード"),
        # By what it holds.
        ("<textarea name=query>SELECT *\nFROM log</textarea><button>Search</button>", "'query'"),
        ("<textarea name=query placeholder='select * from b'></textarea><button>Search</button>", "'query'"),
        ("<textarea name=sql></textarea><input type=file name=f><button>Go</button>", "'sql'"),
        # By a button.
        ("<textarea name=query></textarea><button>Execute</button>", "button says 'execute'"),
        ("<textarea name=query></textarea><button>Run</button>", "button says 'run'"),
        ("<textarea name=query></textarea><input type=submit value='Run SQL'>", "button says 'run sql'"),
        ("<textarea name=query></textarea><button>Clear</button><button>Run query</button>", "'run query'"),
        ("<textarea name=t></textarea><button>Eval</button>", "button says 'eval'"),
        ("<textarea name=t></textarea><button>Ausführen</button>", "button says 'ausführen'"),
        ("<textarea name=t></textarea><button>执行查询</button>", "button says '执行'"),
        ("<input name=expression><button>Evaluate</button>", "'expression'"),
        # By the address.
        ("<textarea name=query></textarea><button formaction=/db/sql>Query</button>", "address says 'sql'"),
        ("<textarea name=query></textarea><button formaction=/log/query/>Go</button>", "says 'query'"),
        ("<textarea name=q></textarea><button formaction=/admin/console.php>Go</button>", "'console'"),
    ],
)  # fmt: skip
def test_consoles_are_never_sent(inside: str, sign: str, method: str):
    for post in (False, True):
        reason = refused(f"<form action=/go method={method}>{inside}</form>", post=post)
        assert reason.startswith("it looks like a console: "), reason
        assert sign in reason


@pytest.mark.parametrize("address", ["/sql", "/console/", "/exec", "/tools/eval", "/sparql"])
def test_what_is_posted_to_a_console_is_never_sent(address: str):
    inside = "<input name=query><button>Go</button>"
    assert "a console" in refused(f"<form method=post action={address}>{inside}</form>")
    assert refused(f"<form action={address}>{inside}</form>") == ""


@pytest.mark.parametrize("method", ["get", "post"])
@pytest.mark.parametrize(
    "inside",
    [
        "<input name=query><button>Search</button>",
        "<input name=query><button>Run</button>",
        "<input name=q><button>Query</button>",
        "<input name=q><button>実行</button>",
        "<input type=search name=query>",
        "<input name=q><button formaction=/query/>Go</button>",
        "<input name=q><button formaction=/games/console>Search</button>",
        "<label>Search the SQL manual <input name=q></label><button>Search</button>",
        "<input name=q placeholder='Select a journal from the list'><button>Search</button>",
        # Searches through code, and for codes.
        "<input name=code><button>Search code</button>",
        "<input name=q><input name=postal_code><button>Find</button>",
        "<input name=expression placeholder='gene expression'><button>Search</button>",
        # Catalogues with a large field for experts.
        "Title <input name=title> Author <input name=author><button>Search the catalogue</button>",
        "<textarea name=query></textarea><button>Search</button>",
        "<textarea name=query></textarea><button formaction=/catalogue/query>Search</button>",
        "<textarea name=expression></textarea><button>Suche ausführen</button>",
        "<select name=command><option>title<option>author</select><input name=q><button>Find</button>",
        "<p>Select a shelf from the list<textarea name=terms></textarea><button>Search</button>",
        # Sequences are compared, not run.
        "<textarea name=sequence></textarea><button>Run</button>",
        "<textarea name=QUERY_DATA></textarea><button>Run BLAST</button>",
        "<h2>BLAST</h2><textarea name=query></textarea><button>Run</button>",
        "Query sequence <textarea name=query></textarea><button formaction=/cgi-bin/exec>Execute</button>",
    ],
)  # fmt: skip
def test_searches_are_not_taken_for_consoles(inside: str, method: str):
    assert refused(f"<form action=/go method={method}>{inside}</form>") == ""


def test_post_is_refused_last_so_that_the_better_reason_is_told():
    assert "log-in" in refused("<form method=post><input type=password name=p></form>", post=False)
    assert "POST" in refused("<form method=post><input name=q></form>", post=False)
    assert refused("<form method=post><input name=q></form>") == ""


def test_names_are_read_as_words():
    assert tokens("addToCart_btn-2") == " add to cart btn "
    assert said("add to cart", "addToCart") == "add to cart"
    assert said("cart", "cartography") == ""


LONG = "x" * 45


@pytest.mark.parametrize(
    ("markup", "reason"),
    [
        ("<form><input type=password name=p></form>", "it looks like a log-in: it asks for a password"),
        (
            "<form><input name=q><input name=captcha><button>Search</form>",
            "it looks like a form for people only: it asks for a 'captcha'",
        ),
        (
            "<form><input name=q><input type=hidden name=captcha><button>Search</form>",
            "it looks like a form for people only: it has a 'captcha'",
        ),
        (
            f"<form><input name=q><input name=cvv_{LONG}><button>Search</form>",
            f"it looks like a purchase: it asks for a card ('cvv_{LONG[:36]}')",
        ),
        (
            "<form><input name=q><input name=a id=b title='cvv'><button>Search</form>",
            "it looks like a purchase: it asks for a card ('a')",
        ),
        (
            "<form><input name=q><input name=x><input name=y placeholder=cvv><button>Search</form>",
            "it looks like a purchase: it asks for a card ('y')",
        ),
        (
            "<form><input name=q autocomplete=one-time-code><button>Search</form>",
            "it looks like a log-in: it asks for a one-time-code",
        ),
        (
            "<form><input name=q><div class=g-recaptcha></div><button>Search</form>",
            "it looks like a form for people only: it has a 'g-recaptcha'",
        ),
        (
            "<form method=post><input name=q><button>Search</button><button value='save'></button></form>",
            "it looks like a change: its button says 'save'",
        ),
        ("<form method=get><input name=q><button>Search</button><button>Update</button></form>", ""),
        (
            "<form method=post><input name=q><button>Search</button><button formmethod=get>Update</form>",
            "",
        ),
        (
            "<form><input name=q><input type=file name=f><button>Search</form>",
            "it looks like an upload: it asks for a file",
        ),
        (
            "<form><textarea name=sequence></textarea><input type=file name=f required><button>BLAST</form>",
            "it looks like an upload: it asks for a file",
        ),
        (
            "<form><textarea name=note></textarea><input type=file name=f><button>BLAST</form>",
            "it looks like an upload: it asks for a file",
        ),
        (
            "<form><input name=q><input type=hidden name=op value=login><button>Find</form>",
            "it looks like a log-in: it is sent with op=login",
        ),
        (
            "<form><input name=q><input type=hidden name=form_id value=user_login><button>Find</form>",
            "it looks like a log-in: it is sent with form_id=login",
        ),
        ("<form><input name=q><input type=hidden name=op value=show><button>Find</form>", ""),
        (
            "<form><input name=q><input type=hidden name=op value=update><button>Find</form>",
            "it looks like a change: it is sent with op=update",
        ),
        ("<form><input name=q><input type=hidden name=kind value=update><button>Find</form>", ""),
        (
            "<form method=post action='/w?do=edit'><input name=q><button>Go</form>",
            "it looks like an edit: it is sent with do=edit",
        ),
        ("<form method=get action='/w?do=edit'><input name=q><button>Go</form>", ""),
        (
            "<form method=post action='/w?do=edit'><input name=q></form>",
            "it looks like an edit: it is sent with do=edit",
        ),
        (
            "<form method=post><input name=q><input type=hidden name=wpEdittime><button>Go</form>",
            "it looks like an edit: it is sent with a 'wpEdittime'",
        ),
        (
            "<form><input name=q><input type=hidden name=_method value=' PUT '><button>Go</form>",
            "it looks like a change: it is sent with _method=PUT",
        ),
        ("<form><input name=q><input type=hidden name=_method value=get><button>Go</form>", ""),
        (
            "<form><input name=q><textarea name=message></textarea></form>",
            "it looks like a contact or comment form: it has a field for a 'message'",
        ),
        (
            "<form method=post><input name=q><textarea name=body></textarea><button>Go</form>",
            "it looks like a new entry: it has a field for a 'body'",
        ),
        ("<form><input name=q><textarea name=body></textarea><button>Search</form>", ""),
        (
            "<form method=post><input name=q><textarea name=body></textarea><button>Search</form>",
            "it looks like a new entry: it has a field for a 'body'",
        ),
        (
            "<form method=post><input name=title><textarea name=t></textarea><button>Go</form>",
            "it looks like a new entry: it has a large field beside a 'title'",
        ),
        ("<form method=post><input name=title><textarea name=query></textarea><button>Go</form>", ""),
        (
            "<form method=post><input name=q><input name=summary><button>Go</form>",
            "it looks like a new entry: it has a field for a 'summary'",
        ),
        ("<form method=get><input name=q><input name=summary><button>Go</form>", ""),
        (
            "<form><input name=sequence>Shipping address <input name=a><button>Go</form>",
            "it looks like a purchase: it asks for 'shipping'",
        ),
        (
            "<form><input name=item><input name=quantity><button>Go</form>",
            "it looks like a purchase: it asks for a 'quantity'",
        ),
        ("<form><input name=item><input type=hidden name=quantity><button>Go</form>", ""),
        ("<form><input name=query><input name=quantity><button>Go</form>", ""),
        (
            "<form><input type=email name=e><button>Go</form>",
            "it looks like a subscription: it asks for an e-mail address and nothing else",
        ),
        ("<form><input type=email name=e><input name=q><button>Go</form>", ""),
        (
            "<form><input name=first_name><input name=last_name><input name=email><button>OK</form>",
            "it looks like an account: it asks for a name and an e-mail address",
        ),
        ("<form><input name=first_name><input name=email><button>OK</form>", ""),
        ("<form><input name=first_name><input name=last_name><input name=email><button>Search</form>", ""),
        (
            "<form><input name=q><textarea name=comment></textarea><button>Search</form>",
            "it looks like a contact or comment form: it has a field for a 'comment'",
        ),
        (
            "<form method=post><input name=x><button>OK</form>",
            "nothing says that it only asks, and it is sent with POST",
        ),
        ("<form method=post><input name=x><button>Search</form>", ""),
        ("<form method=post action=/search><input name=x><button>OK</form>", ""),
        ("<form method=post id=search><input name=x><button>OK</form>", ""),
        ("<h2>Search</h2><form method=post><input name=x><button>OK</form>", ""),
        (
            "<form><input name=q><button>Log in</button></form>",
            "it looks like a log-in: its button says 'log in'",
        ),
        ("<form><input name=q><button>Log in</button><button>Search</button></form>", ""),
        (
            "<form method=post><input name=q><button>Log in</button><button formmethod=get>Search</form>",
            "it looks like a log-in: its button says 'log in'",
        ),
        (
            "<form action=/user/login><input name=q><button>Go</form>",
            "it looks like a log-in: its address says 'login'",
        ),
        (
            "<form id=newsletterForm><input name=q><button>Go</form>",
            "it looks like a subscription: it is called 'newsletter'",
        ),
        (
            "<h2>Leave a comment</h2><form><input name=q><button>OK</form>",
            "it looks like a contact or comment form: above it stands 'comment'",
        ),
        (
            f"<form><textarea name=sql_{LONG}></textarea><button>Go</form>",
            f"it looks like a console: it runs what is typed into 'sql_{LONG[:36]}'",
        ),
        (
            "<form><textarea>SELECT a FROM b</textarea><button>Search</form>",
            "it looks like a console: it runs what is typed into 'a large field'",
        ),
        (f"<form><textarea>SELECT {'a' * 2000} FROM b</textarea><button>Search</form>", ""),
        (
            f"<form><textarea>SELECT {'a' * 1999} FROM b</textarea><button>Search</form>",
            "it looks like a console: it runs what is typed into 'a large field'",
        ),
        (f"<form method=post action=/sql_console_{LONG}><input name=query><button>Go</form>", ""),
        (
            "<form method=post action=/query><textarea name=query></textarea><button>Go</form>",
            "it looks like a console: it has a large field, and its address says 'query'",
        ),
    ],
)
def test_a_form_that_is_left_alone_has_this_reason(markup: str, reason: str):
    assert refused(markup) == reason


@pytest.mark.parametrize(
    ("text", "path", "at_once"),
    [
        ("log out", "/x", True),
        ("log out now please", "/x", True),
        ("log out now please go", "/x", False),
        ("please log out", "/x", False),
        ("delete", "/x", True),
        ("x", "/log-out", True),
        ("x", "/user/logout", True),
        ("x", "/a-logout", False),
        ("x", "/delete-this-item", False),
        ("x", "/del%65te", True),
        ("x", "/x?do=delete%20it", True),
        ("x", "/x?do=delete-my-item", False),
        ("x", "/x?delete=1", False),
        ("x", "/x", False),
    ],
)
def test_a_link_that_acts_at_once_says_so_in_few_words(text: str, path: str, at_once: bool):
    assert acts_at_once(text, f"http://a.test{path}") is at_once


def test_a_link_that_acts_says_so_somewhere():
    assert acts("please log out")
    assert not acts("go out")
