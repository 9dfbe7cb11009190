"""Options that several commands share."""

import argparse
import math
import os
import stat
from pathlib import Path

from ronda_cli.failures import CommandError
from ronda_client import Backoff, CredentialsError, RefereeClient, tls_credentials
from ronda_client.channels import checked_target, is_loopback

ORGANISER_VARIABLE = "RONDA_ORGANISER_TOKEN_FILE"

_TLS_FILES = (
    ("--tls-ca", "RONDA_TLS_CA", "the roots that the referee's certificate must lead to"),
    ("--tls-client-certificate", "RONDA_TLS_CLIENT_CERTIFICATE", "this client's certificate"),
    ("--tls-client-key", "RONDA_TLS_CLIENT_KEY", "its private key"),
)


def seconds(text: str) -> float:
    """Read a number of seconds, 0 or more.

    Raises:
        argparse.ArgumentTypeError: It is none.
    """
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not 0 <= value < math.inf:
        raise argparse.ArgumentTypeError(f"{text!r} is no number of seconds, as 60 or 0.5")
    return value


def target(text: str) -> str:
    """Read where a referee listens.

    Raises:
        argparse.ArgumentTypeError: It is no `HOST:PORT`.
    """
    try:
        return checked_target(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from error


def output_file(text: str) -> Path:
    """Read where a file is to be written, and make sure that it can be: before the work is done.

    Raises:
        argparse.ArgumentTypeError: It cannot.
    """
    if not text:
        raise argparse.ArgumentTypeError("it needs the name of a file")
    path = Path(text)
    try:
        if path.is_dir():
            raise argparse.ArgumentTypeError(f"{text!r} is a folder, not a file")
        if not stat.S_ISREG(path.stat().st_mode):
            # A FIFO or a device: its folder is of no account.
            return path
    except FileNotFoundError:
        pass
    except OSError as error:
        raise argparse.ArgumentTypeError(f"{text!r}: {error.strerror}") from error
    # The folder that matters is that of the file which a symbolic link leads to.
    folder = Path(os.path.realpath(text)).parent
    if not folder.is_dir():
        raise argparse.ArgumentTypeError(f"{text!r}: there is no folder {str(folder)!r}")
    if not os.access(folder, os.W_OK | os.X_OK):
        raise argparse.ArgumentTypeError(f"{text!r}: the folder {str(folder)!r} is read-only")
    return path


def add_target(parser: argparse.ArgumentParser) -> None:
    """Add where the referee is and how long to wait for it."""
    parser.add_argument(
        "--target",
        type=target,
        required=True,
        metavar="HOST:PORT",
        help="where the referee listens",
    )
    parser.add_argument(
        "--patience",
        type=seconds,
        default=60.0,
        metavar="SECONDS",
        help="how long to wait for a referee that does not answer (default: 60)",
    )
    tls = parser.add_argument_group("TLS", "Beyond loopback a referee speaks TLS alone.")
    for flag, variable, what in _TLS_FILES:
        tls.add_argument(flag, type=Path, metavar="FILE", help=f"{what}, PEM (default: {variable})")


def add_organiser(parser: argparse.ArgumentParser) -> None:
    """Add the organiser's token, for commands that create or cancel matches."""
    parser.add_argument(
        "--organiser-token-file",
        type=Path,
        metavar="FILE",
        help="holds an organiser's token, which creating a match beyond loopback needs "
        f"(default: {ORGANISER_VARIABLE})",
    )


def client_of(args: argparse.Namespace) -> RefereeClient:
    """Return a client for the referee that the options name.

    Beyond loopback it speaks TLS; on loopback where one of the options for TLS is given.

    Raises:
        CommandError: A file cannot be used.
    """
    ca, certificate, key = (
        _file_of(getattr(args, flag[2:].replace("-", "_")), variable)
        for flag, variable, _ in _TLS_FILES
    )
    try:
        credentials = (
            None
            if is_loopback(args.target) and not (ca or certificate or key)
            else tls_credentials(ca, certificate, key)
        )
    except CredentialsError as error:
        raise CommandError(f"TLS: {error}", code=2) from error
    return RefereeClient.connect(
        args.target,
        credentials=credentials,
        organiser_token=_organiser_token(args),
        backoff=Backoff(patience=args.patience),
    )


def read_token(file: Path, option: str) -> str:
    """Return the token that a file holds: its first line that is neither empty nor begins with #.

    Raises:
        CommandError: There is none; the message names the option.
    """
    try:
        lines = file.read_text(encoding="ascii").splitlines()
    except OSError as error:
        raise CommandError(f"{option} {file}: {error.strerror}", code=2) from error
    except UnicodeDecodeError as error:
        raise CommandError(f"{option} {file}: it holds no token", code=2) from error
    for line in lines:
        token = line.strip()
        if token and not token.startswith("#"):
            return token
    raise CommandError(f"{option} {file}: it is empty", code=2)


def _organiser_token(args: argparse.Namespace) -> str:
    file = _file_of(getattr(args, "organiser_token_file", None), ORGANISER_VARIABLE)
    # A command that needs no token does not read one, whatever the environment says.
    if file is None or "organiser_token_file" not in args:
        return ""
    return read_token(file, "--organiser-token-file")


def _file_of(given: Path | None, variable: str) -> Path | None:
    if given is not None:
        return given
    named = os.environ.get(variable)
    return Path(named) if named else None


def add_seed(parser: argparse.ArgumentParser) -> None:
    """Add the seed of the bots; the cards have a seed of their own, which the referee draws."""
    parser.add_argument(
        "--seed", type=int, default=0, help="fixes the choices of the bots (default: 0)"
    )


def add_json(parser: argparse.ArgumentParser) -> None:
    """Add the choice of output."""
    parser.add_argument("--json", action="store_true", help="print one JSON object")
