"""Play-outs by other libraries of card games, from the extra `bench`."""

import importlib
import random
from types import ModuleType

INSTALLING = (
    "the peers are not installed: `make bench` installs them, as does "
    "pip install --editable '.[bench]'"
)


class PeerMissingError(Exception):
    """A library to compare with is not installed; the text says what to do."""


def open_spiel_hearts(matches: int, chance: random.Random) -> int:
    """Play matches of OpenSpiel's hearts at random; return how many moves the players made.

    The cards are dealt by the same two calls as the moves are made by: every card is as likely as
    the others, and OpenSpiel's own list of outcomes with their probabilities takes longer.
    """
    game = _peer("pyspiel").load_game("hearts")
    moves = 0
    for _ in range(matches):
        state = game.new_initial_state()
        while not state.is_terminal():
            moves += not state.is_chance_node()
            state.apply_action(chance.choice(state.legal_actions()))
    return moves


class RlCardGinRummy:
    """RLCard's environment of gin rummy."""

    def __init__(self, seed: int) -> None:
        """Make it; the seed fixes its cards."""
        self._environment = _peer("rlcard").make("gin-rummy", config={"seed": seed})

    def play(self, matches: int, chance: random.Random) -> int:
        """Play matches at random by the environment's own step; return how many moves were made."""
        environment = self._environment
        moves = 0
        for _ in range(matches):
            state, _ = environment.reset()
            while not environment.is_over():
                state, _ = environment.step(chance.choice(list(state["legal_actions"])))
                moves += 1
        return moves


def _peer(name: str) -> ModuleType:
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        raise PeerMissingError(INSTALLING) from error
