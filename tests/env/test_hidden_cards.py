"""Nothing that a seat may not know reaches it: no hand, no sealed answer."""

import random

import numpy as np
import pytest

from ronda.v1.card_pb2 import Card
from ronda_env import ANNOUNCE, PASS, IllegalMove, RondaEnv
from ronda_referee.convert import card_to_proto
from ronda_table import Knowledge, LocalMatch, rule_set_of
from tests.env.rules import EVERY, legal_actions, with_draws
from tests.table.test_local_match import cards


def draws_so_far(match: LocalMatch, seat: int, imagined: LocalMatch) -> list[Card]:
    """Return the cards that have left the pack, as a seat imagines the hands that it cannot see.

    Hands of earlier batches have been played, so that everyone knows them.
    """
    own_events = [match.events(one) for one in range(match.seats)]
    draws: list[Card] = []
    batches = [n for n, event in enumerate(own_events[0]) if event.HasField("batch_started")]
    for number, event in enumerate(own_events[0]):
        if event.HasField("table_turned"):
            draws += event.table_turned.cards
        if event.HasField("hand_dealt"):
            owner = event.hand_dealt.seat
            if number > batches[-1] and owner != seat:
                draws += map(card_to_proto, imagined.course.state.dealt[owner])
            else:
                draws += own_events[owner][number].hand_dealt.cards
    return draws


def played_again(
    env: RondaEnv, rule_set: str, draws: list[Card], made: list[tuple[str, int]]
) -> RondaEnv:
    """Return an environment with other cards after the same actions.

    A sealed answer that the other cards do not allow is a pass: nobody else can see it yet.
    """
    other = with_draws(rule_set, env.match.seats, draws)
    for agent, action in made:
        assert other.agent_selection == agent
        before = other.match.event_count
        try:
            other.step(action)
        except IllegalMove:
            other.step(PASS)
            assert other.match.event_count == before
    return other


@pytest.mark.parametrize(("rule_set", "seats"), EVERY)
def test_what_a_seat_cannot_tell_apart_is_observed_alike(rule_set: str, seats: int) -> None:
    """At random decisions of a random match, the hidden hands are dealt anew and all is replayed.

    The seat's vector, its mask and all that it was rewarded with are the same.
    """
    generator = random.Random(f"{rule_set} {seats}")
    env = RondaEnv(rule_set, seats)
    different = 0
    for _ in range(4):
        env.reset(seed=generator.randrange(1 << 32))
        made: list[tuple[str, int]] = []
        for _ in range(generator.randrange(45)):
            acting = env.possible_agents.index(env.agent_selection)
            action = generator.choice(legal_actions(env, acting))
            made.append((env.agent_selection, action))
            env.step(action)
            if env.match.over:
                break
        if env.match.over:
            continue
        for seat, agent in enumerate(env.possible_agents):
            knowledge = Knowledge.of(rule_set, seat, seats, env.match.events(seat))
            imagined = knowledge.determinise(generator)
            other = played_again(env, rule_set, draws_so_far(env.match, seat, imagined), made)
            one, alike = env.observe(agent), other.observe(agent)
            assert np.array_equal(one["observation"], alike["observation"])
            assert np.array_equal(one["action_mask"], alike["action_mask"])
            assert env._cumulative_rewards[agent] == other._cumulative_rewards[agent]
            different += any(
                set(env.match.course.state.hands[s]) != set(other.match.course.state.hands[s])
                for s in range(seats)
            )
    assert different > 0


def test_sealed_answers_are_not_seen_before_all_have_answered() -> None:
    """Whether seat 0 announces its ronda or passes, the others observe the same until then."""
    draws = cards("6o 6c 1o 2o  1c 2c 3c 4c  5o 7o 10o 11o  5e 7e 10e 11e")
    announced, passed = (with_draws("khlaso", 4, draws) for _ in range(2))
    announced.step(ANNOUNCE)
    passed.step(PASS)
    for answers in range(3):
        for seat in (1, 2, 3):
            one, other = (env.observe(f"seat_{seat}") for env in (announced, passed))
            assert np.array_equal(one["observation"], other["observation"]), (answers, seat)
            assert np.array_equal(one["action_mask"], other["action_mask"])
            assert announced.rewards == passed.rewards
        assert announced.agent_selection == passed.agent_selection == f"seat_{answers + 1}"
        announced.step(PASS)
        passed.step(PASS)
    one, other = (env.observe("seat_1")["observation"] for env in (announced, passed))
    assert not np.array_equal(one, other)


def test_those_who_answer_at_once_answer_from_the_seat_after_the_dealer() -> None:
    """Seat 2 deals: seats 3, 0, 1 and 2 in turn, each of them asked from the beginning."""
    draws = cards("6o 6c 1o 2o  1c 2c 3c 4c  5o 7o 10o 11o  5e 7e 10e 11e")
    rules = rule_set_of("khlaso")
    del rules.seats[0]
    rules.first_dealer.seat = 2
    env = with_draws(rules, 4, draws)
    asked = [agent for agent in env.agents if env.infos[agent]["action_mask"].any()]
    assert asked == ["seat_0", "seat_1", "seat_2", "seat_3"]
    order = []
    for _ in range(4):
        order.append(env.agent_selection)
        env.step(PASS)
    assert order == ["seat_3", "seat_0", "seat_1", "seat_2"]
