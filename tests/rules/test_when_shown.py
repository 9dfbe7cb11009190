"""Settlement by the cards played (SHOW-1 to SHOW-5)."""

from typing import Any

import pytest

from ronda_rules.cards import rank_of
from ronda_rules.events import (
    AnnouncementsAwarded,
    AwardWithdrawn,
    CardLaid,
    CardPlayed,
    Event,
    FalseAnnouncementPenalised,
    MatchEnded,
)
from ronda_rules.moves import Pass, SeatMove
from ronda_rules.rule_set import (
    AllRondas,
    AnnouncementKind,
    AnnouncementTie,
    KindAmounts,
    Payout,
    Timing,
)
from ronda_rules.showing import possible_ranks, settled, settled_true
from tests.rules.playing import RONDA, TRINGA, Game, card
from tests.rules.rule_sets import SHOWN, changed

QUIET: dict[str, Any] = {**SHOWN, "challenge": False}


def at(seats: int, played: str, hands: str, said: str, more: str = "", **values: Any) -> Game:  # noqa: ANN401 - parameters of any type
    """Set up the second batch, in which cards have been played; they lie in the first pile."""
    before = sum(len(part.replace("-", "").split()) for part in played.split("/"))
    turn = before % seats
    pile = 4 + (3 * seats) + before
    piles = " ".join([str(pile), *["0"] * ((3 if seats == 3 else 2) - 1)])
    shown = f"; played {played}" if before else ""
    return Game.at(
        f"seats {seats}; batch 2; turn {turn}; hands {hands}; table -; piles {piles}; capturer 0; "
        f"said {said}{shown}{more}",
        changed(**{**QUIET, **values}),
    )


def paid(events: list[Event]) -> list[Event]:
    """Pick out what has to do with announcements."""
    kinds = AnnouncementsAwarded | AwardWithdrawn | FalseAnnouncementPenalised | MatchEnded
    return [event for event in events if isinstance(event, kinds)]


@pytest.mark.parametrize(
    ("played", "hand", "kind", "ranks", "true"),
    [
        ("-", "7o 7c 1o", RONDA, [1, 2, 3, 4, 5, 6, 7, 10, 11, 12], False),
        ("1o", "7o 7c", RONDA, [1, 2, 3, 4, 5, 6, 7, 10, 11, 12], False),
        ("1o 7o", "7c", RONDA, [1, 7], False),
        ("7o 7c", "1o", RONDA, [7], True),
        ("1o 2o 3o", "-", RONDA, [], False),
        ("7o", "7c 7e", TRINGA, [7], False),
        ("7o 1o", "2o", TRINGA, [], False),
        ("7o 7c", "7e", TRINGA, [7], False),
        ("7o 7c 7e", "-", TRINGA, [7], True),
    ],
)
def test_possible_ranks(
    played: str, hand: str, kind: AnnouncementKind, ranks: list[int], *, true: bool
) -> None:
    """SHOW-1, SHOW-2: what completions of the hand contain, whatever it really holds."""
    count = len(played.replace("-", "").split())
    others = ["2e 3e 4e", "2e 3e", "2e", "-"][count]
    other_played = ["-", "4e", "4e 3e", "4e 3e 2e"][count]
    if count == 3:
        # A position has a card to play: look at the state after the last card instead.
        last = played.rsplit(maxsplit=1)[-1]
        game = at(2, f"{' '.join(played.split()[:2])} / 4e 3e", f"{last} / 2e", "1:1:ronda:5")
        game.play(last)
    else:
        game = at(2, f"{played} / {other_played}", f"{hand} / {others}", "1:1:ronda:5")
    found = sorted(rank_of(rank) for rank in possible_ranks(game.state, 0, kind))
    assert found == ranks
    assert settled_true(game.state, 0, kind) is true
    assert settled(game.state, 0, kind) is (true or not ranks)


def test_award_is_given_by_the_card_that_makes_it_clear() -> None:
    """SHOW-3: rondas of 7 and 2; when the 7s are shown, the 2 can still be any rank.

    Seat 0 has shown 7 7, seat 1 a 2 and a 3: its ronda can be of 2 or 3 alone, which 7 beats.
    """
    game = at(2, "7o / 2o", "7c 1o / 2c 3o", "2:0:ronda:7, 2:1:ronda:2")
    assert paid(game.play("7c")) == []
    assert paid(game.play("3o")) == [AnnouncementsAwarded(2, ((0, 2),))]


def test_tringa_is_clear_before_the_first_card() -> None:
    """SHOW-3: step 3 already pays what no rank can change."""
    game = Game.begin(2, changed(**QUIET))
    game.deal("7o 7c 7e / 2o 2c 11b / 4o 6o 10o 12o")
    game.announce(TRINGA)
    assert paid(game.announce(RONDA)) == [AnnouncementsAwarded(1, ((0, 6),))]


def test_false_announcement_is_withdrawn_and_penalised_by_its_last_card() -> None:
    """SHOW-4, SHOW-5: the award goes back whole, the other side gets it, then the penalty."""
    game = at(
        2, "7o / 2o", "1o 3o / 2c 11b", "2:0:tringa:false, 2:1:ronda:2", "; award 6 0; scores 6 0"
    )
    assert game.play("1o") == [
        CardPlayed(0, card("1o")),
        CardLaid(0, card("1o")),
        AwardWithdrawn(2, ((0, 6),)),
        AnnouncementsAwarded(2, ((1, 1),)),
        FalseAnnouncementPenalised(2, 0, TRINGA, ((1, 5),)),
    ]
    assert game.state.scores == (0, 6)


def test_unclear_result_awards_nothing_yet() -> None:
    """SHOW-5: with four seats the two rondas that are left depend on their ranks."""
    game = at(
        4,
        "7o / 2o / 3o / 4o",
        "1o 3e / 2c 11b / 5o 5c / 6o 6c",
        "2:0:tringa:false, 2:1:ronda:2, 2:2:ronda:5",
        "; award 7 0; scores 7 0",
    )
    assert paid(game.play("1o")) == [
        AwardWithdrawn(2, ((0, 7),)),
        FalseAnnouncementPenalised(2, 0, TRINGA, ((1, 5),)),
    ]
    assert game.state.scores == (0, 5)
    # Seat 1 shows 2 and 2; seat 2 shows 3 and 5, so that 3 or 5 is its rank: it beats the 2.
    assert paid(game.play("2c")) == []
    assert paid(game.play("5o")) == [AnnouncementsAwarded(2, ((0, 2),))]


def test_false_announcement_that_had_not_won_still_counts() -> None:
    """SHOW-5: the pot of 6 was paid to the tringa; without the false ronda it is 5."""
    game = at(
        2, "7o 7c / 2o 3o", "7e / 4c", "2:0:tringa:7, 2:1:ronda:false", "; award 6 0; scores 6 0"
    )
    assert paid(game.play("7e")) == []
    assert paid(game.play("4c")) == [
        AwardWithdrawn(2, ((0, 6),)),
        AnnouncementsAwarded(2, ((0, 5),)),
        FalseAnnouncementPenalised(2, 1, RONDA, ((0, 1),)),
    ]


def test_equal_award_is_recorded_neither_as_withdrawn_nor_as_given() -> None:
    """SHOW-5: with the winner's own value the false ronda changes nothing but its penalty."""
    game = at(
        2,
        "7o 7c / 2o 3o",
        "7e / 4c",
        "2:0:tringa:7, 2:1:ronda:false",
        "; award 5 0; scores 5 0",
        payout=Payout.OWN_VALUE,
    )
    game.play("7e")
    assert paid(game.play("4c")) == [FalseAnnouncementPenalised(2, 1, RONDA, ((0, 1),))]


def test_penalty_beyond_the_cap_is_void_for_free() -> None:
    """ANN-9, SHOW-5: the announcement still falls."""
    game = at(
        2,
        "7o / 2o",
        "1o 3o / 2c 11b",
        "2:0:tringa:false, 2:1:ronda:2",
        "; award 6 0; scores 6 0; punished 1 0",
        false_penalty_cap=1,
    )
    assert paid(game.play("1o")) == [
        AwardWithdrawn(2, ((0, 6),)),
        AnnouncementsAwarded(2, ((1, 1),)),
    ]


def test_bluff_that_has_won_the_match_has_won_it() -> None:
    """SHOW-5, MATCH-2: an award that ends the match is never withdrawn."""
    game = Game.begin(2, changed(**QUIET, target=5))
    game.deal("7o 1c 3e / 2o 3c 11b / 4o 6o 10o 12o")
    game.announce(TRINGA)
    game.make(SeatMove(1, Pass()))
    assert game.state.winners == (0,)
    assert game.state.scores == (5, 0)


def test_first_turn_waits_until_every_seat_has_announced_or_played() -> None:
    """SHOW-3: seat 1 could still announce when seat 0 has played; its card makes it clear."""
    game = at(2, "- / -", "7o 7c 1o / 2o 3c 11b", "1:1:ronda:5", timing=Timing.FIRST_TURN)
    game.announce(RONDA)
    assert paid(game.play("7o")) == []
    assert paid(game.play("2o")) == [AnnouncementsAwarded(2, ((0, 1),))]


def test_tie_is_clear_once_both_ranks_are() -> None:
    """SHOW-3: equal ranks share the pot of 2."""
    game = at(2, "7o / 7e", "7c 1o / 7b 3c", "2:0:ronda:7, 2:1:ronda:7")
    assert paid(game.play("7c")) == []
    assert paid(game.play("7b")) == [AnnouncementsAwarded(2, ((0, 1), (1, 1)))]
    game = at(
        2,
        "7o / 7e",
        "7c 1o / 7b 3c",
        "2:0:ronda:7, 2:1:ronda:7",
        announcement_tie=AnnouncementTie.NONE,
    )
    assert paid(game.play("7c 7b 1o 3c")) == []


def test_each_opponent_gets_the_penalty_with_three_seats() -> None:
    """ANN-9, SHOW-5: in full, the next seat first."""
    game = at(3, "7o / 2o / 3o", "1o 3e / 2c 11b / 5o 6c", "2:0:tringa:false")
    assert paid(game.play("1o")) == [FalseAnnouncementPenalised(2, 0, TRINGA, ((1, 5), (2, 5)))]


def test_lowest_of_four_standing_rondas() -> None:
    """ANN-5, SHOW-3: shown ranks 7, 5, 10 and 12: the 5 is best where the lowest is.

    When seat 2's second 10 lies, seat 3 has shown 12 and 1, so that its rank is 12 or 1: not
    clear, for a 1 would be lower. Its second 12 makes it so.
    """
    game = at(
        4,
        "7o 7c / 5o 5c / 10o 10c / 12o",
        "3o / 4o / 6o / 12c 1o",
        "2:0:ronda:7, 2:1:ronda:5, 2:2:ronda:10, 2:3:ronda:12",
        all_rondas=AllRondas.LOWEST,
        kinds=KindAmounts(1, 5),
    )
    assert paid(game.play("12c")) == [AnnouncementsAwarded(2, ((1, 4),))]
