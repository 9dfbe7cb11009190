"""A person as the SDK sees one: a bot that waits for a key."""

import asyncio

from ronda.v1.decision_pb2 import Decision
from ronda.v1.move_pb2 import Move
from ronda.v1.referee_service_pb2 import Turn
from ronda.v1.view_pb2 import SeatView
from ronda_terminal.feed import Feed


class Person:
    """A player whose moves are made by `answer`.

    It is asked once everything that happened before is shown. What is not asked any more, because
    time ran out or the match is over, is closed: then there is nothing to answer.
    """

    def __init__(self, feed: Feed) -> None:
        """Take what shows the match."""
        self._feed = feed
        self._waiting: asyncio.Future[Move] | None = None
        self._open: Decision | None = None
        self._closed: set[int] = set()

    async def choose(self, view: SeatView, decision: Decision) -> Move:
        """Return the move that the person makes; an empty one: the decision was closed before."""
        self._open = decision
        await self._feed.shown()
        if self.is_closed(decision.decision_id):
            return Move()
        self._waiting = asyncio.get_running_loop().create_future()
        self._feed.sight.ask(Turn(view=view, decision=decision))
        self._feed.changed()
        try:
            return await self._waiting
        finally:
            self._waiting = None

    def answer(self, move: Move) -> None:
        """Make a move, one of the legal ones that are asked for.

        Raises:
            RuntimeError: Nothing is asked.
        """
        if self._waiting is None or self._waiting.done():
            raise RuntimeError("nothing is asked")
        self._feed.sight.sent = True
        self._waiting.set_result(move)

    def done(self) -> None:
        """Note that the answer has arrived."""
        self._open = None
        self._feed.sight.answered()
        self._feed.changed()

    def close(self, decision_id: int | None = None) -> None:
        """Note that a decision, or whichever is open, is not asked any more.

        What `choose` returns for it then is not to be sent: `is_closed` says so.
        """
        asked = self._open
        if asked is None or decision_id not in {None, asked.decision_id}:
            return
        if self._feed.sight.sent:
            # It is answered already, and the referee says what became of that.
            return
        self._closed.add(asked.decision_id)
        if self._waiting is not None and not self._waiting.done():
            self._waiting.set_result(Move())
        self.done()

    def is_closed(self, decision_id: int) -> bool:
        """Tell whether a decision was closed before the person answered."""
        return decision_id in self._closed
