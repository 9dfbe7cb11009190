"""Further faults of a referee, so that every check of the service has one that it finds."""

from typing import Any

import grpc

from ronda.v1 import log_pb2, rule_set_pb2
from ronda.v1 import referee_service_pb2 as pb
from ronda_referee.chain import NonceSealer
from ronda_referee.service import RefereeService
from ronda_referee.surroundings import Surroundings
from ronda_referee.undecodable import Decode, UndecodableRequests
from tests.conformance.faulty_referee import Fault, Memory, rows_of, status_of

_OVER = b"MATCH_OVER"


class _LettingThrough:
    """Stands where a check of calls should stand."""

    def __init__(self, *_: object, **__: object) -> None:
        """Take whatever the right one takes."""

    def check(self, *_: object) -> None:
        """Let every call through."""


class _Decoding(UndecodableRequests):
    """Leaves it to gRPC what becomes of requests that cannot be decoded."""

    def tolerant(self, decode: Decode | None) -> Decode:
        """Give what decodes requests, and nothing else."""
        if decode is None:
            raise AssertionError("generated handlers decode their requests")
        return decode


def _equal_nonces() -> Surroundings:
    return Surroundings(sealer=NonceSealer(bytes))


def _small_limit(_: object, __: object, ___: object, answer: pb.GetServerInfoResponse) -> None:
    answer.limits.request_bytes = 1000


def _other_key(_: object, __: object, ___: object, answer: pb.GetServerInfoResponse) -> None:
    answer.public_key = bytes(32)


def _no_increment(_: object, __: object, request: pb.CreateMatchRequest) -> None:
    request.terms.time_control.ClearField("increment_ms")


def _time_told(_: object, __: object, ___: object, answer: pb.GetViewResponse) -> None:
    if answer.HasField("decision"):
        answer.decision.milliseconds_left = 5


def _renamed(_: object, __: object, request: pb.CreateMatchRequest) -> None:
    if not request.rule_set.id.startswith("conformance-"):
        request.rule_set.id = "another-name"


def _other_rules(_: object, __: object, request: pb.CreateMatchRequest) -> None:
    if request.HasField("rule_set_id"):
        request.rule_set_id = "sarii"


def _own_terms(_: object, __: object, request: pb.CreateMatchRequest) -> None:
    request.terms.most_refusals = 9


def _no_terms(_: object, __: object, request: pb.CreateMatchRequest) -> None:
    request.ClearField("terms")


def _no_draws(_: object, __: object, request: pb.CreateMatchRequest) -> None:
    request.ClearField("fixed_draws")


def _mended_rules(_: object, __: object, request: pb.CreateMatchRequest) -> None:
    if not request.rule_set.timing:
        request.rule_set.timing = rule_set_pb2.TIMING_FIRST_TURN


def _endless_joining(_: object, __: object, request: pb.CreateMatchRequest) -> None:
    request.terms.join_timeout_ms = 120_000


def _short_tokens(_: object, __: object, ___: object, answer: pb.CreateMatchResponse) -> None:
    answer.seat_tokens[:] = [token[:22] for token in answer.seat_tokens]


def _seat_again(
    _: object, memory: Memory, request: pb.JoinMatchRequest, answer: pb.JoinMatchResponse
) -> None:
    answer.seat += memory.kept.setdefault(request.seat_token, 0)
    memory.kept[request.seat_token] += 1


def _name_cut(_: object, __: object, request: pb.JoinMatchRequest) -> None:
    request.name = request.name[:64]


def _any_page_token(_: object, __: object, request: pb.ListMatchesRequest) -> None:
    if request.page_token == "!":
        request.page_token = ""


def _in_reverse(_: object, __: object, ___: object, answer: pb.ListRuleSetsResponse) -> None:
    sets = list(answer.rule_sets)
    del answer.rule_sets[:]
    answer.rule_sets.extend(reversed(sets))


def _openings_beside(
    service: RefereeService,
    request: pb.GetMatchLogRequest,
    message: pb.GetMatchLogResponse,
    _: object,
) -> list[Any]:
    for row in rows_of(service, request.match_id):
        if row.opening is not None:
            message.openings.append(log_pb2.CommitmentOpening.FromString(row.opening))
    return [message]


def _nonce_changed(
    service: RefereeService,
    request: pb.GetMatchLogRequest,
    message: pb.GetMatchLogResponse,
    _: object,
) -> list[Any]:
    for row in rows_of(service, request.match_id):
        if row.opening is not None:
            nonce = log_pb2.CommitmentOpening.FromString(row.opening).nonce
            message.data = message.data.replace(nonce, bytes(32))
    return [message]


def _counted(_: object, memory: Memory, request: pb.SubmitMoveRequest) -> None:
    key = ("times", request.match_id, request.request_id)
    memory.kept[key] = memory.kept.get(key, -1) + 1


def _by_count(
    _: object, memory: Memory, request: pb.SubmitMoveRequest, answer: pb.SubmitMoveResponse
) -> None:
    answer.sequence += memory.kept["times", request.match_id, request.request_id]


def _id_taken(_: object, memory: Memory, request: pb.SubmitMoveRequest) -> None:
    key = (request.match_id, request.seat_token, request.request_id)
    if key in memory.kept:
        request.decision_id = 0
    memory.kept[key] = True


def _own_id(_: object, __: object, request: pb.SubmitMoveRequest) -> None:
    request.request_id += "'"


def _token_of_the_asked(
    service: RefereeService, memory: Memory, request: pb.SubmitMoveRequest
) -> None:
    request.seat_token = memory.token_to_act(service, request.match_id) or request.seat_token


def _strong_token(_: object, __: object, request: pb.RotateSeatTokenRequest) -> None:
    request.new_seat_token = "A" * 43


def _records_with_turns(
    service: RefereeService, _: object, message: pb.PlayResponse, __: object
) -> list[Any]:
    for update in message.updates:
        if update.news.HasField("turn"):
            row = rows_of(service, update.match_id)[0]
            update.news.entries.add(sequence=row.sequence, record=row.record)
    return [message]


def _other_reason(_: object, __: object, message: pb.PlayResponse, ___: object) -> list[Any]:
    for update in message.updates:
        if update.HasField("refusal"):
            update.refusal.reason = "MATCH_NOT_FOUND"
    return [message]


def _other_answer(_: object, __: object, message: pb.WatchMatchResponse, ___: object) -> list[Any]:
    for entry in message.entries:
        record = log_pb2.LogRecord.FromString(entry.record)
        if record.HasField("move_accepted") and entry.HasField("opening"):
            entry.opening.payload = b""
    return [message]


def _public_record_lost(
    _: object, request: pb.WatchMatchRequest, message: pb.WatchMatchResponse, state: dict[Any, Any]
) -> list[Any]:
    if not request.seat_token and len(message.entries) > 3 and state.setdefault("first", True):
        state["first"] = False
        del message.entries[2]
    return [message]


def _not_beyond(service: RefereeService, _: object, request: pb.WatchMatchRequest) -> None:
    shown = service._referee.match(request.match_id).published.sequence
    request.from_sequence = min(request.from_sequence, shown)


def _half_a_hand(_: object, __: object, message: pb.WatchMatchResponse, ___: object) -> list[Any]:
    for entry in message.entries:
        record = log_pb2.LogRecord.FromString(entry.record)
        if record.event_logged.event.HasField("announcement_challenged"):
            del record.event_logged.event.announcement_challenged.hand[-1]
            entry.record = record.SerializeToString(deterministic=True)
    return [message]


MORE_FAULTS: dict[str, Fault] = {
    "the limit that is told is not the limit": Fault(
        "service-call-oversized", answered={"GetServerInfo": _small_limit}
    ),
    "bytes that are no message are answered as gRPC does": Fault(
        "service-call-undecodable", patches={"UndecodableRequests": _Decoding}
    ),
    "everyone can cancel": Fault(
        "service-cancel-organisers", patches={"OrganiserCalls": _LettingThrough}
    ),
    "a match that has a result is cancelled with another status": Fault(
        "service-cancel", refused=status_of(grpc.StatusCode.ABORTED, _OVER)
    ),
    "increments are forgotten": Fault(
        "service-clock-deadlines", sent={"CreateMatch": _no_increment}
    ),
    "a late move has another status": Fault(
        "service-clock-late", refused=status_of(grpc.StatusCode.DEADLINE_EXCEEDED, _OVER)
    ),
    "a time is told without a clock": Fault("service-clock-none", answered={"GetView": _time_told}),
    "other rules borrow a listed id": Fault(
        "service-create-borrowed-id", sent={"CreateMatch": _renamed}
    ),
    "another rule set is played than the one named": Fault(
        "service-create-by-id", sent={"CreateMatch": _other_rules}
    ),
    "fixed draws are passed over": Fault(
        "service-create-fixed-draws", sent={"CreateMatch": _no_draws}
    ),
    "the terms in the header are not those sent": Fault(
        "service-create-header", sent={"CreateMatch": _own_terms}
    ),
    "terms outside their limits are passed over": Fault(
        "service-create-terms-limits", sent={"CreateMatch": _no_terms}
    ),
    "an unknown rule set has another status": Fault(
        "service-create-unknown-rule-set",
        refused=status_of(grpc.StatusCode.INVALID_ARGUMENT, b"RULE_SET_NOT_FOUND"),
    ),
    "rules that cannot be played are mended": Fault(
        "service-create-unplayable-rules", sent={"CreateMatch": _mended_rules}
    ),
    "all nonces are equal": Fault("service-hidden-hands", patches={"Surroundings": _equal_nonces}),
    "who joins again gets another seat": Fault(
        "service-join-again", answered={"JoinMatch": _seat_again}
    ),
    "a name that is too long is cut": Fault("service-join-limits", sent={"JoinMatch": _name_cut}),
    "a match that has not started is not found": Fault(
        "service-join-starts",
        refused=status_of(grpc.StatusCode.NOT_FOUND, b"MATCH_NOT_STARTED"),
    ),
    "a match that is not joined waits": Fault(
        "service-join-timeout", sent={"CreateMatch": _endless_joining}
    ),
    "a page token that is none begins anew": Fault(
        "service-list-bad-token", sent={"ListMatches": _any_page_token}
    ),
    "after the end openings come beside the log": Fault(
        "service-log-after-end", streamed={"GetMatchLog": _openings_beside}
    ),
    "the key is another one": Fault("service-log-key", answered={"GetServerInfo": _other_key}),
    "an opening does not fit": Fault(
        "service-log-openings", streamed={"GetMatchLog": _nonce_changed}
    ),
    "after the end moves have another status": Fault(
        "service-move-after-end", refused=status_of(grpc.StatusCode.NOT_FOUND, _OVER)
    ),
    "requests at once are answered each for itself": Fault(
        "service-move-at-once", sent={"SubmitMove": _counted}, answered={"SubmitMove": _by_count}
    ),
    "a refused move uses its request id up": Fault(
        "service-move-id-of-refused", sent={"SubmitMove": _id_taken}
    ),
    "malformed moves have another status": Fault(
        "service-move-malformed",
        refused=status_of(grpc.StatusCode.FAILED_PRECONDITION, b"MALFORMED_REQUEST"),
    ),
    "who is not asked moves for who is": Fault(
        "service-move-not-yours", sent={"SubmitMove": _token_of_the_asked}
    ),
    "records come where turns alone are wanted": Fault(
        "service-play-turns-only", streamed={"Play": _records_with_turns}
    ),
    "a seat is refused with another reason over the stream": Fault(
        "service-play-wrong-token", streamed={"Play": _other_reason}
    ),
    "a seat that has forfeited has another status": Fault(
        "service-resign-three",
        refused=status_of(grpc.StatusCode.PERMISSION_DENIED, b"SEAT_FORFEITED"),
    ),
    "a weak token is replaced by another": Fault(
        "service-rotate-token-weak", sent={"RotateSeatToken": _strong_token}
    ),
    "rule sets are listed in another order": Fault(
        "service-rule-sets-listed", answered={"ListRuleSets": _in_reverse}
    ),
    "a sealed answer is opened as another": Fault(
        "service-sealed-answer-shown", streamed={"WatchMatch": _other_answer}
    ),
    "the public lacks a record": Fault(
        "service-spectator-end", streamed={"WatchMatch": _public_record_lost}
    ),
    "tokens are short": Fault("service-token-shape", answered={"CreateMatch": _short_tokens}),
    "another request id is recorded": Fault(
        "service-view-moves-recorded", sent={"SubmitMove": _own_id}
    ),
    "watching from beyond the log is taken for its end": Fault(
        "service-watch-beyond", sent={"WatchMatch": _not_beyond}
    ),
    "a match that there is not has another status": Fault(
        "service-watch-unknown-match",
        refused=status_of(grpc.StatusCode.PERMISSION_DENIED, b"MATCH_NOT_FOUND"),
    ),
    "half of a challenged hand is shown": Fault(
        "service-window-challenged", streamed={"WatchMatch": _half_a_hand}
    ),
}
