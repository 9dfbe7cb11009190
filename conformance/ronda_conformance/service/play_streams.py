"""Checks of the Play stream: many matches over one call, with the answers of the simple calls."""

from collections.abc import Callable

import grpc

from ronda.v1 import move_pb2
from ronda.v1 import referee_service_pb2 as pb
from ronda_conformance.refusals import Refusal
from ronda_conformance.service import rules
from ronda_conformance.service.checks import check
from ronda_conformance.service.matches import Match, card_move, new_match
from ronda_conformance.service.session import Session

_CODES = {code.value[0]: code.name for code in grpc.StatusCode}


class Playing:
    """One Play stream, and all that it has said.

    Attributes:
        answers: the answers to moves, in order.
        updates: the news, in order.
        code: how it has ended; None: it has not.
    """

    def __init__(self, session: Session) -> None:
        """Open a stream."""
        self.answers: list[pb.PlayAnswer] = []
        self.updates: list[pb.PlayUpdate] = []
        self.code: grpc.StatusCode | None = None
        self._session = session
        self._call = session.stub.Play()
        session.at_end(self._cancel)

    async def send(
        self, seats: list[pb.PlaySeat] | None = None, moves: list[pb.PlayMove] | None = None
    ) -> None:
        """Send one message."""
        await self._call.write(pb.PlayRequest(seats=seats or [], moves=moves or []))

    async def until(self, what: str, reached: Callable[[], object]) -> None:
        """Take messages in until something is the case.

        Raises:
            Broken: the stream ends before, or it does not come in time.
        """

        async def reading() -> None:
            while not reached():
                if not await self._read():
                    self._session.need(
                        f"{what} comes", f"the stream ended: {self.code}", "it comes"
                    )

        await self._session.within(what, reading())

    async def answered(self, *moves: pb.PlayMove) -> list[pb.PlayAnswer]:
        """Send moves in one message; give their answers."""
        before = len(self.answers)
        await self.send(moves=list(moves))
        await self.until("answers", lambda: len(self.answers) >= before + len(moves))
        return self.answers[before:]

    async def takes(self, match: Match) -> None:
        """Wait until a seat of a match is taken.

        Raises:
            Broken: it is not.
        """
        await self.until("the seat", lambda: self.taken(match))

    async def asked(self, match: Match, decision_id: int) -> None:
        """Wait for a decision of a match.

        Raises:
            Broken: it does not come.
        """
        await self.until(
            "the turn",
            lambda: any(turn.decision.decision_id == decision_id for turn in self.turns(match)),
        )

    async def ends(self, match: Match) -> None:
        """Wait until a match is said to have ended.

        Raises:
            Broken: it is not.
        """
        await self.until(
            "the end of the match",
            lambda: any(one.news.ended.log_complete for one in self.of(match)),
        )

    async def rest(self) -> None:
        """Close this side and take in what comes still."""
        await self._call.done_writing()

        async def reading() -> None:
            while await self._read():
                pass

        await self._session.within("the end of the Play stream", reading())

    def of(self, match: Match) -> list[pb.PlayUpdate]:
        """Give the news of a match."""
        return [one for one in self.updates if one.match_id == match.match_id]

    def entries(self, match: Match) -> list[pb.LogEntry]:
        """Give the records of a match that came."""
        return [entry for one in self.of(match) for entry in one.news.entries]

    def turns(self, match: Match) -> list[pb.Turn]:
        """Give the turns of a match that came."""
        return [one.news.turn for one in self.of(match) if one.news.HasField("turn")]

    def taken(self, match: Match) -> list[int]:
        """Give the seats of a match that were said to be taken."""
        return [one.seat for one in self.of(match) if one.HasField("seat")]

    async def _read(self) -> bool:
        try:
            message = await self._call.read()
        except grpc.aio.AioRpcError as error:
            self.code = error.code()
            return False
        if not isinstance(message, pb.PlayResponse):
            self.code = await self._call.code()
            return False
        self.answers += message.answers
        self.updates += message.updates
        return True

    async def _cancel(self) -> None:
        self._call.cancel()


def _move(request: pb.SubmitMoveRequest) -> pb.PlayMove:
    return pb.PlayMove(
        match_id=request.match_id,
        decision_id=request.decision_id,
        request_id=request.request_id,
        move=request.move,
    )


def _seat(
    match: Match, seat: int, *, join: str | None = None, start: int | None = 0
) -> pb.PlaySeat:
    taken = pb.PlaySeat(match_id=match.match_id, seat_token=match.tokens[seat], from_sequence=start)
    if join is not None:
        taken.join.name = join
        taken.join.entropy = b"salt"
    return taken


@check(
    "play-many",
    "CALL-27 CALL-8",
    "One stream joins and plays seats of several matches to their ends",
)
async def many(session: Session) -> None:
    """Two matches, one seat of each over the stream; the others play by simple calls.

    The records are those that WatchMatch gives.
    """
    rule_set = rules.plain()
    matches = [await new_match(session, rule_set, joined=False) for _ in range(2)]
    playing = Playing(session)
    await playing.send([_seat(match, 0, join="over the stream") for match in matches])
    for match in matches:
        await playing.takes(match)
        session.expect("the seat that was taken", playing.taken(match), [0])
        await match.join(1)
    for _ in range(30):
        moves = []
        for match in matches:
            view = await match.view(0)
            if view.seat_view.public.over:
                continue
            if not view.HasField("decision"):
                await match.step(lambda decision: card_move(decision.legal_moves))
                view = await match.view(0)
            if view.HasField("decision"):
                decision = view.decision.decision_id
                await playing.asked(match, decision)
                move = card_move(view.decision.legal_moves)
                moves.append(_move(match.request(0, decision, move)))
        if not moves:
            break
        for sent, answer in zip(moves, await playing.answered(*moves), strict=True):
            name = f"the answer to {sent.request_id}"
            session.expect(f"{name}: its request", answer.request_id, sent.request_id)
            session.expect(f"{name}: its match", answer.match_id == sent.match_id)
            session.expect(f"{name} is a sequence", answer.WhichOneof("result"), "sequence")
    for match in matches:
        await match.play_out(lambda decision: card_move(decision.legal_moves))
        await playing.ends(match)
        watched = match.watch(0)
        await watched.to_end()
        session.expect(
            "the records are those of WatchMatch", playing.entries(match) == watched.entries
        )
    await playing.rest()
    session.expect("the stream's status", playing.code and playing.code.name, "OK")


@check(
    "play-refusals",
    "CALL-27 CALL-1",
    "Over the stream moves are refused as by the simple call, and it goes on",
)
async def refusals(session: Session) -> None:
    """Illegal, malformed, stale, of a match without a seat; then the right move is taken."""
    match, other = await new_match(session, rules.plain()), await new_match(session, rules.plain())
    playing = Playing(session)
    seat, view = await match.turn()
    await playing.send([_seat(match, seat)])
    await playing.until("the turn", lambda: playing.turns(match))
    now, right = view.decision.decision_id, view.decision.legal_moves[-1]
    foreign = (await match.view(1 - seat)).seat_view.hand[0]
    wrong = move_pb2.Move(play=move_pb2.Play(card=foreign))
    elsewhere = match.request(seat, now, right)
    elsewhere.match_id = other.match_id
    before = await match.everything()
    for what, request, expected in (
        (
            "an illegal move",
            match.request(seat, now, wrong),
            "FAILED_PRECONDITION CARD_NOT_IN_HAND",
        ),
        (
            "an empty move",
            match.request(seat, now, move_pb2.Move()),
            "INVALID_ARGUMENT MALFORMED_REQUEST",
        ),
        (
            "a stale move",
            match.request(seat, now - 1, right),
            "FAILED_PRECONDITION STALE_DECISION",
        ),
        (
            "a request id that is too long",
            match.request(seat, now, right, "x" * 65),
            "INVALID_ARGUMENT MALFORMED_REQUEST",
        ),
        ("a move of another match", elsewhere, "PERMISSION_DENIED WRONG_TOKEN"),
    ):
        (answer,) = await playing.answered(_move(request))
        refusal = answer.refusal
        said = Refusal(
            _CODES.get(refusal.code, str(refusal.code)),
            refusal.reason,
            "ronda.v1",
            metadata=dict(refusal.metadata),
            detail=refusal.detail,
        )
        if session.expect(f"{what} is refused", answer.WhichOneof("result"), "refusal"):
            session.judge(what, said, expected)
    session.expect("nothing has changed", await match.everything() == before)
    request = match.request(seat, now, right)
    first, again = await playing.answered(_move(request), _move(request))
    session.expect("the right move's record", first.sequence, view.next_sequence)
    session.expect("the same again", again.sequence, view.next_sequence)
    await playing.rest()
    session.expect("the stream's status", playing.code and playing.code.name, "OK")


@check(
    "play-wrong-token",
    "CALL-27 CALL-4",
    "A seat that cannot be taken is refused, and the stream goes on",
)
async def wrong_token(session: Session) -> None:
    """A token of another match, and a match that there is not; then a seat is taken."""
    match, other = await new_match(session, rules.plain()), await new_match(session, rules.plain())
    playing = Playing(session)
    stolen = _seat(match, 0)
    stolen.seat_token = other.tokens[0]
    await playing.send([stolen])
    await playing.until(
        "a refusal", lambda: any(one.HasField("refusal") for one in playing.of(match))
    )
    refusal = next(one.refusal for one in playing.of(match) if one.HasField("refusal"))
    session.expect("the reason", refusal.reason, "WRONG_TOKEN")
    session.expect("the code", _CODES.get(refusal.code), "PERMISSION_DENIED")
    session.expect("records that came", len(playing.entries(match)), 0)
    session.expect("seats taken", playing.taken(match), [])
    await playing.send([_seat(match, 1)])
    await playing.takes(match)
    session.expect("the seat that was taken", playing.taken(match), [1])


@check("play-turns-only", "CALL-27", "Without a sequence number turns come, and no record")
async def turns_only(session: Session) -> None:
    """Who plays many matches need not read all logs."""
    match = await new_match(session, rules.plain())
    seat, view = await match.turn()
    playing = Playing(session)
    await playing.send([_seat(match, seat, start=None)])
    await playing.until("the turn", lambda: playing.turns(match))
    turn = playing.turns(match)[0]
    session.expect("the turn's decision", turn.decision.decision_id, view.decision.decision_id)
    session.expect("the turn's view", turn.view == view.seat_view)
    move = match.request(seat, turn.decision.decision_id, turn.decision.legal_moves[-1])
    await playing.answered(_move(move))
    await match.resign(1 - seat)
    await playing.ends(match)
    session.expect("records that came", len(playing.entries(match)), 0)
