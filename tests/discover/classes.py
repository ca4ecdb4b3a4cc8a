"""Service classes for tests, each as small as its test allows."""

from __future__ import annotations

from webvigil.discover.description import ServiceClass
from webvigil.discover.service import read_service_class

_WHOLE = """<serviceclass name="small">
<types>{types}</types>
<controlflow><vertices>
<vertex name="start" origin="true"/>{between}
<vertex name="end" type="{result}" result="true"/>
</vertices><edges>{edges}</edges></controlflow>
<examples><example><arguments>{arguments}</arguments><result type="{result}" {mentions}/></example></examples>
</serviceclass>"""
_DIRECT = '<edge origin="start" destination="end"/>'
ASKED = (
    '<argument required="true"><name>word</name><hints><hint>word|q</hint></hints>'
    "<value>apple</value></argument>"
)
_TYPES = '<type name="Result" type="string" pattern="fruit no\\. \\d+"/>'


def text(
    types: str = _TYPES,
    result: str = "Result",
    *,
    between: str = "",
    edges: str = _DIRECT,
    arguments: str = ASKED,
    mentions: str = "",
) -> str:
    return _WHOLE.format(
        types=types, result=result, between=between, edges=edges, arguments=arguments, mentions=mentions
    )


def small(*args: str, **parts: str) -> ServiceClass:
    return read_service_class(text(*args, **parts).encode())
