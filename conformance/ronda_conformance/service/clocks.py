"""Checks of clocks: what is told of time left, and what becomes of who is late (CALL-20)."""

from ronda.v1 import card_pb2, event_pb2, log_pb2, match_terms_pb2, move_pb2, rule_set_pb2
from ronda_conformance.service import rules
from ronda_conformance.service.checks import check
from ronda_conformance.service.matches import new_match
from ronda_conformance.service.played import TERMS, plain_match
from ronda_conformance.service.session import Session

_HOUR_MS = 3_600_000
_LATE_MS = 60


def _timed(
    per_move_ms: int, time_out: match_terms_pb2.TimeOut.ValueType
) -> match_terms_pb2.MatchTerms:
    control = match_terms_pb2.TimeControl(per_move_ms=per_move_ms)
    return match_terms_pb2.MatchTerms(time_control=control, time_out=time_out)


@check(
    "clock-told",
    "CALL-20",
    "Who is asked is told the time that is left, and everyone whose clock runs",
)
async def told(session: Session) -> None:
    """An hour for each decision; what is told counts down from it."""
    terms = _timed(_HOUR_MS, match_terms_pb2.TIME_OUT_FORFEIT)
    match = await new_match(session, rules.plain(), 3, terms=terms)
    for _ in range(2):
        seat, view = await match.turn()
        first = view.decision.milliseconds_left
        session.expect("time left is told", view.decision.HasField("milliseconds_left"))
        session.expect("time left is at most what was given", 0 < first <= _HOUR_MS)
        session.expect("time left is nearly what was given", first > _HOUR_MS - 60_000)
        again = (await match.view(seat)).decision.milliseconds_left
        session.expect("time left counts down", again <= first)
        for watcher in match.watchers:
            running = [clock.running for clock in (await match.view(watcher)).clocks]
            session.expect("clocks that run", running, [one == seat for one in range(3)])
        stream = match.watch(seat)
        await stream.asked()
        session.expect(
            "time left in the turn", 0 < stream.turns[0].decision.milliseconds_left <= first
        )
        clocks = stream.messages[-1].clocks
        session.expect(
            "clocks in the message",
            [one.running for one in clocks],
            [one == seat for one in range(3)],
        )
        await match.step(lambda decision: decision.legal_moves[-1])


@check("clock-none", "CALL-20", "Without a time control nobody is told a time")
async def none(session: Session) -> None:
    """Neither in decisions nor beside views."""
    match = await new_match(session, rules.plain())
    seat, view = await match.turn()
    session.expect("time left is told", view.decision.HasField("milliseconds_left"), False)  # noqa: FBT003  # what is expected
    session.expect("clocks", len(view.clocks), 0)
    request, sequence = await match.step(lambda decision: decision.legal_moves[-1])
    record = (await match.records(seat))[sequence]
    session.expect("a deadline is recorded", record.move_accepted.HasField("deadline_ms"), False)  # noqa: FBT003  # as above
    session.expect("the move's decision", record.move_accepted.decision_id, request.decision_id)


@check(
    "clock-deadlines", "CALL-20", "Every deadline of the log is what the terms and the times give"
)
async def deadlines(session: Session) -> None:
    """A match with a bank and increments is reckoned from its log alone, as LOG-13 has it."""
    played = await plain_match(session)
    records = played.records
    control = TERMS.time_control
    banks = [control.bank_ms] * played.match.seats
    for record in records:
        if not record.HasField("move_accepted"):
            continue
        move = record.move_accepted
        began = records[move.decision_id].clock_ms
        deadline = began + control.per_move_ms + banks[move.seat]
        session.expect(f"the deadline in record {record.sequence}", move.deadline_ms, deadline)
        session.expect(f"record {record.sequence} is in time", record.clock_ms < deadline)
        longer = max(0, record.clock_ms - began - control.per_move_ms)
        banks[move.seat] += control.increment_ms - longer
    for name in ("clock_ms", "time_ms"):
        times = [getattr(record, name) for record in records]
        session.expect(f"{name} never goes back", times == sorted(times))


@check(
    "clock-forfeit",
    "CALL-20 CALL-21",
    "Who does not answer in time forfeits by itself, and the log says so",
)
async def forfeit(session: Session) -> None:
    """Nobody calls; those that watch see the forfeit, the end and the complete log."""
    terms = _timed(_LATE_MS, match_terms_pb2.TIME_OUT_FORFEIT)
    match = await new_match(session, rules.plain(), terms=terms)
    stream = match.watch(None)
    await stream.to_end()
    records = stream.records
    forfeits = [one for one in records if one.HasField("forfeit_declared")]
    session.need("forfeits recorded", len(forfeits), 1)
    declared = forfeits[0].forfeit_declared
    session.expect("its reason", declared.reason, log_pb2.FORFEIT_REASON_TIME_OUT)
    began = records[declared.decision_id].clock_ms
    session.expect("its deadline", declared.deadline_ms, began + _LATE_MS)
    session.expect("it comes at the deadline", forfeits[0].clock_ms >= declared.deadline_ms)
    results = [one.match_result for one in records if one.HasField("match_result")]
    session.need("results", len(results), 1)
    session.expect("how it ended", results[0].reason, log_pb2.END_REASON_FORFEITED)
    session.expect("who won", list(results[0].winners), [1 - declared.seat])
    session.expect("the stream's last word", stream.ends, [True])


@check("clock-late", "CALL-20 CALL-15", "A move that comes too late is no move")
async def late(session: Session) -> None:
    """The seat plays a card of its hand for the decision that was open, when its time is over."""
    terms = _timed(_LATE_MS, match_terms_pb2.TIME_OUT_FORFEIT)
    match = await new_match(session, rules.plain(), terms=terms)
    stream = match.watch(0)
    await stream.to_end()
    forfeits = [one.forfeit_declared for one in stream.records if one.HasField("forfeit_declared")]
    hands = [entry.opening.payload for entry in stream.entries if entry.HasField("opening")]
    session.need("the hand that was dealt, and the forfeit", (len(hands), len(forfeits)), (1, 1))
    card = event_pb2.Event.FromString(hands[0]).hand_dealt.cards[0]
    request = match.request(
        forfeits[0].seat,
        forfeits[0].decision_id,
        move_pb2.Move(play=move_pb2.Play(card=card)),
    )
    await session.refused(
        "a move after its deadline",
        session.stub.SubmitMove,
        request,
        "FAILED_PRECONDITION MATCH_OVER | FAILED_PRECONDITION SEAT_FORFEITED",
    )


@check("clock-automatic", "CALL-20", "Where the terms say so the referee moves for who is late")
async def automatic(session: Session) -> None:
    """A whole deal is played by the clock: the lowest card each time, marked as automatic."""
    rule_set = rules.plain()
    # Nobody announces: the referee never does.
    rule_set.bluff = rule_set_pb2.BLUFF_PENALISED
    match = await new_match(session, rule_set, terms=_timed(1, match_terms_pb2.TIME_OUT_AUTOMATIC))
    streams = [match.watch(0), match.watch(1)]
    for stream in streams:
        await stream.to_end()
    hands: dict[int, list[tuple[int, int]]] = {0: [], 1: []}
    dealt = {
        entry.opening.sequence: entry.opening.payload
        for stream in streams
        for entry in stream.entries
        if entry.HasField("opening")
    }
    moves = 0
    for record in streams[0].records:
        event = record.event_logged.event
        if event.HasField("hand_dealt"):
            full = event.FromString(dealt[record.sequence]).hand_dealt
            hands[full.seat] += [_place(card) for card in full.cards]
        if record.HasField("move_accepted"):
            moves += 1
            made = record.move_accepted
            name = f"the move in record {record.sequence}"
            session.expect(f"{name} is automatic", made.automatic)
            session.expect(f"{name}: its request id", made.request_id, "")
            session.expect(f"{name} comes at its deadline", record.clock_ms >= made.deadline_ms)
            lowest = min(hands[made.seat], default=(0, 0))
            session.expect(f"{name} is the lowest card", _played(made.move), lowest)
            if lowest in hands[made.seat]:
                hands[made.seat].remove(lowest)
    results = [one.match_result for one in streams[0].records if one.HasField("match_result")]
    session.expect("how it ended", [one.reason for one in results], [log_pb2.END_REASON_PLAYED])
    session.expect("moves", moves, 36)


def _place(card: card_pb2.Card) -> tuple[int, int]:
    return int(card.rank), int(card.suit)


def _played(move: move_pb2.Move) -> tuple[int, int]:
    return _place(move.play.card)
