"""The one place where the engine's values and the protocol's messages are turned into each other.

From a message comes either a value that the engine understands or a typed error that names the
field; whether a move is legal is the engine's business.
"""

from ronda_referee.convert.events import event_to_proto, public_event_bytes, public_event_to_proto
from ronda_referee.convert.moves import decision_to_proto, move_from_proto, move_to_proto
from ronda_referee.convert.rule_sets import problems_of, rule_set_from_proto
from ronda_referee.convert.seen_events import event_from_proto
from ronda_referee.convert.views import public_view_to_proto, seat_view_to_proto
from ronda_referee.convert.words import MalformedMessage, card_from_proto, card_to_proto

__all__ = [
    "MalformedMessage",
    "card_from_proto",
    "card_to_proto",
    "decision_to_proto",
    "event_from_proto",
    "event_to_proto",
    "move_from_proto",
    "move_to_proto",
    "problems_of",
    "public_event_bytes",
    "public_event_to_proto",
    "public_view_to_proto",
    "rule_set_from_proto",
    "seat_view_to_proto",
]
