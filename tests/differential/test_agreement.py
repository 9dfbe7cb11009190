"""The engine and the second one, written from the pages alone, say the same of random matches.

`make differential` plays many more of them: see CONTRIBUTING.
"""

import ast
import random
import re
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from ronda.conformance.v1 import testee_service_pb2 as pb
from ronda.v1 import card_pb2
from ronda_referee import testee
from ronda_rules.state import MatchState
from ronda_rules.view import PublicView, public_view
from tests import oracle
from tests.differential import __main__ as command
from tests.differential.comparing import compare, report
from tests.differential.random_matches import random_match
from tests.differential.running import JOBS, ROUND, RULE_SETS, played
from tests.oracle.cards import Card

SEED = 20
ROUNDS = 3
FEWEST_DEALS = 250


@pytest.mark.parametrize("part", range(ROUNDS))
def test_both_engines_say_the_same(part: int) -> None:
    """Refusals, events, scores and all views of a match with every rule set and seat count.

    The parts play different matches, so that they can run beside each other.
    """
    deals = 0
    for number in range(part * len(ROUND), (part + 1) * len(ROUND)):
        outcome = played(SEED, number)
        found = outcome.disagreement
        assert found is None, report(SEED, number, outcome.job, found)
        deals += outcome.deals
    assert deals >= FEWEST_DEALS


def test_all_rule_sets_and_seat_counts_are_played() -> None:
    """18 presets and 6 house rule sets with their 65 tables, and mixtures for 2, 3 and 4 seats."""
    assert len(RULE_SETS) == 24
    assert len(set(JOBS)) == 71
    assert {("classic", 3), ("khlaso", 4), ("open-hands", 2), ("crossed", 4)} < set(JOBS)
    assert set(ROUND) == set(JOBS)


def test_the_second_engine_shares_nothing_with_the_first() -> None:
    """It imports the generated schema and itself, so that no mistake of one is in both."""
    folder = Path(oracle.__file__).parent
    modules = [path for path in folder.glob("*.py") if not path.name.startswith("test_")]
    assert len(modules) == 24
    for path in modules:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names = [one.name for one in node.names] if isinstance(node, ast.Import) else []
            names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            for name in names:
                top, _, rest = name.partition(".")
                # What serves it over gRPC decides nothing.
                others = {"grpc"} if path.name == "testee.py" else set()
                assert top in {"ronda", "google", "tests", *others, *sys.stdlib_module_names}, (
                    path,
                    name,
                )
                assert top != "tests" or rest.startswith("oracle"), (path, name)


def cut_short(request: pb.RunRequest, rng: random.Random) -> None:
    """Leave a run with fewer draws than it needs, also in the middle of a hand or a table."""
    del request.draws[rng.randrange(len(request.draws)) :]


def draw_twice(request: pb.RunRequest, rng: random.Random) -> None:
    """Have a card of the first deal drawn that has left the pack, or that may have come back."""
    place = rng.randrange(1, min(40, len(request.draws)))
    request.draws[place].CopyFrom(request.draws[rng.randrange(place)])


def draw_no_card(request: pb.RunRequest, rng: random.Random) -> None:
    """Put what is no card among the draws."""
    request.draws[rng.randrange(len(request.draws))].rank = card_pb2.Rank.ValueType(8)


def another_seat_count(request: pb.RunRequest, rng: random.Random) -> None:
    """Ask for a number of seats that the rule set does not allow."""
    allowed = {one.count for one in request.rule_set.seats}
    request.seats = rng.choice([count for count in range(6) if count not in allowed])


def no_dealer(request: pb.RunRequest, rng: random.Random) -> None:
    """Draw a first dealer that may be lacking."""
    request.rule_set.first_dealer.drawn = True
    request.drawn_dealer = rng.randrange(6)


Spoil = Callable[[pb.RunRequest, random.Random], None]

SPOILED: dict[Spoil, set[str]] = {
    cut_short: {""},
    draw_twice: {"", "DRAW_INVALID"},
    draw_no_card: {"MALFORMED_REQUEST"},
    another_seat_count: {"RULE_SET_INVALID"},
    no_dealer: {"", "DRAW_INVALID"},
}


@pytest.mark.parametrize("spoil", SPOILED, ids=lambda spoil: spoil.__name__)
def test_both_engines_take_the_same_starts_and_draws(
    spoil: Spoil,
) -> None:
    """Runs whose start or draws are wrong are refused for the same reason, or wait alike."""
    rng = random.Random(f"{SEED}/{spoil.__name__}")
    reasons = set()
    for name, seats in JOBS[:65:2]:
        request = random_match(RULE_SETS[name], seats, rng, most_moves=60)
        spoil(request, rng)
        _, found = compare(request)
        assert found is None, report(SEED, 0, (name, seats), found)
        reasons.add(refusal(request))
    assert reasons == SPOILED[spoil]


def refusal(request: pb.RunRequest) -> str:
    """Give the reason for which the engine refuses a run; empty: it plays it."""
    return next((one.refusal.reason for one in testee.run(request)), "")


def no_card_is_excluded(_: object) -> bool:
    """MESA-3, wrongly: also the very last card of the deal earns a mesa."""
    return False


def without_the_run(table: list[Card], card: Card) -> list[Card]:
    """CAP-3, wrongly: the equal card goes, and the run above it stays."""
    return [other for other in table if other[0] == card[0]]


def anything_goes(*_: object) -> None:
    """ANN-2, wrongly: no announcement is refused."""


def without_the_caida_card(state: MatchState) -> PublicView:
    """ANN-10, wrongly: the card that a caida could take is not shown."""
    return replace(public_view(state), caida_card=None)


FAULTS = [
    ("ronda_rules.mesa.mesa_excluded", no_card_is_excluded, "events"),
    ("ronda_referee.testee.public_view", without_the_caida_card, "public view"),
    ("tests.oracle.chain.taken_by", without_the_run, "events"),
    ("tests.oracle.moves.check_announcement", anything_goes, "refusal"),
]


@pytest.mark.parametrize(("name", "faulty", "what"), FAULTS)
def test_a_fault_in_either_engine_is_found(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    name: str,
    faulty: Callable[..., object],
    what: str,
) -> None:
    """The command ends with 1 and says where: seed, match, rule set, move and the difference."""
    monkeypatch.setattr(name, faulty)
    assert command.main(["--deals", "5000", "--seed", "3", "--processes", "1"]) == 1
    printed = capsys.readouterr().out
    assert re.match(r"seed 3, match \d+: [a-z-]+, [234] seats\n", printed)
    assert f"in its {what}\n" in printed
    assert "--- engine\n+++ oracle\n" in printed
    assert "0 disagreements" not in printed


def test_the_command_says_what_it_has_compared(capsys: pytest.CaptureFixture[str]) -> None:
    """It ends with 0; a line for each rule set and seat count, which add up, and the total."""
    assert command.main(["--deals", "30", "--seed", "3", "--processes", "1"]) == 0
    *tables, total = capsys.readouterr().out.splitlines()
    counts = {}
    for line in tables:
        name, seats, _, deals, _ = line.split()
        counts[name, int(seats)] = int(deals)
    assert set(counts) == set(JOBS)
    found = re.fullmatch(r"(\d+) deals in (\d+) matches, seed 3: 0 disagreements", total)
    assert found is not None
    assert sum(counts.values()) == int(found[1]) >= 30


def test_the_command_refuses_what_is_no_number_of_deals(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """A run of no deals would agree about nothing."""
    with pytest.raises(SystemExit) as ended:
        command.main(["--deals", "0"])
    assert ended.value.code == 2
    assert "0 is not a number from 1 on" in capsys.readouterr().err
