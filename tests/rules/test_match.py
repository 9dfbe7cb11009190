"""The end of deals and of the match (MATCH-1 to MATCH-4)."""

import pytest

from ronda_rules import engine
from ronda_rules.engine import Asked, MatchOver
from ronda_rules.errors import DrawError, Reason
from ronda_rules.events import BatchStarted, DealEnded, DealStarted, Event, MatchEnded
from ronda_rules.moves import DealerDrawn, Play
from ronda_rules.rule_set import RuleSet, TargetTie
from ronda_rules.state import NOBODY
from tests.rules.playing import Game, card, cards, refusal
from tests.rules.rule_sets import MAGHRIBI, changed


def end(seats: int, scores: str, rules: RuleSet = MAGHRIBI) -> list[Event]:
    """End a deal in which nothing scores any more; give what follows the count."""
    game = ending(seats, scores, rules)
    events = game.play("5o")
    start = [isinstance(event, DealEnded) for event in events].index(True)
    return events[start:]


def ending(seats: int, scores: str, rules: RuleSet = MAGHRIBI) -> Game:
    """Set up the last card of a deal in which nothing scores any more."""
    batch, piles = {2: (6, "20 18"), 3: (4, "13 13 12"), 4: (3, "20 18")}[seats]
    hands = " / ".join(["-"] * (seats - 1) + ["5o"])
    # With three seats one card is above the thresholds together: the last seat gets a point.
    return Game.at(
        f"seats {seats}; batch {batch}; turn {seats - 1}; hands {hands}; table 5c; "
        f"piles {piles}; capturer {seats - 1}; scores {scores}",
        rules,
    )


def test_scores_add_up_and_are_kept() -> None:
    """MATCH-1: totals go on from deal to deal; nothing else does."""
    game = Game.at(
        "seats 2; deal 4; batch 6; turn 1; hands - / 5o; table 5c 1c; piles 13 24; "
        "capturer 0; scores 7 11; said 2:0:tringa:7, 3:1:ronda:false"
    )
    events = game.play("5o")
    # 13 to 27 cards: 7 points for side 1; tringa 5 and the penalty 1 for side 0.
    assert events[-3:] == [
        DealEnded(4, (13, 18)),
        DealStarted(5, 0),
        BatchStarted(1, 3, last=False),
    ]
    state = game.state
    assert (state.scores, state.piles, state.punished) == ((13, 18), (0, 0), (0, 0))
    assert (state.table, state.announcements, state.laid) == (0, (), None)
    assert state.last_capturer == NOBODY
    assert state.pack.bit_count() == 40


@pytest.mark.parametrize(
    ("seats", "scores", "totals", "winners"),
    [
        (2, "40 40", (40, 40), None),
        (2, "41 40", (41, 40), (0,)),
        (2, "12 41", (12, 41), (1,)),
        (2, "41 44", (41, 44), (1,)),
        (2, "60 43", (60, 43), (0,)),
        (2, "41 41", (41, 41), (0, 1)),
        (2, "50 50", (50, 50), (0, 1)),
        (3, "40 40 39", (40, 40, 40), None),
        (3, "41 12 12", (41, 12, 13), (0,)),
        (3, "41 42 43", (41, 42, 44), (2,)),
        (3, "43 12 42", (43, 12, 43), (0, 2)),
        (3, "43 43 42", (43, 43, 43), (0, 1, 2)),
        (3, "44 44 42", (44, 44, 43), (0, 1)),
        (4, "41 40", (41, 40), (0,)),
        (4, "45 45", (45, 45), (0, 1)),
    ],
)
def test_highest_total_at_the_target_wins(
    seats: int, scores: str, totals: tuple[int, ...], winners: tuple[int, ...] | None
) -> None:
    """MATCH-2, MATCH-3: at the target or over it the highest wins; sides that share it draw."""
    events = end(seats, scores)
    assert events[0] == DealEnded(1, totals)
    if winners is None:
        assert events[1:] == [DealStarted(2, 0), BatchStarted(1, 3, last=False)]
    else:
        assert events[1:] == [MatchEnded(winners, totals)]


def test_target_is_looked_at_when_the_deal_has_been_counted() -> None:
    """MATCH-2: a side that passes the target in mid-deal has not won, and may yet lose."""
    game = Game.at(
        "seats 2; batch 6; turn 0; hands 5o / 3o; table 5c; piles 10 27; capturer 1; scores 40 39"
    )
    game.play("5o")
    assert game.state.scores == (41, 39)
    assert engine.decide(game.state) == engine.SeatsToAct((1,), Asked.CARD)
    # Side 0 took 2 cards and gets the three: 13 to 27, so 7 points for side 1.
    assert game.play("3o")[-2:] == [DealEnded(1, (41, 46)), MatchEnded((1,), (41, 46))]


@pytest.mark.parametrize("target", [21, 25])
def test_target_is_the_rule_sets(target: int) -> None:
    """MATCH-2: sarii is the same game to 25; others have other targets."""
    rules = changed(target=target)
    assert end(2, f"{target - 1} 3", rules)[1] == DealStarted(2, 0)
    assert end(2, f"{target} 3", rules)[1] == MatchEnded((0,), (target, 3))


@pytest.mark.parametrize(
    ("seats", "scores", "winners"),
    [
        (2, "41 41", None),
        (2, "50 50", None),
        (2, "41 40", (0,)),
        (2, "50 49", (0,)),
        (3, "44 44 42", None),
        (3, "44 45 44", None),
        (3, "44 46 44", (1,)),
        (4, "42 42", None),
    ],
)
def test_play_on(seats: int, scores: str, winners: tuple[int, ...] | None) -> None:
    """MATCH-3: with PLAY_ON the match goes on until one side alone is highest at the target."""
    events = end(seats, scores, changed(target_tie=TargetTie.PLAY_ON))
    if winners is None:
        assert events[1:] == [DealStarted(2, 0), BatchStarted(1, 3, last=False)]
    else:
        assert isinstance(events[1], MatchEnded)
        assert events[1].winners == winners
        assert events[2:] == []


@pytest.mark.parametrize(
    ("seats", "scores", "winners"),
    [
        (2, "0 0", (0, 1)),
        (2, "0 1", (1,)),
        (2, "3 2", (0,)),
        (3, "0 0 0", (2,)),
        (3, "1 0 0", (0, 2)),
        (4, "2 2", (0, 1)),
    ],
)
def test_target_of_nothing_is_a_single_deal(
    seats: int, scores: str, winners: tuple[int, ...]
) -> None:
    """MATCH-4: with a target of 0 the first deal decides; equal totals are a draw."""
    events = end(seats, scores, changed(target=0))
    assert isinstance(events[1], MatchEnded)
    assert events[1].winners == winners
    assert events[2:] == []


def test_nobody_acts_when_the_match_is_over() -> None:
    """MATCH-2: neither seats nor chance; every move is refused, and views say who won."""
    game = ending(2, "41 3")
    game.play("5o")
    assert engine.decide(game.state) == MatchOver((0,))
    for seat in (0, 1):
        assert engine.legal_moves(game.state, seat) == ()
        assert engine.supported_announcements(game.state, seat) == ()
        assert refusal(game, seat, Play(card("5o"))) == (Reason.MATCH_OVER, "MATCH-2")
    with pytest.raises(DrawError):
        game.draw("1o 2o 3o")
    with pytest.raises(DrawError):
        game.make(DealerDrawn(0))


def test_next_deal_is_dealt_from_a_full_pack_by_the_next_seat() -> None:
    """DEAL-3, MATCH-1: the seat after the last dealer deals; the seat after it plays first."""
    game = ending(3, "1 2 3")
    assert game.play("5o")[-2:] == [DealStarted(2, 0), BatchStarted(1, 3, last=False)]
    game.deal("5o 5c 12b / 2o 2c 2e / 3o 3c 3e / 4o 6o 10o 12o")
    assert game.state.hands == (cards("3o 3c 3e"), cards("5o 5c 12b"), cards("2o 2c 2e"))
    assert engine.decide(game.state) == engine.SeatsToAct((1,), Asked.CARD)
