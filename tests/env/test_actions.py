"""What an action means, for every rule set and seat count."""

import pytest

from ronda.v1.move_pb2 import Announce, Challenge, Claim, Move
from ronda.v1.rule_set_pb2 import AnnouncementKind
from ronda_env import ACTIONS, UnknownAction, action_of, card_number, move_of
from tests.table.test_knowledge import passing
from tests.table.test_local_match import cards, play

RONDA = Move(announce=Announce(kind=AnnouncementKind.ANNOUNCEMENT_KIND_RONDA))
TRINGA = Move(announce=Announce(kind=AnnouncementKind.ANNOUNCEMENT_KIND_TRINGA))
DOUBLE = Move(announce=Announce(kind=AnnouncementKind.ANNOUNCEMENT_KIND_DOUBLE_RONDA))

# The number, who acts, how many play, and the move.
MEANINGS = [
    (0, 0, 2, play("1o")),
    (6, 0, 2, play("7o")),
    (7, 0, 2, play("10o")),
    (10, 1, 2, play("1c")),
    (25, 1, 3, play("6e")),
    (39, 3, 4, play("12b")),
    (40, 0, 2, RONDA),
    (41, 0, 2, TRINGA),
    (42, 0, 2, DOUBLE),
    (43, 0, 2, passing()),
    (44, 0, 2, Move(challenge=Challenge(seat=1))),
    (44, 3, 4, Move(challenge=Challenge(seat=0))),
    (45, 2, 3, Move(challenge=Challenge(seat=1))),
    (46, 3, 4, Move(challenge=Challenge(seat=2))),
    (47, 1, 2, Move(claim=Claim(seat=0))),
    (48, 1, 4, Move(claim=Claim(seat=3))),
    (49, 1, 4, Move(claim=Claim(seat=0))),
]


@pytest.mark.parametrize(("action", "seat", "seats", "move"), MEANINGS)
def test_an_action_means_its_move(action: int, seat: int, seats: int, move: Move) -> None:
    """Both ways."""
    assert move_of(action, seat, seats) == move
    assert action_of(move, seat, seats) == action


def test_there_are_fifty_actions_and_forty_are_cards() -> None:
    """Every card has its own number, from the ace of oros to the 12 of bastos."""
    assert ACTIONS == 50
    pack = [f"{rank}{suit}" for suit in "oceb" for rank in (1, 2, 3, 4, 5, 6, 7, 10, 11, 12)]
    assert [card_number(card) for card in cards(" ".join(pack))] == list(range(40))


@pytest.mark.parametrize(
    ("action", "seats", "said"),
    [
        (50, 4, "action 50 is none: the actions are 0 to 49"),
        (-1, 2, "action -1 is none"),
        (45, 2, "action 45 is against the seat 2 places on; with 2 seats"),
        (49, 3, "action 49 is against the seat 3 places on; with 3 seats"),
    ],
)
def test_what_is_no_action_is_refused(action: int, seats: int, said: str) -> None:
    """The refusal says what there is."""
    with pytest.raises(UnknownAction, match=said):
        move_of(action, 0, seats)


def test_an_empty_move_has_no_action() -> None:
    """It is refused and not taken for another."""
    with pytest.raises(ValueError, match="the move is empty"):
        action_of(Move(), 0, 2)
