"""Options that several commands share."""

import argparse
import math
import os
import stat
from pathlib import Path

import grpc

from ronda_cli.failures import CommandError
from ronda_cli.waiting import notice_of
from ronda_client import Backoff, CredentialsError, RefereeClient, tls_credentials
from ronda_client.channels import checked_target, is_loopback
from ronda_client.heads import Heads, HeadsError

_TLS_FILES = (
    ("--tls-ca", "RONDA_TLS_CA", "the roots that the referee's certificate must lead to"),
    ("--tls-client-certificate", "RONDA_TLS_CLIENT_CERTIFICATE", "this client's certificate"),
    ("--tls-client-key", "RONDA_TLS_CLIENT_KEY", "its private key"),
)

ORGANISER_TOKEN_VARIABLE = "RONDA_ORGANISER_TOKEN"


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
    add_optional_target(parser, required=True)


def add_optional_target(
    parser: argparse.ArgumentParser,
    what: str = "where the referee listens",
    *,
    required: bool = False,
) -> None:
    """Add where a referee is, if there is one, and how long to wait for it."""
    parser.add_argument("--target", type=target, required=required, metavar="HOST:PORT", help=what)
    add_patience(parser)


def add_patience(parser: argparse.ArgumentParser) -> None:
    """Add how long to wait for a referee."""
    parser.add_argument(
        "--patience",
        type=seconds,
        default=60.0,
        metavar="SECONDS",
        help="how long to wait for a referee that does not answer (default: 60)",
    )


def add_tls_ca(parser: argparse.ArgumentParser) -> None:
    """Add how to know a referee that speaks TLS, and how to be known to it."""
    tls = parser.add_argument_group(
        "TLS", "Beyond loopback it is spoken always, on loopback where one of these is given."
    )
    for flag, variable, what in _TLS_FILES:
        tls.add_argument(flag, type=Path, metavar="FILE", help=f"{what}, PEM (default: {variable})")


def credentials_of(args: argparse.Namespace) -> grpc.ChannelCredentials | None:
    """Return what the options of `add_tls_ca` and the environment say; None: no TLS.

    Beyond loopback a referee speaks TLS alone, so the usual roots are taken where no others are
    named. A command without the option of `add_target` speaks TLS where a file is named.

    Raises:
        CommandError: A file cannot be used.
    """
    files = [
        getattr(args, flag[2:].replace("-", "_")) or _path(os.environ.get(variable))
        for flag, variable, _ in _TLS_FILES
    ]
    target: str | None = getattr(args, "target", None)
    if not any(files) and (target is None or is_loopback(target)):
        return None
    try:
        return tls_credentials(*files)
    except CredentialsError as error:
        raise CommandError(f"TLS: {error}", code=2) from error


def _path(text: str | None) -> Path | None:
    return Path(text) if text else None


def add_organiser_token(parser: argparse.ArgumentParser) -> None:
    """Add where an organiser's token is."""
    parser.add_argument(
        "--organiser-token-file",
        type=Path,
        metavar="FILE",
        help="holds an organiser's token, as `organiser-token` in the referee's data folder "
        f"(default: the token in {ORGANISER_TOKEN_VARIABLE})",
    )


def organiser_token_of(args: argparse.Namespace) -> str | None:
    """Return the organiser's token that the options or the environment name, or None.

    Raises:
        CommandError: The file cannot be read or holds none.
    """
    file: Path | None = args.organiser_token_file
    if file is None:
        return os.environ.get(ORGANISER_TOKEN_VARIABLE, "").strip() or None
    return first_token(file, "--organiser-token-file")


def first_token(file: Path, option: str = "") -> str:
    """Return the first token of a file that has one a line, and comments that begin with #.

    Raises:
        CommandError: The file cannot be read or holds none; the message begins with the option.
    """
    named = f"{option} {file}".strip()
    try:
        lines = file.read_text(encoding="ascii").splitlines()
    except OSError as error:
        raise CommandError(f"{named}: {error.strerror}", code=2) from error
    except UnicodeDecodeError as error:
        raise CommandError(f"{named}: it holds no token", code=2) from error
    for line in map(str.strip, lines):
        if line and not line.startswith("#"):
            return line
    raise CommandError(f"{named}: it is empty", code=2)


def client_of(
    args: argparse.Namespace,
    organiser_token: str | None = None,
    *,
    backoff: Backoff | None = None,
) -> RefereeClient:
    """Return a client for the referee that the options name.

    Args:
        args: The options.
        organiser_token: What lets an organiser create matches; None: nothing.
        backoff: How to wait; None: as the options say.

    Raises:
        CommandError: A file for TLS cannot be used.
    """
    return RefereeClient.connect(
        args.target,
        credentials=credentials_of(args),
        backoff=backoff_of(args) if backoff is None else backoff,
        organiser_token=organiser_token,
        heads=heads_of(args),
    )


def add_heads(parser: argparse.ArgumentParser, *, required: bool = False) -> None:
    """Add where the heads of logs are kept."""
    parser.add_argument(
        "--heads",
        type=output_file,
        required=required,
        metavar="FILE",
        help="keep the heads of the log here as they come, for `ronda audit --heads`; a file that "
        "exists is gone on with, and a log that differs from it is refused",
    )


def heads_of(args: argparse.Namespace) -> Heads | None:
    """Return where heads are kept, as the option of `add_heads` says; None: in memory.

    Raises:
        CommandError: The file cannot be used.
    """
    file: Path | None = getattr(args, "heads", None)
    # The audit reads heads and has no client that would keep any.
    if not isinstance(file, Path):
        return None
    try:
        return Heads(file)
    except HeadsError as error:
        raise CommandError(f"--heads {error}", code=2) from error
    except OSError as error:
        raise CommandError(f"--heads {file}: {error.strerror}", code=2) from error


def add_seed(parser: argparse.ArgumentParser) -> None:
    """Add the seed of the bots; the cards have a seed of their own, which the referee draws."""
    parser.add_argument(
        "--seed", type=int, default=0, help="fixes the choices of the bots (default: 0)"
    )


def add_json(parser: argparse.ArgumentParser) -> None:
    """Add the choice of output."""
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def backoff_of(args: argparse.Namespace) -> Backoff:
    """Return how to wait, as the options say, and so that people are told of it."""
    return Backoff(patience=args.patience, notice=notice_of(args.target, args.patience))
