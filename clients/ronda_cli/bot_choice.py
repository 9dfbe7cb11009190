"""Which bot plays: one of ours by name, or somebody's own as `MODULE:CLASS`."""

import importlib
import sys
from typing import cast

import ronda_bots
from ronda_cli.failures import CommandError
from ronda_client import Bot
from ronda_client.errors import description

HELP = f"{' or '.join(ronda_bots.NAMES)}, or MODULE:CLASS for one of your own"


def make_bot(text: str, seed: int) -> Bot:
    """Return a new bot.

    Args:
        text: A name, or the module (looked for in the working folder too) and the class of a bot
            that is made without arguments.
        seed: Fixes the choices of ours.

    Raises:
        CommandError: There is no such bot, it cannot be made, or it has no method `choose`.
    """
    if ":" not in text:
        try:
            return ronda_bots.by_name(text, seed)
        except ronda_bots.UnknownBotError as error:
            raise CommandError(f"--bot: {error}, or MODULE:CLASS", code=2) from error
    module_name, _, class_name = text.partition(":")
    if not all([*module_name.split("."), class_name]):
        raise CommandError(
            f"--bot {text}: it is no MODULE:CLASS, as my_bot:MyBot for a class in my_bot.py", code=2
        )
    if "" not in sys.path:
        sys.path.insert(0, "")
    try:
        made = getattr(importlib.import_module(module_name), class_name, None)
    except (Exception, SystemExit) as error:
        if isinstance(error, ModuleNotFoundError) and _is_within(module_name, error.name):
            what = f"there is no module {module_name!r}"
        else:
            what = f"importing {module_name} raised {description(error)}"
        raise CommandError(f"--bot {text}: {what}", code=2) from error
    if not callable(made):
        raise CommandError(f"--bot {text}: {module_name} has no class {class_name!r}", code=2)
    try:
        bot: object = made()
    except (Exception, SystemExit) as error:
        raise CommandError(
            f"--bot {text}: making it without arguments raised {description(error)}", code=2
        ) from error
    if not callable(getattr(bot, "choose", None)):
        raise CommandError(f"--bot {text}: it has no method choose(view, decision)", code=2)
    return cast("Bot", bot)


def _is_within(module_name: str, package: str | None) -> bool:
    """Tell whether a module is this one or one in it."""
    return package is not None and f"{module_name}.".startswith(f"{package}.")


def display_name(text: str) -> str:
    """Return the name that such a bot goes by at the table."""
    return text.rpartition(":")[2][:64]
