"""Settlement where the kinds alone make it clear (ANN-8)."""

from typing import Any

from ronda_rules.cards import index_of_rank
from ronda_rules.events import (
    AnnouncementMade,
    AnnouncementsAwarded,
    AnnouncementsRevealed,
    Event,
    MatchEnded,
    RevealedAnnouncement,
)
from ronda_rules.moves import Announce, Pass, SeatMove
from ronda_rules.rule_set import (
    AnnouncementKind,
    DoubleRonda,
    KindAmounts,
    Payout,
    Settle,
    Timing,
    WinCheck,
)
from tests.rules.playing import RONDA, TRINGA, Game
from tests.rules.rule_sets import EMPTY_TABLE, REFUSED, changed

DOUBLE = AnnouncementKind.DOUBLE_RONDA
CLEAR: dict[str, Any] = {
    **REFUSED,
    "timing": Timing.IN_ORDER,
    "settle": Settle.BATCH_END_OR_CLEAR_KIND,
    "payout": Payout.POT,
}
FOURS: dict[str, Any] = {
    **CLEAR,
    **EMPTY_TABLE,
    "kinds": KindAmounts(1, 5, 2),
    "double_ronda": DoubleRonda.FIRST_BATCH_ONLY,
}


def answer(game: Game, *kinds: AnnouncementKind | None) -> list[Event]:
    """Have all seats answer in order of play; give the events of the last answer."""
    events: list[Event] = []
    for kind in kinds:
        events = game.make(SeatMove(game.turn(), Pass() if kind is None else Announce(kind)))
    return events


def two(hands: str, **values: Any) -> Game:  # noqa: ANN401 - parameters of any type
    """Deal a first batch of threes to two seats."""
    game = Game.begin(2, changed(**{**CLEAR, **values}))
    game.deal(f"{hands} / 4o 6o 10o 12o")
    return game


def test_only_one_side_announced() -> None:
    """It is paid at once, and no rank is shown, not even at batch end."""
    game = two("7o 7c 1o / 2o 3c 11b")
    assert answer(game, RONDA, None)[-1] == AnnouncementsAwarded(1, ((0, 1),))
    events = game.play("7o 2o 7c 3c 1o 11b")
    assert not any(isinstance(e, AnnouncementsRevealed | AnnouncementsAwarded) for e in events)
    assert game.state.scores[0] >= 1


def test_only_one_side_has_a_tringa() -> None:
    """A tringa beats every ronda: the pot of 6 is clear before a card is played."""
    game = two("7o 7c 7e / 2o 2c 11b")
    assert answer(game, TRINGA, RONDA)[-1] == AnnouncementsAwarded(1, ((0, 6),))


def test_rondas_of_both_sides_wait_for_the_end_of_the_batch() -> None:
    """The ranks decide; they are shown and paid when the batch ends."""
    game = two("7o 7c 1o / 2o 2c 11b")
    assert answer(game, RONDA, RONDA) == [AnnouncementMade(1, RONDA)]
    events = game.play("7o 2o 7c 2c 1o 11b")
    shown = AnnouncementsRevealed(
        1,
        (
            RevealedAnnouncement(0, RONDA, index_of_rank(7)),
            RevealedAnnouncement(1, RONDA, index_of_rank(2)),
        ),
    )
    place = events.index(shown)
    assert events[place + 1] == AnnouncementsAwarded(1, ((0, 2),))


def test_tringas_of_both_sides_wait() -> None:
    """Their ranks decide."""
    game = two("7o 7c 7e / 2o 2c 2e")
    assert answer(game, TRINGA, TRINGA) == [AnnouncementMade(1, TRINGA)]


def test_nobody_announced() -> None:
    """Nothing is settled, now or later."""
    game = two("7o 7c 1o / 2o 3c 11b")
    answer(game, None, None)
    events = game.play("7o 2o 7c 3c 1o 11b")
    assert not any(isinstance(e, AnnouncementsRevealed | AnnouncementsAwarded) for e in events)


def test_first_turn_always_waits_for_the_end_of_the_batch() -> None:
    """Under FIRST_TURN nothing is clear before the batch ends."""
    game = two("7o 7c 1o / 2o 3c 11b", timing=Timing.FIRST_TURN)
    game.announce(RONDA)
    events = game.play("7o 2o 7c 3c 1o 11b")
    assert AnnouncementsAwarded(1, ((0, 1),)) in events


def test_own_value_of_partners_hangs_on_the_ranks() -> None:
    """A side with a ronda and a double gets the value of the better one, which is not clear."""
    hands = "7o 7c 1o 2o / 3c 4c 5c 6c / 10o 10c 2e 2b / 3e 4e 5e 6e"
    game = Game.begin(4, changed(**{**FOURS, "payout": Payout.OWN_VALUE}))
    game.deal(hands)
    assert answer(game, RONDA, None, DOUBLE, None)[-1:] != [AnnouncementsAwarded(1, ((0, 2),))]
    events = game.play("7o 3c 10o 3e 7c 4c 10c 4e 1o 5c 2e 5e 2o 6c 2b 6e")
    assert AnnouncementsAwarded(1, ((0, 2),)) in events
    # The pot is the sum of both, whatever the ranks are.
    game = Game.begin(4, changed(**FOURS))
    game.deal(hands)
    assert answer(game, RONDA, None, DOUBLE, None)[-1] == AnnouncementsAwarded(1, ((0, 3),))


def test_clear_award_can_end_the_match() -> None:
    """MATCH-2: with an immediate check the match ends before the first card."""
    rules = changed(**CLEAR, win_check=WinCheck.IMMEDIATE, target=1)
    game = Game.begin(2, rules)
    game.deal("7o 7c 1o / 2o 3c 11b / 4o 6o 10o 12o")
    assert answer(game, RONDA, None)[-2:] == [
        AnnouncementsAwarded(1, ((0, 1),)),
        MatchEnded((0,), (1, 0)),
    ]
