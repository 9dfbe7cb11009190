"""Runs and their events in few words, as the tests write them."""

from ronda.conformance.v1 import testee_service_pb2 as testee_pb2
from ronda.v1 import card_pb2, event_pb2, move_pb2, rule_set_pb2
from tests.oracle.cards import from_message, read, to_message, to_messages
from tests.oracle.match import Match
from tests.oracle.moves import pass_move
from tests.oracle.respond import respond


def run(
    rules: rule_set_pb2.RuleSet, seats: int, draws: str, moves: str = ""
) -> testee_pb2.RunResponse:
    """Play moves written as `0 play 5o, 1 announce ronda, 1 pass, 0 claim 1`."""
    return respond(
        testee_pb2.RunRequest(
            rule_set=rules,
            seats=seats,
            draws=to_messages(read(draws)),
            moves=[seat_move(text) for text in moves.split(",") if text.strip()],
        )
    )


def seat_move(text: str) -> testee_pb2.SeatMove:
    """Read one move."""
    seat, verb, *rest = text.split()
    move = move_pb2.Move()
    if verb == "play":
        move.play.card.CopyFrom(to_message(read(rest[0])[0]))
    elif verb == "announce":
        word = f"ANNOUNCEMENT_KIND_{rest[0].upper()}"
        move.announce.kind = rule_set_pb2.AnnouncementKind.Value(word)
    elif verb == "challenge":
        move.challenge.seat = int(rest[0])
    elif verb == "claim":
        move.claim.seat = int(rest[0])
    else:
        move = pass_move()
    return testee_pb2.SeatMove(seat=int(seat), move=move)


def write_card(card: card_pb2.Card) -> str:
    """Write a card as `7o`."""
    rank, suit = from_message(card)
    return f"{rank}{'-oceb'[suit]}"


def words(events: list[event_pb2.Event]) -> list[str]:
    """Write events as their name and their set fields, `card_laid seat=0 card=5o`."""
    return [one(event) for event in events]


def one(event: event_pb2.Event) -> str:
    """Write one event."""
    name = str(event.WhichOneof("event"))
    body = getattr(event, name)
    parts = [name]
    for field, value in body.ListFields():
        if field.name == "shares":
            text = " ".join(f"{share.side}+{share.points}" for share in value)
        elif field.name in ("cards", "hand") and field.message_type is not None:
            text = " ".join(write_card(card) for card in value)
        elif field.message_type is not None and field.message_type.name == "Card":
            text = write_card(value)
        elif field.name == "announcements":
            text = " ".join(f"{said.seat}:{said.kind}:{said.rank}" for said in value)
        elif field.enum_type is not None:
            text = field.enum_type.values_by_number[value].name.split("_", 2)[2]
        else:
            text = str(value)
        parts.append(f"{field.name}={text}")
    return " ".join(parts)


def step_words(response: testee_pb2.RunResponse) -> list[list[str]]:
    """Write each step's events, or its refusal as `refused REASON`."""
    return [
        [f"refused {step.refusal.reason}"] if step.HasField("refusal") else words(list(step.events))
        for step in response.steps
    ]


def table(sight: testee_pb2.Sight) -> str:
    """Write the table of a view."""
    return " ".join(write_card(card) for card in sight.public.table)


def in_mid_deal(rules: rule_set_pb2.RuleSet, seats: int, hands: str, on_table: str) -> Match:
    """Make a match whose batch has just been dealt, the last seat dealing."""
    m = Match(rules, seats, lambda pack: pack[0])
    m.deal, m.dealer, m.batch = 1, seats - 1, 1
    m.hands = [read(hand) for hand in hands.split("/")]
    m.dealt = [list(hand) for hand in m.hands]
    m.played = [[] for _ in range(seats)]
    m.table = read(on_table)
    m.piles = [0] * m.sides
    m.punished = [0] * seats
    return m
