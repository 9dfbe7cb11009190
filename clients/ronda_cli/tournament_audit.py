"""`ronda tournament audit`: every log of a tournament, and whether its cards are those promised."""

import hashlib
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path
from typing import Any

from ronda.v1.rule_set_pb2 import RuleSet
from ronda_cli.audit_duplicates import Groups
from ronda_cli.failures import CommandError
from ronda_cli.tournament_promises import GROUP, Promises, contradictions
from ronda_client import MatchIdError, read_records
from ronda_client.log_file import log_name
from ronda_referee.audit_many import Audited, Log, Wanted, audit_all
from ronda_referee.audit_text import finding_text
from ronda_referee.shuffle import commit
from ronda_replay.names import printable
from ronda_tournament.folder import COMMITMENT, JOURNAL, FolderError, journal_of
from ronda_tournament.seeds import SEED_SIZE, commitment, group_seed

_LONGEST = 1_000
# What is looked at of each line of the journal, which may come from anybody.
_NEEDED: Mapping[str, Mapping[str, type]] = {
    "begun": {"commitment": str, "config": dict},
    "created": {"match_id": str, "group": str, "game": int, "seats": list},
    "ended": {
        "match_id": str,
        "group": str,
        "game": int,
        "seats": list,
        "sha256": str,
        "scores": list,
        "winners": list,
    },
    "abandoned": {"match_id": str, "sha256": str},
    "finished": {"seed": str},
}


def audit_tournament(
    path: Path, jobs: int, on_progress: Callable[[int, int], None] | None = None
) -> dict[str, Any]:
    """Return what an audit of a tournament's folder finds, as values for JSON.

    It holds every log against itself, the groups' logs against each other, each group's seed
    against the tournament's, that against the commitment, and the journal against the logs: which
    matches they are of, who sat where, by which rules, and the result.

    Args:
        path: The folder.
        jobs: How many processes.
        on_progress: Told how many logs are done, and how many there are.

    Raises:
        CommandError: It is no tournament's folder, or the system has ended a process.
    """
    try:
        lines = journal_of(path)
    except FolderError as error:
        raise CommandError(str(error), code=2) from error
    for number, line in enumerate(lines, 1):
        for key, kind in _NEEDED.get(line["type"], {}).items():
            # Not `isinstance`: true is no number here.
            if type(line.get(key)) is not kind or not _is_named(key, line[key]):
                raise _not_as_written(path, number, line, key)
    promises = Promises.of(lines[0]["config"])
    if promises is None:
        raise _not_as_written(path, 1, lines[0], "config")
    for number, line in enumerate(lines, 1):
        if line["type"] == "created" and not promises.are_seats(line["seats"]):
            raise _not_as_written(path, number, line, "seats")
    return _Audit(path, lines, promises).run(jobs, on_progress)


def _not_as_written(path: Path, number: int, line: Mapping[str, Any], key: str) -> CommandError:
    detail = f"{path / JOURNAL}, line {number}: {line['type']!r} has no {key!r}"
    return CommandError(f"{detail} as the runner writes it", code=2)


def _is_named(key: str, value: Any) -> bool:  # noqa: ANN401 - JSON
    """Tell whether a match or a group, where it is one, is called as these can be."""
    match key:
        case "match_id":
            try:
                log_name(value)
            except MatchIdError:
                return False
        case "group":
            return GROUP.fullmatch(value) is not None
    return True


class _Audit:
    """One folder's audit."""

    def __init__(self, path: Path, lines: Sequence[Mapping[str, Any]], promises: Promises) -> None:
        self._path = path
        self._lines = lines
        self._promises = promises
        self._begun = lines[0]
        self._created = {one["match_id"]: one for one in lines if one["type"] == "created"}
        self._ended = {one["match_id"]: one for one in lines if one["type"] == "ended"}
        self._abandoned = {one["match_id"]: one for one in lines if one["type"] == "abandoned"}
        finished = [one for one in lines if one["type"] == "finished"]
        self._seed = _seed(finished[-1]["seed"]) if finished else None
        self._groups = Groups()
        self._shuffles: set[str] = set()
        self._keys: Counter[bytes] = Counter()

    def run(self, jobs: int, on_progress: Callable[[int, int], None] | None) -> dict[str, Any]:
        findings = [*self._committed(), *self._accounted()]
        logs = sorted((self._path / "logs").glob("*.rlog"))
        coming = (Log(log.stem, log) for log in logs)
        done = 0
        try:
            for audited in audit_all(coming, Wanted(), jobs):
                findings += self._of_log(audited)
                done += 1
                if on_progress is not None:
                    on_progress(done, len(logs))
        except BrokenProcessPool as error:
            detail = "the system has ended a process of the audit; try again with fewer --jobs"
            raise CommandError(detail, code=2) from error
        groups = self._groups.as_json()
        for group in groups:
            if not group["same"]:
                findings.append(f"group {group['shuffle_id']}: its logs differ in their cards")
        for name, shuffles in Counter(str(group["shuffle_id"]) for group in groups).items():
            if shuffles > 1:
                findings.append(f"group {name}: its logs are of {shuffles} shuffles")
        if len(self._keys) > 1:
            findings.append(f"the logs are signed under {len(self._keys)} keys")
        return {
            "logs": len(logs),
            "groups": len(self._shuffles),
            "seeds": len(self._shuffles) if self._seed is not None else 0,
            "seed_revealed": self._seed is not None,
            "open": len(self._open()),
            # What they say comes from the journal, the files' names and the logs: from anybody.
            "findings": [printable(finding, _LONGEST) for finding in findings],
        }

    def _open(self) -> list[str]:
        """Return the matches that have not ended; none may be left where the tournament has."""
        over = self._ended.keys() | self._abandoned.keys()
        return [one for one in self._created if one not in over]

    def _committed(self) -> Iterator[str]:
        said = self._begun["commitment"]
        file = self._path / COMMITMENT
        try:
            written = file.read_text(encoding="ascii", errors="replace").strip()
        except FileNotFoundError:
            written = "missing"
        except OSError as error:
            raise CommandError(f"{file}: {error.strerror}", code=2) from error
        if written != said:
            yield f"{COMMITMENT} is {written}, and the journal begins with {said}"
        if self._seed is not None and commitment(self._seed).hex() != said:
            yield "the seed that is shown is not the one that was committed to"

    def _accounted(self) -> Iterator[str]:
        """Yield the matches that the journal does not account for, or whose logs are not kept."""
        yield from contradictions(self._lines)
        if self._seed is not None:
            for match_id in self._open():
                yield f"match {match_id}: the journal does not say what became of it"
        for match_id, line in {**self._abandoned, **self._ended}.items():
            if match_id not in self._created:
                yield f"match {match_id}: the journal does not say that it was created"
            log = self._path / "logs" / log_name(match_id)
            if not line["sha256"]:
                continue
            if not log.exists():
                yield f"match {match_id}: its log is missing"
            elif hashlib.sha256(log.read_bytes()).hexdigest() != line["sha256"]:
                yield f"match {match_id}: its log is not the one that was kept"

    def _of_log(self, audited: Audited) -> Iterator[str]:
        report = audited.report
        if report is None:
            yield f"match {audited.name}: its log cannot be read: {audited.error}"
            return
        if report.finding is not None:
            yield f"match {audited.name}: {finding_text(report.finding)}"
            return
        if report.match_id != audited.name:
            yield f"match {audited.name}: its log says that it is of match {report.match_id}"
            return
        created = self._created.get(report.match_id)
        if created is None:
            yield f"match {audited.name}: its log is of no match of the tournament"
            return
        self._keys[report.public_key] += 1
        shared = report.shared_shuffle
        if shared is None or shared.shuffle_id != created["group"]:
            yield f"match {audited.name}: it does not have the cards of group {created['group']}"
            return
        ended = self._ended.get(report.match_id)
        rules = self._rules(audited.name)
        for broken in self._promises.broken_by(created, report, rules, counts=ended is not None):
            yield f"match {audited.name}: {broken}"
        self._groups.add(audited)
        self._shuffles.add(shared.shuffle_id)
        if self._seed is not None and shared.seed_commitment != commit(
            group_seed(self._seed, shared.shuffle_id)
        ):
            yield f"match {audited.name}: its seed does not come from the tournament's"
        if ended is not None and (
            (*ended["scores"],) != report.scores or (*ended["winners"],) != report.winners
        ):
            yield f"match {audited.name}: the journal says another result than its log"
        if ended is not None and (report.forfeits or report.ended != "PLAYED"):
            yield f"match {audited.name}: it counts and was not played to its end"

    def _rules(self, name: str) -> RuleSet:
        """Return the rule set in the header of a log that is right in itself."""
        try:
            log = (self._path / "logs" / f"{name}.rlog").read_bytes()
        except OSError as error:
            raise CommandError(f"the log of match {name} is gone: {error}", code=2) from error
        return next(read_records(log)).header.rule_set


def _seed(digits: str) -> bytes:
    """Return a seed from its digits; what is none is a seed that nothing derives from."""
    try:
        seed = bytes.fromhex(digits)
    except ValueError:
        seed = b""
    return seed if len(seed) == SEED_SIZE else bytes(SEED_SIZE)
