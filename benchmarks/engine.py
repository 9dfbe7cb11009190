"""The engine: matches played out at random, and the same by other libraries.

Every decision of a player counts as one move, or ply. What chance decides is drawn by the same
loop and takes its time, and counts for nothing, with us and with OpenSpiel; RLCard's environment
deals by itself. It is the time of the processor that counts, of one thread.
"""

import random
import time
from collections.abc import Callable, Iterator

from benchmarks.bench import Bench
from benchmarks.measure import Aim, Row, Size
from benchmarks.peers import RlCardGinRummy, open_spiel_hearts
from ronda_conformance.rule_set_files import load_rule_sets
from ronda_referee.convert import rule_set_from_proto
from ronda_rules.cards import cards_of
from ronda_rules.engine import DrawCards, DrawDealer, MatchOver, SeatsToAct, advance, begin, decide
from ronda_rules.engine import legal_moves as legal_moves_of
from ronda_rules.moves import DealerDrawn, Drawn, SeatMove
from ronda_rules.rule_set import RuleSet

# Seconds for each side of a slice.
_SECONDS = {Size.FULL: 0.25, Size.QUICK: 0.1, Size.TINY: 0.02}
_SLICES = {Size.FULL: 4, Size.QUICK: 3, Size.TINY: 1}
_ROUNDS = {Size.FULL: 9, Size.QUICK: 5, Size.TINY: 2}

_OURS = (("maghribi", 2), ("classic", 4))

_OPEN_SPIEL_TARGET = 1.0
_RLCARD_TARGET = 20.0

_PlayOut = Callable[[random.Random], int]


def play_out(rules: RuleSet, seats: int, chance: random.Random) -> int:
    """Play a match at random from its beginning to its end; return how many moves were made."""
    state, _ = begin(rules, seats)
    moves = 0
    while True:
        match decide(state):
            case SeatsToAct((seat, *_)):
                move = SeatMove(seat, chance.choice(legal_moves_of(state, seat)))
                state, _ = advance(state, move)
                moves += 1
            case DrawCards(count, pack):
                drawn = tuple(chance.sample(list(cards_of(pack)), count))
                state, _ = advance(state, Drawn(drawn))
            case DrawDealer(count):
                state, _ = advance(state, DealerDrawn(chance.randrange(count)))
            case MatchOver():
                return moves


def moves_per_second(play: _PlayOut, seconds: float, chance: random.Random) -> float:
    """Play matches, each to its end, for so many seconds of the processor; return the speed."""
    moves = 0
    begun = time.process_time()
    while (took := time.process_time() - begun) < seconds:
        moves += play(chance)
    return moves / took


def measure(bench: Bench) -> Iterator[Row]:
    """Measure each of ours against each peer.

    Raises:
        PeerMissingError: A peer is not installed.
    """
    gin_rummy = RlCardGinRummy(seed=1)
    peers: tuple[tuple[str, str, float, _PlayOut], ...] = (
        ("OpenSpiel", "hearts", _OPEN_SPIEL_TARGET, lambda chance: open_spiel_hearts(1, chance)),
        ("RLCard", "gin-rummy", _RLCARD_TARGET, lambda chance: gin_rummy.play(1, chance)),
    )
    for rule_set, seats in _OURS:
        rules = rule_set_from_proto(load_rule_sets()[rule_set])
        for peer, game, target, of_peer in peers:
            yield _row(bench, rule_set, seats, rules, f"{peer} {game}", target, of_peer)


def _row(
    bench: Bench,
    rule_set: str,
    seats: int,
    rules: RuleSet,
    peer: str,
    target: float,
    of_peer: _PlayOut,
) -> Row:
    seconds = _SECONDS[bench.size]
    chance = random.Random(1)
    name = f"engine {rule_set} {seats} / {peer}"
    pairs = bench.alternately(
        name,
        lambda: moves_per_second(lambda with_: play_out(rules, seats, with_), seconds, chance),
        lambda: moves_per_second(of_peer, seconds, chance),
        bench.rounds(_ROUNDS[bench.size]),
        slices=_SLICES[bench.size],
    )
    what = f"engine: random play-outs, {rule_set}, {seats} seats"
    return Row(name, what, peer, "moves/s", Aim.AT_LEAST, target, pairs)
