"""What can be wrong with a rule-set file."""

from pathlib import Path


class RuleSetFileError(Exception):
    """A rule-set file that cannot be used; the message says what, where and what would be right.

    Attributes:
        file: the file.
        field: the field at fault as `seats[0].opening`; empty where it is the file as a whole.
        problem: what is wrong and what would be right.
    """

    def __init__(self, file: Path, field: str, problem: str) -> None:
        """Join the parts to the message."""
        super().__init__(f"{file}: {field}: {problem}" if field else f"{file}: {problem}")
        self.file = file
        self.field = field
        self.problem = problem


class RuleSetUnreadableError(RuleSetFileError):
    """The file cannot be read or is no TOML."""


class RuleSetFieldError(RuleSetFileError):
    """A field is unknown, missing, or has a value that it cannot take."""


class RuleSetSourceError(RuleSetFileError):
    """An entry of `[sources]` names no parameter, or does not say where its value comes from."""


class RuleSetBaseError(RuleSetFileError):
    """The base is unknown, or the bases form a circle."""


class RuleSetIdError(RuleSetFileError):
    """The id differs from the file's name, or belongs to another file."""


class RuleSetUnknownError(LookupError):
    """No rule-set file has this id; the message lists the ids there are."""
