"""How a command fails with a message instead of a traceback."""


class CommandError(Exception):
    """A command cannot go on; the message says why and what would be right.

    Attributes:
        code: The exit code: 1 for a failure, 2 for a wrong use of the command.
    """

    def __init__(self, message: str, *, code: int = 1) -> None:
        self.code = code
        super().__init__(message)


class Terminated(KeyboardInterrupt):
    """SIGTERM arrived; handled as Ctrl-C is, but with an exit code of its own."""
