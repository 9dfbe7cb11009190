"""Files that appear whole or not at all, and are on disk when the writing returns."""

import os
import secrets
from collections.abc import Iterable
from pathlib import Path


def write_durably(
    path: Path, chunks: Iterable[bytes], *, mode: int = 0o666, replace: bool = True
) -> None:
    """Write a file of some chunks of bytes, with permissions `mode` less the process's mask.

    Raises:
        FileExistsError: the path exists and is not to be replaced; it is left as it is.
        OSError: the file cannot be written; the path is left as it was.
    """
    temporary = path.with_name(f".{path.name}.{secrets.token_hex(8)}")
    descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
    try:
        with os.fdopen(descriptor, "wb") as file:
            for chunk in chunks:
                file.write(chunk)
            file.flush()
            os.fsync(file.fileno())
        if replace:
            temporary.replace(path)
        else:
            # A link, unlike a rename, never replaces what another process made meanwhile.
            os.link(temporary, path)
    finally:
        temporary.unlink(missing_ok=True)
    sync_folder(path.parent)


def sync_folder(folder: Path) -> None:
    """Bring a folder's names to the disk.

    Raises:
        OSError: it cannot be done.
    """
    # Elsewhere a folder cannot be opened, and the file system keeps its names by itself.
    if os.name != "posix":
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
