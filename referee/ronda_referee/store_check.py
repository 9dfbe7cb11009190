"""Checking a store: the file, and each match's rows against each other.

A start looks at the file as a whole and at where each match stands; the full check, which
`ronda store check` makes, also at every record's place in its chain. Neither plays a match again:
`Referee.restore` does that with those that are open, and `ronda audit` with a log file.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import pairwise

import apsw
from google.protobuf.message import DecodeError

from ronda.v1 import log_pb2
from ronda_referee.chain import FIRST_PREVIOUS_HASH, HASH_SIZE, record_hash
from ronda_referee.shuffle import SEED_SIZE
from ronda_referee.sqlite import query
from ronda_referee.store_records import Summary, both_ends, summary

_STATES = {1: "joining", 2: "playing", 3: "ended", 4: "cancelled"}


@dataclass(frozen=True, slots=True)
class Finding:
    """Something that is wrong with a store.

    Attributes:
        match_id: the match that it is wrong with, or None for the file as a whole.
        detail: what is wrong, for people.
    """

    match_id: str | None
    detail: str


def file_findings(db: apsw.Connection, *, full: bool) -> Iterator[Finding]:
    """Give what is wrong with the file: pages, types, indexes, rows that belong to no match.

    `full`: indexes are also compared with their tables.
    """
    pragma = "integrity_check" if full else "quick_check"
    try:
        for (answer,) in query(db, f"PRAGMA {pragma}"):
            if answer != "ok":
                yield Finding(None, _line(answer))
                if not full:
                    return
        for table, _, parent, _ in query(db, "PRAGMA foreign_key_check"):
            yield Finding(None, f"a row of the table {table} belongs to no {parent}")
    except apsw.CorruptError as error:
        yield Finding(None, _line(str(error)))


def contradictions(db: apsw.Connection) -> list[Finding]:
    """Give what is wrong with each match that is not frozen already, the first thing of each.

    All are held against where their logs end; those that are open also for rows that are missing.
    """
    found = []
    for match_id, state in query(
        db, "SELECT match_id, state FROM match WHERE fault IS NULL ORDER BY number"
    ):
        said = summary(*both_ends(db, match_id))
        details = _against_log(state, said)
        if not said.complete:
            details += _gaps(db, match_id) + _seats(db, match_id, said)
        if details:
            found.append(Finding(match_id, details[0]))
    return found


def match_findings(
    db: apsw.Connection, progress: Callable[[int], None] = lambda _: None
) -> Iterator[Finding]:
    """Give everything that is wrong with the matches, in the order in which they were created.

    Args:
        db: the store.
        progress: told after each match how many have been looked at.
    """
    matches = list(
        query(
            db, "SELECT match_id, seed, state, rule_set_id, created_ms FROM match ORDER BY number"
        )
    )
    for number, (match_id, seed, state, rule_set_id, created_ms) in enumerate(matches, 1):
        said = summary(*both_ends(db, match_id))
        details = _against_log(state, said) + _gaps(db, match_id) + _seats(db, match_id, said)
        if len(seed) != SEED_SIZE:
            details.append(f"its seed has {len(seed)} bytes, not {SEED_SIZE}")
        if said.fault is None:
            if said.match_id != match_id:
                details.append(f"its header is that of match {said.match_id}")
            if (said.rule_set_id, said.created_ms) != (rule_set_id, created_ms):
                details.append("its rule set or its time is not that of its header")
            details += _names(db, match_id, said)
        details += _chain(db, match_id)
        yield from (Finding(match_id, detail) for detail in details)
        progress(number)


def matches_in(db: apsw.Connection) -> int:
    """Give how many matches a store holds."""
    return int(next(query(db, "SELECT count(*) FROM match"))[0])


def _against_log(state: int, said: Summary) -> list[str]:
    if said.fault is not None:
        return [said.fault]
    if state != said.state:
        stored = _STATES.get(state, f"in the unknown state {state}")
        return [f"it is stored as {stored}, and by its log it is {_STATES[said.state]}"]
    return []


def _gaps(db: apsw.Connection, match_id: str) -> list[str]:
    count, first, last = next(
        query(
            db,
            "SELECT count(*), min(sequence), max(sequence) FROM log_row WHERE match_id = ?",
            (match_id,),
        )
    )
    if not count:
        return []
    if first != 0:
        return [f"its rows begin with number {first}"]
    if count == last + 1:
        return []
    numbers = query(
        db, "SELECT sequence FROM log_row WHERE match_id = ? ORDER BY sequence", (match_id,)
    )
    gap = next(one for (one,), (other,) in pairwise(numbers) if other != one + 1)
    return [f"row {gap + 1} is missing"]


def _seats(db: apsw.Connection, match_id: str, said: Summary) -> list[str]:
    seats = list(
        query(
            db,
            "SELECT seat, length(token_hash) FROM seat WHERE match_id = ? ORDER BY seat",
            (match_id,),
        )
    )
    if said.seats and [seat for seat, _ in seats] != list(range(said.seats)):
        return [f"it has {said.seats} seats, and the tokens of {[seat for seat, _ in seats]}"]
    return [
        f"what is kept of the token of seat {seat} has {size} bytes, not {HASH_SIZE}"
        for seat, size in seats
        if size != HASH_SIZE
    ]


def _names(db: apsw.Connection, match_id: str, said: Summary) -> list[str]:
    names = query(db, "SELECT seat, name FROM seat WHERE match_id = ? ORDER BY seat", (match_id,))
    return [
        f"the name of seat {seat} is not that of its log"
        for seat, name in names
        if name != said.names.get(seat, "")
    ]


def _chain(db: apsw.Connection, match_id: str) -> list[str]:
    head = FIRST_PREVIOUS_HASH
    for sequence, data in query(
        db, "SELECT sequence, record FROM log_row WHERE match_id = ? ORDER BY sequence", (match_id,)
    ):
        try:
            record = log_pb2.LogRecord.FromString(data)
        except DecodeError:
            return [f"record {sequence} cannot be read"]
        if record.sequence != sequence:
            return [f"row {sequence} holds record {record.sequence}"]
        if record.previous_hash != head:
            return [f"record {sequence} does not follow the one before it"]
        head = record_hash(data)
    return []


def _line(text: str) -> str:
    return " ".join(text.split())
