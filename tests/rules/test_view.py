"""What seats and the public may see (ANN-10)."""

import dataclasses

from ronda_rules.engine import Asked
from ronda_rules.events import (
    AnnouncementMade,
    AnnouncementsRevealed,
    BatchStarted,
    CardPlayed,
    DealStarted,
    HandDealt,
    LeftoversTaken,
    MatchStarted,
    RevealedAnnouncement,
    TableReturned,
    TableTurned,
)
from ronda_rules.moves import Pass, SeatMove
from ronda_rules.rule_set import FirstDealer, TableForbid, Timing
from ronda_rules.view import (
    AnnouncementView,
    PublicView,
    SeatView,
    moves_are_hidden,
    observed,
    owner,
    public_part,
    public_view,
    seat_view,
)
from tests.rules.playing import RONDA, TRINGA, Game, card, cards
from tests.rules.rule_sets import changed


def test_view_of_a_match_in_play() -> None:
    """ANN-10: table, sizes, scores, kinds and the card just laid; no hand, no rank, no pile."""
    game = Game.begin(2)
    game.deal("7o 7c 1o / 12b 3c 2o / 4o 6o 10o 12o")
    game.announce(RONDA)
    game.play("1o 12b 7c")
    public = PublicView(
        rule_set_id="maghribi",
        seats=2,
        deal=1,
        dealer=1,
        batch=1,
        last_batch=False,
        to_act=(1,),
        table=cards("1o 4o 6o 7c 10o"),
        hand_sizes=(1, 2),
        pile_sizes=(0, 2),
        pack_size=30,
        scores=(0, 0),
        announcements=(AnnouncementView(1, 0, RONDA),),
        caida_card=card("7c"),
        last_capturer=1,
        over=False,
        winners=(),
        asked=Asked.CARD,
        held=None,
        answered=(0,),
        debts=(),
        forfeited=(),
    )
    assert public_view(game.state) == public
    assert seat_view(game.state, 0) == SeatView(public, 0, cards("7o"))
    assert seat_view(game.state, 1) == SeatView(public, 1, cards("3c 2o"))


def test_view_while_cards_are_dealt() -> None:
    """ANN-10, DEAL-8: nobody is to act; cards that went back are on no table."""
    game = Game.begin(3)
    game.draw("1o 2o 3o")
    view = public_view(game.state)
    assert (view.to_act, view.hand_sizes, view.pack_size) == ((), (3, 0, 0), 37)
    assert (view.last_capturer, view.caida_card, view.table) == (None, None, ())
    game.deal("1c 2c 3c / 1e 2e 3e / 5o 5c 7o 12o")
    # Of 31 cards four were turned and lie aside; they are in the pack again with the next draw.
    assert public_view(game.state).table == ()
    assert public_view(game.state).pack_size == 27
    game.draw("4o 6o 10o 12b")
    assert public_view(game.state).table == cards("4o 6o 10o 12b")
    assert public_view(game.state).pack_size == 27


def test_view_before_the_dealer_is_drawn() -> None:
    """DEAL-3: deal 0 says that none has begun, and nobody has captured or scored anything."""
    view = public_view(Game.begin(2, changed(first_dealer=FirstDealer.DRAWN)).state)
    assert (view.deal, view.batch, view.to_act, view.over) == (0, 0, (), False)
    assert (view.hand_sizes, view.pile_sizes, view.scores) == ((0, 0), (0, 0), (0, 0))
    assert (view.table, view.pack_size) == ((), 40)


def test_view_of_the_last_batch_says_so() -> None:
    """DEAL-9: that it is the last batch is public."""
    game = Game.at("seats 2; batch 5; turn 1; hands - / 5o; table 1o; piles 17 15; capturer 0")
    assert public_view(game.state).last_batch is False
    game.play("5o")
    assert public_view(game.state).last_batch is True


def test_view_of_a_finished_match() -> None:
    """MATCH-2: over, with winners and final scores; nobody is to act."""
    game = Game.at(
        "seats 2; batch 6; turn 1; hands - / 5o; table 5c; piles 20 18; capturer 0; scores 41 3"
    )
    game.play("5o")
    view = public_view(game.state)
    assert (view.over, view.winners, view.scores, view.to_act) == (True, (0,), (41, 3), ())


def test_card_that_leaves_with_the_leftovers_is_laid_no_more() -> None:
    """CAP-6, CHAIN-1: when the deal is over nobody can take the dealer's last card."""
    game = Game.at(
        "seats 2; batch 6; turn 1; hands - / 5o; table 1c; piles 20 18; capturer 0; scores 41 3"
    )
    game.play("5o")
    view = public_view(game.state)
    assert (view.over, view.table, view.caida_card, view.pile_sizes) == (True, (), None, (22, 18))


def test_false_announcement_looks_like_a_true_one() -> None:
    """ANN-10: the view of a bluff is that of an honest announcement."""
    views = []
    for hand in ("7o 7c 7e", "7o 3c 5e"):
        game = Game.begin(2)
        game.deal(f"{hand} / 1b 2b 3b / 4o 6o 11o 12o")
        game.announce(TRINGA)
        game.play("7o")
        views.append((public_view(game.state), seat_view(game.state, 1)))
    assert views[0] == views[1]


def test_dealt_hand_is_seen_by_its_owner_alone() -> None:
    """ANN-10: others see that the seat received so many cards, and none of them."""
    event = HandDealt(1, 3, cards("7o 7c 1o"))
    hidden = HandDealt(1, 3, ())
    assert owner(event) == 1
    assert public_part(event) == hidden
    assert [observed(event, seat) for seat in (0, 1, 2, None)] == [hidden, event, hidden, hidden]


def test_everything_else_is_seen_by_all() -> None:
    """ANN-10: tables turned and rejected, plays, kinds announced, settlements."""
    for event in (
        MatchStarted(2),
        DealStarted(1, 1),
        BatchStarted(1, 3, last=False),
        TableTurned(cards("5o 5c 1o 3o")),
        TableReturned(TableForbid.PAIRS, cards("5o 5c 1o 3o")),
        AnnouncementMade(1, RONDA),
        CardPlayed(1, card("7o")),
        LeftoversTaken(0, cards("1o")),
        AnnouncementsRevealed(
            1, (RevealedAnnouncement(0, RONDA, 6), RevealedAnnouncement(1, TRINGA, None))
        ),
    ):
        assert owner(event) is None
        assert public_part(event) == event
        assert [observed(event, seat) for seat in (0, 1, None)] == [event] * 3


def test_moves_are_hidden_while_all_answer_at_once() -> None:
    """ANN-2: with SIMULTANEOUS until the last has answered; with IN_ORDER never."""
    hidden = []
    for timing in (Timing.SIMULTANEOUS, Timing.IN_ORDER):
        game = Game.begin(2, changed(timing=timing))
        game.deal("1o 2o 3o / 1c 2c 3c")
        game.draw("4o 6o 11o 12o")
        for seat in (0, 1):
            hidden.append(moves_are_hidden(game.state))
            game.make(SeatMove(seat, Pass()))
        hidden.append(moves_are_hidden(game.state))
    assert hidden == [True, True, False] + [False] * 3


def test_announcement_does_not_carry_its_rank() -> None:
    """ANN-10: what is announced is a seat and a kind; there is no field for more."""
    assert [one.name for one in dataclasses.fields(AnnouncementMade)] == ["seat", "kind"]
    assert [one.name for one in dataclasses.fields(AnnouncementView)] == ["batch", "seat", "kind"]
