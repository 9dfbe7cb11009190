"""Whole matches played in memory, with their logs, honest or not."""

import io
import random
from collections.abc import Callable, Sequence

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from ronda.v1 import log_pb2, rule_set_pb2
from ronda_conformance.rule_set_files import load_rule_set
from ronda_referee.audit import AuditReport, audit_stream
from ronda_referee.chain import NonceSealer, record_hash, signed_message
from ronda_referee.clocks import Stamp
from ronda_referee.convert import card_to_proto, move_to_proto, rule_set_from_proto
from ronda_referee.log_file import MAGIC, frame
from ronda_referee.match_log import MatchLog
from ronda_referee.play import observed_event
from ronda_referee.shuffle import MatchDraws, commit, key_of
from ronda_referee.signing_key import SigningKey
from ronda_rules.cards import Card, parse_card
from ronda_rules.engine import (
    DrawCards,
    DrawDealer,
    MatchOver,
    SeatsToAct,
    advance,
    begin,
    decide,
    legal_moves,
)
from ronda_rules.events import Event
from ronda_rules.moves import Announce, AnyMove, DealerDrawn, Drawn, Move, SeatMove
from ronda_rules.state import MatchState
from ronda_rules.view import moves_are_hidden

KEY = SigningKey(Ed25519PrivateKey.from_private_bytes(b"k" * 32))
SEED = bytes(range(32))
ENTROPIES = (b"first", b"", b"third", b"fourth")
NAMES = ("Amina", "Brahim", "Chama", "Driss")

Policy = Callable[[MatchState, int, tuple[Move, ...]], Move]


def maghribi(target: int = 41, *, drawn: bool = False) -> rule_set_pb2.RuleSet:
    """Give maghribi with some target, and the first dealer drawn where that is wanted."""
    rules = load_rule_set("maghribi")
    rules.target = target
    if drawn:
        rules.first_dealer.drawn = True
    return rules


def cards(text: str) -> list[Card]:
    """Read cards as ``7o 10c``."""
    return [parse_card(card) for card in text.split()]


# A deal in which nothing has to be mended: hands of the two seats, the table, the other batches.
FIRST_BATCH = "7o 1c 2c  7c 3o 4o  1o 5o 10o 12o"
FIXED = cards(
    FIRST_BATCH + "  2o 6o 11o 3c 4c 5c  6c 10c 11c 12c 1e 2e  3e 4e 5e 6e 7e 10e"
    "  11e 12e 1b 2b 3b 4b  5b 6b 7b 10b 11b 12b"
)


def some_policy(seed: int) -> Policy:
    """Give a policy that takes any legal move, announcements now and then, false ones too."""
    chooser = random.Random(seed)

    def choose(state: MatchState, seat: int, moves: tuple[Move, ...]) -> Move:
        announcements = [move for move in moves if isinstance(move, Announce)]
        if announcements and chooser.random() < 0.3:
            return chooser.choice(announcements)
        return chooser.choice([move for move in moves if not isinstance(move, Announce)])

    return choose


def first_card(state: MatchState, seat: int, moves: tuple[Move, ...]) -> Move:
    """Play the first card of the hand and never announce."""
    return next(move for move in moves if not isinstance(move, Announce))


_BEGINNING = 1_790_000_000_000


class PlayedMatch:
    """A match that is played to its end when it is made.

    Attributes:
        rows: the log's rows; `records` are the same as records.
    """

    def __init__(
        self,
        rules: rule_set_pb2.RuleSet | None = None,
        seats: int = 2,
        *,
        policy: Policy | None = None,
        fixed: Sequence[Card] | None = None,
        draws: MatchDraws | None = None,
        seed: bytes = SEED,
        match_id: str = "m-7",
        shuffle_id: str = "",
    ) -> None:
        """Play the match; `draws` replaces the ones that the header promises, as a cheat would."""
        rule_set = rules or maghribi(1)
        self._policy = policy or some_policy(7)
        entropies = ENTROPIES[:seats]
        honest = MatchDraws(key_of(seed, match_id, shuffle_id, entropies), fixed)
        self._draws = draws or honest
        self._time = _BEGINNING
        self._log = MatchLog(NonceSealer(random.Random(1).randbytes))
        header = log_pb2.LogHeader(
            format_version=1,
            engine_version="0.1.0",
            match_id=match_id,
            rule_set=rule_set,
            seats=seats,
            seed_commitment=commit(seed),
            public_key=KEY.public_key,
            shared_shuffle_id=shuffle_id,
        )
        draws_given = None if fixed is None else log_pb2.FixedDraws(cards=map(card_to_proto, fixed))
        self.rows = [self._log.header(header, self._now(), draws_given)]
        for seat in reversed(range(seats)):
            self.rows.append(self._log.seat_joined(seat, NAMES[seat], entropies[seat], self._now()))
        self._play(*begin(rule_set_from_proto(rule_set), seats))
        self.rows += self._log.finish(
            log_pb2.END_REASON_PLAYED,
            self.state.winners,
            self.state.scores,
            seed,
            KEY.sign,
            self._log.stamp,
        )

    @property
    def records(self) -> list[log_pb2.LogRecord]:
        """The records of the log."""
        return [log_pb2.LogRecord.FromString(row.record) for row in self.rows]

    @property
    def data(self) -> bytes:
        """The log as the bytes of a file."""
        return MAGIC + b"".join(frame(row.record) for row in self.rows)

    def _now(self) -> Stamp:
        self._time += 17
        return Stamp(self._time, self._time - _BEGINNING)

    def _play(self, state: MatchState, events: tuple[Event, ...]) -> None:
        self.state = state
        self._write(events)
        request, last_event = 0, self.rows[-1].sequence
        decisions: dict[int, int] = {}
        while not isinstance(decision := decide(self.state), MatchOver):
            move: AnyMove
            match decision:
                case DrawDealer(seats):
                    move = DealerDrawn(self._draws.first_dealer(seats))
                case DrawCards(count, pack):
                    move = Drawn(self._draws.cards(self.state.deal, pack, count))
                case SeatsToAct(seats):
                    # Where several are asked the last one answers first.
                    seat = seats[-1]
                    decisions = {one: decisions.get(one, last_event) for one in seats}
                    chosen = self._policy(self.state, seat, legal_moves(self.state, seat))
                    request += 1
                    accepted = log_pb2.MoveAccepted(
                        seat=seat,
                        decision_id=decisions.pop(seat),
                        request_id=f"r-{request}",
                        move=move_to_proto(chosen),
                    )
                    hidden = moves_are_hidden(self.state)
                    self.rows.append(self._log.move_accepted(accepted, self._now(), hidden=hidden))
                    move = SeatMove(seat, chosen)
            self.state, happened = advance(self.state, move)
            self._write(happened)
            last_event = self.rows[-1].sequence

    def _write(self, events: tuple[Event, ...]) -> None:
        # What follows from a move has the move's own time.
        self.rows += self._log.events(map(observed_event, events), self._log.stamp)


def rewrite(records: Sequence[log_pb2.LogRecord], first_hash: bytes = bytes(32)) -> bytes:
    """Write a file of the bodies and times of records, numbered, chained and signed anew.

    This is what a referee can do that cheats: everything is right but what it says.
    """
    data = bytearray(MAGIC)
    head = first_hash
    for number, one in enumerate(records):
        record = log_pb2.LogRecord()
        record.CopyFrom(one)
        record.sequence = number
        record.previous_hash = head
        if record.HasField("signature"):
            record.signature.signature = KEY.sign(signed_message(head))
            record.time_ms = records[number - 1].time_ms
            record.clock_ms = records[number - 1].clock_ms
        serialized = record.SerializeToString(deterministic=True)
        head = record_hash(serialized)
        data += frame(serialized)
    return bytes(data)


def events_of(records: Sequence[log_pb2.LogRecord], kind: str) -> list[int]:
    """Give the numbers of the records that log events of a kind."""
    return [
        number
        for number, record in enumerate(records)
        if record.event_logged.event.WhichOneof("event") == kind
    ]


def records_of(records: Sequence[log_pb2.LogRecord], kind: str) -> list[int]:
    """Give the numbers of the records of a kind."""
    return [number for number, record in enumerate(records) if record.WhichOneof("record") == kind]


def audit(data: bytes, expected_key: bytes | None = None) -> AuditReport:
    """Audit the bytes of a file."""
    return audit_stream(io.BytesIO(data), expected_key)
