"""Faults of a referee in what it streams, each with the check that must find it."""

from typing import Any

from ronda.v1 import log_pb2
from ronda.v1 import referee_service_pb2 as pb
from ronda_referee.service import RefereeService
from tests.conformance.faulty_referee import Fault, rows_of


def _no_end(_: object, __: object, message: pb.WatchMatchResponse, ___: object) -> list[Any]:
    message.ClearField("ended")
    return [message]


def _false_end(_: object, __: object, message: pb.WatchMatchResponse, ___: object) -> list[Any]:
    if message.HasField("ended"):
        message.ended.log_complete = False
    return [message]


def _lost_on_resume(
    _: object, request: pb.WatchMatchRequest, message: pb.WatchMatchResponse, state: dict[Any, Any]
) -> list[Any]:
    if request.from_sequence and message.entries and not state.setdefault("lost", False):
        state["lost"] = True
        del message.entries[0]
    return [message]


def _reordered(_: object, __: object, message: pb.WatchMatchResponse, ___: object) -> list[Any]:
    entries = list(message.entries)
    if len(entries) > 2:
        entries[1], entries[2] = entries[2], entries[1]
        del message.entries[:]
        message.entries.extend(entries)
    return [message]


def _twice(_: object, __: object, message: pb.WatchMatchResponse, ___: object) -> list[Any]:
    return [message, message] if message.entries else [message]


def _next_is_last(_: object, __: object, message: pb.WatchMatchResponse, ___: object) -> list[Any]:
    message.next_sequence = max(0, message.next_sequence - 1)
    return [message]


def _public_ahead(
    service: RefereeService,
    request: pb.WatchMatchRequest,
    message: pb.WatchMatchResponse,
    state: dict[Any, Any],
) -> list[Any]:
    if request.seat_token or message.HasField("ended"):
        return [message]
    shown = service._referee.match(request.match_id).published.sequence
    first = "sent" not in state
    sent = state.get("sent", message.next_sequence)
    state["sent"] = shown
    ahead = pb.WatchMatchResponse(next_sequence=shown)
    for row in rows_of(service, request.match_id)[sent:shown]:
        ahead.entries.add(sequence=row.sequence, record=row.record)
    return [message, ahead] if first else [ahead]


def _all_openings(
    service: RefereeService,
    request: pb.WatchMatchRequest,
    message: pb.WatchMatchResponse,
    _: object,
) -> list[Any]:
    rows = rows_of(service, request.match_id)
    for entry in message.entries:
        opening = rows[entry.sequence].opening
        if opening is not None and request.seat_token:
            entry.opening.CopyFrom(log_pb2.CommitmentOpening.FromString(opening))
    return [message]


def _public_openings(
    service: RefereeService,
    request: pb.WatchMatchRequest,
    message: pb.WatchMatchResponse,
    _: object,
) -> list[Any]:
    rows = rows_of(service, request.match_id)
    for entry in message.entries:
        opening = rows[entry.sequence].opening
        if opening is not None and not request.seat_token:
            entry.opening.CopyFrom(log_pb2.CommitmentOpening.FromString(opening))
    return [message]


def _no_openings(_: object, __: object, message: pb.WatchMatchResponse, ___: object) -> list[Any]:
    for entry in message.entries:
        entry.ClearField("opening")
    return [message]


def _no_opening_on_resume(
    _: object, request: pb.WatchMatchRequest, message: pb.WatchMatchResponse, ___: object
) -> list[Any]:
    if request.from_sequence:
        for entry in message.entries:
            entry.ClearField("opening")
    return [message]


def _no_turn_on_resume(
    _: object, request: pb.WatchMatchRequest, message: pb.WatchMatchResponse, ___: object
) -> list[Any]:
    if request.from_sequence:
        message.ClearField("turn")
    return [message]


def _turn_twice(_: object, __: object, message: pb.WatchMatchResponse, ___: object) -> list[Any]:
    if not message.HasField("turn"):
        return [message]
    again = pb.WatchMatchResponse(turn=message.turn, next_sequence=message.next_sequence)
    return [message, again]


def _own_bytes(
    _: object, request: pb.WatchMatchRequest, message: pb.WatchMatchResponse, ___: object
) -> list[Any]:
    for entry in message.entries:
        if request.seat_token:
            record = log_pb2.LogRecord.FromString(entry.record)
            record.time_ms += 1
            entry.record = record.SerializeToString(deterministic=True)
    return [message]


def _secret_elsewhere(
    service: RefereeService,
    request: pb.WatchMatchRequest,
    message: pb.WatchMatchResponse,
    _: object,
) -> list[Any]:
    rows = rows_of(service, request.match_id)
    last = next(row for row in rows if row.opening is not None) if len(rows) > 8 else None
    for entry in message.entries:
        record = log_pb2.LogRecord.FromString(entry.record)
        if last is not None and record.HasField("move_accepted") and last.opening is not None:
            # Bytes that nobody looks at, as it seems.
            record.move_accepted.request_id = last.opening.hex()
            entry.opening.payload = last.opening
    return [message]


def _openings_in_log(
    service: RefereeService,
    request: pb.GetMatchLogRequest,
    message: pb.GetMatchLogResponse,
    _: object,
) -> list[Any]:
    if not service._referee.match(request.match_id).published.complete:
        del message.openings[:]
        for row in rows_of(service, request.match_id):
            if row.opening is not None:
                message.openings.append(log_pb2.CommitmentOpening.FromString(row.opening))
    return [message]


def _log_cut(_: object, __: object, message: pb.GetMatchLogResponse, ___: object) -> list[Any]:
    # The record with the signature and its length.
    message.data = message.data[:-120]
    return [message]


def _bit_in_log(_: object, __: object, message: pb.GetMatchLogResponse, ___: object) -> list[Any]:
    message.data = message.data.replace(b"player 1", b"player 9")
    return [message]


def _play_out_of_order(_: object, __: object, message: pb.PlayResponse, ___: object) -> list[Any]:
    for answer in message.answers:
        if answer.HasField("sequence"):
            answer.request_id += "'"
    return [message]


def _play_without_code(_: object, __: object, message: pb.PlayResponse, ___: object) -> list[Any]:
    for answer in message.answers:
        if answer.HasField("refusal"):
            answer.refusal.code = 13
    return [message]


def _play_without_records(
    _: object, __: object, message: pb.PlayResponse, state: dict[Any, Any]
) -> list[Any]:
    for update in message.updates:
        if update.news.entries and state.setdefault("skipped", 0) < 3:
            state["skipped"] += 1
            del update.news.entries[-1:]
    return [message]


STREAM_FAULTS: dict[str, Fault] = {
    "the explicit end is omitted": Fault("service-watch-end", streamed={"WatchMatch": _no_end}),
    "the end says that the log is not complete": Fault(
        "service-watch-end-again", streamed={"WatchMatch": _false_end}
    ),
    "a record is lost on resuming": Fault(
        "service-resume-same-bytes", streamed={"WatchMatch": _lost_on_resume}
    ),
    "a record is lost after a dropped connection": Fault(
        "service-resume-dropped", streamed={"WatchMatch": _lost_on_resume}
    ),
    "openings are lost on resuming": Fault(
        "service-resume-same-bytes", streamed={"WatchMatch": _no_opening_on_resume}
    ),
    "the open turn is lost on resuming": Fault(
        "service-resume-turn", streamed={"WatchMatch": _no_turn_on_resume}
    ),
    "the stream of the public is not delayed": Fault(
        "service-spectator-delayed", streamed={"WatchMatch": _public_ahead}
    ),
    "records come in another order": Fault(
        "service-watch-order", streamed={"WatchMatch": _reordered}
    ),
    "records come twice": Fault("service-watch-live", streamed={"WatchMatch": _twice}),
    "next_sequence is one too few": Fault(
        "service-watch-order", streamed={"WatchMatch": _next_is_last}
    ),
    "a turn comes twice": Fault("service-watch-turns", streamed={"WatchMatch": _turn_twice}),
    "seats get other bytes than the public": Fault(
        "service-watch-same-bytes", streamed={"WatchMatch": _own_bytes}
    ),
    "a hand is shown in another seat's stream": Fault(
        "service-hidden-stream", streamed={"WatchMatch": _all_openings}
    ),
    "hands are shown to the public": Fault(
        "service-hidden-openings", streamed={"WatchMatch": _public_openings}
    ),
    "who comes back is shown every hand": Fault(
        "service-resume-other-seat", streamed={"WatchMatch": _all_openings}
    ),
    "a seat is not sent its own openings": Fault(
        "service-hidden-openings", streamed={"WatchMatch": _no_openings}
    ),
    "a hand hides in other fields of the stream": Fault(
        "service-hidden-stream", streamed={"WatchMatch": _secret_elsewhere}
    ),
    "before the end a log comes with every opening": Fault(
        "service-hidden-log", streamed={"GetMatchLog": _openings_in_log}
    ),
    "before the end the openings of others come beside a log": Fault(
        "service-log-before-end", streamed={"GetMatchLog": _openings_in_log}
    ),
    "the log's end is missing": Fault("service-log-order", streamed={"GetMatchLog": _log_cut}),
    "a record of the log is changed": Fault(
        "service-log-chain", streamed={"GetMatchLog": _bit_in_log}
    ),
    "answers over the stream name another request": Fault(
        "service-play-many", streamed={"Play": _play_out_of_order}
    ),
    "refusals over the stream have another code": Fault(
        "service-play-refusals", streamed={"Play": _play_without_code}
    ),
    "records are lost over the Play stream": Fault(
        "service-play-many", streamed={"Play": _play_without_records}
    ),
}
