"""The e-mail channel: a notice in, a mail handed to an SMTP server out.

The channel speaks TLS and logs in if the server wants it. A few connections are kept open for further mails.
"""

from __future__ import annotations

import asyncio
import os
import re
import time
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime

import aiosmtplib

from webvigil.errors import ChannelBusy, ChannelError, ChannelRefused
from webvigil.model.notice import Notice, Receipt
from webvigil.notify.channel import MailServer, Means
from webvigil.notify.mail import Mail, address_of, mail
from webvigil.notify.render import Links, Renderer

# An idle connection is reused within this time only, because the server may have closed an older one. At most
# so many connections are open at a time.
_KEPT_SECONDS = 20.0
_AT_A_TIME = 4
# How Python tells a reason of the system: a number, and the address again.
_NUMBERED = re.compile(r":? *\[Errno (\d+)\].*")


def make(means: Means) -> EmailChannel:
    return EmailChannel(means.mail_server, means.renderer, means.links)


class EmailChannel:
    """Renders notices as mails and hands them to the mail server."""

    def __init__(self, server: MailServer, renderer: Renderer, links: Callable[[Notice], Links]) -> None:
        self._post = _Post(server)
        self._sender = server.sender
        self._renderer = renderer
        self._links = links

    async def send(self, notice: Notice) -> Receipt:
        now = datetime.now(UTC)
        message = await asyncio.to_thread(self._message, notice, now)
        reference = await self._post.hand_over(message, address_of(notice.address).addr_spec)
        return Receipt(dedup=notice.dedup, delivered_at=now, reference=reference[:200])

    async def close(self) -> None:
        await self._post.close()

    def _message(self, notice: Notice, now: datetime) -> Mail:
        links = self._links(notice)
        rendered = self._renderer.render(notice, links)
        return mail(notice, rendered, sender=self._sender, at=now, stop=links.stop)


class _Post:
    """A few connections to the mail server. A connection that was idle for too long is closed."""

    def __init__(self, server: MailServer) -> None:
        self._server = server
        self._idle: list[tuple[aiosmtplib.SMTP, float]] = []
        self._slots = asyncio.Semaphore(_AT_A_TIME)

    async def hand_over(self, message: Mail, to: str) -> str:
        """Sends a mail and returns the server's answer. Raises ChannelBusy or ChannelRefused."""
        sender = address_of(self._server.sender).addr_spec
        async with self._slots:
            connection = await self._connection()
            try:
                options = ["SMTPUTF8"] if message.wide else []
                _, answer = await connection.sendmail(sender, [to], message.content, mail_options=options)
            except BaseException as error:
                connection.close()
                if isinstance(error, (aiosmtplib.SMTPException, OSError, ValueError)):
                    raise _translated(error) from error
                raise
            self._idle.append((connection, time.monotonic()))
            return answer

    async def close(self) -> None:
        while self._idle:
            connection, _ = self._idle.pop()
            with suppress(aiosmtplib.SMTPException, OSError):
                await connection.quit()

    async def _connection(self) -> aiosmtplib.SMTP:
        while self._idle:
            connection, since = self._idle.pop()
            if connection.is_connected and time.monotonic() - since < _KEPT_SECONDS:
                return connection
            connection.close()
        return await self._connected()

    async def _connected(self) -> aiosmtplib.SMTP:
        server = self._server
        connection = aiosmtplib.SMTP(
            hostname=server.host,
            port=server.port,
            use_tls=server.security == "tls",
            start_tls=server.security == "starttls",
            tls_context=server.tls if server.security != "none" else None,
            timeout=server.timeout,
        )
        try:
            await connection.connect()
            if server.user:
                await connection.login(server.user, server.password)
        except (aiosmtplib.SMTPException, OSError, ValueError) as error:
            connection.close()
            # The mail server itself cannot be used, which says nothing about this notice: it is tried later.
            raise ChannelBusy(f"the mail server cannot be used: {_words(error)}") from error
        return connection


def _translated(error: BaseException) -> ChannelError:
    """Returns our error for an SMTP error. Answers with 4xx and lost connections pass by themselves, answers
    with 5xx do not (RFC 5321, 4.2.1)."""
    if isinstance(error, aiosmtplib.SMTPRecipientsRefused) and error.recipients:
        error = error.recipients[0]
    if isinstance(error, aiosmtplib.SMTPSenderRefused) or not 500 <= _code(error) < 600:
        if isinstance(error, (ValueError, aiosmtplib.SMTPNotSupported)):
            return ChannelRefused(f"the mail cannot be sent: {_words(error)}")
        return ChannelBusy(f"the mail server does not take it now: {_words(error)}")
    return ChannelRefused(f"the mail server refuses it: {_words(error)}")


def _words(error: BaseException) -> str:
    """Returns what the mail server or the system said, with the reason of the system in words."""
    code = _code(error)
    text = " ".join(str(getattr(error, "message", "") or str(error) or type(error).__name__).split())
    text = _NUMBERED.sub(lambda found: f" ({os.strerror(int(found[1]))})", text)
    return f"{code} {text}"[:300] if code else text[:300]


def _code(error: BaseException) -> int:
    """Returns the code of the server's answer, 0 if there was none."""
    return int(getattr(error, "code", 0))
