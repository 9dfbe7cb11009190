"""What the scripts of many seats over one stream have in common."""

from collections.abc import Sequence

import grpc

from ronda.v1.decision_pb2 import Decision
from ronda.v1.move_pb2 import Move
from ronda.v1.referee_service_pb2 import (
    PlayAnswer,
    PlayMove,
    PlayRefusal,
    PlayResponse,
    WatchMatchResponse,
)
from ronda.v1.view_pb2 import SeatView
from ronda_client import (
    Backoff,
    ClientError,
    RefereeClient,
    SeatResult,
    play_seats,
)
from tests.clients.fake_referee import FakeReferee, serving
from tests.clients.scripted_log import play

QUICK = Backoff(first=0.001, cap=0.01, patience=20)
MOVES = [play(1), play(2)]


class FirstMoveBot:
    """Makes the first legal move and counts how often it was asked."""

    def __init__(self) -> None:
        self.asked: list[int] = []

    def choose(self, view: SeatView, decision: Decision) -> Move:
        """Return the first legal move."""
        self.asked.append(decision.decision_id)
        return decision.legal_moves[0]


def accepted(moves: Sequence[PlayMove]) -> PlayResponse:
    """Return the answer that every move so far is accepted; it may come again."""
    return PlayResponse(
        answers=[
            PlayAnswer(match_id=move.match_id, request_id=move.request_id, sequence=7)
            for move in moves
        ]
    )


def at(next_sequence: int, news: WatchMatchResponse) -> WatchMatchResponse:
    """Return news of a match whose log has so many records."""
    news.next_sequence = next_sequence
    return news


def refusing(code: grpc.StatusCode, reason: str, **metadata: str) -> PlayRefusal:
    """Return a refusal."""
    return PlayRefusal(code=code.value[0], reason=reason, detail="as it is", metadata=metadata)


async def seats_played(
    fake: FakeReferee, *match_ids: str, bot: FirstMoveBot | None = None, backoff: Backoff = QUICK
) -> dict[str, SeatResult | ClientError]:
    """Play a seat each of these matches against the script."""
    async with serving(fake) as target, RefereeClient.connect(target, backoff=backoff) as client:
        return await play_seats(
            client, [(one, "token") for one in match_ids], bot or FirstMoveBot()
        )
