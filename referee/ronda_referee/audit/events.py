"""The audit of an event: what is recorded against what the engine makes of the match."""

from ronda.v1 import event_pb2
from ronda_referee.audit.hidden import Hidden
from ronda_referee.audit.records import Place
from ronda_referee.audit.report import FindingKind
from ronda_referee.chain import HASH_SIZE
from ronda_referee.event_text import event_text

# The clause that decides what an event of each kind says.
_CLAUSES = {
    "first_dealer_drawn": "DEAL-3",
    "deal_started": "DEAL-3",
    "batch_started": "DEAL-5",
    "hand_dealt": "DEAL-4",
    "table_turned": "DEAL-4",
    "table_returned": "DEAL-8",
    "announcement_made": "ANN-2",
    "announcement_sealed": "ANN-2",
    "announcement_challenged": "CHALL-2",
    "window_passed": "WIN-1",
    "announcement_passed": "ANN-2",
    "card_played": "CAP-1",
    "cards_captured": "CAP-3",
    "card_laid": "CAP-4",
    "cards_held": "CHAIN-5",
    "chain_closed": "CHAIN-6",
    "award_withdrawn": "SHOW-5",
    "undeclared_penalised": "CLAIM-1",
    "duty_awarded": "DUTY-1",
    "cards_due": "PAY-2",
    "cards_paid": "PAY-3",
    "announcements_revealed": "ANN-8",
    "announcements_awarded": "ANN-6",
    "false_announcement_penalised": "ANN-9",
    "leftovers_taken": "CAP-6",
    "piles_counted": "COUNT-1",
    "deal_ended": "MATCH-1",
    "match_ended": "MATCH-2",
}

_DRAWN = frozenset({"first_dealer_drawn", "hand_dealt", "table_turned"})


def check_open(place: Place, event: event_pb2.Event, hidden: Hidden) -> None:
    """Check the record of an event that hides nothing.

    Raises:
        Found: another event is recorded, or a commitment.
    """
    logged = place.record.event_logged
    if (
        logged.commitment
        and hidden.opened(place.number, logged.commitment) == event != logged.event
    ):
        place.find(
            FindingKind.VIEW_WRONG,
            "the record hides what everyone may see",
            recorded=event_text(logged.event),
            expected=event_text(event),
            clause="ANN-10",
        )
    if logged.event != event:
        _find(place, logged.event, event)
    if logged.commitment:
        place.find(
            FindingKind.COMMITMENT_WRONG,
            "there is a commitment, and the event hides nothing",
            recorded=logged.commitment.hex(),
        )


def check_hidden(
    place: Place, full: event_pb2.Event, public: event_pb2.Event, hidden: Hidden
) -> bool:
    """Check the record of an event of which everyone may see a part only.

    Its opening must still come: `hidden` keeps in mind what it must show.

    Returns:
        whether the log shows by now what is hidden.

    Raises:
        Found: another event is recorded or committed to, or there is no commitment.
    """
    logged = place.record.event_logged
    if logged.event.hand_dealt.cards or logged.event.announcement_sealed.WhichOneof("answer"):
        place.find(
            FindingKind.COMMITMENT_WRONG,
            "the event shows what only a commitment may hold",
            recorded=event_text(logged.event),
            expected=event_text(public),
        )
    if logged.event != public:
        _find(place, logged.event, public)
    if len(logged.commitment) != HASH_SIZE:
        place.find(
            FindingKind.COMMITMENT_WRONG,
            "the event hides something, and there is no commitment of 32 bytes to it",
            recorded=f"{len(logged.commitment)} bytes",
            expected=f"{HASH_SIZE} bytes",
        )
    opened = hidden.opened(place.number, logged.commitment)
    if opened is not None and _owner(opened) not in {None, _owner(public)}:
        place.find(
            FindingKind.VIEW_WRONG,
            f"what was committed to for seat {_owner(public)} is for seat {_owner(opened)}",
            recorded=event_text(opened),
            expected=event_text(full),
            clause="ANN-10",
        )
    if opened is not None and opened != full:
        _find(place, opened, full)
    hidden.seal(place.number, logged.commitment, full)
    return opened is not None


def _owner(event: event_pb2.Event) -> int | None:
    """Give the seat that an event with a hidden part belongs to; None: it is of no such kind."""
    match event.WhichOneof("event"):
        case "hand_dealt":
            return event.hand_dealt.seat
        case "announcement_sealed":
            return event.announcement_sealed.seat
        case _:
            return None


def _find(place: Place, recorded: event_pb2.Event, expected: event_pb2.Event) -> None:
    """End the audit: another event stands here than the right one.

    Raises:
        Found: always.
    """
    which = expected.WhichOneof("event") or ""
    texts = event_text(recorded), event_text(expected)
    clause = _award_clause(recorded, expected) if which == "play_awarded" else _CLAUSES.get(which)
    if which in _DRAWN and recorded.WhichOneof("event") == which:
        kind, detail = FindingKind.DRAW_WRONG, "this is not what was to be drawn"
    else:
        kind, detail = FindingKind.EVENT_WRONG, "this is not what happened by the rules"
    place.find(kind, detail, recorded=texts[0], expected=texts[1], clause=clause or "")


def _award_clause(recorded: event_pb2.Event, expected: event_pb2.Event) -> str:
    if recorded.play_awarded.caida != expected.play_awarded.caida:
        return "CHAIN-1"
    if recorded.play_awarded.mesa != expected.play_awarded.mesa:
        return "MESA-1"
    return "MESA-2"
