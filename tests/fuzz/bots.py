"""Matches that bots play by the rules while all else goes on."""

import asyncio
import io
import random
from dataclasses import dataclass, field

from ronda.v1 import referee_service_pb2 as pb
from ronda.v1.referee_service_pb2_grpc import RefereeServiceStub
from ronda.v1.rule_set_pb2 import RuleSet
from ronda_bots import RandomBot
from ronda_client import RefereeClient, SeatResult, play_match, play_seats
from ronda_referee.audit import audit_stream
from tests.fuzz.checks import Broken
from tests.fuzz.surroundings import PRESETS, Surroundings

_UNREAD_STREAMS = 3
_TARGET = 5


@dataclass
class Bots:
    """Plays one match after the other.

    Attributes:
        around: the referee.
        client: a client of it.
        matches: how many have ended.
    """

    around: Surroundings
    client: RefereeClient
    matches: int = 0
    _rng: random.Random = field(default_factory=lambda: random.Random(1))

    async def play_one(self) -> None:
        """Play a match to its end and audit its log.

        Raises:
            Broken: it did not end as it should, or the log does not audit.
        """
        rule_set = RuleSet()
        rule_set.CopyFrom(self._rng.choice(list(PRESETS.values())))
        rule_set.id, rule_set.target = "short", _TARGET
        seats = self._rng.choice(rule_set.seats).count
        if self._rng.random() < 0.5:
            bots = [RandomBot(seat) for seat in range(seats)]
            log = (await play_match(self.client, rule_set, bots)).log
        else:
            log = await self._over_streams(rule_set, seats)
        report = audit_stream(io.BytesIO(log))
        if not report.ok:
            raise Broken(f"the log of a match between bots does not audit: {report.finding}")
        self.matches += 1

    async def _over_streams(self, rule_set: RuleSet, seats: int) -> bytes:
        created = await self.client.create_match(rule_set, seats)
        unread = [
            RefereeServiceStub(self.around.channel).WatchMatch(
                pb.WatchMatchRequest(match_id=created.match_id)
            )
            for _ in range(_UNREAD_STREAMS)
        ]
        self.around.secrets.add(created.seat_tokens)
        played = await asyncio.gather(
            *(
                play_seats(self.client, [(created.match_id, token)], RandomBot(seat))
                for seat, token in enumerate(created.seat_tokens)
            )
        )
        for stream in unread:
            stream.cancel()
        for result in played:
            for one in result.values():
                if not isinstance(one, SeatResult):
                    raise Broken(f"a bot could not play on: {one}")
        return await self.client.get_match_log(created.match_id)
