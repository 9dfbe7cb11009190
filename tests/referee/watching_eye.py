"""A watcher that uses every call and every stream there is, and keeps each byte that it gets."""

import asyncio
import random
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import grpc
from google.protobuf.message import Message

from ronda.v1 import move_pb2
from ronda.v1 import referee_service_pb2 as pb
from ronda.v1.referee_service_pb2_grpc import RefereeServiceStub
from ronda_referee.convert import move_to_proto
from ronda_rules.moves import Play
from tests.referee.running import Table
from tests.referee.test_metrics import values
from tests.referee.watched_streams import SILENCE_SECONDS, Seen, Stream, bytes_of, refusal_of
from tests.rules.playouts import conceivable


@dataclass
class Eye:
    """One who watches a match from a seat, or without one.

    Attributes:
        table: the match.
        seat: the seat, or None.
        metrics_now: gives the metrics, or None where others' calls are not the same.
        seen: all that it got, in order.
        stage: the number of the stage that is being played.
        metrics: the metrics that it read.
    """

    table: Table
    seat: int | None
    metrics_now: Callable[[], Awaitable[str]] | None
    seen: list[Seen] = field(default_factory=list)
    stage: int = 0
    metrics: list[str] = field(default_factory=list)
    _watch: Stream | None = None
    _others: list[Stream] = field(default_factory=list)
    _play: Any = None
    _probes: int = 0
    _counted: dict[str, float] = field(default_factory=dict)

    @property
    def token(self) -> str:
        """The token that it shows."""
        return "" if self.seat is None else self.table.tokens[self.seat]

    @property
    def stub(self) -> RefereeServiceStub:
        """The referee."""
        return self.table.stub

    def note(self, way: str, data: bytes) -> None:
        """Keep something that it got."""
        self.seen.append(Seen(self.stage, way, data))

    async def before_the_start(self, rng: random.Random) -> None:
        """Ask for what hangs on no match, and begin to watch."""
        for way, asked in (
            ("rule sets", self.stub.ListRuleSets(pb.ListRuleSetsRequest())),
            ("rule set", self.stub.GetRuleSet(pb.GetRuleSetRequest(id="maghribi"))),
            ("rule set", self.stub.GetRuleSet(pb.GetRuleSetRequest(id="none"))),
            ("server info", self.stub.GetServerInfo(pb.GetServerInfoRequest())),
        ):
            await self._call(way, asked)
        self._watch = self._stream(0)
        await self._read(self._watch)
        self._play = self.stub.Play()
        if self.seat is not None:
            await self._take_seat(rng.choice((None, 0)), join=True)

    async def joins(self, seat: int, name: str, *, started: bool) -> None:
        """Have a seat taken; the watcher's own was taken over its stream if that could be."""
        request = pb.JoinMatchRequest(
            match_id=self.table.match_id,
            seat_token=self.table.tokens[seat],
            name=name,
            entropy=b"%d" % seat,
        )
        if seat != self.seat:
            await self.stub.JoinMatch(request)
            if not started:
                assert self._watch is not None
                await self._read(self._watch)
            return
        await self._call("joined", self.stub.JoinMatch(request))

    async def begins_to_count(self) -> None:
        """Take what was counted before its match as nothing."""
        if self.metrics_now is not None:
            self._counted = values(await self.metrics_now())

    async def acts(self, move: move_pb2.Move, name: str, *, twice: bool) -> None:
        """Move from its seat, perhaps twice, and once more with another content."""
        assert self.seat is not None
        decision = (await self._view()).decision
        request = self.table.request(self.seat, decision.decision_id, move, name)
        if self.stage % 2:
            played = pb.PlayMove(
                match_id=request.match_id,
                decision_id=request.decision_id,
                request_id=name,
                move=move,
            )
            await self._over_the_stream([played] * (1 + twice))
        else:
            for _ in range(1 + twice):
                await self._call("answer", self.stub.SubmitMove(request))
        request.move.CopyFrom(move_to_proto(Play(self.stage)))
        await self._call("refusal", self.stub.SubmitMove(request))

    async def look(self, rng: random.Random) -> None:
        """Look at everything that can be looked at."""
        view = await self._view()
        for stream in (self._watch, *self._others):
            assert stream is not None
            while not stream.over and (
                stream.next < view.next_sequence
                or (
                    view.HasField("decision")
                    and stream.asked != view.decision.decision_id
                    and self.seat is not None
                )
            ):
                await self._read(stream)
        await self._tries(view, rng)
        await self._asks(view, rng)
        if self.metrics_now is not None and rng.random() < 0.3:
            self.metrics.append(await self.metrics_now())
            # How many streams there are just now hangs on the moment at which one has ended.
            counted = {
                name: value
                for name, value in values(self.metrics[-1]).items()
                if name not in {"ronda_watchers", "ronda_play_streams"}
            }
            since = {name: value - self._counted.get(name, 0) for name, value in counted.items()}
            self.note("metrics", repr(sorted(since.items())).encode())

    async def comes_back(self, stub: RefereeServiceStub, rng: random.Random) -> None:
        """Watch the referee that was started anew, from a sequence number on."""
        self.table.stub = stub
        self._counted = {}
        self._others = []
        self._watch = self._stream(rng.randrange(3))
        self._play = stub.Play()
        if self.seat is not None:
            await self._take_seat(rng.choice((None, 0, 2)), join=False)

    async def leave(self, *, resigns: bool) -> None:
        """Change the token, resign where that is planned."""
        if self.seat is None:
            return
        match_id = self.table.match_id
        # Where two or four play the match is over and shows all; its streams end before that.
        plays_on = resigns and len(self.table.tokens) == 3
        if not plays_on:
            await self._changes_token()
        resigned = pb.ResignRequest(match_id=match_id, seat_token=self.token)
        for _ in range(2 * resigns):
            await self._call("resigned", self.stub.Resign(resigned))
        if plays_on:
            await self._view()

    async def _changes_token(self) -> None:
        assert self.seat is not None
        match_id = self.table.match_id
        for new in ("short", "A" * 42 + "E"):
            rotated = pb.RotateSeatTokenRequest(
                match_id=match_id, seat_token=self.token, new_seat_token=new
            )
            await self._call("rotated", self.stub.RotateSeatToken(rotated))
        old = self.token
        self.table.tokens[self.seat] = "A" * 42 + "E"
        resigned = pb.ResignRequest(match_id=match_id, seat_token=old)
        await self._call("refusal", self.stub.Resign(resigned))
        await self._view()

    async def to_the_end(self) -> None:
        """Read every stream until the referee ends it."""
        for stream in (self._watch, *self._others):
            while stream is not None and not stream.over:
                await self._read(stream)
        play, self._play = self._play, None
        try:
            while play and isinstance(message := await play.read(), pb.PlayResponse):
                self._take_in(message)
        except grpc.aio.AioRpcError as error:
            self.note("play ended", refusal_of(error))

    def _stream(self, start: int) -> Stream:
        request = pb.WatchMatchRequest(
            match_id=self.table.match_id, seat_token=self.token, from_sequence=start
        )
        return Stream(self.stub.WatchMatch(request))

    async def _read(self, stream: Stream) -> None:
        data = await stream.read()
        if data is not None:
            self.note("watch" if stream is self._watch else "second stream", data)

    async def _call(self, way: str, asked: Awaitable[Message]) -> None:
        try:
            self.note(way, bytes_of(await asked))
        except grpc.aio.AioRpcError as error:
            self.note(f"{way} refused", refusal_of(error))

    async def _view(self) -> pb.GetViewResponse:
        request = pb.GetViewRequest(match_id=self.table.match_id, seat_token=self.token)
        try:
            view = await self.stub.GetView(request)
        except grpc.aio.AioRpcError as error:
            self.note("view", refusal_of(error))
            return pb.GetViewResponse()
        self.note("view", bytes_of(view))
        return view

    async def _take_seat(self, start: int | None, *, join: bool) -> None:
        seat = pb.PlaySeat(match_id=self.table.match_id, seat_token=self.token)
        if start is not None:
            seat.from_sequence = start
        if join:
            # The same as it sends by a call later on.
            seat.join.name = f"bot {self.seat}"
            seat.join.entropy = b"%d" % (self.seat or 0)
        await self._play.write(pb.PlayRequest(seats=[seat]))
        taken = False
        while not taken:
            message = await self._play.read()
            taken = any(update.HasField("seat") for update in message.updates)
            if self.stage:
                self._take_in(message)
        if join:
            assert self._watch is not None
            await self._read(self._watch)

    def _take_in(self, message: pb.PlayResponse) -> None:
        """Keep answers and news apart: which of them share a message is chance.

        So it is, while seats are taken one at once after the other, which news share an update.
        """
        for answer in message.answers:
            self.note("play answer", bytes_of(answer))
        for update in message.updates:
            news = update.news
            of_one = [*news.entries, *([news.turn] if news.HasField("turn") else [])]
            for part in [update] if self.stage else of_one:
                self.note("play update", bytes_of(part))
        if not message.ByteSize():
            self.note("play update", b"")

    async def _tries(self, view: pb.GetViewResponse, rng: random.Random) -> None:
        """Try moves that are refused, for the open decision, a stale one and one to come.

        What is asked over the stream is answered after everything that came before.
        """
        legal = {bytes_of(move) for move in view.decision.legal_moves}
        seats = view.seat_view.public.seats or view.public_view.seats or len(self.table.tokens)
        moves = [move_to_proto(move) for move in conceivable(seats)]
        now = view.decision.decision_id or max(view.next_sequence, 1) - 1
        tried = [
            (now, move)
            for move in rng.sample(moves, len(moves) // 4)
            if bytes_of(move) not in legal
        ]
        for decision_id in (rng.randrange(now + 1), now - 1, now + 1, now + 4):
            if decision_id != view.decision.decision_id and decision_id >= 0:
                tried += [(decision_id, move) for move in rng.sample(moves, 2)]
        tried.append((now, move_pb2.Move()))
        plays = []
        for decision_id, move in tried:
            self._probes += 1
            plays.append(
                pb.PlayMove(
                    match_id=self.table.match_id,
                    decision_id=decision_id,
                    request_id=f"probe {self._probes}",
                    move=move,
                )
            )
        await self._over_the_stream(plays)
        for decision_id, move in rng.sample(tried, 2):
            await self._call("refusal", self.stub.SubmitMove(self._request(decision_id, move)))

    async def _over_the_stream(self, moves: Sequence[pb.PlayMove]) -> None:
        """Send moves; they are answered after everything that came before was said."""
        await self._play.write(pb.PlayRequest(moves=moves))
        left = len(moves)
        while left > 0:
            message = await asyncio.wait_for(self._play.read(), SILENCE_SECONDS)
            left -= len(message.answers)
            self._take_in(message)

    def _request(self, decision_id: int, move: move_pb2.Move) -> pb.SubmitMoveRequest:
        self._probes += 1
        return pb.SubmitMoveRequest(
            match_id=self.table.match_id,
            seat_token=self.token,
            decision_id=decision_id,
            request_id=f"probe {self._probes}",
            move=move,
        )

    async def _asks(self, view: pb.GetViewResponse, rng: random.Random) -> None:
        """Ask for some of all that can be asked for."""
        shown = view.next_sequence
        asks: Sequence[Callable[[], Awaitable[None]]] = (
            self._log_file,
            self._pages,
            lambda: self._second_stream(rng.randrange(shown + 1)),
            lambda: self._second_stream(shown + rng.choice((1, 9))),
            self._organisers_calls,
            self._false_tokens,
        )
        for ask in asks if self.stage < 2 else rng.sample(asks, 2):
            await ask()

    async def _log_file(self) -> None:
        request = pb.GetMatchLogRequest(match_id=self.table.match_id, seat_token=self.token)
        async for part in self.stub.GetMatchLog(request):
            self.note("log file", bytes_of(part))

    async def _pages(self) -> None:
        request = pb.ListMatchesRequest(page_size=1)
        for _ in range(3):
            try:
                page = await self.stub.ListMatches(request)
            except grpc.aio.AioRpcError as error:
                self.note("list", refusal_of(error))
                return
            self.note("list", bytes_of(page))
            request.page_token = page.next_page_token
        for state in (pb.MATCH_STATE_PLAYING, pb.MATCH_STATE_ENDED):
            await self._call("list", self.stub.ListMatches(pb.ListMatchesRequest(state=state)))

    async def _second_stream(self, start: int) -> None:
        """Watch from a sequence number, as far as there is anything; it is left open then."""
        view = await self._view()
        stream = self._stream(start)
        stream.next = start
        self._others.append(stream)
        if start > view.next_sequence + (0 if self.seat is None else 4):
            await self._read(stream)
        while not stream.over and (
            stream.next < view.next_sequence
            or (view.HasField("decision") and stream.asked != view.decision.decision_id)
        ):
            await self._read(stream)

    async def _organisers_calls(self) -> None:
        cancelled = pb.CancelMatchRequest(match_id=self.table.match_id)
        await self._call("organiser", self.stub.CancelMatch(cancelled))
        await self._call("organiser", self.stub.BackupStore(pb.BackupStoreRequest()))

    async def _false_tokens(self) -> None:
        match_id = self.table.match_id
        for token in ("", "A" * 43):
            asked: Sequence[Awaitable[Message]] = (
                self.stub.Resign(pb.ResignRequest(match_id=match_id, seat_token=token)),
                self.stub.RotateSeatToken(
                    pb.RotateSeatTokenRequest(match_id=match_id, seat_token=token)
                ),
                self.stub.JoinMatch(pb.JoinMatchRequest(match_id=match_id, seat_token=token)),
                self.stub.SubmitMove(pb.SubmitMoveRequest(match_id=match_id, seat_token=token)),
            )
            for one in asked:
                await self._call("refusal", one)
        if self.seat is not None:
            again = pb.JoinMatchRequest(match_id=match_id, seat_token=self.token, name="other")
            await self._call("joined", self.stub.JoinMatch(again))
