r"""Events as text: one line each, the literal form in which scenarios expect them.

| event | line |
|---|---|
| match started | `match of 2 seats` |
| first dealer drawn | `drawn dealer 1` |
| deal started | `deal 1 dealer 1` |
| batch started | `batch 1 hands of 3`, `last batch 6 hands of 3` |
| hand dealt | `hand of seat 0 1o 2o 3o` |
| table turned | `turned 4o 5o 6o 10o` |
| table returned | `returned pairs 4o 4c 6o 7o`, `returned runs 1o 2o 3o 4o` |
| announcement made, passed | `seat 0 announces ronda`, `seat 0 passes` |
| card played, captured, laid | `seat 0 plays 6o`, `seat 0 captures 6c 7o`, `seat 0 lays 6o` |
| announcement sealed | `seat 0 seals ronda`, `seat 0 seals pass` |
| cards held | `seat 0 holds step 1 7c 10o mesa 1`, `seat 1 holds step 2 none` |
| chain closed | `seat 0 closes step 2 5 cards` |
| play awarded | `seat 0 caida 1 mesa 1 -> side 0 +2` |
| announcements revealed | `batch 2 shows seat 0 ronda 12 seat 1 tringa false` |
| announcements awarded | `batch 2 awards -> side 0 +1` |
| award withdrawn | `batch 2 withdraws -> side 0 -1` |
| false announcement penalised | `batch 2 seat 1 false ronda -> side 0 +1` |
| undeclared penalised | `batch 2 seat 1 undeclared ronda claimed by seat 0 -> side 0 +1` |
| challenged | `seat 0 challenges seat 1 true 1o 1c 3e` |
| window passed | `seat 0 passes the window` |
| duty awarded | `dealer 1 duty -> side 0 +5` |
| cards due | `side 0 owes side 1 2 cards`, `side 0 owes side 1 2 cards of the award` |
| cards paid | `side 0 pays side 1 2 cards` |
| leftovers taken | `leftovers to seat 1 3o 12c` |
| piles counted | `count 26 14 -> side 0 +6`, `count 20 20` |
| seat forfeited | `seat 1 forfeits` |
| deal, match ended | `deal 1 ends 6 0`, `match ends winners 0 scores 46 11` |
"""

import re
from collections.abc import Callable, Iterable

from ronda.v1 import event_pb2, rule_set_pb2
from ronda_conformance.cards import RANKS, SUITS, card_text, cards_text

# What scores, of the fields of ronda.v1.Event.
AWARDS = frozenset(
    {
        "play_awarded",
        "announcements_awarded",
        "award_withdrawn",
        "false_announcement_penalised",
        "undeclared_penalised",
        "duty_awarded",
        "piles_counted",
    }
)


class MalformedEventError(ValueError):
    """An event that is unset or holds an unknown word."""


def kind_text(kind: rule_set_pb2.AnnouncementKind.ValueType) -> str:
    """Return a kind of announcement as `ronda`.

    Raises:
        MalformedEventError: it does not exist.
    """
    if kind not in rule_set_pb2.AnnouncementKind.values() or kind == 0:
        message = f"{int(kind)} is no kind of announcement"
        raise MalformedEventError(message)
    name: str = rule_set_pb2.AnnouncementKind.Name(kind)
    return name.removeprefix("ANNOUNCEMENT_KIND_").lower()


def _numbers(numbers: Iterable[int]) -> str:
    return " ".join(str(number) for number in numbers)


def _gains(shares: Iterable[event_pb2.Share], sign: str = "+") -> str:
    text = " ".join(f"side {share.side} {sign}{share.points}" for share in shares)
    return f" -> {text}" if text else ""


def _batch_started(event: event_pb2.BatchStarted) -> str:
    return f"{'last ' if event.last else ''}batch {event.batch} hands of {event.hand_size}"


def _table_returned(event: event_pb2.TableReturned) -> str:
    found = {rule_set_pb2.TABLE_FORBID_PAIRS: "pairs", rule_set_pb2.TABLE_FORBID_RUNS: "runs"}
    if event.found not in found:
        message = f"{int(event.found)} is nothing that a table may be forbidden for"
        raise MalformedEventError(message)
    return f"returned {found[event.found]} {cards_text(event.cards)}"


def _play_awarded(event: event_pb2.PlayAwarded) -> str:
    caida = f" caida {event.caida}" if event.caida else ""
    mesa = f" mesa {event.mesa}" if event.mesa else ""
    return f"seat {event.seat}{caida}{mesa}{_gains(event.shares)}"


def _sealed(event: event_pb2.AnnouncementSealed) -> str:
    match event.WhichOneof("answer"):
        case "kind":
            return f"seat {event.seat} seals {kind_text(event.kind)}"
        case "passed":
            return f"seat {event.seat} seals pass"
        case None:
            return f"seat {event.seat} seals"


def _held(event: event_pb2.CardsHeld) -> str:
    mesa = f" mesa {event.mesa}" if event.mesa else ""
    return f"seat {event.seat} holds step {event.step} {cards_text(event.cards)}{mesa}"


def _due(event: event_pb2.CardsDue) -> str:
    award = " of the award" if event.award else ""
    return f"side {event.payer} owes side {event.receiver} {event.cards} cards{award}"


def _paid(event: event_pb2.CardsPaid) -> str:
    return f"side {event.payer} pays side {event.receiver} {event.cards} cards"


def _revealed(announcement: event_pb2.RevealedAnnouncement) -> str:
    rank = str(int(announcement.rank)) if announcement.rank else "false"
    if rank not in (*RANKS, "false"):
        message = f"{rank} is no rank"
        raise MalformedEventError(message)
    return f"seat {announcement.seat} {kind_text(announcement.kind)} {rank}"


def _announcements_revealed(event: event_pb2.AnnouncementsRevealed) -> str:
    shown = " ".join(_revealed(announcement) for announcement in event.announcements)
    return f"batch {event.batch} shows {shown or 'none'}"


def _false(event: event_pb2.FalseAnnouncementPenalised) -> str:
    gains = _gains(event.shares)
    return f"batch {event.batch} seat {event.seat} false {kind_text(event.kind)}{gains}"


def _undeclared(event: event_pb2.UndeclaredPenalised) -> str:
    claimant = f" claimed by seat {event.claimant}" if event.HasField("claimant") else ""
    return (
        f"batch {event.batch} seat {event.seat} undeclared {kind_text(event.kind)}"
        f"{claimant}{_gains(event.shares)}"
    )


def _challenged(event: event_pb2.AnnouncementChallenged) -> str:
    verdict = "true" if event.announcement_true else "false"
    return (
        f"seat {event.challenger} challenges seat {event.seat} {verdict} {cards_text(event.hand)}"
    )


def _match_ended(event: event_pb2.MatchEnded) -> str:
    return f"match ends winners {_numbers(event.winners)} scores {_numbers(event.scores)}"


_FORMATTERS: dict[str, Callable[[event_pb2.Event], str]] = {
    "match_started": lambda e: f"match of {e.match_started.seats} seats",
    "first_dealer_drawn": lambda e: f"drawn dealer {e.first_dealer_drawn.seat}",
    "deal_started": lambda e: f"deal {e.deal_started.deal} dealer {e.deal_started.dealer}",
    "batch_started": lambda e: _batch_started(e.batch_started),
    "hand_dealt": lambda e: f"hand of seat {e.hand_dealt.seat} {cards_text(e.hand_dealt.cards)}",
    "table_turned": lambda e: f"turned {cards_text(e.table_turned.cards)}",
    "table_returned": lambda e: _table_returned(e.table_returned),
    "announcement_made": lambda e: (
        f"seat {e.announcement_made.seat} announces {kind_text(e.announcement_made.kind)}"
    ),
    "announcement_passed": lambda e: f"seat {e.announcement_passed.seat} passes",
    "card_played": lambda e: f"seat {e.card_played.seat} plays {card_text(e.card_played.card)}",
    "cards_captured": lambda e: (
        f"seat {e.cards_captured.seat} captures {cards_text(e.cards_captured.cards)}"
    ),
    "card_laid": lambda e: f"seat {e.card_laid.seat} lays {card_text(e.card_laid.card)}",
    "announcement_sealed": lambda e: _sealed(e.announcement_sealed),
    "cards_held": lambda e: _held(e.cards_held),
    "chain_closed": lambda e: (
        f"seat {e.chain_closed.seat} closes step {e.chain_closed.step} "
        f"{e.chain_closed.card_count} cards"
    ),
    "play_awarded": lambda e: _play_awarded(e.play_awarded),
    "announcements_revealed": lambda e: _announcements_revealed(e.announcements_revealed),
    "announcements_awarded": lambda e: (
        f"batch {e.announcements_awarded.batch} awards{_gains(e.announcements_awarded.shares)}"
    ),
    "award_withdrawn": lambda e: (
        f"batch {e.award_withdrawn.batch} withdraws{_gains(e.award_withdrawn.shares, '-')}"
    ),
    "false_announcement_penalised": lambda e: _false(e.false_announcement_penalised),
    "undeclared_penalised": lambda e: _undeclared(e.undeclared_penalised),
    "announcement_challenged": lambda e: _challenged(e.announcement_challenged),
    "window_passed": lambda e: f"seat {e.window_passed.seat} passes the window",
    "duty_awarded": lambda e: f"dealer {e.duty_awarded.dealer} duty{_gains(e.duty_awarded.shares)}",
    "cards_due": lambda e: _due(e.cards_due),
    "cards_paid": lambda e: _paid(e.cards_paid),
    "leftovers_taken": lambda e: (
        f"leftovers to seat {e.leftovers_taken.seat} {cards_text(e.leftovers_taken.cards)}"
    ),
    "piles_counted": lambda e: (
        f"count {_numbers(e.piles_counted.piles)}{_gains(e.piles_counted.shares)}"
    ),
    "deal_ended": lambda e: f"deal {e.deal_ended.deal} ends {_numbers(e.deal_ended.scores)}",
    "seat_forfeited": lambda e: f"seat {e.seat_forfeited.seat} forfeits",
    "match_ended": lambda e: _match_ended(e.match_ended),
}


def event_text(event: event_pb2.Event) -> str:
    """Return an event's line.

    Raises:
        MalformedEventError: the event is unset or holds an unknown word.
        MalformedCardError: it holds a card that does not exist.
    """
    kind = event.WhichOneof("event")
    if kind is None:
        message = "an event is unset"
        raise MalformedEventError(message)
    return _FORMATTERS[kind](event)


_SEAT = r"seat \d"
_CARD = f"(?:{'|'.join(RANKS)})[{SUITS}]?"
_CARDS = f"(?:{_CARD}(?: {_CARD})*|none)"
_KIND = "(?:ronda|tringa|double_ronda)"
_GAINS = r"-> side \d \+\d+(?: side \d \+\d+)*"
_SHOWN = f"{_SEAT} {_KIND} (?:{'|'.join(RANKS)}|false)"
_COUNT = r"count \d+(?: \d+)+"
_AWARD_LINES = {
    "play_awarded": rf"{_SEAT}(?: caida \d+)?(?: mesa \d+)? {_GAINS}",
    "announcements_awarded": rf"batch \d awards {_GAINS}",
    "award_withdrawn": r"batch \d withdraws -> side \d -\d+(?: side \d -\d+)*",
    "false_announcement_penalised": rf"batch \d {_SEAT} false {_KIND} {_GAINS}",
    "undeclared_penalised": (
        rf"batch \d {_SEAT} undeclared {_KIND}(?: claimed by {_SEAT})? {_GAINS}"
    ),
    "duty_awarded": rf"dealer \d duty {_GAINS}",
    "piles_counted": rf"{_COUNT} {_GAINS}",
}
_LINES = {
    **_AWARD_LINES,
    "match_started": r"match of \d seats",
    "first_dealer_drawn": r"drawn dealer \d",
    "deal_started": r"deal \d+ dealer \d",
    "batch_started": r"(?:last )?batch \d hands of \d",
    "hand_dealt": rf"hand of {_SEAT} {_CARDS}",
    "table_turned": rf"turned {_CARDS}",
    "table_returned": rf"returned (?:pairs|runs) {_CARDS}",
    "announcement_made": rf"{_SEAT} announces {_KIND}",
    "announcement_passed": rf"{_SEAT} passes",
    "window_passed": rf"{_SEAT} passes the window",
    "card_played": rf"{_SEAT} plays {_CARD}",
    "card_laid": rf"{_SEAT} lays {_CARD}",
    "cards_captured": rf"{_SEAT} captures {_CARDS}",
    "announcement_sealed": rf"{_SEAT} seals(?: {_KIND}| pass)?",
    "cards_held": rf"{_SEAT} holds step \d {_CARDS}(?: mesa \d+)?",
    "cards_due": r"side \d owes side \d \d+ cards(?: of the award)?",
    "cards_paid": r"side \d pays side \d \d+ cards",
    "chain_closed": rf"{_SEAT} closes step \d \d+ cards",
    "announcements_revealed": rf"batch \d shows {_SHOWN}(?: {_SHOWN})*",
    "announcement_challenged": rf"{_SEAT} challenges {_SEAT} (?:true|false) {_CARDS}",
    "leftovers_taken": rf"leftovers to {_SEAT} {_CARDS}",
    "piles_counted": rf"{_COUNT}(?: {_GAINS})?",
    "deal_ended": r"deal \d+ ends \d+(?: \d+)+",
    "seat_forfeited": rf"{_SEAT} forfeits",
    "match_ended": r"match ends winners \d(?: \d)* scores \d+(?: \d+)+",
}
# What a line of each kind of event looks like, by its field of ronda.v1.Event.
EVENT_FORMS = {name: re.compile(line) for name, line in _LINES.items()}
_AWARD = re.compile("|".join(f"(?:{line})" for line in _AWARD_LINES.values()))
_ANY = re.compile("|".join(f"(?:{line})" for line in _LINES.values()))


def is_award_line(text: str) -> bool:
    """Return whether a text has the form of an event that scores."""
    return _AWARD.fullmatch(text) is not None


def is_event_line(text: str) -> bool:
    """Return whether a text has the form of an event."""
    return _ANY.fullmatch(text) is not None
