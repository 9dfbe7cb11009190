"""The client for programs that are not async: every call waits for its answer.

It is used as::

    from ronda_client import sync

    with sync.connect("127.0.0.1:7632") as referee:
        played = referee.play_match("maghribi", [MyBot(), MyBot()])
        print(played.scores)

and `play_many` plays hundreds of matches at once over one stream for each seat. Async bots play
too. Calls are made one after the other, from one thread, and not from within an event loop.
"""

import asyncio
from collections.abc import Coroutine, Generator, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Self, TypeVar

import grpc

from ronda.v1.card_pb2 import Card
from ronda.v1.listed_rule_set_pb2 import ListedRuleSet
from ronda.v1.match_terms_pb2 import MatchTerms
from ronda.v1.move_pb2 import Move
from ronda.v1.referee_service_pb2 import (
    MATCH_STATE_UNSPECIFIED,
    GetServerInfoResponse,
    MatchState,
    MatchSummary,
    Turn,
)
from ronda.v1.rule_set_pb2 import RuleSet
from ronda_client.answers import CreatedMatch, CurrentView
from ronda_client.backoff import Backoff
from ronda_client.bot import Bot, BotMaker
from ronda_client.chain import SeenRecord
from ronda_client.client import RefereeClient
from ronda_client.errors import ClientError
from ronda_client.heads import Heads
from ronda_client.match import PlayedMatch, play_match
from ronda_client.seat import SeatResult, play_seat, run
from ronda_client.seat_stream import play_seats

_Answer = TypeVar("_Answer")


class SyncClient:
    """A referee, as a context; its methods are those of `RefereeClient`, which say what they raise.

    They raise `RuntimeError` too where they are called within an event loop, which has
    `RefereeClient`, or outside of the context.
    """

    def __init__(self, client: RefereeClient) -> None:
        """Take a client that is not open; it is opened on entering."""
        self._client = client
        self._runner: asyncio.Runner | None = None

    def __enter__(self) -> Self:
        runner = asyncio.Runner()
        runner.__enter__()
        try:
            runner.run(self._client.__aenter__())
        except BaseException:
            runner.close()
            raise
        self._runner = runner
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        runner, self._runner = self._runner, None
        if runner is not None:
            try:
                runner.run(self._client.__aexit__(kind, error, traceback))
            finally:
                runner.close()

    def get_server_info(self) -> GetServerInfoResponse:
        """Return what the referee is: its version, key, limits and default terms."""
        return self._run(self._client.get_server_info())

    def list_rule_sets(self) -> tuple[ListedRuleSet, ...]:
        """Return the rule sets that matches can be created with by id, with their sources."""
        return self._run(self._client.list_rule_sets())

    def get_rule_set(self, rule_set_id: str) -> ListedRuleSet:
        """Return one rule set in full, with the source of each of its values."""
        return self._run(self._client.get_rule_set(rule_set_id))

    def create_match(
        self,
        rule_set: str | RuleSet,
        seats: int,
        *,
        fixed_draws: Sequence[Card] | None = None,
        terms: MatchTerms | None = None,
    ) -> CreatedMatch:
        """Create a match."""
        return self._run(
            self._client.create_match(rule_set, seats, fixed_draws=fixed_draws, terms=terms)
        )

    def join(self, match_id: str, seat_token: str, *, name: str = "", entropy: bytes = b"") -> int:
        """Take a seat and return its number."""
        return self._run(self._client.join(match_id, seat_token, name=name, entropy=entropy))

    def get_view(self, match_id: str, seat_token: str = "") -> CurrentView:
        """Return what a seat sees now, or what everyone sees without a token."""
        return self._run(self._client.get_view(match_id, seat_token))

    def submit_move(
        self,
        match_id: str,
        seat_token: str,
        decision_id: int,
        move: Move,
        *,
        request_id: str | None = None,
    ) -> int:
        """Submit a move and return the sequence number of its record once it is on disk."""
        return self._run(
            self._client.submit_move(match_id, seat_token, decision_id, move, request_id=request_id)
        )

    def resign(self, match_id: str, seat_token: str) -> int:
        """Give the match up and return the number of the forfeit's record once it is on disk."""
        return self._run(self._client.resign(match_id, seat_token))

    def rotate_seat_token(self, match_id: str, seat_token: str) -> str:
        """Return the seat's new token once it alone opens the seat."""
        return self._run(self._client.rotate_seat_token(match_id, seat_token))

    def cancel_match(self, match_id: str) -> None:
        """Cancel a match that has not ended; nobody wins it."""
        self._run(self._client.cancel_match(match_id))

    def backup_store(self) -> str:
        """Have the referee copy its store; return the copy's name in its folder `backups`."""
        return self._run(self._client.backup_store())

    def get_match_log(self, match_id: str) -> bytes:
        """Return the log file of a match, byte for byte: whole once the match has ended."""
        return self._run(self._client.get_match_log(match_id))

    def save_match_log(self, match_id: str, path: Path) -> None:
        """Write what `get_match_log` returns to `path`, all of it or nothing."""
        self._run(self._client.save_match_log(match_id, path))

    def list_matches(
        self,
        *,
        state: MatchState.ValueType = MATCH_STATE_UNSPECIFIED,
        rule_set_id: str = "",
        page_size: int = 0,
    ) -> tuple[MatchSummary, ...]:
        """Return the matches, the newest first."""

        async def listed() -> tuple[MatchSummary, ...]:
            found = self._client.list_matches(
                state=state, rule_set_id=rule_set_id, page_size=page_size
            )
            return tuple([one async for one in found])

        return self._run(listed())

    def watch(
        self, match_id: str, seat_token: str = "", *, from_sequence: int = 0
    ) -> Generator[SeenRecord | Turn, None, None]:
        """Yield the log's records as they come, and with a seat's token its turns, to the end.

        Other calls may be made between two of them. Leave early with `contextlib.closing`.
        """
        items = self._client.watch(match_id, seat_token, from_sequence=from_sequence)

        async def following() -> SeenRecord | Turn | None:
            return await anext(items, None)

        try:
            while (item := self._run(following())) is not None:
                yield item
        finally:
            if self._runner is not None:
                self._run(items.aclose())

    def play_seat(
        self,
        match_id: str,
        seat_token: str,
        bot: Bot,
        *,
        name: str | None = None,
        entropy: bytes | None = None,
    ) -> SeatResult:
        """Play one seat with a bot to the end, as `ronda_client.play_seat`."""
        return self._run(
            play_seat(self._client, match_id, seat_token, bot, name=name, entropy=entropy)
        )

    def play_match(
        self,
        rule_set: str | RuleSet,
        bots: Sequence[Bot],
        *,
        names: Sequence[str] | None = None,
    ) -> PlayedMatch:
        """Create a match, play all of its seats, and return the result and the log."""
        return self._run(play_match(self._client, rule_set, bots, names=names))

    def play_seats(
        self,
        seats: Sequence[tuple[str, str]],
        bot: Bot | BotMaker,
        *,
        name: str | None = None,
        verify: bool = True,
    ) -> dict[str, SeatResult | ClientError]:
        """Play a seat each of many matches at once, as `ronda_client.play_seats`."""
        return self._run(play_seats(self._client, seats, bot, name=name, verify=verify))

    def play_many(
        self,
        rule_set: str | RuleSet,
        bots: Sequence[Bot | BotMaker],
        matches: int,
        *,
        names: Sequence[str] | None = None,
        verify: bool = True,
    ) -> list[dict[str, SeatResult | ClientError]]:
        """Create matches and play all of their seats at once, over one stream for each seat.

        Args:
            rule_set: The id of a rule set that the referee has, or one in full.
            bots: The player of each seat, by seat, or what makes one for each match.
            matches: How many matches.
            names: The names to go by, by seat; None: those of the bots' classes.
            verify: Whether the logs are followed and checked.

        Returns:
            for each seat, by match id in the order created, how it ended, or the error that
            `play_seat` would have raised.

        Raises:
            ValueError: There is not one name for each bot, or as `play_seats`.
        """
        if names is not None and len(names) != len(bots):
            raise ValueError(f"there are {len(bots)} bots and {len(names)} names")

        async def play() -> list[dict[str, SeatResult | ClientError]]:
            created = [await self._client.create_match(rule_set, len(bots)) for _ in range(matches)]
            async with asyncio.TaskGroup() as group:
                tasks = [
                    group.create_task(
                        play_seats(
                            self._client,
                            [(one.match_id, one.seat_tokens[seat]) for one in created],
                            bot,
                            name=names[seat] if names else None,
                            verify=verify,
                        )
                    )
                    for seat, bot in enumerate(bots)
                ]
            return [task.result() for task in tasks]

        try:
            return self._run(play())
        except ExceptionGroup as failures:
            first = failures.exceptions[0]
            raise first from first.__cause__

    def _run(self, work: Coroutine[Any, Any, _Answer]) -> _Answer:
        if self._runner is None:
            work.close()
            raise RuntimeError("the client is not open: use it within `with`")
        try:
            asyncio.get_running_loop()
        except RuntimeError:
            return self._runner.run(work)
        work.close()
        raise RuntimeError("an event loop is running: use RefereeClient within it")


def connect(
    target: str,
    *,
    credentials: grpc.ChannelCredentials | None = None,
    backoff: Backoff | None = None,
    organiser_token: str | None = None,
    heads: Heads | None = None,
) -> SyncClient:
    """Return a client for the referee at `target`, to be entered with `with`.

    Args:
        target: `host:port`.
        credentials: For TLS; None: none, which is right for loopback only.
        backoff: How to wait where the referee does not answer; None: the usual waits.
        organiser_token: What lets an organiser create matches, where the referee asks for it.
        heads: Where the heads of logs are kept; None: in memory, as long as the client.

    Raises:
        ValueError: The target is no `host:port`, or an organiser's token would leave this machine
            in the clear.
    """
    return SyncClient(
        RefereeClient.connect(
            target,
            credentials=credentials,
            backoff=backoff,
            organiser_token=organiser_token,
            heads=heads,
        )
    )


__all__ = ["SyncClient", "connect", "run"]
