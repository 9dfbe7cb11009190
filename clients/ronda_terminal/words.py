"""What a table says, in one language."""

from collections.abc import Iterable
from typing import cast

from ronda.v1 import card_pb2, log_pb2, move_pb2, rule_set_pb2, view_pb2
from ronda_conformance.event_sentences import Sentences
from ronda_conformance.event_texts import MalformedEventError
from ronda_replay.names import Names, direction_of
from ronda_replay.steps import Match, Step
from ronda_replay.table import Card, notation
from ronda_replay.telling import Language, Teller

RIGHT_TO_LEFT_MARK = "\u200f"
_ASKED: dict[int, str] = {
    view_pb2.ASKED_ANNOUNCEMENT: "announcement",
    view_pb2.ASKED_CHALLENGE: "challenge",
    view_pb2.ASKED_CLAIM: "claim",
    view_pb2.ASKED_CARD: "card",
}
_ENDS: dict[int, str] = {
    log_pb2.END_REASON_FORFEITED: "ended_forfeited",
    log_pb2.END_REASON_NOT_JOINED: "ended_not_joined",
    log_pb2.END_REASON_CANCELLED: "ended_cancelled",
}


class Words:
    """The words of a match.

    Args:
        language: in what.
        header: the match, as far as it is known.
        names: what the players of the seats call themselves; it may grow later.
    """

    def __init__(
        self, language: Language, header: log_pb2.LogHeader, names: dict[int, str]
    ) -> None:
        self.language = language
        self._teller = Teller(language, Match(header, names, opened=False))
        self._names = Names(language.glossary, header.seats, names, latin=language.latin)
        self._sentences = Sentences(
            language.glossary,
            latin=language.latin,
            seat_name=self._names.seat,
            side_name=self._names.side,
        )

    @property
    def right_to_left(self) -> bool:
        """Whether lines are read from right to left.

        They are written in the order of speaking, each text on a line of its own: a terminal that
        knows the script turns them and puts them to its right side, and one that does not needs
        Latin letters.
        """
        return self.language.direction == "rtl"

    def say(self, key: str, /, **values: str) -> str:
        """Give what only a table at a terminal says."""
        return self._sentences.say("terminal", key, **values)

    def word(self, key: str) -> str:
        """Give a word of the game."""
        return self._sentences.say("words", key)

    def replay(self, key: str, /, **values: str) -> str:
        """Give what a replay says too."""
        return self._sentences.say("replay", key, **values)

    def labelled(self, label: str, value: str) -> str:
        """Give `label: value`."""
        return self.replay("label", word=label, value=value)

    def move(self, key: str) -> str:
        """Give the name of a kind of move, by the field of `Move`."""
        return self._sentences.say("moves", key)

    def kind(self, kind: rule_set_pb2.AnnouncementKind.ValueType) -> str:
        """Give the name of a kind of announcement; the number of one that is unknown here."""
        try:
            return self._sentences.kind(kind)
        except MalformedEventError:
            return str(int(kind))

    def asked(self, asked: int) -> str:
        """Give what a seat is asked for; empty: nothing."""
        return self._sentences.say("asked", _ASKED[asked]) if asked in _ASKED else ""

    def cards(self, cards: Iterable[Card]) -> str:
        """Give cards by their names."""
        return self._sentences.say("forms", "separator").join(map(self._card, cards))

    def joined(self, parts: Iterable[str]) -> str:
        """Give texts one after the other."""
        return self._sentences.say("forms", "separator").join(parts)

    @property
    def none(self) -> str:
        """The word for nothing in a list."""
        return self._sentences.say("forms", "none")

    def suit(self, name: str) -> str:
        """Give the name of a suit, by its name in the schema in small letters."""
        return self._sentences.say("suits", name)

    def seat(self, seat: int) -> str:
        """Give what a seat is called."""
        return self._sentences.seat(seat)

    def side(self, side: int) -> str:
        """Give what a side is called."""
        return self._sentences.side(side)

    def scores(self, scores: Iterable[tuple[int, int]]) -> str:
        """Give the totals of the sides."""
        return self._sentences.by_side(scores)

    def told(self, step: Step) -> list[str]:
        """Give what happened as sentences; none where there is nothing to tell of it."""
        match step.kind:
            case "header" | "signature" | "hand_dealt" | "card_laid" | "match_started":
                # They say nothing that the table does not show.
                return []
            case "seat_joined":
                joined = step.record.seat_joined
                by_number = Sentences(self.language.glossary, latin=self.language.latin)
                seat, name = by_number.seat(joined.seat), self._names.player(joined.seat)
                return [self.replay("joined", seat=seat, name=name)]
            case "match_result":
                reason = _ENDS.get(step.record.match_result.reason)
                return [] if reason is None else [self.replay(reason)]
            case _:
                return self._teller.tell(step)

    def directed(self, text: str) -> str:
        """Give a text that is read from right to left even where it begins with a Latin name."""
        if self.right_to_left and direction_of(text) == "ltr":
            return RIGHT_TO_LEFT_MARK + text
        return text

    def _card(self, card: Card) -> str:
        rank, suit = card
        try:
            return self._sentences.card(
                card_pb2.Card(
                    rank=cast("card_pb2.Rank.ValueType", rank),
                    suit=cast("card_pb2.Suit.ValueType", suit),
                )
            )
        except MalformedEventError:
            return notation(card)


def kind_of(move: move_pb2.Move) -> str:
    """Give the field that a move has set, as `announce`."""
    return move.WhichOneof("move") or ""
