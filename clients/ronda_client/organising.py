"""The calls of those who organise: what matches there are, cancelling one, copying the store."""

from collections.abc import AsyncGenerator

import grpc

from ronda.v1.referee_service_pb2 import (
    MATCH_STATE_UNSPECIFIED,
    BackupStoreRequest,
    CancelMatchRequest,
    ListMatchesRequest,
    MatchState,
    MatchSummary,
)
from ronda_client.calls import Calls
from ronda_client.errors import RefereeError, RefereeUnavailableError, outcome_unknown

# A store of some gigabytes is copied in less.
COPYING_SECONDS = 3600.0


class OrganiserCalls(Calls):
    """The organisers' part of `RefereeClient`."""

    _organiser_token: str | None

    @property
    def _as_organiser(self) -> tuple[tuple[str, str], ...]:
        """The metadata by which a referee knows an organiser."""
        if self._organiser_token is None:
            return ()
        return (("authorization", f"Bearer {self._organiser_token}"),)

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
