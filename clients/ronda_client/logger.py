"""The package's own log: structlog events that go out through the standard library's logging.

A program that sets nothing up sees warnings on standard error and no more.
"""

import logging
from typing import cast

import structlog

log = cast(
    "structlog.stdlib.BoundLogger",
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
