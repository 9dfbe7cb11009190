"""Values of enums that this version does not know, from a referee of a newer schema."""

import pytest
from grpc.aio import ServicerContext

from ronda.v1 import referee_service_pb2 as pb
from ronda.v1.card_pb2 import Card, Rank
from ronda.v1.event_pb2 import Event, TableTurned
from ronda.v1.log_pb2 import EndReason
from ronda.v1.match_terms_pb2 import MatchTerms, TimeOut
from ronda.v1.view_pb2 import PublicView
from ronda_bots.memory import Memory
from ronda_cli import bot, server
from ronda_client import Outcome, SeatResult
from tests.clients.command import ronda
from tests.clients.fake_referee import FakeReferee, serving
from tests.clients.scripted_log import Book, card

STATE = pb.MatchState.ValueType(77)
RANK = Rank.ValueType(99)


class NewerReferee(FakeReferee):
    """Has a match in a state, and with a card, that there was not before.

    Another was made in the year 584,556,019.
    """

    async def ListMatches(
        self,
        request: pb.ListMatchesRequest,
        context: ServicerContext[pb.ListMatchesRequest, pb.ListMatchesResponse],
    ) -> pb.ListMatchesResponse:
        """List the match."""
        match = pb.MatchSummary(
            match_id="m1", rule_set_id="sarii", seats=2, state=STATE, names=["A", "B"]
        )
        later = pb.MatchSummary(match_id="m0", rule_set_id="sarii", created_ms=2**64 - 1)
        return pb.ListMatchesResponse(matches=[match, later])

    async def GetView(
        self,
        request: pb.GetViewRequest,
        context: ServicerContext[pb.GetViewRequest, pb.GetViewResponse],
    ) -> pb.GetViewResponse:
        """Show it."""
        table = [card(7), Card(rank=RANK, suit=card(7).suit)]
        return pb.GetViewResponse(public_view=PublicView(seats=2, table=table))


async def test_a_match_is_listed_and_shown_with_the_number_of_its_state() -> None:
    """A rank that there is not is a question mark, as in replays."""
    fake, book = NewerReferee(), Book()
    fake.watches.append([book.header()])
    async with serving(fake) as target:
        listed = await ronda("matches", "list", "--target", target)
        shown = await ronda("matches", "show", "m1", "--target", target)
    assert (listed.code, listed.err) == (0, "")
    assert listed.out.splitlines() == [
        "m1  1970-01-01T00:00:00Z  77         2 seats  sarii             A, B",
        "m0  18446744073709551615 ms  UNSPECIFIED  0 seats  sarii             ",
    ]
    assert (shown.code, shown.err) == (0, "")
    assert shown.out.splitlines()[1] == "state     77"
    assert "table     7o ?o" in shown.out.splitlines()


def test_a_seats_result_has_the_number_of_its_reason() -> None:
    """In JSON, as a text like the names."""
    reason = EndReason.ValueType(9)
    result = SeatResult("m1", 0, 0, Outcome.WON, (0,), (41, 12), reason, 2)
    assert bot.as_json(result)["reason"] == "9"


def test_terms_have_the_number_of_what_becomes_of_a_late_seat() -> None:
    """As `ronda server info --json` prints it."""
    terms = MatchTerms(time_out=TimeOut.ValueType(8))
    said = server.as_json(pb.GetServerInfoResponse(default_terms=terms))
    assert isinstance(said["default_terms"], dict)
    assert said["default_terms"]["time_out"] == "8"


def test_a_bot_that_is_shown_a_card_of_no_rank_says_so() -> None:
    """It cannot count such a card, and leaves it to its caller what becomes of the match."""
    event = Event(table_turned=TableTurned(cards=[Card(rank=RANK, suit=card(7).suit)]))
    with pytest.raises(ValueError, match=r"^99 is no rank$"):
        Memory().saw(event)
