"""`webvigil mcp`: lets programs that act for people use a WebVigil server, in the Model Context Protocol."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from mcp.server.auth.provider import AccessToken

    from webvigil.cli.asking import Asking


@click.command()
@click.option(
    "--server", metavar="URL", help="The WebVigil server (default WEBVIGIL_SERVER or this machine)."
)
@click.option("--token", metavar="T", help="API token; better given as WEBVIGIL_TOKEN.")
@click.option("--plain-http", is_flag=True, help="Send the token to another machine without TLS.")
@click.option("--http", is_flag=True, help="Serve over HTTP; each caller sends a token of their own.")
@click.option("--host", metavar="H", default="127.0.0.1", show_default=True, help="With --http: listen here.")
@click.option(
    "--port", metavar="N", default=8421, show_default=True, type=click.IntRange(1, 65535), help="With --http."
)
def mcp(server: str | None, token: str | None, plain_http: bool, http: bool, host: str, port: int) -> None:
    """Offer tools to assistants: watch, list, explain, search and read changes, compare versions.

    Without --http it speaks over standard input and output, for programs that start it themselves. With a
    token of the scope read there is then no tool that writes. Over HTTP all tools are listed, and the server
    refuses what the scope of the caller's token does not allow.

    \b
    Example:
      WEBVIGIL_TOKEN=wv_… webvigil mcp --server https://vigil.example
      webvigil mcp --http --port 8421
    """
    import asyncio

    address = server or os.environ.get("WEBVIGIL_SERVER") or "http://127.0.0.1:8420"
    if http:
        asyncio.run(_over_http(address, plain_http, host, port))
    else:
        asyncio.run(_over_stdio(_asking(address, token or os.environ.get("WEBVIGIL_TOKEN"), plain_http)))


def _asking(address: str, token: str | None, plain_http: bool) -> Asking:
    from webvigil.cli.address import server
    from webvigil.cli.asking import Asking

    return Asking(server(address, token, plain_http=plain_http), os.environ.get("WEBVIGIL_CA_FILE", ""))


async def _over_stdio(asking: Asking) -> None:
    from webvigil.cli.tools import may_write, require_mcp, server_with_tools

    require_mcp()
    # Asked first, so that a wrong address or token is told before anything is offered.
    scope = asking.ask("GET", "/me").content.get("scope")
    await server_with_tools(lambda: asking, writes=may_write(scope)).run_stdio_async()


async def _over_http(address: str, plain_http: bool, host: str, port: int) -> None:
    from webvigil.cli.address import checked_address
    from webvigil.cli.tools import require_mcp, server_with_tools

    require_mcp()
    address = checked_address(address, plain_http=plain_http)
    from mcp.server.auth.middleware.auth_context import get_access_token
    from mcp.server.auth.settings import AuthSettings
    from pydantic import AnyHttpUrl

    def asking() -> Asking:
        found = get_access_token()
        return _asking(address, found.token if found else None, plain_http)

    auth: dict[str, Any] = {"issuer_url": AnyHttpUrl(address), "resource_server_url": None}
    server = server_with_tools(
        asking, writes=True, token_verifier=_Verifier(address, plain_http), auth=AuthSettings(**auth)
    )
    click.echo(f"Tools are offered at http://{host}:{port}/mcp (stop with Ctrl-C)", err=True)
    await server.run_streamable_http_async(host=host, port=port, stateless_http=True)


class _Verifier:
    """Asks the WebVigil server whether it knows a token, and what scope it has."""

    def __init__(self, address: str, plain_http: bool) -> None:
        self._address = address
        self._plain_http = plain_http

    async def verify_token(self, token: str) -> AccessToken | None:
        import asyncio

        from mcp.server.auth.provider import AccessToken

        from webvigil.errors import WebVigilError

        try:
            asking = _asking(self._address, token, self._plain_http)
            told = (await asyncio.to_thread(asking.ask, "GET", "/me")).content
        except WebVigilError:
            return None
        return AccessToken(token=token, client_id=str(told.get("name")), scopes=[str(told.get("scope"))])
