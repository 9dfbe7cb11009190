"""Organisers' tokens: who may create matches beyond loopback, cancel them and copy the store.

They stand one a line in files that are their owner's alone, and that are read again when they
change. A file that can no longer be used lets nobody in.
"""

import contextlib
import hmac
import re
import stat
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TypeAlias

import structlog

from ronda_referee.durable_file import write_durably
from ronda_referee.errors import SettingsError
from ronda_referee.tokens import new_token, token_hash

OWN_FILE = "organiser-token"

SHORTEST_TOKEN = 32
LONGEST_TOKEN = 256

# What may follow `Bearer` in RFC 6750.
_TOKEN = re.compile(r"[A-Za-z0-9._~+/-]+=*")
_LARGEST_FILE = 1024 * 1024

_Stamp: TypeAlias = tuple[int, int, int, int, int]

_log = structlog.get_logger(__name__)


class TokenFileError(Exception):
    """A file of tokens cannot be used; the text says why, and holds none of its contents."""


class TokenFile:
    """One file of tokens, read again whenever it has changed."""

    def __init__(self, path: Path) -> None:
        """Read the file.

        Raises:
            TokenFileError: it cannot be used.
        """
        self._path = path
        self._hashes = read_token_hashes(path)
        self._stamp = _stamp(path)

    def hashes(self) -> Sequence[bytes]:
        """Give the hashes of the tokens that are in it now; none where it cannot be used."""
        stamp = _stamp(self._path)
        if stamp != self._stamp:
            self._stamp = stamp
            try:
                self._hashes = read_token_hashes(self._path)
                _log.info("organisers' tokens read again", file=str(self._path))
            except TokenFileError as error:
                self._hashes = ()
                _log.error("organisers' tokens unusable", file=str(self._path), detail=str(error))
        return self._hashes


class Organisers:
    """All who have an organiser's token."""

    def __init__(self, paths: Iterable[Path]) -> None:
        """Read the files.

        Raises:
            SettingsError: one cannot be used.
        """
        try:
            self._files = [TokenFile(path) for path in paths]
        except TokenFileError as error:
            raise SettingsError(f"organisers' tokens: {error}") from error

    def know(self, token: str) -> bool:
        """Tell whether a token is an organiser's; it takes the same time for every token."""
        given = token_hash(token)
        known = False
        for file in self._files:
            for expected in file.hashes():
                known |= hmac.compare_digest(given, expected)
        return known


def read_token_hashes(path: Path) -> tuple[bytes, ...]:
    """Read a file of tokens: one a line; empty lines and those that begin with # say nothing.

    Raises:
        TokenFileError: it cannot be read, others can read it, it has no token, or a line is none.
    """
    try:
        with path.open("rb") as file:
            mode = stat.S_IMODE(path.stat().st_mode)
            data = file.read(_LARGEST_FILE + 1)
    except OSError as error:
        raise TokenFileError(f"{path} cannot be read: {error.strerror}") from error
    if mode & 0o077:
        raise TokenFileError(f"others can read {path} (mode {mode:04o}); chmod 600 it")
    if len(data) > _LARGEST_FILE:
        raise TokenFileError(f"{path} is larger than {_LARGEST_FILE} bytes")
    hashes = []
    for number, line in enumerate(data.decode("ascii", errors="replace").splitlines(), 1):
        token = line.strip()
        if not token or token.startswith("#"):
            continue
        if not _TOKEN.fullmatch(token) or not SHORTEST_TOKEN <= len(token) <= LONGEST_TOKEN:
            raise TokenFileError(
                f"{path}: line {number} is no token: {SHORTEST_TOKEN} to {LONGEST_TOKEN} letters, "
                "digits and - . _ ~ + / are needed, as `openssl rand -base64 32` gives"
            )
        hashes.append(token_hash(token))
    if not hashes:
        raise TokenFileError(f"{path} holds no token; put one on a line of its own")
    return tuple(hashes)


def make_own_token(data: Path, entropy: Callable[[int], bytes]) -> Path:
    """Give the file with the token of the referee's own user, and make it where there is none.

    Raises:
        SettingsError: it cannot be made.
    """
    path = data / OWN_FILE
    try:
        if not path.exists():
            with contextlib.suppress(FileExistsError):
                token = new_token(entropy).encode() + b"\n"
                write_durably(path, [token], mode=0o600, replace=False)
    except OSError as error:
        raise SettingsError(f"{path} cannot be made: {error.strerror}") from error
    return path


def _stamp(path: Path) -> _Stamp | None:
    """Give what changes whenever a file is written, replaced, or opened to others."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_ino, found.st_mtime_ns, found.st_ctime_ns, found.st_size, found.st_mode
