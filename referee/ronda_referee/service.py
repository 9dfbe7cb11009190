"""RefereeService over gRPC: checks what comes in, asks the referee, answers.

An acknowledged answer is on disk. Errors become statuses in `ronda_referee.statuses`.
"""

from collections.abc import AsyncIterator
from contextlib import aclosing

from grpc.aio import ServicerContext

from ronda.v1 import log_pb2
from ronda.v1 import referee_service_pb2 as pb
from ronda.v1.referee_service_pb2_grpc import RefereeServiceServicer
from ronda_referee.convert import MalformedMessage, public_view_to_proto, seat_view_to_proto
from ronda_referee.errors import ServiceError, ServiceReason
from ronda_referee.log_file import MAGIC, frame
from ronda_referee.match import Match
from ronda_referee.play_stream import MOVES_IN_FLIGHT, PlayStream
from ronda_referee.referee import Referee
from ronda_referee.requests import check_known
from ronda_referee.rule_sets import RuleSets
from ronda_referee.seat_calls import join, open_seat, submit
from ronda_referee.statuses import refusing, refusing_stream
from ronda_referee.watching import turn_of, watch
from ronda_rules.view import public_view, seat_view

_CHUNK = 32 * 1024
_ROWS_AT_ONCE = 256

HEARTBEAT_SECONDS = 15.0


class RefereeService(RefereeServiceServicer):
    """The referee as gRPC sees it."""

    def __init__(
        self,
        referee: Referee,
        rule_sets: RuleSets,
        heartbeat_seconds: float = HEARTBEAT_SECONDS,
        moves_in_flight: int = MOVES_IN_FLIGHT,
    ) -> None:
        """Serve a referee and the rule sets that can be named by id.

        Watchers get a sign of life after `heartbeat_seconds` without news. Of one stream that
        plays no more than `moves_in_flight` moves are taken before they are answered.
        """
        self._referee = referee
        self._rule_sets = rule_sets
        self._heartbeat_seconds = heartbeat_seconds
        self._moves_in_flight = moves_in_flight

    async def ListRuleSets(
        self,
        request: pb.ListRuleSetsRequest,
        context: ServicerContext[pb.ListRuleSetsRequest, pb.ListRuleSetsResponse],
    ) -> pb.ListRuleSetsResponse:
        """List the rule sets that matches can be created with by id."""
        return pb.ListRuleSetsResponse(rule_sets=self._rule_sets.all())

    @refusing
    async def GetRuleSet(
        self,
        request: pb.GetRuleSetRequest,
        context: ServicerContext[pb.GetRuleSetRequest, pb.GetRuleSetResponse],
    ) -> pb.GetRuleSetResponse:
        """Give one rule set."""
        return pb.GetRuleSetResponse(rule_set=self._rule_sets.get(request.id))

    @refusing
    async def CreateMatch(
        self,
        request: pb.CreateMatchRequest,
        context: ServicerContext[pb.CreateMatchRequest, pb.CreateMatchResponse],
    ) -> pb.CreateMatchResponse:
        """Create a match and a token for each seat."""
        check_known(request)
        if request.WhichOneof("rules") is None:
            raise MalformedMessage("rules", "is empty; a rule_set_id or a rule_set is needed")
        by_id = request.HasField("rule_set_id")
        self._rule_sets.refuse_borrowed_id(request.rule_set)
        wanted = log_pb2.LogHeader(
            rule_set=self._rule_sets.get(request.rule_set_id) if by_id else request.rule_set,
            seats=request.seats,
        )
        fixed_draws = request.fixed_draws if request.HasField("fixed_draws") else None
        match_id, tokens = await self._referee.create(wanted, fixed_draws)
        return pb.CreateMatchResponse(match_id=match_id, seat_tokens=tokens)

    @refusing
    async def JoinMatch(
        self,
        request: pb.JoinMatchRequest,
        context: ServicerContext[pb.JoinMatchRequest, pb.JoinMatchResponse],
    ) -> pb.JoinMatchResponse:
        """Take a seat with its token."""
        return pb.JoinMatchResponse(seat=await join(self._referee, request))

    @refusing_stream
    async def WatchMatch(
        self,
        request: pb.WatchMatchRequest,
        context: ServicerContext[pb.WatchMatchRequest, pb.WatchMatchResponse],
    ) -> AsyncIterator[pb.WatchMatchResponse]:
        """Stream the log from a sequence number on, with a seat's secrets and turns for itself."""
        match = self._referee.match(request.match_id)
        seat = _watching_seat(match, request.seat_token)
        messages = watch(self._referee, match, seat, request.from_sequence, self._heartbeat_seconds)
        async for message in messages:
            yield message

    @refusing
    async def GetView(
        self,
        request: pb.GetViewRequest,
        context: ServicerContext[pb.GetViewRequest, pb.GetViewResponse],
    ) -> pb.GetViewResponse:
        """Give the view of a seat, or the public view without a token."""
        match = self._referee.match(request.match_id)
        seat = _watching_seat(match, request.seat_token)
        published = match.published
        if published.state is None:
            raise ServiceError(
                ServiceReason.MATCH_NOT_STARTED,
                "the match has not started: not every seat has joined",
                match_id=match.match_id,
            )
        if seat is None:
            return pb.GetViewResponse(
                next_sequence=published.sequence,
                public_view=public_view_to_proto(public_view(published.state)),
            )
        turn = turn_of(match, seat)
        return pb.GetViewResponse(
            next_sequence=published.sequence,
            seat_view=seat_view_to_proto(seat_view(published.state, seat)),
            decision=None if turn is None else turn.decision,
        )

    @refusing
    async def SubmitMove(
        self,
        request: pb.SubmitMoveRequest,
        context: ServicerContext[pb.SubmitMoveRequest, pb.SubmitMoveResponse],
    ) -> pb.SubmitMoveResponse:
        """Apply a move; the answer says that it is on disk."""
        return pb.SubmitMoveResponse(sequence=await submit(self._referee, request))

    @refusing_stream
    async def Play(
        self,
        requests: AsyncIterator[pb.PlayRequest],
        context: ServicerContext[pb.PlayRequest, pb.PlayResponse],
    ) -> AsyncIterator[pb.PlayResponse]:
        """Play any number of seats over one stream."""
        stream = PlayStream(self._referee, self._heartbeat_seconds, self._moves_in_flight)
        async with aclosing(stream.messages(requests)) as messages:
            async for message in messages:
                yield message

    @refusing_stream
    async def GetMatchLog(
        self,
        request: pb.GetMatchLogRequest,
        context: ServicerContext[pb.GetMatchLogRequest, pb.GetMatchLogResponse],
    ) -> AsyncIterator[pb.GetMatchLogResponse]:
        """Stream the log file of a match that has ended."""
        match = self._referee.match(request.match_id)
        if not match.published.complete:
            raise ServiceError(
                ServiceReason.MATCH_NOT_ENDED,
                "the match goes on; its log is given out when it has ended",
                match_id=match.match_id,
            )
        data = bytearray(MAGIC)
        start = 0
        while rows := match.rows(start, _ROWS_AT_ONCE):
            start += len(rows)
            for row in rows:
                data += frame(row.record)
            while len(data) >= _CHUNK:
                yield pb.GetMatchLogResponse(data=bytes(data[:_CHUNK]))
                del data[:_CHUNK]
        yield pb.GetMatchLogResponse(data=bytes(data))


def _watching_seat(match: Match, token: str) -> int | None:
    return open_seat(match, token) if token else None
