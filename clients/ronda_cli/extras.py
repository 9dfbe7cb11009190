"""Which optional dependencies a command needs, and what to say where they are not installed."""

import importlib.util
from collections.abc import Callable, Sequence

DISTRIBUTION = "ronda-referee"

# The modules by which an extra of pyproject.toml is known to be installed.
MODULES_OF_EXTRA = {
    "server": ("apsw", "cryptography", "grpc_health", "grpc_reflection"),
    "conformance": ("jsonschema", "ruamel.yaml"),
    "metrics": ("prometheus_client",),
    "terminal": ("rich", "textual"),
    "tournament": ("openskill", "rich"),
    "fairness": ("matplotlib", "numpy", "scipy"),
}


class MissingExtraError(Exception):
    """A command needs optional dependencies that are not installed.

    Attributes:
        command: The command.
        extras: The extras to install.
    """

    def __init__(self, command: str, extras: Sequence[str]) -> None:
        self.command = command
        self.extras = tuple(extras)
        which = " and ".join(f'"{extra}"' for extra in extras)
        super().__init__(
            f"ronda {command} needs the extra{'s' if len(extras) > 1 else ''} {which}: "
            f"pip install '{DISTRIBUTION}[{','.join(extras)}]'"
        )


def is_installed(module: str) -> bool:
    """Tell whether a module can be imported, without importing it."""
    try:
        return importlib.util.find_spec(module) is not None
    except ModuleNotFoundError:
        # The package around it is missing.
        return False


def require(
    command: str, extras: Sequence[str], installed: Callable[[str], bool] = is_installed
) -> None:
    """Make sure that all of a command's optional dependencies are there.

    Raises:
        MissingExtraError: They are not; it names the extras that are incomplete.
    """
    missing = [
        extra
        for extra in extras
        if not all(installed(module) for module in MODULES_OF_EXTRA[extra])
    ]
    if missing:
        raise MissingExtraError(command, missing)
