"""The environment: a match of Ronda, one seat's action at a time."""

import random
from typing import Any, TypeAlias

import numpy as np
from gymnasium.spaces import Box, Dict, Discrete, Space
from numpy.typing import NDArray
from pettingzoo import AECEnv
from pettingzoo.utils.wrappers import (
    AssertOutOfBoundsWrapper,
    OrderEnforcingWrapper,
    TerminateIllegalWrapper,
)

from ronda.v1.rule_set_pb2 import RuleSet
from ronda_env.actions import ACTIONS, PACK, action_of, move_of
from ronda_env.layout import LENGTH, highest
from ronda_env.observations import Observer
from ronda_env.rewards import Rewards, standing
from ronda_env.text import text_of
from ronda_table import LocalMatch, rule_set_of

Mask: TypeAlias = NDArray[np.int8]
Observation: TypeAlias = dict[str, Any]
ANSI = "ansi"

_SEED_BITS = 256


def env(
    rule_set: str | RuleSet = "maghribi",
    seats: int = 2,
    rewards: str = "points",
    *,
    max_deals: int | None = None,
    illegal_reward: float | None = None,
    render_mode: str | None = None,
) -> AECEnv[str, Observation, Any]:
    """Return the environment as training uses it, with the usual wrappers around `RondaEnv`.

    An action that the mask does not allow ends the episode for everyone: the seat gets
    `illegal_reward`, the others 0. An action outside the space, and a step before `reset`, are
    `AssertionError`s.

    Args:
        rule_set: The id of a rule set that is shipped, or one in full.
        seats: How many seats play: 2, 3 or 4, as the rule set allows.
        rewards: "points" or "win", see `Rewards`.
        max_deals: After how many deals a match that is not over is cut off; None: never.
        illegal_reward: What an illegal action costs; None: -1, or where points are rewarded as
            many as the target is, 40 where there is none.
        render_mode: "ansi", or None: `render` gives nothing.

    Raises:
        RuleSetUnknownError: There is no rule set of that id.
        RuleSetError: The rule set or the seat count cannot be played.
        ValueError: Another argument is none of those above.
    """
    raw = RondaEnv(rule_set, seats, rewards, max_deals=max_deals, render_mode=render_mode)
    if illegal_reward is None:
        target = float(raw.match.rule_set.target or PACK)
        illegal_reward = -target if raw.rewarded is Rewards.POINTS else -1.0
    wrapped = TerminateIllegalWrapper(raw, illegal_reward=illegal_reward)
    return OrderEnforcingWrapper(AssertOutOfBoundsWrapper(wrapped))


class RondaEnv(AECEnv[str, Observation, Any]):
    """A match of Ronda by the referee's rules, for PettingZoo's agent-environment cycle.

    Agents are `seat_0`, `seat_1` and so on. An observation is a dict: under `observation` the
    vector that `ronda_env.FIELDS` lays out, float32, and under `action_mask` a 1 for each legal
    action, int8; `infos` have the same mask. A seat that need not act has zeros in its mask. What
    an action means stands in `ronda_env.actions`.

    Where several seats must act at once, they act one after the other, in order of play from the
    seat after the dealer; what they have answered is seen by none before all have.
    """

    metadata: dict[str, Any] = {  # noqa: RUF012 - as the base class declares it
        "name": "ronda_v0",
        "render_modes": [ANSI],
        "is_parallelizable": False,
    }

    def __init__(
        self,
        rule_set: str | RuleSet = "maghribi",
        seats: int = 2,
        rewards: str = "points",
        *,
        max_deals: int | None = None,
        render_mode: str | None = None,
    ) -> None:
        """Take the arguments of `env`, which see; `reset` begins the first match.

        Raises:
            RuleSetUnknownError: There is no rule set of that id.
            RuleSetError: The rule set or the seat count cannot be played.
            ValueError: Another argument is wrong.
        """
        if rewards not in list(Rewards):
            raise ValueError(
                f"rewards are {' or '.join(map(repr, map(str, Rewards)))}: {rewards!r}"
            )
        if max_deals is not None and max_deals < 1:
            raise ValueError(f"max_deals is at least 1, or None: {max_deals}")
        if render_mode not in {None, ANSI}:
            raise ValueError(f"render_mode is {ANSI!r} or None: {render_mode!r}")
        self.rewarded = Rewards(rewards)
        self.render_mode = render_mode
        self._rules = rule_set_of(rule_set)
        self._max_deals = max_deals
        self._random = random.Random()
        self.possible_agents = [f"seat_{seat}" for seat in range(seats)]
        self._seat_of = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self.action_spaces = {agent: Discrete(ACTIONS) for agent in self.possible_agents}
        self.observation_spaces = {agent: _observation_space() for agent in self.possible_agents}
        self._standing: tuple[float, ...] = ()
        self._begin(LocalMatch(self._rules, seats))

    @property
    def match(self) -> LocalMatch:
        """The match that is played, with everything hidden; for tools, not for agents."""
        return self._match

    def observation_space(self, agent: str) -> Space[Observation]:
        """Return what an agent's observations are, the same object each time."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Space[Any]:
        """Return what an agent's actions are, the same object each time."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a new match.

        Args:
            seed: The cards are those of `LocalMatch` with this seed, and what later matches get
                follows from it too. None: the next cards after those of the last seed; where there
                was none, any.
            options: Not used.

        Raises:
            ValueError: The seed is negative or has more than 256 bits.
        """
        if seed is not None:
            seed = int(seed)
            self._random = random.Random(seed)
        else:
            seed = self._random.getrandbits(_SEED_BITS)
        self._begin(LocalMatch(self._rules, len(self.possible_agents), seed))

    def observe(self, agent: str) -> Observation:
        """Return what an agent may know now: its vector and its mask.

        Raises:
            KeyError: There is no such agent.
        """
        seat = self._seat_of[agent]
        observer = self._observers[seat]
        for event in self._match.events(seat, self._shown[seat]):
            observer.saw(event)
        self._shown[seat] = self._match.event_count
        vector = observer.observe(self._match.view(seat), self._match.decision(seat))
        return {"observation": vector, "action_mask": self._mask(seat)}

    def step(self, action: int | np.integer[Any] | None) -> None:
        """Make the move of the agent that acts.

        Args:
            action: What it does; None for an agent whose episode is over, which leaves it.

        Raises:
            UnknownAction: There is no such action, or no such seat to act against.
            IllegalMove: The rules do not allow it; nothing has changed.
            ValueError: An agent whose episode is over acts.
        """
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        if action is None:
            raise ValueError(f"{agent} must act: its action is a number, not None")
        seat, before = self._seat_of[agent], self._standing
        self._match.submit(seat, move_of(int(action), seat, self._match.seats))
        self._cumulative_rewards[agent] = 0.0
        self._standing = standing(self._match, self.rewarded)
        for other in self.agents:
            side = self._match.side(self._seat_of[other])
            self.rewards[other] = self._standing[side] - before[side]
        self._accumulate_rewards()
        self._go_on()

    def render(self) -> str | None:
        """Return the match as text, with every hand, in the mode "ansi"; else None."""
        if self.render_mode is None:
            return None
        acting = self._seat_of[self.agent_selection] if self._match.to_act else None
        return text_of(self._match, acting)

    def _begin(self, match: LocalMatch) -> None:
        self._match = match
        self._standing = standing(match, self.rewarded)
        self._observers = [Observer(self._rules, seat, match.seats) for seat in range(match.seats)]
        self._shown = [0] * match.seats
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos = {}
        self.agent_selection = self.agents[0]
        self._go_on()

    def _go_on(self) -> None:
        """Find who acts next, or that the episode is over, and mask what each may do."""
        match = self._match
        if match.over:
            self.terminations = dict.fromkeys(self.agents, True)
        else:
            public = match.public_view()
            if self._max_deals is not None and public.deal > self._max_deals:
                self.truncations = dict.fromkeys(self.agents, True)
            first = min(match.to_act, key=lambda seat: (seat - public.dealer - 1) % match.seats)
            self.agent_selection = self.possible_agents[first]
        self.infos = {
            agent: {"action_mask": self._mask(self._seat_of[agent])} for agent in self.agents
        }
        self._deads_step_first()

    def _mask(self, seat: int) -> Mask:
        mask = np.zeros(ACTIONS, np.int8)
        decision = self._match.decision(seat)
        if decision is not None:
            for move in decision.legal_moves:
                mask[action_of(move, seat, self._match.seats)] = 1
        return mask


def _observation_space() -> Space[Observation]:
    high = highest()
    return Dict(
        {
            "observation": Box(np.zeros(LENGTH, np.float32), high, dtype=np.float32),
            "action_mask": Box(0, 1, (ACTIONS,), np.int8),
        }
    )
