"""What each call may answer: the statuses and reasons that the schema documents, as data.

`test_documented.py` holds this against the comments of the schema.
"""

import grpc

from ronda.v1 import error_pb2

REASONS = frozenset(
    name.removeprefix("ERROR_REASON_") for name in error_pb2.ErrorReason.keys()[1:]
)
"""Every reason that the schema lists."""

_MOVE = frozenset(
    {
        "NOT_YOUR_TURN",
        "CARD_NOT_IN_HAND",
        "ANNOUNCEMENT_TOO_LATE",
        "ALREADY_ANNOUNCED",
        "KIND_WITHOUT_VALUE",
        "KIND_IMPOSSIBLE",
        "FALSE_ANNOUNCEMENT",
        "NOTHING_TO_PASS",
        "CHALLENGE_NOT_ALLOWED",
        "CLAIM_NOT_ALLOWED",
        "MATCH_OVER",
        "ANSWER_DUE",
    }
)
_CHANGING = frozenset({"DRAINING", "STORE_UNAVAILABLE", "REFEREE_FAULT"})
_MATCH = frozenset({"MATCH_NOT_FOUND", "REFEREE_FAULT"})
_SEAT = _MATCH | {"WRONG_TOKEN"}

ANY_CALL = frozenset({"MALFORMED_REQUEST", "TOO_MANY_CALLS"})
"""What every call of every service may answer, before its own handler sees it."""
ANY_STREAM = frozenset({"TOO_MANY_STREAMS"})
"""What every call with a stream may answer as well."""

DOCUMENTED: dict[str, frozenset[str]] = {
    "ListRuleSets": frozenset(),
    "GetRuleSet": frozenset({"RULE_SET_NOT_FOUND"}),
    "CreateMatch": frozenset(
        {
            "MALFORMED_REQUEST",
            "RULE_SET_INVALID",
            "RULE_SET_NOT_FOUND",
            "DRAW_INVALID",
            "FIXED_DRAWS_REFUSED",
            "ORGANISER_ONLY",
            "TOO_MANY_MATCHES",
            "DRAINING",
            "STORE_UNAVAILABLE",
        }
    ),
    "JoinMatch": _SEAT | _CHANGING | {"MALFORMED_REQUEST", "ALREADY_JOINED", "MATCH_CANCELLED"},
    "WatchMatch": _SEAT | {"SEQUENCE_OUT_OF_RANGE", "TOO_MANY_STREAMS"},
    "GetView": _SEAT | {"MATCH_NOT_STARTED"},
    "SubmitMove": _SEAT
    | _CHANGING
    | _MOVE
    | {
        "MALFORMED_REQUEST",
        "MATCH_NOT_STARTED",
        "MATCH_CANCELLED",
        "SEAT_FORFEITED",
        "STALE_DECISION",
        "REQUEST_ID_REUSED",
    },
    "Resign": _SEAT | _CHANGING | {"MATCH_NOT_STARTED", "MATCH_CANCELLED", "MATCH_OVER"},
    "RotateSeatToken": _SEAT | _CHANGING | {"MALFORMED_REQUEST"},
    "GetMatchLog": _SEAT,
    "ListMatches": frozenset({"MALFORMED_REQUEST"}),
    "GetServerInfo": frozenset(),
    "Play": frozenset({"MALFORMED_REQUEST", "TOO_MANY_STREAMS", "DRAINING"}),
    "CancelMatch": _MATCH | _CHANGING | {"ORGANISER_ONLY", "MATCH_OVER"},
    "BackupStore": frozenset({"ORGANISER_ONLY", "DRAINING", "STORE_UNAVAILABLE"}),
}
"""The reasons of each call of RefereeService, beside those of any call."""

SEAT_OF_STREAM = DOCUMENTED["JoinMatch"] | DOCUMENTED["WatchMatch"]
"""Why a Play stream may refuse a seat."""
MOVE_OF_STREAM = DOCUMENTED["SubmitMove"]
"""Why a Play stream may refuse a move."""

TESTEE = _MOVE | {"MALFORMED_REQUEST", "RULE_SET_INVALID", "POSITION_INVALID", "DRAW_INVALID"}
"""Why a testee may refuse a start or a move, in its answer."""

NOT_UNDER_TEST = frozenset(
    {"DRAINING", "STORE_UNAVAILABLE", "REFEREE_FAULT", "TOO_MANY_MATCHES", "TOO_MANY_CALLS"}
)
"""Documented, and nothing that requests alone may bring about on a referee that is well."""

CODES: dict[str, grpc.StatusCode] = {
    **dict.fromkeys(
        [
            "MALFORMED_REQUEST",
            "RULE_SET_INVALID",
            "RULE_SET_UNSUPPORTED",
            "POSITION_INVALID",
            "DRAW_INVALID",
        ],
        grpc.StatusCode.INVALID_ARGUMENT,
    ),
    **dict.fromkeys(["MATCH_NOT_FOUND", "RULE_SET_NOT_FOUND"], grpc.StatusCode.NOT_FOUND),
    **dict.fromkeys(
        ["WRONG_TOKEN", "FIXED_DRAWS_REFUSED", "ORGANISER_ONLY"],
        grpc.StatusCode.PERMISSION_DENIED,
    ),
    "REQUEST_ID_REUSED": grpc.StatusCode.ALREADY_EXISTS,
    "SEQUENCE_OUT_OF_RANGE": grpc.StatusCode.OUT_OF_RANGE,
    **dict.fromkeys(
        ["SLOW_WATCHER", "TOO_MANY_CALLS", "TOO_MANY_MATCHES", "TOO_MANY_STREAMS"],
        grpc.StatusCode.RESOURCE_EXHAUSTED,
    ),
    **dict.fromkeys(["DRAINING", "STORE_UNAVAILABLE"], grpc.StatusCode.UNAVAILABLE),
    "REFEREE_FAULT": grpc.StatusCode.INTERNAL,
    **dict.fromkeys(
        [
            *_MOVE,
            "ALREADY_JOINED",
            "MATCH_NOT_STARTED",
            "STALE_DECISION",
            "SEAT_FORFEITED",
            "MATCH_CANCELLED",
        ],
        grpc.StatusCode.FAILED_PRECONDITION,
    ),
}
"""The status that each reason travels with."""
