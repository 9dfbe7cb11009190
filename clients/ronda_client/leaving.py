"""What a seat may ask for beside playing: to give the match up, and another token."""

import base64
import secrets

from ronda.v1.referee_service_pb2 import ResignRequest, RotateSeatTokenRequest
from ronda_client.calls import Calls
from ronda_client.errors import RefereeError

_TOKEN_BYTES = 32


class SeatCalls(Calls):
    """A seat's part of `RefereeClient`, beside joining, watching and moving."""

    async def resign(self, match_id: str, seat_token: str) -> int:
        """Give the match up and return the number of the forfeit's record once it is on disk.

        Resigning again is harmless.

        Raises:
            RefereeError: `MATCH_OVER`, `MATCH_NOT_STARTED`, `MATCH_CANCELLED`, `WRONG_TOKEN`,
                `MATCH_NOT_FOUND`.
        """
        stub = self._open.stub
        request = ResignRequest(match_id=match_id, seat_token=seat_token)
        answer = await self._repeat(lambda: stub.Resign(request, timeout=self._call_timeout))
        return answer.sequence

    async def rotate_seat_token(self, match_id: str, seat_token: str) -> str:
        """Return the seat's new token, drawn here at random, once it alone opens the seat.

        Where an answer is lost the new token may open the seat already: that is found out.

        Raises:
            RefereeError: `WRONG_TOKEN`, `MATCH_NOT_FOUND`.
        """
        drawn = secrets.token_bytes(_TOKEN_BYTES)
        new_token = base64.urlsafe_b64encode(drawn).rstrip(b"=").decode()
        stub = self._open.stub
        request = RotateSeatTokenRequest(
            match_id=match_id, seat_token=seat_token, new_seat_token=new_token
        )
        again = RotateSeatTokenRequest(
            match_id=match_id, seat_token=new_token, new_seat_token=new_token
        )
        try:
            await self._repeat(lambda: stub.RotateSeatToken(request, timeout=self._call_timeout))
        except RefereeError as error:
            if error.reason != "WRONG_TOKEN":
                raise
            await self._repeat(lambda: stub.RotateSeatToken(again, timeout=self._call_timeout))
        return new_token
