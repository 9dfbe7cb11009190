"""What an error carries: reason, clause, text and the values at fault."""

from collections.abc import Callable

import pytest

from ronda_rules.errors import (
    DrawError,
    IllegalMove,
    NotationError,
    PositionError,
    Reason,
    RulesError,
    RuleSetError,
)


@pytest.mark.parametrize(
    ("make", "reason", "clause", "text", "values"),
    [
        (
            lambda: IllegalMove(Reason.NOT_YOUR_TURN, "CAP-1", "seat 1 must act", seat=0),
            Reason.NOT_YOUR_TURN,
            "CAP-1",
            "NOT_YOUR_TURN: seat 1 must act (CAP-1)",
            {"seat": "0"},
        ),
        (
            lambda: DrawError("1o is not in the pack", card="1o"),
            Reason.DRAW_INVALID,
            "DEAL-4",
            "DRAW_INVALID: 1o is not in the pack (DEAL-4)",
            {"card": "1o"},
        ),
        (
            lambda: RuleSetError("mesa", "is too high"),
            Reason.RULE_SET_INVALID,
            "",
            "RULE_SET_INVALID: mesa: is too high",
            {"field": "mesa"},
        ),
        (
            lambda: PositionError("laid", "has no value"),
            Reason.POSITION_INVALID,
            "",
            "POSITION_INVALID: laid: has no value",
            {"field": "laid"},
        ),
        (
            lambda: NotationError("8o", "a card, as 7o"),
            Reason.MALFORMED_REQUEST,
            "",
            "MALFORMED_REQUEST: '8o' is not a card, as 7o",
            {"text": "8o"},
        ),
    ],
)
def test_an_error_says_what_is_wrong_and_carries_it(
    make: Callable[[], RulesError], reason: Reason, clause: str, text: str, values: dict[str, str]
) -> None:
    """Reason first, the clause last where there is one; values are texts."""
    error = make()
    assert (error.reason, error.clause, str(error)) == (reason, clause, text)
    assert error.values == values
    assert text.startswith(f"{reason}: {error.detail}")


def test_the_field_at_fault_is_named() -> None:
    """Of a rule set its parameter, of a position its field."""
    assert RuleSetError("mesa", "is too high").field == "mesa"
    assert PositionError("laid", "has no value").field == "laid"
