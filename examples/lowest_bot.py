"""A bot that plays its lowest card, in a match of its own: python examples/lowest_bot.py TARGET.

As an entrant of a tournament it is `command = "python lowest_bot.py --tournament"`.
"""

import asyncio
import sys

from ronda.v1.decision_pb2 import Decision
from ronda.v1.move_pb2 import Move
from ronda.v1.view_pb2 import SeatView
from ronda_bots import RandomBot
from ronda_client import ClientError, play_match
from ronda_client.tournament import serve


class LowestBot:
    """Says what is true, plays its lowest card, and lets everything else pass."""

    def choose(self, view: SeatView, decision: Decision) -> Move:
        """Return an announcement that the hand makes true, or else the card of the lowest rank."""
        for move in decision.legal_moves:
            if move.HasField("announce") and move.announce.kind in decision.true_announcements:
                return move
        quiet = [m for m in decision.legal_moves if m.HasField("play") or m.HasField("pass")]
        return min(quiet, key=lambda move: move.play.card.rank)


if __name__ == "__main__":
    if sys.argv[1:] == ["--tournament"]:
        serve(LowestBot)
    elif sys.argv[1:]:
        try:
            match = asyncio.run(play_match(sys.argv[1], "maghribi", [LowestBot(), RandomBot(1)]))
        except (ClientError, ValueError) as error:
            sys.exit(f"lowest_bot: {error}")
        print(f"{match.scores[0]} : {match.scores[1]}, winner: {match.winners}")
    else:
        print("usage: python examples/lowest_bot.py HOST:PORT | --tournament", file=sys.stderr)
        sys.exit(2)
