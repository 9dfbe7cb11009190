"""Matches that nobody asks anything of: each must stay as it is, byte for byte."""

from dataclasses import dataclass, field

import grpc

from ronda.v1 import referee_service_pb2 as pb
from ronda.v1.match_terms_pb2 import MatchTerms
from ronda.v1.referee_service_pb2_grpc import RefereeServiceStub
from tests.fuzz.checks import Broken
from tests.fuzz.sending import REFEREE, Metadata, send
from tests.referee.running import Table


@dataclass
class Untouched:
    """Some matches and what each seat and the public saw of them at the beginning."""

    channel: grpc.aio.Channel
    tables: list[Table] = field(default_factory=list)
    before: list[dict[str, bytes]] = field(default_factory=list)

    @property
    def ids(self) -> list[str]:
        """The matches."""
        return [table.match_id for table in self.tables]

    @property
    def tokens(self) -> list[str]:
        """The tokens of their seats, which nobody may use."""
        return [token for table in self.tables for token in table.tokens]

    async def set_up(self, organiser: Metadata) -> None:
        """Make one match for each state that a match can be in."""
        stub = RefereeServiceStub(self.channel)
        for rule_set, seats, stage in (
            ("maghribi", 2, "created"),
            ("maghribi", 4, "joining"),
            ("maghribi", 3, "playing"),
            ("sarii", 2, "ended"),
            ("maghribi", 4, "resigned"),
            ("maghribi", 2, "cancelled"),
        ):
            terms = MatchTerms(spectator_delay=2 if seats == 3 else 0)
            created = await stub.CreateMatch(
                pb.CreateMatchRequest(rule_set_id=rule_set, seats=seats, terms=terms)
            )
            table = Table(stub, created.match_id, list(created.seat_tokens))
            self.tables.append(table)
            for seat in range({"created": 0, "joining": seats - 1}.get(stage, seats)):
                await table.join(seat, f"seat {seat}", b"entropy")
            if stage in {"playing", "cancelled"}:
                for _ in range(5):
                    await _act(table)
            elif stage == "ended":
                while await _act(table):
                    pass
            elif stage == "resigned":
                request = pb.ResignRequest(match_id=table.match_id, seat_token=table.tokens[0])
                await stub.Resign(request)
            if stage == "cancelled":
                cancel = pb.CancelMatchRequest(match_id=table.match_id)
                outcome = await send(
                    self.channel, f"{REFEREE}CancelMatch", cancel.SerializeToString(), organiser
                )
                assert outcome.ok, outcome
        self.before = [await seen(self.channel, t.match_id, t.tokens) for t in self.tables]

    async def check(self) -> None:
        """Look at each of them again.

        Raises:
            Broken: one has changed.
        """
        for table, before in zip(self.tables, self.before, strict=True):
            now = await seen(self.channel, table.match_id, table.tokens)
            if now != before:
                changed = [name for name in now if now[name] != before[name]]
                raise Broken(f"the match {table.match_id} has changed: {changed}")


async def seen(channel: grpc.aio.Channel, match_id: str, tokens: list[str]) -> dict[str, bytes]:
    """Give all that the public and each seat may see of a match: views and log, as bytes."""
    found = {}
    for seat, token in enumerate(["", *tokens]):
        who = "public" if not seat else f"seat {seat - 1}"
        view = pb.GetViewRequest(match_id=match_id, seat_token=token).SerializeToString()
        for name in ("GetView", "GetMatchLog"):
            # Both requests have the same fields.
            outcome = await send(channel, REFEREE + name, view)
            found[f"{name} of {who}"] = b"".join(outcome.answers) or outcome.raw
    return found


async def _act(table: Table) -> bool:
    """Have a seat that must act do so; False: none must, the match is over."""
    # The public may be behind, so each seat is asked.
    for seat in range(len(table.tokens)):
        view = await table.view(seat)
        if view.HasField("decision"):
            decision = view.decision
            move = decision.legal_moves[-1]
            await table.stub.SubmitMove(table.request(seat, decision.decision_id, move))
            return True
    return False
