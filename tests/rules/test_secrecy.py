"""Nothing that a seat gets depends on a card that it cannot know (ANN-10)."""

import random
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from ronda_rules import engine
from ronda_rules.errors import RulesError
from ronda_rules.events import AnnouncementMade, Event, HandDealt
from ronda_rules.moves import Announce, Move, SeatMove
from ronda_rules.rule_set import AnnouncementKind, RuleSet, Settle, Timing
from ronda_rules.state import MatchState
from ronda_rules.view import observed, public_view, seat_view
from tests.rules.playouts import conceivable, rule_sets
from tests.rules.rule_sets import EMPTY_TABLE, MAGHRIBI, REFUSED, changed
from tests.rules.two_worlds import Twins, two_worlds


def honest_events(event: Event, seat: int | None) -> object:
    """Give what the engine shows of an event."""
    return observed(event, seat)


def honest_view(state: MatchState, seat: int | None) -> object:
    """Give what the engine shows of a state."""
    return public_view(state) if seat is None else seat_view(state, seat)


def honest_moves(state: MatchState, seat: int) -> object:
    """Give the legal moves and what the hand supports."""
    return engine.legal_moves(state, seat), engine.supported_announcements(state, seat)


def honest_answer(state: MatchState, seat: int, move: Move) -> object:
    """Give the refusal of a move, or that there is none."""
    try:
        engine.apply(state, SeatMove(seat, move))
    except RulesError as refused:
        return type(refused), refused.reason, refused.clause, str(refused), refused.values
    return None


@dataclass(frozen=True)
class Sight:
    """The ways by which a seat gets to know anything."""

    event: Callable[[Event, int | None], object] = honest_events
    view: Callable[[MatchState, int | None], object] = honest_view
    moves: Callable[[MatchState, int], object] = honest_moves
    answer: Callable[[MatchState, int, Move], object] = honest_answer


def leak(twins: Twins, observer: int | None, sight: Sight) -> str | None:
    """Give by which way the two matches can be told apart, or None."""
    first, second = twins.states
    seen = [[sight.event(event, observer) for event in events] for events in twins.events]
    if seen[0] != seen[1]:
        return "event"
    if sight.view(first, observer) != sight.view(second, observer):
        return "view"
    if observer is None:
        return None
    if sight.moves(first, observer) != sight.moves(second, observer):
        return "moves"
    if first == second:
        return None
    for move in conceivable(first.seats):
        if sight.answer(first, observer, move) != sight.answer(second, observer, move):
            return "answer"
    return None


def leaks(rules: RuleSet, seats: int, observer: int | None, seed: int, sight: Sight) -> set[str]:
    """Play a pair of matches; give the ways by which they could be told apart."""
    worlds = two_worlds(rules, seats, observer, random.Random(seed))
    return {way for twins in worlds if (way := leak(twins, observer, sight)) is not None}


@settings(max_examples=250)
@given(rule_sets(), st.integers(0, 2**32 - 1), st.integers(0, 3))
def test_matches_that_differ_in_unknown_cards_look_alike(
    match: tuple[RuleSet, int], seed: int, place: int
) -> None:
    """ANN-10: observed events, views, legal moves and refusals are the same, card for card.

    The observer is a seat or, beyond the last seat, the public.
    """
    rules, seats = match
    observer = place if place < seats else None
    # These show by their nature what hands hold, before a card is played.
    assume(rules.timing is not Timing.AUTOMATIC and rules.settle is not Settle.AT_ONCE)
    assert leaks(rules, seats, observer, seed, Sight()) == set()


def test_the_pairs_differ_and_say_something() -> None:
    """The property above is about something: pairs part, go on for turns, and bluff both ways."""
    parted = 0
    bluffs = 0
    for seed in range(200):
        for twins in two_worlds(MAGHRIBI, 2 + seed % 3, 0, random.Random(seed)):
            first, second = twins.states
            if first.hands == second.hands or not first.cards_played:
                continue
            parted += 1
            bluffs += [one.rank is None for one in first.announcements] != [
                one.rank is None for one in second.announcements
            ]
    assert parted > 500
    assert bluffs > 20


def event_with_cards(event: Event, seat: int | None) -> object:
    """Leak: everyone gets the cards of a dealt hand."""
    return event


def event_with_a_pair(event: Event, seat: int | None) -> object:
    """Leak: a dealt hand says to everyone how many different ranks it has."""
    ranks = {card % 10 for card in event.cards} if isinstance(event, HandDealt) else None
    return observed(event, seat), ranks and len(ranks)


def view_with_equal_ranks(state: MatchState, seat: int | None) -> object:
    """Leak: the view tells how many equal ranks the other hands hold."""
    equal = [
        max(Counter(card % 10 for card in hand).values(), default=0)
        for owner, hand in enumerate(state.hands)
        if owner != seat
    ]
    return honest_view(state, seat), equal


def view_with_rank_of_announcements(state: MatchState, seat: int | None) -> object:
    """Leak: the view tells the rank of what others announced."""
    return honest_view(state, seat), state.announcements


def view_with_the_pack(state: MatchState, seat: int | None) -> object:
    """Leak: the view tells which ranks the pack has run out of."""
    ranks = {card for card in range(10) if not state.pack & (0x40100401 << card)}
    return honest_view(state, seat), ranks


def moves_without_a_beaten_announcement(state: MatchState, seat: int) -> object:
    """Leak: a ronda is offered only where nobody holds three equal cards."""
    moves = engine.legal_moves(state, seat)
    held = any(
        max(Counter(card % 10 for card in hand).values(), default=0) > 1 for hand in state.hands
    )
    return [one for one in moves if one != Announce(AnnouncementKind.RONDA) or not held]


def answer_that_names_the_holder(state: MatchState, seat: int, move: Move) -> object:
    """Leak: the refusal of a card says whose hand it is in."""
    card = getattr(move, "card", None)
    return honest_answer(state, seat, move), [card in hand for hand in state.hands]


@pytest.mark.parametrize(
    ("way", "sight"),
    [
        ("event", Sight(event=event_with_cards)),
        ("event", Sight(event=event_with_a_pair)),
        ("view", Sight(view=view_with_equal_ranks)),
        ("view", Sight(view=view_with_rank_of_announcements)),
        ("view", Sight(view=view_with_the_pack)),
        ("moves", Sight(moves=moves_without_a_beaten_announcement)),
        ("answer", Sight(answer=answer_that_names_the_holder)),
    ],
)
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_planted_leaks_are_found(way: str, sight: Sight, seats: int) -> None:
    """The property above finds each kind of leak, with every seat count."""
    assert any(way in leaks(MAGHRIBI, seats, 0, seed, sight) for seed in range(100))


def test_leaks_to_the_public_are_found() -> None:
    """The public knows no hand, so that a seat's own cards are a leak to it."""
    sight = Sight(event=lambda event, _: observed(event, 0))
    assert any("event" in leaks(MAGHRIBI, 2, None, seed, sight) for seed in range(50))


@pytest.mark.parametrize("rules", [changed(**REFUSED), changed(**EMPTY_TABLE)])
def test_pairs_with_other_rule_sets_announce_too(rules: RuleSet) -> None:
    """Pairs that differ also pass an announcement of another seat, where it is legal in both."""
    seen = 0
    for seed in range(300):
        for twins in two_worlds(rules, 2, 1, random.Random(seed)):
            parted = twins.states[0].hands[0] != twins.states[1].hands[0]
            seen += parted and isinstance(twins.events[0][0], AnnouncementMade)
    assert seen > 5
