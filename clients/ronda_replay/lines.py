"""A replay as lines of text in parts that have a style, for a terminal or a pipe."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from ronda.v1 import card_pb2, log_pb2
from ronda_replay.names import direction_of
from ronda_replay.steps import OF_A_TURN, Opened, Step, match_of, new_table, steps_of
from ronda_replay.table import Card, Table, notation
from ronda_replay.telling import Language, Teller


class Style(StrEnum):
    """What a part of a line is, which decides how it looks."""

    PLAIN = "plain"
    QUIET = "quiet"
    HEADING = "heading"
    PLAY = "play"
    CAPTURE = "capture"
    CALL = "call"
    GAIN = "gain"
    LOSS = "loss"
    SCORE = "score"
    OROS = "oros"
    COPAS = "copas"
    ESPADAS = "espadas"
    BASTOS = "bastos"


_STYLES = {
    "header": Style.QUIET,
    "seat_joined": Style.PLAIN,
    "signature": Style.QUIET,
    "match_result": Style.HEADING,
    "forfeit_declared": Style.LOSS,
    "match_started": Style.HEADING,
    "first_dealer_drawn": Style.HEADING,
    "deal_started": Style.HEADING,
    "batch_started": Style.HEADING,
    "announcement_made": Style.CALL,
    "announcement_sealed": Style.CALL,
    "announcement_challenged": Style.CALL,
    "announcements_revealed": Style.CALL,
    "cards_held": Style.CALL,
    "chain_closed": Style.CAPTURE,
    "card_played": Style.PLAY,
    "cards_captured": Style.CAPTURE,
    "leftovers_taken": Style.CAPTURE,
    "play_awarded": Style.GAIN,
    "announcements_awarded": Style.GAIN,
    "duty_awarded": Style.GAIN,
    "piles_counted": Style.GAIN,
    "award_withdrawn": Style.LOSS,
    "false_announcement_penalised": Style.LOSS,
    "undeclared_penalised": Style.LOSS,
    "cards_due": Style.LOSS,
    "cards_paid": Style.GAIN,
    "deal_ended": Style.SCORE,
    "seat_forfeited": Style.LOSS,
    "match_ended": Style.HEADING,
}
_SUITS: dict[int, Style] = {
    card_pb2.SUIT_OROS: Style.OROS,
    card_pb2.SUIT_COPAS: Style.COPAS,
    card_pb2.SUIT_ESPADAS: Style.ESPADAS,
    card_pb2.SUIT_BASTOS: Style.BASTOS,
}
_INDENTS = {
    "batch_started": "  ",
    "leftovers_taken": "  ",
    "announcements_revealed": "  ",
    "piles_counted": "  ",
    "deal_ended": "  ",
    **dict.fromkeys(
        (
            "header",
            "seat_joined",
            "signature",
            "match_result",
            "match_started",
            "first_dealer_drawn",
            "deal_started",
            "match_ended",
        ),
        "",
    ),
}
_INDENT_IN_BATCH = "    "
_INDENT_IN_TURN = "      "

# After these stand totals already.
_WITH_TOTALS = frozenset({"piles_counted", "deal_ended", "match_ended"})
_MOST_CARDS = 40
_RIGHT_TO_LEFT_MARK = "\u200f"


@dataclass(frozen=True, slots=True)
class Part:
    """A piece of a line in one style."""

    text: str
    style: Style = Style.PLAIN


Line = tuple[Part, ...]


def plain(line: Line) -> str:
    """Give a line as text alone."""
    return "".join(part.text for part in line)


def _directed(line: Line, direction: str) -> Line:
    """Give a line that is read from right to left even where it begins with a Latin name."""
    if direction == "rtl" and direction_of(plain(line)) == "ltr":
        return (Part(_RIGHT_TO_LEFT_MARK), *line)
    return line


def replay_blocks(
    records: Sequence[log_pb2.LogRecord],
    opened: Opened,
    language: Language,
    seat: int | None = None,
) -> Iterator[list[Line]]:
    """Give the lines that tell a log's match, in blocks that are read at one go.

    Args:
        records: the log, as far as it can be read.
        opened: finds what stands behind a commitment.
        language: in what it is told.
        seat: whose point of view; None: everything is told.
    """
    match = match_of(records)
    told = _Lines(Teller(language, match, seat), new_table(match), seat)
    block: list[Line] = []
    for step in steps_of(records, opened):
        lines = [_directed(line, language.direction) for line in told.lines(step)]
        if lines and block and step.kind not in OF_A_TURN:
            yield block
            block = []
        block += lines
    if block:
        yield block


class _Lines:
    def __init__(self, teller: Teller, table: Table, seat: int | None) -> None:
        self._teller = teller
        self._table = table
        self._seat = seat
        self._in_turn = False

    def lines(self, step: Step) -> Iterator[Line]:
        event = step.seen_by(self._seat)
        self._in_turn = self._in_turn and step.kind in OF_A_TURN
        if step.kind == "deal_started":
            yield ()
        if event is not None and step.kind == "card_played":
            yield self._before(event.card_played.seat)
            self._in_turn = True
        style = _STYLES.get(step.kind, Style.PLAIN)
        for sentence in self._teller.tell(step):
            yield (Part(self._indent(step.kind) + sentence, style),)
        if step.kind == "header":
            yield self._legend()
        if event is not None:
            yield from self._follow(step)

    def _follow(self, step: Step) -> Iterator[Line]:
        """Keep the table, and tell the totals where they have changed."""
        before = dict(self._table.scores)
        if step.event is not None:
            self._table.follow(step.event)
        if self._table.scores != before and step.kind not in _WITH_TOTALS:
            indent = _INDENT_IN_TURN if self._in_turn else _INDENT_IN_BATCH
            yield (Part(indent + self._teller.scores(self._table.scores.items()), Style.SCORE),)

    def _indent(self, kind: str) -> str:
        inside = _INDENT_IN_TURN if self._in_turn and kind in OF_A_TURN else _INDENT_IN_BATCH
        return _INDENTS.get(kind, inside)

    def _before(self, seat: int) -> Line:
        """Give the line before a turn: the table, the pile of a chain, and the seat's hand."""
        label = self._teller.labelled
        parts = [Part(_INDENT_IN_BATCH + label("table"), Style.QUIET)]
        parts += _cards(self._table.cards)
        held = self._table.held
        if held is not None:
            parts.append(Part(f" | {label('chain', str(held.cards))}", Style.QUIET))
        hand = self._table.hands.get(seat)
        if hand is not None and hand.cards and self._seat in {None, seat}:
            parts.append(Part(f" | {label('hand')}", Style.QUIET))
            parts += _cards(hand.cards)
        return tuple(parts)

    def _legend(self) -> Line:
        """Say how cards are written in the lines of the table."""
        say = self._teller.entry
        ranks = [f"{rank} {say('ranks', str(rank))}" for rank in (1, 10, 11, 12)]
        separator = say("forms", "separator")
        parts = [Part(self._teller.labelled("card", separator.join(ranks)), Style.QUIET)]
        for suit, style in _SUITS.items():
            name = card_pb2.Suit.Name(card_pb2.Suit.ValueType(suit)).removeprefix("SUIT_").lower()
            parts += [
                Part(separator, Style.QUIET),
                Part(f"{name[0]} {say('suits', name)}", style),
            ]
        return tuple(parts)


def _cards(cards: Sequence[Card]) -> list[Part]:
    if not cards:
        return [Part("-", Style.QUIET)]
    parts: list[Part] = []
    for card in cards[:_MOST_CARDS]:
        space = " " if parts else ""
        parts.append(Part(space + notation(card), _SUITS.get(card[1], Style.PLAIN)))
    if len(cards) > _MOST_CARDS:
        parts.append(Part(" …"))
    return parts
