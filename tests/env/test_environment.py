"""Episodes: rewards, ends, seeds, illegal actions, and the text of a table."""

import subprocess
import sys
from typing import Any

import numpy as np
import pytest

import ronda_env
from ronda_env import ANNOUNCE, CHALLENGE, PASS, IllegalMove, RondaEnv, UnknownAction, card_number
from ronda_table import LocalMatch, RuleSetError
from tests.env.rules import ending_at, number, with_draws
from tests.table.test_local_match import cards

# Seat 0 plays first: the hands, then the table, then the hands of the second batch.
TWO = cards("1o 2o 5o  1c 5c 6c  7o 10o 12o 4b  2c 11o 1e  12c 11c 3c")
# Seat 1 takes the ace of seat 0 with a caida; by rank none of the others matters.
THREE = cards("1o 2o 3o  1c 5c 6c  2c 3c 5e  7o 10o 12o 4b")
FOUR = cards("1o 2o 3o  1c 5c 6c  2c 3c 5e  6e 7e 10e  7o 10o 12o 4b")


def rewards_of(env: RondaEnv, *actions: int) -> list[list[float]]:
    """Return what each agent was rewarded with, by action."""
    rewarded = []
    for action in actions:
        env.step(action)
        rewarded.append([env.rewards[agent] for agent in env.agents])
    return rewarded


def test_rewards_are_points_as_they_are_scored_and_sum_to_the_difference() -> None:
    """Three caidas, of seats 1, 0 and 1: it ends 1 to 2."""
    env = with_draws(ending_at("maghribi", 2), 2, TWO)
    plays = [card_number(card) for card in cards("1o 1c 2o 5c 5o 6c 2c 12c 11o 11c")]
    rewarded = rewards_of(env, *plays)
    assert rewarded == [
        [0, 0],
        [-1, 1],
        [0, 0],
        [0, 0],
        [1, -1],
        *[[0, 0]] * 4,
        [-1, 1],
    ]
    assert env.match.scores == (1, 2)
    assert np.sum(rewarded, axis=0).tolist() == [-1, 1]
    assert env.terminations == {"seat_0": True, "seat_1": True}
    assert env.truncations == {"seat_0": False, "seat_1": False}


def test_an_agent_is_given_all_that_came_since_it_acted() -> None:
    """Seat 0 lost a point to a caida on its own card; the next time it has nothing new."""
    env = with_draws(ending_at("maghribi", 2), 2, TWO)
    for text in ("1o", "1c"):
        env.step(number(text))
    assert (env.agent_selection, env.last()[1]) == ("seat_0", -1)
    for text in ("2o", "5c"):
        env.step(number(text))
    assert (env.agent_selection, env.last()[1]) == ("seat_0", 0)


@pytest.mark.parametrize(
    ("draws", "seats", "rewards", "given"),
    [
        (TWO, 2, "points", [-1, 1]),
        (TWO, 2, "win", [-1, 1]),
        (THREE, 3, "points", [-0.5, 1, -0.5]),
        (THREE, 3, "win", [-0.5, 1, -0.5]),
        (FOUR, 4, "points", [-1, 1, -1, 1]),
        (FOUR, 4, "win", [-1, 1, -1, 1]),
    ],
)
def test_what_one_side_wins_the_others_lose(
    draws: list[Any], seats: int, rewards: str, given: list[float]
) -> None:
    """One caida of seat 1 decides a match to one point; partners share."""
    env = with_draws(ending_at("maghribi", 1), seats, draws, rewards)
    assert rewards_of(env, number("1o"), number("1c")) == [[0] * seats, given]
    assert env.match.over


def test_points_before_the_end_are_no_win() -> None:
    """The caida scores a point of two; nobody has won yet."""
    env = with_draws(ending_at("maghribi", 2), 2, TWO, "win")
    assert rewards_of(env, number("1o"), number("1c")) == [[0, 0], [0, 0]]


def test_a_draw_between_two_of_three() -> None:
    """Seat 0 bluffs, seat 1 challenges: seats 1 and 2 get a point each, and both have enough."""
    env = with_draws(ending_at("classic", 1), 3, THREE, "win")
    rewarded = rewards_of(env, ANNOUNCE, PASS, PASS, CHALLENGE + 1)
    assert env.match.winners == (1, 2)
    assert rewarded[-1] == [-0.5, 0.25, 0.25]


def test_a_match_is_cut_off_after_its_deals() -> None:
    """A match to 41 points has not ended with its first deal: 36 cards are played for two."""
    env = ronda_env.env("maghribi", 2, max_deals=1)
    env.reset(seed=7)
    steps = 0
    total = {"seat_0": 0.0, "seat_1": 0.0}
    for agent in env.agent_iter():
        observation, reward, terminated, truncated, _ = env.last()
        total[agent] += reward
        assert not terminated
        assert observation is not None
        actions = np.flatnonzero(observation["action_mask"][:40])
        if truncated:
            assert steps == 36
        else:
            steps += 1
        env.step(None if truncated else int(actions[0]))
    assert steps == 36
    assert env.agents == []
    raw = env.unwrapped
    assert isinstance(raw, RondaEnv)
    assert raw.match.public_view().deal == 2
    first, second = raw.match.scores
    assert total == {"seat_0": first - second, "seat_1": second - first}


def test_a_seed_is_that_of_a_match_and_of_those_after_it() -> None:
    """The cards are those of the same seed at a table; later matches repeat with the seed too."""
    env = RondaEnv("maghribi", 2)
    hands = []
    for seed in (7, None, 7, None, 8):
        env.reset(seed=seed)
        hands.append([list(env.match.view(seat).hand) for seat in (0, 1)])
    table = LocalMatch("maghribi", 2, 7)
    assert hands[0] == [list(table.view(seat).hand) for seat in (0, 1)]
    assert hands[0] == hands[2]
    assert hands[1] == hands[3]
    assert hands[0] != hands[1]
    assert hands[0] != hands[4]
    with pytest.raises(ValueError, match="a seed is a number from 0"):
        env.reset(seed=-1)


def test_the_raw_environment_refuses_what_is_illegal_and_stands_as_it_stood() -> None:
    """With the rules' own reason, so that a mistake is found at once."""
    env = with_draws("maghribi", 2, TWO)
    with pytest.raises(IllegalMove) as lacking:
        env.step(number("12e"))
    assert (lacking.value.reason, lacking.value.clause) == ("CARD_NOT_IN_HAND", "CAP-1")
    with pytest.raises(UnknownAction, match="the actions are 0 to 49"):
        env.step(50)
    with pytest.raises(UnknownAction, match="at most 1 places on"):
        env.step(CHALLENGE + 1)
    with pytest.raises(ValueError, match="seat_0 must act"):
        env.step(None)
    env.step(number("1o"))
    assert env.agent_selection == "seat_1"


@pytest.mark.parametrize(("rewards", "cost"), [("points", -41), ("win", -1)])
def test_an_illegal_action_ends_the_episode(rewards: str, cost: float) -> None:
    """The seat pays, the other gets nothing, and both are done."""
    env = ronda_env.env("maghribi", 2, rewards)
    env.reset(seed=7)
    observation = env.last()[0]
    assert observation is not None
    illegal = int(np.flatnonzero(observation["action_mask"] == 0)[0])
    env.step(illegal)
    assert env.rewards == {"seat_0": cost, "seat_1": 0}
    assert env.terminations == {"seat_0": True, "seat_1": True}
    priced = ronda_env.env("maghribi", 2, illegal_reward=-3)
    priced.reset(seed=7)
    priced.step(illegal)
    assert priced.rewards["seat_0"] == -3


def test_an_action_outside_the_space_is_an_error() -> None:
    """It is a mistake of the program and no move."""
    env = ronda_env.env("maghribi", 2)
    env.reset(seed=7)
    with pytest.raises(AssertionError):
        env.step(50)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"rewards": "chips"}, "rewards are 'points' or 'win': 'chips'"),
        ({"max_deals": 0}, "max_deals is at least 1, or None: 0"),
        ({"render_mode": "human"}, "render_mode is 'ansi' or None: 'human'"),
    ],
)
def test_arguments_that_are_none_are_refused(arguments: dict[str, Any], said: str) -> None:
    """When it is made, with what would be right."""
    with pytest.raises(ValueError, match=said):
        ronda_env.env(**arguments)


def test_a_match_that_cannot_be_is_refused() -> None:
    """Khlaso has no three seats."""
    with pytest.raises(RuleSetError):
        ronda_env.env("khlaso", 3)


def test_the_text_of_a_table() -> None:
    """Every hand, for whoever looks on."""
    env = with_draws("maghribi", 2, TWO)
    env.step(number("1o"))
    assert env.render() is None
    env.render_mode = "ansi"
    assert env.render() == (
        "maghribi: deal 1, batch 1, dealer seat_1, pack 30\n"
        "table   1o 4b 7o 10o 12o | caida card 1o\n"
        "seat_0  2o 5o | pile 0 | points 0\n"
        "seat_1  1c 5c 6c | pile 0 | points 0 | asked for a card"
    )


def test_without_its_extra_it_says_what_to_install() -> None:
    """A plain installation has no PettingZoo."""
    program = "import sys; sys.modules['pettingzoo'] = None; import ronda_env"
    finished = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False
    )
    assert finished.returncode == 1
    last_line = finished.stderr.splitlines()[-1]
    assert last_line == (
        "ModuleNotFoundError: ronda_env needs the extra \"rl\": pip install 'ronda-referee[rl]'"
    )
