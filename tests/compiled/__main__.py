"""Compiles what is to be compiled and holds it against the pure one: random matches, then tests.

    make compiled MATCHES=2000 SEED=7

Both play the same matches, each in a process of its own, and must say the same to the letter: the
engine its events, states, views, legal moves and refusals; the referee the bytes of its logs, what
is hidden in them, and all views. The matches of a run have consecutive seeds. Then the tests of
`tests/rules` and `tests/referee`, and those of the benchmarks of a compiled build, are run with the
compiled modules. Exit codes: 0 where all is the same, 1 where something is not or it cannot be
compiled, 2 for wrong arguments.
"""

import argparse
import itertools
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from ronda_cli.progress import progress
from tools.compile_modules import ROOT, CompilationError, compile_modules, copy_sources, sources

PURE = ROOT / "referee"

# What is run by the compiled modules.
TESTED = ("tests/rules", "tests/referee", "tests/compiled/measured.py")

_PATCHED = "puts a move that fails in the place of MatchPlay.move, whose callers are compiled"

# What is not, by the beginning of its name, and why.
LEFT_OUT = {
    "tests/referee/test_planted_leaks.py": "plants leaks in functions that are compiled",
    "tests/referee/test_recovery.py::test_a_fault_of_the_referee_freezes_its_match": _PATCHED,
    "tests/referee/test_metrics.py::test_a_match_that_is_frozen_while_it_is_played": _PATCHED,
    "tests/referee/test_play_stream_limits.py::test_a_fault_of_the_referee_ends": _PATCHED,
    "tests/referee/test_audit_draws.py::test_a_swapped_deal_is_found": "derives from MatchDraws",
}


class DifferenceError(Exception):
    """The compiled modules are not like the pure ones; the message says where."""


@contextmanager
def compiled() -> Iterator[Path]:
    """Give a folder to import engine and referee from.

    It lacks the sources of what is compiled, so that none of them can be imported by mistake.
    """
    with tempfile.TemporaryDirectory(prefix="ronda-compiled-") as name:
        folder = Path(name)
        compile_modules(folder)
        copy_sources(folder)
        for source in sources():
            (folder / source).unlink()
        yield folder


def environment(folder: Path | None) -> Mapping[str, str]:
    """Give the environment of a process that imports from a folder; None: as ever.

    A set of texts is shown in the same order by all of them.
    """
    paths = [] if folder is None else [str(folder)]
    paths += filter(None, [os.environ.get("PYTHONPATH", "")])
    return {**os.environ, "PYTHONPATH": os.pathsep.join(paths), "PYTHONHASHSEED": "0"}


def lines(folder: Path | None, what: str, first: int, count: int) -> Iterator[str]:
    """Play matches of the `engine` or the `referee` and give their lines as they come.

    Raises:
        DifferenceError: it fails.
    """
    command = [sys.executable, "-m", "tests.compiled.playing", what, str(first), str(count)]
    with subprocess.Popen(
        command, cwd=ROOT, env=environment(folder), stdout=subprocess.PIPE, text=True
    ) as process:
        for line in process.stdout or ():
            yield line.rstrip("\n")
    if process.returncode:
        which = "pure" if folder is None else "compiled"
        raise DifferenceError(f"the {which} {what} fails, with code {process.returncode}")


def compare(folder: Path, what: str, first: int, count: int) -> int:
    """Hold what is compiled in a folder against the pure one; give the moves or records of all.

    Raises:
        DifferenceError: they differ, or are not the two that are to be compared.
    """
    both = itertools.zip_longest(lines(None, what, first, count), lines(folder, what, first, count))
    pure, other = next(both)
    for path in map(Path, (pure or "nowhere").split()):
        if path.suffix != ".py" or path.parent.parent != PURE:
            raise DifferenceError(f"what is pure was imported from {path}")
    for path in map(Path, (other or "nowhere").split()):
        if path.suffix == ".py" or not path.is_relative_to(folder):
            raise DifferenceError(f"what is compiled was imported from {path}")
    made = 0
    with progress(f"{what}'s matches", count) as bar:
        for played, (pure, other) in enumerate(both, start=1):
            if pure is None or pure != other:
                raise DifferenceError(f"{what}\npure:     {pure}\ncompiled: {other}")
            made += int(pure.split()[1])
            bar.update(played)
    return made


def tested(folder: Path) -> int:
    """Run the tests by what is compiled in a folder; give the exit code."""
    left_out = [f"--deselect={name}" for name in LEFT_OUT]
    tests = [sys.executable, "-m", "pytest", "-q", "-n", "2", *left_out, *TESTED]
    return subprocess.run(tests, cwd=ROOT, env=environment(folder), check=False).returncode


def main() -> int:
    """Run the command; give its exit code."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--matches", type=int, default=400, help="how many (default 400)")
    parser.add_argument("--seed", type=int, default=1, help="of the first match (default 1)")
    parser.add_argument("--no-tests", action="store_true", help="the matches alone")
    args = parser.parse_args()
    try:
        with compiled() as folder:
            for what, made in (("engine", "moves"), ("referee", "records")):
                count = compare(folder, what, args.seed, args.matches)
                matches = f"{args.matches} matches from seed {args.seed}"
                print(f"{what}: {matches}, {count} {made}: the same", flush=True)
            return 0 if args.no_tests else tested(folder)
    except (CompilationError, DifferenceError) as error:
        print(f"compiled: {error}", file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main())
