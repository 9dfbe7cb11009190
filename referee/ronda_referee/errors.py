"""Typed errors of the service, each with a stable reason code.

The reason codes are the names of ``ronda.v1.ErrorReason`` without their prefix. What the rules
refuse is a `ronda_rules.errors.RulesError`; the gRPC status of both is decided in
`ronda_referee.statuses`.
"""

from enum import StrEnum


class ServiceReason(StrEnum):
    """Why the service refuses something. The values are part of the interface and never change."""

    MATCH_NOT_FOUND = "MATCH_NOT_FOUND"
    RULE_SET_NOT_FOUND = "RULE_SET_NOT_FOUND"
    WRONG_TOKEN = "WRONG_TOKEN"
    FIXED_DRAWS_REFUSED = "FIXED_DRAWS_REFUSED"
    SHARED_SHUFFLE_REFUSED = "SHARED_SHUFFLE_REFUSED"
    ALREADY_JOINED = "ALREADY_JOINED"
    MATCH_NOT_STARTED = "MATCH_NOT_STARTED"
    STALE_DECISION = "STALE_DECISION"
    REQUEST_ID_REUSED = "REQUEST_ID_REUSED"
    SEQUENCE_OUT_OF_RANGE = "SEQUENCE_OUT_OF_RANGE"
    SLOW_WATCHER = "SLOW_WATCHER"
    DRAINING = "DRAINING"
    REFEREE_FAULT = "REFEREE_FAULT"
    STORE_UNAVAILABLE = "STORE_UNAVAILABLE"
    MATCH_OVER = "MATCH_OVER"
    SEAT_FORFEITED = "SEAT_FORFEITED"
    MATCH_CANCELLED = "MATCH_CANCELLED"
    ORGANISER_ONLY = "ORGANISER_ONLY"
    TOO_MANY_CALLS = "TOO_MANY_CALLS"
    TOO_MANY_MATCHES = "TOO_MANY_MATCHES"
    TOO_MANY_STREAMS = "TOO_MANY_STREAMS"


class ServiceError(Exception):
    """Something that the service refuses; nothing has changed.

    Attributes:
        reason: the stable reason code.
        detail: what is wrong and what would be right, for people.
        values: the values at fault, by name, as text.
    """

    def __init__(self, reason: ServiceReason, detail: str, **values: object) -> None:
        """Keep the parts and make the text from reason and detail."""
        super().__init__(f"{reason}: {detail}")
        self.reason = reason
        self.detail = detail
        self.values = {name: str(value) for name, value in values.items()}


class StoreDamaged(Exception):
    """What the store holds of a match contradicts itself; the match cannot go on.

    Attributes:
        match_id: the match.
    """

    def __init__(self, match_id: str, detail: str) -> None:
        """Keep the match and say what contradicts what."""
        super().__init__(f"match {match_id}: {detail}")
        self.match_id = match_id


class SettingsError(Exception):
    """The referee cannot start as it was told to; the text says what would be right."""


class StoreError(Exception):
    """The store cannot be opened or is not what it should be; the text says what to do."""
