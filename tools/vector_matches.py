"""Small matches for the test vectors, played by the referee's own code without chance and time."""

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from ronda.v1 import log_pb2, rule_set_pb2
from ronda.v1.match_terms_pb2 import TIME_OUT_AUTOMATIC, TIME_OUT_FORFEIT, MatchTerms, TimeControl
from ronda_conformance.rule_set_files import load_rule_set
from ronda_referee.automatic import automatic_move
from ronda_referee.chain import NonceSealer
from ronda_referee.clocks import Stamp
from ronda_referee.convert import card_to_proto, move_to_proto
from ronda_referee.match_log import LogRow
from ronda_referee.play import Joined, MatchPlay
from ronda_referee.shuffle import commit
from ronda_referee.signing_key import SigningKey
from ronda_rules.cards import parse_card
from ronda_rules.engine import legal_moves
from ronda_rules.moves import Announce

PRIVATE_KEY = bytes(range(32, 64))
KEY = SigningKey(Ed25519PrivateKey.from_private_bytes(PRIVATE_KEY))
SEED = bytes(range(32))
ENTROPIES = (b"first", b"", b"\x00\xff", b"fourth")
NAMES = ("Amina", "Brahim", "Chama", "Driss")
BEGINNING = 1_790_000_000_000
GROUP = "round 1, table 2"

TIMED = TimeControl(per_move_ms=1_000, bank_ms=5_000, increment_ms=100)


@dataclass
class CountedNonces:
    """Nonces that are the same in every run: hashes of their own numbers."""

    given: int = 0

    def __call__(self, size: int) -> bytes:
        """Give the next one."""
        self.given += 1
        return hashlib.sha256(f"nonce {self.given}".encode()).digest()[:size]


class Identity(NamedTuple):
    """What tells a match from others: its id, the shuffle that it shares, the seats' bytes."""

    match_id: str
    shuffle_id: str = ""
    entropies: Sequence[bytes] = ENTROPIES


ALONE = Identity("m-7")


@dataclass
class VectorMatch:
    """A match that is moved on step by step, each step at a time of its own.

    Attributes:
        play: the match.
        rows: its log so far.
        clock_ms: the time on the match's clock.
    """

    play: MatchPlay
    rows: list[LogRow]
    clock_ms: int = 0
    _requests: int = field(default=0)

    @classmethod
    def begin(
        cls,
        rule_set: rule_set_pb2.RuleSet,
        seats: int,
        *,
        terms: MatchTerms | None = None,
        fixed: str = "",
        seed: bytes = SEED,
        joining: Sequence[int] | None = None,
        identity: Identity = ALONE,
    ) -> "VectorMatch":
        """Create a match; seats join from the last to the first, or as `joining` has it."""
        header = log_pb2.LogHeader(
            format_version=1,
            engine_version="0.1.0",
            match_id=identity.match_id,
            rule_set=rule_set,
            seats=seats,
            seed_commitment=commit(seed),
            public_key=KEY.public_key,
            terms=terms,
            shared_shuffle_id=identity.shuffle_id,
        )
        draws = log_pb2.FixedDraws(
            cards=[card_to_proto(parse_card(card)) for card in fixed.split()]
        )
        sealer = NonceSealer(CountedNonces())
        play, rows = MatchPlay.create(
            header, seed, sealer, KEY.sign, Stamp(BEGINNING, 0), draws if fixed else None
        )
        match = cls(play, rows)
        for seat in reversed(range(seats)) if joining is None else joining:
            joined = Joined(NAMES[seat], identity.entropies[seat])
            match.rows += play.join(seat, joined, match.after(17))
        return match

    @property
    def records(self) -> list[log_pb2.LogRecord]:
        """The records of the log."""
        return [log_pb2.LogRecord.FromString(row.record) for row in self.rows]

    def after(self, milliseconds: int) -> Stamp:
        """Let time pass; give what it is then."""
        self.clock_ms += milliseconds
        return Stamp(BEGINNING + self.clock_ms, self.clock_ms)

    def move(self, milliseconds: int = 17, *, announcing: bool = False) -> None:
        """Have the last seat that is asked pass or play its lowest card, or announce if it can."""
        state = self.play.state
        if state is None:
            raise AssertionError("the match has not started")
        seat = max(self.play.decisions)
        move = automatic_move(state, seat)
        if announcing:
            legal = legal_moves(state, seat)
            move = next((one for one in legal if isinstance(one, Announce)), move)
        self._requests += 1
        accepted = log_pb2.MoveAccepted(
            seat=seat,
            decision_id=self.play.decisions[seat],
            request_id=f"r-{self._requests}",
            move=move_to_proto(move),
        )
        self.rows += self.play.move(accepted, self.after(milliseconds))

    def moves(self, count: int, *, announcing: bool = False) -> None:
        """Make some moves one after the other."""
        for _ in range(count):
            self.move(announcing=announcing)

    def run_out(self) -> None:
        """Let the next deadline come."""
        if self.play.deadline is None:
            raise AssertionError("no clock runs")
        self.rows += self.play.run_out(self.after(self.play.deadline - self.clock_ms))

    def resign(self, seat: int) -> None:
        """Give the match up for a seat."""
        self.rows += self.play.resign(seat, self.after(17))[0]

    def cancel(self) -> None:
        """End the match with nobody having won."""
        self.rows += self.play.cancel(log_pb2.END_REASON_CANCELLED, self.after(17))


def not_joined() -> VectorMatch:
    """One of two seats joins; the time to join runs out."""
    terms = MatchTerms(join_timeout_ms=60_000)
    match = VectorMatch.begin(load_rule_set("maghribi"), 2, terms=terms, joining=(1,))
    match.run_out()
    return match


def cancelled_before_start() -> VectorMatch:
    """Two of three seats join; the organiser cancels."""
    match = VectorMatch.begin(load_rule_set("classic"), 3, joining=(2, 0))
    match.cancel()
    return match


def cancelled_in_play() -> VectorMatch:
    """Four seats play a batch and some of the next, and say what they hold; it is cancelled."""
    match = VectorMatch.begin(load_rule_set("classic"), 4)
    match.moves(20, announcing=True)
    match.cancel()
    return match


def played() -> VectorMatch:
    """Two seats play a match of one deal to its end."""
    match = VectorMatch.begin(load_rule_set("single-deal"), 2)
    while not match.play.over:
        match.move()
    return match


def table_returned() -> VectorMatch:
    """The first dealer is drawn, and the first table goes back; a seat resigns, then another."""
    rule_set = load_rule_set("maghribi")
    rule_set.first_dealer.drawn = True
    match = VectorMatch.begin(rule_set, 3, seed=bytes([TABLE_SEED]) * 32)
    match.moves(2)
    match.resign(1)
    match.moves(4)
    match.resign(2)
    return match


def fixed_draws() -> VectorMatch:
    """Cards for one batch are fixed and played; then nobody can move, and it is cancelled."""
    match = VectorMatch.begin(load_rule_set("maghribi"), 2, fixed="7o 1c 2c 7c 3o 4o 1o 5o 10o 12o")
    match.moves(6)
    match.cancel()
    return match


def sealed_answers() -> VectorMatch:
    """Two seats on an empty table answer at once, unseen; cards are played, and one resigns."""
    match = VectorMatch.begin(load_rule_set("khlaso"), 2)
    match.move(announcing=True)
    match.move(announcing=True)
    match.moves(3)
    match.resign(0)
    return match


def timed_out() -> VectorMatch:
    """A seat takes from its bank, and then its time runs out: it forfeits."""
    terms = MatchTerms(time_control=TIMED, time_out=TIME_OUT_FORFEIT, most_refusals=10)
    match = VectorMatch.begin(load_rule_set("maghribi"), 2, terms=terms)
    for milliseconds in (2_500, 900, 4_599):
        match.move(milliseconds)
    match.run_out()
    return match


def automatic() -> VectorMatch:
    """Time runs out twice, and the referee moves; three seats, of which two resign."""
    terms = MatchTerms(time_control=TIMED, time_out=TIME_OUT_AUTOMATIC)
    match = VectorMatch.begin(load_rule_set("classic"), 3, terms=terms)
    match.move(2_000)
    match.run_out()
    match.move(1_000)
    match.resign(1)
    match.moves(2)
    match.run_out()
    match.resign(0)
    return match


def shared_shuffle() -> VectorMatch:
    """The first match of a group: three seats, the first dealer is drawn; it is cancelled."""
    return _of_a_group(Identity("m-8", GROUP), 4)


def shared_shuffle_again() -> VectorMatch:
    """The second match of the group: other bytes of the seats, and the same cards."""
    return _of_a_group(Identity("m-9", GROUP, (b"rotated", b"seats", b"")), 11)


def _of_a_group(identity: Identity, moves: int) -> VectorMatch:
    rule_set = load_rule_set("maghribi")
    rule_set.first_dealer.drawn = True
    match = VectorMatch.begin(rule_set, 3, identity=identity)
    match.moves(moves, announcing=True)
    match.cancel()
    return match


# The first seed of one byte repeated with which the table is mended twice.
TABLE_SEED = 16

HONEST: dict[str, Callable[[], VectorMatch]] = {
    "not-joined": not_joined,
    "cancelled-before-start": cancelled_before_start,
    "cancelled-in-play": cancelled_in_play,
    "played": played,
    "table-returned": table_returned,
    "fixed-draws": fixed_draws,
    "sealed-answers": sealed_answers,
    "timed-out": timed_out,
    "automatic": automatic,
    "shared-shuffle": shared_shuffle,
    "shared-shuffle-again": shared_shuffle_again,
}
