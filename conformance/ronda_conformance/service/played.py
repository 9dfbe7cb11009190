"""A whole match with everyone watching, which many checks look at."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

import grpc

from ronda.v1 import log_pb2, match_terms_pb2, rule_set_pb2
from ronda.v1 import referee_service_pb2 as pb
from ronda_conformance.refusals import refusal_of
from ronda_conformance.service import rules
from ronda_conformance.service.log_files import LogFile, MalformedLog, parsed, records_of
from ronda_conformance.service.matches import Chooser, Match, new_match
from ronda_conformance.service.session import Session
from ronda_conformance.service.streams import Stream

# Clocks that run and never run out.
TERMS = match_terms_pb2.MatchTerms(
    time_control=match_terms_pb2.TimeControl(
        per_move_ms=600_000, bank_ms=3_600_000, increment_ms=250
    ),
    time_out=match_terms_pb2.TIME_OUT_FORFEIT,
)
_MOST_MOVES = 400
# After so many moves everyone asks for the log.
_MIDDLE = 9


@dataclass(frozen=True)
class Moment:
    """What everyone sees between two moves.

    Attributes:
        views: the views, by seat; None: the public's.
        before: how many records there are.
    """

    views: dict[int | None, pb.GetViewResponse]
    before: int


@dataclass
class Played:
    """A match from its creation to its end.

    Attributes:
        match: the match.
        streams: what each watcher was sent from the first record on, by seat; None: the public.
        moments: what everyone saw, before each move and after the last.
        moves: each move and the number of its record, as it was answered.
        middle: the log in the middle of the match, as each watcher got it.
        middle_length: how many records there were then.
        final: the log after the end, as each watcher got it.
    """

    match: Match
    streams: dict[int | None, Stream]
    moments: list[Moment] = field(default_factory=list)
    moves: list[tuple[pb.SubmitMoveRequest, int]] = field(default_factory=list)
    middle: dict[int | None, LogFile] = field(default_factory=dict)
    middle_length: int = 0
    final: dict[int | None, LogFile] = field(default_factory=dict)

    @property
    def records(self) -> list[log_pb2.LogRecord]:
        """The records of the whole log.

        Raises:
            MalformedLog: it is none.
        """
        return [parsed(record) for record in records_of(self.final[None].data)]


async def _moment(match: Match) -> Moment:
    views = {seat: await match.view(seat) for seat in match.watchers}
    return Moment(views, views[0].next_sequence)


async def _taken(session: Session, match: Match, request: pb.SubmitMoveRequest) -> int:
    try:
        return await match.submit(request)
    except grpc.aio.AioRpcError as error:
        refusal = refusal_of(error)
        if not refusal.reason:
            raise
        move = " ".join(str(request.move).split())
        session.need(f"a legal move is accepted: {move}", refusal.text(), "accepted")
        raise


async def play_watched(
    session: Session, rule_set: rule_set_pb2.RuleSet, seats: int, choose: Chooser | None = None
) -> Played:
    """Play a match while every seat and the public watch.

    Raises:
        Broken: it cannot be played to its end.
    """
    match = await new_match(session, rule_set, seats, terms=TERMS, joined=False)
    played = Played(match, {seat: match.watch(seat) for seat in match.watchers})
    for seat in range(seats):
        await match.join(seat, f"player {seat}", bytes([seat]) * 8)
    choose = choose or match.random_move
    for number in range(_MOST_MOVES):
        moment = await _moment(match)
        played.moments.append(moment)
        if number == _MIDDLE:
            played.middle_length = moment.before
            played.middle = {seat: await match.log(seat) for seat in match.watchers}
        asked = [seat for seat in range(seats) if moment.views[seat].HasField("decision")]
        if not asked:
            break
        decision = moment.views[asked[0]].decision
        request = match.request(asked[0], decision.decision_id, choose(decision))
        played.moves.append((request, await _taken(session, match, request)))
    session.need("the match is over", played.moments[-1].views[0].seat_view.public.over)
    played.final = {seat: await match.log(seat) for seat in match.watchers}
    await asyncio.gather(*(stream.to_end_or_late() for stream in played.streams.values()))
    try:
        session.need("the log has a record for every move", len(played.records) > len(played.moves))
    except MalformedLog as error:
        session.need("the log after the end can be read", str(error), "it can")
    return played


def plain_match(session: Session) -> Awaitable[Played]:
    """Give a match of three seats, played once for all checks."""
    return session.shared("plain match", lambda own: play_watched(own, rules.plain(), 3))


def sealed_match(session: Session) -> Awaitable[Played]:
    """Give a match of two seats that announce at once, played once for all checks."""
    return session.shared("sealed match", lambda own: play_watched(own, rules.sealed(), 2))


Making = Callable[[Session], Awaitable[Played]]
