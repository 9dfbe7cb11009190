"""One match of a tournament: created, played by its bots, and its log kept."""

import asyncio
import contextlib
from collections.abc import Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass
from pathlib import Path

from ronda.v1.log_pb2 import EndReason, SharedShuffle
from ronda.v1.match_terms_pb2 import TIME_OUT_FORFEIT, MatchTerms, TimeControl
from ronda_client import ClientError, RefereeClient, RefereeError
from ronda_client.log_file import log_name
from ronda_client.whole_file import write_whole
from ronda_tournament.config import Config
from ronda_tournament.journal import Journal
from ronda_tournament.match_log import Ended, ended
from ronda_tournament.players import Player, PlayerFailed, PlayerStopped, Report
from ronda_tournament.results import HANGING, Failure, FailureKind
from ronda_tournament.schedule import Group
from ronda_tournament.seeds import group_seed

_KINDS = {
    "bot": FailureKind.EXCEPTION,
    "refused": FailureKind.MOVE_REFUSED,
}
_ENDS: dict[int, str] = {
    EndReason.END_REASON_FORFEITED: "the match ended by forfeit, and its log names no seat for it",
    EndReason.END_REASON_NOT_JOINED: "the match never began, and its log lacks no seat",
    EndReason.END_REASON_CANCELLED: "the match was cancelled by somebody else",
}
BROKEN_OFF = "it was broken off with its group or with the tournament"
"""Why a match does not count that was cancelled while nothing was wrong with it."""

# A match is looked at when its bots have said nothing for so many times a move's limit.
_SILENT_MOVES = 2.0
# To take a seat is some calls, which a program that plays makes as soon as it can move.
_JOIN_MOVES = 4.0
_JOIN_SECONDS = 5.0
_SILENT_SECONDS = 10.0
# As many as there may be, which few matches last for.
_UNSEEN_TURNS = 1_000


@dataclass(frozen=True, slots=True)
class Context:
    """What every match of a tournament needs.

    Attributes:
        config: The tournament.
        client: The referee.
        seed: The tournament's seed.
        journal: Where everything is noted.
        logs: The folder for the logs.
        players: The entrants' programs, by the entrant's index and the number of the match in its
            group: none plays two matches with the same cards, unless it waits at an address.
    """

    config: Config
    client: RefereeClient
    seed: bytes
    journal: Journal
    logs: Path
    players: Mapping[tuple[int, int], Player]


class GroupFailed(Exception):
    """A group is void.

    Attributes:
        failures: The bots' failures behind it; empty: one that takes part was stopped.
        why: What it is void for, for people.
    """

    def __init__(self, failures: Sequence[Failure], why: str) -> None:
        self.failures = tuple(failures)
        self.why = why
        super().__init__(why)


async def play_game(context: Context, group: Group, number: int) -> None:
    """Play one match of a group to its end, and note it.

    Whatever else happens the match is cancelled and noted as abandoned.

    Raises:
        GroupFailed: A bot has failed.
        ClientError: The referee was lost, or refused, or names the match what no file can be.
    """
    config, journal = context.config, context.journal
    seats = group.meeting.games()[number]
    created = await context.client.create_match(
        config.rules[group.rule_set],
        config.seats,
        shared_shuffle=SharedShuffle(
            seed=group_seed(context.seed, group.name), shuffle_id=group.name
        ),
        terms=terms_of(config),
    )
    match_id = created.match_id
    # Before anything is noted or written: a log that has no file counts for nothing.
    log_name(match_id)
    journal.note("created", group=group.name, game=number, match_id=match_id, seats=seats)
    lives = [context.players[entrant, number].life for entrant in seats]
    try:
        reports = [
            context.players[entrant, number].play(match_id, seat, token)
            for seat, (entrant, token) in enumerate(zip(seats, created.seat_tokens, strict=True))
        ]
        claim = await _first_word(context, group, match_id, seats, reports)
        log = await context.client.get_match_log(match_id)
        end = ended(log, match_id, context.config.seats)
        faults = end.faults([config.entrants[one].name for one in seats])
        if faults:
            raise GroupFailed(
                [
                    Failure(
                        seats[seat],
                        kind,
                        detail,
                        lives[seat] if kind in HANGING else f"match {match_id}",
                        group.name,
                        match_id,
                    )
                    for seat, kind, detail in faults
                ],
                "; ".join(detail for _, _, detail in faults),
            )
        if not end.played or end.result is None:
            raise _false_word(group, match_id, seats, claim, end)
    except BaseException as error:
        why = error.why if isinstance(error, GroupFailed) else BROKEN_OFF
        await _abandon(context, match_id, why)
        raise
    finally:
        for entrant in dict.fromkeys(seats):
            context.players[entrant, number].forget(match_id)
    note_ended(context, match_id, end, log, (group.name, number, seats))
    await journal.sync()


def note_ended(
    context: Context,
    match_id: str,
    end: Ended,
    log: bytes,
    place: tuple[str, int, tuple[int, ...]],
) -> None:
    """Keep the log of a match that counts, and note its result.

    Args:
        context: The tournament.
        match_id: The match.
        end: How it ended.
        log: Its log file.
        place: Its group's name, its number in the group, and the entrants by seat.
    """
    if end.result is None:
        raise ValueError(f"match {match_id} has not ended")
    group, number, seats = place
    # Not to disk at once: the referee has it, and the digest tells whether it is whole.
    write_whole(context.logs / log_name(match_id), log)
    context.journal.note(
        "ended",
        group=group,
        game=number,
        match_id=match_id,
        seats=seats,
        scores=list(end.result.scores),
        winners=list(end.result.winners),
        moves=end.moves,
        sha256=end.sha256,
    )


def terms_of(config: Config) -> MatchTerms:
    """Return the terms of every match: who is too late, or moves illegally, forfeits.

    Nobody sees a match before its end who has no seat in it: the others of its group have the same
    cards, and whoever plays there could look on here.
    """
    return MatchTerms(
        time_control=TimeControl(per_move_ms=max(1, round(config.move_seconds * 1000))),
        time_out=TIME_OUT_FORFEIT,
        # One more than a bot of our SDK lets come to it: it says why, and the match is cancelled.
        most_refusals=2,
        join_timeout_ms=round(max(_JOIN_SECONDS, _JOIN_MOVES * config.move_seconds) * 1000),
        spectator_delay=_UNSEEN_TURNS,
    )


async def _first_word(
    context: Context,
    group: Group,
    match_id: str,
    seats: Sequence[int],
    reports: Sequence[asyncio.Future[Report]],
) -> int | None:
    """Wait until the match seems over; return the seat that said so, or None: the referee did.

    Raises:
        GroupFailed: A bot has failed, or was stopped.
    """
    patience = _SILENT_SECONDS + _SILENT_MOVES * context.config.move_seconds
    watching: asyncio.Task[None] | None = None
    try:
        waiting: set[asyncio.Future[Report] | asyncio.Task[None]] = set(reports)
        done, _ = await asyncio.wait(waiting, timeout=patience, return_when=asyncio.FIRST_COMPLETED)
        if not done:
            watching = asyncio.create_task(_watch(context.client, match_id))
            done, _ = await asyncio.wait({*waiting, watching}, return_when=asyncio.FIRST_COMPLETED)
    finally:
        if watching is not None:
            watching.cancel()
            await asyncio.gather(watching, return_exceptions=True)
    # A failure that has come with other words is told first.
    words = [(seat, one) for seat, one in enumerate(reports) if one.done()]
    failures = []
    for seat, future in words:
        try:
            report = future.result()
        except PlayerFailed as failed:
            failures.append(
                Failure(
                    failed.entrant,
                    failed.kind,
                    failed.detail,
                    failed.incident,
                    group.name,
                    match_id,
                )
            )
        except PlayerStopped as stopped:
            name = context.config.entrants[stopped.entrant].name
            raise GroupFailed([], f"{name} was stopped") from None
        else:
            if not report.played:
                kind = _KINDS.get(report.kind, FailureKind.CONNECTION)
                failures.append(_failure(group, match_id, seats[seat], kind, report.detail))
    if failures:
        raise GroupFailed(failures, "; ".join(dict.fromkeys(one.detail for one in failures)))
    return words[0][0] if words else None


async def _watch(client: RefereeClient, match_id: str) -> None:
    """Return when the match's log is complete."""
    async with aclosing(client.watch(match_id)) as items:
        async for _ in items:
            pass


def _failure(
    group: Group,
    match_id: str,
    entrant: int,
    kind: FailureKind,
    detail: str,
) -> Failure:
    return Failure(entrant, kind, detail, f"match {match_id}", group.name, match_id)


def _false_word(
    group: Group,
    match_id: str,
    seats: Sequence[int],
    claim: int | None,
    end: Ended,
) -> GroupFailed:
    if claim is not None and end.result is None:
        detail = "it said that the match was over, and it was not"
        failure = _failure(group, match_id, seats[claim], FailureKind.RUBBISH, detail)
        return GroupFailed([failure], detail)
    reason = EndReason.END_REASON_CANCELLED if end.result is None else end.result.reason
    return GroupFailed([], _ENDS.get(reason, f"the match ended for the unknown reason {reason}"))


async def _abandon(context: Context, match_id: str, why: str) -> None:
    """Cancel a match that does not count, keep its log, and note it.

    Where the referee cannot be reached nothing is noted: the next run does it.
    """
    with contextlib.suppress(ClientError):
        await asyncio.shield(abandon(context, match_id, why))


async def abandon(context: Context, match_id: str, why: str) -> None:
    """Cancel a match, keep its log where it can be had, and note that it counts for nothing.

    Raises:
        ClientError: The referee was lost.
    """
    sha256 = ""
    try:
        await context.client.cancel_match(match_id)
    except RefereeError as error:
        if error.reason not in {"MATCH_OVER", "MATCH_CANCELLED", "ORGANISER_ONLY"}:
            context.journal.note("abandoned", match_id=match_id, why=why, sha256="")
            return
    log = await context.client.get_match_log(match_id)
    end = ended(log, match_id, context.config.seats)
    if end.result is not None:
        sha256 = end.sha256
        write_whole(context.logs / log_name(match_id), log)
    context.journal.note("abandoned", match_id=match_id, why=why, sha256=sha256)
