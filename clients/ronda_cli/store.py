"""`ronda store`: checks or copies a referee's store."""

import argparse
import asyncio
import json
import os
import shutil
from contextlib import ExitStack
from pathlib import Path

import apsw

from ronda_cli import options
from ronda_cli.failures import CommandError
from ronda_cli.progress import progress
from ronda_client import ClientError, RefereeClient
from ronda_referee.data_folder import (
    BACKUPS_FOLDER,
    LISTENING_FILE,
    STORE_FILE,
    FolderInUse,
    held,
)
from ronda_referee.durable_file import sync_folder
from ronda_referee.errors import SettingsError, StoreError
from ronda_referee.store_check import Finding, file_findings, match_findings, matches_in
from ronda_referee.store_copy import copied, keep, new_partial
from ronda_referee.store_file import connect
from ronda_referee.store_schema import SCHEMA_VERSION

ORGANISER_TOKEN_FILE = "organiser-token"

EXIT_OK = 0
EXIT_FOUND = 1
EXIT_UNUSABLE = 2


def add_parser(subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the command and what it can do."""
    parser = subparsers.add_parser(
        "store",
        help="check or copy a referee's store",
        description="Checks or copies the file in which a referee keeps its matches.",
    )
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
    checking = actions.add_parser(
        "check",
        help="look for damage, with no referee running",
        description="Looks for damage: SQLite's own check in full, and each match's records, "
        "their chain, its state, seats and names against each other. It changes nothing.",
        epilog="Exit codes: 0 all is sound; 1 something is damaged; 2 it cannot be looked at, or "
        "wrong arguments.",
    )
    checking.add_argument(
        "data", type=Path, metavar="DATA", help="a data folder, or a store's file, as a backup"
    )
    options.add_json(checking)
    copying = actions.add_parser(
        "backup",
        help="copy the store, also while a referee runs",
        description="Copies the store to a new file. A referee that runs is asked for the copy, "
        "and its matches go on meanwhile.",
        epilog="Exit codes: 0 the copy is on disk; 1 it could not be made; 2 wrong arguments, or "
        "the file exists.",
    )
    copying.add_argument(
        "--data", type=Path, required=True, metavar="DIR", help="the referee's data folder"
    )
    copying.add_argument(
        "--out",
        type=options.output_file,
        required=True,
        metavar="FILE",
        help="the copy; a file that exists is never overwritten",
    )
    options.add_tls_ca(copying)
    options.add_json(copying)


def run(args: argparse.Namespace) -> int:
    """Do what is asked for; return the exit code."""
    if args.action == "check":
        return _check(args.data, as_json=args.json)
    _backup(args)
    return EXIT_OK


def _check(data: Path, *, as_json: bool) -> int:
    store = data / STORE_FILE if data.is_dir() else data
    if not store.is_file():
        raise CommandError(f"there is no store {store}", code=EXIT_UNUSABLE)
    try:
        with ExitStack() as stack:
            if store != data:
                stack.enter_context(held(data, make=False))
            db = connect(store)
            stack.callback(db.close)
            findings, matches = _findings(db)
    except (apsw.NotADBError, apsw.CorruptError) as error:
        findings, matches = [Finding(None, str(error))], 0
    except (SettingsError, StoreError) as error:
        raise CommandError(str(error), code=EXIT_UNUSABLE) from error
    except (apsw.Error, OSError) as error:
        raise CommandError(f"{data} cannot be read: {error}", code=EXIT_UNUSABLE) from error
    print(_as_json(store, matches, findings) if as_json else _as_text(store, matches, findings))
    return EXIT_FOUND if findings else EXIT_OK


def _findings(db: apsw.Connection) -> tuple[list[Finding], int]:
    version = db.pragma("user_version")
    if version != SCHEMA_VERSION:
        raise StoreError(
            f"the store is of version {version}, and version {SCHEMA_VERSION} can be checked: "
            "a referee that starts on it brings it forward"
        )
    with progress("checking the file", 1):
        findings = list(file_findings(db, full=True))
    try:
        matches = matches_in(db)
        with progress("checking the matches", matches) as bar:
            findings += match_findings(db, lambda done: bar.update(done, f"{done} of {matches}"))
    except apsw.Error as error:
        findings.append(Finding(None, f"the matches cannot be read on: {error}"))
        matches = 0
    return findings, matches


def _as_json(store: Path, matches: int, findings: list[Finding]) -> str:
    return json.dumps(
        {
            "store": str(store),
            "sound": not findings,
            "matches": matches,
            "findings": [
                {"match_id": finding.match_id, "detail": finding.detail} for finding in findings
            ],
        }
    )


def _as_text(store: Path, matches: int, findings: list[Finding]) -> str:
    if not findings:
        return f"{store}: sound, {matches} matches"
    return "\n".join(
        f"{store}: "
        + ("" if finding.match_id is None else f"match {finding.match_id}: ")
        + finding.detail
        for finding in findings
    )


def _backup(args: argparse.Namespace) -> None:
    data: Path = args.data
    out: Path = args.out
    if out.exists() or out.is_symlink():
        raise _exists(out)
    if not (data / STORE_FILE).is_file():
        raise CommandError(f"{data} holds no store {STORE_FILE}", code=EXIT_UNUSABLE)
    try:
        try:
            with held(data, make=False):
                _copy(data / STORE_FILE, out)
        except FolderInUse:
            _ask_for_copy(args)
    except FileExistsError as error:
        raise _exists(out) from error
    except (SettingsError, StoreError, apsw.Error, OSError) as error:
        raise CommandError(f"the store cannot be copied: {error}") from error
    size = out.stat().st_size
    if args.json:
        print(json.dumps({"file": str(out), "bytes": size}))
    else:
        print(f"{out}: {size} bytes; keep it as you keep the referee's key")


def _copy(store: Path, out: Path) -> None:
    db = connect(store)
    try:
        partial = new_partial(out.parent)
        try:
            with progress("copying", 1) as bar:
                for done, total in copied(db, partial):
                    bar.update(done / total, f"{done} of {total} pages")
        except BaseException:
            partial.unlink(missing_ok=True)
            raise
        with progress("checking the copy", 1):
            keep(partial, out)
    finally:
        db.close()


def _ask_for_copy(args: argparse.Namespace) -> None:
    """Have the referee that runs on the folder make a copy, and move it."""
    data: Path = args.data
    try:
        target = (data / LISTENING_FILE).read_text(encoding="utf-8").strip()
    except FileNotFoundError as error:
        raise CommandError(
            f"{data} is in use, and nothing says where its referee listens; try again once it "
            "answers"
        ) from error
    token = data / ORGANISER_TOKEN_FILE
    client = RefereeClient(
        target,
        credentials=options.credentials_of(args),
        organiser_token=options.first_token(token) if token.exists() else None,
    )
    try:
        with progress("the referee copies its store", 1):
            name = asyncio.run(_backup_store(client))
    except ClientError as error:
        raise CommandError(str(error)) from error
    _move(data / BACKUPS_FOLDER / Path(name).name, args.out)


async def _backup_store(client: RefereeClient) -> str:
    async with client:
        return await client.backup_store()


def _move(copy: Path, out: Path) -> None:
    """Give a copy another name, on another file system too; what is there stays as it is."""
    try:
        os.link(copy, out)
    except FileExistsError:
        raise
    except OSError:
        _copy_file(copy, out)
    else:
        sync_folder(out.parent)
    copy.unlink()


def _copy_file(copy: Path, out: Path) -> None:
    partial = new_partial(out.parent)
    try:
        shutil.copyfile(copy, partial)
    except BaseException:
        partial.unlink(missing_ok=True)
        raise
    keep(partial, out)


def _exists(out: Path) -> CommandError:
    return CommandError(f"--out {out}: the file exists, and stays as it is", code=EXIT_UNUSABLE)
