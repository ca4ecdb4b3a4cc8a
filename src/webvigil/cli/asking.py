"""A request to a WebVigil server in, its answer out, or an error that says what happened and what to do.

Only the named address ever gets the token: redirects are reported and not followed, and proxies of the
environment are not used for a server on this machine. The module uses the standard library only, because a
command that sends one request should not wait until a client for thousands of connections is loaded.
"""

from __future__ import annotations

import http.client
import json
import socket
import ssl
import time
import urllib.request
from collections.abc import Mapping
from dataclasses import dataclass
from http import HTTPStatus
from pathlib import Path
from typing import Any, NoReturn
from urllib.error import URLError
from urllib.parse import urlencode

from webvigil import __version__
from webvigil.cli.address import MAKE_ONE, Server
from webvigil.errors import NotFound, RemoteError, RemoteRefused, RemoteUnreachable, SettingRefused

PATIENCE = 60.0
"""Seconds to wait for an answer. A server takes some seconds to install a file of thousands of sentinels."""
# Bytes of an answer; what answers may be any program.
LARGEST = 64_000_000
_PIECE = 1 << 16
_JSON = ("application/json", "application/problem+json")


@dataclass(frozen=True, slots=True)
class Answer:
    status: int
    headers: Mapping[str, str]
    content: Any


class Asking:
    """Sends requests to one server. `ca_file` names further certificate authorities to trust; `patience` is
    the longest wait for an answer in seconds."""

    def __init__(self, server: Server, ca_file: str = "", patience: float = PATIENCE) -> None:
        self.server = server
        self._patience = patience
        self._opener = _opener(server, ca_file)

    def ask(
        self, method: str, path: str, *, about: str | int | None = None, body: Any = None, **query: Any
    ) -> Answer:
        """Sends a request and returns the answer. `about` is the name or id asked for: status 404 counts as
        NotFound only if the answer contains that name; any other 404 may come from another program."""
        asked = f"/api/v1{path}" + (f"?{urlencode(query)}" if query else "")
        headers = {"Authorization": f"Bearer {self.server.token}"}
        content = None
        if body is not None:
            headers["Content-Type"] = "application/json"
            content = json.dumps(body).encode()
        return self._judged(self._answer(method, asked, headers, content), about)

    def misunderstood(self) -> NoReturn:
        """Raises RemoteRefused for an answer that cannot be read. Asks the server, without the token, whether
        it is WebVigil and which version."""
        try:
            there = self._answer("GET", "/healthz", {}, None).content
        except RemoteError:
            there = None
        if not isinstance(there, dict) or "queue_age" not in there:
            raise RemoteRefused(f"what answers at {self.server.address} is not WebVigil; look at the address")
        version = str(there.get("version", "of another version"))[:40]
        raise RemoteRefused(
            f"{self.server.address} is WebVigil {version} and answers what this command, of WebVigil "
            f"{__version__}, does not understand; use the same version on both sides"
        )

    def _answer(self, method: str, path: str, headers: dict[str, str], body: bytes | None) -> Answer:
        request = urllib.request.Request(  # noqa: S310  (the scheme was judged: see address)
            self.server.address + path,
            data=body,
            method=method,
            headers={**headers, "Accept": ", ".join(_JSON), "User-Agent": f"WebVigil/{__version__}"},
        )
        try:
            with self._opener.open(request, timeout=self._patience) as response:
                content = _read(response, time.monotonic() + self._patience)
                return Answer(response.status, response.headers, self._parsed(response, content))
        except RemoteError:
            raise
        except URLError as error:
            raise _unreachable(self.server.address, error.reason, self._patience) from error
        except UnicodeError as error:  # urllib cannot encode the host name, so no such host exists
            raise _unreachable(self.server.address, socket.gaierror(), self._patience) from error
        except (OSError, http.client.HTTPException) as error:
            raise _cut_off(self.server.address, error, self._patience, method) from error

    def _parsed(self, response: http.client.HTTPResponse, content: bytes) -> Any:
        """Returns the JSON of an answer, or None if it is empty on purpose. Raises RemoteRefused for a
        redirect or for content that is no JSON."""
        if 300 <= response.status < 400:
            raise RemoteRefused(_redirected(self.server.address, response.headers.get("Location", "")))
        if not content and response.status == HTTPStatus.NO_CONTENT:
            return None
        if response.headers.get_content_type() in _JSON:
            try:
                return json.loads(content)
            except (ValueError, RecursionError):
                pass
        raise RemoteRefused(_foreign(self.server.address, response.status))

    def _judged(self, answer: Answer, about: str | int | None) -> Answer:
        """Returns an answer that is a success. Raises the error that fits its status otherwise."""
        if answer.status < 300:
            return answer
        detail = answer.content.get("detail") if isinstance(answer.content, dict) else None
        if not isinstance(detail, str):
            self.misunderstood()
        match answer.status:
            case 401:
                raise RemoteRefused(f"{self.server.address} does not know this token; {MAKE_ONE}")
            case 403:
                raise RemoteRefused(f"{detail}; {MAKE_ONE}")
            case 404 if about is not None and repr(about) in detail:
                raise NotFound(detail)
            case 404 | 405:
                self.misunderstood()
            case 429 | 503:
                raise RemoteUnreachable(detail)
        raise RemoteRefused(detail)


def _opener(server: Server, ca_file: str) -> urllib.request.OpenerDirector:
    """Returns an opener that speaks HTTP(S) only: it follows no redirects, opens no files, and uses no stored
    passwords."""
    opener = urllib.request.OpenerDirector()
    opener.add_handler(urllib.request.ProxyHandler({} if server.local else None))
    if server.address.startswith("https:"):
        opener.add_handler(urllib.request.HTTPSHandler(context=_trust(ca_file)))
    else:
        opener.add_handler(urllib.request.HTTPHandler())
    return opener


def _trust(ca_file: str) -> ssl.SSLContext:
    context = ssl.create_default_context()
    if ca_file:
        try:
            context.load_verify_locations(Path(ca_file))
        except (OSError, ssl.SSLError) as error:
            raise SettingRefused(f"ca_file {ca_file} holds no certificates that can be read") from error
    return context


def _read(response: http.client.HTTPResponse, end: float) -> bytes:
    content = b""
    while piece := response.read1(_PIECE):
        content += piece
        if len(content) > LARGEST:
            raise RemoteRefused(f"the answer is larger than {LARGEST // 1_000_000} MB")
        if time.monotonic() > end:
            raise TimeoutError
    if response.length:  # read1 does not report that the connection ended before the whole answer came
        raise http.client.IncompleteRead(content, response.length)
    return content


def _unreachable(address: str, reason: object, patience: float) -> RemoteError:
    """Returns the error for a connection that failed before the request was sent."""
    match reason:
        case ssl.SSLCertVerificationError():
            return RemoteRefused(
                f"the certificate of {address} is not trusted ({reason.verify_message}); name the file of an "
                "authority of your own in WEBVIGIL_CA_FILE"
            )
        case ssl.SSLError():
            return RemoteRefused(f"{address} does not speak TLS as it should ({reason.reason}); is it http?")
        case socket.gaierror():
            return RemoteUnreachable(f"{address} is not reachable: nobody knows this host; look at the name")
        case TimeoutError():
            return RemoteUnreachable(f"{address} is not reachable: no connection in {patience:g} s")
        case ConnectionRefusedError():
            return RemoteUnreachable(
                f"{address} is not reachable: nothing listens there; is 'webvigil serve' running, and the "
                "port right?"
            )
        case OSError() if reason.strerror:
            return RemoteUnreachable(f"{address} is not reachable: {reason.strerror}")
    return RemoteUnreachable(f"{address} is not reachable: {reason}")


def _cut_off(address: str, error: Exception, patience: float, method: str) -> RemoteError:
    """Returns the error for a connection that failed after the request was sent, so that the server may have
    acted on it."""
    done = "" if method == "GET" else "; whether it was done is not known: 'webvigil list' tells"
    if isinstance(error, TimeoutError):
        return RemoteUnreachable(f"{address} gave no answer in {patience:g} s{done}")
    if isinstance(error, OSError | http.client.IncompleteRead):
        return RemoteUnreachable(f"{address} ended the connection before its answer was whole{done}")
    return RemoteRefused(f"what answers at {address} does not speak HTTP; look at the address and the port")


def _redirected(address: str, to: str) -> str:
    where = f"to {to[:200]}" if to else "elsewhere"
    return f"{address} sends us {where}; the token is not sent there. Name the address that answers itself"


def _foreign(address: str, status: int) -> str:
    if status in (502, 503, 504):
        return f"{address} answers {status}: the WebVigil behind it is not there; try again later"
    return f"what answers at {address} is not WebVigil (status {status}, no JSON); look at the address"
