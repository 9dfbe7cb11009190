"""Reports in files: checked before the run, written whole or not at all."""

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path


class ReportFileError(Exception):
    """A report cannot be written; the message says where and why."""


def check_writable(option: str, file: Path) -> None:
    """Check that a report can be written, so that nothing is found out after a long run.

    Args:
        option: the option that names the file, for the message.
        file: the file; one that is there already will be replaced.

    Raises:
        ReportFileError: it cannot be.
    """
    if file.exists() and not file.is_file():
        message = f"{option} {file} is no file; name a file that may be written"
        raise ReportFileError(message)
    with _beside(option, file):
        pass


def write_report(option: str, file: Path, content: bytes) -> None:
    """Write a report; a reader finds the file as it was before, or the whole of it.

    Args:
        option: the option that names the file, for the message.
        file: the file.
        content: the report.

    Raises:
        ReportFileError: it cannot be written; the file is as it was.
    """
    with _beside(option, file) as place:
        place.write_bytes(content)
        with place.open("rb") as written:
            os.fsync(written.fileno())
        place.replace(file)


@contextlib.contextmanager
def _beside(option: str, file: Path) -> Iterator[Path]:
    """Give an empty file of ours in the same folder, which is gone afterwards."""
    place = file.with_name(f".{file.name}.{os.getpid()}")
    try:
        try:
            place.touch(exist_ok=False)
            yield place
        finally:
            place.unlink(missing_ok=True)
    except OSError as error:
        message = f"{option} {file} cannot be written: {error.strerror}"
        raise ReportFileError(message) from error
