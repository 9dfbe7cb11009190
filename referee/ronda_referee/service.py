"""RefereeService over gRPC: checks what comes in, asks the referee, answers.

An acknowledged answer is on disk. Errors become statuses in `ronda_referee.statuses`.
"""

from collections.abc import AsyncGenerator, AsyncIterator, Iterable
from contextlib import aclosing
from typing import TypeVar

from grpc.aio import ServicerContext

from ronda.v1 import log_pb2
from ronda.v1 import referee_service_pb2 as pb
from ronda.v1.referee_service_pb2_grpc import RefereeServiceServicer
from ronda_referee.backups import Backups
from ronda_referee.convert import MalformedMessage, public_view_to_proto, seat_view_to_proto
from ronda_referee.errors import ServiceError, ServiceReason
from ronda_referee.listing import list_matches
from ronda_referee.log_export import log_parts
from ronda_referee.match import Match
from ronda_referee.play_stream import PlayStream
from ronda_referee.referee import Referee
from ronda_referee.requests import check_known, shared_shuffle_of
from ronda_referee.rule_sets import RuleSets
from ronda_referee.seat_calls import join, open_seat, submit
from ronda_referee.slow_watchers import SlowWatchers
from ronda_referee.statuses import refusing, refusing_stream
from ronda_referee.tokens import hash_of_new_token
from ronda_referee.watcher_limits import WatcherLimits
from ronda_referee.watching import clocks_of, tell_decision, watch
from ronda_rules.view import public_view, seat_view

_Message = TypeVar("_Message")


class RefereeService(RefereeServiceServicer):
    """The referee as gRPC sees it."""

    def __init__(
        self,
        referee: Referee,
        rule_sets: RuleSets,
        info: pb.GetServerInfoResponse,
        watcher_limits: WatcherLimits,
        heartbeat_seconds: float,
        backups: Backups,
        moves_in_flight: int,
        slow_watchers: SlowWatchers,
    ) -> None:
        """Serve a referee and the rule sets that can be named by id.

        `info` is what the referee says of itself. Watchers get a sign of life after
        `heartbeat_seconds` without news; `backups` copies the store. Of one stream that plays no
        more than `moves_in_flight` moves are taken before they are answered.
        `slow_watchers` ends the streams of clients that do not read.
        """
        self._referee = referee
        self._rule_sets = rule_sets
        self._info = info
        self._watcher_limits = watcher_limits
        self._heartbeat_seconds = heartbeat_seconds
        self._backups = backups
        self._moves_in_flight = moves_in_flight
        self._slow_watchers = slow_watchers

    async def ListRuleSets(
        self,
        request: pb.ListRuleSetsRequest,
        context: ServicerContext[pb.ListRuleSetsRequest, pb.ListRuleSetsResponse],
    ) -> pb.ListRuleSetsResponse:
        """List the rule sets that matches can be created with by id."""
        return pb.ListRuleSetsResponse(rule_sets=self._rule_sets.all())

    async def GetServerInfo(
        self,
        request: pb.GetServerInfoRequest,
        context: ServicerContext[pb.GetServerInfoRequest, pb.GetServerInfoResponse],
    ) -> pb.GetServerInfoResponse:
        """Say what this referee is."""
        return self._info

    @refusing
    async def GetRuleSet(
        self,
        request: pb.GetRuleSetRequest,
        context: ServicerContext[pb.GetRuleSetRequest, pb.GetRuleSetResponse],
    ) -> pb.GetRuleSetResponse:
        """Give one rule set, with the sources of its values."""
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
            rule_set=(
                self._rule_sets.get(request.rule_set_id).rule_set if by_id else request.rule_set
            ),
            seats=request.seats,
            terms=request.terms,
        )
        fixed_draws = request.fixed_draws if request.HasField("fixed_draws") else None
        shared_shuffle = shared_shuffle_of(request)
        match_id, tokens = await self._referee.create(wanted, fixed_draws, shared_shuffle)
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
        self._watcher_limits.take(match.match_id, seat, context)
        if seat in match.published.decisions:
            # It is asked at once, and what it sees must be known for that.
            await match.wake()
        messages = watch(
            self._referee,
            match,
            request.seat_token,
            request.from_sequence,
            self._heartbeat_seconds,
        )
        watched = self._slow_watchers.ended(messages, context, _next_sequence)
        async with aclosing(watched) as given:
            async for message in given:
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
        await match.wake()
        state = match.seen(seat)
        if state is None:
            detail = "the match has not started: not every seat has joined"
            if match.seen(0) is not None:
                detail = "who watches this match without a seat is kept behind its start for now"
            raise ServiceError(ServiceReason.MATCH_NOT_STARTED, detail, match_id=match.match_id)
        response = pb.GetViewResponse(
            next_sequence=match.published.sequence_for(seat), clocks=clocks_of(match, seat)
        )
        if seat is None:
            response.public_view.CopyFrom(public_view_to_proto(public_view(state)))
            return response
        response.seat_view.CopyFrom(seat_view_to_proto(seat_view(state, seat)))
        if seat in match.published.decisions:
            tell_decision(match, seat, state, response)
        return response

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
        played = self._slow_watchers.ended(stream.messages(requests), context)
        async with aclosing(played) as messages:
            async for message in messages:
                yield message

    @refusing
    async def Resign(
        self,
        request: pb.ResignRequest,
        context: ServicerContext[pb.ResignRequest, pb.ResignResponse],
    ) -> pb.ResignResponse:
        """Let a seat forfeit."""
        self._referee.refuse_when_draining()
        match = self._referee.match(request.match_id)
        seat = open_seat(match, request.seat_token)
        return pb.ResignResponse(sequence=await match.resign(seat))

    @refusing
    async def RotateSeatToken(
        self,
        request: pb.RotateSeatTokenRequest,
        context: ServicerContext[pb.RotateSeatTokenRequest, pb.RotateSeatTokenResponse],
    ) -> pb.RotateSeatTokenResponse:
        """Have a new token open a seat in place of the old one."""
        self._referee.refuse_when_draining()
        match = self._referee.match(request.match_id)
        open_seat(match, request.seat_token)
        new = hash_of_new_token(request.new_seat_token)
        await match.change_token(request.seat_token, new)
        return pb.RotateSeatTokenResponse()

    @refusing
    async def CancelMatch(
        self,
        request: pb.CancelMatchRequest,
        context: ServicerContext[pb.CancelMatchRequest, pb.CancelMatchResponse],
    ) -> pb.CancelMatchResponse:
        """Cancel a match that has not ended."""
        self._referee.refuse_when_draining()
        await self._referee.match(request.match_id).cancel()
        return pb.CancelMatchResponse()

    @refusing_stream
    async def GetMatchLog(
        self,
        request: pb.GetMatchLogRequest,
        context: ServicerContext[pb.GetMatchLogRequest, pb.GetMatchLogResponse],
    ) -> AsyncIterator[pb.GetMatchLogResponse]:
        """Stream the log file of a match, as far as whoever asks may see it."""
        match = self._referee.match(request.match_id)
        seat = _watching_seat(match, request.seat_token)
        read = self._slow_watchers.ended(_as_stream(log_parts(match, seat)), context)
        async with aclosing(read) as parts:
            async for part in parts:
                yield part

    @refusing
    async def ListMatches(
        self,
        request: pb.ListMatchesRequest,
        context: ServicerContext[pb.ListMatchesRequest, pb.ListMatchesResponse],
    ) -> pb.ListMatchesResponse:
        """Give a page of the matches, the newest first."""
        return list_matches(self._referee.store, request)

    @refusing
    async def BackupStore(
        self,
        request: pb.BackupStoreRequest,
        context: ServicerContext[pb.BackupStoreRequest, pb.BackupStoreResponse],
    ) -> pb.BackupStoreResponse:
        """Copy the store while matches go on; give the copy's name once it is on disk."""
        self._referee.refuse_when_draining()
        file = await self._backups.make()
        return pb.BackupStoreResponse(file=file.name)


def _watching_seat(match: Match, token: str) -> int | None:
    return open_seat(match, token) if token else None


def _next_sequence(message: pb.WatchMatchResponse) -> int:
    return message.next_sequence


async def _as_stream(messages: Iterable[_Message]) -> AsyncGenerator[_Message]:
    for message in messages:
        yield message
