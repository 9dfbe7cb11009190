"""Moves per second of the engine alone, at random, beside other card games where they are there.

    python benchmarks/engine.py [--seconds 1] [--rounds 10] [--json]

One process plays all games by turns, so that whatever else the machine does slows them alike; each
turn lasts so many seconds of processor time. The loop is the same for all: who must act and how,
one of these moves at random, and what follows from it. A move is a decision of a player; the time
that chance takes for dealing counts, its draws do not count as moves.

OpenSpiel's hearts and gin rummy (package open-spiel) and RLCard's gin rummy (package rlcard) are
played where these can be imported. Nothing of the project needs them; put them into an environment
of their own, beside this project.
"""

import argparse
import importlib
import json
import random
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from ronda_conformance.rule_set_files import load_rule_set
from ronda_referee.convert import rule_set_from_proto
from ronda_rules import engine
from ronda_rules.cards import cards_of
from ronda_rules.moves import AnyMove, DealerDrawn, Drawn, SeatMove

# Gives the moves of a match that it plays to its end.
_PlayMatch = Callable[[random.Random], int]

_RONDA = (("maghribi", 2), ("classic", 4))


def ronda(rule_set: str, seats: int) -> _PlayMatch:
    """Give what plays a match of a rule set, with all its events."""
    rules = rule_set_from_proto(load_rule_set(rule_set))

    def play(rng: random.Random) -> int:
        moves = 0
        state, _ = engine.begin(rules, seats)
        while True:
            decision = engine.decide(state)
            move: AnyMove
            match decision:
                case engine.SeatsToAct((seat, *_)):
                    moves += 1
                    move = SeatMove(seat, rng.choice(engine.legal_moves(state, seat)))
                case engine.DrawCards(count, pack):
                    move = Drawn(tuple(rng.sample(cards_of(pack), count)))
                case engine.DrawDealer(among):
                    move = DealerDrawn(rng.randrange(among))
                case _:
                    return moves
            state, _ = engine.advance(state, move)

    return play


def open_spiel(name: str) -> _PlayMatch:
    """Give what plays a game of OpenSpiel through its Python interface.

    Raises:
        ImportError: it is not installed.
    """
    game = importlib.import_module("pyspiel").load_game(name)

    def play(rng: random.Random) -> int:
        moves = 0
        state = game.new_initial_state()
        while not state.is_terminal():
            if not state.is_chance_node():
                moves += 1
            state.apply_action(rng.choice(state.legal_actions()))
        return moves

    return play


def rlcard(name: str) -> _PlayMatch:
    """Give what plays a game of RLCard in its environment.

    Raises:
        ImportError: it is not installed.
    """
    environment = importlib.import_module("rlcard").make(name, config={"seed": 1})

    def play(rng: random.Random) -> int:
        moves = 0
        state: Any
        state, _ = environment.reset()
        while not environment.is_over():
            moves += 1
            state, _ = environment.step(rng.choice(list(state["legal_actions"])))
        return moves

    return play


def games() -> Iterator[tuple[str, _PlayMatch]]:
    """Give the games that can be played here, by name, those of this project first."""
    for rule_set, seats in _RONDA:
        yield f"{rule_set}, {seats} seats", ronda(rule_set, seats)
    others: tuple[tuple[str, Callable[[str], _PlayMatch], str], ...] = (
        ("OpenSpiel hearts", open_spiel, "hearts"),
        ("OpenSpiel gin rummy", open_spiel, "gin_rummy"),
        ("RLCard gin rummy", rlcard, "gin-rummy"),
    )
    for title, made, name in others:
        try:
            yield title, made(name)
        except ImportError:
            print(f"{title}: not installed, left out", file=sys.stderr)


def turn(play: _PlayMatch, rng: random.Random, seconds: float) -> tuple[int, float]:
    """Play matches for so many seconds of processor time; give the moves and the time taken."""
    moves = 0
    begun = time.process_time()
    while True:
        moves += play(rng)
        taken = time.process_time() - begun
        if taken >= seconds:
            return moves, taken


def main() -> int:
    """Play by turns and print moves per second."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--seconds", type=float, default=1.0, help="of each turn (default 1)")
    parser.add_argument("--rounds", type=int, default=10, help="turns of each game (default 10)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args()
    rng = random.Random(args.seed)
    played = dict(games())
    # What is found once and kept is found before it counts.
    for play in played.values():
        turn(play, rng, args.seconds)
    totals = {title: [0.0, 0.0] for title in played}
    for _ in range(args.rounds):
        for title, play in played.items():
            moves, taken = turn(play, rng, args.seconds)
            totals[title][0] += moves
            totals[title][1] += taken
    rates = {title: moves / taken for title, (moves, taken) in totals.items()}
    kind = "pure" if Path(engine.__file__).suffix == ".py" else "compiled"
    if args.json:
        print(json.dumps({"engine": kind, "moves_per_second": rates}))
        return 0
    print(f"the engine is {kind}; moves per second of processor time:")
    first = next(iter(rates.values()))
    for title, rate in rates.items():
        print(f"  {title:20} {rate:10,.0f}  {rate / first:6.2f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
