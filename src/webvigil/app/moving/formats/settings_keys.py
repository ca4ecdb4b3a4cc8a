"""The settings of changedetection.io: those that each watch is given, and those that are only reported."""

from __future__ import annotations

from webvigil.app.moving.formats.said import Key

_PROGRAM = "is about the program itself"
_LIST = "says how the list of watches looks"
_FEED = "is about its feeds; here feeds have addresses of their own: webvigil contact add feed"
_AI = "has changes judged or retold by a language model"

# The settings that a watch is given under the name `KEY of the settings`, by the names they have there.
SHARED = {
    "requests": ("time_between_check", "proxy"),
    "application": (
        "fetch_backend",
        "webdriver_delay",
        "notification_urls",
        "global_ignore_text",
        "global_subtractive_selectors",
    ),
}

APPLICATION: dict[str, Key] = {
    "all_paused": Key(about="lets everything rest", becomes="disabled", usual=(False,)),
    "all_muted": Key(about="tells nobody", becomes="`Every interactive`", usual=(False,)),
    "fetch_backend": Key(about="chooses how pages are fetched", becomes="`Render browser`", record=True),
    "webdriver_delay": Key(
        about="waits before a page is read", becomes="`Render browser wait …`", record=True
    ),
    "global_ignore_text": Key(about="leaves out lines everywhere", becomes="`Ignore /.*….*/`", record=True),
    "global_subtractive_selectors": Key(
        about="leaves out parts everywhere", becomes="`Ignore …`", record=True
    ),
    "notification_urls": Key(about="tells by these addresses", becomes="`Notify By …`", record=True),
    "tags": Key(
        about="are the groups", becomes="`Topic`, and what a group says for its watches", record=True
    ),
    "notification_title": Key(
        about="words the title of messages; here the setting of a topic may, with Message"
    ),
    "notification_body": Key(about="words messages; here the setting of a topic may, with Message"),
    "notification_format": Key(
        about="says in which format messages are sent; here each channel takes its own"
    ),
    "filter_failure_notification_threshold_attempts": Key(
        about="says after how many looks a part that has gone is told; here it is told at once", usual=(0,)
    ),
    "empty_pages_are_a_change": Key(
        about="tells a page that ran empty; here it is looked at twice and told as trouble", usual=(False,)
    ),
    "ignore_whitespace": Key(about="takes no notice of white space", becomes="so it is anyway", record=True),
    "ignore_status_codes": Key(about="watches what an error page says", usual=(False,)),
    "render_anchor_tag_content": Key(
        about="reads the addresses of links as text; here write Monitor content OR all links", usual=(False,)
    ),
    "strip_ignored_lines": Key(about="does not show ignored lines", becomes="so it is anyway", record=True),
    "history_snapshot_max_length": Key(about="says how many versions are kept; here retention does"),
    "ssim_threshold": Key(
        about="says how much a picture must change; here write When changed > …%", usual=("0.96",)
    ),
    "min_change_percentage": Key(about="says how much a picture must change; here write When changed > …%"),
    "scheduler_timezone_default": Key(about="is the time zone; here each user has one: webvigil user"),
    "rss_reader_mode": Key(about="reads feeds as pages; here their entries are compared", usual=(False,)),
    "base_url": Key(about="is the address of the program; here the setting public_url is"),
    "password": Key(about="is the password of the program", usual=(False,)),
    "shared_diff_access": Key(
        about="shows changes to everybody; here single changes can be shared", usual=(False,)
    ),
    "api_access_token_enabled": Key(about=_PROGRAM, record=True),
    "api_access_token": Key(about=_PROGRAM, record=True),
    "rss_access_token": Key(about=_FEED, record=True),
    "rss_content_format": Key(about=_FEED, record=True),
    "rss_template_type": Key(about=_FEED, usual=("system_default",)),
    "rss_template_override": Key(about=_FEED),
    "rss_diff_length": Key(about=_FEED, usual=(5,)),
    "rss_hide_muted_watches": Key(about=_FEED, usual=(True,)),
    "pager_size": Key(about=_LIST, record=True),
    "schema_version": Key(about=_PROGRAM, record=True),
    "ui": Key(about=_LIST, record=True),
    "llm": Key(about=_AI),
    "theme": Key(about=_LIST, record=True),
    "extra_notification_token_values": Key(about=_PROGRAM, record=True),
}
REQUESTS: dict[str, Key] = {
    "time_between_check": Key(about="says how often it looks", becomes="`Fetch …`", record=True),
    "proxy": Key(about="asks through a proxy", record=True),
    "extra_proxies": Key(about="names proxies; here the operator does, with the setting proxies"),
    "extra_browsers": Key(about="names browsers that run elsewhere"),
    "jitter_seconds": Key(about="looks a little earlier or later by chance", usual=(0,)),
    "timeout": Key(
        about="limits how long an answer may take; here the setting fetch_timeout does", usual=(45,)
    ),
    "workers": Key(
        about="says how many pages are fetched at once; here the setting concurrency does", record=True
    ),
    "default_ua": Key(about="names the program; WebVigil says who it is"),
}
SETTINGS: dict[str, Key] = {
    "headers": Key(
        about="sends these headers everywhere", becomes="a log-in for each page, kept sealed", record=True
    ),
    "requests": Key(about="is about requests", becomes="see its keys", record=True),
    "application": Key(about="is about the program", becomes="see its keys", record=True),
}
TAG: dict[str, Key] = {
    "overrides_watch": Key(
        about="lets the group's price settings hold for its watches", becomes="`When …`", record=True
    ),
    "url_match_pattern": Key(
        about="puts watches into the group by their address", becomes="`Topic`", record=True
    ),
    "tag_colour": Key(about="is the colour of the group", record=True),
}
# The keys of a tag that its watches are given, as `KEY of a tag`.
OF_TAG = (
    *(
        "include_filters",
        "subtractive_selectors",
        "ignore_text",
        "trigger_text",
        "text_should_not_be_present",
    ),
    *("extract_text", "extract_lines_containing", "notification_urls"),
)
