"""The package's own log: structlog events that go out through the standard library's logging.

A program that sets nothing up sees warnings on standard error and no more.
"""

import logging
from functools import cache
from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from structlog.stdlib import BoundLogger


@cache
def log() -> "BoundLogger":
    """Return the log; structlog takes long to import, and most programs have nothing to log."""
    import structlog  # noqa: PLC0415  # see above

    return cast(
        "BoundLogger",
        structlog.wrap_logger(
            logging.getLogger("ronda_client"),
            processors=[
                structlog.stdlib.filter_by_level,
                structlog.processors.format_exc_info,
                structlog.processors.KeyValueRenderer(key_order=["event"]),
            ],
            wrapper_class=structlog.stdlib.BoundLogger,
        ),
    )
