"""What of a match is in memory: how it stands, and what of that may be shown."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar

from ronda_referee.clocks import Clock
from ronda_referee.match_log import LogRow
from ronda_referee.play import MatchPlay, Snapshot
from ronda_referee.store import Store, StoredMatch

# Played again in a few milliseconds. A thread for it would cost all others more: where thousands
# of matches come back at once, the event loop would wait for the interpreter at every turn.
_FEW_ROWS = 100

_Match_contra = TypeVar("_Match_contra", contravariant=True)


@dataclass(frozen=True, slots=True)
class Published:
    """What is on disk of a match and may be shown.

    Attributes:
        decisions: names the open decision of each seat that must act.
        sequence: the number of records that seats may see.
        public_sequence: the number of records that those may see who watch without a seat.
        clocks: the seats' clocks, by seat; empty where no clock runs.
        complete: whether that is the whole log.
    """

    decisions: Mapping[int, int]
    sequence: int
    public_sequence: int
    clocks: tuple[Clock, ...]
    complete: bool

    def sequence_for(self, seat: int | None) -> int:
        """Give the number of records that a seat, or the public (None), may see."""
        return self.public_sequence if seat is None else self.sequence


class Keeper(Protocol[_Match_contra]):
    """Whoever keeps the matches."""

    def rows_of(self, match_id: str) -> Sequence[LogRow]:
        """Give all rows of a match that are on disk.

        Raises:
            ServiceError: they cannot be read.
        """
        ...

    def played_again(self, stored: StoredMatch, rows: Sequence[LogRow]) -> MatchPlay:
        """Play a match again from its rows on disk, by whatever thread.

        Raises:
            StoreDamaged: they contradict themselves.
        """
        ...

    def match_ended(self, match: _Match_contra) -> None:
        """Hear that a match's log is whole."""
        ...


class Memory:
    """A match that leaves memory where nobody asks for it, and is played again from the disk.

    Attributes:
        play: how it stands, with what is still on its way to the disk; None where it left memory.
    """

    __slots__ = ("_keeper", "_snapshots", "_store", "_stored", "_waking", "play")

    def __init__(
        self, stored: StoredMatch, play: MatchPlay | None, keeper: Keeper[Any], store: Store
    ) -> None:
        """Hold a match as it is on disk; `play` is None: it is played again when somebody asks."""
        self.play = play
        self._stored = stored
        self._keeper = keeper
        self._store = store
        self._snapshots: tuple[Snapshot, Snapshot] | None = None
        self._waking: asyncio.Task[None] | None = None

    def show(self, play: MatchPlay) -> None:
        """Let it be shown as it stands now: that is on disk."""
        self._snapshots = play.visible, play.delayed

    def shown(self) -> tuple[Snapshot, Snapshot]:
        """Give what seats and what the public may see, from the disk where it left memory."""
        if self._snapshots is None:
            play = self.awake()
            return play.visible, play.delayed
        return self._snapshots

    def forget(self) -> None:
        """Forget how it stands: that did not come to the disk. What may be shown stays so."""
        self.play = None

    def sleep(self) -> None:
        """Leave memory."""
        self.play = None
        self._snapshots = None

    @property
    def asleep(self) -> bool:
        """Whether it has left memory."""
        return self.play is None and self._snapshots is None

    def awake(self) -> MatchPlay:
        """Give how it stands; where it left memory it is played again while all others wait."""
        if self.play is None:
            return self._comes_back(self._replay(self._rows()))
        return self.play

    async def wake(self) -> None:
        """Come back to memory; where that takes long beside the event loop, so that nobody waits.

        Raises:
            ServiceError: it cannot be read.
            StoreDamaged: its rows contradict themselves.
        """
        if self.play is not None:
            return
        if self._waking is None:
            self._waking = asyncio.create_task(self._wake(), name=f"wake {self._stored.match_id}")
            self._waking.add_done_callback(self._woken)
        await asyncio.shield(self._waking)

    def _rows(self) -> Sequence[LogRow]:
        return self._keeper.rows_of(self._stored.match_id)

    def _replay(self, rows: Sequence[LogRow]) -> MatchPlay:
        return self._keeper.played_again(self._stored, rows)

    async def _wake(self) -> None:
        rows = self._rows()
        if len(rows) <= _FEW_ROWS:
            play = self._replay(rows)
        else:
            play = await asyncio.to_thread(self._replay, rows)
        # Whoever could not wait may have played it again meanwhile, and gone on.
        if self.play is None and play.sequence == self._store.length(self._stored.match_id):
            self._comes_back(play)

    def _woken(self, waking: asyncio.Task[None]) -> None:
        self._waking = None
        # Those who waited for it know; where nobody does it is nobody's error.
        waking.cancelled() or waking.exception()

    def _comes_back(self, play: MatchPlay) -> MatchPlay:
        """Take a match that was played again as the disk has it; it may be shown as it is now."""
        self.play = play
        # Kept now, since its next record is played before it is on disk, and is not to be seen.
        if self._snapshots is None:
            self.show(play)
        return play
