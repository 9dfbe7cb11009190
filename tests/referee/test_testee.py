"""The testee service: one stateless run, whatever it is asked."""

from pathlib import Path

import grpc
import pytest

from ronda.conformance.v1 import testee_service_pb2 as pb
from ronda.conformance.v1 import testee_service_pb2_grpc
from ronda.v1 import card_pb2
from ronda_conformance.rule_set_files import load_rule_sets
from ronda_referee.convert import card_to_proto
from ronda_rules.cards import parse_card
from tests.referee.running import play, running

POSITION = (
    "seats 2; batch 6; turn 0; hands 6o 11o / 12o 3o; table 6c 7c 10c 12c; piles 16 16; capturer 1"
)
SIX, KING, THREE = (play(card_to_proto(parse_card(text))) for text in ("6o", "12o", "3o"))


def request(**fields: object) -> pb.RunRequest:
    """Give a request for maghribi with two seats, from the position above."""
    rule_set = load_rule_sets()["maghribi"]
    return pb.RunRequest(**{"rule_set": rule_set, "seats": 2, "position": POSITION} | fields)  # type: ignore[arg-type]


async def run(folder: Path, asked: pb.RunRequest) -> pb.RunResponse:
    """Have a running referee play a request."""
    async with (
        running(folder) as referee,
        grpc.aio.insecure_channel(referee.serving.address) as channel,
    ):
        return await testee_service_pb2_grpc.TesteeServiceStub(channel).Run(asked)


async def test_a_run_says_what_each_move_did(tmp_path: Path) -> None:
    """A refused move changes nothing, and the run goes on from where it was."""
    moves = [
        pb.SeatMove(seat=1, move=KING),
        pb.SeatMove(seat=0, move=SIX),
        pb.SeatMove(seat=1, move=KING),
    ]
    answer = await run(tmp_path, request(moves=moves))
    assert not answer.HasField("refusal")
    assert list(answer.start.events) == []
    refused, captured, king = answer.steps
    assert refused.refusal.reason == "NOT_YOUR_TURN"
    assert refused.sight == answer.start.sight
    assert [event.WhichOneof("event") for event in captured.events] == [
        "card_played",
        "cards_captured",
    ]
    assert list(captured.sight.public.pile_sizes) == [20, 16]
    assert [event.WhichOneof("event") for event in king.events] == [
        "card_played",
        "cards_captured",
        "play_awarded",
    ]
    assert king.events[2].play_awarded.mesa == 1


async def test_a_start_that_cannot_be_is_the_whole_answer(tmp_path: Path) -> None:
    """A position that does not add up is refused, and there are no steps."""
    wrong = request(position=POSITION.replace("16 16", "16 15"), moves=[pb.SeatMove(move=SIX)])
    answer = await run(tmp_path, wrong)
    assert answer.refusal.reason == "POSITION_INVALID"
    assert "make 39 cards, not 40" in answer.refusal.detail
    assert not answer.HasField("start")
    assert list(answer.steps) == []


async def test_a_draw_that_cannot_be_made_is_the_whole_answer(tmp_path: Path) -> None:
    """The first hand has a card twice."""
    ace = card_pb2.Card(rank=card_pb2.RANK_1, suit=card_pb2.SUIT_OROS)
    answer = await run(tmp_path, request(position="", draws=[ace, ace, ace]))
    assert answer.refusal.reason == "DRAW_INVALID"
    assert not answer.HasField("start")


@pytest.mark.parametrize(("count", "refused"), [(2_000, False), (2_001, True)])
async def test_a_run_has_a_limit(tmp_path: Path, count: int, refused: bool) -> None:
    """Up to two thousand moves, so that no run holds up the matches that are played beside it."""
    answer = await run(tmp_path, request(moves=[pb.SeatMove()] * count))
    assert answer.HasField("refusal") == refused
    assert len(answer.steps) == (0 if refused else count)
