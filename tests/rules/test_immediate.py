"""A match that ends with the moment in which the target is reached (MATCH-2, MATCH-3)."""

from ronda_rules.events import (
    AnnouncementsAwarded,
    AnnouncementsRevealed,
    CardLaid,
    CardPlayed,
    CardsCaptured,
    DealEnded,
    Event,
    LeftoversTaken,
    MatchEnded,
    PilesCounted,
    PlayAwarded,
)
from ronda_rules.moves import Announce, Pass, SeatMove
from ronda_rules.rule_set import Payout, Settle, TargetTie, Timing, WinCheck
from tests.rules.playing import RONDA, Game, card, cards
from tests.rules.rule_sets import REFUSED, changed

IMMEDIATE = {"win_check": WinCheck.IMMEDIATE, "settle": Settle.BATCH_END}


def test_award_of_a_card_ends_the_match_in_mid_deal() -> None:
    """MATCH-2: nothing further scores: no leftovers, no count."""
    game = Game.at(
        "seats 2; batch 6; turn 0; hands 5o / 3o; table 5c; piles 10 27; capturer 1; scores 40 39",
        changed(**IMMEDIATE),
    )
    assert game.play("5o") == [
        CardPlayed(0, card("5o")),
        CardsCaptured(0, cards("5c")),
        PlayAwarded(0, 0, 1, ((0, 1),)),
        MatchEnded((0,), (41, 39)),
    ]


def test_last_card_can_end_it_before_the_leftovers() -> None:
    """MATCH-2: at the settlement of the last batch."""
    game = Game.at(
        "seats 2; batch 6; turn 1; hands - / 3o; table 5c; piles 10 28; capturer 1; scores 40 39; "
        "said 6:0:ronda:7",
        changed(**IMMEDIATE),
    )
    events = game.play("3o")
    assert isinstance(events[2], AnnouncementsRevealed)
    assert events[3:] == [AnnouncementsAwarded(6, ((0, 1),)), MatchEnded((0,), (41, 39))]


def test_the_count_is_a_moment_too() -> None:
    """MATCH-2: what both sides count at once is compared, and the higher total wins."""
    game = Game.at(
        "seats 2; batch 6; turn 1; hands - / 3o; table 5c; piles 10 28; capturer 1; scores 40 33",
        changed(**IMMEDIATE),
    )
    assert game.play("3o") == [
        CardPlayed(1, card("3o")),
        CardLaid(1, card("3o")),
        LeftoversTaken(1, cards("3o 5c")),
        PilesCounted((10, 30), ((1, 10),)),
        DealEnded(1, (40, 43)),
        MatchEnded((1,), (40, 43)),
    ]


def tied(tie: TargetTie) -> tuple[Game, list[Event]]:
    """Have two sides reach the target with one award that they share."""
    rules = changed(
        **REFUSED,
        win_check=WinCheck.IMMEDIATE,
        settle=Settle.AT_ONCE,
        timing=Timing.IN_ORDER,
        payout=Payout.POT,
        target=1,
        target_tie=tie,
    )
    game = Game.begin(2, rules)
    game.deal("7o 7c 1o / 7e 7b 11b / 4o 6o 10o 12o")
    game.make(SeatMove(0, Announce(RONDA)))
    return game, game.make(SeatMove(1, Announce(RONDA)))


def test_amounts_of_one_moment_are_simultaneous() -> None:
    """MATCH-3: both reach the target together: a draw, or on until one is alone highest."""
    shared = AnnouncementsAwarded(1, ((0, 1), (1, 1)))
    assert tied(TargetTie.DRAW)[1][-2:] == [shared, MatchEnded((0, 1), (1, 1))]
    game, events = tied(TargetTie.PLAY_ON)
    assert events[-1] == shared
    assert game.play("1o")[-1] == CardLaid(0, card("1o"))


def test_play_on_ends_when_one_side_is_alone_highest() -> None:
    """MATCH-3: on 41 to 41 the next point decides, in mid-deal."""
    game = Game.at(
        "seats 2; batch 6; turn 0; hands 5o / 3o; table 5c; piles 10 27; capturer 1; scores 41 41",
        changed(**IMMEDIATE, target_tie=TargetTie.PLAY_ON),
    )
    assert game.play("5o")[-1] == MatchEnded((0,), (42, 41))


def test_settlements_of_a_deal_end_one_after_the_other() -> None:
    """MATCH-2: with DEAL_END each batch's settlement is a moment; the next does not come."""
    game = Game.at(
        "seats 2; batch 6; turn 1; hands - / 3o; table 5c; piles 10 28; capturer 1; scores 40 40; "
        "said 2:1:ronda:7, 3:0:ronda:7",
        changed(win_check=WinCheck.IMMEDIATE),
    )
    events = game.play("3o")
    assert events[-2:] == [AnnouncementsAwarded(2, ((1, 1),)), MatchEnded((1,), (40, 41))]


def test_passes_are_answers() -> None:
    """ANN-2: a match with an immediate check goes on where nothing is awarded."""
    game = Game.begin(2, changed(**IMMEDIATE, timing=Timing.IN_ORDER))
    game.deal("7o 7c 1o / 7e 7b 11b / 4o 6o 10o 12o")
    game.make(SeatMove(0, Pass()))
    game.make(SeatMove(1, Pass()))
    assert game.state.winners == ()
