"""The second engine passes the suite as any program under test does, over gRPC."""

from dataclasses import replace

import pytest

from ronda.conformance.v1 import testee_service_pb2 as testee_pb2
from ronda.v1 import error_pb2
from ronda_conformance.reports import text_report
from ronda_conformance.results import Run
from ronda_conformance.running import Limits, run_cases
from ronda_conformance.scenarios import Case
from tests.conformance.whole_suite import whole_suite
from tests.oracle import respond, rule_sets
from tests.oracle.testee import serving


async def played(cases: list[Case]) -> Run:
    """Play scenarios against the oracle."""
    async with serving() as target:
        run = Run(target)
        await run_cases(run, cases, Limits(seconds=60), lambda _result: None)
    return run


async def test_the_oracle_passes_every_scenario() -> None:
    """Two engines that share no code agree with what was worked out by hand."""
    suite = whole_suite()
    run = await played(suite.cases)
    assert run.exit_code == 0, text_report(run)
    assert len(run.results) == len(suite.cases) > 400


async def test_it_would_fail_a_wrong_expectation() -> None:
    """The check above can fail."""
    right = next(case for case in whole_suite().cases if case.id == "cap-3-worked-example")
    wrong = replace(right, scenario=type(right.scenario)())
    wrong.scenario.CopyFrom(right.scenario)
    wrong.scenario.steps[0].expect.captured = "6 7 10 12"
    run = await played([wrong])
    assert [(m.what, m.got) for m in run.results[0].mismatches] == [("captured", "6c 7o 10o")]


LINE = "seats 2; batch 6; turn 0; hands 6 11 / 12 3; table 6 7 10 12; piles 16 16; capturer 1"


def start_of(line: str) -> testee_pb2.RunResponse:
    """Return what the oracle says of a position."""
    rules = rule_sets.load("maghribi")
    return respond(testee_pb2.RunRequest(rule_set=rules, position=line))


def test_bare_ranks_take_the_first_suit_that_the_line_does_not_use() -> None:
    """The page's example reads `hands 6o 11o / 12o 3o; table 6c 7o 10o 12c`."""
    sight = start_of(LINE).start.sight
    assert [(card.rank, card.suit) for card in sight.public.table] == [
        (6, 2),
        (7, 1),
        (10, 1),
        (12, 2),
    ]
    assert [(card.rank, card.suit) for card in sight.seats[1].hand] == [(12, 1), (3, 1)]
    assert (sight.public.dealer, sight.public.deal, sight.public.pack_size) == (1, 1, 0)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("piles 16 16", "piles 16 17"),
        ("piles 16 16", "piles 16"),
        ("hands 6 11 / 12 3", "hands 6 11 / 12"),
        ("table 6 7", "table 6 6"),
        ("table 6 7", "table 6 8"),
        ("; capturer 1", ""),
        ("batch 6", "batch 7"),
        ("turn 0", "turn 2"),
        ("seats 2", "chairs 2"),
        ("hands 6 11", "hands 12b 12b"),
        ("capturer 1", "capturer 1; laid 5"),
        ("turn 0", "turn 1"),
    ],
)
def test_what_cannot_be_is_refused(old: str, new: str) -> None:
    """Each line breaks one thing that must hold of a position."""
    assert LINE.count(old) == 1
    refused = start_of(LINE.replace(old, new)).refusal.reason
    name = error_pb2.ErrorReason.Name(error_pb2.ERROR_REASON_POSITION_INVALID)
    assert name == f"ERROR_REASON_{refused}"
