"""Checks of views: they are what the events tell, and the same for all who see them."""

from ronda.conformance.v1 import testee_service_pb2
from ronda.v1 import event_pb2, log_pb2
from ronda_conformance.cards import card_text
from ronda_conformance.invariants import Watch
from ronda_conformance.service.checks import check
from ronda_conformance.service.folding import Folded
from ronda_conformance.service.played import Played, plain_match, sealed_match
from ronda_conformance.service.session import Session


@check("view-public-part", "CALL-11", "All seats see in public what the public sees")
async def public_part(session: Session) -> None:
    """At every turn of two matches, and the number of the next record with it."""
    for played in (await plain_match(session), await sealed_match(session)):
        for moment in played.moments:
            public = moment.views[None]
            for seat in range(played.match.seats):
                view = moment.views[seat]
                name = f"before record {moment.before}, seat {seat}"
                session.expect(
                    f"{name}: the public part", view.seat_view.public == public.public_view
                )
                session.expect(f"{name}: next_sequence", view.next_sequence, public.next_sequence)
                session.expect(f"{name}: the view's seat", view.seat_view.seat, seat)


@check(
    "view-folds", "CALL-11 CALL-8", "A view is what folding the events of one's own stream gives"
)
async def folds(session: Session) -> None:
    """The own hand in its order, the table, the sizes of hands and the scores, at every turn."""
    for played in (await plain_match(session), await sealed_match(session)):
        for seat, stream in played.streams.items():
            sides = 3 if played.match.seats == 3 else 2  # noqa: PLR2004  # three seats, three sides
            folded = Folded(seat, sides)
            entries = iter(stream.entries)
            at = 0
            for moment in played.moments:
                view = moment.views[seat]
                while at < moment.before and (entry := next(entries, None)) is not None:
                    folded.take(entry)
                    at += 1
                public = view.public_view if seat is None else view.seat_view.public
                who = "the public" if seat is None else f"seat {seat}"
                name = f"{who} before record {moment.before}"
                hand = [card_text(card) for card in view.seat_view.hand]
                session.expect(f"{name}: the hand", hand, folded.hand)
                table = sorted(card_text(card) for card in public.table)
                session.expect(f"{name}: the table", table, sorted(folded.table))
                session.expect(f"{name}: the scores", list(public.scores), folded.scores)
                left = [folded.left.get(one, 0) for one in range(played.match.seats)]
                session.expect(f"{name}: the sizes of the hands", list(public.hand_sizes), left)


@check("view-invariants", "CALL-11", "What must hold of every position holds at every turn")
async def invariants(session: Session) -> None:
    """Forty cards, each in one place, scores that add up: the invariants, on a live match."""
    for played in (await plain_match(session), await sealed_match(session)):
        watch = Watch(played.match.seats, played.match.rules)
        events = _events(played)
        at = 0
        for moment in played.moments:
            result = testee_service_pb2.StepResult(
                events=[event for event in events[at : moment.before] if event is not None],
                sight=testee_service_pb2.Sight(
                    public=moment.views[None].public_view,
                    seats=[moment.views[seat].seat_view for seat in range(played.match.seats)],
                ),
            )
            at = moment.before
            for expected, got in watch.step(result):
                session.expect(f"before record {at}: {expected}", got, "as said")


def _events(played: Played) -> list[event_pb2.Event | None]:
    """Give the event of each record in full, as the openings at the end show it."""
    records = played.records
    openings = {one.opening.sequence: one.opening for one in records if one.HasField("opening")}
    events: list[event_pb2.Event | None] = []
    for record in records:
        if not record.HasField("event_logged"):
            events.append(None)
        elif record.sequence in openings:
            events.append(event_pb2.Event.FromString(openings[record.sequence].payload))
        else:
            events.append(record.event_logged.event)
    return events


@check("view-decision", "CALL-11 CALL-12", "The seats to act have a decision, and nobody else has")
async def decision(session: Session) -> None:
    """It names its seat and a record that there is; its cards are those of the hand, in order."""
    for played in (await plain_match(session), await sealed_match(session)):
        for moment in played.moments:
            public = moment.views[None]
            session.expect("a decision in the public view", public.HasField("decision"), False)  # noqa: FBT003  # what is expected
            for seat in range(played.match.seats):
                view = moment.views[seat]
                name = f"before record {moment.before}, seat {seat}"
                asked = view.HasField("decision")
                if asked:
                    session.expect(f"{name} is to act", seat in public.public_view.to_act)
                    session.expect(f"{name}: the decision's seat", view.decision.seat, seat)
                    session.expect(
                        f"{name}: the decision is that of a record",
                        0 < view.decision.decision_id < view.next_sequence,
                    )
                    _cards_in_order(session, name, view.decision.legal_moves, view.seat_view.hand)
            if len(public.public_view.to_act) == 1:
                (seat,) = public.public_view.to_act
                session.expect(
                    f"before record {moment.before}, seat {seat} is asked",
                    moment.views[seat].HasField("decision"),
                )


def _cards_in_order(session: Session, name: str, moves: object, hand: object) -> None:
    kinds = [move.WhichOneof("move") for move in moves]  # type: ignore[attr-defined]  # moves
    order = sorted(kinds, key=lambda kind: kind == "play")
    session.expect(f"{name}: cards come last", kinds, order)
    played = [card_text(move.play.card) for move in moves if move.HasField("play")]  # type: ignore[attr-defined]  # as above
    held = [card_text(card) for card in hand if not played or card_text(card) in played]  # type: ignore[attr-defined]  # cards
    if played:
        session.expect(f"{name}: cards in the order of the hand", played, held)


@check(
    "view-moves-recorded",
    "CALL-12 CALL-13",
    "Each move is recorded as it was sent, where the answer says",
)
async def moves_recorded(session: Session) -> None:
    """Seat, decision, request id and move of every move; openings show the sealed ones."""
    for played in (await plain_match(session), await sealed_match(session)):
        records = played.records
        openings = {one.opening.sequence: one.opening for one in records if one.HasField("opening")}
        accepted = [one for one in records if one.HasField("move_accepted")]
        session.need("moves recorded", len(accepted), len(played.moves))
        for record, (request, sequence) in zip(accepted, played.moves, strict=True):
            move = record.move_accepted
            name = f"move {request.request_id}"
            session.expect(f"{name}: its request id", move.request_id, request.request_id)
            session.expect(f"{name}: its decision", move.decision_id, request.decision_id)
            session.expect(
                f"{name}: its seat", played.match.tokens[move.seat] == request.seat_token
            )
            sent = request.move.SerializeToString(deterministic=True)
            kept = (
                openings[record.sequence].payload
                if move.commitment and record.sequence in openings
                else move.move.SerializeToString(deterministic=True)
            )
            session.expect(f"{name}: the move as sent", kept == sent)
            if not move.commitment:
                session.expect(f"{name}: its record", sequence, record.sequence)
        _decisions_name_records(session, records)


def _decisions_name_records(session: Session, records: list[log_pb2.LogRecord]) -> None:
    for record in records:
        number = record.move_accepted.decision_id
        if record.HasField("move_accepted") and number < record.sequence:
            session.expect(
                f"decision {number} is named after an event",
                records[number].WhichOneof("record"),
                "event_logged",
            )
