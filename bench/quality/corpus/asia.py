"""Chinese, Thai and Japanese pages: scripts without spaces between words."""

from __future__ import annotations

from bench.quality.expect import Pair, deleted, gone, inserted, more, new, pair, replaced, shown, updated
from bench.quality.pages import reformatted, served_again, site

CHINESE_URL = "https://www.yunhe-library.example/gonggao"
CHINESE = site(
    "云河市图书馆公告",
    """  <main>
    <h1>关于调整开放时间的公告</h1>
    <p class="date">发布日期：2026年3月1日</p>
    <p>各位读者：因馆舍维修，自3月10日起，总馆三楼阅览室暂停开放，预计4月底恢复。外借服务不受影响。</p>
    <p>维修期间，读者可以前往城东分馆和大学城分馆。城东分馆的开放时间延长到晚上九点。</p>
    <table>
      <caption>开放时间</caption>
      <tr><th>馆舍</th><th>周一至周五</th><th>周末</th></tr>
      <tr><td>总馆</td><td>8:30–20:00</td><td>9:00–18:00</td></tr>
      <tr><td>城东分馆</td><td>9:00–21:00</td><td>9:00–18:00</td></tr>
      <tr><td>大学城分馆</td><td>8:00–22:00</td><td>9:00–20:00</td></tr>
    </table>
    <p>咨询电话：0571-5550123。不便之处，敬请谅解。</p>
    <ul class="news">
      <li><a href="/huodong/101">周末讲座：宋代的城市生活</a></li>
      <li><a href="/huodong/99">儿童绘本故事会</a></li>
    </ul>
  </main>""",
    name="云河市图书馆",
    lang="zh-CN",
    menu=(("/", "首页"), ("/gonggao", "公告"), ("/jieyue", "借阅")),
    footer="云河市图书馆 版权所有",
)

THAI_URL = "https://www.chiangdao-park.example/prakat"
THAI = site(
    "ประกาศอุทยานแห่งชาติ",
    """  <main>
    <h1>ประกาศปิดเส้นทางเดินป่า</h1>
    <p>อุทยานจะปิดเส้นทางเดินป่าขึ้นยอดดอยตั้งแต่วันที่ 1 มีนาคม ถึงวันที่ 31 ตุลาคม 2569 เพื่อฟื้นฟูธรรมชาติ</p>
    <p>น้ำตกและจุดกางเต็นท์เปิดให้บริการตามปกติ ค่าเข้าผู้ใหญ่ 40 บาท เด็ก 20 บาท</p>
    <table>
      <caption>ค่าบริการ</caption>
      <tr><th>ประเภท</th><th>ราคา</th></tr>
      <tr><td>กางเต็นท์</td><td>30 บาท</td></tr>
      <tr><td>รถยนต์</td><td>50 บาท</td></tr>
    </table>
    <p>ติดต่อสอบถามได้ที่ศูนย์บริการนักท่องเที่ยวทุกวัน</p>
  </main>""",
    name="อุทยานแห่งชาติ",
    lang="th",
    menu=(("/", "หน้าแรก"), ("/prakat", "ประกาศ"), ("/jong", "จองที่พัก")),
    footer="กรมอุทยานแห่งชาติ",
)

JAPANESE_URL = "https://www.minato-bus.example/jikoku"
JAPANESE = site(
    "港バス 時刻表",
    """  <main>
    <h1>駅前発 港行き 時刻表</h1>
    <p>お知らせ：三月十五日（日）にダイヤを改正します。詳しくは<a href="/kaisei.pdf">こちら</a>をご覧ください。</p>
    <table>
      <tr><th>時</th><th>平日</th><th>土日祝</th></tr>
      <tr><td>7時</td><td>05 20 35 50</td><td>10 40</td></tr>
      <tr><td>8時</td><td>05 15 25 35 45 55</td><td>10 40</td></tr>
      <tr><td>9時</td><td>10 30 50</td><td>10 40</td></tr>
    </table>
    <ul>
      <li>定期券は駅前の窓口で販売しています</li>
      <li>回数券の販売は終了しました</li>
    </ul>
    <p>大雨のときは運休することがあります。運行状況は電話でお問い合わせください。</p>
  </main>""",
    name="港バス",
    lang="ja",
    menu=(("/", "ホーム"), ("/jikoku", "時刻表"), ("/unchin", "運賃")),
    footer="港バス株式会社",
)

PAIRS: tuple[Pair, ...] = (
    pair(
        "asia/chinese-words",
        "all words",
        CHINESE,
        served_again(CHINESE, ("预计4月底恢复", "预计5月底恢复"), ("延长到晚上九点", "延长到晚上十点半")),
        inserted("5 十半"),
        deleted("4 九"),
        url=CHINESE_URL,
    ),
    pair(
        "asia/chinese-line-breaks-words",
        "all words",
        CHINESE,
        reformatted(
            served_again(
                CHINESE,
                ("各位读者：因馆舍维修，", "各位读者：<br>因馆舍<b>维修</b>，"),
                ("敬请谅解。", "敬请谅解！"),
            )
        ),
        url=CHINESE_URL,
    ),
    pair(
        "asia/chinese-keywords",
        "keywords: {分馆, 停电, 讲座}",
        CHINESE,
        served_again(
            CHINESE, ("外借服务不受影响。", "3月12日停电。"), ("周末讲座：宋代的城市生活", "周末电影")
        ),
        new("停电", 1),
        gone("讲座", 1),
        url=CHINESE_URL,
    ),
    pair(
        "asia/chinese-phrase",
        "phrase: {总馆三楼阅览室暂停开放}",
        CHINESE,
        served_again(CHINESE, ("总馆三楼阅览室暂停开放", "总馆二楼阅览室暂停开放")),
        updated("总馆三楼阅览室暂停开放", "总馆二楼阅览室暂停开放"),
        url=CHINESE_URL,
    ),
    pair(
        "asia/chinese-phrase-same",
        "phrase: {外借服务不受影响}",
        CHINESE,
        served_again(
            CHINESE, ("预计4月底恢复。", "时间另行通知。"), ("维修期间，读者可以前往", "读者可前往")
        ),
        url=CHINESE_URL,
    ),
    pair(
        "asia/chinese-table",
        "table: {开放时间}",
        CHINESE,
        served_again(
            CHINESE, ("<td>9:00–21:00</td>", "<td>9:00–22:30</td>"), ("预计4月底恢复", "预计5月底恢复")
        ),
        updated("9:00–21:00", "9:00–22:30", "城东分馆"),
        url=CHINESE_URL,
    ),
    pair(
        "asia/chinese-date-value",
        'value css ".date"',
        CHINESE,
        served_again(CHINESE, ("2026年3月1日", "2026年3月8日")),
        updated("2026年3月1日", "2026年3月8日"),
        url=CHINESE_URL,
    ),
    pair(
        "asia/chinese-links",
        "all links",
        CHINESE,
        served_again(CHINESE, ("儿童绘本故事会", "儿童故事会"), ("周末讲座：", "讲座：")),
        url=CHINESE_URL,
    ),
    pair(
        "asia/chinese-list",
        "list: {儿童绘本故事会}",
        CHINESE,
        served_again(
            CHINESE,
            (
                '      <li><a href="/huodong/101">',
                '      <li><a href="/huodong/104">古琴音乐会</a></li>\n      <li><a href="/huodong/101">',
            ),
        ),
        shown("i", "古琴音乐会"),
        url=CHINESE_URL,
    ),
    pair(
        "asia/chinese-phone-regex",
        r"regular expression: {[0-9]+-[0-9]+}",
        CHINESE,
        served_again(CHINESE, ("0571-5550123", "0571-5550188")),
        replaced("0571-5550123", "0571-5550188"),
        url=CHINESE_URL,
    ),
    pair(
        "asia/chinese-other-encoding-any-change",
        "any change",
        CHINESE,
        CHINESE.replace('charset="utf-8"', 'charset="gb18030"').encode("gb18030"),
        after_type="text/html",
        url=CHINESE_URL,
    ),
    pair(
        "asia/thai-words",
        "all words",
        THAI,
        served_again(THAI, ("ค่าเข้าผู้ใหญ่ 40 บาท เด็ก 20 บาท", "ค่าเข้าผู้ใหญ่ 60 บาท เด็ก 30 บาท")),
        inserted("60 30"),
        deleted("40 20"),
        url=THAI_URL,
    ),
    pair(
        "asia/thai-keyword",
        "keywords: {น้ำตก, น้ำท่วม}",
        THAI,
        served_again(THAI, ("เปิดให้บริการตามปกติ", "ปิดเพราะน้ำท่วม")),
        new("น้ำท่วม", 1),
        url=THAI_URL,
    ),
    pair(
        "asia/thai-table",
        "table: {ค่าบริการ}",
        THAI,
        served_again(THAI, ("<td>รถยนต์</td><td>50 บาท</td>", "<td>รถยนต์</td><td>80 บาท</td>")),
        updated("50 บาท", "80 บาท", "รถยนต์"),
        url=THAI_URL,
    ),
    pair(
        "asia/thai-phrase-zero-width-spaces",
        "phrase: {ศูนย์บริการนักท่องเที่ยว}",
        THAI,
        served_again(
            THAI, ("ติดต่อสอบถามได้ที่ศูนย์บริการนักท่องเที่ยวทุกวัน", "ติดต่อสอบถามได้ที่\u200bศูนย์บริการนักท่องเที่ยว\u200bทุกวัน")
        ),
        url=THAI_URL,
    ),
    pair(
        "asia/japanese-timetable",
        "table: {平日}",
        JAPANESE,
        served_again(JAPANESE, ("<td>10 30 50</td>", "<td>10 25 40 55</td>")),
        updated("10 30 50", "10 25 40 55", "9時"),
        url=JAPANESE_URL,
    ),
    pair(
        "asia/japanese-timetable-notice-changed",
        "table: {平日}",
        JAPANESE,
        served_again(JAPANESE, ("三月十五日（日）にダイヤを改正します。", "ダイヤを改正しました。")),
        url=JAPANESE_URL,
    ),
    pair(
        "asia/japanese-list",
        "list: {定期券は駅前の窓口で販売しています}",
        JAPANESE,
        served_again(JAPANESE, ("      <li>回数券の販売は終了しました</li>\n", "")),
        shown("d", "回数券の販売は終了しました"),
        url=JAPANESE_URL,
    ),
    pair(
        "asia/japanese-keywords",
        "keywords: {運休, 販売}",
        JAPANESE,
        served_again(JAPANESE, ("運行状況は電話で", "本日は運休です。運行状況は電話で")),
        more("運休", 1, 2),
        url=JAPANESE_URL,
    ),
    pair(
        "asia/japanese-other-encoding-words",
        "all words",
        JAPANESE,
        JAPANESE.replace('charset="utf-8"', 'charset="shift_jis"').replace("©", "(c)").encode("shift_jis"),
        after_type="text/html; charset=Shift_JIS",
        url=JAPANESE_URL,
    ),
    pair(
        "asia/japanese-excepted",
        "all words except {三月十五日, 四月一日}",
        JAPANESE,
        served_again(JAPANESE, ("三月十五日（日）に", "四月一日（日）に")),
        url=JAPANESE_URL,
    ),
)
