"""A verifier that shares no code with the referee agrees with every log, and finds every fault.

It is written in JavaScript from the pages of `conformance/spec/protocol` alone.
"""

import hashlib
import subprocess
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from ronda.v1 import event_pb2, log_pb2
from ronda.v1 import referee_service_pb2 as pb
from ronda.v1.match_terms_pb2 import (
    TIME_OUT_AUTOMATIC,
    TIME_OUT_FORFEIT,
    MatchTerms,
    TimeControl,
)
from ronda_conformance.rule_set_files import load_rule_set, load_rule_sets
from ronda_referee.automatic import automatic_move
from ronda_referee.chain import commitment, serialize, signed_message
from ronda_referee.signing_key import SigningKey
from tests.referee.played_by_hand import ByHand, at
from tests.referee.played_logs import (
    FIXED,
    KEY,
    PlayedMatch,
    audit,
    first_card,
    maghribi,
    records_of,
    rewrite,
)
from tests.referee.running import running
from tests.referee.second_verifier import FOLDER, found, node_program, verify

Records = list[log_pb2.LogRecord]

FOREIGN = SigningKey(Ed25519PrivateKey.from_private_bytes(b"f" * 32))
CLOCK = TimeControl(per_move_ms=1000, bank_ms=5000, increment_ms=100)

PRESETS = [(name, count.count) for name, rules in load_rule_sets().items() for count in rules.seats]


def step(match: ByHand, clock_ms: int) -> None:
    """Have the last seat that is asked pass or play its lowest card, unless the match is over."""
    if match.play.over:
        return
    state = match.play.state
    assert state is not None
    seat = max(match.play.decisions)
    match.move(seat, automatic_move(state, seat), clock_ms)


def play_on(match: ByHand, moves: int) -> None:
    """Make some moves, one a millisecond."""
    for clock_ms in range(moves):
        step(match, clock_ms)


def timed(seats: int, terms: MatchTerms, rules: str = "classic") -> bytes:
    """Make two moves in time and let the clock do the rest."""
    match = ByHand.begin(terms, seats, load_rule_set(rules))
    step(match, 2500)
    step(match, 3000)
    while not match.play.over:
        deadline = match.play.deadline
        assert deadline is not None
        match.run_out(deadline + 7)
    return match.data()


def forfeited(rules: str, seats: int, moves: int) -> bytes:
    """Make some moves; then one seat resigns after the other, with moves between, until the end."""
    match = ByHand.begin(MatchTerms(), seats, load_rule_set(rules))
    play_on(match, moves)
    for seat in range(seats):
        if not match.play.over:
            match.take(match.play.resign(seat, at(1000 * seat + 1000))[0])
        for later in range(5):
            step(match, 1000 * seat + 1100 + later)
    return match.data()


def cancelled(rules: str, seats: int, moves: int) -> bytes:
    """Play some moves of a match that is cancelled then."""
    match = ByHand.begin(MatchTerms(), seats, load_rule_set(rules))
    play_on(match, moves)
    match.take(match.play.cancel(log_pb2.END_REASON_CANCELLED, at(5000)))
    return match.data()


def not_started(*, late: bool) -> bytes:
    """Give the log of a match that nobody joined: cancelled, or for want of seats in time."""
    match = ByHand.begin(MatchTerms(join_timeout_ms=1000), joined=False)
    if late:
        match.run_out(1000)
    else:
        match.take(match.play.cancel(log_pb2.END_REASON_CANCELLED, at(999)))
    return match.data()


# Logs of every sort, each with a hand and a table or sealed answers in it.
SORTS: dict[str, Callable[[], bytes]] = {
    "maghribi-2": lambda: PlayedMatch(maghribi(21), 2).data,
    "maghribi-3": lambda: PlayedMatch(maghribi(21), 3).data,
    "maghribi-4": lambda: PlayedMatch(maghribi(21), 4).data,
    "classic-2": lambda: PlayedMatch(load_rule_set("classic"), 2).data,
    "classic-3": lambda: PlayedMatch(load_rule_set("classic"), 3).data,
    "classic-4": lambda: PlayedMatch(load_rule_set("classic"), 4).data,
    "khlaso-2": lambda: cancelled("khlaso", 2, 60),
    "khlaso-4": lambda: PlayedMatch(load_rule_set("khlaso"), 4).data,
    "drawn-dealer": lambda: PlayedMatch(maghribi(1, drawn=True), 3).data,
    "fixed-draws": lambda: PlayedMatch(maghribi(1), fixed=FIXED, policy=first_card).data,
    "time-out-forfeit": lambda: timed(3, MatchTerms(time_control=CLOCK, time_out=TIME_OUT_FORFEIT)),
    "time-out-automatic": lambda: timed(
        2, MatchTerms(time_control=CLOCK, time_out=TIME_OUT_AUTOMATIC), "single-deal"
    ),
    "resigned-classic-3": lambda: forfeited("classic", 3, 20),
    "resigned-khlaso-4": lambda: forfeited("khlaso", 4, 9),
    "cancelled-maghribi-3": lambda: cancelled("maghribi", 3, 15),
}


@cache
def log(sort: str) -> bytes:
    """Give the log of a sort."""
    return SORTS[sort]()


def records(sort: str) -> Records:
    """Give the records of the log of a sort."""
    return _read(log(sort))


def _read(data: bytes) -> Records:
    read: Records = []
    place = 8
    while place < len(data):
        size, shift = 0, 0
        while True:
            byte = data[place]
            place += 1
            size |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                break
        read.append(log_pb2.LogRecord.FromString(data[place : place + size]))
        place += size
    return read


def test_every_sort_of_log_is_all_right(tmp_path: Path) -> None:
    """Played to the end, forfeited, cancelled, with fixed draws; each says what the audit says."""
    logs = {sort: log(sort) for sort in SORTS}
    logs |= {f"not-started-{late}": not_started(late=late) for late in (False, True)}
    for sort, said in verify(tmp_path, logs).items():
        report = audit(logs[sort])
        assert (said["finding"], report.finding) == (None, None), sort
        assert said["records"] == report.records
        assert (said["deals"], said["moves"]) == (report.deals, report.moves)
        assert tuple(said["winners"]) == report.winners
        assert tuple(said["scores"]) == report.scores
        assert said["forfeited"] == list(report.forfeits)
        ended = log_pb2.EndReason.Name(said["reason"]).removeprefix("END_REASON_")
        assert ended == report.ended


def test_every_preset_is_all_right_with_every_seat_count(tmp_path: Path) -> None:
    """Whatever the rules, the cards of every hand and table are the ones that were to be drawn."""
    logs = {
        f"{name}-{seats}": PlayedMatch(load_rule_set(name), seats, seed=_seed(name, seats)).data
        for name, seats in PRESETS
    }
    said = verify(tmp_path, logs)
    assert {name: one["finding"] for name, one in said.items()} == dict.fromkeys(logs)
    # Each deal on a table of four turns at least one table, and here and there one was mended.
    assert sum(one["tables"] for one in said.values()) > sum(
        one["deals"] for name, one in said.items() if "khlaso" not in name and "four" not in name
    )


def _seed(name: str, seats: int) -> bytes:
    return hashlib.sha256(f"{name} {seats}".encode()).digest()


async def test_the_log_of_a_real_referee_is_all_right(tmp_path: Path) -> None:
    """As the service gives it out, under the key that the header names."""
    async with running(tmp_path / "data") as run:
        table = await run.table(2, "single-deal", joined=False)
        await table.join(1, "Amina", b"dice")
        await table.join(0, "Brahim")
        await table.play_to_the_end()
        request = pb.GetMatchLogRequest(match_id=table.match_id)
        data = b"".join([part.data async for part in table.stub.GetMatchLog(request)])
    key = _read(data)[0].header.public_key
    (said,) = verify(tmp_path, {"real": data}, key).values()
    assert (said["finding"], said["deals"], said["moves"]) == (None, 1, 36)
    (other,) = verify(tmp_path, {"real": data}).values()
    assert found(other) == ("KEY_NOT_EXPECTED", 0)


# Faults: each changes records, and gives the file with the finding that must come.

Fault = tuple[bytes, str, int]


def changed_record(read: Records) -> Fault:
    """Change one byte of a joining; everything else stays as it was signed."""
    read[1].seat_joined.name += "x"
    data = b"RONDALOG" + b"".join(map(_framed, read))
    return data, "CHAIN_BROKEN", 1


def _framed(record: log_pb2.LogRecord) -> bytes:
    data = serialize(record)
    size = len(data)
    low = bytes([size]) if size < 0x80 else bytes([size & 0x7F | 0x80, size >> 7])
    return low + data


def _first_hand(read: Records) -> int:
    return next(one.sequence for one in read if one.event_logged.event.HasField("hand_dealt"))


def swapped_draws(read: Records) -> Fault:
    """Give the first two cards of a hand in the other order, with the commitment anew."""
    number = _first_hand(read)
    opening = next(one.opening for one in read if one.opening.sequence == number)
    event = event_pb2.Event.FromString(opening.payload)
    cards = list(event.hand_dealt.cards)
    del event.hand_dealt.cards[:]
    event.hand_dealt.cards.extend([cards[1], cards[0], *cards[2:]])
    opening.payload = event.SerializeToString(deterministic=True)
    read[number].event_logged.commitment = commitment(opening.nonce, opening.payload)
    return rewrite(read), "DRAW_WRONG", number


def wrong_nonce(read: Records) -> Fault:
    """Open the last commitment with another nonce."""
    number = records_of(read, "opening")[-1]
    read[number].opening.nonce = bytes(32)
    hidden = read[read[number].opening.sequence]
    # A sealed answer has to be known where it stands.
    place = hidden.sequence if hidden.HasField("move_accepted") else number
    return rewrite(read), "OPENING_WRONG", place


def foreign_signature(read: Records) -> Fault:
    """Sign the head with another key than the header's."""
    last = read[-1]
    last.signature.signature = FOREIGN.sign(signed_message(last.previous_hash))
    data = b"RONDALOG" + b"".join(map(_framed, read))
    return data, "SIGNATURE_INVALID", last.sequence


def cut_file(read: Records) -> Fault:
    """End the file in the middle of the last opening."""
    number = records_of(read, "opening")[-1]
    data = b"RONDALOG" + b"".join(map(_framed, read[: number + 1]))
    return data[:-3], "TRUNCATED", number


FAULTS = (changed_record, swapped_draws, wrong_nonce, foreign_signature, cut_file)


@pytest.mark.parametrize("plant", FAULTS)
def test_a_fault_is_found_in_every_sort_of_log(
    tmp_path: Path, plant: Callable[[Records], Fault]
) -> None:
    """The code and the record are the ones that the page names, and those of the audit."""
    sorts = [sort for sort in SORTS if plant is not swapped_draws or sort != "fixed-draws"]
    planted = {sort: plant(records(sort)) for sort in sorts}
    said = verify(tmp_path, {sort: data for sort, (data, _, _) in planted.items()})
    for sort, (data, kind, number) in planted.items():
        assert found(said[sort]) == (kind, number), sort
        finding = audit(data, KEY.public_key).finding
        assert finding is not None
        assert (finding.kind, finding.record) == (kind, number), sort


def test_swapped_fixed_draws_are_found(tmp_path: Path) -> None:
    """Draws that the organiser fixed bind the hands just as the shuffle does."""
    data, kind, number = swapped_draws(records("fixed-draws"))
    (said,) = verify(tmp_path, {"fixed": data}).values()
    assert found(said) == (kind, number) == ("DRAW_WRONG", 6)


def test_a_change_of_any_byte_is_found(tmp_path: Path) -> None:
    """Every twenty-third byte of a short log, in its record or in one before it."""
    data = log("cancelled-maghribi-3")
    starts, place = [8], 8
    for record in _read(data):
        place += len(_framed(record))
        starts.append(place)
    logs: dict[str, bytes] = {}
    for position in range(0, len(data), 23):
        changed = bytearray(data)
        changed[position] ^= (0x01, 0x80, 0x40, 0xFF)[position % 4]
        logs[str(position)] = bytes(changed)
    for name, said in verify(tmp_path, logs).items():
        number = max(sum(start <= int(name) for start in starts) - 1, 0)
        assert found(said)[1] <= number, (name, said)


def test_wrong_arguments_are_refused() -> None:
    """The verifier's own command says how it is called."""
    for arguments, said in (([], "usage: verify.mjs"), (["--key", "ab"], "--key takes 64")):
        command = [node_program(), str(FOLDER / "verify.mjs"), *arguments]
        ran = subprocess.run(command, capture_output=True, text=True, check=False)
        assert (ran.returncode, ran.stdout) == (2, "")
        assert said in ran.stderr
