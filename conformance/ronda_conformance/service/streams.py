"""A stream of WatchMatch as a check reads it, held against CALL-8 message by message."""

import asyncio
from collections.abc import Callable

import grpc

from ronda.v1 import log_pb2
from ronda.v1 import referee_service_pb2 as pb
from ronda_conformance.service.log_files import MalformedLog, parsed
from ronda_conformance.service.session import Session

WatchCall = grpc.aio.UnaryStreamCall[pb.WatchMatchRequest, pb.WatchMatchResponse]


class Stream:
    """One stream, and all that it has said.

    Attributes:
        messages: its messages, in order.
        code: how it has ended; None: it has not.
        error: the error that it has ended with, if any.
    """

    def __init__(self, session: Session, call: WatchCall, start: int) -> None:
        """Read a stream that begins at a record."""
        self.messages: list[pb.WatchMatchResponse] = []
        self.code: grpc.StatusCode | None = None
        self.error: grpc.aio.AioRpcError | None = None
        self._session = session
        self._call = call
        self._start = start

    @property
    def entries(self) -> list[pb.LogEntry]:
        """The records so far."""
        return [entry for message in self.messages for entry in message.entries]

    @property
    def records(self) -> list[log_pb2.LogRecord]:
        """The records so far, as messages."""
        return [parsed(entry.record) for entry in self.entries]

    @property
    def turns(self) -> list[pb.Turn]:
        """The turns so far."""
        return [message.turn for message in self.messages if message.HasField("turn")]

    @property
    def ends(self) -> list[bool]:
        """Each explicit end: whether it said that the log is complete."""
        return [one.ended.log_complete for one in self.messages if one.HasField("ended")]

    @property
    def next_sequence(self) -> int:
        """The number of the record that comes next."""
        return self.messages[-1].next_sequence if self.messages else self._start

    async def read(self) -> bool:
        """Take the next message in; False: the stream has ended."""
        if self.code is not None:
            return False
        try:
            message = await self._call.read()
        except grpc.aio.AioRpcError as error:
            self.code, self.error = error.code(), error
            return False
        if not isinstance(message, pb.WatchMatchResponse):
            self.code = await self._call.code()
            return False
        self.messages.append(message)
        return True

    async def until(self, what: str, reached: Callable[[], object]) -> None:
        """Take messages in until something is the case.

        Raises:
            Broken: the stream ends before, or it does not come in time.
        """

        async def reading() -> None:
            while not reached():
                if not await self.read():
                    said = "" if self.error is None else f": {self.error.details()}"
                    ended = f"the stream ended with {self.code and self.code.name}{said}"
                    self._session.need(f"{what} comes", ended, "it comes")

        await self._session.within(what, reading())

    async def reaches(self, sequence: int, what: str = "the records") -> None:
        """Take messages in until all records before a number have come.

        Raises:
            Broken: the stream ends before, or they do not come in time.
        """
        await self.until(what, lambda: self.next_sequence >= sequence)

    async def hears(self, what: str = "a message") -> None:
        """Take a message in.

        Raises:
            Broken: the stream ends before, or none comes in time.
        """
        await self.until(what, lambda: self.messages)

    async def asked(self, what: str = "the turn") -> pb.Turn:
        """Take messages in until the first turn; give it.

        Raises:
            Broken: the stream ends before, or none comes in time.
        """
        await self.until(what, lambda: self.turns)
        return self.turns[0]

    async def to_end(self) -> None:
        """Take everything in until the stream ends.

        Raises:
            Broken: it does not.
        """

        async def reading() -> None:
            while await self.read():
                pass

        await self._session.within("the end of a stream", reading())

    async def to_end_or_late(self) -> None:
        """Take everything in until the stream ends or it is time to give up."""
        try:
            async with asyncio.timeout(self._session.setup.patience):
                while await self.read():
                    pass
        except TimeoutError:
            await self.cancel()
            self.code = None

    async def cancel(self) -> None:
        """Go away."""
        self._call.cancel()

    def judge_into(self, session: Session, who: str) -> None:
        """Hold what has been said against CALL-8 and CALL-9; note it in a session."""
        expect = session.expect
        at = self._start
        for number, message in enumerate(self.messages):
            for entry in message.entries:
                if not expect(f"{who}: records in order, without a gap", entry.sequence, at):
                    return
                try:
                    said = parsed(entry.record).sequence
                except MalformedLog as error:
                    expect(f"{who}: record {at} can be read", str(error), "it can")
                    return
                expect(f"{who}: record {at} stands in its own bytes", said, at)
                at += 1
            expect(f"{who}: next_sequence after record {at - 1}", message.next_sequence, at)
            last = number == len(self.messages) - 1
            if message.HasField("ended") and not last:
                expect(f"{who}: nothing comes after the end", "a message", "nothing")
