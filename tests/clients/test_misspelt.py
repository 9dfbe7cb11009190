"""A command that is misspelt says what is nearest to it, with exit code 2 as ever."""

import pytest

from ronda_cli.main import main
from ronda_cli.parsing import Parser


def said(capsys: pytest.CaptureFixture[str], arguments: str) -> tuple[str, str]:
    """Give the first line, the usage's, and the last, the error, of a wrong use of `ronda`."""
    with pytest.raises(SystemExit) as raised:
        main(arguments.split())
    assert raised.value.code == 2
    out, err = capsys.readouterr()
    assert out == ""
    lines = err.splitlines()
    return lines[0], lines[-1]


@pytest.mark.parametrize(
    ("arguments", "error", "near"),
    [
        ("mach --verson", "ronda: error: argument COMMAND: invalid choice: 'mach' (", "'match'?"),
        ("tournment run", "ronda: error: argument COMMAND: invalid choice: ", "'tournament'?"),
        ("matches lst", "ronda matches: error: argument ACTION: invalid choice: ", "'list'?"),
        (
            "matches list --target 127.0.0.1:1 --state plying",
            "ronda matches list: error: argument --state: invalid choice: 'plying' (",
            "'playing'?",
        ),
    ],
)
def test_the_nearest_choice_is_named(
    capsys: pytest.CaptureFixture[str], arguments: str, error: str, near: str
) -> None:
    """A command, what it is to do, and an option's value, after all that there is to choose."""
    _, last = said(capsys, arguments)
    assert last.startswith(error)
    assert last.endswith(f"); did you mean {near}")


@pytest.mark.parametrize(
    ("arguments", "command", "error", "near"),
    [
        (
            "audit --quite m.rlog",
            "ronda audit",
            "unrecognized arguments: --quite",
            "--quiet instead of --quite",
        ),
        (
            "matches list --taget=127.0.0.1:1",
            "ronda matches list",
            "the following arguments are required: --target",
            "--target instead of --taget",
        ),
        (
            "match --target 127.0.0.1:1 -seats 2 --ruleset sarii",
            "ronda match",
            "unrecognized arguments: -seats 2 --ruleset sarii",
            "--seats instead of -seats, --rule-set instead of --ruleset",
        ),
        (
            "tournament audit folder --jb 2",
            "ronda tournament audit",
            "unrecognized arguments: --jb 2",
            "--jobs instead of --jb",
        ),
        (
            "--verson",
            "ronda",
            "the following arguments are required: COMMAND",
            "--version instead of --verson",
        ),
    ],
)
def test_the_nearest_option_is_named(
    capsys: pytest.CaptureFixture[str], arguments: str, command: str, error: str, near: str
) -> None:
    """Also where it is missing because it was misspelt; the usage is that of the same command."""
    usage, last = said(capsys, arguments)
    assert usage.startswith(f"usage: {command} [")
    assert last == f"{command}: error: {error}; did you mean {near}?"


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        ("audit m.rlog --x-h", "ronda audit: error: unrecognized arguments: --x-h"),
        ("audit m.rlog --zzzzz", "ronda audit: error: unrecognized arguments: --zzzzz"),
        ("replay m.rlog --html", "ronda replay: error: argument --html: expected one argument"),
        ("replay m.rlog seatt", "ronda replay: error: unrecognized arguments: seatt"),
        ("replay m.rlog -- --sead", "ronda replay: error: unrecognized arguments: --sead"),
        ("match", "ronda match: error: the following arguments are required: --target"),
        (
            "match --seats 33",
            "ronda match: error: argument --seats: invalid choice: 33 (choose from 2, 3, 4)",
        ),
    ],
)
def test_nothing_is_named_where_nothing_is_misspelt(
    capsys: pytest.CaptureFixture[str], arguments: str, error: str
) -> None:
    """Like nothing that there is, behind `--`, a number, or simply not there."""
    assert said(capsys, arguments)[1] == error


def test_without_arguments_those_of_the_process_are_read(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """As every parser of Python's does."""
    monkeypatch.setattr("sys.argv", ["cup", "--hlep"])
    with pytest.raises(SystemExit):
        Parser(prog="cup").parse_args()
    assert capsys.readouterr().err.splitlines()[-1] == (
        "cup: error: unrecognized arguments: --hlep; did you mean --help instead of --hlep?"
    )


def test_an_option_may_be_cut_short_as_ever(capsys: pytest.CaptureFixture[str]) -> None:
    """--targ is --target, and no misspelling of it."""
    _, last = said(capsys, "match --targ 127.0.0.1:1 --sets 2")
    assert last.endswith(
        "unrecognized arguments: --sets 2; did you mean --seats instead of --sets?"
    )
    _, last = said(capsys, "matches list --stat joining")
    assert last == "ronda matches list: error: the following arguments are required: --target"
