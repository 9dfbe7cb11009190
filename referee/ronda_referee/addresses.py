"""Where a server listens: a host and a port, and whether that is this machine alone."""

import ipaddress
from dataclasses import dataclass

_HIGHEST_PORT = 65_535


@dataclass(frozen=True, slots=True)
class Address:
    """A host and a port.

    Attributes:
        host: a name or an IP address; of version 6 in brackets.
        port: 0 for a free one, up to 65535.
    """

    host: str
    port: int

    def __str__(self) -> str:
        return f"{self.host}:{self.port}"

    @property
    def loopback(self) -> bool:
        """Whether only programs of this machine reach it."""
        bare = self.host.removeprefix("[").removesuffix("]")
        try:
            return bare == "localhost" or ipaddress.ip_address(bare).is_loopback
        except ValueError:
            return False


def parse_address(text: str) -> Address:
    """Read HOST:PORT, as `127.0.0.1:7632` or `[::1]:0`.

    Raises:
        ValueError: it is none; the message quotes it and shows a right one.
    """
    host, _, port = text.rpartition(":")
    bracketed = host.startswith("[") and host.endswith("]")
    if (
        not host
        or (":" in host and not bracketed)
        or not (port.isascii() and port.isdecimal())
        or int(port) > _HIGHEST_PORT
    ):
        raise ValueError(f"{text!r} is not HOST:PORT, as 127.0.0.1:7632 or [::1]:7632")
    return Address(host, int(port))
