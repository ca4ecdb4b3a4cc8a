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
    order now|pay|pay now|payment|donate|donation|book now|reserve now|bid|kaufen|jetzt kaufen|bestellen
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
    message|guestbook|reply|enquiry|inquiry|report abuse|kontakt|kontaktformular|kommentar|nachricht
    ihre nachricht|gästebuch|rückmeldung|contacter|contactez nous|commentaire|votre message|livre d or
    contacto|comentario|mensaje|contato|comentário|mensagem|contatto|contattaci|commento|messaggio
    bericht|reactie|meddelande|wiadomość|komentarz|сообщение|комментарий|обратная связь|mesaj|yorum
    お問い合わせ|コメント|留言|评论|联系我们|문의
"""
UPLOAD = """
    upload|upload file|hochladen|datei hochladen|téléverser|téléchargez votre|subir archivo|carregar arquivo
    carica file|uploaden|ladda upp|prześlij plik|загрузить файл|アップロード|上传
"""
DELETION = """
    delete|remove|erase|löschen|entfernen|supprimer|effacer|eliminar|borrar|excluir|apagar|elimina|cancella
    verwijderen|ta bort|slet|usuń|удалить|sil|削除|删除|삭제
"""
CHANGE = """
    save|save changes|publish|vote|submit review|apply now|speichern|abstimmen|bewerten|enregistrer|voter
    guardar|votar|salvar|salva|vota|opslaan|stemmen|spara|zapisz|głosuj|сохранить|голосовать|kaydet
    保存|投票|저장
"""
SEARCH = """
    search|find|look up|lookup|query|suche|suchen|finden|nachschlagen|abfragen|rechercher|recherche|chercher
    trouver|buscar|búsqueda|encontrar|consultar|pesquisar|procurar|busca|cerca|ricerca|trova|zoek|zoeken
    sök|søk|søg|hae|etsi|szukaj|hledat|найти|поиск|искать|пошук|знайти|ara|bul|検索|さがす|搜索|查询|查找|검색|조회|بحث
"""
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
RESULTS = """
    result|results|view results|see results|show results|your results|answer|report|output|ergebnis
    ergebnisse|treffer|zum ergebnis|résultat|résultats|réponse|resultado|resultados|respuesta|resposta
    risultato|risultati|resultaat|resultaten|resultat|träffar|wynik|wyniki|результат|результаты
    sonuç|sonuçlar|結果|结果|結果を見る|查看结果|결과
"""

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


@lru_cache(maxsize=32)
def _phrases(words: str) -> tuple[tuple[str, bool], ...]:
    """Returns the phrases of a list, each with whether its script writes without blanks."""
    listed = [phrase.strip().casefold() for line in words.splitlines() for phrase in line.split("|")]
    return tuple((phrase, phrase[0] >= "\u3040") for phrase in dict.fromkeys(listed) if phrase)
