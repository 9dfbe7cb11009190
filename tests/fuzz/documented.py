"""What each call may answer: the statuses and reasons that the schema documents, as data.

`test_documented.py` holds this against the comments of the schema.
"""

import grpc

from ronda.v1 import error_pb2

REASONS = frozenset(name.removeprefix("ERROR_REASON_") for name in error_pb2.ErrorReason.keys()[1:])
"""Every reason that the schema lists."""

OF_THE_RULES = frozenset(
    name.removeprefix("ERROR_REASON_")
    for name, number in error_pb2.ErrorReason.items()
    if 1 <= number <= 12
)
"""Why the rules may refuse a move."""

ANY_CALL = frozenset({"MALFORMED_REQUEST", "TOO_MANY_CALLS"})
"""What every call of every service may answer, before its own handler sees it."""
ANY_STREAM = frozenset({"TOO_MANY_STREAMS"})
"""What every call with a stream may answer as well."""
ANY_CHANGE = frozenset({"DRAINING", "STORE_UNAVAILABLE"})
"""What every call that changes something may answer as well."""
ANY_MATCH = frozenset({"REFEREE_FAULT"})
"""What every call that names a match may answer as well."""

OWN: dict[str, frozenset[str]] = {
    "ListRuleSets": frozenset(),
    "GetRuleSet": frozenset({"RULE_SET_NOT_FOUND"}),
    "CreateMatch": frozenset(
        {
            "MALFORMED_REQUEST",
            "RULE_SET_INVALID",
            "RULE_SET_NOT_FOUND",
            "DRAW_INVALID",
            "FIXED_DRAWS_REFUSED",
            "SHARED_SHUFFLE_REFUSED",
            "ORGANISER_ONLY",
            "TOO_MANY_MATCHES",
        }
    ),
    "JoinMatch": frozenset(
        {
            "MALFORMED_REQUEST",
            "MATCH_NOT_FOUND",
            "WRONG_TOKEN",
            "ALREADY_JOINED",
            "MATCH_CANCELLED",
        }
    ),
    "WatchMatch": frozenset({"MATCH_NOT_FOUND", "WRONG_TOKEN", "SEQUENCE_OUT_OF_RANGE"}),
    "GetView": frozenset({"MATCH_NOT_FOUND", "WRONG_TOKEN", "MATCH_NOT_STARTED"}),
    "SubmitMove": OF_THE_RULES
    | {
        "MALFORMED_REQUEST",
        "MATCH_NOT_FOUND",
        "WRONG_TOKEN",
        "MATCH_NOT_STARTED",
        "MATCH_CANCELLED",
        "SEAT_FORFEITED",
        "STALE_DECISION",
        "REQUEST_ID_REUSED",
    },
    "Resign": frozenset(
        {"MATCH_NOT_FOUND", "WRONG_TOKEN", "MATCH_NOT_STARTED", "MATCH_CANCELLED", "MATCH_OVER"}
    ),
    "RotateSeatToken": frozenset({"MALFORMED_REQUEST", "MATCH_NOT_FOUND", "WRONG_TOKEN"}),
    "GetMatchLog": frozenset({"MATCH_NOT_FOUND", "WRONG_TOKEN"}),
    "ListMatches": frozenset({"MALFORMED_REQUEST"}),
    "GetServerInfo": frozenset(),
    "Play": frozenset({"MALFORMED_REQUEST", "DRAINING"}),
    "CancelMatch": frozenset({"ORGANISER_ONLY", "MATCH_NOT_FOUND", "MATCH_OVER"}),
    "BackupStore": frozenset({"ORGANISER_ONLY"}),
}
"""The reasons of each call of RefereeService, beside those that many calls have."""

STREAMS = frozenset({"WatchMatch", "GetMatchLog", "Play"})
CHANGING = frozenset(
    {
        "CreateMatch",
        "JoinMatch",
        "SubmitMove",
        "Resign",
        "RotateSeatToken",
        "CancelMatch",
        "BackupStore",
    }
)
"""The calls that change something."""

DOCUMENTED: dict[str, frozenset[str]] = {
    name: own
    | ANY_CALL
    | (ANY_STREAM if name in STREAMS else frozenset())
    | (ANY_CHANGE if name in CHANGING else frozenset())
    | (ANY_MATCH if "MATCH_NOT_FOUND" in own else frozenset())
    for name, own in OWN.items()
}
"""Every reason that each call of RefereeService may answer."""

SEAT_OF_STREAM = DOCUMENTED["JoinMatch"] | DOCUMENTED["WatchMatch"]
"""Why a Play stream may refuse a seat."""
MOVE_OF_STREAM = DOCUMENTED["SubmitMove"]
"""Why a Play stream may refuse a move."""

TESTEE = OF_THE_RULES | {
    "MALFORMED_REQUEST",
    "RULE_SET_INVALID",
    "POSITION_INVALID",
    "DRAW_INVALID",
}
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
        ["WRONG_TOKEN", "FIXED_DRAWS_REFUSED", "SHARED_SHUFFLE_REFUSED", "ORGANISER_ONLY"],
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
            *OF_THE_RULES,
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
