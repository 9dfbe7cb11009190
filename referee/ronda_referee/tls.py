"""TLS of the listener: reads its files, and says what is wrong before anything listens."""

import stat
from datetime import UTC, datetime
from pathlib import Path

import grpc
from cryptography import x509
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    PublicFormat,
    load_pem_private_key,
)

from ronda_referee.errors import SettingsError
from ronda_referee.settings import Tls


def server_credentials(tls: Tls) -> grpc.ServerCredentials:
    """Give what the server shows its clients, and asks them for.

    Raises:
        SettingsError: a file cannot be read or used, others can read the key, the key is not the
            certificate's, or the certificate is out of date.
    """
    chain, key = _checked_pair(tls)
    client_ca = None if tls.client_ca is None else _checked_client_ca(tls.client_ca)
    return grpc.ssl_server_credentials(
        [(key, chain)],
        root_certificates=client_ca,
        require_client_auth=client_ca is not None,
    )


def _checked_pair(tls: Tls) -> tuple[bytes, bytes]:
    chain = _read("tls.certificate", tls.certificate)
    certificate = _certificates("tls.certificate", tls.certificate, chain)[0]
    now = datetime.now(UTC)
    if not certificate.not_valid_before_utc <= now <= certificate.not_valid_after_utc:
        raise SettingsError(
            f"tls.certificate: {tls.certificate} is valid from "
            f"{certificate.not_valid_before_utc:%Y-%m-%d} to "
            f"{certificate.not_valid_after_utc:%Y-%m-%d}, not today; clients would refuse it"
        )
    key = _read("tls.key", tls.key)
    mode = stat.S_IMODE(tls.key.stat().st_mode)
    if mode & 0o007:
        raise SettingsError(f"tls.key: others can read {tls.key} (mode {mode:04o}); chmod 600 it")
    try:
        private = load_pem_private_key(key, password=None)
    except (ValueError, TypeError) as error:
        raise SettingsError(
            f"tls.key: {tls.key} is no private key in PEM without a password"
        ) from error
    form = (Encoding.DER, PublicFormat.SubjectPublicKeyInfo)
    if private.public_key().public_bytes(*form) != certificate.public_key().public_bytes(*form):
        raise SettingsError(f"tls.key: {tls.key} is not the key of {tls.certificate}")
    return chain, key


def _checked_client_ca(path: Path) -> bytes:
    roots = _read("tls.client_ca", path)
    _certificates("tls.client_ca", path, roots)
    return roots


def _certificates(name: str, path: Path, data: bytes) -> list[x509.Certificate]:
    try:
        return x509.load_pem_x509_certificates(data)
    except ValueError as error:
        raise SettingsError(f"{name}: {path} holds no certificate in PEM") from error


def _read(name: str, path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise SettingsError(f"{name}: {path} cannot be read: {error.strerror}") from error
