"""Which bot plays: one of ours by name, or somebody's own as `MODULE:CLASS`."""

import importlib
import sys
from typing import cast

import ronda_bots
from ronda_cli.failures import CommandError
from ronda_client import Bot

HELP = f"{' or '.join(ronda_bots.NAMES)}, or MODULE:CLASS for one of your own"


def make_bot(text: str, seed: int) -> Bot:
    """Return a new bot.

    Args:
        text: A name, or the module (looked for in the working folder too) and the class of a bot
            that is made without arguments.
        seed: Fixes the choices of ours.

    Raises:
        CommandError: There is no such bot, or it has no method `choose`.
    """
    if ":" not in text:
        try:
            return ronda_bots.by_name(text, seed)
        except ronda_bots.UnknownBotError as error:
            raise CommandError(f"--bot: {error}, or MODULE:CLASS", code=2) from error
    module_name, _, class_name = text.partition(":")
    if "" not in sys.path:
        sys.path.insert(0, "")
    try:
        module = importlib.import_module(module_name)
    except ModuleNotFoundError as error:
        if error.name != module_name.split(".")[0] and error.name != module_name:
            raise
        raise CommandError(f"--bot {text}: there is no module {module_name!r}", code=2) from error
    made = getattr(module, class_name, None)
    if not callable(made):
        raise CommandError(f"--bot {text}: {module_name} has no class {class_name!r}", code=2)
    bot: object = made()
    if not callable(getattr(bot, "choose", None)):
        raise CommandError(f"--bot {text}: it has no method choose(view, decision)", code=2)
    return cast("Bot", bot)


def display_name(text: str) -> str:
    """Return the name that such a bot goes by at the table."""
    return text.rpartition(":")[2][:64]
