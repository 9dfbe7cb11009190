"""Matches of Ronda as a PettingZoo environment, for reinforcement learning.

It is used as any of its kind::

    import ronda_env

    env = ronda_env.env("maghribi", seats=2)
    env.reset(seed=7)
    for agent in env.agent_iter():
        observation, reward, terminated, truncated, info = env.last()
        over = terminated or truncated
        env.step(None if over else env.action_space(agent).sample(observation["action_mask"]))

It needs the extra `rl`. The rules are the referee's; docs/training.md says what an observation
holds and what an action means.
"""

try:
    import pettingzoo as _pettingzoo  # noqa: F401 - whether it is there is all that is asked
except ModuleNotFoundError as error:
    raise ModuleNotFoundError(
        "ronda_env needs the extra \"rl\": pip install 'ronda-referee[rl]'", name=error.name
    ) from error

from ronda_env.actions import (
    ACTIONS,
    ANNOUNCE,
    CHALLENGE,
    CLAIM,
    PASS,
    UnknownAction,
    action_of,
    card_number,
    move_of,
)
from ronda_env.environment import Mask, Observation, RondaEnv, env
from ronda_env.layout import FIELDS, LENGTH, Field, Vector, field, part
from ronda_env.observations import Observer
from ronda_env.rewards import Rewards
from ronda_table import IllegalMove

__all__ = [
    "ACTIONS",
    "ANNOUNCE",
    "CHALLENGE",
    "CLAIM",
    "FIELDS",
    "LENGTH",
    "PASS",
    "Field",
    "IllegalMove",
    "Mask",
    "Observation",
    "Observer",
    "Rewards",
    "RondaEnv",
    "UnknownAction",
    "Vector",
    "action_of",
    "card_number",
    "env",
    "field",
    "move_of",
    "part",
]
