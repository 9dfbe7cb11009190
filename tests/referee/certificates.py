"""Certificates for tests: an authority, and what it signs, as PEM files."""

import datetime as dt
import ipaddress
from dataclasses import dataclass
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import NameOID

_DAY = dt.timedelta(days=1)


@dataclass(frozen=True)
class Pair:
    """A certificate and its key.

    Attributes:
        certificate: the certificate's file.
        key: the key's file, mode 0600.
    """

    certificate: Path
    key: Path


class Authority:
    """Signs certificates; its own is `root`."""

    def __init__(self, folder: Path, name: str = "authority") -> None:
        """Make an authority whose files stand in a folder."""
        self._folder = folder
        self._name = _name(name)
        self._key = ec.generate_private_key(ec.SECP256R1())
        own = _builder(self._name, self._name, self._key, days=30).add_extension(
            x509.BasicConstraints(ca=True, path_length=None), critical=True
        )
        self.root = folder / f"{name}.pem"
        self.root.write_bytes(own.sign(self._key, hashes.SHA256()).public_bytes(Encoding.PEM))

    def pair(self, name: str, *, days: int = 30) -> Pair:
        """Give a certificate for localhost and the loopback addresses, valid so many days.

        Negative days: it has been out of date for as long.
        """
        key = ec.generate_private_key(ec.SECP256R1())
        names = x509.SubjectAlternativeName(
            [
                x509.DNSName("localhost"),
                x509.IPAddress(ipaddress.ip_address("127.0.0.1")),
                x509.IPAddress(ipaddress.ip_address("::1")),
            ]
        )
        signed = (
            _builder(_name(name), self._name, key, days=days)
            .add_extension(names, critical=False)
            .sign(self._key, hashes.SHA256())
        )
        pair = Pair(self._folder / f"{name}.pem", self._folder / f"{name}.key")
        pair.certificate.write_bytes(signed.public_bytes(Encoding.PEM))
        pair.key.write_bytes(key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
        pair.key.chmod(0o600)
        return pair


def _name(text: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, text)])


def _builder(
    subject: x509.Name, issuer: x509.Name, key: ec.EllipticCurvePrivateKey, *, days: int
) -> x509.CertificateBuilder:
    now = dt.datetime.now(dt.UTC)
    return (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(issuer)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - 60 * _DAY)
        .not_valid_after(now + days * _DAY)
    )
