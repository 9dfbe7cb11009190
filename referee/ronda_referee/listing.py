"""ListMatches: pages of matches, the newest first.

A page goes on below the number of the last match of the one before, so that matches which are
created meanwhile move nothing. A page token says that number and which filters it belongs to; both
hang on the order of creation alone.
"""

import base64
import binascii
import hashlib

from ronda.v1 import referee_service_pb2 as pb
from ronda_referee.convert import MalformedMessage
from ronda_referee.requests import check_known
from ronda_referee.store import Store, StoredMatch
from ronda_referee.store_records import MatchState

USUAL_PAGE = 50
LARGEST_PAGE = 500

_NUMBER_BYTES = 8
_FILTERS_BYTES = 8
_HIGHEST_NUMBER = (1 << 63) - 1


def list_matches(store: Store, request: pb.ListMatchesRequest) -> pb.ListMatchesResponse:
    """Give a page of matches; a page larger than the largest is cut down to it.

    Raises:
        MalformedMessage: the state is unknown, or the page token is not one that was given out
            for these filters.
    """
    check_known(request)
    if request.state not in pb.MatchState.values():
        known = ", ".join(pb.MatchState.keys()[1:])
        raise MalformedMessage("state", f"{request.state} is no state; there are: {known}")
    size = min(request.page_size or USUAL_PAGE, LARGEST_PAGE)
    filters = _filters(request)
    before = _number(request.page_token, filters) if request.page_token else None
    frozen = request.state == pb.MATCH_STATE_FROZEN
    # One more than wanted says whether there is another page.
    found = store.matches(
        size + 1,
        before,
        MatchState(request.state) if request.state and not frozen else None,
        request.rule_set_id or None,
        frozen=frozen if request.state else None,
    )
    answer = pb.ListMatchesResponse(matches=map(_summary, found[:size]))
    if len(found) > size:
        answer.next_page_token = _page_token(found[size - 1], filters)
    return answer


def _summary(match: StoredMatch) -> pb.MatchSummary:
    return pb.MatchSummary(
        match_id=match.match_id,
        rule_set_id=match.rule_set_id,
        seats=len(match.token_hashes),
        state=pb.MATCH_STATE_FROZEN
        if match.fault is not None
        else pb.MatchState.ValueType(match.state),
        created_ms=match.created_ms,
        names=match.names,
    )


def _filters(request: pb.ListMatchesRequest) -> bytes:
    """Give what tells one choice of filters from another."""
    text = f"{request.state} {request.rule_set_id}".encode()
    return hashlib.sha256(text).digest()[:_FILTERS_BYTES]


def _page_token(last: StoredMatch, filters: bytes) -> str:
    number = (last.number or 0).to_bytes(_NUMBER_BYTES)
    return base64.urlsafe_b64encode(number + filters).rstrip(b"=").decode()


def _number(token: str, filters: bytes) -> int:
    """Give the number below which a page goes on."""
    try:
        # Without validation what is no base64 would be passed over.
        data = base64.b64decode(token.encode("ascii") + b"==", altchars=b"-_", validate=True)
    except (UnicodeEncodeError, binascii.Error):
        data = b""
    number = int.from_bytes(data[:_NUMBER_BYTES])
    if len(data) != _NUMBER_BYTES + _FILTERS_BYTES or not 0 < number <= _HIGHEST_NUMBER:
        raise MalformedMessage(
            "page_token", "is none that was given out; leave it empty for the first page"
        )
    if data[_NUMBER_BYTES:] != filters:
        raise MalformedMessage(
            "page_token", "belongs to other filters; keep those of the first page, or begin anew"
        )
    return number
