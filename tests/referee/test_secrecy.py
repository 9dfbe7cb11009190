"""No seat's bytes depend on a card that it cannot know.

Two worlds are played on real servers that differ only in cards which the watcher cannot know: the
last card of every other hand and everything still in the pack. All that the referee ever sends
the watcher (its stream, its view, its refusals) must be the same to the byte. Chance is the same
in both worlds, and a commitment is taken as it is meant: it says nothing of what is committed to.
"""

import asyncio
import hashlib
import random
import tempfile
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

import grpc
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ronda.v1 import decision_pb2, log_pb2, move_pb2, rule_set_pb2
from ronda.v1 import referee_service_pb2 as pb
from ronda.v1.match_terms_pb2 import MatchTerms
from ronda_referee import play as play_module
from ronda_referee import service as service_module
from ronda_referee import watching as watching_module
from ronda_referee.convert import card_to_proto, decision_to_proto
from ronda_referee.data_folder import KEY_FILE
from ronda_referee.signing_key import load_or_create
from ronda_referee.surroundings import Surroundings
from ronda_rules.cards import rank_of
from ronda_rules.deal import forbidden
from ronda_rules.events import Event, HandDealt
from ronda_rules.rule_set import TableForbid
from ronda_rules.state import MatchState
from ronda_rules.view import SeatView, public_part, seat_view
from tests.referee.running import CountedEntropy, Running, Table, play, running

HAND = 3
KNOWN = 2
TABLE = 4
BOTH = frozenset({TableForbid.PAIRS, TableForbid.RUNS})


class IdealSealer:
    """Commits without saying anything: the same bytes whatever is committed to."""

    def seal(self, sequence: int, payload: bytes) -> tuple[bytes, bytes]:
        """Give a nonce and a commitment that hang on the place alone."""
        return bytes(32), hashlib.sha256(b"ideal %d" % sequence).digest()


@dataclass(frozen=True)
class World:
    """The draws of a deal's first two batches, and who announces what in the first.

    The cards of a hand are played in the order in which they were drawn.
    """

    seats: int
    draws: tuple[int, ...]
    announced: tuple[int, ...]


def a_world(seats: int, rng: random.Random) -> World:
    """Make a world whose table of four is valid."""
    while True:
        cards = rng.sample(range(40), 40)
        table = cards[seats * HAND : seats * HAND + TABLE]
        if forbidden(table, BOTH) is None:
            announced = tuple(rng.randrange(3) for _ in range(seats))
            return World(seats, tuple(cards[: 2 * seats * HAND + TABLE]), announced)


def another_world(world: World, watcher: int | None, rng: random.Random) -> World:
    """Give the world anew with other cards where the watcher cannot look."""
    draws = list(world.draws)
    second_batch = world.seats * HAND + TABLE
    secret = list(range(second_batch, len(draws)))
    # The last seat deals, so hands are dealt from seat 0 on.
    secret += [seat * HAND + KNOWN for seat in range(world.seats) if seat != watcher]
    cards = [draws[place] for place in secret]
    cards += [card for card in range(40) if card not in world.draws]
    rng.shuffle(cards)
    for place, card in zip(secret, cards, strict=False):
        draws[place] = card
    return replace(world, draws=tuple(draws))


async def sent_to(world: World, watcher: int | None) -> list[bytes]:
    """Play two cards of every hand; give all that the watcher was sent, in order."""
    surroundings = Surroundings(
        lambda: 1_700_000_000_000, lambda: 7, CountedEntropy(), IdealSealer()
    )
    with tempfile.TemporaryDirectory() as folder:
        key = Path(folder) / KEY_FILE
        key.touch(0o600)
        key.write_bytes(_signing_key())
        async with running(Path(folder), surroundings=surroundings, allow_fixed_draws=True) as run:
            table = await _table(run, world)
            sent = [*await _asked(table, watcher)]
            for turn in range(world.seats * KNOWN):
                seat = turn % world.seats
                kind = world.announced[seat]
                if turn < world.seats and kind:
                    announcement = move_pb2.Announce(kind=_KINDS[kind])
                    await _move(table, seat, move_pb2.Move(announce=announcement))
                    sent += await _asked(table, watcher)
                card = card_to_proto(world.draws[seat * HAND + turn // world.seats])
                await _move(table, seat, play(card))
                sent += await _asked(table, watcher)
            sent += await _stream(table, watcher)
            return sent


@cache
def _signing_key() -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / KEY_FILE
        load_or_create(path)
        return path.read_bytes()


async def _table(run: Running, world: World) -> Table:
    draws = log_pb2.FixedDraws(cards=map(card_to_proto, world.draws))
    created = await run.stub.CreateMatch(
        pb.CreateMatchRequest(
            rule_set_id="maghribi",
            seats=world.seats,
            fixed_draws=draws,
            terms=MatchTerms(most_refusals=100_000),
        )
    )
    table = Table(run.stub, created.match_id, list(created.seat_tokens))
    for seat in range(world.seats):
        await table.join(seat)
    return table


async def _move(table: Table, seat: int, move: move_pb2.Move) -> None:
    decision = (await table.view(seat)).decision
    await table.stub.SubmitMove(table.request(seat, decision.decision_id, move))


async def _asked(table: Table, watcher: int | None) -> list[bytes]:
    """Give the watcher's view, and for a seat its refusals of every card that it does not hold."""
    view = await table.view(watcher)
    sent = [view.SerializeToString(deterministic=True)]
    if watcher is None:
        return sent
    public = view.seat_view.public
    held = {card.SerializeToString() for card in view.seat_view.hand}
    # Whether or not it is the seat's turn: these are refused, each for what the seat may know.
    for card in map(card_to_proto, range(40)):
        if card.SerializeToString() not in held:
            request = table.request(watcher, view.next_sequence - 1, play(card), "probe")
            sent.append(await _refusal(table, request))
    for decision_id in (0, view.next_sequence - 1):
        for other in range(public.seats):
            move = move_pb2.Move(challenge=move_pb2.Challenge(seat=other))
            sent.append(await _refusal(table, table.request(watcher, decision_id, move, "probe")))
    return sent


async def _refusal(table: Table, request: pb.SubmitMoveRequest) -> bytes:
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await table.stub.SubmitMove(request)
    error = caught.value
    trailing = sorted((key, value) for key, value in error.trailing_metadata())
    return repr((error.code(), error.details(), trailing)).encode()


async def _stream(table: Table, watcher: int | None) -> list[bytes]:
    """Give the messages of the watcher's stream so far."""
    view = await table.view(watcher)
    token = "" if watcher is None else table.tokens[watcher]
    watching = table.stub.WatchMatch(
        pb.WatchMatchRequest(match_id=table.match_id, seat_token=token)
    )
    sent: list[bytes] = []
    async for message in watching:
        sent.append(message.SerializeToString(deterministic=True))
        asked = message.HasField("turn") or not view.HasField("decision")
        if message.next_sequence == view.next_sequence and asked:
            break
    watching.cancel()
    return sent


_KINDS = (
    rule_set_pb2.ANNOUNCEMENT_KIND_UNSPECIFIED,
    rule_set_pb2.ANNOUNCEMENT_KIND_RONDA,
    rule_set_pb2.ANNOUNCEMENT_KIND_TRINGA,
)


def worlds(seed: int, seats: int, watcher: int | None) -> tuple[World, World]:
    """Give two worlds that the watcher cannot tell apart."""
    rng = random.Random(seed)
    world = a_world(seats, rng)
    return world, another_world(world, watcher, rng)


def tell_apart(seed: int, seats: int, watcher: int | None) -> bool:
    """Whether what the watcher is sent differs between two worlds."""
    one, other = worlds(seed, seats, watcher)
    assert one != other
    return asyncio.run(sent_to(one, watcher)) != asyncio.run(sent_to(other, watcher))


@st.composite
def watched(draw: st.DrawFn) -> tuple[int, int | None]:
    """Choose a seat count and who watches: a seat, or the public."""
    seats = draw(st.sampled_from((2, 3, 4)))
    return seats, draw(st.sampled_from((None, *range(seats))))


@settings(max_examples=20)
@given(seed=st.integers(0, 2**32), table=watched())
def test_no_byte_depends_on_a_card_that_the_watcher_cannot_know(
    seed: int, table: tuple[int, int | None]
) -> None:
    """Streams, views and refusals are the same in both worlds, for every seat and the public."""
    assert not tell_apart(seed, *table)


def hand_with_a_neighbours_card(state: MatchState, seat: int) -> SeatView:
    """Leak: a seat sees the last card of the seat after it."""
    view = seat_view(state, seat)
    return replace(view, hand=view.hand + state.hands[state.next_seat(seat)][-1:])


def event_with_a_card_left_in(event: Event) -> Event:
    """Leak: everyone sees the last card of every hand dealt."""
    hidden = public_part(event)
    if isinstance(event, HandDealt) and isinstance(hidden, HandDealt):
        return replace(hidden, cards=event.cards[-1:])
    return hidden


def decision_that_tells(state: MatchState, seat: int, decision_id: int) -> decision_pb2.Decision:
    """Leak: a seat has more time where the next seat holds a king."""
    decision = decision_to_proto(state, seat, decision_id)
    king = any(rank_of(card) == 12 for card in state.hands[state.next_seat(seat)])
    decision.milliseconds_left = 20_000 if king else 10_000
    return decision


LEAKS = {
    "a view with a neighbour's card": (service_module, "seat_view", hand_with_a_neighbours_card),
    "a turn with a neighbour's card": (watching_module, "seat_view", hand_with_a_neighbours_card),
    "an event with a card left in": (play_module, "public_part", event_with_a_card_left_in),
    "a decision that tells": (watching_module, "decision_to_proto", decision_that_tells),
}


@pytest.mark.parametrize("leak", LEAKS)
def test_a_planted_leak_is_caught(leak: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The property above fails for each of these within a few worlds."""
    module, name, leaky = LEAKS[leak]
    monkeypatch.setattr(module, name, leaky)
    assert any(tell_apart(seed, 3, watcher) for seed in range(5) for watcher in (0, 1))
