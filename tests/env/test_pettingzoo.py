"""PettingZoo's own tests of an environment, for every rule set that is shipped."""

import numpy as np
import pytest
from gymnasium.spaces import Discrete
from pettingzoo.test.api_test import api_test
from pettingzoo.test.seed_test import seed_test

import ronda_env
from tests.env.rules import EVERY, legal_actions

# The test knows by name which environments have a dict with a mask, as its documentation asks for
# where not every action is legal; no other name passes without these two.
DICT_EXPECTED = pytest.mark.filterwarnings(
    "ignore:Observation is not a NumPy array:UserWarning",
    "ignore:Observation space for each agent probably should be:UserWarning",
    # The last observation of an episode: nobody may act any more.
    r"ignore:Action mask numpy array is all zeros \(no legal actions\):UserWarning",
)


@DICT_EXPECTED
@pytest.mark.parametrize(("rule_set", "seats"), EVERY)
def test_it_keeps_the_interface(rule_set: str, seats: int) -> None:
    """Spaces, bounds, rewards, agents and infos are as the interface wants them."""
    api_test(ronda_env.env(rule_set, seats), num_cycles=8)


@DICT_EXPECTED
def test_it_keeps_the_interface_over_whole_episodes() -> None:
    """Through the end of a match, with win and with points, and where it is cut off."""
    api_test(ronda_env.env("single-deal", 2, "win"), num_cycles=60)
    api_test(ronda_env.env("qahwa", 3, max_deals=1), num_cycles=60)


@pytest.mark.parametrize(("rule_set", "seats"), EVERY)
def test_the_same_seed_is_the_same_episode(rule_set: str, seats: int) -> None:
    """Observations, masks, rewards and infos of two environments are equal."""
    seed_test(lambda: ronda_env.env(rule_set, seats), 6)


@pytest.mark.parametrize(("rule_set", "seats"), EVERY)
def test_the_mask_is_what_is_legal(rule_set: str, seats: int) -> None:
    """Every seat's mask has a 1 for each legal move that it is served, and none without one."""
    env = ronda_env.RondaEnv(rule_set, seats)
    env.reset(seed=3)
    generator = np.random.default_rng(3)
    windows = 0
    for _ in range(25):
        if env.match.over:
            break
        for seat, agent in enumerate(env.possible_agents):
            mask = env.observe(agent)["action_mask"]
            assert np.flatnonzero(mask).tolist() == sorted(legal_actions(env, seat))
            assert np.array_equal(mask, env.infos[agent]["action_mask"])
        acting = env.possible_agents.index(env.agent_selection)
        actions = legal_actions(env, acting)
        assert actions
        windows += len(actions) > 1
        env.step(generator.choice(actions))
    assert windows > 0


def test_spaces_are_the_same_for_every_rule_set() -> None:
    """What is learnt with one can be used with another."""
    maghribi = ronda_env.RondaEnv("maghribi", 2)
    khlaso = ronda_env.RondaEnv("khlaso", 4)
    assert maghribi.observation_space("seat_0") == khlaso.observation_space("seat_3")
    assert maghribi.action_space("seat_1") == khlaso.action_space("seat_2") == Discrete(50)
    assert khlaso.possible_agents == ["seat_0", "seat_1", "seat_2", "seat_3"]
