"""Cards, ranks and kinds: the words that rule sets, moves, events and views share."""

from collections.abc import Iterable
from enum import StrEnum
from typing import Protocol, TypeVar

from google.protobuf.descriptor import EnumDescriptor

from ronda.v1 import card_pb2, rule_set_pb2
from ronda_rules import rule_set as rules
from ronda_rules.cards import PACK_SIZE, RANKS, SUITS, Card, index_of_rank, rank_of
from ronda_rules.errors import NotationError, Reason, RulesError

_Word = TypeVar("_Word", bound=StrEnum)


class MalformedMessage(RulesError):
    """A message lacks a field, or a field has a value that it cannot have.

    Attributes:
        field: the path of the field.
    """

    def __init__(self, field: str, detail: str) -> None:
        """Say what is wrong with a field and what would be right."""
        super().__init__(Reason.MALFORMED_REQUEST, "", f"{field}: {detail}", field=field)
        self.field = field


class _EnumWrapper(Protocol):
    @property
    def DESCRIPTOR(self) -> EnumDescriptor: ...


def words_of(wrapper: _EnumWrapper, words: type[_Word]) -> dict[int, _Word]:
    """Pair the numbers of a proto enum with the engine's words, by name."""
    values = wrapper.DESCRIPTOR.values
    prefix = values[0].name.removesuffix("UNSPECIFIED")
    return {value.number: words(value.name.removeprefix(prefix)) for value in values[1:]}


KINDS = words_of(rule_set_pb2.AnnouncementKind, rules.AnnouncementKind)
KIND_NUMBERS = {
    rules.AnnouncementKind.RONDA: rule_set_pb2.ANNOUNCEMENT_KIND_RONDA,
    rules.AnnouncementKind.TRINGA: rule_set_pb2.ANNOUNCEMENT_KIND_TRINGA,
    rules.AnnouncementKind.DOUBLE_RONDA: rule_set_pb2.ANNOUNCEMENT_KIND_DOUBLE_RONDA,
}
FORBID_NUMBERS = {
    rules.TableForbid.PAIRS: rule_set_pb2.TABLE_FORBID_PAIRS,
    rules.TableForbid.RUNS: rule_set_pb2.TABLE_FORBID_RUNS,
}
SUIT_NUMBERS = (
    card_pb2.SUIT_OROS,
    card_pb2.SUIT_COPAS,
    card_pb2.SUIT_ESPADAS,
    card_pb2.SUIT_BASTOS,
)
RANK_NUMBERS = {
    1: card_pb2.RANK_1,
    2: card_pb2.RANK_2,
    3: card_pb2.RANK_3,
    4: card_pb2.RANK_4,
    5: card_pb2.RANK_5,
    6: card_pb2.RANK_6,
    7: card_pb2.RANK_7,
    10: card_pb2.RANK_10,
    11: card_pb2.RANK_11,
    12: card_pb2.RANK_12,
}


def card_from_proto(message: card_pb2.Card, field: str = "card") -> Card:
    """Give the engine's card.

    Raises:
        MalformedMessage: the rank or the suit is unset or unknown.
    """
    if not 1 <= message.suit <= len(SUITS):
        raise MalformedMessage(f"{field}.suit", f"{message.suit} is no suit")
    try:
        rank = index_of_rank(message.rank)
    except NotationError as error:
        raise MalformedMessage(f"{field}.rank", f"{message.rank} is no rank") from error
    return (message.suit - 1) * len(RANKS) + rank


_CARDS = tuple(
    card_pb2.Card(rank=RANK_NUMBERS[rank_of(card)], suit=SUIT_NUMBERS[card // len(RANKS)])
    for card in range(PACK_SIZE)
)


def card_to_proto(card: Card) -> card_pb2.Card:
    """Give the message for a card, the same one each time: what changes it takes a copy."""
    return _CARDS[card]


def cards_to_proto(cards: Iterable[Card]) -> list[card_pb2.Card]:
    """Give the messages for cards, in the order given, as `card_to_proto` does."""
    return [_CARDS[card] for card in cards]
