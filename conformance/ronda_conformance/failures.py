"""How the command fails before anything is played."""


class UsageError(Exception):
    """The run cannot begin; the message says what is wrong and what would be right."""
