"""Arguments as all commands read them: what is misspelt is answered with what is nearest to it."""

import argparse
import sys
from collections.abc import Iterable, Sequence
from typing import NoReturn, TypeVar

_Namespace = TypeVar("_Namespace")


class Parser(argparse.ArgumentParser):
    """Reads the arguments of a command; its subcommands' parsers are of this class as well.

    Where an option is unknown the error, and the usage before it, are those of the subcommand.
    """

    _given: Sequence[str] = ()

    def parse_known_args(  # type: ignore[override]  # the overloads say the same of any namespace
        self, args: Iterable[str] | None = None, namespace: _Namespace | None = None
    ) -> tuple[argparse.Namespace | _Namespace, list[str]]:
        """Read arguments; none may be left over, here and in every subcommand's parser."""
        self._given = list(sys.argv[1:] if args is None else args)
        found, unknown = super().parse_known_args(self._given, namespace)
        if unknown:
            self.error(f"unrecognized arguments: {' '.join(unknown)}")
        return found, unknown

    def error(self, message: str) -> NoReturn:
        """Say what is wrong, and which options are nearest to those that there are not; exit 2."""
        pairs = [f"{near} instead of {name}" for name, near in self._misspelt()]
        super().error(f"{message}; did you mean {', '.join(pairs)}?" if pairs else message)

    def _check_value(self, action: argparse.Action, value: object) -> None:
        try:
            super()._check_value(action, value)
        except argparse.ArgumentError as error:
            choices = [one for one in action.choices or () if isinstance(one, str)]
            near = _nearest(str(value), choices)
            if near is not None:
                error.message += f"; did you mean {near!r}?"
            raise

    def _misspelt(self) -> list[tuple[str, str]]:
        """Give the options that there are not, each with the one that is nearest to it."""
        known = [option for action in self._actions for option in action.option_strings]
        long = [option.removeprefix("--") for option in known if option.startswith("--")]
        found: dict[str, str] = {}
        for argument in self._given:
            if argument == "--" or (self._subparsers is not None and argument[:1] != "-"):
                # What follows are no options, or those of a subcommand.
                break
            name = argument.partition("=")[0]
            if argument[:1] != "-" or any(option.startswith(name) for option in known):
                continue
            near = _nearest(name.lstrip("-"), long)
            if near is not None:
                found[name] = f"--{near}"
        return list(found.items())


def _nearest(word: str, known: Iterable[str]) -> str | None:
    """Give what a word may be a misspelling of; None: it is like nothing that is known."""
    import difflib  # noqa: PLC0415  # what is spelt right needs it never

    return next(iter(difflib.get_close_matches(word, list(known), n=1)), None)
