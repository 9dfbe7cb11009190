"""A match in memory, moved on by hand at times that the test names."""

import random
from dataclasses import dataclass, field

from ronda.v1 import log_pb2, match_terms_pb2, rule_set_pb2
from ronda_referee.chain import NonceSealer
from ronda_referee.clocks import Stamp
from ronda_referee.convert import move_to_proto
from ronda_referee.log_file import MAGIC, frame
from ronda_referee.match_log import LogRow
from ronda_referee.play import Joined, MatchPlay
from ronda_referee.shuffle import commit
from ronda_rules.cards import card_text, parse_card
from ronda_rules.moves import Move, Pass, Play
from tests.referee.played_logs import KEY, SEED, maghribi

BEGINNING = 1_790_000_000_000


def sealer() -> NonceSealer:
    """Give a sealer whose nonces are the same each time."""
    return NonceSealer(random.Random(1).randbytes)


def at(clock_ms: int) -> Stamp:
    """Give a time on the match's clock; the referee's own runs along."""
    return Stamp(BEGINNING + clock_ms, clock_ms)


@dataclass
class ByHand:
    """A match that every seat joins at 0 ms.

    Attributes:
        play: the match.
        rows: its log so far.
    """

    play: MatchPlay
    rows: list[LogRow] = field(default_factory=list)

    @classmethod
    def begin(
        cls,
        terms: match_terms_pb2.MatchTerms,
        seats: int = 2,
        rule_set: rule_set_pb2.RuleSet | None = None,
        *,
        joined: bool = True,
        fixed_draws: log_pb2.FixedDraws | None = None,
    ) -> "ByHand":
        """Create the match, and have every seat join."""
        header = log_pb2.LogHeader(
            format_version=1,
            engine_version="0.1.0",
            match_id="m-7",
            rule_set=rule_set or maghribi(),
            seats=seats,
            seed_commitment=commit(SEED),
            public_key=KEY.public_key,
            terms=terms,
        )
        play, rows = MatchPlay.create(header, SEED, sealer(), KEY.sign, at(0), fixed_draws)
        made = cls(play, rows)
        for seat in range(seats if joined else 0):
            made.rows += play.join(seat, Joined(f"seat {seat}", b""), at(0))
        return made

    def move(self, seat: int, move: Move, clock_ms: int) -> list[log_pb2.LogRecord]:
        """Make a move of a seat's own; give the records that it made."""
        accepted = log_pb2.MoveAccepted(
            seat=seat,
            decision_id=self.play.decisions.get(seat, 0),
            request_id=f"r-{len(self.rows)}",
            move=move_to_proto(move),
        )
        return self.take(self.play.move(accepted, at(clock_ms)))

    def lowest(self, clock_ms: int) -> list[log_pb2.LogRecord]:
        """Have the seat to act pass, or play the first card that it was dealt."""
        seat = min(self.play.decisions)
        state = self.play.state
        assert state is not None
        return self.move(seat, Play(state.hands[seat][0]), clock_ms)

    def run_out(self, clock_ms: int) -> list[log_pb2.LogRecord]:
        """Do what is due by a time; give the records that it made."""
        return self.take(self.play.run_out(at(clock_ms)))

    def take(self, rows: list[LogRow]) -> list[log_pb2.LogRecord]:
        """Add rows to the log; give their records."""
        self.rows += rows
        return [log_pb2.LogRecord.FromString(row.record) for row in rows]

    def hand(self, seat: int) -> list[str]:
        """Give a seat's hand as text."""
        state = self.play.state
        assert state is not None
        return [card_text(card) for card in state.hands[seat]]

    def data(self) -> bytes:
        """Give the log so far as the bytes of a file."""
        return MAGIC + b"".join(frame(row.record) for row in self.rows)


def card(text: str) -> Play:
    """Give the move that plays a card."""
    return Play(parse_card(text))


__all__ = ["BEGINNING", "ByHand", "Pass", "at", "card", "sealer"]
