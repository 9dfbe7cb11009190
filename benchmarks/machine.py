"""What a machine is, as far as its figures need it; neither its name nor its paths."""

import os
import platform
import tempfile
import time
from importlib import metadata
from pathlib import Path

# Nothing is ever on a disk there.
_IN_MEMORY = frozenset({"tmpfs", "ramfs"})

_PACKAGES = ("grpcio", "protobuf", "apsw", "open_spiel", "rlcard")


def file_system(folder: Path, mounts: str | None = None) -> str:
    """Return the kind of file system that a folder is on, as `ext4`; empty where nobody says.

    Args:
        folder: The folder.
        mounts: The table of mounts, as Linux has it; None: this machine's.
    """
    if mounts is None:
        try:
            mounts = Path("/proc/mounts").read_text(encoding="utf-8", errors="replace")
        except OSError:
            return ""
    at = folder.resolve()
    best, kind = -1, ""
    for line in mounts.splitlines():
        _, point, found, *_ = line.split(" ")
        mounted = Path(point.replace("\\040", " "))
        # Of two mounts at one place the later hides the earlier.
        if at.is_relative_to(mounted) and len(mounted.parts) >= best:
            best, kind = len(mounted.parts), found
    return kind


def disk_folder() -> Path:
    """Return where stores are put: the folder for temporary files, unless that is in memory.

    Then it is the first of /var/tmp and the working folder that is on a disk.
    """
    usual = Path(tempfile.gettempdir())
    for folder in (usual, Path("/var/tmp"), Path.cwd()):  # noqa: S108 - a folder is made in it
        if folder.is_dir() and file_system(folder) not in _IN_MEMORY:
            return folder
    return usual


def facts(folder: Path) -> dict[str, object]:
    """Return what the machine is: processors, system, Python, the folder's disk, the versions."""
    return {
        "cores": cores(),
        "system": f"{platform.system()} {platform.machine()}",
        "python": f"{platform.python_implementation()} {platform.python_version()}",
        "file_system": file_system(folder),
        "versions": {name: found for name in _PACKAGES if (found := _version(name))},
    }


def cores() -> int:
    """Return how many processors this process may use."""
    return len(os.sched_getaffinity(0))


def load() -> float:
    """Return how many processes wanted a processor in the last minute, on the mean."""
    return round(os.getloadavg()[0], 2)


def warning(load: float, cores: int) -> str:
    """Return what is to be said before anything is measured; empty where the machine is idle."""
    if load <= cores / 2:
        return ""
    return f"others are at work on this machine (load {load:.1f}): intervals will be wide"


def resident(process: int) -> int:
    """Return how many bytes of memory a process holds, by /proc, which needs Linux.

    Raises:
        OSError: There is no such process.
    """
    pages = int(Path(f"/proc/{process}/statm").read_text(encoding="ascii").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")


def processor_seconds(process: int) -> float:
    """Return for how many seconds a process has had a processor, all its threads together.

    Raises:
        OSError: There is no such process, or it is another user's.
    """
    # The number of its clock, as clock_getcpuclockid has it on Linux.
    return time.clock_gettime(~process << 3 | 2)


def has_mapped(process: int, folder: Path) -> bool:
    """Tell whether a process has loaded a library of a folder, by /proc, which needs Linux.

    Raises:
        OSError: There is no such process, or it is another user's.
    """
    return f" {folder.resolve()}/" in Path(f"/proc/{process}/maps").read_text(encoding="utf-8")


def children(process: int) -> list[int]:
    """Return the processes that a process has started, the first first, by /proc.

    Raises:
        OSError: There is no such process, or the system does not say.
    """
    listed = Path(f"/proc/{process}/task/{process}/children").read_text(encoding="ascii")
    return [int(one) for one in listed.split()]


def _version(name: str) -> str:
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return ""
