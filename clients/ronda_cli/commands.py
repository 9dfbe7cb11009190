"""The commands of `ronda`: where each lives and what it needs."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Command:
    """A command, described without importing it.

    Attributes:
        name: What one types.
        module: The module with its `add_parser(subparsers)` and `run(args) -> int`.
        summary: One line for `ronda --help`.
        extras: The extras that it needs.
    """

    name: str
    module: str
    summary: str
    extras: tuple[str, ...] = ()


COMMANDS = (
    Command(
        "demo",
        "ronda_cli.demo",
        "start a referee, play matches at once, audit every log and run the conformance suite",
        ("server", "conformance"),
    ),
    Command("serve", "ronda_cli.serve", "run a referee", ("server",)),
    Command("server", "ronda_cli.server", "ask a referee what it is"),
    Command("match", "ronda_cli.match", "create a match and play all its seats with bots"),
    Command(
        "play",
        "ronda_cli.play",
        "play yourself, against bots or on a referee, at a table in the terminal",
        ("terminal",),
    ),
    Command("watch", "ronda_cli.watch", "watch a match at a table in the terminal", ("terminal",)),
    Command("bot", "ronda_cli.bot", "play one seat of a match with a bot"),
    Command(
        "tournament",
        "ronda_cli.tournament",
        "run a tournament of bots and report on it",
        ("server", "tournament"),
    ),
    Command("matches", "ronda_cli.matches", "list, show, cancel and export a referee's matches"),
    Command("store", "ronda_cli.store", "check or copy a referee's store", ("server",)),
    Command("audit", "ronda_cli.audit", "verify match logs from the files alone", ("server",)),
    Command("replay", "ronda_cli.replay", "show what happened in a match log", ("server",)),
    Command("rules", "ronda_cli.rules", "show, compare and check rule sets"),
    Command("glossary", "ronda_cli.glossary", "show the words of the game in six languages"),
    Command(
        "conform",
        "ronda_cli.conform",
        "check an implementation of Ronda against the conformance suite",
        ("conformance",),
    ),
    Command(
        "testee",
        "ronda_cli.testee",
        "serve the engine to a conformance run over standard input and output",
    ),
)
