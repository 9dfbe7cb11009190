"""Every event has one line of text, and that line can be expected."""

import pytest
from google.protobuf import text_format

from ronda.v1 import event_pb2
from ronda_conformance.event_texts import (
    AWARDS,
    MalformedEventError,
    event_text,
    is_award_line,
    is_event_line,
)

CARDS = "cards { rank: RANK_6 suit: SUIT_COPAS } cards { rank: RANK_12 suit: SUIT_BASTOS }"
RONDA, TRINGA = "ANNOUNCEMENT_KIND_RONDA", "ANNOUNCEMENT_KIND_TRINGA"

# The line of an event, and the event in protobuf's own text form.
LINES = {
    "match of 2 seats": "match_started { seats: 2 }",
    "drawn dealer 0": "first_dealer_drawn { seat: 0 }",
    "deal 12 dealer 1": "deal_started { deal: 12 dealer: 1 }",
    "batch 1 hands of 3": "batch_started { batch: 1 hand_size: 3 }",
    "last batch 6 hands of 3": "batch_started { batch: 6 hand_size: 3 last: true }",
    "hand of seat 1 6c 12b": f"hand_dealt {{ seat: 1 card_count: 2 {CARDS} }}",
    "hand of seat 1 none": "hand_dealt { seat: 1 card_count: 2 }",
    "turned 6c 12b": f"table_turned {{ {CARDS} }}",
    "returned pairs 6c 12b": f"table_returned {{ found: TABLE_FORBID_PAIRS {CARDS} }}",
    "returned runs 6c 12b": f"table_returned {{ found: TABLE_FORBID_RUNS {CARDS} }}",
    "seat 0 announces ronda": f"announcement_made {{ seat: 0 kind: {RONDA} }}",
    "seat 0 announces double_ronda": "announcement_made { kind: ANNOUNCEMENT_KIND_DOUBLE_RONDA }",
    "seat 2 passes": "announcement_passed { seat: 2 }",
    "seat 1 plays 7o": "card_played { seat: 1 card { rank: RANK_7 suit: SUIT_OROS } }",
    "seat 1 captures 6c 12b": f"cards_captured {{ seat: 1 {CARDS} }}",
    "seat 1 lays 1e": "card_laid { seat: 1 card { rank: RANK_1 suit: SUIT_ESPADAS } }",
    "seat 1 holds step 2 6c 12b": f"cards_held {{ seat: 1 step: 2 {CARDS} }}",
    "seat 1 holds step 1 6c 12b mesa 1": f"cards_held {{ seat: 1 step: 1 {CARDS} mesa: 1 }}",
    "seat 0 seals tringa": f"announcement_sealed {{ seat: 0 kind: {TRINGA} }}",
    "seat 0 seals pass": "announcement_sealed { seat: 0 passed: true }",
    "seat 0 seals": "announcement_sealed { seat: 0 }",
    "side 0 owes side 1 2 cards": "cards_due { receiver: 1 cards: 2 }",
    "side 0 owes side 1 2 cards of the award": "cards_due { receiver: 1 cards: 2 award: true }",
    "side 1 pays side 0 3 cards": "cards_paid { payer: 1 cards: 3 }",
    "seat 1 closes step 3 5 cards": "chain_closed { seat: 1 step: 3 card_count: 5 }",
    "seat 1 caida 1 mesa 1 -> side 1 +2": (
        "play_awarded { seat: 1 caida: 1 mesa: 1 shares { side: 1 points: 2 } }"
    ),
    "seat 2 mesa 3 -> side 0 +3": "play_awarded { seat: 2 mesa: 3 shares { points: 3 } }",
    "batch 2 shows seat 0 ronda 12 seat 1 tringa false": (
        f"announcements_revealed {{ batch: 2 announcements {{ kind: {RONDA} rank: RANK_12 }} "
        f"announcements {{ seat: 1 kind: {TRINGA} }} }}"
    ),
    "batch 2 awards -> side 0 +1 side 1 +1": (
        "announcements_awarded { batch: 2 shares { points: 1 } shares { side: 1 points: 1 } }"
    ),
    "batch 2 withdraws -> side 1 -5": ("award_withdrawn { batch: 2 shares { side: 1 points: 5 } }"),
    "batch 2 seat 1 false tringa -> side 0 +5": (
        f"false_announcement_penalised {{ batch: 2 seat: 1 kind: {TRINGA} shares {{ points: 5 }} }}"
    ),
    "batch 2 seat 1 undeclared ronda -> side 0 +1": (
        f"undeclared_penalised {{ batch: 2 seat: 1 kind: {RONDA} shares {{ points: 1 }} }}"
    ),
    "batch 2 seat 1 undeclared ronda claimed by seat 0 -> side 0 +1": (
        f"undeclared_penalised {{ batch: 2 seat: 1 kind: {RONDA} claimant: 0 "
        "shares { points: 1 } }"
    ),
    "seat 0 challenges seat 1 false 6c 12b": (
        f"announcement_challenged {{ seat: 1 {CARDS.replace('cards', 'hand')} }}"
    ),
    "seat 3 passes the window": "window_passed { seat: 3 }",
    "dealer 1 duty -> side 0 +5": "duty_awarded { dealer: 1 shares { points: 5 } }",
    "leftovers to seat 1 6c 12b": f"leftovers_taken {{ seat: 1 {CARDS} }}",
    "count 26 14 -> side 0 +6": "piles_counted { piles: [26, 14] shares { points: 6 } }",
    "count 20 20": "piles_counted { piles: [20, 20] }",
    "deal 1 ends 6 0": "deal_ended { deal: 1 scores: [6, 0] }",
    "seat 2 forfeits": "seat_forfeited { seat: 2 }",
    "match ends winners 0 1 scores 41 41": "match_ended { winners: [0, 1] scores: [41, 41] }",
}


@pytest.mark.parametrize("line", LINES)
def test_an_event_has_its_line(line: str) -> None:
    """The line is the literal one, and it is of a form that scenarios can expect."""
    event = text_format.Parse(LINES[line], event_pb2.Event())
    assert event_text(event) == line
    assert is_event_line(line)
    scores = event.WhichOneof("event") in AWARDS and "->" in line
    assert is_award_line(line) == scores


def test_every_kind_of_event_is_covered() -> None:
    """So that an event that the schema gains is not forgotten here."""
    events = [text_format.Parse(text, event_pb2.Event()) for text in LINES.values()]
    covered = {event.WhichOneof("event") for event in events}
    assert covered == {field.name for field in event_pb2.Event.DESCRIPTOR.fields}


@pytest.mark.parametrize(
    "text",
    [
        "",
        "announcement_made { seat: 0 }",
        "table_returned { found: TABLE_FORBID_UNSPECIFIED }",
    ],
)
def test_an_event_of_nothing_known_has_no_line(text: str) -> None:
    """What is unset or unknown is malformed."""
    with pytest.raises(MalformedEventError):
        event_text(text_format.Parse(text, event_pb2.Event()))


@pytest.mark.parametrize(
    "line",
    ["seat 0 plays 8o", "seat 0 announces pair", "batch 2 awards", "count 26", "deal 1 ends", ""],
)
def test_what_no_event_says_is_no_line(line: str) -> None:
    """A mistyped expectation is found when it is read."""
    assert not is_event_line(line)
