"""A match as a check drives it: call by call, with a token for each seat."""

import asyncio
import contextlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import grpc

from ronda.v1 import decision_pb2, log_pb2, match_terms_pb2, move_pb2, rule_set_pb2
from ronda.v1 import referee_service_pb2 as pb
from ronda_conformance.service.log_files import LogFile, parsed
from ronda_conformance.service.session import Session
from ronda_conformance.service.streams import Stream

# A match that is not finished does not stay open for long.
_JOIN_TIMEOUT_MS = 120_000
_MOST_MOVES = 400

Chooser = Callable[[decision_pb2.Decision], move_pb2.Move]


@dataclass
class Match:
    """A match, and the tokens of all its seats.

    Attributes:
        session: the check that drives it.
        rules: its rule set.
        match_id: its id.
        tokens: its tokens, by seat.
    """

    session: Session
    rules: rule_set_pb2.RuleSet
    match_id: str
    tokens: list[str]
    requests: int = field(default=0)

    @property
    def seats(self) -> int:
        """How many seats play."""
        return len(self.tokens)

    @property
    def watchers(self) -> list[int | None]:
        """Everyone who can watch: the public, then the seats."""
        return [None, *range(self.seats)]

    def token(self, seat: int | None) -> str:
        """Give a seat's token; empty for the public."""
        return "" if seat is None else self.tokens[seat]

    async def join(self, seat: int, name: str = "", entropy: bytes = b"") -> int:
        """Take a seat; give its number as the referee says it."""
        request = pb.JoinMatchRequest(
            match_id=self.match_id, seat_token=self.tokens[seat], name=name, entropy=entropy
        )
        answer: pb.JoinMatchResponse = await self.session.call(self.session.stub.JoinMatch, request)
        return answer.seat

    async def join_all(self) -> None:
        """Take every seat."""
        for seat in range(self.seats):
            self.session.need(f"the seat of token {seat}", await self.join(seat), seat)

    def view_request(self, seat: int | None) -> pb.GetViewRequest:
        """Give the request for a view."""
        return pb.GetViewRequest(match_id=self.match_id, seat_token=self.token(seat))

    async def view(self, seat: int | None) -> pb.GetViewResponse:
        """Give a seat's view, or the public one."""
        answer: pb.GetViewResponse = await self.session.call(
            self.session.stub.GetView, self.view_request(seat)
        )
        return answer

    async def turn(self) -> tuple[int, pb.GetViewResponse]:
        """Give the first seat that is asked, and its view.

        Raises:
            Broken: nobody is.
        """
        for seat in range(self.seats):
            view = await self.view(seat)
            if view.HasField("decision"):
                return seat, view
        self.session.need("a seat is asked", "none is", "one is")
        raise AssertionError("it is needed")

    def request(
        self, seat: int, decision_id: int, move: move_pb2.Move, request_id: str | None = None
    ) -> pb.SubmitMoveRequest:
        """Give the request for a move, with a request id of its own unless one is given."""
        self.requests += 1
        return pb.SubmitMoveRequest(
            match_id=self.match_id,
            seat_token=self.tokens[seat],
            decision_id=decision_id,
            request_id=f"r-{self.requests}" if request_id is None else request_id,
            move=move,
        )

    async def submit(self, request: pb.SubmitMoveRequest) -> int:
        """Make a move; give the number of its record."""
        answer: pb.SubmitMoveResponse = await self.session.call(
            self.session.stub.SubmitMove, request
        )
        return answer.sequence

    async def step(self, choose: Chooser | None = None) -> tuple[pb.SubmitMoveRequest, int]:
        """Have the first seat that is asked move; give the request and the number of its record."""
        seat, view = await self.turn()
        move = (choose or self.random_move)(view.decision)
        request = self.request(seat, view.decision.decision_id, move)
        return request, await self.submit(request)

    def random_move(self, decision: decision_pb2.Decision) -> move_pb2.Move:
        """Choose a legal move by chance.

        Raises:
            Broken: there is none.
        """
        self.session.need("a decision has legal moves", bool(decision.legal_moves))
        return self.session.rng.choice(list(decision.legal_moves))

    async def play_out(self, choose: Chooser | None = None) -> None:
        """Play to the end.

        Raises:
            Broken: it does not end.
        """
        for _ in range(_MOST_MOVES):
            if (await self.view(0)).seat_view.public.over:
                return
            await self.step(choose)
        self.session.need("a single deal ends", f"not after {_MOST_MOVES} moves", "it ends")

    def watch(self, seat: int | None, start: int = 0, stub: object = None) -> Stream:
        """Begin to watch; the stream is let go of when the check is over."""
        request = pb.WatchMatchRequest(
            match_id=self.match_id, seat_token=self.token(seat), from_sequence=start
        )
        used = self.session.stub if stub is None else stub
        stream = Stream(self.session, getattr(used, "WatchMatch")(request), start)  # noqa: B009  # stubs have no common type
        self.session.at_end(stream.cancel)
        return stream

    async def entries(self, seat: int | None, start: int = 0) -> list[pb.LogEntry]:
        """Give the records that are there now, as a seat or the public gets them."""
        length = (await self.view(seat)).next_sequence
        stream = self.watch(seat, start)
        await stream.until(f"record {length - 1}", lambda: stream.next_sequence >= length)
        await stream.cancel()
        return stream.entries

    async def records(self, seat: int | None = None) -> list[log_pb2.LogRecord]:
        """Give those records as messages."""
        return [parsed(entry.record) for entry in await self.entries(seat)]

    async def log(self, seat: int | None) -> LogFile:
        """Give the log file as a seat or the public gets it."""
        file = LogFile()
        request = pb.GetMatchLogRequest(match_id=self.match_id, seat_token=self.token(seat))
        async for part in self.session.stub.GetMatchLog(request):
            file.data += part.data
            file.openings += part.openings
        return file

    async def everything(self) -> list[bytes]:
        """Give all that anybody can see of the match now, but for clocks."""
        seen: list[bytes] = []
        for seat in self.watchers:
            view, log = await self.view(seat), await self.log(seat)
            view.ClearField("clocks")
            view.decision.ClearField("milliseconds_left") if view.HasField("decision") else None
            seen += [view.SerializeToString(deterministic=True), log.data]
            seen += [one.SerializeToString() for one in log.openings]
        return seen

    async def resign(self, seat: int) -> int:
        """Give a seat up; give the number of the forfeit's record."""
        answer: pb.ResignResponse = await self.session.call(
            self.session.stub.Resign, self.resignation(seat)
        )
        return answer.sequence

    def resignation(self, seat: int) -> pb.ResignRequest:
        """Give the request for it."""
        return pb.ResignRequest(match_id=self.match_id, seat_token=self.tokens[seat])

    async def close(self) -> None:
        """Leave no open match behind; one that has not started ends by itself."""
        for seat in range(self.seats - 1):
            with contextlib.suppress(grpc.aio.AioRpcError):
                await self.session.stub.Resign(self.resignation(seat))


async def new_match(
    session: Session,
    rules: rule_set_pb2.RuleSet,
    seats: int = 2,
    *,
    terms: match_terms_pb2.MatchTerms | None = None,
    joined: bool = True,
) -> Match:
    """Create a match, and have every seat join.

    Raises:
        Broken: the answer is none.
        grpc.aio.AioRpcError: it was refused.
    """
    sent = match_terms_pb2.MatchTerms()
    if terms is not None:
        sent.CopyFrom(terms)
    sent.join_timeout_ms = sent.join_timeout_ms or _JOIN_TIMEOUT_MS
    request = pb.CreateMatchRequest(rule_set=rules, seats=seats, terms=sent)
    created: pb.CreateMatchResponse = await session.call(
        session.stub.CreateMatch, request, as_organiser(session)
    )
    session.need("tokens of a new match", len(created.seat_tokens), seats)
    match = Match(session, rules, created.match_id, list(created.seat_tokens))
    session.tokens |= set(match.tokens)
    session.at_end(match.close)
    if joined:
        await match.join_all()
    return match


def as_organiser(session: Session) -> tuple[tuple[str, str], ...]:
    """Give the metadata of an organiser's call."""
    token = session.setup.organiser_token
    return () if token is None else (("authorization", f"Bearer {token}"),)


def card_move(moves: Sequence[move_pb2.Move]) -> move_pb2.Move:
    """Give the last legal move: a card wherever one can be played, else a pass."""
    return moves[-1]


def quiet(decision: decision_pb2.Decision) -> move_pb2.Move:
    """Choose a pass where there is one, else the last card: announce and challenge nothing."""
    for move in decision.legal_moves:
        if move.HasField("pass"):
            return move
    return decision.legal_moves[-1]


async def settled(session: Session, seconds: float = 0.05) -> None:
    """Give what should not come a moment to come all the same."""
    await asyncio.sleep(min(seconds, session.setup.patience))
