"""Compile what runs at every move with mypyc: the same sources, much faster.

    python -m tools.compile_modules FOLDER

FOLDER then holds the packages `ronda_rules` and `ronda_referee` with their sources, and beside
those of `COMPILED` the compiled modules, which Python takes first. Whoever puts it on PYTHONPATH
plays by them; nothing else changes, and the sources in the checkout stay what the product is. It
takes mypy, setuptools, types-protobuf and a C compiler. A wheel with the compiled modules in it is
built with RONDA_COMPILED=1, see `tools/compiled_wheel.py`.

Exit codes: 0 where it is compiled, 1 where it cannot be, 2 for wrong arguments.
"""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


@dataclass(frozen=True, slots=True)
class Group:
    """Modules that are compiled for one reason.

    Attributes:
        package: their package, a folder of `referee`.
        modules: the modules of it, as paths without suffix; empty: all of them.
        reason: why they are worth it.
    """

    package: str
    modules: tuple[str, ...]
    reason: str


COMPILED = (
    Group("ronda_rules", (), "the engine: every move is asked for, made and shown by it"),
    Group(
        "ronda_referee",
        ("match_log", "chain", "clocks", "decisions"),
        "a move makes three records or more, each joined from bytes, hashed and sealed",
    ),
    Group(
        "ronda_referee",
        ("chance", "shuffle"),
        "after most moves chance is asked, and a deal draws forty cards byte by byte",
    ),
    Group(
        "ronda_referee",
        ("play", "answers", "snapshots"),
        "a match as it is played: so each move goes to the engine and the log as C calls",
    ),
    Group(
        "ronda_referee",
        ("convert/events", "convert/moves", "convert/views", "convert/words"),
        "every move, event and view becomes a message, or comes from one",
    ),
    Group(
        "ronda_referee",
        ("match", "working_match", "match_clock", "match_commands", "match_line", "requests"),
        "the way of a move through the line of its match to the disk and back",
    ),
)
"""What is compiled. docs/performance.md says what each group gives, and what was left out."""

PACKAGES = tuple(dict.fromkeys(group.package for group in COMPILED))

# All of it lies in one library, which the modules open: so they call each other as C does. The
# sources are checked elsewhere, with all that they import; here what they import may be lacking.
_BUILD = """
import sys
from mypyc.build import mypycify
from setuptools import setup

options = ["--strict", "--config-file=", "--follow-imports=silent", "--ignore-missing-imports"]
setup(
    name="ronda",
    packages=[],
    ext_modules=mypycify(
        [*options, *sys.argv.pop().split()], opt_level="3", debug_level="0", group_name="ronda"
    ),
)
"""


class CompilationError(Exception):
    """The modules cannot be compiled; the message says what the compilers say."""


def sources(root: Path = ROOT) -> list[Path]:
    """Give the files of the modules that are compiled, relative to the folder `referee`."""
    return [file for group in COMPILED for file in _files(root / "referee", group)]


def _files(referee: Path, group: Group) -> Iterable[Path]:
    package = Path(group.package)
    if group.modules:
        return [package / f"{module}.py" for module in group.modules]
    all_of_it = sorted((referee / package).glob("*.py"))
    return [package / file.name for file in all_of_it if file.stem != "__init__"]


def compile_modules(folder: Path, root: Path = ROOT) -> list[Path]:
    """Compile what is to be compiled into a folder.

    Args:
        folder: where the compiled modules go: those of a package into a folder of its name, and
            beside that the library that they open. The sources are not copied.
        root: a checkout, of which the sources and the generated code are read.

    Returns:
        the files written, relative to the folder.

    Raises:
        CompilationError: something is lacking, or the sources cannot be compiled.
    """
    modules = sources(root)
    with tempfile.TemporaryDirectory(prefix="ronda-compile-") as name:
        # mypyc takes a module's name from where it lies below the working folder.
        work = Path(name)
        copy_sources(work, root)
        shutil.copytree(root / "proto" / "gen" / "ronda", work / "ronda")
        built = work / "built"
        files = " ".join(map(str, modules))
        done = subprocess.run(
            [sys.executable, "-c", _BUILD, "build_ext", "--build-lib", built, files],
            cwd=work,
            # What is found by this path would be taken for the sources that are to be compiled.
            env={key: value for key, value in os.environ.items() if key != "PYTHONPATH"},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        found = sorted(path.relative_to(built) for path in built.rglob("*") if path.is_file())
        if done.returncode or len(found) <= len(modules):
            last = "\n".join(done.stdout.strip().splitlines()[-20:])
            raise CompilationError(
                "the modules cannot be compiled; mypy, setuptools, types-protobuf and a C compiler "
                f"are needed:\n{last}"
            )
        shutil.copytree(built, folder, dirs_exist_ok=True)
    return found


def copy_sources(folder: Path, root: Path = ROOT) -> None:
    """Copy the packages that have compiled modules into a folder, all of their sources."""
    ignored = shutil.ignore_patterns("__pycache__")
    for package in PACKAGES:
        source = root / "referee" / package
        shutil.copytree(source, folder / package, ignore=ignored, dirs_exist_ok=True)


def main() -> int:
    """Compile into the folder named; give the exit code."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("folder", type=Path, metavar="FOLDER")
    folder: Path = parser.parse_args().folder
    try:
        found = compile_modules(folder)
        copy_sources(folder)
    except (CompilationError, OSError) as error:
        print(f"compile_modules: {error}", file=sys.stderr)
        return 1
    size = sum((folder / path).stat().st_size for path in found)
    print(f"{folder}: {len(found)} compiled files, {size / 1e6:.1f} MB")
    return 0


if __name__ == "__main__":
    sys.exit(main())
