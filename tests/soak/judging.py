"""The end of a soak: every log against its plan, against what the clients know, and the audit."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from io import BytesIO

from ronda.v1 import log_pb2
from ronda.v1.log_pb2 import EndReason, ForfeitReason, LogRecord
from ronda_client import LogFileError, read_records
from ronda_referee.audit import audit_stream
from tests.soak.ledger import Acknowledged, Ledger
from tests.soak.plan import MatchPlan

_OPENED = frozenset({"announcement_made", "announcement_passed"})


class Story:
    """What a log tells.

    Attributes:
        reason: how the match ended, as a name of ronda.v1.EndReason without its prefix.
        forfeits: why seats forfeited, as names of ronda.v1.ForfeitReason without their prefix.
        moves: the seats' own moves; those that were hidden are opened.
        automatic: how many moves the referee made for seats.
    """

    def __init__(self, records: Sequence[LogRecord]) -> None:
        """Read the records of a whole log."""
        self.reason = ""
        self.forfeits: dict[int, str] = {}
        self.moves: list[Acknowledged] = []
        self.automatic = 0
        opened = {
            record.opening.sequence: record.opening.payload
            for record in records
            if record.HasField("opening")
        }
        # While answers are sealed each is known by the number of the first of them.
        first_sealed: int | None = None
        for record in records:
            if record.move_accepted.commitment and first_sealed is None:
                first_sealed = record.sequence
            if record.event_logged.event.WhichOneof("event") in _OPENED:
                first_sealed = None
            match record.WhichOneof("record"):
                case "match_result":
                    name = EndReason.Name(record.match_result.reason)
                    self.reason = name.removeprefix("END_REASON_")
                case "forfeit_declared":
                    said = record.forfeit_declared
                    name = ForfeitReason.Name(said.reason).removeprefix("FORFEIT_REASON_")
                    self.forfeits[said.seat] = name
                case "move_accepted" if record.move_accepted.automatic:
                    self.automatic += 1
                case "move_accepted":
                    move = _move(record.sequence, record.move_accepted, opened)
                    known_as = move.sequence if first_sealed is None else first_sealed
                    self.moves.append(replace(move, sequence=known_as))
                case _:
                    pass


def _move(sequence: int, accepted: log_pb2.MoveAccepted, opened: dict[int, bytes]) -> Acknowledged:
    hidden = bool(accepted.commitment)
    content = opened[sequence] if hidden else accepted.move.SerializeToString(deterministic=True)
    return Acknowledged(accepted.seat, accepted.request_id, accepted.decision_id, sequence, content)


class Judge:
    """Judges one log after another.

    Attributes:
        outcomes: how many matches ended how, by what was expected of them.
        moves: how many moves of the seats' own are in the logs.
        automatic: how many the referee made.
        audited: how many logs were audited and found right.
    """

    def __init__(self, ledger: Ledger) -> None:
        """Compare with what the clients know; what is wrong becomes a fault there."""
        self.outcomes: Counter[str] = Counter()
        self.moves = 0
        self.automatic = 0
        self.audited = 0
        self._ledger = ledger

    def judge(self, plan: MatchPlan | None, match_id: str, log: bytes) -> None:
        """Judge a match; without a plan it is one whose creation was never answered."""
        where = f"match {match_id}"
        if plan is not None:
            where += f" (number {plan.number}, {plan.rule_set}, {plan.clock}, {plan.way})"
        report = audit_stream(BytesIO(log))
        if report.finding is not None:
            self._ledger.fault(where, f"does not audit: {report.finding}")
        else:
            self.audited += 1
        try:
            story = Story(list(read_records(log)))
        except (LogFileError, KeyError) as error:
            self._ledger.fault(where, f"cannot be read: {error!r}")
            return
        self.moves += len(story.moves)
        self.automatic += story.automatic
        for fault in faults(plan, story, self._ledger, match_id):
            self._ledger.fault(where, fault)
        reasons = sorted(set(story.forfeits.values()))
        ended = f"{story.reason or 'not ended'}{', forfeit: ' if reasons else ''}"
        self.outcomes[ended + ", ".join(reasons)] += 1


def faults(plan: MatchPlan | None, story: Story, ledger: Ledger, match_id: str) -> Iterator[str]:
    """Yield what is wrong with a match, given its plan and what the clients know of it."""
    if plan is None:
        if (story.reason, story.moves) != ("CANCELLED", []):
            yield f"nobody knows of it, and it ended {story.reason} with {len(story.moves)} moves"
        return
    expected = plan.expected
    if (story.reason, story.forfeits) != (expected.reason, dict(expected.forfeits)):
        yield (
            f"ended {story.reason} with forfeits {story.forfeits}; its story is "
            f"{expected.reason} with {dict(expected.forfeits)}"
        )
    yield from _against_ledger(story, ledger, match_id)


def _against_ledger(story: Story, ledger: Ledger, match_id: str) -> Iterator[str]:
    in_log: defaultdict[tuple[int, str], list[Acknowledged]] = defaultdict(list)
    for move in story.moves:
        in_log[move.seat, move.request_id].append(move)
    decisions = Counter((move.seat, move.decision_id) for move in story.moves)
    for (seat, decision), times in decisions.items():
        if times > 1:
            yield f"seat {seat} answered decision {decision} {times} times"
    for (seat, request_id), moves in in_log.items():
        if len(moves) > 1:
            yield f"seat {seat}'s request {request_id} is in the log {len(moves)} times"
        if (seat, request_id) not in ledger.sent[match_id]:
            yield f"seat {seat} never sent the request {request_id} that is in the log"
        if (seat, request_id) in ledger.refused[match_id]:
            yield f"seat {seat}'s request {request_id} was refused and is in the log"
    for one in ledger.acknowledged[match_id]:
        if one not in in_log[one.seat, one.request_id]:
            yield f"an acknowledged move is not in the log as it was acknowledged: {one}"
