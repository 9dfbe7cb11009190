"""The referee's Ed25519 key: made on the first start, kept in the data folder, never shown.

The key file holds the private key as unencrypted PKCS #8 in PEM, as `openssl pkey` reads it, and
is readable by its owner alone.
"""

import contextlib
import os
import stat
from pathlib import Path

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    load_pem_private_key,
)

from ronda_referee.durable_file import write_durably

PUBLIC_KEY_SIZE = 32
SIGNATURE_SIZE = 64


class SigningKeyError(Exception):
    """The key file cannot be used; it is left as it is.

    Attributes:
        reason: the stable reason code.
        path: the key file.
    """

    reason = "SIGNING_KEY_UNUSABLE"

    def __init__(self, path: Path, detail: str) -> None:
        """Name the file and say what is wrong and what would be right."""
        super().__init__(f"{path}: {detail}")
        self.path = path


class SigningKey:
    """An Ed25519 private key."""

    def __init__(self, private: Ed25519PrivateKey) -> None:
        """Wrap the key."""
        self._private = private
        self._public = private.public_key().public_bytes_raw()

    @property
    def public_key(self) -> bytes:
        """The public key, 32 bytes."""
        return self._public

    def sign(self, message: bytes) -> bytes:
        """Give the signature, 64 bytes, of a message."""
        return self._private.sign(message)


def verify(public_key: bytes, signature: bytes, message: bytes) -> bool:
    """Tell whether a signature of a message is valid under a public key of 32 bytes."""
    try:
        Ed25519PublicKey.from_public_bytes(public_key).verify(signature, message)
    except (InvalidSignature, ValueError):
        return False
    return True


def load_or_create(path: Path) -> SigningKey:
    """Read the key file, or make it where there is none.

    A new file appears whole or not at all, and is on disk when this returns. Where two processes
    make one at the same time, both use the one that was there first.

    Raises:
        SigningKeyError: the file is damaged, holds no Ed25519 key, can be read by others, or
            cannot be read or made.
    """
    try:
        if not path.exists():
            _create(path)
        return _load(path)
    except OSError as error:
        raise SigningKeyError(path, f"cannot be read or made: {error.strerror}") from error


def _load(path: Path) -> SigningKey:
    mode = stat.S_IMODE(path.stat().st_mode)
    if os.name == "posix" and mode & 0o077:
        raise SigningKeyError(
            path, f"others can read the signing key (mode {mode:04o}); chmod 600 it"
        )
    try:
        private = load_pem_private_key(path.read_bytes(), password=None)
    except (ValueError, TypeError) as error:
        raise SigningKeyError(
            path,
            "is no readable signing key; restore it from a backup, or move it away and the "
            "referee makes a new key, under which older logs do not verify",
        ) from error
    if not isinstance(private, Ed25519PrivateKey):
        raise SigningKeyError(path, "holds a key of another kind; an Ed25519 key is needed")
    return SigningKey(private)


def _create(path: Path) -> None:
    pem = Ed25519PrivateKey.generate().private_bytes(
        Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()
    )
    # Another process made one meanwhile: both use that one.
    with contextlib.suppress(FileExistsError):
        write_durably(path, [pem], mode=0o600, replace=False)
