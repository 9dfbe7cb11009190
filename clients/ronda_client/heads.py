"""The heads of logs that were seen: what a referee cannot take back.

The hash of a record covers every record before it, so whoever has seen one head knows from it
whether a log that is published later is the one that was watched. Kept in a file they outlive the
program that saw them, and `ronda audit --heads` holds logs against them. The file has a JSON object
in each line::

    {"match_id": "6aed7bf7fd622f853f37", "sequence": 151, "head": "9f86d0…"}
"""

import json
from collections import OrderedDict
from dataclasses import dataclass
from pathlib import Path

HEAD_SIZE = 32

# A head takes some 200 bytes; the one that was not looked at for the longest time is forgotten.
MOST_REMEMBERED = 10_000


class HeadsError(ValueError):
    """A file is no file of heads; the message says where."""


@dataclass(frozen=True, slots=True)
class SeenHead:
    """A head that was seen.

    Attributes:
        match_id: The match.
        sequence: The record's sequence number.
        head: The hash, 32 bytes, of the record.
    """

    match_id: str
    sequence: int
    head: bytes


class Heads:
    """The last head of each match that was followed; with a file, those of earlier runs too.

    A client has one, and every stream of it looks here: a log that differs from what any stream
    of the client saw of the same match is a fork.
    """

    def __init__(self, path: Path | None = None) -> None:
        """Remember in memory alone, or in a file too, which is gone on with where it exists.

        Raises:
            HeadsError: The file is no file of heads.
            OSError: It cannot be read or written.
        """
        self._last: OrderedDict[str, SeenHead] = OrderedDict()
        self._saved: dict[str, int] = {}
        self._path = path
        if path is not None:
            self._go_on_with(path)

    def last(self, match_id: str) -> SeenHead | None:
        """Return the last head that was seen of a match, or None."""
        return self._last.get(match_id)

    def remember(self, seen: SeenHead) -> None:
        """Take a head as the last one of its match, where no later one was seen."""
        known = self._last.get(seen.match_id)
        if known is None or known.sequence <= seen.sequence:
            self._last[seen.match_id] = seen
        self._last.move_to_end(seen.match_id)
        if len(self._last) > MOST_REMEMBERED:
            forgotten, _ = self._last.popitem(last=False)
            self._saved.pop(forgotten, None)

    def save(self, match_id: str) -> None:
        """Write a match's last head to the file, if there is one and the head is new.

        Raises:
            OSError: It cannot be written.
        """
        seen = self._last.get(match_id)
        if self._path is None or seen is None or self._saved.get(match_id, -1) >= seen.sequence:
            return
        self._saved[match_id] = seen.sequence
        # The system has it at once, and keeps it where this process ends.
        with self._path.open("a", encoding="utf-8") as file:
            file.write(_line(seen))

    def _go_on_with(self, path: Path) -> None:
        if path.exists():
            for seen in _seen_in(path):
                self.remember(seen)
                self._saved[seen.match_id] = seen.sequence
            _drop_torn_line(path)
        # Better now than in the middle of a match.
        path.open("a").close()


def read_heads(path: Path) -> dict[str, dict[int, list[bytes]]]:
    """Return the heads in a file, by match and sequence number; different ones stand side by side.

    Raises:
        HeadsError: A line is none; one that is cut off at the end of the file is left out.
        OSError: The file cannot be read.
    """
    heads: dict[str, dict[int, list[bytes]]] = {}
    for seen in _seen_in(path):
        of_record = heads.setdefault(seen.match_id, {}).setdefault(seen.sequence, [])
        if seen.head not in of_record:
            of_record.append(seen.head)
    return heads


def _seen_in(path: Path) -> list[SeenHead]:
    found = []
    with path.open(encoding="utf-8", errors="replace") as file:
        for number, line in enumerate(file, 1):
            try:
                found.append(_parse(line))
            except ValueError as error:
                if line.endswith("\n"):
                    raise HeadsError(f"{path}, line {number}: {error}") from error
    return found


def _parse(line: str) -> SeenHead:
    try:
        fields = json.loads(line)
        match_id, sequence = fields["match_id"], fields["sequence"]
        head = bytes.fromhex(fields["head"])
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise ValueError("it is no object with match_id, sequence and head") from error
    if not isinstance(match_id, str) or type(sequence) is not int or sequence < 0:
        raise ValueError("match_id is to be a text, and sequence a number from 0 on")
    if len(head) != HEAD_SIZE:
        raise ValueError(f"head is to have {2 * HEAD_SIZE} hexadecimal digits")
    return SeenHead(match_id, sequence, head)


def _line(seen: SeenHead) -> str:
    fields = {"match_id": seen.match_id, "sequence": seen.sequence, "head": seen.head.hex()}
    return json.dumps(fields) + "\n"


def _drop_torn_line(path: Path) -> None:
    """Take away what stands after the last end of a line: its writer was stopped in the middle."""
    with path.open("r+b") as file:
        data = file.read()
        file.truncate(data.rfind(b"\n") + 1)
