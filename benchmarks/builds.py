"""The builds of the product that are measured: its sources as they are, and partly compiled."""

import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from benchmarks.machine import has_mapped
from ronda_cli.progress import progress
from tools.compile_modules import CompilationError, compile_modules, copy_sources


@dataclass(frozen=True, slots=True)
class Build:
    """A build of the product.

    Attributes:
        folder: From where engine and referee are imported; None: the sources, as ever.
    """

    folder: Path | None = None

    def named(self, text: str) -> str:
        """Return the beginning of a row's name or text, with what tells the build."""
        return text if self.folder is None else f"{text} compiled"

    def environment(self) -> Mapping[str, str]:
        """Return the environment of a process that runs by it."""
        if self.folder is None:
            return os.environ
        paths = [str(self.folder), os.environ.get("PYTHONPATH", "")]
        return {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, paths))}

    def check(self, process: int) -> None:
        """See to it that a process runs by it.

        Raises:
            RuntimeError: It has loaded nothing that is compiled, which would be another figure.
        """
        if self.folder is not None and not has_mapped(process, self.folder):
            raise RuntimeError("what is to be measured compiled runs by the sources")


PURE = Build()


def compiled(folder: Path) -> Build | None:
    """Compile into a folder, which takes a minute; None, and it is said, where that cannot be."""
    try:
        with progress("compiling", None):
            compile_modules(folder)
        copy_sources(folder)
    except (CompilationError, OSError) as error:
        print(f"benchmarks: without the compiled rows: {error}", file=sys.stderr)
        return None
    return Build(folder)
