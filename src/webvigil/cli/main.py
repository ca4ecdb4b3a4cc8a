"""The `webvigil` command: finds the subcommand's module, runs it, and turns errors into one clear line.

Exit codes: 0 fine, 1 "there is a difference / not found", 2 trouble.
"""

from __future__ import annotations

import difflib
import os
import sys
from importlib import import_module
from typing import NoReturn

import click

from webvigil import __version__
from webvigil.cli.commands import COMMANDS
from webvigil.errors import NotFound, WebVigilError

TROUBLE = 2
NOT_FOUND = 1


class Commands(click.Group):
    """Lists the commands from the table, and imports a command's module only when the command is called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        module = import_module(f"webvigil.cli.{COMMANDS[cmd_name].module}")
        name = cmd_name.replace("-", "_")
        found = getattr(module, name, None) or getattr(module, f"{name}_")
        assert isinstance(found, click.Command)
        return found

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and not args[0].startswith("-") and args[0] not in COMMANDS:
            raise click.UsageError(_unknown(args[0]))
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, entry.help) for name, entry in COMMANDS.items()])


@click.command(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, "-V", "--version", prog_name="webvigil")
def webvigil() -> None:
    """Tells you when a page on the web changes in a way that matters to you.

    \b
    Example:
      webvigil serve --demo            dashboard on http://127.0.0.1:8420
      webvigil COMMAND --help          what a command takes, with an example
    """


def main() -> NoReturn:
    try:
        answer = webvigil.main(prog_name="webvigil", standalone_mode=False)
        sys.stdout.flush()
    except click.exceptions.Abort:
        _stop("stopped", 130)
    except click.exceptions.NoArgsIsHelpError as error:
        click.echo(error.ctx.get_help() if error.ctx else "", err=True)
        sys.exit(TROUBLE)
    except click.ClickException as error:
        _stop(_with_hint(error), TROUBLE)
    except NotFound as error:
        _stop(str(error), NOT_FOUND)
    except WebVigilError as error:
        _stop(str(error), TROUBLE)
    except BrokenPipeError:
        # The reader (`| head`) has ended. Without this, Python prints another error when it flushes at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(0)
    except OSError as error:
        _stop(_os_trouble(error), TROUBLE)
    except UnicodeError:
        _stop(
            "what was given is no text in UTF-8: check the names behind the command, and the files", TROUBLE
        )
    sys.exit(answer if isinstance(answer, int) else 0)


def _stop(message: str, code: int) -> NoReturn:
    from webvigil.cli.saying import say

    say(f"webvigil: {message}", err=True)
    sys.exit(code)


def _unknown(name: str) -> str:
    near = difflib.get_close_matches(name, COMMANDS, n=1)
    hint = f"did you mean {near[0]!r}?" if near else "'webvigil --help' lists the commands"
    return f"there is no command {name!r}; {hint}"


def _with_hint(error: click.ClickException) -> str:
    message = " ".join(error.format_message().split())
    if isinstance(error, click.UsageError) and error.ctx and error.ctx.info_name != "webvigil":
        return f"{message} (see '{error.ctx.command_path} --help')"
    return message


def _os_trouble(error: OSError) -> str:
    place = f"{error.filename}: " if error.filename else ""
    return f"{place}{error.strerror or error}"
