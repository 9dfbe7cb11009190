"""The configuration file: what it may say, and what is said of what it may not."""

from pathlib import Path

import pytest

from ronda.v1.rule_set_pb2 import RuleSet, SeatCount
from ronda_tournament.config import Config, Entrant, Limits, Sprt
from ronda_tournament.config_lines import line_at, lines_of
from ronda_tournament.config_reading import read_config
from ronda_tournament.config_values import ConfigError

GOOD = """\
name = "Cup"
rule_sets = ["maghribi"]

[[entrants]]
name = "one"
builtin = "greedy"

[[entrants]]
name = "two"
command = "python 'my bot.py' --fast"
"""


def resolve(text: str, folder: Path) -> RuleSet:
    """Know one rule set, for two and four seats."""
    if text != "maghribi":
        raise ValueError(f"there is no rule set '{text}'; there are: maghribi")
    return RuleSet(id=text, seats=[SeatCount(count=2), SeatCount(count=4)])


def read(tmp_path: Path, text: str) -> Config:
    """Read a configuration of this text."""
    file = tmp_path / "cup.toml"
    file.write_text(text, encoding="utf-8")
    return read_config(file, resolve)


def problems(tmp_path: Path, text: str) -> list[str]:
    """Give what is wrong with a configuration, without the file's folder."""
    with pytest.raises(ConfigError) as caught:
        read(tmp_path, text)
    return str(caught.value).replace(f"{tmp_path}/", "").splitlines()


def test_what_is_not_said_has_a_usual_value(tmp_path: Path) -> None:
    """Two seats, a round robin of 20 pairs, 32 matches at once, 10 seconds a move."""
    config = read(tmp_path, GOOD)
    assert (config.format, config.seats, config.pairs, config.partners) == (
        "round-robin",
        2,
        20,
        "same",
    )
    assert (config.concurrency, config.move_seconds, config.seed, config.sprt) == (
        32,
        10.0,
        None,
        None,
    )
    assert config.limits == Limits(30.0, 1_000_000, 2, 3)
    assert config.entrants == (
        Entrant("one", builtin="greedy"),
        Entrant("two", command=("python", "my bot.py", "--fast")),
    )
    assert config.folder == tmp_path


def test_everything_can_be_said(tmp_path: Path) -> None:
    """A gauntlet with a champion, a test, limits and an address."""
    config = read(
        tmp_path,
        'format = "gauntlet"\nchampion = "three"\nseats = 4\npartners = "same"\npairs = 7\n'
        f'concurrency = 5\nmove_seconds = 0.5\nseed = "{"0f" * 32}"\n'
        + GOOD
        + '[[entrants]]\nname = "three"\naddress = "127.0.0.1:9000"\n'
        "[sprt]\nelo0 = -5\nelo1 = 10\nalpha = 0.1\nbeta = 0.2\n"
        "[limits]\nstart_seconds = 3\noutput_bytes = 0\nrestarts = 0\nfailures = 1\n",
    )
    assert config.champion == 2
    assert config.entrants[2] == Entrant("three", address="127.0.0.1:9000")
    assert config.sprt == Sprt(-5.0, 10.0, 0.1, 0.2)
    assert config.limits == Limits(3.0, 0, 0, 1)
    assert config.seed == bytes([15] * 32)
    assert (config.seats, config.pairs, config.concurrency, config.move_seconds) == (4, 7, 5, 0.5)


@pytest.mark.parametrize(
    ("before", "after", "problem"),
    [
        ('name = "Cup"', "", "cup.toml:1: name: it is needed"),
        (
            '"maghribi"',
            "",
            'cup.toml:2: rule_sets: it must be a list of texts, as ["maghribi"], not []',
        ),
        (
            '"maghribi"',
            '"chess"',
            "cup.toml:2: rule_sets: there is no rule set 'chess'; there are: maghribi",
        ),
        (
            'name = "Cup"',
            'name = "Cup"\nseats = "two"',
            'cup.toml:2: seats: it must be a whole number from 2 to 4, not "two"',
        ),
        (
            'name = "Cup"',
            'name = "Cup"\npears = 3',
            "cup.toml:2: pears: there is no such key; did you mean pairs?",
        ),
        (
            'name = "Cup"',
            'name = "Cup"\nformat = "league"',
            (
                'cup.toml:2: format: it must be "round-robin" or "gauntlet" or "swiss" or '
                '"knockout", not "league"'
            ),
        ),
        (
            'name = "Cup"',
            'name = "Cup"\nformat = "swiss"',
            "cup.toml:1: rounds: a Swiss tournament needs the number of its rounds",
        ),
        (
            'name = "Cup"',
            'name = "Cup"\nrounds = 3',
            'cup.toml:2: rounds: it goes with format = "swiss" alone',
        ),
        (
            'name = "Cup"',
            'name = "Cup"\nchampion = "one"',
            'cup.toml:2: champion: it goes with format = "gauntlet" alone',
        ),
        (
            'name = "Cup"',
            'name = "Cup"\nformat = "gauntlet"\nchampion = "five"',
            'cup.toml:3: champion: it must be "one" or "two", not "five"',
        ),
        (
            'name = "Cup"',
            'name = "Cup"\npartners = "same"',
            "cup.toml:2: partners: only four seats have partners; here there are 2",
        ),
        (
            'name = "Cup"',
            'name = "Cup"\nseats = 4\npartners = "different"',
            "cup.toml:6: entrants: a match needs 4 of them; there are 2",
        ),
        (
            'name = "Cup"',
            'name = "Cup"\nmove_seconds = 0',
            "cup.toml:2: move_seconds: it must be a number from 0.01 to 86400, not 0",
        ),
        (
            'name = "Cup"',
            'name = "Cup"\nseed = "7"',
            (
                "cup.toml:2: seed: it must be 64 hexadecimal digits that nobody can guess; without "
                "it one is drawn"
            ),
        ),
        (
            'name = "two"',
            'name = "one"',
            'cup.toml:9: entrants[2].name: another entrant is called "one" already',
        ),
        (
            'builtin = "greedy"',
            'builtin = "deep"',
            (
                'cup.toml:6: entrants[1].builtin: it must be "random" or "greedy" or '
                '"counting" or "searcher", not "deep"'
            ),
        ),
        (
            'builtin = "greedy"',
            "",
            (
                "cup.toml:4: entrants[1]: it needs one of builtin, command, address; it has none "
                "of them"
            ),
        ),
        (
            'builtin = "greedy"',
            'builtin = "greedy"\naddress = "127.0.0.1:1"',
            (
                "cup.toml:4: entrants[1]: it needs one of builtin, command, address; it has "
                "builtin and address"
            ),
        ),
        (
            'builtin = "greedy"',
            'address = "bots.example.org:80"',
            (
                "cup.toml:6: entrants[1].address: it must be HOST:PORT on this machine, as "
                '"127.0.0.1:9000", not "bots.example.org:80"'
            ),
        ),
        (
            "\"python 'my bot.py' --fast\"",
            '"python \'my bot.py"',
            (
                "cup.toml:10: entrants[2].command: its quotes do not match (No closing quotation): "
                '"python \'my bot.py"'
            ),
        ),
        (
            '[[entrants]]\nname = "one"',
            '[sprt]\nelo0 = 5\nelo1 = 5\n[[entrants]]\nname = "one"',
            "cup.toml:6: sprt.elo1: it must be more than elo0, 5, not 5",
        ),
        (
            '[[entrants]]\nname = "one"',
            '[limits]\nfailures = 0\n[[entrants]]\nname = "one"',
            "cup.toml:5: limits.failures: it must be a whole number from 1 to 1,000,000, not 0",
        ),
        (
            '[[entrants]]\nname = "one"',
            'limits = 3\n[[entrants]]\nname = "one"',
            "cup.toml:4: limits: it must be a table, as [limits], not 3",
        ),
        (
            'name = "Cup"',
            'name = "Cup',
            "cup.toml:1: it is no TOML: Illegal character '\\n' (at line 1, column 12)",
        ),
    ],
)
def test_one_problem_is_named(tmp_path: Path, before: str, after: str, problem: str) -> None:
    """It has the line, the key, the value and what is allowed."""
    assert before in GOOD
    assert problems(tmp_path, GOOD.replace(before, after, 1)) == [problem]


def test_formats_for_two_are_for_two(tmp_path: Path) -> None:
    """Partners of different entrants have no Swiss rounds and no sequential test."""
    text = 'format = "swiss"\nrounds = 2\nseats = 4\npartners = "different"\n' + GOOD
    text += '[[entrants]]\nname = "3"\nbuiltin = "random"\n'
    text += '[[entrants]]\nname = "4"\nbuiltin = "random"\n[sprt]\nelo1 = 5\n'
    assert problems(tmp_path, text) == [
        (
            'cup.toml:1: format: "swiss" needs two who meet: 2 seats, or 4 with partners = "same"; '
            'otherwise "round-robin" or "gauntlet"'
        ),
        'cup.toml:21: sprt: it goes with "round-robin" or "gauntlet" where two meet',
    ]


def test_rule_sets_and_entrants_must_do_for_the_seats(tmp_path: Path) -> None:
    """The rule set has no three seats, and there are only two entrants."""
    assert problems(tmp_path, "seats = 3\n" + GOOD) == [
        "cup.toml:3: rule_sets: maghribi is played with 2 or 4 seats, not with 3",
        "cup.toml:5: entrants: a match needs 3 of them; there are 2",
    ]


def test_all_problems_are_said_at_once(tmp_path: Path) -> None:
    """In the order of their lines."""
    text = GOOD.replace('"Cup"', "7").replace('"greedy"', "true").replace('"two"', '""')
    assert problems(tmp_path, text) == [
        "cup.toml:1: name: it must be a text of 1 to 64 printable characters, not 7",
        (
            'cup.toml:6: entrants[1].builtin: it must be "random" or "greedy" or "counting" or '
            '"searcher", not true'
        ),
        'cup.toml:9: entrants[2].name: it must be a text of 1 to 32 printable characters, not ""',
    ]


def test_a_key_in_an_inline_table_has_the_tables_line() -> None:
    """The others have their own."""
    lines = lines_of(
        'a = 1\nlimits = { failures = 0 }\n[b.c]\n"d" = 2\n[[e]]\nf = 1\n[[e]]\nf = 2\n'
    )
    assert line_at(lines, ("limits", "failures")) == 2
    assert line_at(lines, ("b", "c", "d")) == 4
    assert line_at(lines, ("e", 1, "f")) == 8
    assert line_at(lines, ("nothing",)) == 1
