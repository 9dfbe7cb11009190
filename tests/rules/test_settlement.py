"""Settlement: when announcements are shown and paid, and false ones penalised (ANN-8, ANN-9)."""

import pytest

from ronda_rules.cards import index_of_rank
from ronda_rules.events import (
    AnnouncementMade,
    AnnouncementsAwarded,
    AnnouncementsRevealed,
    BatchStarted,
    CardLaid,
    CardPlayed,
    CardsCaptured,
    DealEnded,
    DealStarted,
    Event,
    FalseAnnouncementPenalised,
    LeftoversTaken,
    MatchEnded,
    PilesCounted,
    RevealedAnnouncement,
)
from ronda_rules.rule_set import (
    AnnouncementKind,
    KindAmounts,
    PenaltyTo,
    RuleSet,
    Settle,
)
from tests.rules.playing import RONDA, TRINGA, Game, card, cards
from tests.rules.rule_sets import MAGHRIBI, changed
from tests.rules.test_announcements import LAST_CARD

BATCH_END = changed(settle=Settle.BATCH_END)


def shown(seat: int, kind: AnnouncementKind, rank: int | None) -> RevealedAnnouncement:
    """Write an announcement as it is shown, with its rank as people say it."""
    return RevealedAnnouncement(seat, kind, None if rank is None else index_of_rank(rank))


def penalties(seats: int, said: str, rules: RuleSet = MAGHRIBI) -> list[tuple[object, ...]]:
    """End a deal with some announcements; give batch, seat and sorted shares of penalties."""
    events = Game.at(f"{LAST_CARD[seats]}; said {said}", rules).play("5o")
    return [
        (event.batch, event.seat, tuple(sorted(event.shares)))
        for event in events
        if isinstance(event, FalseAnnouncementPenalised)
    ]


DEAL_OF_EIGHT = (
    "seats 2; batch 6; turn 1; hands - / 5o; table 5c 1o; piles 17 20; capturer 0; said "
    "1:0:tringa:false, 1:1:ronda:12, 2:0:ronda:4, 2:1:ronda:4, 3:1:tringa:2, 3:0:ronda:12, "
    "5:0:ronda:false, 6:1:ronda:false"
)
DEAL_OF_EIGHT_EVENTS: list[Event] = [
    CardPlayed(1, card("5o")),
    CardsCaptured(1, cards("5c")),
    LeftoversTaken(1, cards("1o")),
    AnnouncementsRevealed(1, (shown(0, TRINGA, None), shown(1, RONDA, 12))),
    AnnouncementsAwarded(1, ((1, 1),)),
    AnnouncementsRevealed(2, (shown(0, RONDA, 4), shown(1, RONDA, 4))),
    AnnouncementsRevealed(3, (shown(0, RONDA, 12), shown(1, TRINGA, 2))),
    AnnouncementsAwarded(3, ((1, 5),)),
    AnnouncementsRevealed(5, (shown(0, RONDA, None),)),
    AnnouncementsRevealed(6, (shown(1, RONDA, None),)),
    FalseAnnouncementPenalised(1, 0, TRINGA, ((1, 5),)),
    FalseAnnouncementPenalised(6, 1, RONDA, ((0, 1),)),
    PilesCounted((17, 23), ((1, 3),)),
    DealEnded(1, (1, 14)),
]


def test_order_at_the_end_of_a_deal() -> None:
    """ANN-8, ANN-9: leftovers; every batch shown and paid; then penalties; count; next deal.

    In batch order and, within a batch, in order of play. A tie is shown and pays nothing, a batch
    without announcements is not mentioned, and seat 0's second false one is free (cap 1).
    """
    assert Game.at(DEAL_OF_EIGHT).play("5o") == [
        *DEAL_OF_EIGHT_EVENTS,
        DealStarted(2, 0),
        BatchStarted(1, 3, last=False),
    ]


def test_order_at_the_end_of_the_match() -> None:
    """ANN-8, MATCH-2: the end of the match follows the end of the deal, and nothing follows it."""
    assert Game.at(DEAL_OF_EIGHT, changed(target=14)).play("5o") == [
        *DEAL_OF_EIGHT_EVENTS,
        MatchEnded((1,), (1, 14)),
    ]


def test_announcements_are_shown_in_order_of_play() -> None:
    """ANN-8: from the seat after the dealer to the dealer, not by seat number."""
    game = Game.at(
        "seats 3; batch 4; turn 1; dealer 1; hands - / 5o / -; table 5c; piles 12 13 13; "
        "capturer 0; said 1:2:ronda:4, 1:0:ronda:5, 1:1:ronda:6, 4:2:ronda:false, 4:1:ronda:3"
    )
    events = game.play("5o")
    assert [event for event in events if isinstance(event, AnnouncementsRevealed)] == [
        AnnouncementsRevealed(1, (shown(2, RONDA, 4), shown(0, RONDA, 5), shown(1, RONDA, 6))),
        AnnouncementsRevealed(4, (shown(2, RONDA, None), shown(1, RONDA, 3))),
    ]


def test_penalties_of_a_batch_are_in_order_of_play() -> None:
    """ANN-9: within a batch from the seat after the dealer on; batches one after the other."""
    game = Game.at(
        "seats 3; batch 4; turn 1; dealer 1; hands - / 5o / -; table 5c; piles 12 13 13; "
        "capturer 0; said 1:1:ronda:false, 2:2:ronda:false, 2:0:tringa:false"
    )
    events = game.play("5o")
    assert [event for event in events if isinstance(event, FalseAnnouncementPenalised)] == [
        FalseAnnouncementPenalised(1, 1, RONDA, ((2, 1),)),
        FalseAnnouncementPenalised(2, 2, RONDA, ((0, 1),)),
        FalseAnnouncementPenalised(2, 0, TRINGA, ((1, 5),)),
    ]


def test_nothing_is_shown_before_the_end_of_the_deal() -> None:
    """ANN-8: with DEAL_END the end of a batch settles nothing."""
    game = Game.at(
        "seats 2; batch 2; turn 1; hands - / 5o; table 5c; piles 12 2; capturer 0; "
        "said 1:0:tringa:4, 2:1:ronda:false"
    )
    assert game.play("5o")[-1] == BatchStarted(3, 3, last=False)
    assert game.state.scores == (0, 1)  # the mesa alone


def test_batch_end_settles_each_batch_as_it_ends() -> None:
    """ANN-8, ANN-9: with BATCH_END this batch is shown, paid and penalised, before the next."""
    game = Game.at(
        "seats 2; batch 2; turn 1; hands - / 5o; table 5c 1o; piles 11 2; capturer 0; "
        "said 1:0:tringa:4, 1:1:tringa:false, 2:0:ronda:7, 2:1:tringa:false",
        BATCH_END,
    )
    assert game.play("5o") == [
        CardPlayed(1, card("5o")),
        CardsCaptured(1, cards("5c")),
        AnnouncementsRevealed(2, (shown(0, RONDA, 7), shown(1, TRINGA, None))),
        AnnouncementsAwarded(2, ((0, 1),)),
        FalseAnnouncementPenalised(2, 1, TRINGA, ((0, 5),)),
        BatchStarted(3, 3, last=False),
    ]


def test_batch_end_of_the_last_batch_comes_before_the_leftovers() -> None:
    """ANN-8, CAP-6: the batch ends before the deal does, and is not settled twice."""
    game = Game.at(
        "seats 2; batch 6; turn 1; hands - / 3o; table 5c 1o; piles 17 20; capturer 0; "
        "said 5:0:ronda:4, 6:0:ronda:7, 6:1:ronda:false",
        BATCH_END,
    )
    assert game.play("3o") == [
        CardPlayed(1, card("3o")),
        CardLaid(1, card("3o")),
        AnnouncementsRevealed(6, (shown(0, RONDA, 7), shown(1, RONDA, None))),
        AnnouncementsAwarded(6, ((0, 1),)),
        FalseAnnouncementPenalised(6, 1, RONDA, ((0, 1),)),
        LeftoversTaken(0, cards("1o 3o 5c")),
        PilesCounted((20, 20), ()),
        DealEnded(1, (2, 0)),
        DealStarted(2, 0),
        BatchStarted(1, 3, last=False),
    ]


def test_batch_end_remembers_who_was_punished_in_the_deal() -> None:
    """ANN-9: the cap is one of the deal, also where each batch is penalised at its end."""
    line = (
        "seats 2; batch 2; turn 1; hands - / 5o; table 5c 1o; piles 11 2; capturer 0; "
        "said 1:1:ronda:false, 2:0:ronda:false, 2:1:tringa:false; punished 0 1"
    )
    events = Game.at(line, BATCH_END).play("5o")
    assert [event for event in events if isinstance(event, FalseAnnouncementPenalised)] == [
        FalseAnnouncementPenalised(2, 0, RONDA, ((1, 1),))
    ]
    events = Game.at(line, changed(settle=Settle.BATCH_END, false_penalty_cap=2)).play("5o")
    assert [event for event in events if isinstance(event, FalseAnnouncementPenalised)] == [
        FalseAnnouncementPenalised(2, 0, RONDA, ((1, 1),)),
        FalseAnnouncementPenalised(2, 1, TRINGA, ((0, 5),)),
    ]


def test_batch_end_caps_over_several_batches() -> None:
    """ANN-9: a seat punished at the end of one batch is free at the end of the next."""
    game = Game.at(
        "seats 2; batch 5; turn 0; hands 1o 3o 5o / 1c 6c 11o; table 7e 12e; piles 16 10; "
        "capturer 0; pack 1e 3e 5e 1b 3b 5b",
        BATCH_END,
    )
    game.announce(TRINGA)
    game.play("5o")
    game.announce(RONDA)
    assert game.play("6c 1o 1c 3o 11o")[-3:] == [
        FalseAnnouncementPenalised(5, 0, TRINGA, ((1, 5),)),
        FalseAnnouncementPenalised(5, 1, RONDA, ((0, 1),)),
        BatchStarted(6, 3, last=True),
    ]
    assert game.state.punished == (1, 1)
    game.deal("1e 3e 5e / 1b 3b 5b")
    game.announce(TRINGA)
    events = game.play("1e 1b 3e 3b 5e 5b")
    assert AnnouncementsRevealed(6, (shown(0, TRINGA, None),)) in events
    assert not [event for event in events if isinstance(event, FalseAnnouncementPenalised)]


@pytest.mark.parametrize("settle", [Settle.DEAL_END, Settle.BATCH_END])
def test_each_deal_has_a_cap_of_its_own(settle: Settle) -> None:
    """ANN-9: a seat punished in one deal is punished again in the next."""
    game = Game.at(f"{LAST_CARD[2]}; said 6:1:ronda:false", changed(settle=settle))
    game.play("5o")
    assert FalseAnnouncementPenalised(6, 1, RONDA, ((0, 1),)) in game.events
    # The next deal has begun: nobody has been punished in it, nothing has been said.
    assert game.state.deal == 2
    assert game.state.punished == (0, 0)
    assert game.state.announcements == ()


@pytest.mark.parametrize(
    ("seats", "offender", "receiver"),
    [
        (2, 0, 1),
        (2, 1, 0),
        (3, 0, 1),
        (3, 1, 2),
        (3, 2, 0),
        (4, 0, 1),
        (4, 1, 0),
        (4, 2, 1),
        (4, 3, 0),
    ],
)
@pytest.mark.parametrize(("kind", "points"), [("ronda", 1), ("tringa", 5)])
def test_who_receives_a_penalty(
    seats: int, offender: int, receiver: int, kind: str, points: int
) -> None:
    """ANN-9: the other side; with three seats the next seat."""
    assert penalties(seats, f"1:{offender}:{kind}:false") == [(1, offender, ((receiver, points),))]


@pytest.mark.parametrize(
    ("seats", "offender", "shares"),
    [
        (3, 0, ((1, 5), (2, 5))),
        (3, 1, ((0, 5), (2, 5))),
        (3, 2, ((0, 5), (1, 5))),
        (2, 0, ((1, 5),)),
        (4, 1, ((0, 5),)),
    ],
)
def test_each_opponent_receives_a_penalty_in_full(
    seats: int, offender: int, shares: tuple[tuple[int, int], ...]
) -> None:
    """ANN-9: EACH_OPPONENT speaks of three seats; two sides have one other side anyway."""
    rules = changed(penalty_to=PenaltyTo.EACH_OPPONENT)
    assert penalties(seats, f"1:{offender}:tringa:false", rules) == [(1, offender, shares)]


@pytest.mark.parametrize(
    ("cap", "punished"),
    [
        (1, [(1, 0, ((1, 5),)), (1, 1, ((0, 1),))]),
        (2, [(1, 0, ((1, 5),)), (1, 1, ((0, 1),)), (2, 0, ((1, 1),)), (4, 1, ((0, 5),))]),
        (
            0,
            [
                (1, 0, ((1, 5),)),
                (1, 1, ((0, 1),)),
                (2, 0, ((1, 1),)),
                (3, 0, ((1, 5),)),
                (4, 1, ((0, 5),)),
            ],
        ),
    ],
)
def test_cap_of_penalties(cap: int, punished: list[tuple[object, ...]]) -> None:
    """ANN-9: the first of a seat's false announcements count up to the cap; 0 is no cap."""
    said = (
        "1:0:tringa:false, 1:1:ronda:false, 2:0:ronda:false, 3:0:tringa:false, 3:1:ronda:5, "
        "4:1:tringa:false"
    )
    assert penalties(2, said, changed(false_penalty_cap=cap)) == punished


def test_cap_is_of_a_seat_not_of_a_side() -> None:
    """ANN-9: partners are each punished once."""
    said = "1:0:ronda:false, 1:2:ronda:false, 2:0:ronda:false, 3:3:tringa:false"
    assert penalties(4, said) == [(1, 0, ((1, 1),)), (1, 2, ((1, 1),)), (3, 3, ((0, 5),))]


def test_amounts_of_penalties_are_the_rule_sets() -> None:
    """ANN-9: a false announcement costs its own kind's penalty, not its value."""
    rules = changed(false_penalty=KindAmounts(ronda=2, tringa=7))
    said = "1:0:ronda:false, 1:1:tringa:false"
    assert penalties(2, said, rules) == [(1, 0, ((1, 2),)), (1, 1, ((0, 7),))]


def test_true_announcement_is_never_penalised() -> None:
    """ANN-3, ANN-9: neither the best nor a beaten or a tied one."""
    assert penalties(2, "1:0:ronda:4, 1:1:tringa:4, 2:0:ronda:5, 2:1:ronda:5") == []


def test_whole_deal_with_true_and_false_announcements() -> None:
    """ANN-2 to ANN-9: two batches of real hands, kept to the end of the deal, then settled.

    Four seats; the later hands are laid out so that the play stays simple. The hands that were
    announced with count, not what is left of them.
    """
    game = Game.begin(4)
    game.deal("7o 7c 1o / 2o 2c 2e / 12o 12c 3o / 5o 6o 11o / 4o 6c 10o 12e")
    assert game.announce(RONDA) == [AnnouncementMade(0, RONDA)]
    game.play("1o")
    game.announce(TRINGA)
    game.play("2o")
    game.announce(TRINGA)  # false: two kings
    game.play("3o")
    game.play("5o 7o 2c 12o 6o 7c 2e 12c 11o")
    game.deal("1c 1e 1b / 3c 3e 5c / 4c 4e 4b / 10c 10e 10b")
    game.announce(RONDA)  # three aces, announced as a pair
    game.play("1c 3c 4c 10c 1e 3e 4e 10e 1b 5c 4b 10b")
    game.deal("5e 5b 2b / 3b 6e 6b / 7e 7b 11c / 11e 11b 12b")
    game.play("5e")
    game.announce(RONDA)
    game.play("3b 7e 11e 5b 6e 7b 11b 2b 6b 11c")
    events = game.play("12b")
    settled = [
        event
        for event in events
        if isinstance(
            event, AnnouncementsRevealed | AnnouncementsAwarded | FalseAnnouncementPenalised
        )
    ]
    assert settled == [
        AnnouncementsRevealed(1, (shown(0, RONDA, 7), shown(1, TRINGA, 2), shown(2, TRINGA, None))),
        AnnouncementsAwarded(1, ((1, 5),)),
        AnnouncementsRevealed(2, (shown(0, RONDA, 1),)),
        AnnouncementsAwarded(2, ((0, 1),)),
        AnnouncementsRevealed(3, (shown(1, RONDA, 6),)),
        AnnouncementsAwarded(3, ((1, 1),)),
        FalseAnnouncementPenalised(1, 2, TRINGA, ((1, 5),)),
    ]
