"""What of a match is in memory: how it stands, and what of that may be shown."""

import asyncio
from collections.abc import Callable, Sequence

from ronda_referee.match_log import LogRow
from ronda_referee.play import MatchPlay, Snapshot

# Played again in a few milliseconds. A thread for it would cost all others more: where thousands
# of matches come back at once, the event loop would wait for the interpreter at every turn.
_FEW_ROWS = 100


class Memory:
    """A match that leaves memory where nobody asks for it, and is played again from the disk.

    Attributes:
        play: how it stands, with what is still on its way to the disk; None where it left memory.
    """

    def __init__(
        self,
        match_id: str,
        play: MatchPlay | None,
        stored_rows: Callable[[], Sequence[LogRow]],
        replay: Callable[[Sequence[LogRow]], MatchPlay],
        stored_length: Callable[[], int],
    ) -> None:
        """Hold a match as it is on disk; None: it is played again when somebody asks.

        Args:
            match_id: its id.
            play: how it stands.
            stored_rows: gives its rows on disk.
            replay: plays it again from them, by whatever thread.
            stored_length: gives how many rows are on disk.
        """
        self.play = play
        self._match_id = match_id
        self._stored_rows = stored_rows
        self._replay = replay
        self._stored_length = stored_length
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
            return self._comes_back(self._replay(self._stored_rows()))
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
            self._waking = asyncio.create_task(self._wake(), name=f"wake {self._match_id}")
            self._waking.add_done_callback(self._woken)
        await asyncio.shield(self._waking)

    async def _wake(self) -> None:
        rows = self._stored_rows()
        if len(rows) <= _FEW_ROWS:
            play = self._replay(rows)
        else:
            play = await asyncio.to_thread(self._replay, rows)
        # Whoever could not wait may have played it again meanwhile, and gone on.
        if self.play is None and play.sequence == self._stored_length():
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
