"""Writing a file whole or not at all."""

import os
import secrets
import stat
from pathlib import Path


def write_whole(path: Path, data: bytes) -> None:
    """Write a file so that `path` has all of `data` or is as it was before.

    A symbolic link stays, and what it leads to is written. A new file gets the mode that the
    umask leaves, an older one keeps its own. What is no regular file, as a FIFO or a device, is
    written straight into: it is not ours to replace.

    Raises:
        OSError: It cannot be written.
    """
    try:
        mode = path.stat().st_mode
    except FileNotFoundError:
        mode = None
    if mode is not None and not stat.S_ISREG(mode):
        path.write_bytes(data)
        return
    target = Path(os.path.realpath(path))
    beside = target.with_name(f".ronda-{secrets.token_hex(8)}")
    # With the mode of any new file, which tempfile does not give.
    handle = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        if mode is not None:
            beside.chmod(stat.S_IMODE(mode))
        beside.replace(target)
    except BaseException:
        beside.unlink(missing_ok=True)
        raise


def write_new(path: Path, data: bytes) -> None:
    """Write a file that is not there yet, whole or not at all.

    Raises:
        FileExistsError: There is a file of that name; it is left as it is.
        OSError: It cannot be written.
    """
    beside = path.with_name(f".ronda-{secrets.token_hex(8)}")
    handle = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        # A link, unlike a rename, never replaces what another process made meanwhile.
        os.link(beside, path)
    finally:
        beside.unlink(missing_ok=True)
