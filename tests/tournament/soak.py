"""`python -m tests.tournament.soak`: a long tournament, its runner killed again and again.

The bots that come with the project, one as a command, and some that fail are played against each
other. In the end everything that was begun must be accounted for and every log audited.
"""

import argparse
import json
import os
import resource
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import ronda_bots
from ronda_tournament.folder import JOURNAL, journal_of

ROOT = Path(__file__).parents[2]
LOWEST = ROOT / "examples" / "lowest_bot.py"
PLANTED = Path(__file__).parent / "bots" / "planted.py"
# The searcher takes more time for a move than the others for a match.
QUICK = tuple(name for name in ronda_bots.NAMES if name != "searcher")
BOTS = 6
BAD = ("crash", "hang", "illegal")
EXIT_FAILURES = 1
_SECONDS_BETWEEN_LOOKS = 0.25


def entrants() -> list[tuple[str, str, bool]]:
    """Give six bots: name, how it is run, and whether it is a good one."""
    good = [(name, f'builtin = "{name}"', True) for name in QUICK]
    good.append(("lowest", f'command = ["python", "{LOWEST}", "--tournament"]', True))
    bad = [(kind, f'command = ["python", "{PLANTED}", "{kind}"]', False) for kind in BAD]
    return [*good, *bad[: max(2, BOTS - len(good))]]


def configuration(pairs: int, concurrency: int) -> str:
    """Give the tournament's file."""
    head = (
        f'name = "Soak"\nrule_sets = ["single-deal"]\npairs = {pairs}\n'
        f"concurrency = {concurrency}\nmove_seconds = 20\n[limits]\nstart_seconds = 60\n"
    )
    return head + "".join(f'[[entrants]]\nname = "{name}"\n{how}\n' for name, how, _ in entrants())


def counting_matches(folder: Path) -> int:
    """Give how many matches have ended so far."""
    journal = folder / JOURNAL
    return journal.read_bytes().count(b'{"type":"ended"') if journal.exists() else 0


def play(config: Path, folder: Path, kill_at: int | None) -> int | None:
    """Run the tournament until it ends, or so many matches have; None: it was killed then."""
    command = (sys.executable, "-m", "ronda_cli", "tournament", "run", str(config))
    with subprocess.Popen([*command, "--data", str(folder)], stdout=subprocess.DEVNULL) as process:
        while process.poll() is None:
            if kill_at is not None and counting_matches(folder) >= kill_at:
                process.send_signal(signal.SIGKILL)
                process.wait()
                return None
            time.sleep(_SECONDS_BETWEEN_LOOKS)
        return process.returncode


def faults(folder: Path, results: dict[str, Any], code: int | None, pairs: int) -> list[str]:
    """Give everything that is not as it must be."""
    found = list(results["audit"]["findings"])
    if code != EXIT_FAILURES:
        found.append(f"the exit code is {code}, not {EXIT_FAILURES}")
    matches = results["matches"]
    if matches["created"] != (
        matches["counted"] + matches["ended_in_void_groups"] + matches["abandoned"]
    ):
        found.append(f"not every match is accounted for: {matches}")
    logs = sum(1 for _ in (folder / "logs").glob("*.rlog"))
    if logs != matches["created"]:
        found.append(f"{matches['created']} matches have {logs} logs")
    good = {name for name, _, is_good in entrants() if is_good}
    for meeting in results["meetings"]:
        names = {one for team in meeting["teams"] for one in team}
        if names <= good and meeting["groups"] != pairs:
            found.append(f"{meeting['name']}: {meeting['groups']} of {pairs} pairs count")
        if meeting["groups"] + meeting["void"] + meeting["left_out"] != pairs:
            found.append(f"{meeting['name']}: not every pair is accounted for")
    found += [
        f"{one['name']} has the failures {one['failures']}"
        for one in results["entrants"]
        if bool(one["failures"]) == (one["name"] in good)
    ]
    return found


def main() -> int:
    """Play, print what came out; return 0 where everything is as it must be."""
    parser = argparse.ArgumentParser(prog="python -m tests.tournament.soak", description=__doc__)
    parser.add_argument("--pairs", type=int, default=1_000, help="default: %(default)s")
    parser.add_argument("--kills", type=int, default=5, help="default: %(default)s")
    parser.add_argument("--concurrency", type=int, default=64, help="default: %(default)s")
    parser.add_argument("--keep", type=Path, metavar="DIR", help="leave everything in this folder")
    args = parser.parse_args()
    good = sum(is_good for *_, is_good in entrants())
    expected = good * (good - 1) * args.pairs
    with tempfile.TemporaryDirectory(prefix="ronda-tournament-soak-") as temporary:
        folder = args.keep or Path(temporary) / "soak"
        folder.mkdir(parents=True, exist_ok=True)
        config = folder / "soak.toml"
        config.write_text(configuration(args.pairs, args.concurrency), encoding="utf-8")
        began = time.monotonic()
        code: int | None = None
        for kill in range(args.kills):
            code = play(config, folder, expected * (kill + 1) // (args.kills + 1))
            if code is not None:
                break
        if code is None:
            code = play(config, folder, None)
        seconds = time.monotonic() - began
        file = folder / "results.json"
        results = json.loads(file.read_text(encoding="utf-8")) if file.exists() else None
        found = ["there are no results"] if results is None else []
        if results is not None:
            found = faults(folder, results, code, args.pairs)
        runs = sum(line["type"] in {"begun", "resumed"} for line in journal_of(folder))
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    matches = expected if results is None else results["matches"]["counted"]
    moves = 0 if results is None else results["matches"]["moves"]
    print(f"bots       {', '.join(name for name, *_ in entrants())}")
    print(f"matches    {matches} count, {moves} moves, in {runs} runs")
    print(f"time       {seconds:.0f} s, {moves / seconds:.0f} moves a second, all told")
    print(f"processor  {used.ru_utime + used.ru_stime:.0f} s of those that were waited for")
    for fault in found:
        print(f"FAULT      {fault}")
    print(f"faults     {len(found)}")
    return 1 if found else 0


if __name__ == "__main__":
    os.environ.setdefault("GRPC_VERBOSITY", "NONE")
    sys.exit(main())
