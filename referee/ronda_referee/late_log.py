"""The log of modules that also run where nothing is logged, as in a command that reads a store."""

from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from structlog.stdlib import BoundLogger


def log(module: str) -> "BoundLogger":
    """Give a module's log; structlog, which takes long to import, comes when it is wanted."""
    import structlog  # noqa: PLC0415 - see above

    return cast("BoundLogger", structlog.get_logger(module))
