"""A program under test that answers what a test tells it to, on a real server."""

from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager

import grpc
from google.protobuf.message import Message

from ronda.conformance.v1 import testee_service_pb2 as pb
from ronda.v1 import card_pb2, event_pb2, view_pb2

Answer = Callable[[pb.RunRequest], Awaitable[Message | bytes]]

SUITS = {"o": 1, "c": 2, "e": 3, "b": 4}


def card(text: str) -> card_pb2.Card:
    """Return the card written as `7o`."""
    return card_pb2.Card(
        rank=card_pb2.Rank.ValueType(int(text[:-1])),
        suit=card_pb2.Suit.ValueType(SUITS[text[-1]]),
    )


def cards(text: str) -> list[card_pb2.Card]:
    """Return the cards written as `7o 10c`."""
    return [card(word) for word in text.split()]


def sight(
    *,
    hands: Sequence[str],
    table: str,
    piles: Sequence[int],
    scores: Sequence[int],
    to_act: Sequence[int],
    capturer: int,
) -> pb.Sight:
    """Return what is to be seen in the last batch of a deal of two seats that seat 1 deals."""
    public = view_pb2.PublicView(
        rule_set_id="maghribi",
        seats=2,
        deal=1,
        dealer=1,
        batch=6,
        last_batch=True,
        to_act=to_act,
        table=cards(table),
        hand_sizes=[len(hand.split()) for hand in hands],
        pile_sizes=piles,
        pack_size=0,
        scores=scores,
        last_capturer=capturer,
    )
    views = [
        view_pb2.SeatView(public=public, seat=seat, hand=cards(hand))
        for seat, hand in enumerate(hands)
    ]
    return pb.Sight(public=public, seats=views)


def played(seat: int, text: str) -> event_pb2.Event:
    """Return the event that a seat played a card."""
    return event_pb2.Event(card_played=event_pb2.CardPlayed(seat=seat, card=card(text)))


def captured(seat: int, text: str) -> event_pb2.Event:
    """Return the event that a seat captured cards."""
    return event_pb2.Event(cards_captured=event_pb2.CardsCaptured(seat=seat, cards=cards(text)))


def mesa(seat: int) -> event_pb2.Event:
    """Return the event that a seat of two scored a mesa of one."""
    share = event_pb2.Share(side=seat, points=1)
    return event_pb2.Event(play_awarded=event_pb2.PlayAwarded(seat=seat, mesa=1, shares=[share]))


def _serialized(answer: Message | bytes) -> bytes:
    return answer if isinstance(answer, bytes) else answer.SerializeToString()


@asynccontextmanager
async def serving(answer: Answer) -> AsyncIterator[str]:
    """Serve TesteeService with a test's answer and give `HOST:PORT`."""

    async def handle(
        request: pb.RunRequest, context: grpc.aio.ServicerContext[pb.RunRequest, Message | bytes]
    ) -> Message | bytes:
        return await answer(request)

    handlers = {
        "Run": grpc.unary_unary_rpc_method_handler(
            handle,
            request_deserializer=pb.RunRequest.FromString,
            response_serializer=_serialized,
        )
    }
    server = grpc.aio.server(options=[("grpc.so_reuseport", 0)])
    server.add_generic_rpc_handlers(
        [grpc.method_handlers_generic_handler("ronda.conformance.v1.TesteeService", handlers)]
    )
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    try:
        yield f"127.0.0.1:{port}"
    finally:
        await server.stop(None)
