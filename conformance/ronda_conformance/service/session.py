"""One check's dealings with the referee: calls, what they must answer, and what was found."""

import asyncio
import random
from collections.abc import Awaitable, Callable, Coroutine
from dataclasses import dataclass, field
from typing import Any, TypeVar

import grpc

from ronda.v1.referee_service_pb2_grpc import RefereeServiceStub
from ronda_conformance.comparing import Mismatch
from ronda_conformance.refusals import Refusal, patiently, refusal_of
from ronda_conformance.service.pacing import Pace
from ronda_conformance.service.server_command import ServerProcess

_Answer = TypeVar("_Answer")
_LONGEST = 300
_Metadata = tuple[tuple[str, str], ...]


class Broken(Exception):
    """The check cannot go on; what was found stands in the session."""


@dataclass
class Setup:
    """What all checks of a run share.

    Attributes:
        target: the referee, HOST:PORT.
        channel: the connection to it.
        connect: opens another connection to it.
        seconds: how long a check may take.
        pace: how many calls the referee allows in a second.
        organiser_token: an organiser's token; None: there is none.
        process: the referee, where the runner has started it.
        shared: what several checks look at, by name, made once.
    """

    target: str
    channel: grpc.aio.Channel
    connect: Callable[[], grpc.aio.Channel]
    seconds: float
    pace: Pace = field(default_factory=lambda: Pace(0))
    organiser_token: str | None = None
    process: ServerProcess | None = None
    shared: dict[str, asyncio.Task[Any]] = field(default_factory=dict)

    @property
    def patience(self) -> float:
        """How long to wait, in seconds, for what must come by itself."""
        return self.seconds / 2


class Session:
    """What one check does and finds.

    Attributes:
        setup: what all checks share.
        stub: the referee's calls.
        rng: chance, the same in every run.
        found: what is not as it must be.
        tokens: the tokens that this check knows.
    """

    def __init__(self, setup: Setup, name: str) -> None:
        """Begin, with chance that hangs on the check's name alone."""
        self.setup = setup
        self.stub = RefereeServiceStub(setup.channel)
        self.rng = random.Random(name)  # noqa: S311  # what bots choose is no secret
        self.name = name
        self.found: list[Mismatch] = []
        self.tokens: set[str] = set()
        self._closing: list[Callable[[], Awaitable[None]]] = []

    def expect(self, what: str, got: object, expected: object = True) -> bool:  # noqa: FBT002  # the usual expectation
        """Note what is not as it must be; tell whether it is."""
        if got == expected:
            return True
        self.found.append(Mismatch(0, what, _text(expected), _text(got)))
        return False

    def need(self, what: str, got: object, expected: object = True) -> None:  # noqa: FBT002  # as above
        """Expect what the rest of the check stands on.

        Raises:
            Broken: it is not so.
        """
        if not self.expect(what, got, expected):
            raise Broken

    async def call(
        self,
        method: Any,  # noqa: ANN401  # of any call
        request: Any,  # noqa: ANN401  # as above
        metadata: _Metadata | None = None,
    ) -> Any:  # noqa: ANN401  # as above
        """Make a call, again where it came too soon; give the answer.

        Raises:
            grpc.aio.AioRpcError: it was refused for another reason.
        """
        return await patiently(lambda: method(request, metadata=metadata))

    async def refused(
        self,
        what: str,
        method: Any,  # noqa: ANN401  # of any call
        request: Any,  # noqa: ANN401  # as above
        expected: str,
        *,
        metadata: _Metadata | None = None,
    ) -> Refusal | None:
        """Make a call that must be refused.

        Args:
            what: what is asked, for the report.
            method: the call.
            request: what it is sent.
            expected: code and reason, and the field at fault where there is one, as
                `INVALID_ARGUMENT MALFORMED_REQUEST seats`; several separated by `|`.
            metadata: what goes along.

        Returns:
            What the refusal says; None where there was none.
        """
        try:
            answer = await self.call(method, request, metadata)
        except grpc.aio.AioRpcError as error:
            refusal = refusal_of(error)
        else:
            said = str(answer)
            self.expect(
                f"{what} is refused", f"it is accepted: {said}" if said else "accepted", expected
            )
            return None
        return self.judge(what, refusal, expected)

    def judge(self, what: str, refusal: Refusal, expected: str) -> Refusal:
        """Hold a refusal against what it must be, and against what none may say."""
        choices = [choice.strip() for choice in expected.split("|")]
        got = refusal.text(with_field=any(len(choice.split()) > 2 for choice in choices))  # noqa: PLR2004  # code, reason, field
        self.expect(f"{what} is refused", got if got not in choices else expected, expected)
        if refusal.reason:
            self.expect(f"{what}: the domain of the error", refusal.domain, "ronda.v1")
        told = refusal.everything
        self.expect(
            f"{what}: no token in the error",
            sum(token in told for token in self.tokens if token),
            0,
        )
        return refusal

    async def within(self, what: str, awaitable: Awaitable[_Answer]) -> _Answer:
        """Wait for what must come by itself.

        Raises:
            Broken: it has not come in time.
        """
        try:
            async with self.setup.pace.timeout(self.setup.patience):
                return await awaitable
        except TimeoutError:
            self.need(f"{what} comes", f"nothing within {self.setup.patience:g} s", "it comes")
            raise Broken from None

    async def shared(
        self, name: str, make: Callable[["Session"], Coroutine[Any, Any, _Answer]]
    ) -> _Answer:
        """Give what several checks look at; the first that asks makes it.

        Raises:
            Broken: it could not be made; what was found is this session's too.
        """
        maker: Session | None = None
        if name not in self.setup.shared:
            maker = Session(self.setup, name)
            self.setup.shared[name] = asyncio.create_task(_made(maker, make))
        made: tuple[_Answer | None, list[Mismatch]] = await asyncio.shield(self.setup.shared[name])
        answer, found = made
        self.found += found
        if answer is None:
            raise Broken
        return answer

    def at_end(self, close: Callable[[], Awaitable[None]]) -> None:
        """Have something done when the check is over, however it ends."""
        self._closing.append(close)

    async def close(self) -> None:
        """Leave nothing behind."""
        for close in reversed(self._closing):
            try:
                await asyncio.wait_for(close(), self.setup.patience)
            except (grpc.aio.AioRpcError, TimeoutError):
                # What cannot be tidied up says nothing about the check.
                continue


async def _made(
    session: Session, make: Callable[[Session], Coroutine[Any, Any, _Answer]]
) -> tuple[_Answer | None, list[Mismatch]]:
    try:
        return await make(session), session.found
    except Broken:
        return None, session.found
    finally:
        await session.close()


def _text(value: object) -> str:
    text = "yes" if value is True else "no" if value is False else str(value).strip()
    text = " ".join(text.split()) or "nothing"
    return text if len(text) <= _LONGEST else text[:_LONGEST] + "…"
