"""The calls of those who organise: creating, listing and cancelling matches, copying the store."""

from collections.abc import AsyncGenerator, Sequence
from dataclasses import dataclass, field

import grpc

from ronda.v1.card_pb2 import Card
from ronda.v1.log_pb2 import FixedDraws, SharedShuffle
from ronda.v1.match_terms_pb2 import MatchTerms
from ronda.v1.referee_service_pb2 import (
    MATCH_STATE_UNSPECIFIED,
    BackupStoreRequest,
    CancelMatchRequest,
    CreateMatchRequest,
    ListMatchesRequest,
    MatchState,
    MatchSummary,
)
from ronda.v1.rule_set_pb2 import RuleSet
from ronda_client.calls import Calls
from ronda_client.errors import RefereeError, RefereeUnavailableError, outcome_unknown

# A store of some gigabytes is copied in less.
COPYING_SECONDS = 3600.0


@dataclass(frozen=True, slots=True)
class CreatedMatch:
    """A match that was created.

    Attributes:
        match_id: Its id, which is public.
        seat_tokens: A token for each seat, by seat. Whoever has it plays the seat, and it is not
            to be had again; it is left out where the match is printed.
    """

    match_id: str
    seat_tokens: tuple[str, ...] = field(repr=False)


class OrganiserCalls(Calls):
    """The organisers' part of `RefereeClient`."""

    _organiser_token: str | None

    @property
    def _as_organiser(self) -> tuple[tuple[str, str], ...]:
        """The metadata by which a referee knows an organiser."""
        if self._organiser_token is None:
            return ()
        return (("authorization", f"Bearer {self._organiser_token}"),)

    async def create_match(
        self,
        rule_set: str | RuleSet,
        seats: int,
        *,
        fixed_draws: Sequence[Card] | None = None,
        shared_shuffle: SharedShuffle | None = None,
        terms: MatchTerms | None = None,
    ) -> CreatedMatch:
        """Create a match.

        Where an answer is lost another match is created; the lost one is never joined.

        Args:
            rule_set: The id of a rule set that the referee has, or one in full.
            seats: How many seats: 2, 3 or 4, as the rule set allows.
            fixed_draws: Cards that stand in for the shuffle, where the referee allows it.
            shared_shuffle: A seed and an id that several matches share, which then draw the same
                cards, where the referee allows it. Whoever has the seed knows all draws.
            terms: Clocks, forfeits, spectators; None: as the referee's settings say, no clock.

        Raises:
            RefereeError: `RULE_SET_NOT_FOUND`, `RULE_SET_INVALID`,
                `FIXED_DRAWS_REFUSED`, `SHARED_SHUFFLE_REFUSED`, `DRAW_INVALID`,
                `MALFORMED_REQUEST`, `ORGANISER_ONLY`, `TOO_MANY_MATCHES`.
        """
        request = CreateMatchRequest(seats=seats, shared_shuffle=shared_shuffle, terms=terms)
        if isinstance(rule_set, str):
            request.rule_set_id = rule_set
        else:
            request.rule_set.CopyFrom(rule_set)
        if fixed_draws is not None:
            request.fixed_draws.CopyFrom(FixedDraws(cards=fixed_draws))
        stub = self._open.stub
        answer = await self._repeat(
            lambda: stub.CreateMatch(
                request, timeout=self._call_timeout, metadata=self._as_organiser
            )
        )
        return CreatedMatch(answer.match_id, tuple(answer.seat_tokens))

    async def list_matches(
        self,
        *,
        state: MatchState.ValueType = MATCH_STATE_UNSPECIFIED,
        rule_set_id: str = "",
        page_size: int = 0,
    ) -> AsyncGenerator[MatchSummary, None]:
        """Yield the matches, the newest first, asking for the next page when it is needed.

        Matches that are created meanwhile are not among them.

        Args:
            state: Only matches in this state; unspecified: all.
            rule_set_id: Only matches of the rule set with this id; empty: all.
            page_size: How many the referee gives at a time, up to 500; 0: as it likes.

        Raises:
            RefereeError: `MALFORMED_REQUEST`.
        """
        stub = self._open.stub
        request = ListMatchesRequest(page_size=page_size, state=state, rule_set_id=rule_set_id)
        while True:
            answer = await self._repeat(
                lambda: stub.ListMatches(request, timeout=self._call_timeout)
            )
            for match in answer.matches:
                yield match
            if not answer.next_page_token:
                return
            request.page_token = answer.next_page_token

    async def cancel_match(self, match_id: str) -> None:
        """Cancel a match that has not ended; nobody wins it.

        Raises:
            RefereeError: `MATCH_NOT_FOUND`, `MATCH_OVER`, `MATCH_CANCELLED`, `ORGANISER_ONLY`.
        """
        stub = self._open.stub
        request = CancelMatchRequest(match_id=match_id)
        await self._repeat(
            lambda: stub.CancelMatch(
                request, timeout=self._call_timeout, metadata=self._as_organiser
            )
        )

    async def backup_store(self, *, timeout: float = COPYING_SECONDS) -> str:
        """Have the referee copy its store; return the copy's name in its folder `backups`.

        It is tried once: where the answer is lost there may be a copy all the same.

        Args:
            timeout: Seconds that the copying may take.

        Raises:
            RefereeError: `ORGANISER_ONLY`, `STORE_UNAVAILABLE`.
            RefereeUnavailableError: The referee did not answer.
        """
        try:
            answer = await self._open.stub.BackupStore(
                BackupStoreRequest(), timeout=timeout, metadata=self._as_organiser
            )
        except grpc.aio.AioRpcError as error:
            refusal = RefereeError.from_rpc(error)
            if outcome_unknown(error) and not refusal.reason:
                raise RefereeUnavailableError(self.target, 0.0, refusal.detail) from error
            raise refusal from error
        return answer.file
