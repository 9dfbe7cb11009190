"""Time and memory of auditing an archive, whatever its size.

    python benchmarks/audit.py match.rlog [MORE.rlog …] [--logs 10000] [--jobs 2] [--json]

The archive is a folder of so many names of the logs given, by turns. `ronda audit --quiet` runs on
it; what its processes hold at most, all together, is read from /proc twice a second, so this needs
Linux.
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
from pathlib import Path


def make_archive(folder: Path, logs: list[Path], count: int) -> None:
    """Fill a folder with names of logs, 500 to a folder below it."""
    for number, log in zip(range(count), itertools.cycle(logs), strict=False):
        below = folder / f"{number // 500:04}"
        below.mkdir(exist_ok=True)
        (below / f"{number:07}.rlog").symlink_to(log.resolve())


def peak_of(process: int) -> int:
    """Give the most memory, in KiB, that a process and those that it started have held so far."""
    children = Path(f"/proc/{process}/task/{process}/children")
    try:
        status = Path(f"/proc/{process}/status").read_text(encoding="ascii").splitlines()
        below = children.read_text(encoding="ascii").split()
    except OSError:
        # It has ended since.
        return 0
    own = sum(int(line.split()[1]) for line in status if line.startswith("VmHWM"))
    return own + sum(peak_of(int(child)) for child in below)


def main() -> int:
    """Audit, print what it took, and return the audit's exit code."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("sources", nargs="+", type=Path, metavar="LOG")
    parser.add_argument("--logs", type=int, default=10_000)
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        make_archive(Path(name), args.sources, args.logs)
        command = [sys.executable, "-m", "ronda_cli", "audit", "--quiet", "--jobs", str(args.jobs)]
        begun = time.perf_counter()
        process = subprocess.Popen([*command, name], stdout=subprocess.PIPE, text=True)
        peak = 0
        while process.poll() is None:
            peak = max(peak, peak_of(process.pid))
            time.sleep(0.5)
        seconds = time.perf_counter() - begun
        said = process.communicate()[0].splitlines()
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    processor = used.ru_utime + used.ru_stime
    if args.json:
        took = {"seconds": seconds, "processor_seconds": processor, "peak_kib": peak}
        print(json.dumps({"logs": args.logs, "jobs": args.jobs, **took}))
    else:
        print(said[-1])
        print(f"{seconds:.0f} s, {processor:.0f} s of the processor, {peak / 1024:.0f} MiB held")
    return process.returncode


if __name__ == "__main__":
    sys.exit(main())
