"""The words, in many languages, by which a form says that it searches or that it must not be sent.

Words are matched as whole words, except in scripts that write without spaces. A missing word is one more
entry in a list below.
"""

from __future__ import annotations

import re
from functools import lru_cache

LOG_IN = """
    login|log in|logon|log on|signin|sign in|log out|logout|sign out|anmelden|einloggen|abmelden|connexion
    se connecter|connectez vous|iniciar sesión|iniciar sesion|acceder|entrar|fazer login|accedi|inloggen
    aanmelden|logga in|logg inn|log ind|kirjaudu|zaloguj|přihlásit|войти|вход|увійти|giriş|giriş yap
    ログイン|登录|登入|로그인|تسجيل الدخول
"""
ACCOUNT = """
    register|registration|sign up|signup|create account|my account|account|password|passcode|forgot password
    registrieren|benutzerkonto|konto|passwort|kennwort|inscription|s inscrire|créer un compte|mon compte
    mot de passe|registrarse|crear cuenta|mi cuenta|contraseña|cadastre se|criar conta|senha|registrati
    iscrizione|crea account|registreren|wachtwoord|skapa konto|rejestracja|załóż konto|hasło
    регистрация|зарегистрироваться|пароль|kayıt ol|şifre|会員登録|パスワード|注册|密码|회원가입
"""
PURCHASE = """
    buy|buy now|purchase|checkout|check out|add to cart|add to basket|add to bag|cart|basket|place order
    order now|order|your order|orders|bestellung|bestelle|ordina|ordinare|pedir|pedido|hacer pedido|encomendar
    beställ|bestill|bestil|tilaa|zamów|zamówienie|objednat|megrendelés|заказ|замовити|sipariş|sipariş ver|주문
    pay|pay now|payment|donate|donation|book now|reserve now|bid|kaufen|jetzt kaufen|bestellen
    in den warenkorb|warenkorb|zur kasse|bezahlen|spenden|buchen|acheter|ajouter au panier|panier|commander
    payer|faire un don|réserver|comprar|añadir al carrito|carrito|pagar|donar|reservar|adicionar ao carrinho
    carrinho|acquista|aggiungi al carrello|carrello|paga|dona|prenota|kopen|bestel|winkelwagen|afrekenen
    köp|lägg i varukorgen|kup|kup teraz|koszyk|do koszyka|zapłać|купить|корзина|в корзину|заказать|оплатить
    satın al|sepet|sepete ekle|購入|カート|注文|购买|购物车|结账|구매|장바구니
"""
SUBSCRIPTION = """
    subscribe|subscription|unsubscribe|newsletter|mailing list|mailinglist|notify me|keep me posted
    abonnieren|abonnement|rundbrief|s abonner|abonnez vous|lettre d information|infolettre|suscribirse
    suscribirme|suscríbete|boletín|assinar|inscreva se|iscriviti|abonneer|abonneren|nieuwsbrief|prenumerera
    nyhetsbrev|zapisz się|subskrybuj|подписаться|рассылка|abone ol|bülten|購読|メルマガ|订阅|구독
"""
CONTACT = """
    contact|contact us|comment|comments|leave a comment|post comment|feedback|send message|your message
    message|guestbook|reply|enquiry|inquiry|kontakt|kontaktformular|kommentar|nachricht
    ihre nachricht|gästebuch|rückmeldung|contacter|contactez nous|commentaire|votre message|livre d or
    contacto|comentario|mensaje|contato|comentário|mensagem|contatto|contattaci|commento|messaggio
    bericht|reactie|meddelande|wiadomość|komentarz|сообщение|комментарий|обратная связь|mesaj|yorum
    お問い合わせ|コメント|留言|评论|联系我们|문의
"""
REPORT = """
    report abuse|report this|report a|report an|report it|report bug|report issue|report problem|file a report
    send report|submit report|new report|flag this|flag as|missbrauch melden|melden|fehler melden|signaler
    signaler un|signaler un problème|denunciar|reportar|reportar un|segnala|segnalare|melding maken
    rapporteren
    anmäl|rapportera|zgłoś|nahlásit|пожаловаться|сообщить о|поскаржитися|bildir|şikayet et|通報|报告问题
    举报|신고
"""
UPLOAD = """
    attach|attach file|attach a file|attachment|add attachment|datei anhängen|anhang|joindre un fichier
    pièce jointe|adjuntar|anexar|allega|bijlage|bifoga|załącz|прикрепить|ekle dosya|添付|附件|첨부
    upload|upload file|hochladen|datei hochladen|téléverser|téléchargez votre|subir archivo|carregar arquivo
    carica file|uploaden|ladda upp|prześlij plik|загрузить файл|アップロード|上传
"""
DELETION = """
    delete|remove|erase|löschen|entfernen|supprimer|effacer|eliminar|borrar|excluir|apagar|elimina|cancella
    verwijderen|ta bort|slet|usuń|удалить|sil|削除|删除|삭제
"""
SAVE = """
    save|save page|save changes|save as|speichern|enregistrer|sauvegarder|guardar|grabar|salvar|salva|opslaan
    spara|lagre|tallenna|zapisz|uložit|mentés|сохранить|записать|зберегти|kaydet|حفظ|שמור|保存|저장
"""
CHANGE = (
    SAVE
    + """
    publish|vote|upvote|downvote|rate it|submit review|apply now|abstimmen|bewerten|veröffentlichen
    publier|voter|publicar|votar|pubblica|vota|publiceren|stemmen|publicera|rösta|publiser|stem|gem
    julkaise|äänestä|opublikuj|głosuj|publikovat|hlasovat|опубликовать|голосовать|yayınla|oy ver|نشر|תן
    公開|发布|投票|게시|투표
"""
)
EDIT = """
    edit|edit page|edit this|submit changes|apply changes|update page|modify|rename|revert|rollback|undo edit
    preview|show preview|show changes|edit summary|bearbeiten|ändern|änderungen|änderungen zeigen|vorschau
    vorschau zeigen|umbenennen|modifier|éditer|modifications|prévisualiser|prévisualisation|aperçu|renommer
    editar|modificar|cambios|previsualizar|vista previa|mostrar previsualización|alterar|pré visualizar
    visualizar alterações|previsão|modifica|anteprima|visualizza anteprima|modifiche|bewerken|wijzigen
    voorvertoning
    bewerking|voorbeeld bekijken|redigera|ändra|förhandsgranska|rediger|endre|forhåndsvis|forhåndsvisning
    muokkaa
    esikatsele|edytuj|zmień|podgląd|pokaż podgląd|upravit|náhled|szerkesztés|előnézet|править|редактировать
    изменить|предпросмотр|предварительный просмотр|редагувати|попередній перегляд|düzenle|değiştir|önizleme
    önizle|تحرير|معاينة|عدل|编辑|編集|編輯|修改|预览|預覽|プレビュー|差分|편집|미리보기|수정
"""
# With POST these buttons store what was chosen; with GET they only show it.
UPDATE = """
    update|apply|confirm|set|enable|disable|change|aktualisieren|übernehmen|anwenden|bestätigen|mettre à jour
    appliquer|actualizar|aplicar|atualizar|aggiorna|applica|bijwerken|toepassen|uppdatera|oppdater|opdater|päivitä
    zaktualizuj|zastosuj|aktualizovat|frissítés|обновить|применить|оновити|güncelle|uygula|更新|適用|应用|업데이트|적용
"""
CREATION = """
    create|create page|create new|create ticket|create issue|create topic|add new|add page|add entry
    add item|add
    new page|new ticket|new issue|new topic|new post|new thread|new entry|newticket|newissue|newtopic
    submit new
    submit ticket|submit issue|submit entry|submit article|submit story|submit link|submit post
    submit question
    submit comment|submit feedback|submit form|submit paper|post|post it|post reply|post topic|post message
    append
    insert|import|anlegen|erstellen|seite erstellen|hinzufügen|einfügen|eintragen|einreichen|neuer eintrag
    neues thema|beitrag schreiben|posten|créer|créer la page|ajouter|nouveau sujet|nouvelle page|soumettre un
    publier un|crear|crear página|añadir|agregar|nuevo tema|nueva página|criar|criar página|adicionar
    novo tópico
    crea|creare|aggiungi|nuova pagina|nuovo argomento|invia commento|aanmaken|toevoegen|nieuwe pagina
    nieuw onderwerp
    skapa|lägg till|ny sida|opprett|legg til|opret|tilføj|luo|lisää|utwórz|dodaj|nowy temat|vytvořit|přidat
    létrehozás|hozzáadás|создать|добавить|новая тема|создать страницу|створити|додати|oluştur|ekle|yeni konu
    إنشاء|إضافة|作成|追加|新規作成|投稿|创建|新建|添加|发帖|建立|新增|만들기|추가|글쓰기|작성
"""
RIDDLE = """
    captcha|security code|verification code|verify code|type the characters|type the letters|enter the code
    enter the text shown|are you human|i am not a robot|not a robot|anti spam|antispam|spam protection
    sicherheitscode|zeichen aus dem bild|spamschutz|ich bin kein roboter|code de sécurité|recopiez
    je ne suis pas un robot|código de seguridad|no soy un robot|codice di sicurezza|non sono un robot
    beveiligingscode|kod z obrazka|nie jestem robotem|код с картинки|я не робот|güvenlik kodu|認証コード
    验证码|驗證碼|보안문자
"""
QUANTITY = """
    quantity|qty|how many|copies|amount to order|menge|anzahl|stückzahl|stück|quantité|cantidad|quantidade
    quantità
    aantal|antal|antall|määrä|ilość|liczba sztuk|množství|mennyiség|количество|кількість|adet|miktar|数量
    個数|수량
"""
SHIPPING = """
    shipping|ship to|shipping address|delivery|delivery address|deliver to|billing|billing address
    postal address
    mailing address|lieferung|lieferadresse|rechnungsadresse|versand|anschrift|livraison|adresse de livraison
    facturation|envío|dirección de envío|facturación|entrega|endereço|endereço de entrega|spedizione|consegna
    indirizzo di spedizione|fatturazione|bezorging|bezorgadres|leverans|leveransadress|levering|toimitus
    toimitusosoite|dostawa|adres dostawy|doručení|szállítás|доставка|адрес доставки|teslimat|kargo
    teslimat adresi
    配送|配送先|お届け先|送货|收货地址|배송|배송지
"""
TITLE = """
    title|subject|headline|summary|topic|short description|betreff|titel|überschrift|thema|zusammenfassung
    titre|sujet
    objet|résumé|título|asunto|resumen|assunto|resumo|titolo|oggetto|riassunto|onderwerp|samenvatting|ämne|rubrik
    emne|otsikko|aihe|tytuł|temat|podsumowanie|předmět|nadpis|tárgy|заголовок|тема|краткое описание
    заголовок теми
    başlık|konu|özet|件名|題名|标题|主题|摘要|제목
"""
WRITING = """
    summary|edit summary|ticket|wikitext|textbox|wiki text|body|content|page text|article|post|description
    note|notes
    changelog|minor edit|inhalt|beschreibung|text der seite|bearbeitungskommentar|contenu|texte|description de
    contenido|descripción|conteúdo|descrição|contenuto|descrizione|inhoud|beschrijving|innehåll|beskrivning
    indhold|sisältö|kuvaus|treść|opis|obsah|popis|tartalom|leírás|содержание|описание|текст|вміст|опис|içerik
    açıklama|内容|本文|説明|内容描述|正文|내용|설명
"""
# What is compared with the entries of a database of sequences.
SEQUENCE = """
    sequence|sequences|seq|fasta|blast|dna|rna|protein|nucleotide|genes|accession|accessions|sequenz|séquence
    secuencia|sequência|sequenza|sekvens|последовательность|配列|序列|서열
"""
# What a large text field asks for where it belongs to a question.
QUESTION = (
    SEQUENCE
    + """
    query|search|expression|pattern|terms|keywords|q|keyword|identifiers|ids
    abfrage|requête|consulta|ricerca|zapytanie|запрос|検索|查询
"""
)
# A field of this name takes an order that the server carries out.
COMMAND = """
    sql|sql query|sql queries|query sql|sql statement|sql statements|sql code|sql command|sqlquery|sqltext
    statement|statements|command|commands|cmd|command line|shell|shell command|exec|eval|sql befehl
    sql abfrage|befehl|requête sql|commande|consulta sql|comando|команда|komut|コマンド|命令|명령
"""
# A large field of this name takes a program; a small one may as well take a part of a name or a code.
PROGRAM = """
    code|source|source code|your code|script|your script|expression|program|snippet|python|javascript|php code
    python code|quelltext|quellcode|skript|ausdruck|programm|código|codigo|codice|código fuente|script sql
    código fonte|codice sorgente|kod|kod źródłowy|код|скрипт|выражение|コード|スクリプト|代码|脚本
    코드|스크립트
"""
# The languages of databases, as a large field names them.
DATABASE = "sql|mysql|sqlite|postgresql|plsql|tsql|sparql|cypher|graphql|sqlquery|sqltext"
# A button that says so runs what was typed, ...
EXECUTE = """
    execute|exec|eval|evaluate|run sql|run query|run queries|run code|run script|run command|run statement
    run selected|run program|ausführen|sql ausführen|abfrage ausführen|exécuter|ejecutar|executar
    esegui|uitvoeren|kör|kjør|kør|suorita|wykonaj|uruchom|spustit|végrehajtás|выполнить|запустить|виконати
    çalıştır|実行|执行|運行|运行|실행
"""
# ... and so does one that says nothing but this.
RUN = "run|run it|run now|run all"
# The last part of an address that takes programs.
CONSOLE = """
    sql|run sql|sql console|sql query|console|exec|execute|eval|shell|terminal|repl|sparql|cypher|graphql
    run command|run code|run script
"""
# Hidden fields that only a form has which changes something: the state of the thing before the change.
EDIT_TOKENS = """
    edittoken|edit token|edittime|starttime|basetimestamp|base revision|baserevision|parent rev|parentrevid
    lastactivity|last activity|changecheck|lockversion|lock version|base version|revision token|editoken
    unicodecheck|unicode check|autosummary|action token|delete token
"""
# What a link with such a word does, it may do as soon as it is followed.
AT_ONCE = (
    DELETION
    + """
    log out|logout|log off|logoff|sign out|signout|abmelden|ausloggen|déconnexion|se déconnecter|logga ut
    cerrar sesión|desconectar|terminar sessão|esci|disconnetti|uitloggen|afmelden|logg ut|log ud|kirjaudu ulos
    wyloguj|odhlásit|kijelentkezés|выйти|выход|вийти|çıkış|çıkış yap|ログアウト|退出登录|登出|로그아웃
    تسجيل الخروج|vote|vote up|vote down|upvote|downvote|mark read|mark as read|mark all|unsubscribe
    add to cart|add to basket|add to bag|add to wishlist|in den warenkorb|ajouter au panier|añadir al carrito
    destroy|purge
"""
)
FIND = """
    search|find|look up|lookup|suche|suchen|durchsuchen|finden|nachschlagen|rechercher
    recherche|chercher
    trouver|buscar|búsqueda|encontrar|pesquisar|procurar|busca|cerca|ricerca|trova|zoek|zoeken
    sök|søk|søg|hae|etsi|szukaj|hledat|найти|поиск|искать|пошук|знайти|ara|bul|検索|さがす|搜索|查找|검색|بحث
"""
# These words stand on the buttons of searches, and on those of databases.
SEARCH = FIND + "query|abfragen|consultar|查询|조회"
# These words are used for other purposes as well, so they never outweigh a word of the lists above.
ASK = """
    go|show|show results|list|browse|filter|run|blast|ask|check|compare|get|view|retrieve|display|anzeigen
    los|start|afficher|consulter|mostrar|mostra|toon|pokaż|показать|göster|表示
"""
PASSING = """
    continue|next|proceed|ok|okay|view results|see results|show results|results|show|format|confirm|go
    here|click here|weiter|fortfahren|ergebnisse|anzeigen|zum ergebnis|hier|bestätigen|continuer|suivant
    résultats|voir les résultats|afficher|ici|confirmer|continuar|siguiente|resultados|ver resultados|aquí
    aqui|ver|próximo|continua|avanti|risultati|vedi|qui|doorgaan|verder|volgende|resultaten|hier|fortsätt
    nästa|resultat|visa|dalej|wyniki|pokaż|продолжить|далее|результаты|здесь|devam|sonuçlar|sonuç
    次へ|結果|続ける|ここ|继续|下一步|结果|查看|다음|결과
"""
RESET = """
    clear|clear all|reset|cancel|close|dismiss|start over|zurücksetzen|leeren|abbrechen|schließen|effacer
    réinitialiser|annuler|fermer|limpiar|cancelar|cerrar|restablecer|limpar|fechar|cancella|annulla|azzera
    chiudi|annuleren|sluiten|rensa|avbryt|stäng|nullstill|lukk|ryd|annuller|luk|tyhjennä|peruuta|sulje
    wyczyść|anuluj|zamknij|vymazat|zrušit|zavřít|törlés|mégse|bezárás|очистить|сбросить|отмена|закрыть
    очистити|скасувати|закрити|temizle|sıfırla|iptal|kapat|مسح|إلغاء|إغلاق|クリア|リセット|キャンセル|閉じる
    清除|重置|取消|关闭|초기화|지우기|취소|닫기
"""
RESULTS = """
    result|results|view results|see results|show results|your results|answer|report|output|ergebnis
    ergebnisse|treffer|zum ergebnis|résultat|résultats|réponse|resultado|resultados|respuesta|resposta
    risultato|risultati|resultaat|resultaten|resultat|träffar|wynik|wyniki|результат|результаты
    sonuç|sonuçlar|結果|结果|結果を見る|查看结果|결과
"""

# What a form or a button does that says one of the words.
_ACTS = {
    "a log-in": LOG_IN,
    "an account": ACCOUNT,
    "a purchase": PURCHASE,
    "a subscription": SUBSCRIPTION,
    "a contact or comment form": CONTACT,
    "an upload": UPLOAD,
    "a deletion": DELETION,
    "a change": CHANGE,
    "an edit": EDIT,
    "a new entry": CREATION,
    "a report": REPORT,
}
# The word for a purchase also names how a list is sorted.
_SORTED = re.compile(
    r"(?i)\b(?:sort(?:ing)?[ _-]?order|order(?:ed)?[ _-]?by|in[ _-]order|reading[ _-]order)\b"
)
_CROSSES = frozenset("x×✕✖✗❌⨯")
_BORDERS = re.compile(r"(?<=[a-z])(?=[A-Z])|[\W\d_]+")


def tokens(text: str) -> str:
    """Returns the words of a text or name, each with a blank on either side: `addToCart` becomes " add to
    cart "."""
    parts = (part.casefold() for part in _BORDERS.split(text[:2000]) if part)
    return f" {' '.join(parts)} "


def said(words: str, text: str) -> str:
    """Returns the first of the words that a text contains, "" if it contains none."""
    spoken = tokens(text)
    return next(
        (word for word, unparted in _phrases(words) if (word if unparted else f" {word} ") in spoken), ""
    )


def is_said(words: str, text: str, most: int) -> bool:
    """Tells whether a text begins with one of the words and has `most` words at the most."""
    spoken = tokens(text)
    return len(spoken.split()) <= most and any(
        spoken.startswith(f" {word}" if unparted else f" {word} ") for word, unparted in _phrases(words)
    )


def is_called(words: str, text: str) -> bool:
    """Tells whether a text is one of the words, and nothing else."""
    spoken = tokens(text).strip()
    return any(spoken == word for word, _ in _phrases(words))


def act_said(text: str) -> tuple[str, str] | None:
    """Returns the first word of a text that names an act, and what the act is; None if there is none."""
    plain = _SORTED.sub(" ", text)
    return next(((word, kind) for kind, listed in _ACTS.items() if (word := said(listed, plain))), None)


def act_of_button(*says: str) -> tuple[str, str]:
    """Returns the word by which a button says that it acts, and what the act is, or two "" if it says none.
    `says` is what the button shows, its value and its name: what it shows may be a picture or "OK", while
    its name says what it does. A button that says "search" does not act, unless it saves or deletes one."""
    shown = next(filter(None, says), "")
    if said(SEARCH, shown):
        kept = said(SAVE, shown), said(DELETION, shown)
        return (kept[0], "a change") if kept[0] else (kept[1], "a deletion") if kept[1] else ("", "")
    return next(filter(None, map(act_said, says)), ("", ""))


def rank_of_button(shown: str) -> int:
    """Returns how likely a button that shows this text sends a question: 0 if it says that it searches, 1 if
    it asks, 2 if it says nothing of it, 3 if it clears or closes something."""
    if shown.strip().lower() in _CROSSES or said(RESET, shown):
        return 3
    return 0 if said(SEARCH, shown) else 1 if said(ASK, shown) else 2


@lru_cache(maxsize=64)
def _phrases(words: str) -> tuple[tuple[str, bool], ...]:
    """Returns the phrases of a list, each with whether its script writes without blanks."""
    listed = [phrase.strip().casefold() for line in words.splitlines() for phrase in line.split("|")]
    return tuple((phrase, phrase[0] >= "\u3040") for phrase in dict.fromkeys(listed) if phrase)
