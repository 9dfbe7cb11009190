"""Checks of sealed answers: until all have given theirs nobody learns anything (CALL-18)."""

from ronda.v1 import event_pb2, move_pb2
from ronda_conformance.service import rules
from ronda_conformance.service.checks import check
from ronda_conformance.service.log_files import parsed
from ronda_conformance.service.matches import new_match, quiet, settled
from ronda_conformance.service.session import Session


async def _answers_in(session: Session, order: tuple[int, ...]) -> None:
    """Have seats answer in an order, and hold what everyone sees against CALL-18."""
    seats = len(order)
    match = await new_match(session, rules.sealed(), seats)
    streams = {seat: match.watch(seat) for seat in match.watchers}
    views = {seat: await match.view(seat) for seat in match.watchers}
    logs = {seat: await match.log(seat) for seat in match.watchers}
    length = views[0].next_sequence
    asked = {seat: views[seat].decision for seat in range(seats)}
    session.need("every seat is asked", [one.seat for one in asked.values()], list(range(seats)))
    numbers = {one.decision_id for one in asked.values()}
    session.expect("all decisions have one number", len(numbers), 1)
    sequences = []
    for place, seat in enumerate(order):
        request = match.request(seat, asked[seat].decision_id, quiet(asked[seat]))
        sequences.append(await match.submit(request))
        session.expect(f"seat {seat}: the same again", await match.submit(request), sequences[-1])
        if place == seats - 1:
            break
        await settled(session)
        answered = order[: place + 1]
        for watcher in match.watchers:
            who = "the public" if watcher is None else f"seat {watcher}"
            name = f"{who}, after {place + 1} of {seats} answers"
            view, before = await match.view(watcher), views[watcher]
            session.expect(f"{name}: next_sequence", view.next_sequence, before.next_sequence)
            session.expect(f"{name}: the public view", view.public_view == before.public_view)
            session.expect(f"{name}: the own view", view.seat_view == before.seat_view)
            asked_still = watcher is not None and watcher not in answered
            session.expect(f"{name}: is asked", view.HasField("decision"), asked_still)
            log = await match.log(watcher)
            session.expect(f"{name}: the log", log.data == logs[watcher].data)
            session.expect(f"{name}: what comes beside it", log.openings == logs[watcher].openings)
        twice = match.request(seat, asked[seat].decision_id, quiet(asked[seat]))
        await session.refused(
            f"a second answer of seat {seat}",
            session.stub.SubmitMove,
            twice,
            "FAILED_PRECONDITION NOT_YOUR_TURN | FAILED_PRECONDITION STALE_DECISION",
        )
    session.expect("the answers' numbers", sequences, [length] * seats)
    for watcher, stream in streams.items():
        who = "the public" if watcher is None else f"seat {watcher}"
        await stream.reaches(length + 2 * seats, f"the answers to {who}")
        early = [one for one in stream.messages if length < one.next_sequence < length + 2 * seats]
        session.expect(f"{who} is sent some answers before the others", len(early), 0)
        _hidden_still(session, who, watcher, stream.entries[length : length + 2 * seats])


def _hidden_still(session: Session, who: str, watcher: int | None, entries: object) -> None:
    for entry in entries:  # type: ignore[attr-defined]
        record = parsed(entry.record)
        if record.HasField("move_accepted"):
            owner = record.move_accepted.seat
            session.expect(
                f"{who}: the answer shown in record {record.sequence}",
                record.move_accepted.HasField("move"),
                False,  # noqa: FBT003  # what is expected
            )
        else:
            sealed = record.event_logged.event.announcement_sealed
            owner = sealed.seat
            session.expect(
                f"{who}: the answer shown in record {record.sequence}",
                sealed.WhichOneof("answer"),
                None,
            )
        session.expect(
            f"{who}: record {record.sequence} is opened",
            entry.HasField("opening"),
            owner == watcher,
        )


@check(
    "sealed-two", "CALL-18 CALL-17", "With two seats nobody can tell that the other has answered"
)
async def two(session: Session) -> None:
    """In either order: views, logs, streams and numbers stay as they were until the last answer."""
    await _answers_in(session, (0, 1))
    await _answers_in(session, (1, 0))


@check(
    "sealed-four",
    "CALL-18 CALL-17",
    "With four seats nobody can tell who has answered, or how many",
)
async def four(session: Session) -> None:
    """After each of three answers nothing has changed for anybody but who has answered."""
    await _answers_in(session, (2, 0, 3, 1))


@check(
    "sealed-answer-shown",
    "CALL-18 CALL-13",
    "When all have answered, each answer is shown as it was given",
)
async def shown(session: Session) -> None:
    """The own opening shows the seat's own move; the events that follow show all."""
    match = await new_match(session, rules.sealed(), 2)
    given: dict[int, move_pb2.Move] = {}
    for seat in (1, 0):
        view = await match.view(seat)
        given[seat] = match.random_move(view.decision)
        await match.submit(match.request(seat, view.decision.decision_id, given[seat]))
    for seat in (0, 1):
        for entry in await match.entries(seat):
            if entry.HasField("opening") and parsed(entry.record).HasField("move_accepted"):
                session.expect(
                    f"the answer of seat {seat} as it is opened",
                    entry.opening.payload == given[seat].SerializeToString(deterministic=True),
                )
    told: dict[int, event_pb2.Event] = {}
    for record in await match.records():
        event = record.event_logged.event
        for kind in ("announcement_made", "announcement_passed"):
            if event.HasField(kind):
                told.setdefault(getattr(event, kind).seat, event)
    for seat, move in given.items():
        event = told.get(seat, event_pb2.Event())
        if move.HasField("announce"):
            session.expect(
                f"what seat {seat} announced", event.announcement_made.kind, move.announce.kind
            )
        else:
            session.expect(f"seat {seat} passed", event.HasField("announcement_passed"))
