"""A replay for machines: one JSON object for each step, with the match as it stands after it."""

import json
from collections.abc import Iterator, Sequence

from google.protobuf import json_format

from ronda.v1 import log_pb2, rule_set_pb2
from ronda_replay.steps import Opened, match_of, new_table, steps_of
from ronda_replay.table import Table, notation
from ronda_replay.telling import Language, Teller


def json_lines(
    records: Sequence[log_pb2.LogRecord],
    opened: Opened,
    language: Language,
    seat: int | None = None,
) -> Iterator[str]:
    """Give each step as one line of JSON, without the line's end.

    Events are in protobuf's JSON with the schema's names. `seat` is whose point of view is told;
    None: everything is.
    """
    match = match_of(records)
    teller = Teller(language, match, seat)
    table = new_table(match)
    for step in steps_of(records, opened):
        event = step.seen_by(seat)
        if event is None and step.event is not None:
            continue
        if event is not None:
            table.follow(event)
        fields = {
            "record": step.number,
            "time_ms": step.record.time_ms,
            "kind": step.kind,
            "automatic": step.automatic,
            "told": teller.tell(step),
            "event": None
            if event is None
            else json_format.MessageToDict(
                event,
                preserving_proto_field_name=True,
                always_print_fields_with_no_presence=True,
            ),
            "state": state_of(table),
        }
        yield json.dumps(fields, ensure_ascii=False, separators=(",", ":"))


def state_of(table: Table) -> dict[str, object]:
    """Give the match as it stands, as JSON's own types; cards are written as `7o`."""
    held, turn = table.held, table.turn
    kinds = rule_set_pb2.AnnouncementKind.DESCRIPTOR.values_by_number
    return {
        "deal": table.deal,
        "dealer": table.dealer,
        "batch": table.batch,
        "last_batch": table.last_batch,
        "pack": table.pack,
        "table": [notation(card) for card in table.cards],
        "hands": [
            {
                "seat": seat,
                "count": hand.count,
                "cards": None if hand.cards is None else [notation(card) for card in hand.cards],
            }
            for seat, hand in sorted(table.hands.items())
        ],
        "turn": None
        if turn is None
        else {
            "seat": turn.seat,
            "card": notation(turn.card),
            "taken": [notation(card) for card in turn.taken],
        },
        "chain": None
        if held is None
        else {"seat": held.seat, "step": held.step, "cards": held.cards, "mesa": held.mesa},
        "announcements": [
            {
                "batch": batch,
                "seat": seat,
                "kind": kinds[kind].name.removeprefix("ANNOUNCEMENT_KIND_").lower()
                if kind in kinds
                else str(kind),
            }
            for batch, seat, kind in table.said
        ],
        "debts": [
            {"payer": debt.payer, "receiver": debt.receiver, "cards": debt.cards}
            for debt in table.debts
        ],
        "piles": [{"side": side, "cards": n} for side, n in sorted(table.piles.items())],
        "scores": [{"side": side, "points": n} for side, n in sorted(table.scores.items())],
        "forfeited": list(table.forfeited),
        "winners": list(table.winners),
    }
