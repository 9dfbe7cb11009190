"""RefereeService on a real server: what is accepted, what is refused and how."""

import io
from functools import partial
from pathlib import Path

import grpc
import pytest

from ronda.v1 import card_pb2, event_pb2, log_pb2, move_pb2, rule_set_pb2
from ronda.v1 import referee_service_pb2 as pb
from ronda.v1.match_terms_pb2 import MatchTerms
from ronda_referee.audit import audit_stream
from ronda_referee.log_file import read_records
from tests.referee.running import Running, Table, play, refusal, refused, running

RONDA = rule_set_pb2.ANNOUNCEMENT_KIND_RONDA


DOUBLE_RONDA = rule_set_pb2.ANNOUNCEMENT_KIND_DOUBLE_RONDA


def announce(kind: rule_set_pb2.AnnouncementKind.ValueType) -> move_pb2.Move:
    """Give the move that announces a kind."""
    return move_pb2.Move(announce=move_pb2.Announce(kind=kind))


async def everything(table: Table) -> list[bytes]:
    """Give all that the referee shows of a match: every view and the log."""
    views = [await table.view(seat) for seat in (None, *range(len(table.tokens)))]
    records = await table.records()
    return [*(view.SerializeToString() for view in views), *(entry.record for entry in records)]


async def test_a_match_starts_when_every_seat_is_taken(tmp_path: Path) -> None:
    """Before that there is no view; afterwards seat 0 is to act, since the last seat deals."""
    async with running(tmp_path) as run:
        table = await run.table(3, joined=False)
        await table.join(0)
        await table.join(2)
        answer = await refused(lambda: table.view(None))
        assert (answer.status, answer.reason) == ("FAILED_PRECONDITION", "MATCH_NOT_STARTED")
        await table.join(1)
        view = (await table.view(None)).public_view
        assert (list(view.to_act), view.dealer, list(view.hand_sizes)) == ([0], 2, [3, 3, 3])
        assert (len(view.table), view.pack_size) == (4, 27)


async def test_a_seat_can_be_taken_again_with_the_same_contents_only(tmp_path: Path) -> None:
    """A lost answer can be asked for again; another name or other entropy is refused."""
    async with running(tmp_path) as run:
        table = await run.table(2, joined=False)
        await table.join(0, "Zineb", b"salt")
        await table.join(0, "Zineb", b"salt")
        answer = await refused(lambda: table.join(0, "Zineb", b"pepper"))
        assert (answer.status, answer.reason) == ("FAILED_PRECONDITION", "ALREADY_JOINED")


@pytest.mark.parametrize(
    ("name", "entropy", "field"),
    [("x" * 65, b"", "name"), ("a\nb", b"", "name"), ("", bytes(65), "entropy")],
)
async def test_what_a_seat_brings_has_limits(
    tmp_path: Path, name: str, entropy: bytes, field: str
) -> None:
    """A name is up to 64 printable characters, entropy up to 64 bytes."""
    async with running(tmp_path) as run:
        table = await run.table(2, joined=False)
        answer = await refused(lambda: table.join(0, name, entropy))
        assert (answer.status, answer.reason) == ("INVALID_ARGUMENT", "MALFORMED_REQUEST")
        assert answer.fields == (field,)


async def test_a_seat_sees_its_hand_and_nobody_elses(tmp_path: Path) -> None:
    """Three cards for each seat, all different; the public view has none."""
    async with running(tmp_path) as run:
        table = await run.table(4)
        hands = [
            [card.SerializeToString() for card in (await table.view(seat)).seat_view.hand]
            for seat in range(4)
        ]
        assert [len(hand) for hand in hands] == [3, 3, 3, 3]
        assert len({card for hand in hands for card in hand}) == 12
        public = await table.view(None)
        assert public.WhichOneof("view") == "public_view"
        assert not public.HasField("decision")


async def test_only_the_seat_to_act_is_asked(tmp_path: Path) -> None:
    """Its decision offers both announcements, then its cards in the order of its hand."""
    async with running(tmp_path) as run:
        table = await run.table(2)
        view = await table.view(0)
        offered = [move.WhichOneof("move") for move in view.decision.legal_moves]
        assert offered == ["announce", "announce", "play", "play", "play"]
        assert [move.play.card for move in view.decision.legal_moves[2:]] == view.seat_view.hand
        assert not (await table.view(1)).HasField("decision")


async def wrong_moves(run: Running, table: Table) -> list[tuple[pb.SubmitMoveRequest, str, str]]:
    """Give requests that must be refused at a match's second turn, with status and reason.

    Seat 0 has played a card; seat 1 has announced a ronda and must play.
    """
    _, before, first = await table.turn()
    await run.stub.SubmitMove(table.request(0, first.decision_id, play(before.hand[0])))
    seat, view, decision = await table.turn()
    assert seat == 1
    await run.stub.SubmitMove(table.request(1, decision.decision_id, announce(RONDA)))
    _, view, decision = await table.turn()
    now = decision.decision_id
    right = play(view.hand[0])
    foreign = play(before.hand[1])
    no_suit = play(card_pb2.Card(rank=card_pb2.RANK_7))
    no_rank = move_pb2.Move()
    no_rank.play.card.MergeFromString(b"\x08\x09\x10\x01")
    no_kind = announce(rule_set_pb2.ANNOUNCEMENT_KIND_UNSPECIFIED)
    unknown = move_pb2.Move()
    unknown.CopyFrom(right)
    unknown.MergeFromString(b"\xa0\x1f\x01")
    passing = move_pb2.Move()
    getattr(passing, "pass").SetInParent()
    stranger = table.request(1, now, right)
    stranger.seat_token = "A" * 43
    nobody = table.request(1, now, right)
    nobody.seat_token = ""
    elsewhere = table.request(1, now, right)
    elsewhere.match_id = "00" * 10
    challenge = move_pb2.Move(challenge=move_pb2.Challenge(seat=0))
    claim = move_pb2.Move(claim=move_pb2.Claim(seat=0))
    reused = table.request(0, first.decision_id, foreign, "request-1")
    unnamed = table.request(1, now, right)
    unnamed.request_id = ""
    endless = table.request(1, now, right, "x" * 65)
    precondition, argument = "FAILED_PRECONDITION", "INVALID_ARGUMENT"
    return [
        (table.request(0, now, play(before.hand[1])), precondition, "NOT_YOUR_TURN"),
        (table.request(1, now, foreign), precondition, "CARD_NOT_IN_HAND"),
        (table.request(1, now, announce(RONDA)), precondition, "ALREADY_ANNOUNCED"),
        (table.request(1, now, announce(DOUBLE_RONDA)), precondition, "KIND_WITHOUT_VALUE"),
        (table.request(1, now, passing), precondition, "NOTHING_TO_PASS"),
        (table.request(1, now, challenge), precondition, "CHALLENGE_NOT_ALLOWED"),
        (table.request(1, now, claim), precondition, "CLAIM_NOT_ALLOWED"),
        (table.request(1, first.decision_id, right), precondition, "STALE_DECISION"),
        (table.request(1, now + 1, right), precondition, "STALE_DECISION"),
        (reused, "ALREADY_EXISTS", "REQUEST_ID_REUSED"),
        (stranger, "PERMISSION_DENIED", "WRONG_TOKEN"),
        (nobody, "PERMISSION_DENIED", "WRONG_TOKEN"),
        (elsewhere, "NOT_FOUND", "MATCH_NOT_FOUND"),
        (table.request(1, now, move_pb2.Move()), argument, "MALFORMED_REQUEST"),
        (table.request(1, now, no_suit), argument, "MALFORMED_REQUEST"),
        (table.request(1, now, no_rank), argument, "MALFORMED_REQUEST"),
        (table.request(1, now, no_kind), argument, "MALFORMED_REQUEST"),
        (table.request(1, now, unknown), argument, "MALFORMED_REQUEST"),
        (unnamed, argument, "MALFORMED_REQUEST"),
        (endless, argument, "MALFORMED_REQUEST"),
    ]


async def test_a_wrong_move_is_refused_with_its_reason_and_changes_nothing(tmp_path: Path) -> None:
    """Every view and the log are the same before and after each, and the match goes on."""
    async with running(tmp_path) as run:
        table = await run.table(2, terms=MatchTerms(most_refusals=1000))
        wrong = await wrong_moves(run, table)
        before = await everything(table)
        for request, status, reason in wrong:
            answer = await refused(partial(run.stub.SubmitMove, request))
            assert (answer.status, answer.reason) == (status, reason), answer
            assert await everything(table) == before
        assert await table.play_lowest() == 1
        assert await table.seat_to_act() == 0


async def test_an_announcement_after_the_first_card_of_the_batch_is_too_late(
    tmp_path: Path,
) -> None:
    """The clause that forbids it is named."""
    async with running(tmp_path) as run:
        table = await run.table(2)
        await table.play_lowest()
        await table.play_lowest()
        seat, _, decision = await table.turn()
        request = table.request(seat, decision.decision_id, announce(RONDA))
        answer = await refused(lambda: run.stub.SubmitMove(request))
        assert (answer.status, answer.reason) == ("FAILED_PRECONDITION", "ANNOUNCEMENT_TOO_LATE")
        assert answer.clause == "ANN-2"


async def test_bytes_that_are_no_message_are_refused(tmp_path: Path) -> None:
    """Garbage on the wire ends its own call and nothing else."""
    async with running(tmp_path) as run:
        table = await run.table(2)
        before = await everything(table)
        async with grpc.aio.insecure_channel(run.serving.address) as channel:
            raw = channel.unary_unary(
                "/ronda.v1.RefereeService/SubmitMove", lambda data: data, lambda data: data
            )
            with pytest.raises(grpc.aio.AioRpcError) as caught:
                await raw(b"\xff\xff\xff garbage")
        answer = refusal(caught.value)
        assert (answer.status, answer.reason) == ("INVALID_ARGUMENT", "MALFORMED_REQUEST")
        assert await everything(table) == before


async def test_a_request_over_64_kib_is_refused(tmp_path: Path) -> None:
    """The limit holds for every call."""
    async with running(tmp_path) as run:
        request = pb.GetRuleSetRequest(id="x" * 70_000)
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            await run.stub.GetRuleSet(request)
        assert caught.value.code() is grpc.StatusCode.RESOURCE_EXHAUSTED


async def test_the_same_request_id_and_contents_get_the_same_answer(tmp_path: Path) -> None:
    """Sent again at once, later, or after a restart: one move, one answer."""
    async with running(tmp_path) as run:
        table = await run.table(2)
        seat, view, decision = await table.turn()
        request = table.request(seat, decision.decision_id, play(view.hand[0]))
        first = await run.stub.SubmitMove(request)
        assert await run.stub.SubmitMove(request) == first
        await table.play_lowest()
        assert await run.stub.SubmitMove(request) == first
        length = len(await table.records())
    async with running(tmp_path) as run:
        assert run.serving.restored == 1
        assert await run.stub.SubmitMove(request) == first
        table = Table(run.stub, table.match_id, table.tokens)
        assert len(await table.records()) == length


async def test_before_the_end_a_log_is_given_out_as_far_as_it_may_be_seen(tmp_path: Path) -> None:
    """The records are those that a watcher gets; the hand of the seat that asks is beside them."""
    async with running(tmp_path) as run:
        table = await run.table(2)

        async def log(token: str = "") -> tuple[bytes, list[log_pb2.CommitmentOpening]]:
            request = pb.GetMatchLogRequest(match_id=table.match_id, seat_token=token)
            parts = [part async for part in run.stub.GetMatchLog(request)]
            openings = [one for part in parts for one in part.openings]
            return b"".join(part.data for part in parts), openings

        public, nothing = await log()
        watched = [one.data for one in read_records(io.BytesIO(public))]
        assert watched == [entry.record for entry in await table.records()]
        assert nothing == []
        same, own = await log(table.tokens[1])
        assert same == public
        hands = [event_pb2.Event.FromString(one.payload).hand_dealt for one in own]
        assert [hand.seat for hand in hands] == [1]
        assert list(hands[0].cards) == list((await table.view(1)).seat_view.hand)
        await table.play_to_the_end()
        whole, beside = await log(table.tokens[1])
        assert beside == []
        assert audit_stream(io.BytesIO(whole)).ok


async def test_a_match_that_is_over_takes_no_move(tmp_path: Path) -> None:
    """Whatever decision the move names."""
    async with running(tmp_path) as run:
        table = await run.table(2, "sarii")
        _, view, decision = await table.turn()
        await table.play_to_the_end()
        request = table.request(0, decision.decision_id, play(view.hand[0]))
        answer = await refused(lambda: run.stub.SubmitMove(request))
        assert (answer.status, answer.reason) == ("FAILED_PRECONDITION", "MATCH_OVER")
