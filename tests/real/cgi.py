"""A CGI script in, a server on a loopback port out."""

from __future__ import annotations

import re
import subprocess
import threading
from collections.abc import Mapping
from email.parser import BytesHeaderParser
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import unquote

_EMPTY_LINE = re.compile(rb"\r?\n\r?\n")


class CgiServer:
    def __init__(self, script: Path, environment: Mapping[str, str]) -> None:
        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                _answer(self, script, environment)

            do_HEAD = do_GET  # noqa: N815

            def log_message(self, format: str, *arguments: object) -> None:  # noqa: A002
                """Writes no log, because nobody would read it."""

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.address = f"http://127.0.0.1:{self._server.server_port}"
        self._thread = threading.Thread(target=self._server.serve_forever, daemon=True)
        self._thread.start()

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


def _answer(handler: BaseHTTPRequestHandler, script: Path, environment: Mapping[str, str]) -> None:
    path, _, query = handler.path.partition("?")
    host, _, port = handler.headers.get("Host", "127.0.0.1:80").partition(":")
    asked = {
        "GATEWAY_INTERFACE": "CGI/1.1",
        "SERVER_PROTOCOL": "HTTP/1.1",
        "SERVER_SOFTWARE": "cgi",
        "SERVER_NAME": host,
        "SERVER_PORT": port or "80",
        "HTTP_HOST": handler.headers.get("Host", ""),
        "REMOTE_ADDR": "127.0.0.1",
        "REQUEST_METHOD": handler.command,
        "REQUEST_URI": handler.path,
        "SCRIPT_NAME": "",
        "PATH_INFO": unquote(path),
        "QUERY_STRING": query,
    }
    done = subprocess.run(
        [str(script)],
        env={**environment, **asked},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=False,
    )
    head, body = _EMPTY_LINE.split(done.stdout, 1)
    headers = BytesHeaderParser().parsebytes(head + b"\n\n")
    handler.send_response(int((headers.get("Status") or "200").split()[0]))
    for name, value in headers.items():
        if name.lower() not in ("status", "content-length"):
            handler.send_header(name, value)
    handler.send_header("Content-Length", str(len(body)))
    handler.end_headers()
    if handler.command != "HEAD":
        handler.wfile.write(body)
