"""TLS for the connections to a referee, from files."""

from pathlib import Path

import grpc

from ronda_client.errors import CredentialsError

_CERTIFICATE = b"-----BEGIN CERTIFICATE-----"
_KEY = b"PRIVATE KEY-----"


def tls_credentials(
    ca: Path | None = None, certificate: Path | None = None, key: Path | None = None
) -> grpc.ChannelCredentials:
    """Return what a client needs for TLS, for `RefereeClient.connect`.

    Args:
        ca: The roots that the referee's certificate must lead to, PEM; None: the usual ones.
        certificate: The client's own certificate, PEM, where the referee asks for one.
        key: The certificate's private key, PEM.

    Raises:
        CredentialsError: A file cannot be read or holds something else, or one of certificate and
            key is missing.
    """
    if (certificate is None) != (key is None):
        given, missing = ("certificate", "key") if key is None else ("key", "certificate")
        raise CredentialsError(f"a client's {given} needs its {missing} too")
    return grpc.ssl_channel_credentials(
        root_certificates=None if ca is None else _read(ca, _CERTIFICATE, "certificate"),
        private_key=None if key is None else _read(key, _KEY, "private key"),
        certificate_chain=None
        if certificate is None
        else _read(certificate, _CERTIFICATE, "certificate"),
    )


def _read(path: Path, mark: bytes, what: str) -> bytes:
    try:
        data = path.read_bytes()
    except OSError as error:
        raise CredentialsError(f"{path} cannot be read: {error.strerror}") from error
    if mark not in data:
        raise CredentialsError(f"{path} holds no {what} in PEM")
    return data
