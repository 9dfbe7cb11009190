"""Playing a whole match, every seat in this process."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field

from ronda.v1.rule_set_pb2 import RuleSet
from ronda_client.bot import Bot
from ronda_client.client import RefereeClient
from ronda_client.seat import SeatResult, play_seat


@dataclass(frozen=True, slots=True)
class PlayedMatch:
    """A match that was played to its end.

    Attributes:
        match_id: The match.
        seats: How it ended for each seat, by seat.
        log: The log file, byte for byte.
    """

    match_id: str
    seats: tuple[SeatResult, ...]
    log: bytes = field(repr=False)

    @property
    def winners(self) -> tuple[int, ...]:
        """The side that won, or the sides that share a draw."""
        return self.seats[0].winners

    @property
    def scores(self) -> tuple[int, ...]:
        """Total points, by side."""
        return self.seats[0].scores


async def play_match(
    referee: str | RefereeClient,
    rule_set: str | RuleSet,
    bots: Sequence[Bot],
    *,
    names: Sequence[str] | None = None,
) -> PlayedMatch:
    """Create a match, play all of its seats, and return the result and the log.

    Args:
        referee: Where the referee listens, as `host:port`, or a client that is open.
        rule_set: The id of a rule set that the referee has, or one in full.
        bots: A player for each seat, by seat.
        names: The names to go by, by seat; None: those of the bots' classes.

    Raises:
        ValueError: There is not one name for each bot.
        ClientError: As `play_seat`, from the seat that failed first; the others are given up.
    """
    if isinstance(referee, str):
        async with RefereeClient.connect(referee) as client:
            return await play_match(client, rule_set, bots, names=names)
    if names is not None and len(names) != len(bots):
        raise ValueError(f"there are {len(bots)} bots and {len(names)} names")
    created = await referee.create_match(rule_set, len(bots))
    match_id = created.match_id
    try:
        async with asyncio.TaskGroup() as group:
            tasks = [
                group.create_task(
                    play_seat(referee, match_id, token, bot, name=names[seat] if names else None),
                    name=f"match {match_id} seat {seat}",
                )
                for seat, (bot, token) in enumerate(zip(bots, created.seat_tokens, strict=True))
            ]
    except ExceptionGroup as failures:
        first = failures.exceptions[0]
        for other in failures.exceptions[1:]:
            first.add_note(f"meanwhile: {other}")
        raise first from first.__cause__
    log = await referee.get_match_log(match_id)
    return PlayedMatch(match_id, tuple(task.result() for task in tasks), log)
