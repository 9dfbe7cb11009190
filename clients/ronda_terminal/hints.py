"""What a card of the hand would do now, from the seat's own view alone."""

from collections.abc import Collection
from dataclasses import dataclass

from ronda.v1.rule_set_pb2 import MesaExcluded, RuleSet
from ronda.v1.view_pb2 import PublicView, SeatView
from ronda_replay.table import Card, cards_of

# What follows what: 10 comes right after 7, and nothing after 12 (clause CAP-3).
_ORDER = (1, 2, 3, 4, 5, 6, 7, 10, 11, 12)


@dataclass(frozen=True, slots=True)
class Hint:
    """What a card would do if it were played now.

    Attributes:
        takes: the cards that it would take from the table, ascending; none: it stays there.
        caida: whether it would take the card that the seat before has just laid.
        mesa: whether nothing would be left on the table, where that scores.
        chain: whether it would continue the chain that is held.
    """

    takes: tuple[Card, ...] = ()
    caida: bool = False
    mesa: bool = False
    chain: bool = False


def taken(card: Card, table: Collection[Card]) -> tuple[Card, ...]:
    """Give what a card takes: the equal one and the run above it (clauses CAP-2, CAP-3)."""
    lying = {rank: (rank, suit) for rank, suit in table}
    found: list[Card] = []
    if card[0] not in _ORDER:
        return ()
    for rank in _ORDER[_ORDER.index(card[0]) :]:
        if rank not in lying:
            break
        found.append(lying[rank])
    return tuple(found)


def hint(card: Card, view: SeatView, rules: RuleSet) -> Hint:
    """Give what a card of a hand would do, as far as the seat's view and the rules say."""
    public = view.public
    table = cards_of(public.table)
    if public.HasField("held") and public.held.rank == card[0]:
        return Hint(chain=True)
    takes = taken(card, table)
    caida = public.HasField("caida_card") and public.caida_card.rank == card[0]
    mesa = bool(takes) and len(takes) == len(table) and _mesa_counts(public, rules)
    return Hint(takes, caida, mesa)


def _mesa_counts(public: PublicView, rules: RuleSet) -> bool:
    """Tell whether a mesa of the next card earns anything (clauses MESA-1, MESA-3)."""
    match rules.mesa_excluded:
        case MesaExcluded.MESA_EXCLUDED_LAST_BATCH:
            excluded = public.last_batch
        case MesaExcluded.MESA_EXCLUDED_LAST_CARD:
            excluded = public.last_batch and sum(public.hand_sizes) == 1
        case _:
            excluded = False
    return rules.mesa > 0 and not excluded
