"""A match log as a person reads it: deals, batches, hands, turns, points.

It shows what stands in the records and checks nothing, so it also works on a log that does not
verify, as far as its records can be read.
"""

from collections.abc import Iterator, Sequence

from ronda.v1 import card_pb2, event_pb2, log_pb2
from ronda_referee.audit.hidden import Hidden
from ronda_referee.event_text import (
    Names,
    by_side_text,
    card_text,
    cards_text,
    event_text,
    outcome_text,
    printable,
)

# Events that belong to the line of the turn that brought them about.
_OF_A_TURN = frozenset(
    {"cards_captured", "card_laid", "cards_held", "chain_closed", "play_awarded"}
)
_INDENTS = {
    "match_started": "",
    "first_dealer_drawn": "",
    "deal_started": "",
    "batch_started": "  ",
    "leftovers_taken": "  ",
    "announcements_revealed": "  ",
    "announcements_awarded": "  ",
    "false_announcement_penalised": "  ",
    "piles_counted": "  ",
    "deal_ended": "  ",
    "seat_forfeited": "",
    "match_ended": "",
}
_INDENT_IN_BATCH = "    "


def replay_lines(records: Sequence[log_pb2.LogRecord]) -> Iterator[str]:
    """Give the lines that tell a log's match, from its records in order.

    Hands are shown where an opening fits their commitment; otherwise their size alone is.
    """
    yield from _Replay(records).lines()


class _Replay:
    def __init__(self, records: Sequence[log_pb2.LogRecord]) -> None:
        self._records = records
        self._hidden = Hidden(
            {one.opening.sequence: one.opening for one in records if one.HasField("opening")}
        )
        header = next((one.header for one in records if one.HasField("header")), None)
        joined = [one.seat_joined for one in records if one.HasField("seat_joined")]
        self._names = Names(
            header.seats if header is not None else 0, {one.seat: one.name for one in joined}
        )
        self._table: list[card_pb2.Card] = []
        self._hands: dict[int, list[card_pb2.Card]] = {}
        self._turn: list[str] = []
        self._ended: tuple[list[int], list[int]] | None = None

    def lines(self) -> Iterator[str]:
        openings = 0
        for record in self._records:
            match record.WhichOneof("record"):
                case "header":
                    yield from self._header(record.header)
                case "seat_joined":
                    yield self._joined(record.seat_joined)
                case "event_logged":
                    yield from self._event(record)
                case "match_result":
                    yield from self._end_turn()
                    yield from self._result(record.match_result)
                case "opening":
                    openings += 1
                case "signature":
                    yield f"{openings} hidden events opened, log signed"
                case _:
                    # Whatever follows from a move stands in the events after it.
                    continue
        yield from self._end_turn()

    def _header(self, header: log_pb2.LogHeader) -> Iterator[str]:
        rules = header.rule_set
        title = printable(rules.title or rules.id)
        yield (
            f"match {printable(header.match_id)}: {title} ({printable(rules.id)}), "
            f"{header.seats} seats, target {rules.target}, "
            f"refereed by version {printable(header.engine_version)}"
        )
        if header.fixed_draws_commitment:
            yield "draws fixed by the organiser, not shuffled"
        else:
            commitment = _hex(header.seed_commitment)
            yield f"cards from the shuffle; the seed is committed to as {commitment}"
        yield f"signed under the key {_hex(header.public_key)}"

    def _joined(self, joined: log_pb2.SeatJoined) -> str:
        brought = f", bringing {joined.entropy.hex()}" if joined.entropy else ""
        return f"{self._names.seat(joined.seat)} joins{brought}"

    def _result(self, result: log_pb2.MatchResult) -> Iterator[str]:
        # The last event said it, unless the log is not as it should be.
        if (list(result.winners), list(result.scores)) != self._ended:
            outcome = outcome_text(result.winners, self._names)
            yield f"result: {outcome}; total points: {by_side_text(result.scores, self._names)}"
        yield f"the seed was {_hex(result.seed)}"

    def _event(self, record: log_pb2.LogRecord) -> Iterator[str]:
        event = self._opened(record)
        which = event.WhichOneof("event") or ""
        text = event_text(event, self._names)
        if which in _OF_A_TURN and self._turn:
            self._turn.append(self._of_the_turn(event, which, text))
        else:
            yield from self._end_turn()
            if which == "deal_started":
                yield ""
            if which == "card_played":
                self._turn = [self._played(event.card_played)]
            else:
                yield _INDENTS.get(which, _INDENT_IN_BATCH) + text
        self._follow(event, which)

    def _opened(self, record: log_pb2.LogRecord) -> event_pb2.Event:
        logged = record.event_logged
        if not logged.commitment:
            return logged.event
        return self._hidden.opened(record.sequence, logged.commitment) or logged.event

    def _played(self, played: event_pb2.CardPlayed) -> str:
        hand = self._hands.get(played.seat, [])
        held = f" with {cards_text(hand)}" if hand else ""
        return (
            f"{_INDENT_IN_BATCH}table {cards_text(self._table)} | "
            f"{self._names.seat(played.seat)}{held} plays {card_text(played.card)}"
        )

    def _of_the_turn(self, event: event_pb2.Event, which: str, text: str) -> str:
        """Shorten an event's text: the turn's line begins with its seat and card."""
        if which == "card_laid":
            return "lays it on the table"
        return text.removeprefix(f"{self._names.seat(_seat(event, which))} ")

    def _end_turn(self) -> Iterator[str]:
        if self._turn:
            yield "; ".join(self._turn)
            self._turn = []

    def _follow(self, event: event_pb2.Event, which: str) -> None:
        """Keep table and hands up to date."""
        match which:
            case "deal_started":
                self._table = []
                self._hands = {}
            case "hand_dealt":
                self._hands[event.hand_dealt.seat] = list(event.hand_dealt.cards)
            case "table_turned":
                self._put_on_table(event.table_turned.cards)
            case "table_returned":
                self._take_from_table(event.table_returned.cards)
            case "card_played":
                hand = self._hands.get(event.card_played.seat, [])
                if event.card_played.card in hand:
                    hand.remove(event.card_played.card)
            case "card_laid":
                self._put_on_table([event.card_laid.card])
            case "cards_captured":
                self._take_from_table(event.cards_captured.cards)
            case "cards_held":
                self._take_from_table(event.cards_held.cards)
            case "match_ended":
                self._ended = list(event.match_ended.winners), list(event.match_ended.scores)
            case "leftovers_taken":
                self._take_from_table(event.leftovers_taken.cards)

    def _put_on_table(self, cards: Sequence[card_pb2.Card]) -> None:
        self._table = sorted([*self._table, *cards], key=lambda card: (card.rank, card.suit))

    def _take_from_table(self, cards: Sequence[card_pb2.Card]) -> None:
        self._table = [card for card in self._table if card not in cards]


def _seat(event: event_pb2.Event, which: str) -> int:
    seat: int = getattr(event, which).seat
    return seat


def _hex(value: bytes) -> str:
    return value.hex() or "nothing"
