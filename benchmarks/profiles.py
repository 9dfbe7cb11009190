"""Which part of the code takes how much of the time of each measure.

    python -m benchmarks.profiles [--only NAME] [--write PAGE]

It needs the extra `bench` and Linux; see `benchmarks.looking` for the rights that it needs.

Exit codes: 0 it was measured; 2 wrong arguments, or the extra is not installed; 3 it could not be
measured.
"""

import argparse
import os
import random
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from benchmarks import audit, machine, report, tournament
from benchmarks.bench import Bench
from benchmarks.looking import Look, Parts, shares
from benchmarks.measure import Size
from benchmarks.peers import PeerMissingError
from benchmarks.play import Playing
from benchmarks.playouts import moves_per_second, play_out, rules_of
from benchmarks.submits import Submits
from ronda_cli.failures import CommandError
from ronda_cli.progress import progress

EXIT_MISUSED = 2
EXIT_FAILED = 3

BEGIN = "<!-- profiles: begin -->"
END = "<!-- profiles: end -->"

_SECONDS = 8
_IN_FLIGHT = 64
# No referee is so fast that a match would make more in that time.
_MOVES = 600
_PAIRS = 60

_REFEREE: Parts = {
    "views, turns and moves as messages": (
        *("ronda_referee/convert/", "ronda_referee/watching.py", "ronda_rules/view.py"),
    ),
    "the engine": ("ronda_rules/",),
    "the log: records, hashes, seals": (
        *("ronda_referee/chain.py", "ronda_referee/match_log.py"),
        *("ronda_referee/shuffle.py", "ronda_referee/chance.py"),
    ),
    "the store: rows and commits, with the wait for the disk": (
        *("ronda_referee/store.py", "ronda_referee/sqlite.py", "ronda_referee/commits.py"),
    ),
    "the stream: what is taken in and told": ("ronda_referee/play_stream.py",),
    "checks around a call": (
        *("ronda_referee/guarded_server.py", "ronda_referee/statuses.py"),
        *("ronda_referee/peer_limits.py", "ronda_referee/undecodable.py"),
        *("ronda_referee/seat_calls.py", "ronda_referee/requests.py", "ronda_referee/tokens.py"),
    ),
    "the match: its line, clocks and answers": ("ronda_referee/",),
    "gRPC and the event loop": ("asyncio/", "grpc/", "selectors.py"),
}
_ENGINE: Parts = {
    "captures, chains and their points": (
        *("ronda_rules/capture.py", "ronda_rules/chain.py", "ronda_rules/mesa.py"),
    ),
    "events folded into the state": ("ronda_rules/evolve.py", "ronda_rules/state.py"),
    "announcements, challenges, settlement": (
        *("ronda_rules/announcements.py", "ronda_rules/challenges.py", "ronda_rules/windows.py"),
        *("ronda_rules/settlement.py", "ronda_rules/showing.py", "ronda_rules/payments.py"),
    ),
    "deals, batches and their ends": (
        *("ronda_rules/deal.py", "ronda_rules/match.py", "ronda_rules/moments.py"),
    ),
    "decisions and legal moves": ("ronda_rules/engine.py",),
    "the rest of the engine": ("ronda_rules/",),
    "the loop: its choices and draws": ("benchmarks/", "random.py"),
}
_AUDIT: Parts = {
    "the views of all seats": (
        *("ronda_referee/audit/views.py", "ronda_referee/audit/watcher.py", "ronda_rules/view.py"),
    ),
    "the engine": ("ronda_rules/",),
    "reading the records": (
        *("ronda_referee/log_file.py", "ronda_referee/audit/records.py", "ronda_referee/chain.py"),
    ),
    "checks of moves, events, openings, times": ("ronda_referee/audit/",),
    "the shuffle and its draws": ("ronda_referee/shuffle.py", "ronda_referee/chance.py"),
    "moves and events as messages": ("ronda_referee/convert/",),
}


@dataclass(frozen=True, slots=True)
class Profiled:
    """Something that is looked at.

    Attributes:
        what: It, for people.
        parts: What its time is shared among.
        work: Works at a place, and has it looked at meanwhile.
        within: A function that the thread is in that does the work; empty: there is one thread.
    """

    what: str
    parts: Parts
    work: Callable[[Bench, Look], None]
    within: str = ""


def _engine(rule_set: str, seats: int) -> Callable[[Bench, Look], None]:
    def work(_: Bench, look: Look) -> None:
        rules, chance = rules_of(rule_set), random.Random(1)
        look.at(os.getpid())
        while look.going_on:
            moves_per_second(partial(play_out, rules, seats), 0.5, chance)

    return work


def _audit(_: Bench, look: Look) -> None:
    logs = audit.logs(Size.FULL)
    look.at(os.getpid())
    while look.going_on:
        audit.audited(logs)


def _calls(bench: Bench, look: Look) -> None:
    async def opened() -> Submits:
        submits = Submits(bench.referee.target)
        await submits.open(_IN_FLIGHT, _MOVES)
        return submits

    submits = bench.run(opened())
    look.at(bench.referee.pid)
    for _ in range(_MOVES):
        if not look.going_on:
            break
        bench.run(submits.per_second(1))


def _play(bench: Bench, look: Look) -> None:
    playing = Playing(bench)
    playing.per_second()
    look.at(bench.referee.pid)
    while look.going_on:
        playing.per_second()
    playing.close()


def _tournament(bench: Bench, look: Look) -> None:
    """Look at the referee of a tournament, which is the first process that its command starts."""
    command = tournament.command(bench.new_folder(), _PAIRS)
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE) as running:
        try:
            for line in running.stderr or ():
                if b"meetings of" in line:
                    # From here on it plays.
                    break
            started = machine.children(running.pid)
            if not started:
                raise RuntimeError("the tournament ended before it played")
            look.at(started[0])
            running.communicate()
        except BaseException:
            # It stops its referee and its bots.
            running.terminate()
            raise
    if running.returncode:
        raise RuntimeError(f"the tournament ended with exit code {running.returncode}")


_SERVING = "run_forever"

PROFILED: Mapping[str, Profiled] = {
    "engine": Profiled("Engine, maghribi, 2 seats", _ENGINE, _engine("maghribi", 2)),
    "classic": Profiled("Engine, classic, 4 seats", _ENGINE, _engine("classic", 4)),
    "calls": Profiled("Simple calls, 64 in flight: the referee", _REFEREE, _calls, _SERVING),
    "play": Profiled("Play, 512 matches: the referee", _REFEREE, _play, _SERVING),
    "audit": Profiled("Audit", _AUDIT, _audit),
    "tournament": Profiled("Tournament: its referee", _REFEREE, _tournament, _SERVING),
}


def profile(bench: Bench, one: Profiled) -> dict[str, float]:
    """Return what share of the time each part takes.

    Raises:
        PeerMissingError: py-spy is not installed.
        RuntimeError: It could not look.
    """
    look = Look(bench.new_folder() / "seen", _SECONDS)
    try:
        one.work(bench, look)
        return shares(look.seen(), one.parts, one.within)
    finally:
        look.stop()


def table_of(profiles: Mapping[str, Mapping[str, float]]) -> str:
    """Return profiles, by what was looked at, as tables in Markdown."""
    lines = []
    for what, found in profiles.items():
        lines += ["", f"| {what} | share |", "|---|---|"]
        lines += [f"| {part} | {share:.0%} |" for part, share in found.items()]
    return "\n".join(lines[1:])


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure and print; give the exit code."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.profiles",
        description="Shows which part of the code takes how much of the time of each measure.",
        epilog="Exit codes: 0 it was measured; 2 wrong arguments, or py-spy is not installed; "
        "3 it could not be measured.",
    )
    parser.add_argument(
        "--only", action="append", choices=tuple(PROFILED), help="look at this; default: all"
    )
    parser.add_argument(
        "--write",
        type=Path,
        metavar="PAGE",
        help="put the tables into this page, between its marks",
    )
    chosen = parser.parse_args(arguments)
    names = chosen.only or tuple(PROFILED)
    found = {}
    try:
        page = chosen.write.read_text(encoding="utf-8") if chosen.write else f"{BEGIN}{END}"
        report.written(page, "", BEGIN, END)
        with Bench(Size.FULL) as bench, progress("profiles", len(names)) as bar:
            for number, name in enumerate(names, start=1):
                found[PROFILED[name].what] = profile(bench, PROFILED[name])
                bar.update(number, name)
    except PeerMissingError as error:
        return _said(error, EXIT_MISUSED)
    except (CommandError, OSError, RuntimeError, ValueError) as error:
        return _said(f"not measured: {error!r}", EXIT_FAILED)
    text = table_of(found)
    print(text)
    if chosen.write:
        chosen.write.write_text(report.written(page, text, BEGIN, END), encoding="utf-8")
    return 0


def _said(error: object, code: int) -> int:
    print(f"profiles: {error}", file=sys.stderr)
    return code


if __name__ == "__main__":
    sys.exit(main())
