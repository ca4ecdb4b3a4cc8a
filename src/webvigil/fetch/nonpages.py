"""How answers speak that are no page: error, maintenance, log-in, consent, captcha … in many languages.

One table. A phrase counts as a title or heading of its own ("Log in", "Log in | Acme") or anywhere in a text
of few words; so it may be short, but must not be what an ordinary page says of its own matters: "no results"
and "sold out" are news of a page, "page not found" is none. All phrases are in lower case.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache

SAID = {
    "check": "shows a check of the browser in place of the page",
    "captcha": "asks for a captcha",
    "log-in": "asks for a log-in",
    "consent": "asks for consent before it shows the page",
    "maintenance": "says that it is under maintenance",
    "not found": "says that there is no such page",
    "error": "shows an error in place of the page",
}
"""The kinds that are known by their words, in the order in which they are tried."""

PHRASES: dict[str, tuple[str, ...]] = {
    "check": (
        "just a moment",
        "checking your browser",
        "checking if the site connection is secure",
        "verifying you are human",
        "verify you are human",
        "verifying your browser",
        "please wait while we verify",
        "performing security verification",
        "enable javascript and cookies to continue",
        "ddos protection by",
        "attention required!",
        "einen moment bitte",
        "ihr browser wird überprüft",
        "bestätigen sie, dass sie ein mensch sind",
        "un instant",
        "vérification de votre navigateur",
        "vérifiez que vous êtes humain",
        "un momento",
        "comprobando su navegador",
        "verifica que eres humano",
        "controllo del browser",
        "verifica di essere umano",
        "um momento",
        "verificando seu navegador",
        "een ogenblik geduld",
        "uw browser wordt gecontroleerd",
        "sprawdzanie przeglądarki",
        "проверка браузера",
        "проверка вашего браузера",
        "подтвердите, что вы человек",
        "正在检查您的浏览器",
        "正在验证您是否是真人",
        "请稍候",
        "ブラウザを確認しています",
        "しばらくお待ちください",
        "브라우저 확인 중",
    ),
    "captcha": (
        "captcha",
        "recaptcha",
        "unusual traffic",
        "are you a robot",
        "are you human",
        "i'm not a robot",
        "you are not a robot",
        "you're not a robot",
        "robot check",
        "bot verification",
        "type the characters you see",
        "sind sie ein roboter",
        "ich bin kein roboter",
        "ungewöhnlichen datenverkehr",
        "je ne suis pas un robot",
        "êtes-vous un robot",
        "trafic inhabituel",
        "no soy un robot",
        "tráfico inusual",
        "non sono un robot",
        "traffico insolito",
        "não sou um robô",
        "tráfego incomum",
        "ik ben geen robot",
        "nie jestem robotem",
        "я не робот",
        "вы не робот",
        "人机验证",
        "安全验证",
        "私はロボットではありません",
        "로봇이 아닙니다",
    ),
    "log-in": (
        "log in",
        "login",
        "log-in",
        "sign in",
        "sign-in",
        "log in to",
        "login to",
        "sign in to",
        "please log in",
        "please sign in",
        "session expired",
        "session has expired",
        "you must be logged in",
        "log in to continue",
        "sign in to continue",
        "anmelden",
        "anmeldung",
        "einloggen",
        "bitte melden sie sich an",
        "sitzung ist abgelaufen",
        "connexion",
        "se connecter",
        "connectez-vous",
        "identifiez-vous",
        "session a expiré",
        "iniciar sesión",
        "inicia sesión",
        "acceder",
        "sesión ha caducado",
        "accedi",
        "accesso",
        "sessione scaduta",
        "entrar",
        "iniciar sessão",
        "fazer login",
        "sessão expirou",
        "inloggen",
        "aanmelden",
        "zaloguj się",
        "logowanie",
        "přihlášení",
        "přihlásit se",
        "logga in",
        "log ind",
        "logg inn",
        "kirjaudu sisään",
        "bejelentkezés",
        "giriş yap",
        "oturum aç",
        "войти",
        "вход",
        "авторизация",
        "увійти",
        "登录",
        "登入",
        "ログイン",
        "サインイン",
        "로그인",
        "تسجيل الدخول",
        "כניסה",
    ),
    "consent": (
        "before you continue",
        "we value your privacy",
        "we care about your privacy",
        "your privacy choices",
        "your privacy settings",
        "privacy settings",
        "cookie consent",
        "cookie settings",
        "accept cookies to continue",
        "accept all cookies",
        "consent required",
        "manage consent",
        "bevor sie fortfahren",
        "wir schätzen ihre privatsphäre",
        "ihre privatsphäre ist uns wichtig",
        "datenschutzeinstellungen",
        "privatsphäre-einstellungen",
        "cookie-einstellungen",
        "alle cookies akzeptieren",
        "zustimmen und weiter",
        "avant de continuer",
        "avant d'accéder",
        "nous respectons votre vie privée",
        "le respect de votre vie privée",
        "accepter et continuer",
        "tout accepter",
        "antes de continuar",
        "valoramos tu privacidad",
        "su privacidad es importante",
        "aceptar y continuar",
        "prima di continuare",
        "rispettiamo la tua privacy",
        "accetta e continua",
        "valorizamos a sua privacidade",
        "aceitar e continuar",
        "voordat je verdergaat",
        "wij respecteren uw privacy",
        "zanim przejdziesz",
        "dbamy o twoją prywatność",
        "vi värnar om din integritet",
        "мы ценим вашу конфиденциальность",
        "同意并继续",
        "続行する前に",
    ),
    "maintenance": (
        "under maintenance",
        "down for maintenance",
        "scheduled maintenance",
        "site maintenance",
        "maintenance mode",
        "maintenance",
        "we'll be back soon",
        "we will be back soon",
        "we'll be right back",
        "be back shortly",
        "temporarily unavailable",
        "temporarily offline",
        "wartungsarbeiten",
        "wartungsmodus",
        "wartung",
        "wegen wartung",
        "vorübergehend nicht erreichbar",
        "vorübergehend nicht verfügbar",
        "en maintenance",
        "maintenance en cours",
        "site en maintenance",
        "temporairement indisponible",
        "en mantenimiento",
        "mantenimiento",
        "temporalmente no disponible",
        "in manutenzione",
        "manutenzione in corso",
        "temporaneamente non disponibile",
        "em manutenção",
        "temporariamente indisponível",
        "onderhoudswerkzaamheden",
        "in onderhoud",
        "tijdelijk niet beschikbaar",
        "przerwa techniczna",
        "prace konserwacyjne",
        "chwilowo niedostępna",
        "probíhá údržba",
        "underhåll pågår",
        "bakım çalışması",
        "технические работы",
        "технических работ",
        "сайт на обслуживании",
        "временно недоступен",
        "系统维护",
        "网站维护",
        "维护中",
        "メンテナンス中",
        "ただいまメンテナンス",
        "점검 중",
    ),
    "not found": (
        "page not found",
        "404 not found",
        "not found",
        "error 404",
        "404",
        "404 error",
        "410 gone",
        "page cannot be found",
        "page can't be found",
        "page could not be found",
        "couldn't find that page",
        "couldn't find the page",
        "can't find the page",
        "can't find that page",
        "page you are looking for",
        "page you were looking for",
        "page you requested",
        "page doesn't exist",
        "page does not exist",
        "page no longer exists",
        "seite nicht gefunden",
        "seite wurde nicht gefunden",
        "seite konnte nicht gefunden werden",
        "seite existiert nicht",
        "diese seite gibt es nicht",
        "page introuvable",
        "page non trouvée",
        "page n'existe pas",
        "page demandée n'existe",
        "página no encontrada",
        "página no existe",
        "pagina non trovata",
        "pagina non esiste",
        "página não encontrada",
        "página não existe",
        "pagina niet gevonden",
        "pagina bestaat niet",
        "nie znaleziono strony",
        "strona nie istnieje",
        "stránka nenalezena",
        "stránka nebyla nalezena",
        "sidan hittades inte",
        "sidan kunde inte hittas",
        "siden blev ikke fundet",
        "sivua ei löytynyt",
        "az oldal nem található",
        "sayfa bulunamadı",
        "страница не найдена",
        "сторінку не знайдено",
        "页面不存在",
        "找不到页面",
        "页面未找到",
        "找不到頁面",
        "ページが見つかりません",
        "페이지를 찾을 수 없습니다",
        "الصفحة غير موجودة",
    ),
    "error": (
        "internal server error",
        "service unavailable",
        "bad gateway",
        "gateway timeout",
        "gateway time-out",
        "server error",
        "application error",
        "database error",
        "error establishing a database connection",
        "database connection failed",
        "fatal error",
        "uncaught exception",
        "unhandled exception",
        "traceback (most recent call last)",
        "sqlstate[",
        "something went wrong",
        "an error occurred",
        "an error has occurred",
        "unexpected error",
        "we are experiencing technical difficulties",
        "technical difficulties",
        "access denied",
        "access to this page has been denied",
        "forbidden",
        "unauthorized",
        "request blocked",
        "you have been blocked",
        "too many requests",
        "rate limit exceeded",
        "error",
        "interner serverfehler",
        "serverfehler",
        "ein fehler ist aufgetreten",
        "es ist ein fehler aufgetreten",
        "etwas ist schiefgelaufen",
        "technischer fehler",
        "zugriff verweigert",
        "zu viele anfragen",
        "fehler",
        "erreur interne",
        "erreur du serveur",
        "une erreur est survenue",
        "une erreur s'est produite",
        "accès refusé",
        "accès interdit",
        "erreur",
        "error interno",
        "error del servidor",
        "se ha producido un error",
        "algo salió mal",
        "acceso denegado",
        "errore interno",
        "si è verificato un errore",
        "qualcosa è andato storto",
        "accesso negato",
        "errore",
        "erro interno",
        "ocorreu um erro",
        "algo deu errado",
        "acesso negado",
        "er is een fout opgetreden",
        "er is iets misgegaan",
        "toegang geweigerd",
        "wystąpił błąd",
        "coś poszło nie tak",
        "dostęp zabroniony",
        "došlo k chybě",
        "ett fel uppstod",
        "ett fel har inträffat",
        "der opstod en fejl",
        "bir hata oluştu",
        "внутренняя ошибка",
        "ошибка сервера",
        "произошла ошибка",
        "что-то пошло не так",
        "доступ запрещён",
        "доступ запрещен",
        "服务器错误",
        "发生错误",
        "出错了",
        "访问被拒绝",
        "サーバーエラー",
        "エラーが発生しました",
        "アクセスが拒否されました",
        "오류가 발생했습니다",
    ),
}

# These stand in the text of ordinary pages too ("Log in" in a menu): they count as a title or heading only, with
# next to nothing beside them.
_TITLES = frozenset(
    "log in|login|log-in|sign in|sign-in|anmelden|anmeldung|einloggen|connexion|se connecter|acceder|accedi"
    "|accesso|entrar|inloggen|aanmelden|logowanie|logga in|log ind|logg inn|войти|вход|авторизация|увійти"
    "|登录|登入|ログイン|サインイン|로그인|כניסה|just a moment|un instant|un momento|um momento"
    "|请稍候|しばらくお待ちください|privacy settings|cookie settings|cookie-einstellungen|tout accepter"
    "|datenschutzeinstellungen|maintenance|wartung|mantenimiento|not found|404|404 error|forbidden"
    "|unauthorized|error|fehler|erreur|errore|安全验证|captcha|recaptcha".split("|")
)
_SEPARATORS = re.compile(r"\s+[|–—·•»:/-]+\s+|\s*[|»]\s*|:\s+")
_BESIDE_TITLE, _BESIDE_PHRASE = 3, 16
"""So many characters may stand beside a phrase in a title or heading."""

_STATUS = re.compile(r"(?:error |http )*[45]\d\d(?: error)?")
_QUOTES = str.maketrans("’‘", "''")
_FIRST_WITHOUT_SPACES = "\u2e80"
"""From here on stand the scripts that put no space between words."""

_LOGIN_PATH = re.compile(
    r"(?:^|[/._-])(?:log-?in|sign-?in|logon|auth|authorize|oauth2?|sso|saml2?|session/new|anmelden|anmeldung"
    r"|einloggen|connexion|iniciar-sesion|accedi|inloggen|zaloguj|wp-login)(?:[/._-]|$)",
    re.IGNORECASE,
)


def in_titles(titles: Iterable[str]) -> list[str]:
    """The kinds of non-pages that one of these titles or headings names, with little else beside."""
    segments = [one for title in titles for one in _SEPARATORS.split(_plain(title)) if one]
    found = [kind for kind in SAID if any(_names(kind, one) for one in segments)]
    if not found and any(_STATUS.fullmatch(one) for one in segments):
        return ["error"]
    return found


def in_text(text: str) -> list[str]:
    """The kinds of non-pages that a text of few words speaks of."""
    plain = _plain(text)
    return [kind for kind in SAID if _spoken(kind).search(plain)]


def asks_for_login(path: str) -> bool:
    """Does the path of an address lead to a log-in?"""
    return bool(_LOGIN_PATH.search(path))


def _names(kind: str, segment: str) -> bool:
    return any(
        len(segment) <= len(found[0]) + (_BESIDE_TITLE if found[0] in _TITLES else _BESIDE_PHRASE)
        for found in _written(kind).finditer(segment)
    )


@cache
def _written(kind: str) -> re.Pattern[str]:
    return _any_of(PHRASES[kind])


@cache
def _spoken(kind: str) -> re.Pattern[str]:
    return _any_of(phrase for phrase in PHRASES[kind] if phrase not in _TITLES)


def _any_of(phrases: Iterable[str]) -> re.Pattern[str]:
    """Whole words only; the longest phrase first."""
    return re.compile("|".join(map(_whole, sorted(phrases, key=len, reverse=True))))


def _whole(phrase: str) -> str:
    before = r"(?<!\w)" if phrase[0] < _FIRST_WITHOUT_SPACES else ""
    after = r"(?!\w)" if phrase[-1].isalnum() and phrase[-1] < _FIRST_WITHOUT_SPACES else ""
    return before + re.escape(phrase) + after


def _plain(text: str) -> str:
    return " ".join(text.translate(_QUOTES).lower().split())
