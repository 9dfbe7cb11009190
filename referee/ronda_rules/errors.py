"""Typed errors of the rules, each with a stable reason code.

The reason codes are the names of ``ronda.v1.ErrorReason`` without their prefix.
"""

from enum import StrEnum


class Reason(StrEnum):
    """Why the rules refuse something. The values are part of the interface and never change."""

    NOT_YOUR_TURN = "NOT_YOUR_TURN"
    CARD_NOT_IN_HAND = "CARD_NOT_IN_HAND"
    ANNOUNCEMENT_TOO_LATE = "ANNOUNCEMENT_TOO_LATE"
    ALREADY_ANNOUNCED = "ALREADY_ANNOUNCED"
    KIND_WITHOUT_VALUE = "KIND_WITHOUT_VALUE"
    KIND_IMPOSSIBLE = "KIND_IMPOSSIBLE"
    FALSE_ANNOUNCEMENT = "FALSE_ANNOUNCEMENT"
    NOTHING_TO_PASS = "NOTHING_TO_PASS"
    CHALLENGE_NOT_ALLOWED = "CHALLENGE_NOT_ALLOWED"
    CLAIM_NOT_ALLOWED = "CLAIM_NOT_ALLOWED"
    ANSWER_DUE = "ANSWER_DUE"
    MATCH_OVER = "MATCH_OVER"
    SEAT_FORFEITED = "SEAT_FORFEITED"
    RULE_SET_INVALID = "RULE_SET_INVALID"
    POSITION_INVALID = "POSITION_INVALID"
    DRAW_INVALID = "DRAW_INVALID"
    MALFORMED_REQUEST = "MALFORMED_REQUEST"


class RulesError(Exception):
    """Something that the rules refuse; the state it was asked of is unchanged.

    Attributes:
        reason: the stable reason code.
        clause: the clause of the specification behind it, or an empty string.
        detail: what is wrong and what would be right, for people.
        values: the values at fault, by name, as text.
    """

    def __init__(self, reason: Reason, clause: str, detail: str, **values: object) -> None:
        """Keep the parts and make the text from reason, detail and clause."""
        super().__init__(f"{reason}: {detail}" + (f" ({clause})" if clause else ""))
        self.reason = reason
        self.clause = clause
        self.detail = detail
        self.values = {name: str(value) for name, value in values.items()}


class IllegalMove(RulesError):
    """A move that the rules do not allow in this state."""


class DrawError(RulesError):
    """A draw that chance could not have made: not that many cards, or not from the pack."""

    def __init__(self, detail: str, **values: object) -> None:
        """Keep the detail; the clause is always DEAL-4."""
        super().__init__(Reason.DRAW_INVALID, "DEAL-4", detail, **values)


class RuleSetError(RulesError):
    """A rule set that cannot be played.

    Attributes:
        field: the parameter at fault, by its name in the schema.
    """

    def __init__(self, field: str, detail: str) -> None:
        """Say what is wrong with one parameter."""
        super().__init__(Reason.RULE_SET_INVALID, "", f"{field}: {detail}", field=field)
        self.field = field


class PositionError(RulesError):
    """A position that cannot be read or cannot arise.

    Attributes:
        field: the field of the notation at fault.
    """

    def __init__(self, field: str, detail: str) -> None:
        """Say what is wrong with one field of the notation."""
        super().__init__(Reason.POSITION_INVALID, "", f"{field}: {detail}", field=field)
        self.field = field


class NotationError(RulesError):
    """A text that is no card or no rank."""

    def __init__(self, text: str, wanted: str) -> None:
        """Quote the text and say what would be right."""
        super().__init__(Reason.MALFORMED_REQUEST, "", f"{text!r} is not {wanted}", text=text)
