"""Announcements: making, judging and paying them (ANN-1 to ANN-7)."""

import pytest

from ronda_rules import engine
from ronda_rules.engine import Asked
from ronda_rules.errors import Reason
from ronda_rules.events import (
    AnnouncementMade,
    AnnouncementsAwarded,
    AnnouncementsRevealed,
    CardPlayed,
    CardsCaptured,
    FalseAnnouncementPenalised,
)
from ronda_rules.moves import Announce, Play
from ronda_rules.rule_set import (
    AnnouncementKind,
    AnnouncementTie,
    KindAmounts,
    Payout,
    RankOrder,
    RuleSet,
)
from tests.rules.playing import RONDA, TRINGA, Game, card, cards, refusal
from tests.rules.rule_sets import MAGHRIBI, REFUSED, changed

DOUBLE = AnnouncementKind.DOUBLE_RONDA

# The dealer's last card of the deal, which captures; nothing is left over.
LAST_CARD = {
    2: "seats 2; batch 6; turn 1; hands - / 5o; table 5c; piles 18 20; capturer 0",
    3: "seats 3; batch 4; turn 2; hands - / - / 5o; table 5c; piles 12 13 13; capturer 0",
    4: "seats 4; batch 3; turn 3; hands - / - / - / 5o; table 5c; piles 18 20; capturer 0",
}


def awarded(seats: int, said: str, rules: RuleSet = MAGHRIBI) -> list[tuple[int, int]]:
    """End a deal with some announcements; give side and points of their awards."""
    events = Game.at(f"{LAST_CARD[seats]}; said {said}", rules).play("5o")
    return [
        share
        for event in events
        if isinstance(event, AnnouncementsAwarded)
        for share in event.shares
    ]


def first_turn(hand: str, rules: RuleSet = MAGHRIBI) -> Game:
    """Deal a hand to seat 0 of two, whose turn it then is."""
    game = Game.begin(2, rules)
    game.deal(f"{hand} / 1b 2b 3b / 4o 6o 11o 12o")
    return game


# Making them.


def test_announcement_shows_its_kind_and_the_seat_still_has_to_play() -> None:
    """ANN-2: it is made before one's first card of the batch, and is no turn."""
    game = first_turn("7o 7c 3o")
    assert game.announce(RONDA) == [AnnouncementMade(0, RONDA)]
    assert engine.decide(game.state) == engine.SeatsToAct((0,), Asked.CARD)
    assert game.play("3o")[0] == CardPlayed(0, card("3o"))


def test_legal_moves_of_a_first_turn() -> None:
    """ANN-2, CAP-1: every kind with a value, whatever the hand holds, then every card."""
    game = first_turn("7o 7c 3o")
    hand = [Play(card("7o")), Play(card("7c")), Play(card("3o"))]
    assert list(engine.legal_moves(game.state, 0)) == [Announce(RONDA), Announce(TRINGA), *hand]
    assert engine.legal_moves(game.state, 1) == ()
    game.announce(RONDA)
    assert list(engine.legal_moves(game.state, 0)) == hand
    game.play("7c")
    assert list(engine.legal_moves(game.state, 1)) == [
        Announce(RONDA),
        Announce(TRINGA),
        Play(card("1b")),
        Play(card("2b")),
        Play(card("3b")),
    ]
    game.play("1b")
    assert list(engine.legal_moves(game.state, 0)) == [Play(card("7o")), Play(card("3o"))]


def test_second_announcement_of_a_batch_is_refused() -> None:
    """ANN-2: one announcement a seat and batch, of whichever kind."""
    game = first_turn("7o 7c 7e")
    game.announce(RONDA)
    assert refusal(game, 0, Announce(TRINGA)) == (Reason.ALREADY_ANNOUNCED, "ANN-2")
    assert refusal(game, 0, Announce(RONDA)) == (Reason.ALREADY_ANNOUNCED, "ANN-2")


def test_announcement_after_the_first_card_is_refused() -> None:
    """ANN-2: on the second and third turn of a batch it is too late."""
    game = first_turn("7o 7c 3o")
    game.play("3o 1b")
    assert refusal(game, 0, Announce(RONDA)) == (Reason.ANNOUNCEMENT_TOO_LATE, "ANN-2")
    game.play("7o 2b")
    assert refusal(game, 0, Announce(RONDA)) == (Reason.ANNOUNCEMENT_TOO_LATE, "ANN-2")


def test_announcement_out_of_turn_is_refused() -> None:
    """ANN-2: a seat announces on its own turn, not before it."""
    game = first_turn("7o 7c 3o")
    assert refusal(game, 1, Announce(RONDA)) == (Reason.NOT_YOUR_TURN, "CAP-1")


def test_each_batch_has_announcements_of_its_own() -> None:
    """ANN-2: a new hand may be announced again by the same seat."""
    game = first_turn("7o 7c 3o")
    game.announce(RONDA)
    game.play("7o 1b 7c 2b 3o 3b")
    game.deal("10o 10c 10e / 1c 2c 3c")
    assert game.announce(TRINGA) == [AnnouncementMade(0, TRINGA)]
    assert [(one.batch, one.kind) for one in game.state.announcements] == [
        (1, RONDA),
        (2, TRINGA),
    ]


def test_kind_without_a_value_cannot_be_announced() -> None:
    """ANN-1: a value of 0 is no value."""
    game = first_turn("7o 7c 7e", changed(kinds=KindAmounts(ronda=1)))
    assert refusal(game, 0, Announce(TRINGA)) == (Reason.KIND_WITHOUT_VALUE, "ANN-1")
    assert refusal(game, 0, Announce(DOUBLE)) == (Reason.KIND_WITHOUT_VALUE, "ANN-1")
    assert engine.legal_moves(game.state, 0)[0] == Announce(RONDA)
    game = first_turn("7o 7c 7e", changed(kinds=KindAmounts()))
    assert refusal(game, 0, Announce(RONDA)) == (Reason.KIND_WITHOUT_VALUE, "ANN-1")


def test_announcement_of_a_hand_without_the_combination_may_be_refused() -> None:
    """ANN-4: with REFUSED a false announcement is an illegal move, and none is offered."""
    rules = changed(**REFUSED)
    game = first_turn("7o 7c 3o", rules)
    assert refusal(game, 0, Announce(TRINGA)) == (Reason.FALSE_ANNOUNCEMENT, "ANN-4")
    assert game.announce(RONDA) == [AnnouncementMade(0, RONDA)]
    game = first_turn("7o 5c 3o", rules)
    assert refusal(game, 0, Announce(RONDA)) == (Reason.FALSE_ANNOUNCEMENT, "ANN-4")
    game = first_turn("7o 7c 7e", rules)
    assert game.announce(RONDA) == [AnnouncementMade(0, RONDA)]


def test_false_announcement_looks_like_a_true_one() -> None:
    """ANN-4: with PENALISED it is accepted, and nothing tells it apart until it is settled."""
    assert first_turn("7o 5c 3o").announce(TRINGA) == [AnnouncementMade(0, TRINGA)]


def test_pair_that_is_not_announced_is_worth_nothing() -> None:
    """ANN-2: announcing is free to leave, and what was not said is neither shown nor paid."""
    game = Game.at(
        "seats 2; batch 6; turn 0; hands 7o 7c 7e / 12o 12c 1o; table 5o; piles 16 17; capturer 0"
    )
    events = game.play("7o 12o 7c 12c 7e 1o")
    assert not [
        event for event in events if isinstance(event, AnnouncementsRevealed | AnnouncementsAwarded)
    ]


# The best of a batch.


@pytest.mark.parametrize(
    ("said", "award"),
    [
        ("1:0:ronda:4", [(0, 1)]),
        ("1:1:tringa:4", [(1, 5)]),
        # Tringa beats ronda whatever the ranks.
        ("1:0:tringa:1, 1:1:ronda:12", [(0, 5)]),
        ("1:0:ronda:12, 1:1:tringa:1", [(1, 5)]),
        # The higher rank in the pack's order, the ace lowest; 10 is above 7.
        ("1:0:ronda:12, 1:1:ronda:11", [(0, 1)]),
        ("1:0:ronda:1, 1:1:ronda:2", [(1, 1)]),
        ("1:0:ronda:1, 1:1:ronda:12", [(1, 1)]),
        ("1:0:ronda:7, 1:1:ronda:10", [(1, 1)]),
        ("1:0:tringa:7, 1:1:tringa:10", [(1, 5)]),
        # Equal rondas: a point split in two, rounded down.
        ("1:0:ronda:4, 1:1:ronda:4", []),
        # A false one does not beat, tie or pay.
        ("1:0:ronda:4, 1:1:tringa:false", [(0, 1)]),
        ("1:0:ronda:false, 1:1:ronda:1", [(1, 1)]),
        ("1:0:tringa:false, 1:1:ronda:false", []),
        # Batches are judged one by one.
        ("1:0:ronda:4, 2:1:ronda:12, 3:0:tringa:2", [(0, 1), (1, 1), (0, 5)]),
    ],
)
def test_best_true_announcement_of_a_batch_is_paid(said: str, award: list[tuple[int, int]]) -> None:
    """ANN-5, ANN-6, ANN-7: tringa over ronda, then the higher rank, for its own value."""
    assert awarded(2, said) == award


@pytest.mark.parametrize(
    ("said", "award"),
    [
        ("1:0:ronda:4, 1:1:ronda:6, 1:2:ronda:5", [(1, 1)]),
        ("1:0:ronda:6, 1:1:ronda:6, 1:2:ronda:5", []),
        ("1:0:ronda:6, 1:1:ronda:6, 1:2:ronda:7", [(2, 1)]),
        ("1:0:ronda:12, 1:1:ronda:12, 1:2:tringa:1", [(2, 5)]),
    ],
)
def test_best_announcement_of_three_seats(said: str, award: list[tuple[int, int]]) -> None:
    """ANN-5, ANN-7: each seat for itself; only a tie of the best counts."""
    assert awarded(3, said) == award


@pytest.mark.parametrize(
    ("said", "award"),
    [
        # The better of two partners counts, once.
        ("1:0:ronda:4, 1:2:ronda:12, 1:1:ronda:11", [(0, 1)]),
        ("1:0:ronda:4, 1:2:tringa:5", [(0, 5)]),
        # Partners do not tie with each other.
        ("1:1:ronda:7, 1:3:ronda:7", [(1, 1)]),
        ("1:1:ronda:7, 1:3:ronda:7, 1:0:ronda:6", [(1, 1)]),
        # A tie of sides, whatever the other partners hold.
        ("1:0:ronda:7, 1:1:ronda:7, 1:2:ronda:6", []),
        # A partner's false announcement does no harm to a true one.
        ("1:0:tringa:false, 1:2:ronda:3", [(0, 1)]),
    ],
)
def test_partners_are_one_side(said: str, award: list[tuple[int, int]]) -> None:
    """ANN-5: with four seats the best announcement of a side counts, and no partners tie."""
    assert awarded(4, said) == award


def test_smaller_announcement_counts_as_what_was_said() -> None:
    """ANN-3: three kings announced as a ronda lose to a tringa of aces and beat a ronda."""
    game = Game.at(
        "seats 2; batch 6; turn 0; hands 12o 12c 12e / 1o 1c 1e; table 5o; piles 16 17; capturer 0"
    )
    game.announce(RONDA)
    game.play("12o")
    game.announce(TRINGA)
    events = game.play("1o 12c 1c 12e 1e")
    assert [event for event in events if isinstance(event, AnnouncementsAwarded)] == [
        AnnouncementsAwarded(6, ((1, 5),))
    ]
    game = Game.at(
        "seats 2; batch 6; turn 0; hands 12o 12c 12e / 11o 11c 1e; table 5o; piles 16 17; "
        "capturer 0"
    )
    game.announce(RONDA)
    game.play("12o")
    game.announce(RONDA)
    events = game.play("11o 12c 11c 12e 1e")
    assert [event for event in events if isinstance(event, AnnouncementsAwarded)] == [
        AnnouncementsAwarded(6, ((0, 1),))
    ]
    assert not [event for event in events if isinstance(event, FalseAnnouncementPenalised)]


def test_bigger_announcement_than_the_hand_allows_is_void() -> None:
    """ANN-4: a pair announced as a tringa is no ronda either, and costs a tringa's penalty."""
    game = Game.at(
        "seats 2; batch 6; turn 0; hands 12o 12c 2e / 1o 3c 6e; table 5o; piles 16 17; capturer 0"
    )
    game.announce(TRINGA)
    events = game.play("12o 1o 12c 3c 2e 6e")
    assert not [event for event in events if isinstance(event, AnnouncementsAwarded)]
    assert [event for event in events if isinstance(event, FalseAnnouncementPenalised)] == [
        FalseAnnouncementPenalised(6, 0, TRINGA, ((1, 5),))
    ]


# Parameters of the judgement.


@pytest.mark.parametrize(
    ("said", "award"),
    [
        ("1:0:ronda:1, 1:1:ronda:12", [(0, 1)]),
        ("1:0:ronda:1, 1:1:ronda:2", [(0, 1)]),
        ("1:0:ronda:12, 1:1:ronda:2", [(0, 1)]),
        ("1:0:tringa:12, 1:1:tringa:1", [(1, 5)]),
        ("1:0:ronda:1, 1:1:tringa:2", [(1, 5)]),
        ("1:0:ronda:1, 1:1:ronda:1", []),
    ],
)
def test_ace_high(said: str, award: list[tuple[int, int]]) -> None:
    """ANN-5: with ACE_HIGH the ace is above the king, and the rest as before."""
    assert awarded(2, said, changed(rank_order=RankOrder.ACE_HIGH)) == award


def test_ace_high_is_for_announcements_alone() -> None:
    """CAP-3, ANN-5: the run still begins at the ace and ends at the king."""
    rules = changed(rank_order=RankOrder.ACE_HIGH)
    line = (
        "seats 2; batch 2; turn 0; hands 12c 1c 3c / 4c 5c 6c; table 1o 2o 12o; "
        "piles 5 2; capturer 0"
    )
    assert Game.at(line, rules).play("12c")[1] == CardsCaptured(0, cards("12o"))
    assert Game.at(line, rules).play("1c")[1] == CardsCaptured(0, cards("1o 2o"))


@pytest.mark.parametrize(
    ("seats", "said", "award"),
    [
        (2, "1:0:ronda:4", [(0, 1)]),
        (2, "1:0:ronda:4, 1:1:ronda:6", [(1, 2)]),
        (2, "1:0:ronda:12, 1:1:tringa:6", [(1, 6)]),
        (2, "1:0:ronda:12, 1:1:tringa:false", [(0, 1)]),
        (2, "1:0:ronda:4, 1:1:ronda:4", [(0, 1), (1, 1)]),
        (3, "1:0:ronda:4, 1:1:ronda:4, 1:2:ronda:2", [(0, 1), (1, 1)]),
        (3, "1:0:tringa:4, 1:1:tringa:5, 1:2:ronda:2", [(1, 11)]),
        (4, "1:0:ronda:4, 1:1:ronda:6, 1:2:ronda:2, 1:3:ronda:2", [(1, 4)]),
        (4, "1:0:ronda:6, 1:1:ronda:6, 1:2:ronda:2, 1:3:ronda:3", [(0, 2), (1, 2)]),
        # Pots are of one batch.
        (2, "1:0:ronda:4, 2:1:ronda:6", [(0, 1), (1, 1)]),
    ],
)
def test_pot(seats: int, said: str, award: list[tuple[int, int]]) -> None:
    """ANN-6, ANN-7: the sum of the batch's true announcements; tied sides share it, rounded."""
    assert awarded(seats, said, changed(payout=Payout.POT)) == award


@pytest.mark.parametrize("payout", [Payout.OWN_VALUE, Payout.POT])
def test_tie_may_pay_nobody(payout: Payout) -> None:
    """ANN-7: with NONE tied sides get nothing, of a pot neither; partners still do not tie."""
    rules = changed(announcement_tie=AnnouncementTie.NONE, payout=payout)
    assert awarded(2, "1:0:ronda:4, 1:1:ronda:4", rules) == []
    own = 1 if payout is Payout.OWN_VALUE else 2
    assert awarded(4, "1:0:ronda:4, 1:2:ronda:4", rules) == [(0, own)]


@pytest.mark.parametrize(
    ("value", "award"),
    [(1, []), (2, [(0, 1), (1, 1)]), (3, [(0, 1), (1, 1)]), (5, [(0, 2), (1, 2)])],
)
def test_split_is_rounded_down(value: int, award: list[tuple[int, int]]) -> None:
    """ANN-7: each tied side gets the value divided by their number, rounded down."""
    rules = changed(kinds=KindAmounts(ronda=value, tringa=5))
    assert awarded(2, "1:0:ronda:4, 1:1:ronda:4", rules) == award


@pytest.mark.parametrize(
    ("said", "award"),
    [
        ("1:0:ronda:12, 1:1:tringa:2", [(1, 2)]),
        ("1:0:ronda:12", [(0, 3)]),
    ],
)
def test_values_are_the_rule_sets(said: str, award: list[tuple[int, int]]) -> None:
    """ANN-1, ANN-5: a tringa is best even where a ronda is worth more."""
    assert awarded(2, said, changed(kinds=KindAmounts(ronda=3, tringa=2))) == award
