"""`ronda rules check` says everything that is wrong with files of house rules."""

import json
from pathlib import Path

import pytest

from ronda_cli.main import main
from ronda_conformance import data_folders

OWN = 'id = "house"\ntitle = "House"\nsummary = "Ours."\nsource = "house"\n'
LETTERS = "S: the text is silent, L: the less certain of two readings"
TIMINGS = "FIRST_TURN, IN_ORDER, SIMULTANEOUS, AUTOMATIC"
DOUBLES = """
kinds = { ronda = 1, tringa = 5, double_ronda = 2 }
false_penalty = { ronda = 1, tringa = 5, double_ronda = 2 }
double_ronda = "ANY_FOUR_CARD_HAND"
"""

# The base, what is changed in it, the field at fault and how the problem begins: all that the
# chapter on refused combinations lists.
REFUSED: dict[str, tuple[str, str, str, str]] = {
    "three seats on an empty table": (
        "khlaso",
        'seats = [{ count = 3, opening = "EMPTY_TABLE" }]',
        "seats",
        "three seats cannot share the pack with the opening EMPTY_TABLE",
    ),
    "no seats": ("khlaso", "seats = []", "seats", "is empty; at least one of 2, 3, 4"),
    "no seats where a table is turned": (
        "maghribi",
        "seats = []",
        "seats",
        "is empty; at least one of 2, 3, 4",
    ),
    "five seats": (
        "maghribi",
        'seats = [{ count = 5, opening = "TABLE_OF_FOUR" }]',
        "seats",
        "5 is not among 2, 3, 4",
    ),
    "a table of four that allows pairs": (
        "maghribi",
        'table_forbids = ["RUNS"]',
        "table_forbids",
        "lacks PAIRS: two equal cards could lie on a table of four",
    ),
    "a table of four without a remedy": (
        "maghribi",
        'unset = ["table_remedy"]',
        "table_remedy",
        "is not set; a table of four needs RETURN_ALL or RETURN_LAST",
    ),
    "forbidden tables where none is turned": (
        "khlaso",
        'table_forbids = ["PAIRS"]',
        "table_forbids",
        "is set, but no opening turns a table",
    ),
    "a remedy where no table is turned": (
        "khlaso",
        'table_remedy = "RETURN_ALL"',
        "table_remedy",
        "is set, but no opening turns a table",
    ),
    "double rondas in hands of three": (
        "maghribi",
        DOUBLES,
        "kinds.double_ronda",
        "has a value, but no batch has four cards",
    ),
    "challenges where bluffs are refused": (
        "qahwa",
        "challenge = true",
        "challenge",
        "needs the bluff policy PENALISED",
    ),
    "false penalties where bluffs are refused": (
        "qahwa",
        "false_penalty = { ronda = 1, tringa = 5 }",
        "false_penalty",
        "needs the bluff policy PENALISED",
    ),
    "bluffs without a penalty for a kind": (
        "maghribi",
        "false_penalty = { ronda = 1 }",
        "false_penalty.tringa",
        "is 0, but a tringa has a value",
    ),
    "bluffs of three seats without a receiver": (
        "maghribi",
        'unset = ["penalty_to"]',
        "penalty_to",
        "is not set, but bluffs are penalised with three seats",
    ),
    "bluffs where the referee announces": (
        "maghribi",
        'timing = "AUTOMATIC"',
        "bluff",
        "PENALISED has no sense where the referee announces",
    ),
    "undeclared kinds where the referee announces": (
        "qahwa-penalty",
        'timing = "AUTOMATIC"',
        "undeclared_detection",
        "has no sense with the timing AUTOMATIC",
    ),
    "a detection without a penalty for a kind": (
        "qahwa-penalty",
        "undeclared_penalty = { ronda = 1 }",
        "undeclared_penalty.tringa",
        "is 0, but a tringa has a value",
    ),
    "undeclared penalties without a detection": (
        "qahwa",
        "undeclared_penalty = { ronda = 1, tringa = 5 }",
        "undeclared_penalty",
        "is set, but undeclared_detection is NONE",
    ),
    "clear kinds with bluffs": (
        "maghribi",
        'settle = "BATCH_END_OR_CLEAR_KIND"',
        "settle",
        "BATCH_END_OR_CLEAR_KIND needs the bluff policy REFUSED",
    ),
    "settled at once on first turns": (
        "qahwa",
        'settle = "AT_ONCE"',
        "settle",
        "AT_ONCE needs announcements before the first card",
    ),
    "settled at once with bluffs": (
        "classic",
        'settle = "AT_ONCE"',
        "settle",
        "AT_ONCE needs the bluff policy REFUSED",
    ),
    "card transfer without a count": (
        "classic-transfer",
        'unset = ["count"]',
        "count",
        "is not set, but CARD_TRANSFER scores by the count alone",
    ),
    "card transfer that ends at once": (
        "classic",
        'scoring = "CARD_TRANSFER"',
        "win_check",
        "IMMEDIATE has no sense with CARD_TRANSFER",
    ),
    "a single deal that ends at once": (
        "single-deal",
        'win_check = "IMMEDIATE"',
        "win_check",
        "IMMEDIATE needs a target",
    ),
    "a single deal that is played on": (
        "single-deal",
        'target_tie = "PLAY_ON"',
        "target_tie",
        "PLAY_ON needs a target",
    ),
    "an automatic penalty of three seats without a receiver": (
        "qahwa-penalty",
        'unset = ["penalty_to"]',
        "penalty_to",
        "is not set, but undeclared_detection is AUTOMATIC for three seats",
    ),
    "a first dealer that two seats lack": (
        "maghribi",
        "first_dealer = { seat = 2 }",
        "first_dealer",
        "seat 2 is lacking with 2 seats",
    ),
    "a target where nothing scores": (
        "four-hands-plain",
        "mesa = 0\ncount = { two_sides = 40 }",
        "target",
        "can never be reached with 4 seats: nothing scores; here it is 41",
    ),
    "a negative value": ("maghribi", "mesa = -1", "mesa", "-1 is no whole number from 0"),
    "a ladder of four steps": (
        "maghribi",
        "ladder = [1, 5, 10, 20]",
        "ladder",
        "has 4 steps; four equal cards make at most three",
    ),
}


def house(folder: Path, text: str, name: str = "house") -> Path:
    """Write a file of house rules."""
    file = folder / f"{name}.toml"
    file.write_text(text, encoding="utf-8")
    return file


@pytest.mark.parametrize("name", REFUSED)
def test_what_cannot_be_played_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    """The line says file, field and reason; the exit code is 1, and nothing else is blamed."""
    base, changes, field, problem = REFUSED[name]
    file = house(tmp_path, f'base = "{base}"\n{OWN}{changes}\n')
    assert main(["rules", "check", str(file)]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith(f"{file}: {field}: {problem}")
    assert [line for line in lines[1:] if "whether its values go together" not in line] == []


def test_everything_that_is_wrong_is_said_in_one_go(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Fields, words, numbers, sources and the id; each with what would be right."""
    file = house(
        tmp_path,
        'base = "qahwa"\nid = "hose"\ntitle = "House"\nsource = "house"\n'
        'timing = "LATER"\nmesa = -1\nkinds = { ronda = 1, tringe = 5 }\ntargets = 25\n'
        'seats = [{ count = 2, opening = "EMPTY" }, { count = "x" }]\n'
        '[sources]\nmesa = { place = "house", ruling = "X" }\n',
    )
    assert main(["rules", "check", str(file)]) == 1
    assert capsys.readouterr().out.splitlines() == [
        f"{file}: summary: it is missing; every file states its own",
        f"{file}: id: 'hose' differs from the file's name; it must be 'house'",
        f"{file}: sources.mesa.ruling: 'X' is no ruling; {LETTERS}",
        f"{file}: timing: 'LATER' is unknown; allowed: {TIMINGS}",
        f"{file}: mesa: -1 is no whole number from 0 to 4294967295",
        f"{file}: kinds.tringe: no such field; did you mean 'tringa'?",
        f"{file}: targets: no such field; did you mean 'target'?",
        f"{file}: seats[0].opening: 'EMPTY' is unknown; did you mean 'EMPTY_TABLE'?",
        f"{file}: seats[1].count: 'x' is no whole number from 0 to 4294967295",
        f"{file}: whether its values go together is looked at once all can be taken",
    ]


def test_every_combination_is_said_in_one_go(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Where each value can be taken, all that cannot go together are named."""
    file = house(
        tmp_path,
        f'base = "classic"\n{OWN}timing = "AUTOMATIC"\nscoring = "CARD_TRANSFER"\n'
        "ladder = [1, 1, 1, 1]\n",
    )
    assert main(["rules", "check", str(file), "--json"]) == 1
    (checked,) = json.loads(capsys.readouterr().out)
    assert (checked["id"], checked["playable"], checked["checked_together"]) == (
        "house",
        False,
        True,
    )
    fields = [fault["field"] for fault in checked["faults"]]
    assert fields == ["ladder", "bluff", "undeclared_detection", "win_check"]
    assert checked["faults"][3] == {
        "file": str(file),
        "field": "win_check",
        "problem": "IMMEDIATE has no sense with CARD_TRANSFER: only the count scores",
    }


def test_what_can_be_played_is_said_with_its_seats(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The exit code is 0; a base is a preset, a shipped example or a file of the same folder."""
    first = house(tmp_path, f'base = "qahwa"\n{OWN}target = 31\n')
    second = house(
        tmp_path, f'base = "house"\n{OWN.replace("house", "other", 1)}mesa = 2\n', "other"
    )
    third = house(
        tmp_path, f'base = "phone-table"\n{OWN.replace("house", "third", 1)}mesa = 2\n', "third"
    )
    assert main(["rules", "check", str(first), str(second), str(third)]) == 0
    assert capsys.readouterr().out.splitlines() == [
        f"{first}: house can be played with 2, 3, 4 seats",
        f"{second}: other can be played with 2, 3, 4 seats",
        f"{third}: third can be played with 2, 4 seats",
    ]


def test_a_fault_of_the_base_is_said_with_its_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The file checked cannot be played either."""
    base = house(tmp_path, f'base = "qahwa"\n{OWN}mesa = -1\n')
    file = house(tmp_path, f'base = "house"\n{OWN.replace("house", "other", 1)}', "other")
    assert main(["rules", "check", str(file)]) == 1
    assert capsys.readouterr().out.startswith(f"{base}: mesa: -1 is no whole number")


@pytest.mark.parametrize(
    ("base", "problem"),
    [
        ("qawha", "'qawha' is no rule set here; did you mean 'qahwa'?"),
        ("house", "the bases form a circle: house -> house"),
    ],
)
def test_a_base_that_is_none_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], base: str, problem: str
) -> None:
    """It is the only fault: the values that it would give are not missed."""
    file = house(tmp_path, f'base = "{base}"\n{OWN}')
    assert main(["rules", "check", str(file)]) == 1
    assert capsys.readouterr().out.splitlines()[0] == f"{file}: base: {problem}"


def test_a_base_that_is_no_text_is_the_only_fault(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """What a file without a base must state is not missed in one that means to have a base."""
    file = house(tmp_path, f"base = 1\n{OWN}")
    assert main(["rules", "check", str(file)]) == 1
    assert capsys.readouterr().out.splitlines() == [
        f"{file}: base: 1 is no id of a rule set",
        f"{file}: whether its values go together is looked at once all can be taken",
    ]


def test_the_id_of_a_preset_is_taken(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A referee that has both could not tell them apart; the preset's own file is no fault."""
    own = OWN.replace("house", "sarii", 1)
    file = house(tmp_path, f'base = "maghribi"\n{own}', "sarii")
    preset = data_folders.rule_sets() / "sarii.toml"
    assert main(["rules", "check", str(file)]) == 1
    assert capsys.readouterr().out == (
        f"{file}: id: 'sarii' is taken by {preset}; give yours a name of its own\n"
    )
    assert main(["rules", "check", str(preset)]) == 0


def test_what_cannot_be_read_is_another_exit_code(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """It is 2, also beside files with faults, which are told all the same."""
    missing = tmp_path / "missing.toml"
    no_toml = house(tmp_path, "mesa = \n", "no")
    faulty = house(tmp_path, f'base = "qahwa"\n{OWN}mesa = -1\n')
    assert main(["rules", "check", str(missing), str(no_toml), str(faulty)]) == 2
    said = capsys.readouterr()
    first, second = said.err.splitlines()
    assert first.startswith(f"ronda: {missing}: it cannot be read: ")
    assert second.startswith(f"ronda: {no_toml}: it is no TOML: ")
    assert said.out.startswith(f"{faulty}: mesa: -1 ")
    assert main(["rules", "check", str(missing), "--json"]) == 2
    (checked,) = json.loads(capsys.readouterr().out)
    assert (checked["file"], checked["id"], checked["playable"]) == (str(missing), None, False)


def test_without_a_file_it_is_used_wrongly(capsys: pytest.CaptureFixture[str]) -> None:
    """The exit code is 2."""
    with pytest.raises(SystemExit) as caught:
        main(["rules", "check"])
    assert caught.value.code == 2
    assert "FILE" in capsys.readouterr().err
