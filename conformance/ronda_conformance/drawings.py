"""What a program under test shows, drawn: table, hands, piles, chain."""

from collections.abc import Iterator

from ronda.conformance.v1 import testee_service_pb2
from ronda.v1 import view_pb2
from ronda_conformance.cards import NONE, card_text
from ronda_conformance.sights import announced, asked, numbers, owed

# A program may show more of everything than there can be.
_MOST_CARDS = 40
_MOST_SEATS = 4


def drawing(sight: testee_service_pb2.Sight) -> list[str]:
    """Return the lines of a drawing, each a place and what lies there; `>` marks who must act.

    Raises:
        MalformedCardError: a rank or suit is unset or unknown.
    """
    public = sight.public
    places = [("table", _table(public))]
    if public.HasField("held"):
        held = public.held
        mesa = f", mesa {held.mesa}" if held.mesa else ""
        whose = f"  seat {held.seat}, step {held.step}, rank {int(held.rank)}{mesa}"
        places.append(("chain", _backs(held.cards) + whose))
    places += [(f"seat {seat}", text) for seat, text in enumerate(_hands(sight))]
    places += list(_sides(public))
    places.append(("pack", f"{_backs(public.pack_size)}  {_progress(public)}"))
    if public.announcements:
        places.append(("said", ", ".join(announced(public)[:_MOST_CARDS])))
    if public.debts:
        places.append(("owed", owed(public)))
    if public.over:
        places.append(("over", f"winners {numbers(public.winners)}"))
    acting = {f"seat {seat}" for seat in public.to_act}
    return [f"{'>' if place in acting else ' '} {place:<7} {text}" for place, text in places]


def _card(text: str) -> str:
    return f"[{text:>3}]"


def _table(public: view_pb2.PublicView) -> str:
    laid = card_text(public.caida_card) if public.HasField("caida_card") else ""
    cards = [card_text(card) for card in public.table[:_MOST_CARDS]]
    drawn = [_card(card) + ("*" if card == laid else "") for card in cards]
    note = "  * just laid" if laid in cards else ""
    return (" ".join(drawn) or "-") + note


def _hands(sight: testee_service_pb2.Sight) -> Iterator[str]:
    public = sight.public
    shown = {
        view.seat: [card_text(card) for card in view.hand[:_MOST_CARDS]]
        for view in sight.seats[:_MOST_SEATS]
    }
    for seat, size in enumerate(public.hand_sizes[:_MOST_SEATS]):
        cards = " ".join(map(_card, shown.get(seat, []))) or (_backs(size) if size else "-")
        yield cards + ("  dealer" if seat == public.dealer else "")


def _sides(public: view_pb2.PublicView) -> Iterator[tuple[str, str]]:
    for side, cards in enumerate(public.pile_sizes[:_MOST_SEATS]):
        points = f", score {public.scores[side]}" if side < len(public.scores) else ""
        yield f"pile {side}", f"{_backs(cards)}{points}"


def _backs(cards: int) -> str:
    """Draw cards that lie face down: a stroke for each."""
    return f"{'|' * min(cards, _MOST_CARDS)} {cards}".strip()


def _progress(public: view_pb2.PublicView) -> str:
    last = " (the last)" if public.last_batch else ""
    parts = [f"deal {public.deal}", f"batch {public.batch}{last}"]
    if public.HasField("last_capturer"):
        parts.append(f"captured last: seat {public.last_capturer}")
    if asked(public) != NONE:
        parts.append(f"asked for: {asked(public)}")
    return ", ".join(parts)
