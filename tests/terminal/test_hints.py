"""What a card would do now, worked out by hand."""

import pytest

from ronda.v1.card_pb2 import Rank
from ronda.v1.rule_set_pb2 import MesaExcluded, RuleSet
from ronda.v1.view_pb2 import HeldView, PublicView, SeatView
from ronda_replay.table import cards_of
from ronda_terminal.hints import Hint, hint
from tests.terminal.tables import cards

OROS, COPAS, ESPADAS, BASTOS = 1, 2, 3, 4
RULES = RuleSet(mesa=1, mesa_excluded=MesaExcluded.MESA_EXCLUDED_LAST_BATCH)


def hinted(card: str, view: PublicView, rules: RuleSet = RULES) -> Hint:
    """Give the hint for a card of the hand."""
    (one,) = cards_of(cards(card))
    return hint(one, SeatView(public=view, hand=cards(card)), rules)


def test_a_card_takes_its_equal_and_the_run_above() -> None:
    """10 follows 7; a gap ends the run; nothing follows 12."""
    view = PublicView(table=cards("2e 6c 7o 10b 12e"))
    assert hinted("6b", view) == Hint(((6, COPAS), (7, OROS), (10, BASTOS)))
    assert hinted("10c", view) == Hint(((10, BASTOS),))
    assert hinted("12o", view) == Hint(((12, ESPADAS),))


def test_a_card_without_its_equal_takes_nothing() -> None:
    """Even where the run above it lies."""
    assert hinted("5o", PublicView(table=cards("6c 7o"))) == Hint()


def test_a_caida_is_the_card_that_was_just_laid() -> None:
    """Another card of the table is none, and a card within the run neither."""
    view = PublicView(table=cards("3c 4o 7e"), caida_card=cards("4o")[0])
    assert hinted("4b", view) == Hint(((4, OROS),), caida=True)
    assert hinted("3b", view) == Hint(((3, COPAS), (4, OROS)))


@pytest.mark.parametrize(
    ("excluded", "last_batch", "hands", "mesa"),
    [
        (MesaExcluded.MESA_EXCLUDED_NONE, True, [1, 0], True),
        (MesaExcluded.MESA_EXCLUDED_LAST_CARD, True, [1, 1], True),
        (MesaExcluded.MESA_EXCLUDED_LAST_CARD, True, [1, 0], False),
        (MesaExcluded.MESA_EXCLUDED_LAST_BATCH, True, [3, 3], False),
        (MesaExcluded.MESA_EXCLUDED_LAST_BATCH, False, [1, 0], True),
    ],
)
def test_a_mesa_leaves_nothing_where_that_scores(
    excluded: MesaExcluded.ValueType, last_batch: bool, hands: list[int], mesa: bool
) -> None:
    """The rules exclude the last card, the last batch, or nothing."""
    view = PublicView(table=cards("5c 6o"), last_batch=last_batch, hand_sizes=hands)
    takes = ((5, COPAS), (6, OROS))
    assert hinted("5e", view, RuleSet(mesa=1, mesa_excluded=excluded)) == Hint(takes, mesa=mesa)
    assert hinted("5e", view, RuleSet(mesa=0, mesa_excluded=excluded)) == Hint(takes)


def test_a_card_that_continues_a_chain_takes_nothing_else() -> None:
    """Only a card of the chain's own rank does."""
    view = PublicView(table=cards("6o"), held=HeldView(seat=1, rank=Rank.RANK_5, step=1, cards=2))
    assert hinted("5e", view) == Hint(chain=True)
    assert hinted("6e", view).chain is False
