"""Old and broken HTML: unclosed tags, font tables, frames of markup that only a browser understands."""

from __future__ import annotations

from bench.quality.expect import Pair, deleted, either, gone, inserted, new, pair, shown, some, updated
from bench.quality.pages import edit

URL = "http://www.bandhall.example/gigs.htm"
GIGS = """<HTML>
<HEAD><TITLE>Band Hall - whats on</TITLE>
<META NAME="generator" CONTENT="PageMill 2.0">
<BODY BGCOLOR="#FFFFCC" BACKGROUND="paper.gif">
<CENTER><FONT SIZE=6 COLOR=red>Whats on at the Band Hall</FONT></CENTER>
<TABLE BORDER=0 WIDTH=100%><TR><TD WIDTH=150 VALIGN=top>
<A HREF=index.htm>Home<BR>
<A HREF=gigs.htm>Gigs<BR>
<A HREF=map.htm>How to find us</A>
<P><IMG SRC=trumpet.gif WIDTH=90 HEIGHT=120>
<TD>
<P>Doors open at <B>7.30 pm<P>Bar until <B>midnight</B>
<TABLE BORDER=1 CELLPADDING=4>
<TR><TH>Date<TH>Band<TH>Entry
<TR><TD>Fri 6 March<TD>The Valve Oil Seven<TD>8 pounds
<TR><TD>Sat 7 March<TD>Dixie Donkeys<TD>8 pounds
<TR><TD>Fri 13 March<TD>Sousa Night<TD>free
<TR><TD>Sat 14 March<TD>Low Brass Collective<TD>10 pounds
</TABLE>
<P>Please note:
<UL>
<LI>No dogs
<LI>Cash only
<LI>Bring your own cushion
</UL>
<P>You are visitor <IMG SRC="/cgi-bin/counter.gif"><BR>
<FONT SIZE=-1>Last changed by <A HREF="mailto:webmaster@bandhall.example">Ron</A>
</TABLE>
<!-- hits 20412 -->
</BODY>
"""
NESTED_URL = "http://www.allotments.example/"
NESTED = """<!DOCTYPE html PUBLIC "-//W3C//DTD HTML 4.01 Transitional//EN">
<html><head><title>Allotment society</title>
<script language=javascript>
<!--
document.write("<p>Today is " + new Date() + "</p>");
//-->
</script>
<body text=#000000>
<h1>Allotment society<h2>News</h1>
<p>The water is turned on from <b><i>1 April</b></i> until the end of October.
<p>Plots <font color=green>12, 15 and 31</font> are free. Write to the secretary & bring an <offer>.
<div><p>The shop is open on Sundays<div>from ten to noon</p></div>
<select name=plot><option>12<option>15<option>31</select>
<dl>
<dt>Rent<dd>30 pounds a year
<dt>Key deposit<dd>10 pounds
<dt>Compost<dd>free for members
</dl>
<p>Links: <a href="rules.html" target=_top>Rules<a href="http://www.seeds.example/?a=1&b=2">Seeds</a>
<img src="plan.gif" alt="Plan of the plots
and paths" usemap="#plan">
<map name=plan><area shape=rect coords="0,0,10,10" href="plot12.html"><area shape=rect coords="10,0,20,10" href="plot15.html"></map>
<p>Committee meeting 9 March at 8 pm in the pavilion
</body></html>
trailing text after the end
"""

PAIRS: tuple[Pair, ...] = (
    pair(
        "soup/gig-added-table",
        "table: {Band}",
        GIGS,
        edit(
            GIGS,
            (
                "<TR><TD>Fri 13 March",
                "<TR><TD>Sun 8 March<TD>Children's matinee<TD>3 pounds\n<TR><TD>Fri 13 March",
            ),
            ("hits 20412", "hits 20455"),
        ),
        shown("i", "Sun 8 March"),
        url=URL,
    ),
    pair(
        "soup/gig-price-table",
        "table: {Dixie Donkeys}",
        GIGS,
        edit(GIGS, ("<TD>Dixie Donkeys<TD>8 pounds", "<TD>Dixie Donkeys<TD>9 pounds")),
        updated("8 pounds", "9 pounds"),
        url=URL,
    ),
    pair(
        "soup/gigs-closed-properly-table",
        "table: {Date}",
        GIGS,
        edit(
            GIGS,
            ("<TR><TH>Date<TH>Band<TH>Entry\n", "<tbody><tr><th>Date</th><th>Band</th><th>Entry</th></tr>\n"),
            (
                "<TR><TD>Fri 6 March<TD>The Valve Oil Seven<TD>8 pounds\n",
                "<tr><td>Fri 6 March</td><td>The Valve Oil Seven</td><td>8 pounds</td></tr>\n",
            ),
            ("Bar until <B>midnight</B>", "Bar until one"),
        ),
        url=URL,
    ),
    pair(
        "soup/gigs-tags-closed-words",
        "all words",
        GIGS,
        edit(
            GIGS,
            ("<LI>No dogs\n<LI>Cash only\n", "<li>No dogs</li>\n<li>Cash only</li>\n"),
            ("<B>7.30 pm<P>", "<B>7.30 pm</B></P><P>"),
            ("hits 20412", "hits 20455"),
        ),
        url=URL,
    ),
    pair(
        "soup/gigs-words",
        "all words",
        GIGS,
        edit(GIGS, ("Sousa Night", "Sousa and Strauss Night"), ("7.30 pm", "7.00 pm")),
        inserted("and Strauss 7.00"),
        deleted("7.30"),
        url=URL,
    ),
    pair(
        "soup/gigs-list",
        "list: {No dogs}",
        GIGS,
        edit(GIGS, ("<LI>Cash only\n", "<LI>Cash or card\n")),
        updated("Cash only", "Cash or card"),
        url=URL,
    ),
    pair(
        "soup/gigs-images",
        "all images",
        GIGS,
        edit(GIGS, ("<IMG SRC=trumpet.gif WIDTH=90 HEIGHT=120>", "<IMG SRC=tuba.gif WIDTH=90 HEIGHT=120>")),
        new("http://www.bandhall.example/tuba.gif", 1),
        gone("http://www.bandhall.example/trumpet.gif", 1),
        url=URL,
    ),
    pair(
        "soup/gigs-image-resized",
        "all images",
        GIGS,
        edit(
            GIGS,
            ("<IMG SRC=trumpet.gif WIDTH=90 HEIGHT=120>", "<img height=60 width=45 src='trumpet.gif'>"),
            ("Cash only", "Card only"),
        ),
        url=URL,
    ),
    pair(
        "soup/gigs-links",
        "all links",
        GIGS,
        edit(
            GIGS,
            (
                "<A HREF=gigs.htm>Gigs<BR>",
                "<A HREF=gigs.htm>Gigs</A><BR><a href='archive.htm'>Past gigs</a><BR>",
            ),
        ),
        new("http://www.bandhall.example/archive.htm", 1),
        url=URL,
    ),
    pair(
        "soup/gigs-comments",
        "comments",
        GIGS,
        edit(GIGS, ("hits 20412", "hits 20455")),
        either((updated("hits 20412", "hits 20455"),), (shown("d", "hits 20412"), shown("i", "hits 20455"))),
        url=URL,
    ),
    pair(
        "soup/gigs-any-change-counter-comment",
        "any change",
        GIGS,
        edit(GIGS, ("hits 20412", "hits 20455"), ("CELLPADDING=4", "CELLPADDING=6")),
        url=URL,
    ),
    pair(
        "soup/gigs-phrase",
        "phrase: {Bring your own cushion}",
        GIGS,
        edit(GIGS, ("<LI>Bring your own cushion", "<LI>Bring your own chair")),
        updated("Bring your own cushion", "Bring your own chair"),
        url=URL,
    ),
    pair(
        "soup/gigs-attributes",
        "attributes",
        GIGS,
        edit(GIGS, ('BGCOLOR="#FFFFCC"', 'BGCOLOR="#CCFFCC"'), ("Cash only", "Card only")),
        updated("FFFFCC", "CCFFCC", "bgcolor"),
        url=URL,
    ),
    pair(
        "soup/gigs-attribute-case-and-quotes",
        "attributes",
        GIGS,
        edit(
            GIGS, ("<TD WIDTH=150 VALIGN=top>", "<td valign='top' width=\"150\">"), ("<CENTER>", "<center>")
        ),
        url=URL,
    ),
    pair(
        "soup/gigs-layout-menu-below",
        "layout",
        GIGS,
        edit(
            GIGS,
            (
                "<P><IMG SRC=trumpet.gif WIDTH=90 HEIGHT=120>\n<TD>\n",
                "<P><IMG SRC=trumpet.gif WIDTH=90 HEIGHT=120>\n<TR><TD COLSPAN=2>\n",
            ),
        ),
        some(),
        url=URL,
    ),
    pair(
        "soup/allotment-words",
        "all words",
        NESTED,
        edit(
            NESTED,
            ("9 March at 8 pm", "16 March at 8 pm"),
            ("12, 15 and 31</font> are free", "12 and 31</font> are free"),
        ),
        inserted("16"),
        deleted("9 15"),
        url=NESTED_URL,
    ),
    pair(
        "soup/allotment-script-words",
        "all words",
        NESTED,
        edit(
            NESTED,
            ('"<p>Today is "', '"<p>The date is "'),
            ("<b><i>1 April</b></i>", "<i><b>1 April</b></i>"),
        ),
        url=NESTED_URL,
    ),
    pair(
        "soup/allotment-area-links",
        "all links",
        NESTED,
        edit(
            NESTED,
            (
                '<area shape=rect coords="10,0,20,10" href="plot15.html">',
                '<area shape=rect coords="10,0,20,10" href="plot31.html">',
            ),
            ("?a=1&b=2", "?a=1&amp;b=2"),
        ),
        new("http://www.allotments.example/plot31.html", 1),
        gone("http://www.allotments.example/plot15.html", 1),
        url=NESTED_URL,
    ),
    pair(
        "soup/allotment-rent-list",
        "list: {Key deposit}",
        NESTED,
        edit(NESTED, ("<dd>30 pounds a year", "<dd>36 pounds a year")),
        updated("30 pounds a year", "36 pounds a year"),
        url=NESTED_URL,
    ),
    pair(
        "soup/allotment-keywords",
        "keywords: {free, water}",
        NESTED,
        edit(NESTED, ("free for members", "5 pounds a bag")),
        shown("d-", "free"),
        url=NESTED_URL,
    ),
    pair(
        "soup/allotment-cut-off",
        "keywords: {pavilion}",
        NESTED,
        NESTED[: NESTED.index("8 pm in the pavilion")],
        gone("pavilion", 1),
        url=NESTED_URL,
    ),
    pair(
        "soup/allotment-regex",
        r"regular expression: {[0-9]+ pounds}",
        NESTED,
        edit(NESTED, ("<dd>10 pounds", "<dd>15 pounds")),
        either((gone("10 pounds"), new("15 pounds")), (updated("10 pounds", "15 pounds"),)),
        url=NESTED_URL,
    ),
)
