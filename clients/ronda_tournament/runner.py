"""Running a tournament: what is left of it is played, many matches at once."""

import asyncio
from collections.abc import Iterator, Sequence
from typing import Protocol

from ronda_client import RefereeClient
from ronda_tournament.builtin import TRUSTING
from ronda_tournament.config import Config
from ronda_tournament.folder import TournamentFolder
from ronda_tournament.games import Context, GroupFailed, play_game
from ronda_tournament.players import Player, PlayerFailed, PlayerStopped
from ronda_tournament.recovery import recover
from ronda_tournament.results import HANGING, Failure
from ronda_tournament.schedule import Group, Meeting, groups, stages
from ronda_tournament.seeds import group_seed


class Observer(Protocol):
    """Who is told how the tournament goes on."""

    def stage(self, meetings: Sequence[Meeting]) -> None:
        """A stage begins, in which these meet."""

    def group(self, group: Group) -> None:
        """A group is over."""

    def failure(self, failure: Failure) -> None:
        """A bot has failed."""

    def stopped(self, entrant: int, why: str) -> None:
        """A bot was stopped."""


class Runner:
    """One run of a tournament."""

    def __init__(
        self,
        config: Config,
        folder: TournamentFolder,
        client: RefereeClient,
        observer: Observer,
        *,
        own_referee: bool = False,
    ) -> None:
        """Take the tournament, its folder, the referee and who is told.

        The referee must let matches share a shuffle. Where it is the runner's own, built-in bots
        leave it to the audit to check the logs.
        """
        self._config = config
        self._results = folder.results
        self._journal = folder.journal
        self._observer = observer
        run = folder.results.runs
        self._players: dict[tuple[int, int], Player] = {}
        for index, entrant in enumerate(config.entrants):
            for turn in range(config.turns):
                if entrant.address and turn:
                    # It is one program, whatever it is told.
                    self._players[index, turn] = self._players[index, 0]
                    continue
                seed = group_seed(folder.seed, f"bot {index} run {run} turn {turn}")
                arguments = [str(int.from_bytes(seed[:4])), *([TRUSTING] if own_referee else [])]
                self._players[index, turn] = Player(
                    index,
                    entrant,
                    config.limits,
                    client.target,
                    config.folder,
                    folder.bot_log(entrant.name),
                    builtin_arguments=arguments,
                    run=f"run {run} turn {turn}",
                )
        self._context = Context(
            config, client, folder.seed, folder.journal, folder.logs, self._players
        )
        self._stage_number = 0
        self._at_once = asyncio.Semaphore(config.concurrency)

    async def run(self) -> None:
        """Play all that is left, and note the end.

        Raises:
            ClientError: The referee was lost; the tournament can be gone on with.
        """
        try:
            await recover(self._context, self._results)
            for meetings in stages(self._config, self._results):
                self._stage_number = meetings[0].round if meetings else 1
                self._observer.stage(meetings)
                await self._stage(meetings)
            if not self._results.finished:
                self._journal.note("finished", seed=self._context.seed.hex())
        finally:
            await asyncio.gather(*(player.stop() for player in set(self._players.values())))
            self._journal.sync_now()

    async def _stage(self, meetings: Sequence[Meeting]) -> None:
        if any(not self._results.is_over(group) for group in groups(self._config, meetings)):
            # A kill may have come between a failure and what follows from it.
            for entrant in {failure.entrant for failure in self._results.failures}:
                await self._judge(entrant)
        coming = self._coming(meetings)
        matches = len(meetings[0].teams) if meetings else 1
        most = -(-self._config.concurrency // matches)
        playing: set[asyncio.Task[None]] = set()
        try:
            while True:
                while len(playing) < most and (group := next(coming, None)) is not None:
                    playing.add(asyncio.create_task(self._group(group), name=group.name))
                if not playing:
                    return
                done, playing = await asyncio.wait(playing, return_when=asyncio.FIRST_COMPLETED)
                for task in done:
                    task.result()
        finally:
            for task in playing:
                task.cancel()
            await asyncio.gather(*playing, return_exceptions=True)

    def _coming(self, meetings: Sequence[Meeting]) -> Iterator[Group]:
        """Yield the groups that are left, each judged when there is room for it."""
        for group in groups(self._config, meetings):
            meeting = group.meeting
            if self._results.is_over(group) or any(
                self._results.is_out(entrant) for entrant in meeting.entrants
            ):
                continue
            test = self._results.sprt(meeting)
            if test is None or not test.decision:
                yield group

    async def _group(self, group: Group) -> None:
        """Play what is left of a group, and note what became of it."""
        failed = await self._played(group)
        if failed:
            failures = {
                (one.entrant, one.incident): one for single in failed for one in single.failures
            }
            why = "; ".join(dict.fromkeys(single.why for single in failed))
            # In one line, so that no kill can come between.
            self._journal.note(
                "void",
                group=group.name,
                why=why,
                failures=[
                    {name: getattr(failure, name) for name in Failure.__slots__}
                    for failure in failures.values()
                ],
            )
            for failure in failures.values():
                self._observer.failure(failure)
            await self._journal.sync()
            for failure in failures.values():
                if failure.kind in HANGING:
                    hung = PlayerFailed(
                        failure.entrant, failure.kind, failure.detail, failure.incident
                    )
                    for player in self._programs(failure.entrant):
                        await player.end(hung)
            for entrant in {failure.entrant for failure in failures.values()}:
                await self._judge(entrant)
        self._observer.group(group)

    async def _played(self, group: Group) -> list[GroupFailed]:
        """Play a group's matches that are left; return why it is void, empty where it is not."""
        left = [
            number
            for number in range(len(group.meeting.teams))
            if (group.name, number) not in self._results.games
        ]
        failed_starts = await self._start(group, left)
        if failed_starts:
            return failed_starts
        tasks = [asyncio.create_task(self._game(group, number)) for number in left]
        try:
            await asyncio.wait(tasks, return_when=asyncio.FIRST_EXCEPTION)
        finally:
            for task in tasks:
                task.cancel()
            ends = await asyncio.gather(*tasks, return_exceptions=True)
        failed_games = [end for end in ends if isinstance(end, GroupFailed)]
        for end in ends:
            if isinstance(end, Exception) and not isinstance(end, GroupFailed):
                raise end
        return failed_games

    async def _start(self, group: Group, games: Sequence[int]) -> list[GroupFailed]:
        """Have the programs run that play these matches; return why they cannot be played.

        An entrant is named once, however many of its programs do not run. Where one of them has
        failed and another was stopped, the failure is named, since it counts.
        """
        starting = [
            self._players[entrant, number].ready()
            for number in games
            for entrant in group.meeting.entrants
        ]
        failed: dict[int, GroupFailed] = {}
        ends = await asyncio.gather(*starting, return_exceptions=True)
        for end in sorted(ends, key=lambda end: isinstance(end, PlayerStopped)):
            match end:
                case PlayerFailed():
                    failure = Failure(end.entrant, end.kind, end.detail, end.incident, group.name)
                    failed.setdefault(end.entrant, GroupFailed([failure], end.detail))
                case PlayerStopped():
                    name = self._config.entrants[end.entrant].name
                    failed.setdefault(end.entrant, GroupFailed([], f"{name} was stopped"))
                case BaseException():
                    raise end
        return [*failed.values()]

    async def _game(self, group: Group, number: int) -> None:
        async with self._at_once:
            await play_game(self._context, group, number)

    async def _judge(self, entrant: int) -> None:
        """Stop a bot that has failed too often."""
        if self._results.is_out(entrant):
            return
        programs = self._programs(entrant)
        incidents = self._results.incidents(entrant)
        last = next(one for one in reversed(self._results.failures) if one.entrant == entrant)
        if incidents >= self._config.limits.failures:
            why = f"it failed {incidents} times, the last time: {last.detail}"
        elif any(not one.is_running and one.starts_left <= 0 for one in programs):
            why = f"it may not be started again; the last time: {last.detail}"
        else:
            return
        self._journal.note("stopped", entrant=entrant, why=why, stage=self._stage_number)
        self._observer.stopped(entrant, why)
        await asyncio.gather(*(player.stop() for player in programs))

    def _programs(self, entrant: int) -> set[Player]:
        return {self._players[entrant, turn] for turn in range(self._config.turns)}
