"""Matches whose events are followed twice: by what is told of the log, and by the rules."""

from collections.abc import Callable, Iterator

from ronda.v1 import event_pb2, log_pb2, rule_set_pb2
from ronda_conformance.glossary import load_glossary
from ronda_referee.audit.hidden import Hidden
from ronda_referee.audit.watcher import Watcher
from ronda_referee.convert import rule_set_from_proto
from ronda_replay.lines import plain, replay_blocks
from ronda_replay.steps import Opened
from ronda_replay.telling import Language
from ronda_rules.cards import card_text
from ronda_rules.events import Event
from ronda_rules.view import observed
from tests.clients.command import Ran
from tests.referee.played_logs import FIXED, PlayedMatch, first_card, maghribi, some_policy

ENGLISH = Language(load_glossary("en"))

HIDDEN_HAND = "    Amina (0) receives 3 cards"

# Runs `ronda replay` with some arguments.
Replay = Callable[..., Ran]


class Recorded(PlayedMatch):
    """A played match that also keeps the engine's events."""

    def __init__(self, rules: rule_set_pb2.RuleSet, seats: int, seed: int) -> None:
        """Play it; `seed` decides what the seats choose."""
        self.rules = rule_set_from_proto(rules)
        self.happened: list[Event] = []
        super().__init__(rules, seats, policy=some_policy(seed))

    def _write(self, events: tuple[Event, ...]) -> None:
        self.happened += events
        super()._write(events)

    def watched(self, seat: int | None = 0) -> Iterator[Watcher]:
        """Give a seat's own bookkeeping, written from the rules, after each event in turn."""
        watcher = Watcher(self.rules, seat)
        for event in self.happened:
            watcher.see(observed(event, seat))
            yield watcher


def public_state(watcher: Watcher) -> dict[str, object]:
    """Give what everyone knows of a match, as a replay writes it."""
    held = watcher.held
    return {
        "deal": watcher.deal,
        "batch": watcher.batch,
        "last_batch": watcher.last_batch and watcher.batch > 0,
        "pack": watcher.undealt,
        "table": sorted(map(card_text, watcher.table)),
        "hands": list(watcher.hand_sizes),
        "chain": None if held is None else [held.seat, held.step, held.cards, held.mesa],
        "debts": [[one.payer, one.receiver, one.cards] for one in watcher.debts],
        "piles": list(watcher.piles),
        "scores": list(watcher.scores),
        "forfeited": list(watcher.forfeited),
        "winners": list(watcher.winners),
    }


def opener(records: list[log_pb2.LogRecord]) -> Opened:
    """Give what finds the events behind a log's commitments."""
    return Hidden(
        {one.opening.sequence: one.opening for one in records if one.HasField("opening")}
    ).opened


def nothing_opened(sequence: int, commitment: bytes) -> event_pb2.Event | None:
    """Open nothing."""
    return None


def played() -> PlayedMatch:
    """Play one deal of fixed draws in which everybody plays the first card."""
    return PlayedMatch(maghribi(1), fixed=FIXED, policy=first_card)


def told(
    records: list[log_pb2.LogRecord], seat: int | None = None, language: Language = ENGLISH
) -> list[str]:
    """Give the lines that a log's records are told in."""
    blocks = replay_blocks(records, opener(records), language, seat)
    return [plain(line) for block in blocks for line in block]


__all__ = ["ENGLISH", "PlayedMatch", "first_card", "maghribi"]
