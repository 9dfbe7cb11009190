"""Deals that a seat can imagine, held against the true ones in random matches of every rule set."""

import random
from collections.abc import Iterator
from dataclasses import replace

import pytest

from ronda.v1.decision_pb2 import Decision
from ronda.v1.move_pb2 import Move
from ronda.v1.rule_set_pb2 import AnnouncementKind
from ronda_bots import RandomBot
from ronda_conformance.rule_set_files import load_rule_sets
from ronda_rules.state import MatchState
from ronda_table import Knowledge, LocalMatch

EVERY = [(name, seats.count) for name, rules in load_rule_sets().items() for seats in rules.seats]


def watched(
    match: LocalMatch, generator: random.Random, bots: list[RandomBot], knows: list[Knowledge]
) -> Iterator[int]:
    """Play a match on, and yield each seat that is to be asked, once it knows all it may."""
    seen = [0] * match.seats
    while match.to_act:
        seat = generator.choice(match.to_act)
        for other, knowledge in enumerate(knows):
            for event in match.events(other, seen[other]):
                knowledge.saw(event)
            seen[other] = match.event_count
        yield seat
        decision = match.decision(seat)
        assert decision is not None
        match.submit(seat, bots[seat].choose(match.view(seat), decision))


def asked(match: LocalMatch, seat: int) -> tuple[list[Move], list[AnnouncementKind.ValueType]]:
    """Return what a seat may do, and which announcements it knows to be true."""
    decision = match.decision(seat) or Decision()
    return list(decision.legal_moves), list(decision.true_announcements)


def in_any_order(state: MatchState) -> MatchState:
    """Return a state in which hands have no order."""
    return replace(
        state,
        hands=tuple(tuple(sorted(hand)) for hand in state.hands),
        dealt=tuple(tuple(sorted(hand)) for hand in state.dealt),
    )


@pytest.mark.parametrize(("rule_set", "seats"), EVERY)
def test_what_a_seat_imagines_fits_what_it_knows(rule_set: str, seats: int) -> None:
    """At random decisions of a random match, bluffs, challenges and claims among its moves.

    The imagined match shows and asks the seat the same; its other hands are as large; it can be
    played to its end; the true hands are among those that fit, and with them the imagined state is
    the true one in everything.
    """
    generator = random.Random(f"{rule_set} {seats}")
    looked = other_hands = 0
    while looked < 5:
        match = LocalMatch(rule_set, seats, generator.randrange(1 << 32))
        bots = [RandomBot(generator.randrange(1 << 32), bluff=0.2) for _ in range(seats)]
        knows = [Knowledge(rule_set, seat, seats) for seat in range(seats)]
        for seat in watched(match, generator, bots, knows):
            if looked == 5:
                break
            if generator.random() > 0.15:
                continue
            other_hands += imagines(match, seat, knows[seat], generator)
            looked += 1
    assert other_hands > 0


def imagines(match: LocalMatch, seat: int, knowledge: Knowledge, generator: random.Random) -> bool:
    """Check one imagined match; tell whether its other hands are not the true ones."""
    true = match.course.visible
    hands = {s: list(match.view(s).hand) for s in range(match.seats) if s != seat}
    assert knowledge.possible(hands)
    held = {one: hand for one, hand in enumerate(true.hands) if one != seat}
    assert in_any_order(knowledge.filled(held)) == in_any_order(true)
    imagined = knowledge.determinise(generator)
    assert imagined.view(seat) == match.view(seat)
    assert asked(imagined, seat) == asked(match, seat)
    assert knowledge.possible({s: list(imagined.view(s).hand) for s in hands})
    others = in_any_order(imagined.course.state).hands != in_any_order(true).hands
    # To the end of the deal, through cards that are drawn now.
    while not imagined.over and imagined.public_view().deal == match.public_view().deal:
        acting = imagined.to_act[0]
        decision = imagined.decision(acting)
        assert decision is not None
        imagined.submit(acting, generator.choice(decision.legal_moves))
    return others


def test_a_match_goes_on_to_be_imagined_after_a_forfeit() -> None:
    """The true hands fit, and what is asked stays the same."""
    for seed in range(4):
        generator = random.Random(seed)
        match = LocalMatch("maghribi", 3, seed)
        knows = [Knowledge("maghribi", seat, 3) for seat in range(3)]
        bots = [RandomBot(seed + seat) for seat in range(3)]
        for number, seat in enumerate(watched(match, generator, bots, knows)):
            if number == 5:
                match.forfeit(next(one for one in range(3) if one != seat))
            if number > 5:
                imagines(match, seat, knows[seat], generator)
            if number == 20 or seat in match.course.state.forfeited:
                break
