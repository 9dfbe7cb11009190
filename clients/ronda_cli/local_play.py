"""A person against bots in this process, without a referee."""

from collections.abc import Mapping

from ronda.v1.referee_service_pb2 import Turn
from ronda_client import Bot
from ronda_client.bot import ask, begin, tell
from ronda_table import LocalMatch
from ronda_terminal.feed import Feed
from ronda_terminal.person import Person

_MATCH = "here"


async def play_local_person(
    match: LocalMatch,
    seat: int,
    bots: Mapping[int, Bot],
    names: Mapping[int, str],
    person: Person,
    feed: Feed,
) -> None:
    """Play a match to its end, with a person at one seat and bots at the others.

    Args:
        match: the match, at its first decision.
        seat: the person's.
        bots: the bots of the other seats, by seat.
        names: what the seats are called.
        person: who is asked for the seat.
        feed: shows what the seat may see.

    Raises:
        BotError: A bot raised, or returned something that is no move.
        IllegalMove: A bot chose a move that the rules do not allow.
    """
    feed.begin(match.rule_set, match.seats, names)
    for other, bot in bots.items():
        begin(bot, _MATCH, other, match.rule_set, match.seats)
    seen = [0] * match.seats

    def show(to: int) -> None:
        for event in match.events(to, seen[to]):
            if to == seat:
                feed.event(event)
            else:
                tell(bots[to], _MATCH, to, event)
        seen[to] = match.event_count

    while match.to_act:
        for asked in match.to_act:
            for to in range(match.seats):
                show(to)
            decision = match.decision(asked)
            if decision is None:
                continue
            turn = Turn(view=match.view(asked), decision=decision)
            move = await ask(person if asked == seat else bots[asked], _MATCH, turn)
            match.submit(asked, move, decision.decision_id)
            if asked == seat:
                person.done()
            if match.over:
                break
    for to in range(match.seats):
        show(to)
