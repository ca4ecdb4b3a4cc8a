"""A real mail server on loopback. The mails it takes are read again as a mail program would read them."""

from __future__ import annotations

import asyncio
import email
import email.policy
import ssl
import threading
from collections.abc import Callable
from email.message import EmailMessage
from types import TracebackType
from typing import Any, Self

from aiosmtpd.smtp import SMTP, AuthResult, Envelope, LoginPassword, Session

from webvigil.fetch.gate import close_listening


class Mailbox:
    """The mail server. Each of `answers` is given to one mail; after them all mails are taken."""

    def __init__(
        self,
        *,
        tls: ssl.SSLContext | None = None,
        starttls: ssl.SSLContext | None = None,
        login: tuple[str, str] | None = None,
    ) -> None:
        self.mails: list[EmailMessage] = []
        self.envelopes: list[Envelope] = []
        self.answers: list[str] = []
        self.recipients: dict[str, str] = {}
        self.was_secret: list[bool] = []
        self.count = 0
        self.connections = 0
        self.keeps = True
        self.port = 0
        self._login = login
        self._tls = tls
        self._options = {
            "tls_context": starttls,
            "require_starttls": bool(starttls),
            "auth_required": bool(login),
            "auth_require_tls": bool(starttls),
            "authenticator": self._authenticate if login else None,
            "enable_SMTPUTF8": True,
        }
        self._ready = threading.Event()
        self._stop: Callable[[], object] = lambda: None
        self._thread = threading.Thread(target=lambda: asyncio.run(self._serve()), daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        assert self._ready.wait(10)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stop()
        self._thread.join(10)

    async def _serve(self) -> None:
        loop, over = asyncio.get_running_loop(), asyncio.Event()
        self._stop = lambda: loop.call_soon_threadsafe(over.set)
        sessions: list[SMTP] = []

        def session() -> SMTP:
            self.connections += 1
            sessions.append(SMTP(self, hostname="mail.test", loop=loop, **self._options))
            return sessions[-1]

        server = await loop.create_server(session, "127.0.0.1", 0, ssl=self._tls)
        self.port = int(server.sockets[0].getsockname()[1])
        self._ready.set()
        await over.wait()
        await close_listening(server)
        for one in sessions:
            if one.transport:
                one.transport.abort()
        await asyncio.sleep(0.05)

    async def handle_RCPT(  # noqa: N802
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: Any
    ) -> str:
        if address in self.recipients:
            return self.recipients[address]
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:  # noqa: N802
        answer = self.answers.pop(0) if self.answers else "250 taken"
        if not answer.startswith("2"):
            return answer
        self.count += 1
        if self.keeps:
            content = envelope.content
            assert isinstance(content, bytes)
            self.was_secret.append(session.ssl is not None)
            self.envelopes.append(envelope)
            self.mails.append(email.message_from_bytes(content, policy=email.policy.default))  # type: ignore[arg-type]
        return answer

    def _authenticate(
        self, server: SMTP, session: Session, envelope: Envelope, kind: str, data: Any
    ) -> AuthResult:
        assert isinstance(data, LoginPassword)
        known = (data.login.decode(), data.password.decode()) == self._login
        return AuthResult(success=known, handled=False)


def part(mail: EmailMessage, kind: str) -> str:
    found = mail.get_body((kind,))
    assert found is not None
    return str(found.get_content())
