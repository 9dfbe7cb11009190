"""Compile the engine with mypyc: the same sources, more than twice as fast.

    python -m tools.compile_engine FOLDER

FOLDER then holds the package `ronda_rules` with its sources and their compiled modules, which
Python takes first. Whoever puts it on PYTHONPATH plays by the compiled engine; nothing else
changes, and the sources in the checkout stay what the engine is. It takes mypy, setuptools and a C
compiler. A wheel with the compiled engine in it is built with RONDA_COMPILED=1, see
`tools/compiled_wheel.py`.

Exit codes: 0 where it is compiled, 1 where it cannot be, 2 for wrong arguments.
"""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

PACKAGE = "ronda_rules"
SOURCE = Path(__file__).resolve().parents[1] / "referee" / PACKAGE

# What is compiled together lies in one library, which the modules of the package open.
_BUILD = f"""
import sys
from mypyc.build import mypycify
from setuptools import setup

setup(
    name={PACKAGE!r},
    packages=[],
    ext_modules=mypycify(
        ["--strict", "--config-file=", *sys.argv.pop().split()],
        opt_level="3",
        debug_level="0",
        group_name={PACKAGE!r},
    ),
)
"""


class CompilationError(Exception):
    """The engine cannot be compiled; the message says what the compilers say."""


def compile_engine(folder: Path, source: Path = SOURCE) -> list[Path]:
    """Compile the engine's modules into a folder.

    Args:
        folder: where the compiled modules go: those of the package into a folder of its name, and
            beside that the library that they open. The sources are not copied.
        source: the package's folder.

    Returns:
        the files written, relative to the folder.

    Raises:
        CompilationError: something is lacking, or the sources cannot be compiled.
    """
    with tempfile.TemporaryDirectory(prefix="ronda-compile-") as name:
        # mypyc takes a module's name from where it lies below the working folder.
        work = Path(name)
        modules = [file for file in sorted(source.glob("*.py")) if file.stem != "__init__"]
        shutil.copytree(source, work / PACKAGE, ignore=shutil.ignore_patterns("__pycache__"))
        files = " ".join(f"{PACKAGE}/{file.name}" for file in modules)
        built = work / "built"
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
                f"the engine cannot be compiled; mypy, setuptools and a C compiler are needed:\n"
                f"{last}"
            )
        shutil.copytree(built, folder, dirs_exist_ok=True)
    return found


def main() -> int:
    """Compile into the folder named; give the exit code."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("folder", type=Path, metavar="FOLDER")
    folder: Path = parser.parse_args().folder
    try:
        found = compile_engine(folder)
    except (CompilationError, OSError) as error:
        print(f"compile_engine: {error}", file=sys.stderr)
        return 1
    ignored = shutil.ignore_patterns("__pycache__")
    shutil.copytree(SOURCE, folder / PACKAGE, ignore=ignored, dirs_exist_ok=True)
    size = sum((folder / path).stat().st_size for path in found)
    print(f"{folder}: {len(found)} compiled files, {size / 1e6:.1f} MB")
    return 0


if __name__ == "__main__":
    sys.exit(main())
