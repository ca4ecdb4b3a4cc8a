"""The expressions that our answers are compared on: every axis, test, function and operator, and their mixtures."""

from __future__ import annotations

from itertools import product

_AXES = (
    "ancestor ancestor-or-self attribute child descendant descendant-or-self following following-sibling "
    "parent preceding preceding-sibling self"
).split()

_ON_AXES = [f"//*/{axis}::{test}" for axis, test in product(_AXES, ("*", "node()", "b"))]
_POSITIONS = [
    f"//*/{axis}::*[{predicate}]" for axis, predicate in product(_AXES, ("1", "last()", "position() > 1"))
]
_INSIDE = [f"//*[{axis}::node()]" for axis in _AXES] + [f"count(//*[count({axis}::*) > 1])" for axis in _AXES]
_FROM_TEXTS = [f"//text()/{axis}::node()" for axis in _AXES]
_FROM_ATTRIBUTES = [f"//@*/{axis}::node()" for axis in _AXES if axis not in ("following", "preceding")]

_PATHS = """
/ | /* | /a | /a/b | /a/b/c | //* | //a | //b | //item | //a/b | //a//b | //b//a//b | //* /.. | //. | .//b | ./a | a | */b
//@* | //@a | //@n | @* | //*/@* | //*[@*] | //*[@a] | //*[@a and @b] | //*[not(@*)] | //text() | //a/text() | //comment()
//processing-instruction() | //processing-instruction('go') | //node() | /node() | /comment() | /processing-instruction()
//book/title | //book[author] | //book[author='Ann'] | //book[author='Ann']/title | //book[@price>5] | //book[not(@price)]
//speech[speaker='ANN']/line[1] | //scene[2]/speech | //act[2]/scene[last()]/speech[1]/speaker | //scene/speech[last()]/line[last()]
/play/act/scene | //act/title | //title/.. | //line/../../title | //speech[2]/preceding-sibling::speech | //act[1]/following-sibling::act
//x:c | //x:* | //y:item | //o:c | //t:c | //o:* | //@x:k | //@y:z | //@x:* | //*[@x:k=3] | //m:thumb/@url | //m:*[m:c]
//tr/td[3] | //tr[3]/td | //td[@c=2] | //tr[@n>3]/td[@c<3] | //td[.=12] | //td[. mod 2 = 0] | //tr[td[5]=20] | //td[../@n=@c]
//item[1] | //item[last()] | //item[5] | //item[@n=9] | //item[position() mod 3 = 1] | //item[.='odd'][2] | //item[2][.='odd']
(//item)[1] | (//item)[last()] | (//*)[3] | (//b)[2]/.. | (//item)[position() < 4] | (//text())[2]
//a | //b | //c | //b | //a | //@a | //b/@b | //text() | //comment()
//*[b] | //*[b or c] | //*[b and c] | //*[not(b)] | //*[b[c]] | //*[b/c] | //*[.//b] | //*[..//c] | //*[ancestor::a] | //*[*[2]]
//*[self::b or self::c] | //*[name()='b'] | //*[local-name()='c'] | //*[starts-with(name(),'i')] | //*[string-length(name())=1]
//*[count(*)=2] | //*[count(*)>count(@*)] | //*[last()] | //*[position()=last()-1] | //*[2][1] | //*[1][2] | //*[1]/*[1] | //*[3]
//b[following-sibling::b] | //b[preceding-sibling::*[1][self::b]] | //*[following::b] | //*[preceding::b] | //b[last()]/following::*[1]
//*[text()] | //*[text()='odd'] | //*[.=''] | //*[normalize-space()=''] | //*[contains(.,'o')] | //*[string-length(.)>5]
//*[@*='1'] | //*[@a=@b] | //*[@a!=@b] | //*[@a=//@b] | //@*[.='1'] | //@*[name()='a'] | //@*/.. | //@a/following::* | //@a/preceding::*
//*[generate='x'] | //nothing | //nothing/b | //nothing[1] | /b | /nothing | //a[nothing] | //@nothing | //nothing/@a | //b/nothing/..
descendant::b[2] | descendant-or-self::node()[3] | //*/descendant::*[2] | //a/descendant::b[last()] | //c/ancestor::*[2] | //c/ancestor-or-self::*[last()]
//*[ancestor::*[2]] | //*[descendant::b[1]] | //b[ancestor::a[1]/c] | //*[parent::a]/b | //a[b]/b[1]/.. | //*[self::node()] | //node()[self::text()]
//text()[1] | //text()[last()] | //node()[2] | //b/node()[1] | //b/text()[2] | //a/node()[self::comment()] | //text()[.='two'] | //*/text()[2]
//text()[starts-with(.,'s')] | //text()/.. | //text()[../b] | //*[text()[2]] | //comment()/following::text()[1] | //c/text() | //b/i/text()
""".replace("\n", " | ").split(" | ")

_UNIONS = """//a | //b;//item | //b | //c;//@* | //*;//text() | //@*;/ | //a;//b[1] | //b[2];//a/b | //b/a;(//a | //b)/c;//*[a | b];count(//a | //b);(//a | //b)[1];(//@* | //*)[2]""".split(";")

_NODE_FUNCTIONS = """
count(//*);count(//@*);count(//node());count(//text());count(/);count(//a[1]);count(//*/..);count(/descendant::*[3]);count(//b | //b)
name(/*);name(//@*);name(//text());name(//comment());name(//processing-instruction());local-name(//x:c);namespace-uri(//x:c);name(//x:c)
namespace-uri(/*);local-name(/);name(/);name();local-name();namespace-uri();name(//nothing);namespace-uri(//@x:k);local-name(//@x:k)
string(/);string(//b);string(//@a);string(//nothing);string(//text()[3]);string(//comment());string(//processing-instruction());string()
string(//item[3]);string(//b[2]/..);number(//item);number(//b);number(//nothing);number();sum(//item/@n);sum(//b);sum(//nothing);sum(//td);sum(//item)
boolean(//a);boolean(//nothing);boolean(//@a);id('k1');id('k1 k2');id(//b);id(//b/@ref);id('gruss');id('nothing');count(id('k2 k1 k2'))
lang('en');//*[lang('en')];//*[lang('de')];//*[lang('DE-at')];//*[lang('')];//text()[lang('en')];//@*[lang('fr')];id('salut')/..
""".replace("\n", ";").split(";")

_STRING_FUNCTIONS = """
string(1);string(-0);string(0.1);string(1.5);string(100);string(1 div 3);string(1 div 0);string(-1 div 0);string(0 div 0);string(true());string(false())
string(1000000);string(123456789);string(1234567890);string(12345678901);string(1000000000000);string(0.00001);string(0.000012);string(0.0000012)
string(123456.789);string(0.1 + 0.2);string(1e3);string(2 div 3);string(-2 div 3);string(99999999.5);string(3.14159265358979);string(1.10)
concat('a','b');concat('a',1,true(),//b);concat(//a,'-',//@a);starts-with('abc','ab');starts-with('abc','b');starts-with('abc','');starts-with('','a');contains('abc','b')
contains('abc','');contains('','');contains('abc','d');substring-before('1999/04/01','/');substring-before('abc','x');substring-before('abc','')
substring-after('1999/04/01','/');substring-after('1999/04/01','19');substring-after('abc','x');substring-after('abc','');substring('12345',2,3);substring('12345',2)
substring('12345',1.5,2.6);substring('12345',0,3);substring('12345',0 div 0,3);substring('12345',1,0 div 0);substring('12345',-42,1 div 0);substring('12345',-1 div 0,1 div 0)
substring('12345',-1);substring('12345',6);substring('12345',5,1);substring('12345',-1,3);substring('',1);substring('12345',1.4999,1.5);substring('12345',2,-1);substring('日本語',2,1)
string-length('');string-length('abc');string-length('日本語');string-length(//b);string-length();string-length(//scripts);normalize-space('  a   b  ');normalize-space('')
normalize-space(//c);normalize-space(//item);normalize-space();translate('bar','abc','ABC');translate('--aaa--','abc-','ABC');translate('aa','aa','bc');translate('','a','b');translate('abc','','x')
""".replace("\n", ";").split(";")

_NUMBER_FUNCTIONS = """
number('12');number(' 12 ');number('1 2');number('');number('abc');number('-5.5');number('.5');number('5.');number('--5');number('+5');number('1e3');number('1E-2');number(true());number(false())
floor(1.5);floor(-1.5);floor(0 div 0);floor(1 div 0);floor(-0.5);ceiling(1.5);ceiling(-1.5);ceiling(-0.5);ceiling(0);round(1.5);round(2.5);round(-1.5);round(-0.5);round(0.4999);round(-0.2);round(0 div 0);round(1 div 0)
string(round(-0.2));1 div round(-0.2);1 div ceiling(-0.5);1+2*3;(1+2)*3;10 div 4;10 mod 4;-10 mod 4;10 mod -4;5.5 mod 2;1 mod 0;0 mod 5;-5;--5;---5;- (3);1 - 1;1-1;3 -2;2*3;2 * 3 div 4;1 div 3 * 3
1 - -1;5 mod 2 mod 2;1 div 0 - 1 div 0;-(0);1 div -0;//item[1] + 1;//b + //b;//b * 2;-//b;//nothing + 1;'3' + '4';true() + true();count(//a) + count(//b) * 2
""".replace("\n", ";").split(";")

_COMPARISONS = [
    f"{left} {sign} {right}"
    for (left, right), sign in product(
        (("1", "2"), ("'1'", "1"), ("'a'", "'b'"), ("//item", "3"), ("//b", "//a"), ("//nothing", "''"),
         ("true()", "//a"), ("//@a", "'1'"), ("0 div 0", "0 div 0"), ("//td", "//item")),
        ("=", "!=", "<", ">="),
    )
]  # fmt: skip

_LOGIC = """
true() and false();true() or false();not(true());not(//a);not(//nothing);boolean(0);boolean(0 div 0);boolean('');boolean('false');boolean(-1);1 and 0;'' or 'a'
1 = 1 = 1;3 > 2 > 1;1 < 2 < 1;1 = true();'true' = true();'' = false();//a = true();//nothing = false();//nothing != true();1 or nothing;//a and //b;//item > //b;//b < //item;//b >= 10
(1 = 2) or (2 = 2);not(1 = 2) and //a;boolean(//a) = boolean(//b);//item[@n > 9];//item[@n >= 9.0];//item[@n != 9];//item[not(@n = 9)];2 = //b;'x' = //b;//b = //b;//@a = //@b;//@a != //@a
""".replace("\n", ";").split(";")

_WORDS = """
//div;//mod;//and;//or;div;mod | or;//*[div div mod];//text;//node;//comment;self::node();self::*;.;..;../..;./.;.//.;//*//*;//*//text();*;*[*];*[*]/*;* * *;2 * count(*);*|*;//*[.=.]
""".replace("\n", ";").split(";")

_SPACES = """
//namespace::*;/*/namespace::*;//*[namespace::x];count(//namespace::*);//namespace::x;//*[count(namespace::*) > 2];name(//namespace::*[name()='y']);string(/*/namespace::x);//namespace::*/..
""".replace("\n", ";").split(";")


def _listed() -> list[str]:
    groups = (_ON_AXES, _POSITIONS, _INSIDE, _FROM_TEXTS, _FROM_ATTRIBUTES, _PATHS, _UNIONS, _NODE_FUNCTIONS)
    more = (_STRING_FUNCTIONS, _NUMBER_FUNCTIONS, _COMPARISONS, _LOGIC, _WORDS, _SPACES)
    return list(dict.fromkeys(one.strip() for group in (*groups, *more) for one in group if one.strip()))


EXPRESSIONS = _listed()
