"""The keys for what a seat may do, and why another key does nothing."""

from collections.abc import Sequence
from dataclasses import dataclass

from ronda.v1.move_pb2 import Move
from ronda.v1.referee_service_pb2 import Turn
from ronda.v1.rule_set_pb2 import AnnouncementKind, Bluff, RuleSet
from ronda_replay.table import Card, cards_of
from ronda_terminal.words import Words, kind_of

KIND_KEYS: dict[str, AnnouncementKind.ValueType] = {
    "r": AnnouncementKind.ANNOUNCEMENT_KIND_RONDA,
    "t": AnnouncementKind.ANNOUNCEMENT_KIND_TRINGA,
    "d": AnnouncementKind.ANNOUNCEMENT_KIND_DOUBLE_RONDA,
}
PASS_KEY = "p"
# One for each seat that may be challenged or claimed against.
CHALLENGE_KEYS = "cvb"
CLAIM_KEYS = "mnk"


@dataclass(frozen=True, slots=True)
class Action:
    """Something that the seat may do.

    Attributes:
        key: the key that does it.
        move: the move.
        card: the card that it plays; None: it plays none.
        label: what it is, in the language of the table.
        is_true: whether it is an announcement that the hand makes true.
    """

    key: str
    move: Move
    card: Card | None
    label: str
    is_true: bool = False


def actions_of(turn: Turn, words: Words) -> list[Action]:
    """Give what a seat may do now: the cards of its hand in their order, then what it may say.

    What only a newer referee allows, or one that errs, has no key and is left out.
    """
    hand = cards_of(turn.view.hand)
    cards: dict[int, Action] = {}
    said = []
    challenges, claims = iter(CHALLENGE_KEYS), iter(CLAIM_KEYS)
    for move in turn.decision.legal_moves:
        kind = kind_of(move)
        name = words.move(kind)
        match kind:
            case "play":
                (card,) = cards_of([move.play.card])
                if card in hand:
                    place = hand.index(card)
                    cards[place] = Action(str(place + 1), move, card, words.cards([card]))
            case "announce":
                announced = move.announce.kind
                key = next((key for key, one in KIND_KEYS.items() if one == announced), "")
                label = words.labelled(name, words.kind(announced))
                is_true = announced in turn.decision.true_announcements
                said.append(Action(key, move, None, label, is_true))
            case "challenge":
                label = words.labelled(name, words.seat(move.challenge.seat))
                said.append(Action(next(challenges, ""), move, None, label))
            case "claim":
                label = words.labelled(name, words.seat(move.claim.seat))
                said.append(Action(next(claims, ""), move, None, label))
            case _:
                said.append(Action(PASS_KEY, move, None, name))
    return [cards[place] for place in sorted(cards)] + [one for one in said if one.key]


def why_not(key: str, turn: Turn | None, hand: Sequence[Card], rules: RuleSet, words: Words) -> str:
    """Say why a key does nothing now.

    Args:
        key: the key, as `3` or `r`.
        turn: what the seat is asked; None: nothing.
        hand: the seat's cards.
        rules: what is played.
        words: in what it is said.
    """
    move = _named(key)
    if move is None and not key.isdigit():
        return words.say("unknown_key", key=key)
    if turn is None:
        return words.say("not_asked")
    if key.isdigit():
        if not 1 <= int(key) <= len(hand):
            return words.say("no_card", key=key, count=str(len(hand)))
        asked = words.asked(turn.view.public.asked)
        return words.joined([words.say("not_now", what=words.move("play")), asked])
    if move == "announce":
        return _why_not_announced(KIND_KEYS[key], turn, rules, words)
    return words.say("not_now", what=words.move(move or ""))


def _named(key: str) -> str | None:
    if key in KIND_KEYS:
        return "announce"
    if key == PASS_KEY:
        return "pass"
    if key in CHALLENGE_KEYS:
        return "challenge"
    return "claim" if key in CLAIM_KEYS else None


def _why_not_announced(
    kind: AnnouncementKind.ValueType, turn: Turn, rules: RuleSet, words: Words
) -> str:
    public = turn.view.public
    name = words.kind(kind)
    values = {
        AnnouncementKind.ANNOUNCEMENT_KIND_RONDA: rules.kinds.ronda,
        AnnouncementKind.ANNOUNCEMENT_KIND_TRINGA: rules.kinds.tringa,
        AnnouncementKind.ANNOUNCEMENT_KIND_DOUBLE_RONDA: rules.kinds.double_ronda,
    }
    if not values[kind]:
        return words.say("not_played", what=name)
    if turn.decision.seat in public.answered:
        return words.say("answered")
    offered = any(kind_of(move) == "announce" for move in turn.decision.legal_moves)
    if offered or rules.bluff == Bluff.BLUFF_REFUSED:
        return words.say("not_held", what=name)
    return words.say("not_now", what=name)
