"""Scores paid in cards from pile to pile, and debts (PAY-1 to PAY-4)."""

from typing import Any

import pytest

from ronda_rules.events import (
    AnnouncementsAwarded,
    AwardWithdrawn,
    CardsCaptured,
    CardsDue,
    CardsHeld,
    CardsPaid,
    ChainClosed,
    DealEnded,
    DutyAwarded,
    Event,
    FalseAnnouncementPenalised,
    LeftoversTaken,
    MatchEnded,
    PilesCounted,
    PlayAwarded,
    UndeclaredPenalised,
)
from ronda_rules.moves import Challenge, Claim, SeatMove
from ronda_rules.rule_set import (
    ChainPayment,
    DealerDuty,
    Payout,
    PenaltyTo,
    Scoring,
    Settle,
    TargetTie,
    WinCheck,
)
from ronda_rules.view import DebtView, public_view
from tests.rules.playing import RONDA, TRINGA, Game, cards
from tests.rules.rule_sets import CHAIN, REFUSED, SHOWN, changed

TRANSFER: dict[str, Any] = {"scoring": Scoring.CARD_TRANSFER}
SHOWN_TRANSFER: dict[str, Any] = {
    **SHOWN,
    **TRANSFER,
    "win_check": WinCheck.DEAL_END,
    "target_tie": TargetTie.DRAW,
}


def at(position: str, **values: Any) -> Game:  # noqa: ANN401 - parameters of any type
    """Set up a position."""
    return Game.at(position, changed(**{**TRANSFER, **values}))


def test_caida_is_paid_from_pile_to_pile() -> None:
    """PAY-1: nobody scores a point; one card goes over."""
    game = at(
        "seats 2; batch 2; turn 1; hands 1o 2o / 5c 1c 2c; table 5o 12o; piles 4 5; capturer 0; "
        "laid 5o"
    )
    assert game.play("5c")[1:] == [
        CardsCaptured(1, cards("5o")),
        PlayAwarded(1, 1, 0, ((1, 1),)),
        CardsDue(0, 1, 1, award=False),
        CardsPaid(0, 1, 1),
    ]
    assert (game.state.piles, game.state.scores) == ((3, 8), (0, 0))


def test_with_three_seats_the_caidas_card_is_paid_by_its_player_and_a_mesa_by_each() -> None:
    """PAY-2, PAY-3: seat 1 laid the 5 and owes 1 for it and 1 for the mesa, as one debt of 2."""
    game = at(
        "seats 3; batch 3; turn 2; hands 1o / 2o / 5c 1c; table 5o; piles 5 5 16; capturer 0; "
        "laid 5o"
    )
    assert game.play("5c")[1:] == [
        CardsCaptured(2, cards("5o")),
        PlayAwarded(2, 1, 1, ((2, 3),)),
        CardsDue(0, 2, 1, award=False),
        CardsDue(1, 2, 2, award=False),
        CardsPaid(0, 2, 1),
        CardsPaid(1, 2, 2),
    ]
    assert game.state.piles == (4, 3, 21)


def test_what_a_pile_cannot_pay_is_owed_and_paid_from_its_next_cards() -> None:
    """PAY-3: side 0 owes 4 and captures 2, which go straight to side 1."""
    game = at(
        "seats 2; batch 4; turn 0; hands 5o 1o / 2o 3o; table 5c 12o; piles 0 22; capturer 1; "
        "owed 0:1:4"
    )
    assert public_view(game.state).debts == (DebtView(0, 1, 4),)
    assert game.play("5o")[1:] == [CardsCaptured(0, cards("5c")), CardsPaid(0, 1, 2)]
    assert (game.state.piles, public_view(game.state).debts) == ((0, 24), (DebtView(0, 1, 2),))


def test_debts_are_paid_before_the_award_of_the_same_card() -> None:
    """PAY-3: both captured cards go to side 1 first; then side 1 pays the caida."""
    game = at(
        "seats 2; batch 4; turn 0; hands 5o 1o / 2o 3o; table 5c 12o; piles 0 22; capturer 1; "
        "owed 0:1:4; laid 5c"
    )
    assert game.play("5o")[1:] == [
        CardsCaptured(0, cards("5c")),
        CardsPaid(0, 1, 2),
        PlayAwarded(0, 1, 0, ((0, 1),)),
        CardsDue(1, 0, 1, award=False),
        CardsPaid(1, 0, 1),
        # What is received pays debts too: the card goes straight back.
        CardsPaid(0, 1, 1),
    ]
    assert public_view(game.state).debts == (DebtView(0, 1, 1),)


def test_oldest_debt_first() -> None:
    """PAY-3: of two debts the older is paid in full before the younger."""
    game = at(
        "seats 3; batch 3; turn 0; hands 5o 1o / 2o 3o / 4o 6o; table 5c 7c 12o; piles 0 11 11; "
        "capturer 1; owed 0:2:1, 0:1:3"
    )
    assert game.play("5o")[1:] == [
        CardsCaptured(0, cards("5c")),
        CardsPaid(0, 2, 1),
        CardsPaid(0, 1, 1),
    ]
    assert public_view(game.state).debts == (DebtView(0, 1, 2),)


def test_debts_of_one_moment_go_round_from_the_next_seat() -> None:
    """PAY-3: seat 1 owes each opponent; seat 2 comes before seat 0, and gets what there is.

    The shares of the penalty stand by side all the same.
    """
    game = at(
        "seats 3; batch 4; turn 2; hands - / - / 7o; table 12o; piles 20 7 11; capturer 0; "
        "said 4:1:tringa:false",
        settle=Settle.BATCH_END,
        penalty_to=PenaltyTo.EACH_OPPONENT,
    )
    events = game.play("7o")
    place = events.index(FalseAnnouncementPenalised(4, 1, TRINGA, ((0, 5), (2, 5))))
    assert events[place + 1 : place + 5] == [
        CardsDue(1, 2, 5, award=False),
        CardsDue(1, 0, 5, award=False),
        CardsPaid(1, 2, 5),
        CardsPaid(1, 0, 2),
    ]


def test_leftovers_pay_debts_and_what_is_owed_at_the_count_lapses() -> None:
    """PAY-3, PAY-4: the leftovers go to the creditor; the count alone scores."""
    game = at(
        "seats 2; batch 6; turn 1; hands - / 7o; table 12o; piles 0 38; capturer 0; owed 0:1:5; "
        "scores 40 21"
    )
    assert game.play("7o")[2:] == [
        LeftoversTaken(0, cards("7o 12o")),
        CardsPaid(0, 1, 2),
        PilesCounted((0, 40), ((1, 20),)),
        DealEnded(1, (40, 41)),
        MatchEnded((1,), (40, 41)),
    ]
    assert game.state.debts == ()


def test_tied_announcements_of_three_seats() -> None:
    """PAY-2: each tied side gets its share from the side that is not tied; their totals say so.

    Rondas of 7, 2 and 7: the pot of 3 gives each tied side 1, and seat 1 pays both.
    """
    values: dict[str, Any] = {**REFUSED, "settle": Settle.BATCH_END, "payout": Payout.POT}
    game = at(
        "seats 3; batch 4; turn 2; hands - / - / 1o; table 12o; piles 20 7 11; capturer 0; "
        "said 4:0:ronda:7, 4:1:ronda:2, 4:2:ronda:7",
        **values,
    )
    events = game.play("1o")
    place = events.index(AnnouncementsAwarded(4, ((0, 1), (2, 1))))
    assert events[place + 1 : place + 5] == [
        CardsDue(1, 2, 1, award=True),
        CardsDue(1, 0, 1, award=True),
        CardsPaid(1, 2, 1),
        CardsPaid(1, 0, 1),
    ]


def test_tied_announcements_of_two_sides_move_nothing() -> None:
    """PAY-2: nobody is left to pay, so that nothing is awarded."""
    values: dict[str, Any] = {**REFUSED, "settle": Settle.BATCH_END, "payout": Payout.POT}
    game = at(
        "seats 2; batch 6; turn 1; hands - / 1o; table 12o; piles 20 18; capturer 0; "
        "said 6:0:ronda:7, 6:1:ronda:7",
        **values,
    )
    events = game.play("1o")
    assert not any(isinstance(event, AnnouncementsAwarded | CardsDue) for event in events)


def test_best_announcement_is_paid_by_each_opponent() -> None:
    """PAY-2: a tringa costs both opponents 5."""
    game = at(
        "seats 3; batch 4; turn 2; hands - / - / 1o; table 12o; piles 20 7 11; capturer 0; "
        "said 4:0:tringa:7",
        settle=Settle.BATCH_END,
    )
    events = game.play("1o")
    assert AnnouncementsAwarded(4, ((0, 10),)) in events
    assert [event for event in events if isinstance(event, CardsPaid)] == [
        CardsPaid(1, 0, 5),
        CardsPaid(2, 0, 5),
    ]


@pytest.mark.parametrize(
    ("played", "shares", "paid"),
    [
        ("12c", ((2, 10),), [CardsPaid(0, 2, 5), CardsPaid(1, 2, 5)]),
        ("1c", ((0, 4), (1, 4)), [CardsPaid(2, 0, 4), CardsPaid(2, 1, 4)]),
        ("7c", ((0, 3), (1, 3)), [CardsPaid(2, 0, 3), CardsPaid(2, 1, 3)]),
    ],
)
def test_duty(played: str, shares: tuple[tuple[int, int], ...], paid: list[Event]) -> None:
    """PAY-2: won, each opponent pays the dealer; lost, the dealer pays each opponent."""
    game = at(
        f"seats 3; batch 4; turn 2; hands - / - / {played}; table 1o 12o; piles 13 12 12; "
        "capturer 0",
        dealer_duty=DealerDuty(king=5, ace=4, miss=3),
    )
    events = game.play(played)
    assert DutyAwarded(2, shares) in events
    assert [event for event in events if isinstance(event, CardsPaid)] == paid


def test_chain_is_paid_by_the_previous_cards_player() -> None:
    """PAY-2, CHAIN-8: LAST_ONLY: seat 2 owns the chain at its second step, and seat 1 pays 5."""
    game = at(
        "seats 3; batch 2; turn 0; hands 5o 5b 3o / 5c 1c 2c / 5e 4e 11e; table 1o 12o; "
        "piles 3 6 2; capturer 0",
        **CHAIN,
    )
    game.play("5o 5c 5e")
    assert game.play("3o")[1:5] == [
        ChainClosed(2, 2, 3),
        PlayAwarded(2, 5, 0, ((2, 5),)),
        CardsDue(1, 2, 5, award=False),
        CardsPaid(1, 2, 5),
    ]
    assert game.state.piles == (3, 1, 10)


def test_each_link_is_paid_when_played_and_held_cards_belong_to_nobody() -> None:
    """PAY-2, CHAIN-8: seat 0 pays 1 to seat 1, which pays 5 to seat 2, with what it has."""
    game = at(
        "seats 3; batch 2; turn 0; hands 5o 5b 3o / 5c 1c 2c / 5e 4e 11e; table 1o 12o; "
        "piles 3 0 8; capturer 0",
        **CHAIN,
        chain_payment=ChainPayment.EACH_LINK,
    )
    assert game.play("5o 5c")[-4:] == [
        CardsHeld(1, 1, cards("5o"), 0),
        PlayAwarded(1, 1, 0, ((1, 1),)),
        CardsDue(0, 1, 1, award=False),
        CardsPaid(0, 1, 1),
    ]
    assert game.play("5e")[1:] == [
        CardsHeld(2, 2, (), 0),
        PlayAwarded(2, 5, 0, ((2, 5),)),
        CardsDue(1, 2, 5, award=False),
        CardsPaid(1, 2, 1),
    ]
    assert game.state.piles == (2, 0, 9)
    assert public_view(game.state).debts == (DebtView(1, 2, 4),)
    # The chain's own closing pays 10 for the fourth card, by seat 2, to seat 0.
    assert game.play("5b")[1:] == [
        CardsHeld(0, 3, (), 0),
        ChainClosed(0, 3, 4),
        PlayAwarded(0, 10, 0, ((0, 10),)),
        CardsDue(2, 0, 10, award=False),
        CardsPaid(2, 0, 9),
    ]
    assert game.state.piles == (15, 0, 0)
    assert public_view(game.state).debts == (DebtView(1, 2, 4), DebtView(2, 0, 1))


def test_withdrawn_award_goes_back_and_what_is_owed_of_it_is_cancelled() -> None:
    """PAY-3, SHOW-5: 6 were due and 4 paid: 4 go back, 2 are cancelled; then 1 and 5 are due.

    Side 0 owes 4 back, 1 for the ronda and 5 for its bluff, and has 28 cards.
    """
    game = Game.at(
        "seats 2; batch 5; turn 0; hands 1o 3o / 2c 11b; table 7e 2e; piles 28 0; capturer 0; "
        "said 5:0:tringa:false, 5:1:ronda:2; played 7o / 2o; award 6 0; owed 1:0:2:award; "
        "pack 4o 5o 6o 10o 11o 12o",
        changed(**{**SHOWN_TRANSFER, "challenge": False}),
    )
    assert game.play("1o")[2:] == [
        AwardWithdrawn(5, ((0, 6),)),
        AnnouncementsAwarded(5, ((1, 1),)),
        CardsDue(0, 1, 4, award=False),
        CardsDue(0, 1, 1, award=True),
        CardsPaid(0, 1, 4),
        CardsPaid(0, 1, 1),
        FalseAnnouncementPenalised(5, 0, TRINGA, ((1, 5),)),
        CardsDue(0, 1, 5, award=False),
        CardsPaid(0, 1, 5),
    ]
    assert (game.state.piles, game.state.debts) == ((18, 10), ())


def test_shortfall_of_a_refund_is_a_new_debt() -> None:
    """PAY-3: the refund finds 2 of its 6 cards; the rest is owed, and so is what follows."""
    game = Game.at(
        "seats 2; batch 5; turn 0; hands 1o 3o / 2c 11b; table 7e 2e; piles 2 26; capturer 0; "
        "said 5:0:tringa:false, 5:1:ronda:2; played 7o / 2o; award 6 0; "
        "pack 4o 5o 6o 10o 11o 12o",
        changed(**{**SHOWN_TRANSFER, "challenge": False}),
    )
    game.play("1o")
    assert game.state.piles == (0, 28)
    assert public_view(game.state).debts == (
        DebtView(0, 1, 4),
        DebtView(0, 1, 1),
        DebtView(0, 1, 5),
    )


def test_challenge_makes_refund_award_and_penalty_due_in_one_moment() -> None:
    """PAY-3, CHALL-4: all are due before any is paid."""
    game = Game.at(
        "seats 2; batch 5; turn 1; hands 1o 3o / 2c 2o 11b; table 7e; piles 28 0; capturer 0; "
        "said 5:0:tringa:false, 5:1:ronda:2; played 7o / -; award 6 0; owed 1:0:6:award; "
        "pack 4o 5o 6o 10o 11o 12o",
        changed(**SHOWN_TRANSFER),
    )
    assert game.make(SeatMove(1, Challenge(0)))[1:] == [
        AwardWithdrawn(5, ((0, 6),)),
        AnnouncementsAwarded(5, ((1, 1),)),
        FalseAnnouncementPenalised(5, 0, TRINGA, ((1, 5),)),
        CardsDue(0, 1, 1, award=True),
        CardsDue(0, 1, 5, award=False),
        CardsPaid(0, 1, 1),
        CardsPaid(0, 1, 5),
    ]


def test_claim_is_paid_by_the_offender() -> None:
    """PAY-2: the claimant's side gets the cards."""
    game = Game.at(
        "seats 3; batch 2; turn 1; hands 1o / 3c 11b / 4o 5o; table 7c; piles 16 0 0; capturer 0; "
        "played 7o 7c / 2o / 3o",
        changed(**SHOWN_TRANSFER),
    )
    assert game.make(SeatMove(1, Claim(0))) == [
        UndeclaredPenalised(2, 0, RONDA, ((1, 1),), 1),
        CardsDue(0, 1, 1, award=False),
        CardsPaid(0, 1, 1),
    ]


def test_debt_for_an_earlier_batchs_award_cannot_be_withdrawn() -> None:
    """PAY-3: with the next batch it is a debt like any other."""
    game = Game.at(
        "seats 2; batch 5; turn 1; hands - / 11b; table 7e 2e; piles 31 0; capturer 0; "
        "said 5:0:ronda:7; played 7o 7c 1o / 2o 3o; award 1 0; owed 1:0:1:award; "
        "pack 4o 5o 6o 10o 11o 12o",
        changed(**{**SHOWN_TRANSFER, "challenge": False}),
    )
    game.play("11b")
    assert [debt.award for debt in game.state.debts] == [False]
    assert game.state.award == ()
