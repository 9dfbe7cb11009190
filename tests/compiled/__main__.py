"""Compiles the engine and holds it against the pure one: random matches, then the engine's tests.

    make compiled MATCHES=2000 SEED=7

Both play the same matches, each in a process of its own, and must say the same to the letter:
events, states, views, legal moves and refusals. The matches of a run have consecutive seeds. Then
the tests of `tests/rules` are run with the compiled engine. Exit codes: 0 where all is the same, 1
where something is not or the engine cannot be compiled, 2 for wrong arguments.
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
from tools.compile_engine import PACKAGE, SOURCE, CompilationError, compile_engine

ROOT = Path(__file__).resolve().parents[2]


class DifferenceError(Exception):
    """The compiled engine is not like the pure one; the message says where."""


@contextmanager
def compiled() -> Iterator[Path]:
    """Give a folder to import the compiled engine from.

    It lacks the sources, so that nothing but what is compiled can be imported by mistake.
    """
    with tempfile.TemporaryDirectory(prefix="ronda-compiled-") as name:
        folder = Path(name)
        compile_engine(folder)
        (folder / PACKAGE / "__init__.py").write_text((SOURCE / "__init__.py").read_text())
        yield folder


def environment(folder: Path | None) -> Mapping[str, str]:
    """Give the environment of a process that takes the engine from a folder; None: as ever.

    A set of texts is shown in the same order by all of them.
    """
    paths = [] if folder is None else [str(folder)]
    paths += filter(None, [os.environ.get("PYTHONPATH", "")])
    return {**os.environ, "PYTHONPATH": os.pathsep.join(paths), "PYTHONHASHSEED": "0"}


def lines(folder: Path | None, first: int, count: int) -> Iterator[str]:
    """Play the matches by an engine and give its lines as they come.

    Raises:
        DifferenceError: it fails.
    """
    command = [sys.executable, "-m", "tests.compiled.playing", str(first), str(count)]
    with subprocess.Popen(
        command, cwd=ROOT, env=environment(folder), stdout=subprocess.PIPE, text=True
    ) as process:
        for line in process.stdout or ():
            yield line.rstrip("\n")
    if process.returncode:
        which = "pure" if folder is None else "compiled"
        raise DifferenceError(f"the {which} engine fails, with code {process.returncode}")


def compare(folder: Path, first: int, count: int) -> int:
    """Hold the compiled engine of a folder against the pure one; give the moves played.

    Raises:
        DifferenceError: they differ, or are not the two that are to be compared.
    """
    both = itertools.zip_longest(lines(None, first, count), lines(folder, first, count))
    pure, other = next(both)
    if pure is None or Path(pure).parent != SOURCE or Path(pure).suffix != ".py":
        raise DifferenceError(f"the pure engine was imported from {pure}")
    if other is None or not Path(other).is_relative_to(folder) or Path(other).suffix == ".py":
        raise DifferenceError(f"the compiled engine was imported from {other}")
    moves = 0
    with progress("matches", count) as bar:
        for played, (pure, other) in enumerate(both, start=1):
            if pure is None or pure != other:
                raise DifferenceError(f"pure:     {pure}\ncompiled: {other}")
            moves += int(pure.split()[1])
            bar.update(played)
    return moves


def main() -> int:
    """Run the command; give its exit code."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--matches", type=int, default=400, help="how many (default 400)")
    parser.add_argument("--seed", type=int, default=1, help="of the first match (default 1)")
    parser.add_argument("--no-tests", action="store_true", help="the matches alone")
    args = parser.parse_args()
    try:
        with compiled() as folder:
            moves = compare(folder, args.seed, args.matches)
            print(f"{args.matches} matches from seed {args.seed}, {moves} moves: the same")
            if args.no_tests:
                return 0
            tests = [sys.executable, "-m", "pytest", "-q", "-n", "2", "tests/rules"]
            return subprocess.run(tests, cwd=ROOT, env=environment(folder), check=False).returncode
    except (CompilationError, DifferenceError) as error:
        print(f"compiled: {error}", file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main())
