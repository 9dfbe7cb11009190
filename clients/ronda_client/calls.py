"""How the client makes its calls: what the parts of it have in common."""

from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable
from typing import TypeVar

from ronda_client.channels import Channels

_Answer = TypeVar("_Answer")


class Calls(ABC):
    """How `RefereeClient` makes its calls, for the parts that it is made of.

    Attributes:
        target: Where the referee listens, `host:port`.
    """

    target: str
    _call_timeout: float

    @property
    @abstractmethod
    def _open(self) -> Channels: ...

    @abstractmethod
    async def _repeat(self, attempt: Callable[[], Awaitable[_Answer]]) -> _Answer: ...
