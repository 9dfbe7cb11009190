"""Power cuts: what a disk holds when the power fails at any write or sync of a run.

A run of SQLite is recorded below it, in a VFS that passes everything on to the real one. Played
back, each file is what was synced and, beside it, what was written since; at a cut, of the latter
anything may be left: nothing, all, a part in order, or any choice of its sectors. SQLite takes a
disk to leave bytes alone that were not written, and so does this.
"""

import random
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path
from typing import Any

import apsw
import pytest

SECTOR = 512

_JOURNALS = ("-wal", "-journal")


class Left(Enum):
    """What a cut leaves of what was written and not synced."""

    NOTHING = "nothing"
    ALL = "all"
    BEGINNING = "a part in order, its last write torn"
    SECTORS = "any choice of its sectors"


@dataclass(frozen=True)
class Op:
    """Something that was done to a file.

    Attributes:
        kind: write, truncate, sync or delete.
        file: its name without the folder.
        offset: where a write begins, or how long the file is cut to.
        data: what is written.
        durable: whether a deletion is on the disk when it returns.
    """

    kind: str
    file: str
    offset: int = 0
    data: bytes = field(default=b"", repr=False)
    durable: bool = False


class Recorder(apsw.VFS):
    """A VFS that notes what is done through it.

    Attributes:
        ops: what was done, in order.
    """

    def __init__(self) -> None:
        """Register the VFS under a name of its own."""
        self.vfs_name = f"recorder-{id(self)}"
        self.ops: list[Op] = []
        super().__init__(self.vfs_name, "")

    def xOpen(self, name: str | apsw.URIFilename | None, flags: list[int]) -> "RecordedFile":
        """Open a file whose changes are noted."""
        return RecordedFile(self.ops, name, flags)

    def xDelete(self, filename: str, syncdir: bool) -> None:
        """Delete a file."""
        super().xDelete(filename, syncdir)
        self.ops.append(Op("delete", Path(filename).name, durable=syncdir))


class RecordedFile(apsw.VFSFile):
    """A file whose changes are noted."""

    def __init__(
        self, ops: list[Op], name: str | apsw.URIFilename | None, flags: list[int]
    ) -> None:
        """Open the real file."""
        super().__init__("", name, flags)
        text = name.filename() if isinstance(name, apsw.URIFilename) else name or ""
        self._file = Path(text).name
        self._ops = ops

    def xWrite(self, data: bytes, offset: int) -> None:
        """Write bytes."""
        super().xWrite(data, offset)
        self._ops.append(Op("write", self._file, offset, bytes(data)))

    def xTruncate(self, newsize: int) -> None:
        """Cut the file."""
        super().xTruncate(newsize)
        self._ops.append(Op("truncate", self._file, newsize))

    def xSync(self, flags: int) -> None:
        """Bring the file to the disk."""
        super().xSync(flags)
        self._ops.append(Op("sync", self._file))


@contextmanager
def recorded(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[Op]]:
    """Give what is done to files by every connection opened within the context."""
    recorder = Recorder()

    class Connection(apsw.Connection):
        def __init__(self, filename: str, **options: Any) -> None:  # noqa: ANN401 - as they come
            super().__init__(filename, vfs=recorder.vfs_name, **options)

    with monkeypatch.context() as patched:
        patched.setattr(apsw, "Connection", Connection)
        yield recorder.ops
    recorder.unregister()


@dataclass
class _File:
    synced: bytearray | None = None
    since: list[Op] = field(default_factory=list)


class Disk:
    """What a run has done to the disk so far."""

    def __init__(self, files: Mapping[str, bytes] | None = None, *, lying: bool = False) -> None:
        """Begin with some files; a `lying` disk says that it has synced, and has not."""
        self._lying = lying
        self._files = {name: _File(bytearray(content)) for name, content in (files or {}).items()}

    def do(self, op: Op) -> None:
        """Do one more thing."""
        file = self._files.setdefault(op.file, _File())
        if op.kind == "delete" and op.durable and not self._lying:
            self._files[op.file] = _File()
        elif op.kind != "sync":
            file.since.append(op)
        elif not self._lying:
            if file.synced is None and op.file.endswith(_JOURNALS):
                self._sync_folder()
            file.synced = _after(file.synced, file.since)
            if file.synced is None:
                # The sync of a file that is empty.
                file.synced = bytearray()
            file.since = []

    def _sync_folder(self) -> None:
        """Bring to the disk which files there are, as SQLite does when it syncs a new journal."""
        for file in self._files.values():
            deleted = [number for number, op in enumerate(file.since) if op.kind == "delete"]
            if deleted:
                file.synced = None
                file.since = file.since[deleted[-1] + 1 :]

    def after_cut(self, left: Left, chance: random.Random) -> dict[str, bytes]:
        """Give the files that are there when the power is back."""
        found = {}
        for name, file in self._files.items():
            content = _after(file.synced, _left(file.since, left, chance))
            if content is not None:
                found[name] = bytes(content)
        return found


def _left(ops: list[Op], left: Left, chance: random.Random) -> list[Op]:
    match left:
        case Left.NOTHING:
            return []
        case Left.ALL:
            return ops
        case Left.BEGINNING:
            whole = chance.randint(0, len(ops))
            return (
                ops[:whole] + [piece for piece in _sectors(ops[whole]) if chance.random() < 0.5][:1]
                if whole < len(ops)
                else ops
            )
        case Left.SECTORS:
            return [piece for op in ops for piece in _sectors(op) if chance.random() < 0.5]


def _sectors(op: Op) -> list[Op]:
    """Give a write as writes of one sector each; anything else as it is."""
    if op.kind != "write":
        return [op]
    pieces = []
    start = op.offset
    end = op.offset + len(op.data)
    while start < end:
        stop = min(end, (start // SECTOR + 1) * SECTOR)
        data = op.data[start - op.offset : stop - op.offset]
        pieces.append(Op("write", op.file, start, data))
        start = stop
    return pieces


def _after(synced: bytearray | None, ops: list[Op]) -> bytearray | None:
    """Give a file's content after changes; None: there is no such file."""
    content = None if synced is None else bytearray(synced)
    for op in ops:
        if op.kind == "delete":
            content = None
            continue
        content = bytearray() if content is None else content
        if op.kind == "truncate":
            del content[op.offset :]
        else:
            content.extend(bytes(max(0, op.offset - len(content))))
            content[op.offset : op.offset + len(op.data)] = op.data
    return content
