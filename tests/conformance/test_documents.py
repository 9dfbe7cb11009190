"""Scenario files are read strictly, and an error says where and what would be right."""

from pathlib import Path

import pytest

from ronda_conformance.rule_set_files import load_rule_sets
from ronda_conformance.scenarios import load_suite, read_case
from ronda_conformance.yaml_documents import DocumentError

# Line by line, so that the places in the expectations below can be counted.
GOOD = """\
id: case
clauses: [CAP-3]
title: A run
why: By hand.
rule_set: maghribi
seats: 2
position: seats 2; batch 6; turn 0; hands 6o 11o / 12o 3o; table 6c 7o; piles 17 17; capturer 1
steps:
  - seat: 0
    move: play 6o
    expect:
      captured: 6 7
"""


def write(folder: Path, text: str, name: str = "case.yaml") -> Path:
    """Write a scenario file."""
    file = folder / name
    file.write_text(text, encoding="utf-8")
    return file


def error_of(folder: Path, text: str) -> DocumentError:
    """Return the error that a text gives."""
    file = write(folder, text)
    with pytest.raises(DocumentError) as caught:
        read_case(file, load_rule_sets())
    assert str(caught.value).startswith(f"{file}:{caught.value.line}:{caught.value.column}: ")
    return caught.value


def test_a_good_file_is_read(tmp_path: Path) -> None:
    """The scenario, the request to the program and the hands come out of it."""
    case = read_case(write(tmp_path, GOOD), load_rule_sets())
    assert case.id == "case"
    assert case.clauses == ["CAP-3"]
    assert case.hands == [["6o", "11o"], ["12o", "3o"]]
    assert case.request.rule_set.target == 41
    assert case.request.seats == 2
    assert case.request.moves[0].move.play.card.rank == 6
    assert case.request.moves[0].move.play.card.suit == 1
    assert case.scenario.steps[0].expect.captured == "6 7"


# What is put in place of which line, the place of the error, and what its message says.
FAULTS: dict[str, tuple[str, str, tuple[int, int], str]] = {
    "an unknown key": (
        "title: A run",
        "titel: A run",
        (3, 1),
        "a scenario has no key 'titel'; did you mean 'title'?",
    ),
    "an unknown key of a step": (
        "    move: play 6o",
        "    move: play 6o\n    moves: x",
        (11, 5),
        "a step has no key 'moves'; did you mean 'move'?",
    ),
    "an unknown key of an expectation": (
        "      captured: 6 7",
        "      tables: 6 7",
        (12, 7),
        "an expectation has no key 'tables'; did you mean 'table'?",
    ),
    "a key twice": ("why: By hand.", "why: a\nwhy: b", (5, 1), "the key 'why' stands twice"),
    "a missing key": ("why: By hand.\n", "", (1, 1), "a scenario lacks the key 'why'"),
    "a missing key of a step": (
        "  - seat: 0\n    move",
        "  - move",
        (9, 5),
        "a step lacks the key 'seat'",
    ),
    "no clause": ("clauses: [CAP-3]\n", "", (1, 1), "lacks the key 'clauses'"),
    "an anchor": ("title: A run", "title: &a A run", (3, 8), "anchors and aliases are refused"),
    "an alias": ("why: By hand.", "why: *a", (4, 6), "anchors and aliases are refused"),
    "a tag": ("seats: 2", "seats: !!int 2", (6, 8), "tags are refused"),
    "a directive": ("id: case", "%YAML 1.1\n---\nid: case", (2, 1), "directives are refused"),
    "a second document": (
        "      captured: 6 7",
        "      captured: 6 7\n---\nid: b",
        (13, 1),
        "a second document is refused",
    ),
    "no YAML": ("clauses: [CAP-3]", "clauses: [CAP-3", (3, 6), "it is no YAML"),
    "a list for a text": ("title: A run", "title: [a]", (3, 8), "title: a list is no single value"),
    "a text for a list": (
        "clauses: [CAP-3]",
        "clauses: CAP-3",
        (2, 10),
        "clauses: 'CAP-3' is no list",
    ),
    "an empty list": ("clauses: [CAP-3]", "clauses: []", (2, 10), "an empty list says nothing"),
    "an empty text": ("title: A run", "title:", (3, 1), "title: it is empty"),
    "a number in words": ("seats: 2", "seats: two", (6, 8), "seats: 'two' is no whole number"),
    "an octal number": ("seats: 2", "seats: 0o2", (6, 8), "seats: '0o2' is no whole number"),
    "five seats": ("seats: 2", "seats: 5", (6, 8), "5 seats; 2, 3 or 4 can play"),
    "an id unlike its file": ("id: case", "id: other", (1, 5), "'other' differs from the file"),
    "an id in capitals": ("id: case", "id: Case", (1, 5), "'Case' is no id"),
    "no clause id": ("[CAP-3]", "[cap3]", (2, 11), "'cap3' is no clause; one is CAP-3"),
    "a clause twice": ("[CAP-3]", "[CAP-3, CAP-3]", (2, 18), "'CAP-3' stands twice"),
    "an unknown rule set": (
        "rule_set: maghribi",
        "rule_set: magribi",
        (5, 11),
        "no rule set 'magribi'; did you mean 'maghribi'?",
    ),
    "an unknown field of a rule set": (
        "rule_set: maghribi",
        "rule_set: maghribi\nchanges: {targets: 9}",
        (6, 20),
        "changes.targets: no such field; did you mean 'target'?",
    ),
    "an unknown word of a rule set": (
        "rule_set: maghribi",
        "rule_set: maghribi\nchanges:\n  settle: BATCH_ENDS",
        (7, 11),
        "changes.settle: 'BATCH_ENDS' is unknown; did you mean 'BATCH_END'?",
    ),
    "a wrong type in a rule set": (
        "rule_set: maghribi",
        "rule_set: maghribi\nchanges: {seats: [{count: two}]}",
        (6, 27),
        "changes.seats[0].count: 'two' is no whole number",
    ),
    "no move": ("play 6o", "plays 6o", (10, 11), "'plays 6o' is no move; moves are: play CARD"),
    "no card": ("play 6o", "play 8o", (10, 11), "'8o' is no card"),
    "no kind": ("play 6o", "announce pair", (10, 11), "'pair' is no kind; kinds are ronda"),
    "a bare rank that is not held": (
        "play 6o",
        "play 5",
        (10, 11),
        "the position gives seat 0 no 5 that it could still play",
    ),
    "a seat that does not exist": ("  - seat: 0", "  - seat: 2", (9, 11), "there is no seat 2"),
    "no reason": (
        "captured: 6 7",
        "refused: NOT_MY_TURN",
        (12, 16),
        "no reason 'NOT_MY_TURN'; did you mean 'NOT_YOUR_TURN'?",
    ),
    "captured cards of a refused move": (
        "captured: 6 7",
        "refused: NOT_YOUR_TURN\n      captured: 6 7",
        (13, 17),
        "captured: a refusal changes nothing",
    ),
    "cards that are none": ("captured: 6 7", "captured: 6 8", (12, 17), "captured: '8' is no card"),
    "too few numbers": ("captured: 6 7", "piles: 20", (12, 14), "piles: '20' is not 2 numbers"),
    "no seat in words": ("captured: 6 7", "to_act: one", (12, 15), "to_act: 'one' is neither"),
    "a hand of no seat": ("captured: 6 7", "hands: {2: 6o}", (12, 18), "there is no seat 2"),
    "a hand of a word": ("captured: 6 7", "hands: {x: 6o}", (12, 15), "hands: 'x' is no number"),
    "a hidden card without suit": (
        "captured: 6 7",
        "hidden: {public: 6}",
        (12, 24),
        "hidden: '6' lacks its suit",
    ),
    "a view of nobody": ("captured: 6 7", "hidden: {all: 6o}", (12, 21), "'all' is neither a seat"),
    "no award": (
        "captured: 6 7",
        "awards: [seat 0 plays 6o]",
        (12, 16),
        "'seat 0 plays 6o' is no line of an event that scores",
    ),
    "no event": (
        "captured: 6 7",
        "events: [a wonder]",
        (12, 16),
        "'a wonder' is no line of an event",
    ),
    "no announcement": ("captured: 6 7", "announced: [x]", (12, 19), "'x' is no announcement"),
    "no draw": ("seats: 2", "seats: 2\ndraws: 1o 8o", (7, 8), "draws: '8o' is no card"),
    "a drawn dealer of no seat": ("seats: 2", "seats: 2\ndrawn_dealer: 2", (7, 15), "no seat 2"),
    "steps after a refused start": (
        "seats: 2",
        "seats: 2\nstart: {refused: RULE_SET_INVALID}",
        (10, 3),
        "after a refused start there are no steps",
    ),
    "nothing expected": (
        "    expect:\n      captured: 6 7\n",
        "",
        (1, 1),
        "a scenario that cannot fail checks nothing",
    ),
    "nothing at all": (GOOD, "# only a remark\n", (1, 1), "the file is empty"),
}


@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_is_refused_with_its_place(tmp_path: Path, name: str) -> None:
    """Each fault is found at its line and column, and the message says what would be right."""
    old, new, place, problem = FAULTS[name]
    assert GOOD.count(old) == 1
    error = error_of(tmp_path, GOOD.replace(old, new))
    assert (error.line, error.column) == place
    assert problem in error.problem


def test_numbers_that_yaml_1_1_reads_otherwise_are_text(tmp_path: Path) -> None:
    """A bare rank, `no` and a time stay the text that was written."""
    text = GOOD.replace("title: A run", "title: no").replace("captured: 6 7", "captured: 010")
    assert "'010' is no card" in error_of(tmp_path, text).problem
    case = read_case(write(tmp_path, GOOD.replace("title: A run", "title: no")), load_rule_sets())
    assert case.scenario.title == "no"
    bare = GOOD.replace("captured: 6 7", "captured: 7")
    assert (
        read_case(write(tmp_path, bare), load_rule_sets()).scenario.steps[0].expect.captured == "7"
    )


def test_a_bare_rank_is_the_card_of_the_position(tmp_path: Path) -> None:
    """Bare ranks take the first free suit in the order o c e b, in hands and then on the table."""
    text = GOOD.replace("hands 6o 11o / 12o 3o; table 6c 7o", "hands 6 6 / 6o 3; table 6 7")
    text = text.replace("play 6o", "play 6").replace(
        "captured: 6 7", "captured: 6 7\n  - {seat: 1, move: play 3}\n  - {seat: 0, move: play 6}"
    )
    case = read_case(write(tmp_path, text), load_rule_sets())
    assert case.hands == [["6c", "6e"], ["6o", "3o"]]
    suits = [move.move.play.card.suit for move in case.request.moves]
    # 2 is copas, 1 oros, 3 espadas.
    assert suits == [2, 1, 3]


def test_changes_replace_fields_whole(tmp_path: Path) -> None:
    """A changed message loses what is not stated, null clears, and the rest stays."""
    text = GOOD.replace(
        "rule_set: maghribi",
        "rule_set: maghribi\nchanges: {kinds: {ronda: 2}, count: null, timing: TIMING_IN_ORDER}",
    )
    rule_set = read_case(write(tmp_path, text), load_rule_sets()).request.rule_set
    assert (rule_set.kinds.ronda, rule_set.kinds.tringa) == (2, 0)
    assert not rule_set.HasField("count")
    assert rule_set.timing == 2
    assert rule_set.false_penalty.tringa == 5


def test_draws_and_a_dealer_go_into_the_request(tmp_path: Path) -> None:
    """A slash between draws is for the eye alone."""
    text = GOOD.replace("seats: 2\n", "seats: 2\ndraws: 1o 12b / 7e\ndrawn_dealer: 1\n")
    request = read_case(write(tmp_path, text), load_rule_sets()).request
    assert [(card.rank, card.suit) for card in request.draws] == [(1, 1), (12, 4), (7, 3)]
    assert request.drawn_dealer == 1


def test_a_suite_reports_every_unreadable_file(tmp_path: Path) -> None:
    """Reading goes on after an error, so that all of them are seen at once."""
    write(tmp_path, GOOD)
    write(tmp_path, GOOD.replace("title", "titel"), "second.yaml")
    write(tmp_path, "[", "third.yaml")
    suite = load_suite(tmp_path, load_rule_sets())
    assert [case.id for case in suite.cases] == ["case"]
    assert [error.file.name for error in suite.errors] == ["second.yaml", "third.yaml"]


def test_an_id_is_given_once_in_a_suite(tmp_path: Path) -> None:
    """Two folders cannot hold scenarios of one name."""
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
        write(tmp_path / folder, GOOD)
    suite = load_suite(tmp_path, load_rule_sets())
    assert len(suite.cases) == 1
    assert "the id 'case' is taken by" in str(suite.errors[0])


def test_a_file_with_another_ending_is_not_overlooked(tmp_path: Path) -> None:
    """`.yml` is read too: a scenario that is silently left out would check nothing."""
    write(tmp_path, GOOD, "case.yml")
    assert [case.id for case in load_suite(tmp_path, load_rule_sets()).cases] == ["case"]


def test_a_file_that_is_no_text_is_an_error(tmp_path: Path) -> None:
    """Bytes that are not UTF-8 are refused as such."""
    file = tmp_path / "case.yaml"
    file.write_bytes(b"id: \xff")
    with pytest.raises(DocumentError, match="it cannot be read"):
        read_case(file, load_rule_sets())
