"""`ronda matches export`: the log files of matches that have ended."""

import argparse
import json
import sys
from dataclasses import dataclass, field
from pathlib import Path

from ronda.v1.referee_service_pb2 import MATCH_STATE_CANCELLED, MATCH_STATE_ENDED
from ronda_cli.failures import CommandError
from ronda_cli.progress import progress
from ronda_client import MatchIdError, RefereeClient, RefereeError, read_records
from ronda_client.log_file import log_name
from ronda_client.whole_file import write_new
from ronda_replay.names import printable

_LARGEST_PAGE = 500


@dataclass(slots=True)
class _Exported:
    written: int = 0
    there: int = 0
    failed: list[dict[str, str]] = field(default_factory=list)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what is exported, and where to."""
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("match", nargs="?", metavar="ID", help="one match")
    what.add_argument("--all", action="store_true", help="every match that has ended")
    parser.add_argument("--rule-set", metavar="ID", help="with --all: only matches of this one")
    parser.add_argument(
        "--out",
        type=Path,
        required=True,
        metavar="PATH",
        help="the file of one log, or with --all the folder for them, which is made if missing; "
        "a file that exists is never overwritten",
    )


def check_arguments(args: argparse.Namespace) -> None:
    """Refuse what cannot be done before anybody is asked; make the folder where one is wanted.

    Raises:
        CommandError: It cannot; the message says what would be right.
    """
    out: Path = args.out
    if args.all:
        if out.exists() and not out.is_dir():
            raise CommandError(f"--out {out}: with --all a folder is needed", code=2)
        try:
            out.mkdir(exist_ok=True)
        except OSError as error:
            raise CommandError(f"--out {out}: {error.strerror}", code=2) from error
        return
    if args.rule_set is not None:
        raise CommandError("--rule-set goes with --all", code=2)
    if out.exists() or out.is_symlink():
        raise _exists(out)
    if not out.parent.is_dir():
        raise CommandError(f"--out {out}: there is no folder {out.parent}", code=2)


async def export(client: RefereeClient, args: argparse.Namespace) -> int:
    """Write the log of one match, or of all; return the exit code."""
    if args.all:
        return await _export_all(client, args)
    log = await client.get_match_log(args.match)
    if not _whole(log):
        raise CommandError(f"match {args.match} has not ended; its log is exported when it has")
    try:
        write_new(args.out, log)
    except FileExistsError as error:
        raise _exists(args.out) from error
    except OSError as error:
        raise CommandError(f"--out {args.out}: {error.strerror}") from error
    if args.json:
        found = {"match_id": args.match, "file": str(args.out), "bytes": len(log)}
        print(json.dumps(found))
    else:
        print(f"{args.out}: {len(log)} bytes")
    return 0


async def _export_all(client: RefereeClient, args: argparse.Namespace) -> int:
    folder: Path = args.out
    ids = [
        match.match_id
        for state in (MATCH_STATE_ENDED, MATCH_STATE_CANCELLED)
        async for match in client.list_matches(
            state=state, rule_set_id=args.rule_set or "", page_size=_LARGEST_PAGE
        )
    ]
    exported = _Exported()
    there = _names(folder)
    with progress("exporting", len(ids)) as bar:
        for number, match_id in enumerate(ids, 1):
            try:
                name = log_name(match_id)
            except MatchIdError as error:
                exported.failed.append({"match_id": match_id, "detail": str(error)})
            else:
                if name in there:
                    exported.there += 1
                else:
                    await _export_one(client, match_id, folder / name, exported)
            bar.update(number, f"{number} of {len(ids)}")
    if args.json:
        counts = {"written": exported.written, "already_there": exported.there}
        print(json.dumps({"folder": str(folder), **counts, "failed": exported.failed}))
    else:
        print(f"{folder}: {exported.written} logs written, {exported.there} were there already")
        for failure in exported.failed:
            print(f"match {printable(failure['match_id'])}: {failure['detail']}", file=sys.stderr)
    return 1 if exported.failed else 0


def _whole(log: bytes) -> bool:
    """Tell whether a log is signed; of a match that goes on a referee gives what there is."""
    return any(record.HasField("signature") for record in read_records(log))


def _names(folder: Path) -> set[str]:
    return {file.name for file in folder.iterdir()}


async def _export_one(
    client: RefereeClient, match_id: str, file: Path, exported: _Exported
) -> None:
    try:
        write_new(file, await client.get_match_log(match_id))
    except FileExistsError:
        exported.there += 1
    except RefereeError as error:
        exported.failed.append({"match_id": match_id, "detail": str(error)})
    except OSError as error:
        # The next file would fare no better.
        raise CommandError(f"{file}: {error.strerror}") from error
    else:
        exported.written += 1


def _exists(out: Path) -> CommandError:
    return CommandError(f"--out {out}: the file exists, and stays as it is", code=2)
