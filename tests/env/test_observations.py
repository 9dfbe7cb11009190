"""What an observation holds, field by field, in literal numbers."""

import numpy as np
import pytest

from ronda.v1.rule_set_pb2 import WinCheck
from ronda_env import (
    ANNOUNCE,
    CHALLENGE,
    FIELDS,
    LENGTH,
    PASS,
    RondaEnv,
    Vector,
    card_number,
    field,
    part,
)
from tests.env.rules import ending_at, number, numbers, with_draws
from tests.table.test_local_match import cards

# Seat 0 plays first: the hands, then the table.
TWO = cards("1o 2o 5o  1c 5c 6c  7o 10o 12o 4b  2c 11o 1e  12c 11c 3c")
THREE = cards("1o 2o 3o  1c 5c 6c  2c 3c 5e  7o 10o 12o 4b")


def seen(env: RondaEnv, seat: int) -> Vector:
    """Return a seat's vector."""
    vector: Vector = env.observe(f"seat_{seat}")["observation"]
    return vector


def ones(vector: Vector, name: str) -> set[int]:
    """Return where a field of one row has a 1; everywhere else it must have a 0."""
    values = part(vector, name)
    assert set(values.tolist()) <= {0.0, 1.0}
    return set(np.flatnonzero(values).tolist())


def test_it_is_one_vector_of_882_numbers() -> None:
    """Its fields follow each other without a gap."""
    assert LENGTH == 882
    starts = [one.start for one in FIELDS]
    assert starts == [0, *np.cumsum([one.length for one in FIELDS])[:-1].tolist()]
    assert (field("hand").part, field("hand").shape) == (slice(28, 68), (40,))
    assert (field("returned").part.stop, field("scores").high) == (882, 4.0)
    for rule_set, seats in (("maghribi", 2), ("qahwa", 3), ("khlaso", 4)):
        env = RondaEnv(rule_set, seats)
        env.reset(seed=1)
        vector = seen(env, seats - 1)
        assert (vector.shape, vector.dtype) == ((882,), np.dtype("float32"))


def test_the_first_decision_of_a_match() -> None:
    """Two seats, before anything was played, as seat 0 and as seat 1 see it."""
    env = with_draws("maghribi", 2, TWO)
    own, other = seen(env, 0), seen(env, 1)
    assert ones(own, "hand") == numbers("1o 2o 5o")
    assert ones(other, "hand") == numbers("1c 5c 6c")
    for vector, dealer, acting in ((own, 1, 0), (other, 0, 1)):
        assert ones(vector, "seats") == {0, 1}
        assert ones(vector, "own_side") == {0}
        assert ones(vector, "dealer") == {dealer}
        assert ones(vector, "to_act") == {acting}
        assert ones(vector, "asked") == {3}
        assert ones(vector, "batch") == {0}
        assert ones(vector, "last_batch") == set()
        assert ones(vector, "table") == ones(vector, "turned") == numbers("7o 10o 12o 4b")
        assert part(vector, "deal").tolist() == [1 / 32]
        assert part(vector, "hand_sizes").tolist() == [0.75, 0.75, 0, 0]
        assert part(vector, "pack_size").tolist() == [0.75]
        for name in ("caida_card", "answered", "announced", "played", "played_now", "scores"):
            assert not part(vector, name).any()


def test_after_a_caida() -> None:
    """Seat 1 took the ace of seat 0: piles, points, who plays, and the cards played by whom."""
    env = with_draws("maghribi", 2, TWO)
    env.step(number("1o"))
    assert ones(seen(env, 1), "caida_card") == numbers("1o")
    env.step(number("1c"))
    own, other = seen(env, 0), seen(env, 1)
    assert ones(own, "hand") == numbers("2o 5o")
    assert ones(own, "caida_card") == set()
    assert (ones(own, "last_capturer"), ones(other, "last_capturer")) == ({1}, {0})
    assert part(own, "pile_sizes").tolist() == pytest.approx([0, 0.05, 0])
    assert part(other, "scores").tolist() == pytest.approx([1 / 41, 0, 0])
    assert part(own, "scores").tolist() == pytest.approx([0, 1 / 41, 0])
    played = np.argwhere(part(own, "played_now")).tolist()
    assert played == [[0, number("1o")], [1, number("1c")]]
    assert np.argwhere(part(other, "played_now")).tolist() == [
        [0, number("1c")],
        [1, number("1o")],
    ]
    assert part(own, "played")[0, number("1o")] == pytest.approx(1 / 6)


def test_cards_of_an_earlier_batch_are_remembered_with_its_number() -> None:
    """In the second batch those of the first are not among the ones played now."""
    env = with_draws("maghribi", 2, TWO)
    for card in cards("1o 1c 2o 5c 5o 6c 2c"):
        env.step(card_number(card))
    vector = seen(env, 1)
    assert ones(vector, "batch") == {1}
    assert np.argwhere(part(vector, "played_now")).tolist() == [[1, number("2c")]]
    assert part(vector, "played")[1, number("5o")] == pytest.approx(1 / 6)
    assert part(vector, "played")[1, number("2c")] == pytest.approx(2 / 6)
    assert np.count_nonzero(part(vector, "played")) == 7


def test_announcements_and_a_challenge_that_shows_a_hand() -> None:
    """Seat 0 of three announces a ronda falsely, seats 1 and 2 pass, seat 1 challenges."""
    env = with_draws(ending_at("classic", 25), 3, THREE)
    assert ones(seen(env, 0), "asked") == {0}
    env.step(ANNOUNCE)
    vector = seen(env, 1)
    assert np.argwhere(part(vector, "announced")).tolist() == [[0, 2, 0]]
    assert ones(vector, "answered") == {2}
    env.step(PASS)
    env.step(PASS)
    assert ones(seen(env, 1), "asked") == {1}
    env.step(CHALLENGE + 1)
    vector = seen(env, 2)
    hand = np.flatnonzero(part(vector, "shown_hands")[1]).tolist()
    assert set(hand) == numbers("1o 2o 3o")
    assert np.count_nonzero(part(vector, "shown_hands")) == 3
    assert ones(vector, "found_false") == {1}
    assert part(vector, "punished").tolist() == pytest.approx([0, 1 / 6, 0, 0])
    assert part(vector, "scores").tolist() == pytest.approx([1 / 25, 0, 1 / 25])
    assert ones(vector, "answered") == {0, 1, 2}


def test_only_the_seat_itself_sees_what_its_hand_makes_true() -> None:
    """A ronda of sixes; the next seat sees no more than that it is asked."""
    env = with_draws("maghribi", 2, cards("6o 6c 1o  1c 2c 3c  7o 10o 12o 4b"))
    assert ones(seen(env, 0), "true_announcements") == {0}
    assert ones(seen(env, 1), "true_announcements") == set()


def test_a_pending_chain() -> None:
    """With three seats an ace taken waits for the third: its seat, rank, step and cards."""
    env = with_draws("qahwa", 3, cards("1o 2o 3o  1c 5c 6c  2c 3c 5e  7o 10o 12o 4b"))
    env.step(number("1o"))
    env.step(number("1c"))
    vector = seen(env, 2)
    assert ones(vector, "held_seat") == {2}
    assert ones(vector, "held_rank") == {0}
    assert ones(vector, "held_step") == {0}
    assert part(vector, "held_cards").tolist() == pytest.approx([0.05])
    assert not part(vector, "held_mesa").any()
    assert not part(vector, "scores").any()


def test_cards_that_went_back_are_marked_and_no_longer_on_the_table() -> None:
    """Two sevens are turned; under maghribi all four go back."""
    env = with_draws("maghribi", 2, cards("1o 2o 5o  1c 5c 6c  7o 7c 12o 4b  10o 3e 11c 6e"))
    vector = seen(env, 0)
    assert ones(vector, "returned") == numbers("7o 7c 12o 4b")
    assert ones(vector, "turned") == ones(vector, "table") == numbers("10o 3e 11c 6e")


def test_cards_owed_are_seen_by_side() -> None:
    """Seat 1's caida is due from seat 0, which has no pile to pay from."""
    env = with_draws("classic-transfer", 2, TWO)
    for action in (PASS, PASS, number("1o"), number("1c")):
        env.step(action)
    assert part(seen(env, 0), "debts")[:2, :2].tolist() == [
        [0, pytest.approx(1 / 40)],
        [0, 0],
    ]
    assert part(seen(env, 1), "debts")[:2, :2].tolist() == [
        [0, 0],
        [pytest.approx(1 / 40), 0],
    ]


def test_partners_are_one_side() -> None:
    """With four seats the one two places on is a partner, and piles stand by side."""
    env = RondaEnv("maghribi", 4)
    env.reset(seed=7)
    assert ones(seen(env, 3), "own_side") == {0, 2}
    assert ones(seen(env, 1), "seats") == {0, 1, 2, 3}


def test_many_points_stay_within_the_bounds() -> None:
    """A match to one point that has gone on; scores stop at four times the target."""
    rules = ending_at("maghribi", 1)
    rules.win_check = WinCheck.WIN_CHECK_DEAL_END
    rules.ladder[:] = [10]
    env = with_draws(rules, 2, TWO)
    env.step(number("1o"))
    env.step(number("1c"))
    assert env.match.scores == (0, 10)
    assert part(seen(env, 1), "scores").tolist() == [4, 0, 0]
    assert env.observation_space("seat_1").contains(env.observe("seat_1"))
