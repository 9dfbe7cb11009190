"""What the referee takes from the world around it: the clocks and the operating system's entropy.

Tests put their own in their place; nothing else in the service asks for them.
"""

import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from ronda_referee.chain import NonceSealer, Sealer


def _now_ms() -> int:
    return time.time_ns() // 1_000_000


def _monotonic_ms() -> int:
    return time.monotonic_ns() // 1_000_000


@dataclass(frozen=True, slots=True)
class Surroundings:
    """The world around a referee.

    Attributes:
        now_ms: gives the time, in milliseconds since 1970 UTC.
        monotonic_ms: gives milliseconds on a clock that never goes back and that nobody sets.
        entropy: gives as many unguessable bytes as it is asked for.
        sealer: commits to what only some may see.
    """

    now_ms: Callable[[], int] = _now_ms
    monotonic_ms: Callable[[], int] = _monotonic_ms
    entropy: Callable[[int], bytes] = secrets.token_bytes
    sealer: Sealer = field(default_factory=NonceSealer)
