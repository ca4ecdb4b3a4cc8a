"""The log channel, for scripts: a notice in, one line of JSON in the program's log out."""

from __future__ import annotations

import logging
from datetime import UTC, datetime

from webvigil.model.json_text import json_text
from webvigil.model.notice import Notice, Receipt
from webvigil.notify.channel import Means

_log = logging.getLogger("webvigil.notice")


def make(means: Means) -> LogChannel:
    return LogChannel()


class LogChannel:
    async def send(self, notice: Notice) -> Receipt:
        said = {"id": notice.dedup, "user": notice.user, "subject": notice.subject, **notice.body}
        line = json_text(said)
        _log.info("%s", line)
        return Receipt(dedup=notice.dedup, delivered_at=datetime.now(UTC))
