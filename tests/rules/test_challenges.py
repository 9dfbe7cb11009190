"""Challenges and their window (CHALL-1 to CHALL-4, WIN-1)."""

from typing import Any

from ronda_rules import engine
from ronda_rules.engine import Asked, SeatsToAct
from ronda_rules.errors import Reason
from ronda_rules.events import (
    AnnouncementChallenged,
    AnnouncementMade,
    AnnouncementPassed,
    AnnouncementsAwarded,
    AnnouncementsRevealed,
    AwardWithdrawn,
    Event,
    FalseAnnouncementPenalised,
    MatchEnded,
    RevealedAnnouncement,
    WindowPassed,
)
from ronda_rules.moves import Announce, Challenge, Claim, Pass, Play, SeatMove
from ronda_rules.rule_set import AnnouncementKind, Settle, Timing
from tests.rules.playing import RONDA, TRINGA, Game, card, cards, refusal
from tests.rules.rule_sets import SHOWN, changed

TABLE = "4o 6o 10o 12o"


def begin(seats: int, hands: str, **values: Any) -> Game:  # noqa: ANN401 - parameters of any type
    """Deal a first batch."""
    game = Game.begin(seats, changed(**{**SHOWN, **values}))
    game.deal(f"{hands} / {TABLE}")
    return game


def answer(game: Game, *kinds: AnnouncementKind | None) -> list[Event]:
    """Have all seats answer in order of play; give the events of the last answer."""
    events: list[Event] = []
    for kind in kinds:
        events = game.make(SeatMove(game.turn(), Pass() if kind is None else Announce(kind)))
    return events


def test_window_asks_who_can_challenge_and_judges_when_it_has_ended() -> None:
    """WIN-1, CHALL-1: seat 0 announced, so seats 1 and 2 are asked, in order, and then it is paid.

    Seat 0 itself has nothing to challenge and is passed over.
    """
    game = begin(3, "7o 7c 1o / 2o 3c 11b / 3o 5c 12b")
    assert answer(game, RONDA, None, None) == [AnnouncementPassed(2)]
    assert engine.decide(game.state) == SeatsToAct((1,), Asked.CHALLENGE)
    assert engine.legal_moves(game.state, 1) == (Challenge(0), Pass())
    assert refusal(game, 1, Play(card("2o"))) == (Reason.ANSWER_DUE, "WIN-1")
    assert refusal(game, 1, Announce(RONDA)) == (Reason.ANSWER_DUE, "WIN-1")
    assert refusal(game, 1, Claim(0)) == (Reason.ANSWER_DUE, "WIN-1")
    assert refusal(game, 0, Pass()) == (Reason.NOT_YOUR_TURN, "CAP-1")
    assert game.make(SeatMove(1, Pass())) == [WindowPassed(1)]
    assert engine.decide(game.state) == SeatsToAct((2,), Asked.CHALLENGE)
    assert game.make(SeatMove(2, Pass())) == [
        WindowPassed(2),
        AnnouncementsAwarded(1, ((0, 1),)),
    ]
    assert engine.decide(game.state) == SeatsToAct((0,), Asked.CARD)


def test_no_window_without_announcements() -> None:
    """WIN-1: nobody has anything to challenge, so nobody is asked."""
    game = begin(2, "7o 7c 1o / 2o 3c 11b")
    answer(game, None, None)
    assert engine.decide(game.state) == SeatsToAct((0,), Asked.CARD)


def test_true_announcement_wins_the_match_at_once() -> None:
    """CHALL-3: whatever the target; the whole hand is shown, ascending."""
    game = begin(2, "7o 1c 7c / 2o 3c 11b")
    answer(game, RONDA, None)
    assert game.make(SeatMove(1, Challenge(0))) == [
        AnnouncementChallenged(1, 0, cards("1c 7o 7c"), announcement_true=True),
        MatchEnded((0,), (0, 0)),
    ]
    assert engine.decide(game.state) == engine.MatchOver((0,))


def test_true_announcement_wins_for_the_announcers_side() -> None:
    """CHALL-3: with four seats the partners win; with three the announcer alone."""
    game = begin(4, "7o 1c 3o / 2o 2c 11b / 3c 5o 5c / 1o 4c 12b")
    answer(game, None, RONDA, None, None)
    assert game.turn() == 0
    assert game.make(SeatMove(0, Challenge(1)))[-1] == MatchEnded((1,), (0, 0))
    game = begin(3, "7o 1c 3o / 2o 2c 11b / 3c 5o 5c")
    answer(game, None, RONDA, None)
    assert game.make(SeatMove(0, Challenge(1)))[-1] == MatchEnded((1,), (0, 0, 0))


def test_false_announcement_in_the_window() -> None:
    """CHALL-4, WIN-1: the penalty at once, the judging when the window has ended.

    The challenger must pass, though nothing is left to challenge.
    """
    game = begin(2, "7o 1c 3o / 2o 2c 11b")
    answer(game, TRINGA, RONDA)
    assert engine.decide(game.state) == SeatsToAct((0,), Asked.CHALLENGE)
    game.make(SeatMove(0, Pass()))
    assert game.make(SeatMove(1, Challenge(0))) == [
        AnnouncementChallenged(1, 0, cards("1c 3o 7o"), announcement_true=False),
        FalseAnnouncementPenalised(1, 0, TRINGA, ((1, 5),)),
    ]
    assert engine.decide(game.state) == SeatsToAct((1,), Asked.CHALLENGE)
    assert engine.legal_moves(game.state, 1) == (Pass(),)
    assert game.make(SeatMove(1, Pass())) == [
        WindowPassed(1),
        AnnouncementsAwarded(1, ((1, 1),)),
    ]
    assert game.state.scores == (0, 6)


def test_partners_and_oneself_cannot_be_challenged() -> None:
    """CHALL-1: only an opponent's announcement."""
    game = begin(4, "7o 7c 3o / 2o 3c 11b / 3e 5o 5c / 1o 4c 12b")
    answer(game, RONDA, None, None, None)
    assert engine.decide(game.state) == SeatsToAct((1,), Asked.CHALLENGE)
    assert refusal(game, 1, Challenge(1)) == (Reason.CHALLENGE_NOT_ALLOWED, "CHALL-1")
    assert refusal(game, 1, Challenge(3)) == (Reason.CHALLENGE_NOT_ALLOWED, "CHALL-1")
    game.make(SeatMove(1, Pass()))
    # Seat 2 is the announcer's partner and is not asked.
    assert engine.decide(game.state) == SeatsToAct((3,), Asked.CHALLENGE)


def test_challenge_waits_for_the_answers() -> None:
    """ANN-2: a seat that is asked for an announcement answers first."""
    game = begin(2, "7o 7c 3o / 2o 3c 11b")
    answer(game, RONDA)
    assert refusal(game, 1, Challenge(0)) == (Reason.ANSWER_DUE, "ANN-2")


def test_challenge_on_a_turn_judges_again_at_once() -> None:
    """CHALL-4, SHOW-5: the award is withdrawn, the other side's ronda paid, the penalty scored."""
    game = begin(2, "7o 1c 3o / 2o 2c 11b")
    answer(game, TRINGA, RONDA)
    game.make(SeatMove(0, Pass()))
    game.make(SeatMove(1, Pass()))
    assert game.state.scores == (6, 0)
    game.play("3o")
    assert Challenge(0) in engine.legal_moves(game.state, 1)
    assert game.make(SeatMove(1, Challenge(0))) == [
        AnnouncementChallenged(1, 0, cards("1c 3o 7o"), announcement_true=False),
        AwardWithdrawn(1, ((0, 6),)),
        AnnouncementsAwarded(1, ((1, 1),)),
        FalseAnnouncementPenalised(1, 0, TRINGA, ((1, 5),)),
    ]
    assert engine.decide(game.state) == SeatsToAct((1,), Asked.CARD)
    assert game.state.scores == (0, 6)
    # It has fallen: neither challenged again nor penalised again by the cards.
    assert refusal(game, 1, Challenge(0)) == (Reason.CHALLENGE_NOT_ALLOWED, "CHALL-1")
    events = game.play("2o 1c 2c 7o 11b")
    assert not any(isinstance(event, FalseAnnouncementPenalised) for event in events)


def test_what_the_cards_have_settled_cannot_be_challenged() -> None:
    """CHALL-1: two 7s are shown: the ronda is true, and no challenge is open."""
    game = begin(2, "7o 7c 3o / 2o 3c 11b")
    answer(game, RONDA, None)
    game.make(SeatMove(1, Pass()))
    game.play("7o")
    assert Challenge(0) in engine.legal_moves(game.state, 1)
    game.play("2o 7c")
    assert refusal(game, 1, Challenge(0)) == (Reason.CHALLENGE_NOT_ALLOWED, "CHALL-1")


def test_challenge_uses_up_the_cap() -> None:
    """ANN-9, CHALL-4: with a cap of 1 the second false announcement of the deal is free."""
    game = Game.at(
        "seats 2; batch 2; turn 1; hands 7o 1c / 2o 2c 11b; table 3o; piles 10 0; capturer 0; "
        "said 1:0:ronda:false, 2:0:tringa:false; punished 1 0; played 3o / -; award 5 0; "
        "scores 5 0",
        changed(**{**SHOWN, "false_penalty_cap": 1}),
    )
    assert game.make(SeatMove(1, Challenge(0))) == [
        AnnouncementChallenged(1, 0, cards("1c 3o 7o"), announcement_true=False),
        AwardWithdrawn(2, ((0, 5),)),
    ]


def test_first_turn_has_no_window_and_challenges_on_turns() -> None:
    """CHALL-1, WIN-1: seat 1, asked for a card, may doubt seat 0 and announce, in any order."""
    game = begin(2, "7o 1c 3o / 2o 2c 11b", timing=Timing.FIRST_TURN)
    game.announce(RONDA)
    assert engine.decide(game.state) == SeatsToAct((0,), Asked.CARD)
    game.play("3o")
    # Seat 1 has neither announced nor played: nothing is awarded yet.
    assert game.make(SeatMove(1, Challenge(0))) == [
        AnnouncementChallenged(1, 0, cards("1c 3o 7o"), announcement_true=False),
        FalseAnnouncementPenalised(1, 0, RONDA, ((1, 1),)),
    ]
    assert game.announce(RONDA) == [AnnouncementMade(1, RONDA)]
    assert AnnouncementsAwarded(1, ((1, 1),)) in game.play("2o")


def test_first_turn_judges_no_challenge_before_every_seat_has_spoken() -> None:
    """CHALL-4, SHOW-3: seat 1's ronda stands alone, but seat 2 could still announce."""
    game = begin(3, "7o 1c 3o / 2o 2c 11b / 3c 5o 12b", timing=Timing.FIRST_TURN)
    game.announce(TRINGA)
    game.play("3o")
    game.announce(RONDA)
    assert game.make(SeatMove(1, Challenge(0)))[1:] == [
        FalseAnnouncementPenalised(1, 0, TRINGA, ((1, 5), (2, 5)))
    ]
    assert not any(isinstance(event, AnnouncementsAwarded) for event in game.play("2o"))
    assert AnnouncementsAwarded(1, ((1, 1),)) in game.play("3c")


def test_batch_end_settles_at_its_own_time_after_a_challenge() -> None:
    """CHALL-4: only WHEN_SHOWN judges again; what fell is shown as false and penalised once."""
    game = begin(2, "7o 1c 3o / 2o 2c 11b", settle=Settle.BATCH_END)
    answer(game, TRINGA, RONDA)
    game.make(SeatMove(0, Pass()))
    assert game.make(SeatMove(1, Challenge(0)))[1:] == [
        FalseAnnouncementPenalised(1, 0, TRINGA, ((1, 5),))
    ]
    assert game.make(SeatMove(1, Pass())) == [WindowPassed(1)]
    events = game.play("3o 2o 1c 2c 7o 11b")
    shown = [event for event in events if isinstance(event, AnnouncementsRevealed)]
    assert shown == [
        AnnouncementsRevealed(
            1, (RevealedAnnouncement(0, TRINGA, None), RevealedAnnouncement(1, RONDA, 1))
        )
    ]
    assert AnnouncementsAwarded(1, ((1, 1),)) in events
    assert not any(isinstance(event, FalseAnnouncementPenalised) for event in events)


def test_challenge_can_end_the_match_with_its_penalty() -> None:
    """CHALL-4, MATCH-2: the new award and the penalty are one moment."""
    game = Game.at(
        "seats 2; batch 2; turn 1; hands 7o 1c / 2o 2c 11b; table 3o; piles 10 0; capturer 0; "
        "said 2:0:tringa:false, 2:1:ronda:2; played 3o / -; award 6 0; scores 40 40",
        changed(**SHOWN),
    )
    assert game.make(SeatMove(1, Challenge(0)))[1:] == [
        AwardWithdrawn(2, ((0, 6),)),
        AnnouncementsAwarded(2, ((1, 1),)),
        FalseAnnouncementPenalised(2, 0, TRINGA, ((1, 5),)),
        MatchEnded((1,), (34, 46)),
    ]


def test_without_challenges_there_are_none() -> None:
    """CHALL-1: the rule set decides; the refusal says so."""
    game = begin(2, "7o 7c 3o / 2o 3c 11b", challenge=False)
    answer(game, RONDA, None)
    assert engine.decide(game.state) == SeatsToAct((0,), Asked.CARD)
    assert refusal(game, 0, Challenge(1)) == (Reason.CHALLENGE_NOT_ALLOWED, "CHALL-1")
