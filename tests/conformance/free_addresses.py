"""Addresses for programs that are told where to listen."""

import socket


def free_address() -> str:
    """Give a loopback address that nothing listens at."""
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))
        return f"127.0.0.1:{held.getsockname()[1]}"
