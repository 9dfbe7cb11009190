"""A scenario of three moves and the right answer to it, both written by hand."""

from pathlib import Path

from ronda.conformance.v1 import testee_service_pb2 as pb
from ronda_conformance.rule_set_files import load_rule_sets
from ronda_conformance.scenarios import Case, read_case
from tests.conformance.fake_testee import captured, mesa, played, sight

SCENARIO = """\
id: small-case
clauses: [CAP-3, MESA-1]
title: A run, a refusal and a mesa
why: Worked out by hand.
rule_set: maghribi
seats: 2
position: >-
  seats 2; batch 6; turn 0; hands 6o 11o / 12o 3o; table 6c 7o 10o 12c; piles 16 16; capturer 1
start: {table: 6c 7 10 12, hands: {0: 6o 11o, 1: 12 3}, to_act: 0, capturer: 1, announced: [none]}
steps:
  - seat: 0
    move: play 6
    expect:
      captured: 6 7 10
      laid: none
      table: 12
      hands: {0: 11}
      hand_sizes: 1 2
      piles: 20 16
      pack: 0
      scores: 0 0
      awards: [none]
      events: [seat 0 plays 6o, seat 0 captures 6c 7o 10o]
      to_act: 1
      deal: 1
      dealer: 1
      batch: 6
      last_batch: true
      caida_card: none
      capturer: 0
      winners: none
      hidden: {public: 6o 6c 7o 10o, "1": 11o}
  - {seat: 0, move: play 11, expect: {refused: NOT_YOUR_TURN, to_act: 1}}
  - seat: 1
    move: play 12
    expect:
      captured: 12c
      awards: [seat 1 mesa 1 -> side 1 +1]
      scores: 0 1
      to_act: 0
"""


def read(text: str, folder: Path, name: str = "small-case") -> Case:
    """Write a scenario to a file of a folder and read it."""
    file = folder / f"{name}.yaml"
    file.write_text(text, encoding="utf-8")
    return read_case(file, load_rule_sets())


def right_answer() -> pb.RunResponse:
    """Return the right answer to the scenario."""
    start = sight(
        hands=["6o 11o", "12o 3o"],
        table="6c 7o 10o 12c",
        piles=[16, 16],
        scores=[0, 0],
        to_act=[0],
        capturer=1,
    )
    after_run = sight(
        hands=["11o", "12o 3o"],
        table="12c",
        piles=[20, 16],
        scores=[0, 0],
        to_act=[1],
        capturer=0,
    )
    after_mesa = sight(
        hands=["11o", "3o"],
        table="",
        piles=[20, 18],
        scores=[0, 1],
        to_act=[0],
        capturer=1,
    )
    return pb.RunResponse(
        start=pb.StepResult(sight=start),
        steps=[
            pb.StepResult(events=[played(0, "6o"), captured(0, "6c 7o 10o")], sight=after_run),
            pb.StepResult(
                refusal=pb.Refusal(reason="NOT_YOUR_TURN", detail="seat 1 plays"), sight=after_run
            ),
            pb.StepResult(events=[played(1, "12o"), captured(1, "12c"), mesa(1)], sight=after_mesa),
        ],
    )
