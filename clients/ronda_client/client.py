"""The referee's calls, typed, each repeated until its outcome is known."""

import secrets
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from pathlib import Path
from types import TracebackType
from typing import Self, TypeVar

import grpc

from ronda.v1.listed_rule_set_pb2 import ListedRuleSet
from ronda.v1.move_pb2 import Move
from ronda.v1.referee_service_pb2 import (
    GetMatchLogRequest,
    GetMatchLogResponse,
    GetRuleSetRequest,
    GetServerInfoRequest,
    GetServerInfoResponse,
    GetViewRequest,
    JoinMatchRequest,
    ListRuleSetsRequest,
    SeatClock,
    SubmitMoveRequest,
    Turn,
    WatchMatchRequest,
)
from ronda.v1.referee_service_pb2_grpc import RefereeServiceStub
from ronda_client.answers import CurrentView
from ronda_client.backoff import Backoff, Trouble
from ronda_client.chain import SeenRecord
from ronda_client.channels import Channels, checked_target, is_loopback
from ronda_client.errors import RefereeError, outcome_unknown, retry_after
from ronda_client.heads import Heads
from ronda_client.leaving import SeatCalls
from ronda_client.logger import log
from ronda_client.organising import OrganiserCalls
from ronda_client.watching import watch
from ronda_client.whole_file import write_whole

_Answer = TypeVar("_Answer")


class RefereeClient(OrganiserCalls, SeatCalls):
    """A referee, as an async context.

    It is used as::

        async with RefereeClient.connect("127.0.0.1:7632") as referee:
            match = await referee.create_match("maghribi", seats=2)

    Every call is repeated with the same contents while the referee cannot be reached, as the
    backoff says. All raise `RefereeError` where the referee refuses and
    `RefereeUnavailableError` where patience ends.
    """

    def __init__(
        self,
        target: str,
        *,
        credentials: grpc.ChannelCredentials | None = None,
        backoff: Backoff | None = None,
        organiser_token: str | None = None,
        call_timeout: float = 20.0,
        silence: float = 90.0,
        heads: Heads | None = None,
    ) -> None:
        """Take where the referee listens; nothing is sent before the first call.

        Args:
            target: `host:port`.
            credentials: For TLS, as from `tls_credentials`; None: none, which is right for
                loopback only.
            backoff: How to wait where the referee does not answer; None: the usual waits.
            organiser_token: What lets an organiser create and cancel matches and copy the store,
                where the referee asks for it; None: none.
            call_timeout: Seconds for one attempt of a call.
            silence: Seconds without even a heartbeat after which a watcher connects anew.
            heads: Where the heads of logs are kept, as `Heads(Path("heads.jsonl"))`, which
                outlives the client; None: in memory, as long as the client.

        Raises:
            ValueError: The target is no `host:port`, or an organiser's token would leave this
                machine in the clear.
        """
        self.target = checked_target(target)
        if organiser_token and credentials is None and not is_loopback(target):
            raise ValueError(
                f"an organiser's token goes to {target} over TLS only: give credentials, as from "
                "tls_credentials"
            )
        self._credentials = credentials
        self._backoff = backoff or Backoff()
        self._organiser_token = organiser_token
        self._call_timeout = call_timeout
        self._silence = silence
        self._heads = Heads() if heads is None else heads
        self._channels: Channels | None = None

    @classmethod
    def connect(
        cls,
        target: str,
        *,
        credentials: grpc.ChannelCredentials | None = None,
        backoff: Backoff | None = None,
        organiser_token: str | None = None,
        heads: Heads | None = None,
    ) -> Self:
        """Return a client for the referee at `target`, to be entered with `async with`.

        Raises:
            ValueError: As from the class itself.
        """
        return cls(
            target,
            credentials=credentials,
            backoff=backoff,
            organiser_token=organiser_token,
            heads=heads,
        )

    async def __aenter__(self) -> Self:
        self._channels = Channels(self.target, self._credentials)
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        channels, self._channels = self._channels, None
        if channels is not None:
            await channels.close()

    @property
    def backoff(self) -> Backoff:
        """How it waits where the referee does not answer."""
        return self._backoff

    @property
    def silence(self) -> float:
        """Seconds without even a heartbeat after which a stream counts as lost."""
        return self._silence

    @property
    def heads(self) -> Heads:
        """The heads of the logs that were followed."""
        return self._heads

    @property
    def stub(self) -> RefereeServiceStub:
        """The calls as they are, each made once, over the connection for calls."""
        return self._open.stub

    @property
    def _open(self) -> Channels:
        if self._channels is None:
            raise RuntimeError("the client is not open: use it within `async with`")
        return self._channels

    async def get_server_info(self) -> GetServerInfoResponse:
        """Return what the referee is: its version, key, limits and default terms."""
        stub = self._open.stub
        request = GetServerInfoRequest()
        return await self._repeat(lambda: stub.GetServerInfo(request, timeout=self._call_timeout))

    async def list_rule_sets(self) -> tuple[ListedRuleSet, ...]:
        """Return the rule sets that matches can be created with by id, with their sources."""
        stub = self._open.stub
        request = ListRuleSetsRequest()
        answer = await self._repeat(lambda: stub.ListRuleSets(request, timeout=self._call_timeout))
        return tuple(answer.rule_sets)

    async def get_rule_set(self, rule_set_id: str) -> ListedRuleSet:
        """Return one rule set in full, with the source of each of its values.

        Raises:
            RefereeError: `RULE_SET_NOT_FOUND`.
        """
        stub = self._open.stub
        request = GetRuleSetRequest(id=rule_set_id)
        answer = await self._repeat(lambda: stub.GetRuleSet(request, timeout=self._call_timeout))
        return answer.rule_set

    async def join(
        self, match_id: str, seat_token: str, *, name: str = "", entropy: bytes = b""
    ) -> int:
        """Take a seat and return its number. Joining again with the same contents is harmless.

        Args:
            match_id: The match.
            seat_token: The seat's token.
            name: The name to go by, up to 64 characters; public.
            entropy: Up to 64 bytes that enter the shuffle; public.

        Raises:
            RefereeError: `MATCH_NOT_FOUND`, `WRONG_TOKEN`, `ALREADY_JOINED` (with other
                contents), `MALFORMED_REQUEST`.
        """
        stub = self._open.stub
        request = JoinMatchRequest(
            match_id=match_id, seat_token=seat_token, name=name, entropy=entropy
        )
        answer = await self._repeat(lambda: stub.JoinMatch(request, timeout=self._call_timeout))
        return answer.seat

    def watch(
        self,
        match_id: str,
        seat_token: str = "",
        *,
        from_sequence: int = 0,
        clocks: Callable[[Sequence[SeatClock]], None] | None = None,
    ) -> AsyncGenerator[SeenRecord | Turn, None]:
        """Yield the log's records as they come, and with a seat's token its turns, to the end.

        The watcher comes back by itself wherever the stream breaks off, and goes on from the
        record that it has not seen. A turn is yielded again when it comes back before the seat
        has acted. Leave early with `contextlib.aclosing`.

        Args:
            match_id: The match.
            seat_token: The seat's token; empty: watch as the public.
            from_sequence: The first record wanted.
            clocks: Called with the seats' clocks, by seat, as they come; None: nobody reads them.

        Raises:
            ForkedLog: A record does not continue those seen before, by this stream or another one
                of the client, or is not the one that stands in the file of heads.
            RefereeError: `MATCH_NOT_FOUND`, `WRONG_TOKEN`, `SEQUENCE_OUT_OF_RANGE`,
                `REFEREE_FAULT`.
        """
        request = WatchMatchRequest(
            match_id=match_id, seat_token=seat_token, from_sequence=from_sequence
        )
        return watch(self._open, request, self._backoff, self._silence, self._heads, clocks)

    async def get_view(self, match_id: str, seat_token: str = "") -> CurrentView:
        """Return what a seat sees now, or what everyone sees without a token.

        Raises:
            RefereeError: `MATCH_NOT_FOUND`, `WRONG_TOKEN`, `MATCH_NOT_STARTED`.
        """
        stub = self._open.stub
        request = GetViewRequest(match_id=match_id, seat_token=seat_token)
        answer = await self._repeat(lambda: stub.GetView(request, timeout=self._call_timeout))
        seat = answer.WhichOneof("view") == "seat_view"
        return CurrentView(
            answer.next_sequence,
            answer.seat_view if seat else answer.public_view,
            answer.decision if answer.HasField("decision") else None,
        )

    async def submit_move(
        self,
        match_id: str,
        seat_token: str,
        decision_id: int,
        move: Move,
        *,
        request_id: str | None = None,
    ) -> int:
        """Submit a move and return the sequence number of its record once it is on disk.

        Of answers that are sealed until all have answered it is the number of the first. Where the
        answer is lost the same request goes out again under the same id, so that the
        move is made once whatever happened to the first.

        Args:
            match_id: The match.
            seat_token: The seat's token.
            decision_id: The decision that the move answers.
            move: The move.
            request_id: 1 to 64 characters that name this request among the seat's requests of
                the match; None: a random one.

        Raises:
            RefereeError: The move is illegal (its reason says why), `STALE_DECISION`,
                `REQUEST_ID_REUSED`, `WRONG_TOKEN`, `MATCH_NOT_FOUND`.
        """
        stub = self._open.stub
        request = SubmitMoveRequest(
            match_id=match_id,
            seat_token=seat_token,
            decision_id=decision_id,
            request_id=request_id or secrets.token_hex(16),
            move=move,
        )
        answer = await self._repeat(lambda: stub.SubmitMove(request, timeout=self._call_timeout))
        return answer.sequence

    async def get_match_log(self, match_id: str) -> bytes:
        """Return the log file of a match, byte for byte: whole once the match has ended.

        Before that as far as it goes, without what a seat alone may know.

        Raises:
            RefereeError: `MATCH_NOT_FOUND`.
        """
        stub = self._open.stub
        request = GetMatchLogRequest(match_id=match_id)

        async def whole() -> bytes:
            parts = bytearray()
            call = stub.GetMatchLog(request, timeout=self._call_timeout)
            while isinstance(part := await call.read(), GetMatchLogResponse):
                parts += part.data
            return bytes(parts)

        return await self._repeat(whole)

    async def save_match_log(self, match_id: str, path: Path) -> None:
        """Write what `get_match_log` returns to `path`, all of it or nothing.

        What is no regular file, as a FIFO, is written straight into.

        Raises:
            RefereeError: As `get_match_log`.
            OSError: The file cannot be written.
        """
        write_whole(path, await self.get_match_log(match_id))

    async def _repeat(self, attempt: Callable[[], Awaitable[_Answer]]) -> _Answer:
        trouble = Trouble(self._backoff, self.target)
        while True:
            try:
                answer = await attempt()
            except grpc.aio.AioRpcError as error:
                refusal = RefereeError.from_rpc(error)
                pause = retry_after(refusal)
                if pause is None and not outcome_unknown(error):
                    raise refusal from error
                log().info("call_interrupted", target=self.target, detail=str(refusal))
                await trouble.wait(str(refusal), pause or 0.0)
            else:
                trouble.over()
                return answer
