"""What an audit reports: what the log tells of its match, and the first thing wrong with it."""

import hashlib
from dataclasses import dataclass, field
from enum import StrEnum

from ronda.v1 import log_pb2
from ronda_referee.audit.dealt import Deal
from ronda_referee.log_file import LogFileError
from ronda_referee.match_log import FORMAT_VERSION


class FindingKind(StrEnum):
    """What is wrong (LOG-20). The values are part of the interface and never change."""

    # The file; the reasons of `ronda_referee.log_file.LogFileReason`.
    NOT_A_LOG = "NOT_A_LOG"
    TRUNCATED = "TRUNCATED"
    RECORD_TOO_LONG = "RECORD_TOO_LONG"
    LENGTH_NOT_MINIMAL = "LENGTH_NOT_MINIMAL"
    EMPTY_RECORD = "EMPTY_RECORD"
    UNDECODABLE_RECORD = "UNDECODABLE_RECORD"
    UNKNOWN_FIELDS = "UNKNOWN_FIELDS"
    NOT_CANONICAL = "NOT_CANONICAL"
    TRAILING_BYTES = "TRAILING_BYTES"
    LOG_TOO_LONG = "LOG_TOO_LONG"
    # The series of records.
    SEQUENCE_WRONG = "SEQUENCE_WRONG"
    CHAIN_BROKEN = "CHAIN_BROKEN"
    TIME_WRONG = "TIME_WRONG"
    RECORD_OUT_OF_ORDER = "RECORD_OUT_OF_ORDER"
    LOG_UNFINISHED = "LOG_UNFINISHED"
    HEAD_DIFFERS = "HEAD_DIFFERS"
    # Before play.
    HEADER_INCOMPLETE = "HEADER_INCOMPLETE"
    FORMAT_UNSUPPORTED = "FORMAT_UNSUPPORTED"
    RULE_SET_REFUSED = "RULE_SET_REFUSED"
    TERMS_REFUSED = "TERMS_REFUSED"
    FIXED_DRAWS_INVALID = "FIXED_DRAWS_INVALID"
    KEY_NOT_EXPECTED = "KEY_NOT_EXPECTED"
    SEAT_INVALID = "SEAT_INVALID"
    # Play.
    DRAW_WRONG = "DRAW_WRONG"
    EVENT_WRONG = "EVENT_WRONG"
    EVENT_MISSING = "EVENT_MISSING"
    COMMITMENT_WRONG = "COMMITMENT_WRONG"
    VIEW_WRONG = "VIEW_WRONG"
    MOVE_MISSING = "MOVE_MISSING"
    MOVE_ILLEGAL = "MOVE_ILLEGAL"
    DECISION_WRONG = "DECISION_WRONG"
    REQUEST_ID_MISSING = "REQUEST_ID_MISSING"
    REQUEST_ID_REUSED = "REQUEST_ID_REUSED"
    CLOCK_WRONG = "CLOCK_WRONG"
    FORFEIT_WRONG = "FORFEIT_WRONG"
    AUTOMATIC_MOVE_WRONG = "AUTOMATIC_MOVE_WRONG"
    # The end.
    SEED_WRONG = "SEED_WRONG"
    RESULT_WRONG = "RESULT_WRONG"
    OPENING_WRONG = "OPENING_WRONG"
    SIGNATURE_INVALID = "SIGNATURE_INVALID"


class Draws(StrEnum):
    """Where the cards of a match came from."""

    SHUFFLED = "SHUFFLED"
    FIXED = "FIXED"
    SHARED = "SHARED"


@dataclass(frozen=True, slots=True)
class SharedShuffle:
    """What two logs must have in common for their draws to be the same (SHUFFLE-9).

    Attributes:
        shuffle_id: the id that the header gives the shuffle.
        seed_commitment: the commitment, 32 bytes, to its seed.
        rule_set_id: the id of the rules, for people.
        seats: how many seats play.
        rules_hash: SHA-256 of the rules in full: under other rules other cards are drawn when.
    """

    shuffle_id: str
    seed_commitment: bytes
    rule_set_id: str
    seats: int
    rules_hash: bytes

    @classmethod
    def of(cls, header: log_pb2.LogHeader) -> "SharedShuffle":
        """Give the shuffle that a header names."""
        rules = header.rule_set.SerializeToString(deterministic=True)
        return cls(
            header.shared_shuffle_id,
            header.seed_commitment,
            header.rule_set.id,
            header.seats,
            hashlib.sha256(rules).digest(),
        )


@dataclass(frozen=True, slots=True)
class Finding:
    """The first thing that is wrong with a log.

    Attributes:
        kind: the stable code.
        record: the number, from 0, of the record that is wrong, or that would come next where
            something is lacking.
        offset: where in the file, in bytes from its beginning, that record begins.
        detail: what is wrong, as a sentence for people.
        recorded: what stands in the file, as text; empty where that has no meaning.
        expected: what should stand there, as text; empty where that has no meaning.
        clause: the clause of the rules behind it; empty where it is none of the rules.
    """

    kind: FindingKind
    record: int
    offset: int
    detail: str
    recorded: str = ""
    expected: str = ""
    clause: str = ""


class Found(Exception):
    """Ends an audit at its first finding."""

    def __init__(self, finding: Finding) -> None:
        """Carry the finding."""
        super().__init__(finding.detail)
        self.finding = finding


# A finding quotes at most so much of what is recorded: a record may hold a text of a megabyte.
_LONGEST_QUOTE = 1_000


def quoted(text: str) -> str:
    """Give a text as a finding quotes it: its beginning, where it is very long."""
    if len(text) <= _LONGEST_QUOTE:
        return text
    return f"{text[:_LONGEST_QUOTE]}… ({len(text)} characters)"


def from_file_error(error: LogFileError) -> Finding:
    """Give the finding for a place from which on a file cannot be read as a log."""
    if error.format_version not in {0, FORMAT_VERSION}:
        return Finding(
            FindingKind.FORMAT_UNSUPPORTED,
            error.record,
            error.offset,
            "the log has a version of the format that this auditor does not know",
            str(error.format_version),
            str(FORMAT_VERSION),
        )
    return Finding(FindingKind(error.reason), error.record, error.offset, error.detail)


@dataclass(slots=True)
class AuditReport:
    """What an audit says of one log. What stands after the finding counts for nothing.

    Attributes:
        finding: the first thing wrong; None: everything in the log was derived again.
        records: how many records come before the first that is wrong.
        match_id: the match's id; like all that follows, as far as the log was right.
        engine_version: the version of the engine that refereed.
        rule_set_id: the id of the rule set.
        seats: how many seats play; 0: not known.
        names: the names of the seats that joined, by seat.
        deals: how many deals were begun.
        moves: how many moves were accepted, those that the referee made among them.
        forfeits: why seats forfeited, as a name of ronda.v1.ForfeitReason without its prefix.
        draws: where the cards came from.
        shared_shuffle: the shuffle that the match shares with others, or None.
        dealt: what every deal dealt, in order, where the match shares its shuffle; with a finding
            it is worth nothing.
        seats_with_entropy: how many seats brought bytes of their own to the shuffle.
        ended: how the match ended, as a name of ronda.v1.EndReason without its prefix, once the
            result was found right.
        winners: the side that won or those that share a draw, once the result was found right.
        scores: total points by side, once the result was found right.
        public_key: the key, 32 bytes, that the header names.
        key_expected: whether that key was compared with one that the auditor knew.
        heads_compared: how many heads that watchers had seen there were to compare.
        views: how many views, of the seats and of everyone, were derived from what each was given.
    """

    finding: Finding | None = None
    records: int = 0
    match_id: str = ""
    engine_version: str = ""
    rule_set_id: str = ""
    seats: int = 0
    names: dict[int, str] | None = None
    deals: int = 0
    moves: int = 0
    forfeits: dict[int, str] = field(default_factory=dict)
    draws: Draws = Draws.SHUFFLED
    shared_shuffle: SharedShuffle | None = None
    dealt: list[Deal] = field(default_factory=list)
    seats_with_entropy: int = 0
    ended: str = ""
    winners: tuple[int, ...] = ()
    scores: tuple[int, ...] = ()
    public_key: bytes = b""
    key_expected: bool = False
    heads_compared: int = 0
    views: int = 0

    @property
    def ok(self) -> bool:
        """Whether nothing is wrong with the log."""
        return self.finding is None
