"""Random matches as a testee is asked to play them: draws, moves and attempts at illegal moves."""

import random

from ronda.conformance.v1 import testee_service_pb2 as pb
from ronda.v1 import card_pb2, move_pb2
from ronda.v1.rule_set_pb2 import AnnouncementKind, RuleSet
from ronda_referee.convert import card_to_proto, move_to_proto, rule_set_from_proto
from ronda_rules import engine
from ronda_rules.errors import RulesError
from ronda_rules.moves import DealerDrawn, Drawn, SeatMove
from tests.rules.playouts import conceivable, some_cards, some_legal_move

MOST_MOVES = 1_900
"""Where a match is cut off: a testee plays up to 2,000 moves in a run."""
TRYING = 0.05
"""How often any seat tries anything at all, which is mostly illegal; a seat too many tries too."""
GARBLED = 0.005
"""How often a move is sent that is none."""
_AFTER_THE_END = 3
_DOUBTING = (0.0, 0.02, 0.1)
"""How often announcements are challenged in a match: with few challenges matches last longer."""


def random_match(
    rule_set: RuleSet, seats: int, rng: random.Random, most_moves: int = MOST_MOVES
) -> pb.RunRequest:
    """Give a match that the engine played at random, to its end or to so many moves.

    Among the moves are illegal ones and some that are none; a few come after the end.
    """
    request = pb.RunRequest(rule_set=rule_set, seats=seats)
    state, _ = engine.begin(rule_set_from_proto(rule_set), seats)
    attempts = conceivable(seats + 1)
    doubting = rng.choice(_DOUBTING)
    while len(request.moves) < most_moves:
        match engine.decide(state):
            case engine.DrawDealer(count):
                request.drawn_dealer = rng.randrange(count)
                move = DealerDrawn(request.drawn_dealer)
                state = engine.advance(state, move)[0]
            case engine.DrawCards(count, pack):
                cards = some_cards(rng, pack, count)
                request.draws.extend(map(card_to_proto, cards))
                state = engine.advance(state, Drawn(cards))[0]
            case engine.SeatsToAct(to_act):
                if rng.random() < GARBLED:
                    request.moves.add(seat=rng.randrange(seats), move=_garbled(rng))
                if rng.random() < TRYING:
                    tried = SeatMove(rng.randrange(seats + 1), rng.choice(attempts))
                else:
                    seat = rng.choice(to_act)
                    legal = engine.legal_moves(state, seat)
                    tried = SeatMove(seat, some_legal_move(rng, legal, doubting))
                request.moves.add(seat=tried.seat, move=move_to_proto(tried.move))
                try:
                    state = engine.advance(state, tried)[0]
                except RulesError:
                    continue
            case engine.MatchOver():
                for _ in range(_AFTER_THE_END):
                    move_after = move_to_proto(rng.choice(attempts))
                    request.moves.add(seat=rng.randrange(seats + 1), move=move_after)
                break
    return request


def _garbled(rng: random.Random) -> move_pb2.Move:
    """Give a move that is none: empty, or with a kind or a card that there is not."""
    none = move_pb2.Move()
    match rng.randrange(4):
        case 0:
            none.announce.kind = AnnouncementKind.ValueType(rng.choice((0, 4)))
        case 1:
            none.play.card.rank = card_pb2.Rank.ValueType(rng.choice((0, 8, 9, 13)))
            none.play.card.suit = card_pb2.SUIT_OROS
        case 2:
            none.play.card.rank = card_pb2.RANK_7
            none.play.card.suit = card_pb2.Suit.ValueType(rng.choice((0, 5)))
    return none
