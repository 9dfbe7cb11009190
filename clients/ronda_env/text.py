"""A match as text, with every hand: for whoever looks on, never for a seat."""

from collections.abc import Iterable

from ronda.v1.card_pb2 import Card
from ronda.v1.view_pb2 import Asked
from ronda_client.cards import card_text, rank_number
from ronda_table import LocalMatch

_ASKED = {
    Asked.ASKED_ANNOUNCEMENT: "an announcement",
    Asked.ASKED_CHALLENGE: "a challenge",
    Asked.ASKED_CLAIM: "a claim",
    Asked.ASKED_CARD: "a card",
}


def text_of(match: LocalMatch, acting: int | None) -> str:
    """Return a match as it stands, in lines.

    Args:
        match: The match.
        acting: The seat that acts next; None: nobody does.
    """
    public = match.public_view()
    stage = f"{public.rule_set_id}: deal {public.deal}, batch {public.batch}"
    lines = [f"{stage}, dealer seat_{public.dealer}, pack {public.pack_size}"]
    table = f"table   {_cards(public.table)}"
    if public.HasField("caida_card"):
        table += f" | caida card {card_text(public.caida_card)}"
    if public.HasField("held"):
        held = public.held
        table += (
            f" | chain of seat_{held.seat}: rank {rank_number(held.rank)}, step {held.step}, "
            f"{held.cards} cards"
        )
    lines.append(table)
    for seat in range(match.seats):
        side = match.side(seat)
        line = (
            f"seat_{seat}  {_cards(match.view(seat).hand)} | pile {public.pile_sizes[side]} | "
            f"points {public.scores[side]}"
        )
        if seat == acting and public.asked in _ASKED:
            line += f" | asked for {_ASKED[public.asked]}"
        lines.append(line)
    if match.over:
        lines.append(f"won by side {' and '.join(map(str, match.winners))}")
    return "\n".join(lines)


def _cards(cards: Iterable[Card]) -> str:
    return " ".join(map(card_text, cards)) or "-"
