"""The client's calls, against a scripted referee on a real server."""

import asyncio
import socket
from dataclasses import replace
from pathlib import Path

import grpc
import pytest

from ronda.v1.listed_rule_set_pb2 import ListedRuleSet, ParameterSource
from ronda.v1.log_pb2 import SharedShuffle
from ronda.v1.rule_set_pb2 import RuleSet
from ronda.v1.view_pb2 import PublicView, SeatView
from ronda_client import Backoff, RefereeClient, RefereeError, RefereeUnavailableError
from tests.clients.fake_referee import Fail, FakeReferee, serving
from tests.clients.scripted_log import card, play

UNAVAILABLE = Fail(grpc.StatusCode.UNAVAILABLE, "DRAINING")
QUICK = Backoff(first=0.001, cap=0.01, patience=20)


async def test_rule_sets_are_listed_and_found() -> None:
    """They come in full; one that the referee lacks is refused by its reason."""
    fake = FakeReferee()
    fake.rule_sets = [
        ListedRuleSet(
            rule_set=RuleSet(id="maghribi", target=41),
            sources=[ParameterSource(parameter="target", place="000, overview")],
        ),
        ListedRuleSet(rule_set=RuleSet(id="sarii", target=25)),
    ]
    async with serving(fake) as target, RefereeClient.connect(target) as client:
        listed = await client.list_rule_sets()
        assert [one.rule_set.id for one in listed] == ["maghribi", "sarii"]
        assert listed[0].sources[0].place == "000, overview"
        assert (await client.get_rule_set("sarii")).rule_set.target == 25
        with pytest.raises(RefereeError) as caught:
            await client.get_rule_set("belote")
    assert caught.value.reason == "RULE_SET_NOT_FOUND"


async def test_match_is_created_by_id_or_with_rules_in_full() -> None:
    """Either goes out as it was given, and the tokens stay out of the printed form."""
    fake = FakeReferee()
    async with serving(fake) as target, RefereeClient.connect(target) as client:
        created = await client.create_match("maghribi", 3)
        await client.create_match(RuleSet(id="house"), 2, fixed_draws=[card(7)])
    assert created.match_id == "m1"
    assert created.seat_tokens == ("token 0", "token 1", "token 2")
    assert "token" not in str(created).replace("seat_tokens", "")
    assert fake.created[0].rule_set_id == "maghribi"
    assert fake.created[0].seats == 3
    assert not fake.created[0].HasField("fixed_draws")
    assert fake.created[1].rule_set.id == "house"
    assert list(fake.created[1].fixed_draws.cards) == [card(7)]


async def test_a_shared_shuffle_goes_out_as_it_was_given() -> None:
    """Its seed and its id; a match that shares none has the field unset."""
    fake = FakeReferee()
    shared = SharedShuffle(seed=b"s" * 32, shuffle_id="round 1")
    async with serving(fake) as target, RefereeClient.connect(target) as client:
        await client.create_match("maghribi", 2, shared_shuffle=shared)
        await client.create_match("maghribi", 2)
    assert fake.created[0].shared_shuffle == shared
    assert not fake.created[1].HasField("shared_shuffle")


async def test_view_is_the_seats_own_or_the_public_one() -> None:
    """With a token it is the seat's and says what is asked; without it is everyone's."""
    async with serving(FakeReferee()) as target, RefereeClient.connect(target) as client:
        own = await client.get_view("m1", "token 1")
        public = await client.get_view("m1")
    assert isinstance(own.view, SeatView)
    assert own.decision is not None
    assert own.decision.decision_id == 6
    assert isinstance(public.view, PublicView)
    assert public.view.deal == 3
    assert public.decision is None
    assert public.next_sequence == 7


async def test_move_whose_answer_was_lost_goes_out_again_unchanged() -> None:
    """UNAVAILABLE leaves the outcome unknown: the same id with the same contents settles it."""
    fake = FakeReferee()
    fake.submits.extend([UNAVAILABLE, UNAVAILABLE, 17])
    async with serving(fake) as target, RefereeClient.connect(target, backoff=QUICK) as client:
        assert await client.submit_move("m1", "token 0", 12, play(5)) == 17
    assert len(fake.submitted) == 3
    assert fake.submitted[0] == fake.submitted[1] == fake.submitted[2]
    assert fake.submitted[0].decision_id == 12
    assert fake.submitted[0].move == play(5)
    assert 1 <= len(fake.submitted[0].request_id) <= 64


async def test_every_move_has_a_request_id_of_its_own() -> None:
    """Two moves are never taken for one, unless the caller says so."""
    fake = FakeReferee()
    fake.submits.extend([1, 2, 3])
    async with serving(fake) as target, RefereeClient.connect(target) as client:
        await client.submit_move("m1", "token 0", 1, play(5))
        await client.submit_move("m1", "token 0", 2, play(5))
        await client.submit_move("m1", "token 0", 3, play(5), request_id="mine")
    assert fake.submitted[0].request_id != fake.submitted[1].request_id
    assert fake.submitted[2].request_id == "mine"


async def test_refusal_carries_reason_clause_and_values() -> None:
    """What the ErrorInfo says is on the error, and the message names all of it."""
    fake = FakeReferee()
    fake.submits.append(
        Fail(
            grpc.StatusCode.FAILED_PRECONDITION,
            "CARD_NOT_IN_HAND",
            {"clause": "CAP-1", "card": "5o"},
            "seat 0 does not hold 5o",
        )
    )
    async with serving(fake) as target, RefereeClient.connect(target, backoff=QUICK) as client:
        with pytest.raises(RefereeError) as caught:
            await client.submit_move("m1", "token 0", 12, play(5))
    assert caught.value.reason == "CARD_NOT_IN_HAND"
    assert caught.value.clause == "CAP-1"
    assert caught.value.metadata == {"clause": "CAP-1", "card": "5o"}
    assert caught.value.code is grpc.StatusCode.FAILED_PRECONDITION
    assert str(caught.value) == "CARD_NOT_IN_HAND (CAP-1): seat 0 does not hold 5o"
    assert len(fake.submitted) == 1


@pytest.mark.parametrize(
    "fail",
    [
        Fail(grpc.StatusCode.INTERNAL, detail="no details at all"),
        Fail(grpc.StatusCode.INTERNAL, "THEIRS", detail="somebody else's", domain="example.org"),
    ],
)
async def test_refusal_without_our_reason_says_what_there_is(fail: Fail) -> None:
    """A status that is not the referee's own has no reason, only a code and a text."""
    fake = FakeReferee()
    fake.submits.append(fail)
    async with serving(fake) as target, RefereeClient.connect(target, backoff=QUICK) as client:
        with pytest.raises(RefereeError) as caught:
            await client.submit_move("m1", "token 0", 12, play(5))
    assert caught.value.reason == ""
    assert caught.value.clause == ""
    assert str(caught.value) == f"INTERNAL: {fail.detail}"


async def test_referee_that_starts_late_is_waited_for() -> None:
    """A client may be there first; its call is answered once the referee listens."""
    fake = FakeReferee()
    fake.rule_sets = [ListedRuleSet(rule_set=RuleSet(id="maghribi"))]
    turned_away = asyncio.Event()

    def turn_away(_reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.close()
        turned_away.set()

    nobody = await asyncio.start_server(turn_away, "127.0.0.1", 0)
    port = nobody.sockets[0].getsockname()[1]
    async with RefereeClient.connect(f"127.0.0.1:{port}", backoff=QUICK) as client:
        asking = asyncio.create_task(client.list_rule_sets())
        await turned_away.wait()
        nobody.close()
        await nobody.wait_closed()
        async with serving(fake, port):
            assert [listed.rule_set.id for listed in await asking] == ["maghribi"]


async def test_referee_that_never_comes_is_given_up() -> None:
    """Patience has an end, and the error says where the referee was looked for."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        target = f"127.0.0.1:{free.getsockname()[1]}"
    backoff = Backoff(first=0.001, cap=0.01, patience=0.05)
    async with RefereeClient.connect(target, backoff=backoff) as client:
        with pytest.raises(RefereeUnavailableError) as caught:
            await client.list_rule_sets()
    assert caught.value.target == target


async def test_log_that_breaks_off_is_fetched_from_its_beginning(tmp_path: Path) -> None:
    """The parts of two attempts are never put together."""
    fake = FakeReferee()
    fake.logs.append([b"RONDA", UNAVAILABLE])
    fake.logs.append([b"RONDA", b"LOG", b"..."])
    file = tmp_path / "match.rlog"
    async with serving(fake) as target, RefereeClient.connect(target, backoff=QUICK) as client:
        await client.save_match_log("m1", file)
    assert file.read_bytes() == b"RONDALOG..."
    # Blocking for a moment is harmless: nothing else runs in this loop any more.
    assert list(tmp_path.iterdir()) == [file]


async def test_log_that_is_refused_leaves_the_file_as_it_was(tmp_path: Path) -> None:
    """A file of that name from before is not harmed."""
    fake = FakeReferee()
    fake.logs.append([Fail(grpc.StatusCode.NOT_FOUND, "MATCH_NOT_FOUND")])
    file = tmp_path / "match.rlog"
    file.write_bytes(b"older")
    async with serving(fake) as target, RefereeClient.connect(target) as client:
        with pytest.raises(RefereeError, match="MATCH_NOT_FOUND"):
            await client.save_match_log("m1", file)
    assert file.read_bytes() == b"older"


@pytest.mark.parametrize("target", ["127.0.0.1", ":7632", "127.0.0.1:99999", "a b:1", "a:1\n"])
def test_target_that_is_none_is_refused_at_once(target: str) -> None:
    """Nobody waits for a referee that cannot be there."""
    with pytest.raises(ValueError, match=r"is no HOST:PORT, as 127\.0\.0\.1:7632"):
        RefereeClient.connect(target)


@pytest.mark.parametrize("target", ["127.0.0.1:1", "localhost:65535", "[::1]:7632", "a.b-c:80"])
def test_target_is_a_name_or_an_address_with_a_port(target: str) -> None:
    """It is kept as it was given."""
    assert RefereeClient.connect(target).target == target


async def test_client_that_is_not_entered_says_so() -> None:
    """Nothing can be called before `async with`."""
    with pytest.raises(RuntimeError, match="async with"):
        await RefereeClient("127.0.0.1:1").list_rule_sets()


async def test_a_call_that_is_repeated_tells_of_it() -> None:
    """Of each attempt that failed, and then that one has succeeded."""
    fake = FakeReferee()
    fake.submits.extend([UNAVAILABLE, 17])
    told: list[str | None] = []
    backoff = replace(QUICK, notice=told.append)
    async with serving(fake) as target, RefereeClient.connect(target, backoff=backoff) as client:
        assert await client.submit_move("m1", "token 0", 12, play(5)) == 17
    assert told == ["DRAINING: as the script says", None]
