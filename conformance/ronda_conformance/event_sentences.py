"""Events, cards and seats as sentences of a glossary's language."""

from collections.abc import Callable, Iterable

from google.protobuf.descriptor import EnumDescriptor, FieldDescriptor

from ronda.v1 import card_pb2, event_pb2, rule_set_pb2
from ronda_conformance.event_texts import MalformedEventError
from ronda_conformance.glossary import Glossary
from ronda_conformance.rule_set_values import enum_prefix

# The fields that name a seat or a side, wherever they stand in an event.
_SEATS = frozenset({"seat", "dealer", "challenger", "claimant"})
_SIDES = frozenset({"payer", "receiver", "winners"})
# One number for each side, in their order.
_BY_SIDE = frozenset({"piles", "scores"})


def sentence_key(event: event_pb2.Event) -> str:
    """Return the key of an event's sentence in a glossary's `events`.

    Raises:
        MalformedEventError: the event is unset or holds an unknown word.
    """
    kind = event.WhichOneof("event")
    if kind is None:
        raise MalformedEventError("an event is unset")
    ending = _ENDINGS[kind](event) if kind in _ENDINGS else ""
    return f"{kind}_{ending}" if ending else kind


class Sentences:
    """Says events in one language.

    Args:
        glossary: the language.
        latin: whether everything is said in Latin letters.
        seat_name: what a seat is called; unset: by its number.
        side_name: what a side is called; unset: by its number. With it, scores and piles name
            their sides.
    """

    def __init__(
        self,
        glossary: Glossary,
        *,
        latin: bool = False,
        seat_name: Callable[[int], str] | None = None,
        side_name: Callable[[int], str] | None = None,
    ) -> None:
        self._glossary = glossary
        self._latin = latin
        self._seat_name = seat_name
        self._side_name = side_name

    def event(self, event: event_pb2.Event) -> str:
        """Return what happened as a sentence.

        Raises:
            MalformedEventError: the event is unset or holds an unknown word.
            GlossaryUnknownError: the glossary lacks a word for it.
        """
        key = sentence_key(event)
        kind = event.WhichOneof("event")
        message = getattr(event, str(kind))
        lost = kind == "award_withdrawn"
        values = {
            field.name: self._value(field, getattr(message, field.name), lost=lost)
            for field in message.DESCRIPTOR.fields
            if not _is_unset_kind(field, getattr(message, field.name))
        }
        return self.say("events", key, **values)

    def card(self, card: card_pb2.Card) -> str:
        """Return a card's name.

        Raises:
            MalformedEventError: its rank or suit is unset or unknown.
        """
        suit = _word(card_pb2.Suit.DESCRIPTOR, card.suit)
        is_number = card_pb2.RANK_1 < card.rank < card_pb2.RANK_10
        return self.say(
            "forms",
            "number_card" if is_number else "named_card",
            rank=self.rank(card.rank),
            number=str(int(card.rank)),
            of_suit=self.say("of_suits", suit),
        )

    def rank(self, rank: card_pb2.Rank.ValueType) -> str:
        """Return a rank's name.

        Raises:
            MalformedEventError: it is no rank.
        """
        return self.say("ranks", _word(card_pb2.Rank.DESCRIPTOR, rank))

    def kind(self, kind: rule_set_pb2.AnnouncementKind.ValueType) -> str:
        """Return the name of a kind of announcement.

        Raises:
            MalformedEventError: it is no kind.
        """
        return self.say("kinds", _word(rule_set_pb2.AnnouncementKind.DESCRIPTOR, kind))

    def seat(self, seat: int) -> str:
        """Return what a seat is called."""
        if self._seat_name is not None:
            return self._seat_name(seat)
        return self.say("forms", "seat", number=str(seat))

    def side(self, side: int) -> str:
        """Return what a side is called."""
        if self._side_name is not None:
            return self._side_name(side)
        return self.say("forms", "side", number=str(side))

    def by_side(self, numbers: Iterable[tuple[int, int]]) -> str:
        """Return sides and their numbers as `side 0 12, side 1 9`."""
        said = [f"{self.side(side)} {number}" for side, number in numbers]
        return self.say("forms", "separator").join(said) or self.say("forms", "none")

    def say(self, section: str, key: str, /, **values: str) -> str:
        """Return an entry of the glossary with its placeholders filled in.

        Raises:
            GlossaryUnknownError: there is no such entry.
        """
        entry = self._glossary.entry(section, key)
        text = entry.shown_in_latin if self._latin else entry.text
        return text.format_map(values)

    def _value(self, field: FieldDescriptor, value: object, *, lost: bool) -> str:
        if field.is_repeated and isinstance(value, Iterable):
            if field.name in _BY_SIDE and self._side_name is not None:
                return self.by_side(enumerate(value))
            said = [self._single(field.name, one, lost=lost) for one in value]
            return self.say("forms", "separator").join(said) or self.say("forms", "none")
        return self._single(field.name, value, lost=lost)

    def _single(self, name: str, value: object, *, lost: bool) -> str:
        match value:
            case card_pb2.Card():
                return self.card(value)
            case event_pb2.Share():
                points = str(value.points)
                return self.say(
                    "forms", "loss" if lost else "gain", side=self.side(value.side), points=points
                )
            case event_pb2.RevealedAnnouncement():
                seat, kind = self.seat(value.seat), self.kind(value.kind)
                if not value.rank:
                    return self.say("forms", "announcement_false", seat=seat, kind=kind)
                rank = self.rank(value.rank)
                return self.say("forms", "announcement_true", seat=seat, kind=kind, rank=rank)
            case int() if name in _SEATS:
                return self.seat(value)
            case int() if name in _SIDES:
                return self.side(value)
            case int() if name == "kind":
                return self.kind(rule_set_pb2.AnnouncementKind.ValueType(value))
            case _:
                return str(value)


def _word(enum: EnumDescriptor, number: int) -> str:
    """Return a value's name in small letters, without its prefix."""
    value = enum.values_by_number.get(number)
    if value is None or number == 0:
        raise MalformedEventError(f"{int(number)} is no {enum.name}")
    name: str = value.name
    return name.removeprefix(enum_prefix(enum)).lower()


def _is_unset_kind(field: FieldDescriptor, value: object) -> bool:
    """Tell whether a field is the answer that someone else sealed."""
    return field.containing_oneof is not None and field.name == "kind" and not value


def _scored(event: event_pb2.PlayAwarded) -> str:
    return "_".join(name for name in ("caida", "mesa") if getattr(event, name))


# What is put behind the name of an event's field to find its sentence; nothing: it stands alone.
_ENDINGS: dict[str, Callable[[event_pb2.Event], str]] = {
    "batch_started": lambda e: "last" if e.batch_started.last else "",
    "hand_dealt": lambda e: "shown" if e.hand_dealt.cards else "",
    "table_returned": lambda e: _word(rule_set_pb2.TableForbid.DESCRIPTOR, e.table_returned.found),
    "announcement_sealed": lambda e: e.announcement_sealed.WhichOneof("answer") or "",
    "cards_held": lambda e: "mesa" if e.cards_held.mesa else "",
    "play_awarded": lambda e: _scored(e.play_awarded),
    "undeclared_penalised": lambda e: (
        "claimed" if e.undeclared_penalised.HasField("claimant") else ""
    ),
    "announcement_challenged": lambda e: (
        "true" if e.announcement_challenged.announcement_true else "false"
    ),
    "cards_due": lambda e: "award" if e.cards_due.award else "",
    "piles_counted": lambda e: "" if e.piles_counted.shares else "nothing",
    "match_ended": lambda e: "drawn" if len(e.match_ended.winners) > 1 else "",
}
