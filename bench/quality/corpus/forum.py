"""Forums and comment threads, in English and Arabic, with avatars, counters and signatures."""

from __future__ import annotations

from bench.quality.expect import Pair, deleted, either, gone, inserted, more, new, pair, shown, some, updated
from bench.quality.pages import edit, reformatted, served_again, site

URL = "https://forum.steamworks.example/t/8821"
ORIGIN = "https://forum.steamworks.example"
THREAD = site(
    "Boiler pressure drops overnight - Steam forum",
    """  <main>
    <h1>Boiler pressure drops overnight</h1>
    <p class="meta">Started by <a href="/u/heathrow">heathrow</a>, <span class="views">1482 views</span>, <span class="replies">3 replies</span></p>
    <!-- thread cache key 8821:17 -->
    <div class="post" id="p1" data-author="heathrow">
      <img class="avatar" src="/avatars/31.png" alt="">
      <p>My small vertical boiler loses about two bar overnight although all valves are shut. Where would you look first?</p>
      <p class="sig">-- Steam is the answer, whatever the question</p>
    </div>
    <div class="post" id="p2" data-author="marl">
      <img class="avatar" src="/avatars/77.png" alt="">
      <p>Soap water on the safety valve. If it bubbles, lap the seat.</p>
    </div>
    <div class="post" id="p3" data-author="quenby">
      <img class="avatar" src="/avatars/12.png" alt="">
      <blockquote>Soap water on the safety valve.</blockquote>
      <p>That, and check the <a href="https://wiki.steamworks.example/gauge-glass">gauge glass</a> packing.</p>
    </div>
    <div class="post" id="p4" data-author="heathrow">
      <img class="avatar" src="/avatars/31.png" alt="">
      <p>It was the gauge glass. Thank you both!</p>
    </div>
    <form action="/t/8821/reply" method="post">
      <input type="hidden" name="csrf" value="5f3e9ac2d17b48e0">
      <textarea name="body"></textarea>
      <button>Reply</button>
    </form>
    <h2>Similar threads</h2>
    <ul class="similar">
      <li><a href="/t/8790">Injector will not lift</a></li>
      <li><a href="/t/8615">Which packing for 6 bar?</a></li>
      <li><a href="/t/8402">Feed water treatment</a></li>
    </ul>
  </main>""",
    name="Steam forum",
    menu=(("/new", "New"), ("/unread", "Unread"), ("/rules", "Rules")),
    footer="Steam forum, run by volunteers.",
)
REPLY = """    <div class="post" id="p5" data-author="ottoline">
      <img class="avatar" src="/avatars/90.png" alt="">
      <p>Mine did the same; see <a href="/t/8702">my thread</a>.</p>
    </div>
"""
FORM = '    <form action="/t/8821/reply" method="post">'

ARABIC_URL = "https://montada.example/tabkh/4411"
ARABIC = site(
    "منتدى الطبخ: خبز التنور",
    """  <main>
    <h1>خبز التنور في فرن البيت</h1>
    <p class="meta">كتبت <a href="/u/salma">سلمى</a> في 28 فبراير 2026</p>
    <div class="post">
      <p>أستعمل كيلو من الطحين وملعقة كبيرة من الخميرة ونصف لتر من الماء الدافئ. يترك العجين ساعتين حتى يتضاعف حجمه.</p>
      <p>يخبز الرغيف خمس دقائق على أعلى حرارة.</p>
    </div>
    <div class="post">
      <p>جربت الوصفة وكانت النتيجة ممتازة، شكرا لك.</p>
    </div>
    <h2>المقادير</h2>
    <ul>
      <li>طحين: كيلو واحد</li>
      <li>خميرة: ملعقة كبيرة</li>
      <li>ماء دافئ: نصف لتر</li>
      <li>ملح: ملعقة صغيرة</li>
    </ul>
    <p>عدد المشاهدات: <span class="count">٢٣٤</span></p>
  </main>""",
    name="منتدى الطبخ",
    lang="ar",
    direction="rtl",
    menu=(("/jadid", "الجديد"), ("/wasafat", "وصفات"), ("/ittisal", "اتصل بنا")),
    footer="جميع الحقوق محفوظة",
)

PAIRS: tuple[Pair, ...] = (
    pair(
        "forum/reply-any-change",
        "any change",
        THREAD,
        served_again(THREAD, (FORM, REPLY + FORM)),
        inserted("Mine did the same see my thread"),
        new(ORIGIN + "/t/8702"),
        new(ORIGIN + "/avatars/90.png"),
        url=URL,
    ),
    pair(
        "forum/reply-images",
        "all images",
        THREAD,
        served_again(THREAD, (FORM, REPLY + FORM)),
        new(ORIGIN + "/avatars/90.png", 1),
        url=URL,
    ),
    pair(
        "forum/same-author-again-images",
        "all images",
        THREAD,
        served_again(THREAD, (FORM, REPLY.replace("90.png", "31.png") + FORM)),
        more(ORIGIN + "/avatars/31.png", 2, 3),
        url=URL,
    ),
    pair(
        "forum/views-counter-excepted",
        "all words except {1482, 1597, views}",
        THREAD,
        served_again(THREAD, ("1482 views", "1597 views")),
        url=URL,
    ),
    pair(
        "forum/views-value",
        'value css ".views"',
        THREAD,
        served_again(THREAD, ("1482 views", "1597 views")),
        updated("1482 views", "1597 views"),
        url=URL,
    ),
    pair(
        "forum/replies-value-same",
        'value css ".replies"',
        THREAD,
        served_again(THREAD, ("1482 views", "1597 views"), ("check the <a", "look at the <a")),
        url=URL,
    ),
    pair(
        "forum/edited-post-words",
        "all words",
        THREAD,
        served_again(THREAD, ("If it bubbles, lap the seat.", "If it bubbles, replace the whole valve.")),
        inserted("replace the whole valve"),
        deleted("lap the seat"),
        url=URL,
    ),
    pair(
        "forum/phrase-quoted-twice",
        "phrase: {Soap water on the safety valve}",
        THREAD,
        served_again(THREAD, ("      <blockquote>Soap water on the safety valve.</blockquote>\n", "")),
        either(
            (shown("d", "Soap water on the safety valve"),), (shown("d-", "Soap water on the safety valve"),)
        ),
        url=URL,
    ),
    pair(
        "forum/phrase-reply-below",
        "phrase: {Thank you both}",
        THREAD,
        served_again(THREAD, (FORM, REPLY + FORM), ("1482 views", "1597 views")),
        url=URL,
    ),
    pair(
        "forum/phrase-in-changing-neighbours",
        "phrase: {loses about two bar overnight although all valves are shut}",
        THREAD,
        served_again(
            THREAD,
            (
                "My small vertical boiler loses about two bar overnight although all valves are shut. Where would you look first?",
                "Hello! The vertical boiler loses about three bar overnight although all valves are shut. Any idea?",
            ),
        ),
        updated(
            "loses about two bar overnight although all valves are shut",
            "loses about three bar overnight although all valves are shut",
        ),
        url=URL,
    ),
    pair(
        "forum/similar-threads-list",
        "list: {Injector will not lift}",
        THREAD,
        served_again(
            THREAD,
            (
                '      <li><a href="/t/8402">Feed water treatment</a></li>\n',
                '      <li><a href="/t/8850">Cylinder oil for superheat</a></li>\n',
            ),
        ),
        either(
            (shown("i", "Cylinder oil for superheat"), shown("d", "Feed water treatment")),
            (updated("Feed water treatment", "Cylinder oil for superheat"),),
        ),
        url=URL,
    ),
    pair(
        "forum/thread-comment-key",
        "comments",
        THREAD,
        edit(THREAD, ("<!-- thread cache key 8821:17 -->", ""), (FORM, REPLY + FORM)),
        shown("d", "thread cache key 8821:17"),
        url=URL,
    ),
    pair(
        "forum/thread-attributes-author",
        "attributes",
        THREAD,
        edit(THREAD, ('data-author="marl"', 'data-author="marl_old"')),
        updated("marl", "marl_old", "data-author"),
        url=URL,
    ),
    pair(
        "forum/thread-attributes-removed",
        "attributes",
        THREAD,
        edit(THREAD, (' id="p3"', ""), ("Thank you both!", "Thanks!")),
        shown("d", "id"),
        url=URL,
    ),
    pair(
        "forum/thread-structure-reply",
        "structure",
        THREAD,
        edit(THREAD, (FORM, REPLY + FORM)),
        shown("i", "div"),
        url=URL,
    ),
    pair(
        "forum/thread-tags-reply",
        "tags",
        THREAD,
        served_again(THREAD, (FORM, REPLY + FORM)),
        shown("i+", "div"),
        shown("i+", "img"),
        shown("i+", "p"),
        shown("i+", "a"),
        url=URL,
    ),
    pair(
        "forum/thread-tags-renamed",
        "tags",
        THREAD,
        served_again(
            THREAD,
            (
                "<blockquote>Soap water on the safety valve.</blockquote>",
                "<aside>Soap water on the safety valve.</aside>",
            ),
        ),
        new("aside", 1),
        gone("blockquote", 1),
        url=URL,
    ),
    pair(
        "forum/thread-structure-renamed",
        "structure",
        THREAD,
        edit(
            THREAD,
            (
                "<blockquote>Soap water on the safety valve.</blockquote>",
                "<aside>Soap water on the safety valve.</aside>",
            ),
        ),
        some(),
        url=URL,
    ),
    pair(
        "forum/thread-layout-sidebar",
        "layout",
        THREAD,
        served_again(
            THREAD,
            (
                "    <h2>Similar threads</h2>",
                '    <section class="side"><div><h2>Rules</h2><p>Be kind.</p></div></section>\n    <h2>Similar threads</h2>',
            ),
        ),
        some(),
        url=URL,
    ),
    pair(
        "forum/thread-layout-counter",
        "layout",
        THREAD,
        served_again(THREAD, ("1482 views", "1597 views")),
        url=URL,
    ),
    pair(
        "forum/thread-content-attributes",
        "content",
        THREAD,
        reformatted(
            served_again(
                THREAD,
                ('data-author="marl"', 'data-author="marl_old"'),
                ('src="/avatars/12.png"', 'src="/avatars/13.png"'),
            )
        ),
        url=URL,
    ),
    pair(
        "forum/words-and-not-links",
        "all words AND NOT all links",
        THREAD,
        served_again(THREAD, ("If it bubbles, lap the seat.", "If it bubbles, clean the seat.")),
        inserted("clean"),
        deleted("lap"),
        url=URL,
    ),
    pair(
        "forum/words-and-not-links-both",
        "all words AND NOT all links",
        THREAD,
        served_again(THREAD, (FORM, REPLY + FORM)),
        url=URL,
    ),
    pair(
        "forum/grouped-expression",
        "(keywords: {superheat} OR keywords: {injector}) AND all links",
        THREAD,
        served_again(
            THREAD,
            (
                '<li><a href="/t/8402">Feed water treatment</a></li>',
                '<li><a href="/t/8850">Oil for superheat</a></li>',
            ),
        ),
        new("superheat"),
        new(ORIGIN + "/t/8850"),
        gone(ORIGIN + "/t/8402"),
        url=URL,
    ),
    pair(
        "forum/arabic-words",
        "all words",
        ARABIC,
        served_again(
            ARABIC, ("يترك العجين ساعتين", "يترك العجين ثلاث ساعات"), ("خمس دقائق على", "سبع دقائق على")
        ),
        inserted("ثلاث ساعات سبع"),
        deleted("ساعتين خمس"),
        url=ARABIC_URL,
    ),
    pair(
        "forum/arabic-marks-of-direction",
        "all words",
        ARABIC,
        served_again(
            ARABIC, ("جربت الوصفة وكانت", "\u200fجربت الوصفة\u200f وكانت"), ("ممتازة، شكرا", "ممتازة. شكرا")
        ),
        url=ARABIC_URL,
    ),
    pair(
        "forum/arabic-keyword",
        "keywords: {خميرة, زعتر}",
        ARABIC,
        served_again(ARABIC, ("شكرا لك.", "شكرا لك. أضفت الزعتر أيضا، زعتر بري.")),
        new("زعتر", 1),
        url=ARABIC_URL,
    ),
    pair(
        "forum/arabic-phrase",
        "phrase: {وملعقة كبيرة من الخميرة ونصف لتر}",
        ARABIC,
        served_again(ARABIC, ("وملعقة كبيرة من الخميرة ونصف لتر", "وملعقة صغيرة من الخميرة ونصف لتر")),
        updated("وملعقة كبيرة من الخميرة ونصف لتر", "وملعقة صغيرة من الخميرة ونصف لتر"),
        url=ARABIC_URL,
    ),
    pair(
        "forum/arabic-list",
        "list: {طحين: كيلو واحد}",
        ARABIC,
        served_again(ARABIC, ("<li>ملح: ملعقة صغيرة</li>", "<li>ملح: ملعقتان</li>\n      <li>سكر: رشة</li>")),
        shown("i", "سكر: رشة"),
        updated("ملح: ملعقة صغيرة", "ملح: ملعقتان"),
        url=ARABIC_URL,
    ),
    pair(
        "forum/arabic-count",
        'value css ".count"',
        ARABIC,
        served_again(ARABIC, ("٢٣٤", "٢٥١")),
        updated("٢٣٤", "٢٥١"),
        url=ARABIC_URL,
    ),
    pair(
        "forum/arabic-count-other-digits",
        'value css ".count"',
        ARABIC,
        served_again(ARABIC, ("٢٣٤", "234")),
        url=ARABIC_URL,
    ),
)
