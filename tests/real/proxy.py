"""A server that stands before an application, writes down what is asked and, when it is told to, answers in
the application's place."""

from __future__ import annotations

import threading
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import httpx2

BAD_ANSWERS = {
    "empty": "",
    "maintenance": "<html><head><title>Down for maintenance</title></head><body><h1>Down for maintenance</h1>"
    "<p>We will be back shortly. Please try again in a few minutes.</p></body></html>",
    "log-in": "<html><head><title>Sign in</title></head><body><h1>Please sign in</h1><form method='post'"
    " action='/login'><label>User <input name='user'></label><label>Password <input type='password'"
    " name='password'></label><button>Sign in</button></form></body></html>",
}
"""Answers with status 200 that are not the page."""

# Headers that hold for one connection, or for a body as it was coded on it.
_OF_THE_WAY = {"connection", "keep-alive", "transfer-encoding", "content-length", "content-encoding", "te"}


@dataclass(frozen=True)
class Request:
    """One line of the access log, with the body that was sent."""

    method: str
    path: str
    body: bytes = b""


class Proxy:
    def __init__(self, address: str) -> None:
        self.instead: str | None = None
        """The answer to every request, in place of the application's; None: the application answers."""
        self.requests: list[Request] = []
        """What was asked, in order."""
        proxy, client = self, httpx2.Client(base_url=address, timeout=60, follow_redirects=False)

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self) -> None:
                body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
                proxy.requests.append(Request(self.command, self.path, body))
                if proxy.instead is None:
                    _pass_on(self, client, body)
                else:
                    _send(self, 200, [("Content-Type", "text/html; charset=utf-8")], proxy.instead.encode())

            do_HEAD = do_POST = do_PUT = do_GET  # noqa: N815

            def log_message(self, format: str, *arguments: object) -> None:  # noqa: A002
                """Writes no log, because nobody would read it."""

        self._client = client
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.address = f"http://127.0.0.1:{self._server.server_port}"
        self._thread = threading.Thread(target=self._server.serve_forever, daemon=True)
        self._thread.start()

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()
        self._client.close()


def _pass_on(handler: BaseHTTPRequestHandler, client: httpx2.Client, body: bytes) -> None:
    headers = [(name, value) for name, value in handler.headers.items() if name.lower() not in _OF_THE_WAY]
    answer = client.request(handler.command, handler.path, headers=headers, content=body)
    kept = [(name, value) for name, value in answer.headers.multi_items() if name.lower() not in _OF_THE_WAY]
    _send(handler, answer.status_code, kept, answer.content)


def _send(handler: BaseHTTPRequestHandler, status: int, headers: list[tuple[str, str]], body: bytes) -> None:
    handler.send_response_only(status)
    for name, value in headers:
        handler.send_header(name, value)
    if status not in (204, 304):
        handler.send_header("Content-Length", str(len(body)))
    handler.end_headers()
    if handler.command != "HEAD" and status not in (204, 304):
        handler.wfile.write(body)
