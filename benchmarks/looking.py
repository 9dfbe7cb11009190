"""Where a process spends its time: py-spy looks at it, and each look counts for a part of the code.

py-spy, of the extra `bench`, sees the stack of a running thread some hundred times a second. It
needs the right to look at other processes: root's, or kernel.yama.ptrace_scope=0.
"""

import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TypeAlias

from benchmarks.peers import INSTALLING, PeerMissingError

OTHERS = "all else"

_LOOKS_A_SECOND = 250
# A part that takes less is one of the others.
_LEAST_SHARE = 0.02

Parts: TypeAlias = Mapping[str, Sequence[str]]
"""Parts of the code by name: how the paths of their files begin, from the package on."""


class Look:
    """py-spy at work beside this process."""

    def __init__(self, file: Path, seconds: int) -> None:
        """Look for so long, and write what is seen to a file."""
        self._file = file
        self._seconds = seconds
        self._process: subprocess.Popen[bytes] | None = None

    def at(self, process: int) -> None:
        """Begin to look at a process.

        Raises:
            PeerMissingError: py-spy is not installed.
        """
        beside = Path(sys.executable).with_name("py-spy")
        found = str(beside) if beside.exists() else shutil.which("py-spy")
        if found is None:
            raise PeerMissingError(INSTALLING)
        self._process = subprocess.Popen(
            [
                *(found, "record", "--pid", str(process), "--format", "raw"),
                *("--rate", str(_LOOKS_A_SECOND), "--duration", str(self._seconds)),
                *("--output", str(self._file)),
            ],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
        )

    @property
    def going_on(self) -> bool:
        """Whether it looks, so that there has to be something to see."""
        return self._process is not None and self._process.poll() is None

    def seen(self) -> list[str]:
        """Wait until it has looked; return what it saw, a stack a line.

        Raises:
            RuntimeError: It could not look.
        """
        if self._process is None:
            raise RuntimeError("nothing was looked at")
        _, said = self._process.communicate()
        if self._process.returncode:
            raise RuntimeError(f"py-spy cannot look: {said.decode(errors='replace').strip()}")
        return self._file.read_text(encoding="utf-8").splitlines()

    def stop(self) -> None:
        """End it where it still looks."""
        if self._process is not None and self._process.poll() is None:
            self._process.terminate()
            self._process.communicate()


def shares(stacks: Iterable[str], parts: Parts, within: str = "") -> dict[str, float]:
    """Return what share of the time each part takes, the largest first, all else last.

    Args:
        stacks: As py-spy writes them: frames from the outermost on, and how often they were seen.
        parts: The parts. A look counts for that of the innermost frame whose file is in one; where
            a file is in several, for the first.
        within: Only stacks with this function in them count; empty: all.
    """
    seen: Counter[str] = Counter()
    for stack in stacks:
        frames, _, count = stack.rpartition(" ")
        if within in frames:
            seen[_part_of(frames.split(";"), parts)] += int(count)
    total = seen.total()
    if not total:
        return {}
    large = {
        name: count / total
        for name, count in seen.most_common()
        if name != OTHERS and count >= total * _LEAST_SHARE
    }
    return {**large, OTHERS: 1 - sum(large.values())}


def _part_of(frames: Sequence[str], parts: Parts) -> str:
    for frame in reversed(frames):
        # As `Match.submit (ronda_referee/match.py:87)`.
        file = frame.rpartition("(")[2]
        for name, beginnings in parts.items():
            if file.startswith(tuple(beginnings)):
                return name
    return OTHERS
