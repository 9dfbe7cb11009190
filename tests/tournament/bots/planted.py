"""Bots that fail in one way each: python planted.py KIND. They play by chance until they do."""

import os
import sys
import time

from ronda.v1.card_pb2 import Card, Rank, Suit
from ronda.v1.decision_pb2 import Decision
from ronda.v1.move_pb2 import Move, Play
from ronda.v1.view_pb2 import SeatView
from ronda_bots import RandomBot
from ronda_client.tournament import serve

ENOUGH = 1 << 30


class Planted:
    """Fails on the third turn that it is asked for, and hangs on the first."""

    def __init__(self, kind: str) -> None:
        """Take how."""
        self._kind = kind
        self._random = RandomBot(1)
        self._turns = 0

    def choose(self, view: SeatView, decision: Decision) -> Move:
        """Return a legal move, or fail."""
        self._turns += 1
        if self._turns == (1 if self._kind == "hang" else 3):
            self._fail(view)
            if self._kind == "illegal":
                held = {(card.rank, card.suit) for card in view.hand}
                card = next(
                    Card(rank=rank, suit=suit)
                    for rank in Rank.values()
                    for suit in Suit.values()
                    if rank and suit and (rank, suit) not in held
                )
                return Move(play=Play(card=card))
        return self._random.choose(view, decision)

    def _fail(self, view: SeatView) -> None:
        match self._kind:
            case "crash":
                print("out of cards", file=sys.stderr, flush=True)
                os._exit(3)
            case "hang":
                time.sleep(ENOUGH)
            case "flood":
                while True:
                    print("x" * 1000)
            case "raise":
                raise KeyError("nine of swords")


def rubbish() -> None:
    """Say what no bot says, and wait."""
    sys.stdin.readline()
    print('{"type":"ready","version":1,"name":"rubbish"}', flush=True)
    sys.stdin.readline()
    print("hello, world", flush=True)
    time.sleep(ENOUGH)


if __name__ == "__main__":
    if sys.argv[1] == "rubbish":
        rubbish()
    elif sys.argv[1] == "mute":
        time.sleep(ENOUGH)
    else:
        serve(lambda: Planted(sys.argv[1]))
