"""Tells whoever waits at a terminal that a referee does not answer."""

import sys
from collections.abc import Callable
from typing import TextIO

# A referee that is started again is back before so many attempts have failed.
_ATTEMPTS_IN_SILENCE = 3


def notice_of(
    target: str, patience: float, stream: TextIO | None = None
) -> Callable[[str | None], None]:
    """Return a `Backoff.notice` that says once what is waited for, and once that it is over.

    Args:
        target: Where the referee should be.
        patience: Seconds after which the client gives up.
        stream: Where to write; None: standard error.
    """
    failed = 0

    def notice(detail: str | None) -> None:
        nonlocal failed
        waited = failed
        failed = 0 if detail is None else failed + 1
        if failed == _ATTEMPTS_IN_SILENCE:
            text = f"{target} does not answer; tried again for {patience:g} s ({detail})"
        elif detail is None and waited >= _ATTEMPTS_IN_SILENCE:
            text = f"{target} answers"
        else:
            return
        print(f"ronda: {text}", file=stream or sys.stderr, flush=True)

    return notice
