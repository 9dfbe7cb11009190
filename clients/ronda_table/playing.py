"""Playing whole matches in this process, with the bots that play at a referee."""

import asyncio
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TypeVar

from ronda.v1.move_pb2 import Move
from ronda.v1.referee_service_pb2 import Turn
from ronda.v1.rule_set_pb2 import RuleSet
from ronda_client.bot import Bot, BotMaker, Observer, begin, chosen_move, tell
from ronda_table.local_match import LocalMatch, Seed

_Player = TypeVar("_Player")


class DrawsExhausted(ValueError):
    """The cards that stand in for the shuffle have run out before the match was over."""


@dataclass(frozen=True, slots=True)
class LocalResult:
    """How a match in this process ended.

    Attributes:
        match: The match, with all its events.
        winners: The side that won, or the sides that share a draw.
        scores: Total points, by side.
    """

    match: LocalMatch
    winners: tuple[int, ...]
    scores: tuple[int, ...]

    def lead(self, seat: int) -> float:
        """Return by how many points a seat's side is ahead of the mean of the other sides."""
        side = self.match.side(seat)
        others = [points for other, points in enumerate(self.scores) if other != side]
        return self.scores[side] - sum(others) / len(others)


def play_local(
    rule_set: str | RuleSet, bots: Sequence[Bot], *, seed: Seed = 0, match_id: str = ""
) -> LocalResult:
    """Play a match to its end without a referee.

    Args:
        rule_set: The id of a rule set that is shipped, or one in full.
        bots: A player for each seat, by seat. Those with a method `saw` see every event.
        seed: Fixes the cards: a number from 0 to 2**256 - 1, or 32 bytes.
        match_id: Goes into the shuffle with the seed, and into the text of errors.

    Raises:
        RuleSetUnknownError: There is no rule set of that id.
        RuleSetError: The rule set or the seat count cannot be played.
        BotError: A bot raised, exited, or returned something that is no move.
        IllegalMove: A bot chose a move that the rules do not allow.
        MalformedMessage: A bot chose a move that is empty or says what there is not.
        RuntimeError: A bot is async and this is called from within an event loop.
    """
    match = LocalMatch(rule_set, len(bots), seed, match_id=match_id)
    return finish(match, bots, match_id=match_id)


def finish(match: LocalMatch, bots: Sequence[Bot], *, match_id: str = "") -> LocalResult:
    """Play a match on from where it stands, with bots that have seen nothing of it yet.

    Raises:
        ValueError: There is not one bot for each seat.
        DrawsExhausted: Its cards were given, and have run out.
        BotError: As `play_local`, and likewise its other errors.
    """
    if len(bots) != match.seats:
        raise ValueError(f"there are {len(bots)} bots for {match.seats} seats")
    for seat, bot in enumerate(bots):
        begin(bot, match_id, seat, match.rule_set, match.seats)
    seen = [0] * match.seats
    while match.to_act:
        for seat in match.to_act:
            _show(match, bots, seat, seen, match_id)
            decision = match.decision(seat)
            if decision is None:
                continue
            turn = Turn(view=match.view(seat), decision=decision)
            match.submit(seat, _ask(bots[seat], match_id, turn), decision.decision_id)
            if match.over:
                break
    if not match.over:
        raise DrawsExhausted("the cards given have run out before the match was over")
    for seat in range(match.seats):
        _show(match, bots, seat, seen, match_id)
    return LocalResult(match, match.winners, match.scores)


def rotations(players: Sequence[_Player]) -> Iterator[tuple[_Player, ...]]:
    """Yield the players in every rotation of their seats: first as given, then each one seat on.

    Played with the same seed, everybody gets everybody's cards once: the matches are duplicates,
    and luck with the cards falls out of the sums.
    """
    for shift in range(len(players)):
        yield tuple(players[(seat - shift) % len(players)] for seat in range(len(players)))


def play_rotations(
    rule_set: str | RuleSet, makers: Sequence[BotMaker], *, seed: Seed = 0
) -> tuple[tuple[LocalResult, ...], tuple[float, ...]]:
    """Play the same cards once in every rotation of the players.

    Args:
        rule_set: The id of a rule set that is shipped, or one in full.
        makers: What makes each player's bot anew for each match, as a class, by seat of the first
            match.
        seed: Fixes the cards of all the matches.

    Returns:
        the matches, and each player's mean lead in them (`LocalResult.lead`), by player.

    Raises:
        BotError: As `play_local`, and likewise its other errors.
    """
    results = []
    leads = [0.0] * len(makers)
    for order in rotations(range(len(makers))):
        result = play_local(rule_set, [makers[player]() for player in order], seed=seed)
        results.append(result)
        for seat, player in enumerate(order):
            leads[player] += result.lead(seat)
    return tuple(results), tuple(lead / len(results) for lead in leads)


def _show(
    match: LocalMatch, bots: Sequence[Bot], seat: int, seen: list[int], match_id: str
) -> None:
    """Show a bot what happened since it looked last, where it wants to see events."""
    if isinstance(bots[seat], Observer):
        for event in match.events(seat, seen[seat]):
            tell(bots[seat], match_id, seat, event)
    seen[seat] = match.event_count


def _ask(bot: Bot, match_id: str, turn: Turn) -> Move:
    chosen = chosen_move(bot, match_id, turn)
    if isinstance(chosen, Move):
        return chosen

    async def answer() -> Move:
        return await chosen

    return asyncio.run(answer())
