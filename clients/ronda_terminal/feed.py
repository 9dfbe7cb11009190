"""What comes of a match, shown one after the other, slowly enough to follow."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import TypeAlias

from ronda.v1.event_pb2 import Event
from ronda.v1.log_pb2 import LogRecord
from ronda.v1.referee_service_pb2 import SeatClock
from ronda.v1.rule_set_pb2 import RuleSet
from ronda_terminal.sight import Sight

# After these a person wants to look; after the others for the first time less.
_LOOK: dict[str, float] = {
    "table_turned": 1.0,
    "announcement_made": 1.0,
    "announcements_revealed": 1.5,
    "announcement_challenged": 2.0,
    "card_played": 1.0,
    "cards_captured": 1.0,
    "cards_held": 1.0,
    "play_awarded": 0.5,
    "leftovers_taken": 1.0,
    "piles_counted": 2.0,
}

_Item: TypeAlias = "tuple[Callable[[], None], Event | None]"


class Feed:
    """Puts what comes into a `Sight`, in order.

    Args:
        sight: what is seen.
        changed: called after each change.
        pace: seconds that a card of somebody else is looked at; it is not waited while a clock
            runs.
        most: with more than this still to come nothing is looked at, so that who joins late soon
            sees what happens now; None: everything is.
        sleep: waits so many seconds.
    """

    def __init__(
        self,
        sight: Sight,
        changed: Callable[[], None],
        pace: float = 0.0,
        *,
        most: int | None = None,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self.sight = sight
        self.changed = changed
        self._pace = pace
        self._most = most
        self._sleep = sleep
        self._items: asyncio.Queue[_Item] = asyncio.Queue()
        self._going = asyncio.Event()
        self._going.set()

    @property
    def paused(self) -> bool:
        """Whether what comes is kept back."""
        return not self._going.is_set()

    def pause(self, *, paused: bool) -> None:
        """Keep back what comes, or let it go on."""
        if paused:
            self._going.clear()
        else:
            self._going.set()

    def begin(self, rules: RuleSet, seats: int, names: Mapping[int, str]) -> None:
        """Show a match that has no log, before its first event."""
        self.sight.names.update(names)
        self._items.put_nowait((lambda: self.sight.begin(rules, seats), None))

    def record(self, record: LogRecord, event: Event | None) -> None:
        """Show a record of a log, with its event as it may be seen."""
        self._items.put_nowait((lambda: self.sight.take_record(record, event), event))

    def event(self, event: Event) -> None:
        """Show an event as it may be seen."""
        self._items.put_nowait((lambda: self.sight.take_event(event), event))

    def clocks(self, clocks: Sequence[SeatClock]) -> None:
        """Show the seats' clocks."""
        self.sight.take_clocks(clocks)
        self.changed()

    def notice(self, detail: str | None) -> None:
        """Show that the connection is lost, or stands again."""
        self.sight.lost = detail
        self.changed()

    async def shown(self) -> None:
        """Wait until everything that has come is shown."""
        await self._items.join()

    async def run(self) -> None:
        """Show what comes, for ever."""
        while True:
            apply, event = await self._items.get()
            try:
                await self._going.wait()
                apply()
                self.changed()
                seconds = self._look(event)
                if seconds:
                    await self._sleep(seconds)
            finally:
                self._items.task_done()

    def _look(self, event: Event | None) -> float:
        late = self._most is not None and self._items.qsize() > self._most
        if event is None or self.sight.clocks or late:
            return 0.0
        kind = event.WhichOneof("event") or ""
        own = getattr(getattr(event, kind, None), "seat", None) == self.sight.seat
        if own and self.sight.seat is not None and kind == "card_played":
            return 0.0
        return self._pace * _LOOK.get(kind, 0.0)
