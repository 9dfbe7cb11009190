"""Time and memory of auditing an archive, whatever its size.

    python benchmarks/archive.py match.rlog [MORE.rlog …] [--logs 10000] [--jobs 2] [--json]

The archive is a folder of so many names of the logs given, by turns; a folder of logs stands for
those in it. `ronda audit --quiet` runs on it, processes and all. The memory is the sum of the most
that each of its processes has held, whenever that was, so they never held more together; it is read
from /proc twice a second, which needs Linux. The exit code is the audit's.
"""

import argparse
import itertools
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from dataclasses import asdict, dataclass
from pathlib import Path

_LOOK_SECONDS = 0.5


@dataclass(frozen=True, slots=True)
class Took:
    """What an audit of an archive took.

    Attributes:
        logs: how many logs were audited.
        clean: with how many of them nothing is wrong.
        moves: how many moves they hold.
        jobs: with how many processes at most.
        seconds: how long it took, the start of the processes included.
        processor_seconds: what the processor worked meanwhile, on all cores.
        peak_kib: the most that its processes held, in KiB.
    """

    logs: int
    clean: int
    moves: int
    jobs: int
    seconds: float
    processor_seconds: float
    peak_kib: int

    def as_text(self) -> str:
        """Return it in two lines."""
        return (
            f"{self.logs:,} logs, {self.clean:,} of them all right, and {self.moves:,} moves in "
            f"{self.seconds:.1f} s: {self.logs / self.seconds:,.0f} logs/s, "
            f"{self.moves / self.seconds:,.0f} moves/s with {self.jobs} processes\n"
            f"{self.processor_seconds:.1f} s of the processor; at most "
            f"{self.peak_kib / 1024:.0f} MiB in all processes together"
        )


def logs_of(sources: list[Path]) -> list[Path]:
    """Give the logs that are named, and those of the folders that are."""
    found: list[Path] = []
    for source in sources:
        found += sorted(source.glob("*.rlog")) if source.is_dir() else [source]
    return found


def make_archive(folder: Path, logs: list[Path], count: int) -> None:
    """Fill a folder with names of logs, 500 to a folder below it."""
    for number, log in zip(range(count), itertools.cycle(logs), strict=False):
        below = folder / f"{number // 500:04}"
        below.mkdir(exist_ok=True)
        (below / f"{number:07}.rlog").symlink_to(log.resolve())


def peaks_of(process: int) -> dict[int, int]:
    """Give the most memory, in KiB, that a process and those below it have held so far."""
    root = Path(f"/proc/{process}")
    found: dict[int, int] = {}
    try:
        status = (root / "status").read_text(encoding="ascii", errors="replace").splitlines()
        found[process] = sum(int(line.split()[1]) for line in status if line.startswith("VmHWM"))
        # A process is listed with the thread that started it.
        for children in root.glob("task/*/children"):
            for child in children.read_text(encoding="ascii").split():
                found |= peaks_of(int(child))
    except OSError:
        # It has ended since.
        return found
    return found


def audit(folder: Path, jobs: int) -> tuple[int, Took | None]:
    """Audit a folder; give the exit code, and what it took unless it came to no end."""
    command = [sys.executable, "-m", "ronda_cli", "audit", "--quiet", "--json"]
    peaks: dict[int, int] = {}
    # A file takes any number of lines about logs that are wrong; a full pipe would stop the audit.
    with tempfile.TemporaryFile("w+", encoding="utf-8") as said:
        begun = time.perf_counter()
        process = subprocess.Popen([*command, "--jobs", str(jobs), folder], stdout=said)
        while True:
            for one, held in peaks_of(process.pid).items():
                peaks[one] = max(held, peaks.get(one, 0))
            try:
                code = process.wait(_LOOK_SECONDS)
            except subprocess.TimeoutExpired:
                continue
            break
        seconds = time.perf_counter() - begun
        said.seek(0)
        lines = said.read().splitlines()
    summary = json.loads(lines[-1]).get("summary") if lines else None
    if summary is None:
        return code or 1, None
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return code, Took(
        logs=summary["logs"],
        clean=summary["clean"],
        moves=summary["moves"],
        jobs=jobs,
        seconds=seconds,
        processor_seconds=used.ru_utime + used.ru_stime,
        # A short audit may be over before it is looked at; the largest process is known then.
        peak_kib=max(sum(peaks.values()), used.ru_maxrss),
    )


def main() -> int:
    """Audit, print what it took, and return the audit's exit code."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("sources", nargs="+", type=Path, metavar="LOG")
    parser.add_argument("--logs", type=int, default=10_000, help="how many, from 2 (default 10000)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args()
    logs = logs_of(args.sources)
    if not logs:
        parser.error("there is no log in these folders")
    if missing := [log for log in logs if not log.is_file()]:
        parser.error(f"{missing[0]} is no file")
    if args.logs < 2:  # noqa: PLR2004 - of one log alone `ronda audit` makes no summary
        parser.error("--logs takes a number from 2")
    with tempfile.TemporaryDirectory() as name:
        make_archive(Path(name), logs, args.logs)
        code, took = audit(Path(name), args.jobs)
    if took is None:
        print("the audit came to no end", file=sys.stderr)
    elif args.json:
        print(json.dumps(asdict(took)))
    else:
        print(took.as_text())
    return code


if __name__ == "__main__":
    sys.exit(main())
