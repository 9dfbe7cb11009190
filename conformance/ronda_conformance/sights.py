"""What a program under test shows, as texts that can be compared and read."""

from collections.abc import Iterable

from ronda.v1 import rule_set_pb2, view_pb2
from ronda_conformance.cards import NONE, card_text


def numbers(values: Iterable[int]) -> str:
    """Return numbers as `26 14`, or `none`."""
    return " ".join(str(value) for value in values) or NONE


def announced(public: view_pb2.PublicView) -> list[str]:
    """Return the announcements of a view as lines `batch 1 seat 0 ronda`.

    A kind that does not exist is shown as its number.
    """
    lines = []
    for announcement in public.announcements:
        kind = str(int(announcement.kind))
        if announcement.kind in rule_set_pb2.AnnouncementKind.values():
            name = rule_set_pb2.AnnouncementKind.Name(announcement.kind)
            kind = name.removeprefix("ANNOUNCEMENT_KIND_").lower()
        lines.append(f"batch {announcement.batch} seat {announcement.seat} {kind}")
    return lines


def asked(public: view_pb2.PublicView) -> str:
    """Return what the seats that must act are asked for, as `card`, or `none`."""
    if not public.asked:
        return NONE
    if public.asked not in view_pb2.Asked.values():
        return str(int(public.asked))
    return view_pb2.Asked.Name(public.asked).removeprefix("ASKED_").lower()


def held(public: view_pb2.PublicView) -> str:
    """Return a chain's pile as `seat:step:rank:cards:mesa`, or `none`."""
    if not public.HasField("held"):
        return NONE
    pile = public.held
    return f"{pile.seat}:{pile.step}:{int(pile.rank)}:{pile.cards}:{pile.mesa}"


def owed(public: view_pb2.PublicView) -> str:
    """Return what sides owe as `payer:receiver:cards`, the oldest first, or `none`."""
    return " ".join(f"{one.payer}:{one.receiver}:{one.cards}" for one in public.debts) or NONE


def cards_shown(public: view_pb2.PublicView) -> list[str]:
    """Return every card that a public view shows.

    Raises:
        MalformedCardError: a rank or suit is unset or unknown.
    """
    shown = [card_text(card) for card in public.table]
    if public.HasField("caida_card"):
        shown.append(card_text(public.caida_card))
    return shown
