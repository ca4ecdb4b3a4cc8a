"""Whatever a command raises becomes one line and an exit code: 0 fine, 1 different or absent, 2 trouble."""

from __future__ import annotations

from typing import Any

import click
import pytest

from webvigil.cli import main
from webvigil.cli.commands import COMMANDS
from webvigil.errors import NotFound, PageRefused


def ended(monkeypatch: pytest.MonkeyPatch, answer: Any) -> int:
    """Returns the exit code of a command that returns or raises this."""

    def run(**options: Any) -> Any:
        if isinstance(answer, BaseException):
            raise answer
        return answer

    monkeypatch.setattr(main.webvigil, "main", run)
    with pytest.raises(SystemExit) as caught:
        main._main()
    assert isinstance(caught.value.code, int)
    return caught.value.code


def context(name: str) -> click.Context:
    return click.Context(click.Command(name), info_name=name)


@pytest.mark.parametrize(
    ("answer", "code", "said"),
    [
        (None, 0, ""),
        (0, 0, ""),
        (1, 1, ""),
        (2, 2, ""),
        ("text", 0, ""),
        (click.exceptions.Abort(), 130, "stopped"),
        (click.ClickException("no\n  way"), 2, "no way"),
        (click.UsageError("no", context("add")), 2, "no (see 'add --help')"),
        (click.UsageError("no", context("webvigil")), 2, "no"),
        (click.UsageError("no"), 2, "no"),
        (NotFound("there is no sentinel s"), 1, "there is no sentinel s"),
        (PageRefused("it said 404"), 2, "it said 404"),
        (FileNotFoundError(2, "No such file", "a.txt"), 2, "a.txt: No such file"),
        (OSError(28, "No space left"), 2, "No space left"),
        (OSError("odd"), 2, "odd"),
        (
            UnicodeError("x"),
            2,
            "what was given is no text in UTF-8: check the names behind the command, and the files",
        ),
    ],
)
def test_the_end_of_a_command(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], answer: Any, code: int, said: str
):
    assert ended(monkeypatch, answer) == code
    assert capsys.readouterr() == ("", f"webvigil: {said}\n" if said else "")


def test_without_arguments_the_help_is_shown(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    assert ended(monkeypatch, click.exceptions.NoArgsIsHelpError(context("add"))) == 2
    assert "Usage: add" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("dif x y", "there is no command 'dif'; did you mean 'diff'?"),
        ("dif", "there is no command 'dif'; did you mean 'diff'?"),
        ("xyzzy", "there is no command 'xyzzy'; 'webvigil --help' lists the commands"),
    ],
)
def test_an_unknown_command_is_answered_with_the_nearest(name: str, said: str):
    with pytest.raises(click.UsageError) as caught:
        main.webvigil.main(name.split(), standalone_mode=False)
    assert caught.value.message == said


def test_every_command_of_the_table_is_found_and_listed():
    group = main.webvigil
    assert isinstance(group, main.Commands)
    assert group.list_commands(context("webvigil")) == list(COMMANDS)
    for name in COMMANDS:
        assert isinstance(group.get_command(context("webvigil"), name), click.Command), name
    assert group.get_command(context("webvigil"), "xyzzy") is None


def test_a_reader_that_has_ended_is_no_trouble(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(main.os, "dup2", lambda *_: None)
    assert ended(monkeypatch, BrokenPipeError()) == 0


def test_a_known_command_is_run_with_what_stands_behind_it(capsys: pytest.CaptureFixture[str]):
    assert main.webvigil.main(["diff", "--help"], standalone_mode=False) == 0
    assert main.webvigil.main(["--version"], standalone_mode=False) == 0
    assert capsys.readouterr().out.partition("[")[0].endswith(" diff ")
