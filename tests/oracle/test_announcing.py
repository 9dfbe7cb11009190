"""The oracle judges announcements as the examples of the pages do."""

import random
from typing import Any

import pytest

from ronda.v1 import rule_set_pb2
from tests.oracle import Run, rule_sets, showing
from tests.oracle.announcements import Said, gains_of
from tests.oracle.cards import read
from tests.oracle.match import Announcement, Gain, Match
from tests.oracle.script import in_mid_deal, run, step_words, words

RONDA = rule_set_pb2.ANNOUNCEMENT_KIND_RONDA
DOUBLE = rule_set_pb2.ANNOUNCEMENT_KIND_DOUBLE_RONDA
TRINGA = rule_set_pb2.ANNOUNCEMENT_KIND_TRINGA

# Two seats: hands 5 1 2 and 3 4 6, table 1 7 11 12. No hand holds anything.
PLAIN = "5o 1o 2o / 3o 4o 6o / 1c 7o 11o 12o"
# Two seats: hands 4 4 4 and 3 5 6.
TRIPLE = "4o 4c 4e / 3o 5o 6o / 1c 7o 11o 12o"


def test_false_announcements_are_refused_and_true_ones_paid_at_batch_end() -> None:
    """ANN-4, ANN-5, ANN-8: ronda of 5 against ronda of 6; the higher one gets its own value."""
    draws = "5o 5c 2o / 6c 4o 6o / 1c 7o 11o 12o"
    moves = (
        "0 announce tringa, 0 announce ronda, 0 play 2o, 1 announce ronda, 1 play 4o,"
        "0 play 5o, 1 play 6o, 0 announce ronda, 0 play 5c, 1 play 6c"
    )
    response = run(rule_sets.load("qahwa"), 2, draws, moves)
    steps = step_words(response)
    assert steps[0] == ["refused FALSE_ANNOUNCEMENT"]
    assert steps[1] == ["announcement_made kind=RONDA"]
    assert steps[7] == ["refused ALREADY_ANNOUNCED"]
    assert steps[9] == [
        "card_played seat=1 card=6c",
        "card_laid seat=1 card=6c",
        "announcements_revealed batch=1 announcements=0:1:5 1:1:6",
        "announcements_awarded batch=1 shares=1+1",
        "batch_started batch=2 hand_size=3",
    ]


def test_sealed_answers_are_shown_in_order_of_play_when_all_have_answered() -> None:
    """ANN-2: seat 1 answers first, seat 0 is shown first."""
    draws = "5o 5c 2o / 6c 4o 6o / 1c 7o 11o 12o"
    rules = rule_sets.load("qahwa", timing="SIMULTANEOUS")
    response = run(rules, 2, draws, "1 announce ronda, 1 pass, 0 pass")
    assert step_words(response) == [
        ["announcement_sealed seat=1 kind=RONDA"],
        ["refused NOT_YOUR_TURN"],
        [
            "announcement_sealed passed=True",
            "announcement_passed",
            "announcement_made seat=1 kind=RONDA",
        ],
    ]
    first = response.steps[0].sight.public
    assert (list(first.to_act), list(first.answered), len(first.announcements)) == ([0], [1], 0)


def test_deal_end_settles_batch_after_batch_then_penalties_then_counts() -> None:
    """ANN-8, ANN-9: a bluff of seat 0 costs 1 at the end of the deal, and the cap holds it at 1."""
    rules = rule_sets.load("maghribi")
    source = random.Random(5)
    game = Run(rules, 2, source.choice)
    dealt = [list(hand) for hand in game.match.dealt]
    assert len({rank for rank, _ in dealt[0]}) == 3, "the case wants a hand that holds nothing"
    bluffed = False
    while game.match.deal == 1 and game.match.to_act:
        seat = game.match.to_act[0]
        moves = game.legal_moves(seat)
        say = [move for move in moves if move.HasField("announce") and move.announce.kind == RONDA]
        play = [move for move in moves if move.HasField("play")]
        if seat == 0 and game.match.batch == 1 and say and not bluffed:
            bluffed = True
            game.submit(seat, say[0])
        else:
            game.submit(seat, play[0])
    told = words(game.match.events)
    names = [text.split()[0] for text in told]
    shown = names.index("announcements_revealed")
    assert names[shown : shown + 4] == [
        "announcements_revealed",
        "false_announcement_penalised",
        "piles_counted",
        "deal_ended",
    ]
    assert told[shown] == "announcements_revealed batch=1 announcements=0:1:0"
    assert told[shown + 1] == "false_announcement_penalised batch=1 kind=RONDA shares=1+1"


@pytest.mark.parametrize(
    ("seats", "changes", "standing", "gains"),
    [
        # ANN-5: tringa of 1 against ronda of 12.
        (2, {}, [(0, RONDA, 12), (1, TRINGA, 1)], [(1, 5, [0])]),
        # ANN-5: seats 0 and 2 say rondas of 2 and 11, seat 1 one of 7.
        (4, {}, [(0, RONDA, 2), (1, RONDA, 7), (2, RONDA, 11)], [(0, 1, [1])]),
        # ANN-5: the ace is lowest, or best.
        (2, {}, [(0, RONDA, 1), (1, RONDA, 12)], [(1, 1, [0])]),
        (2, {"rank_order": "ACE_HIGH"}, [(0, RONDA, 1), (1, RONDA, 12)], [(0, 1, [1])]),
        # ANN-5: four rondas, the lowest is best; with three of them the highest still is.
        (
            4,
            {"all_rondas": "LOWEST"},
            [(0, RONDA, 4), (1, RONDA, 3), (2, RONDA, 12), (3, RONDA, 7)],
            [(1, 1, [0])],
        ),
        (
            4,
            {"all_rondas": "LOWEST"},
            [(0, RONDA, 4), (1, RONDA, 3), (2, RONDA, 12)],
            [(0, 1, [1])],
        ),
        # ANN-6: tringa of 4 and ronda of 10, the pot.
        (2, {"payout": "POT"}, [(0, TRINGA, 4), (1, RONDA, 10)], [(0, 6, [1])]),
        # ANN-6: a ronda and a double ronda of one rank are both best: the larger value.
        (4, {}, [(0, RONDA, 6), (2, DOUBLE, 6)], [(0, 2, [1])]),
        # ANN-7: rondas of 6 on both sides: own values, the pot, a third and lower ronda, no split.
        (2, {}, [(0, RONDA, 6), (1, RONDA, 6)], []),
        (2, {"payout": "POT"}, [(0, RONDA, 6), (1, RONDA, 6)], [(0, 1, []), (1, 1, [])]),
        (
            3,
            {"payout": "POT"},
            [(0, RONDA, 6), (1, RONDA, 2), (2, RONDA, 6)],
            [(0, 1, [1]), (2, 1, [1])],
        ),
        (
            2,
            {"payout": "POT", "announcement_tie": "NONE"},
            [(0, RONDA, 6), (1, RONDA, 6)],
            [],
        ),
    ],
)
def test_the_best_announcement_is_paid(
    seats: int, changes: dict[str, Any], standing: list[Said], gains: list[Gain]
) -> None:
    """ANN-5 to ANN-7: the examples, as side, amount and who would pay in cards."""
    kinds = {"ronda": 1, "tringa": 5, "double_ronda": 2}
    m = Match(rule_sets.load("qahwa", **{"kinds": kinds, **changes}), seats, lambda pack: pack[0])
    assert gains_of(m, standing) == gains


def test_possible_ranks_follow_from_the_announcers_cards_alone() -> None:
    """SHOW-1, SHOW-2: ronda with 5 and 1 played, then with 5 5; tringa with 5 and 1."""
    m = in_mid_deal(rule_sets.load("classic"), 2, "5o 5c 1o / 2o 3o 4o", "")
    ronda = Announcement(1, 0, RONDA, m.dealt[0])
    assert len(showing.possible_ranks(m, ronda)) == 10
    m.played[0] = read("5o 1o")
    assert sorted(showing.possible_ranks(m, ronda)) == [1, 5]
    assert not showing.is_settled(m, ronda)
    assert showing.is_settled(m, Announcement(1, 0, TRINGA, m.dealt[0]))
    m.played[0] = read("5o 5c")
    assert showing.possible_ranks(m, ronda) == [5]
    assert showing.is_settled(m, ronda)


def test_a_lone_bluff_is_paid_at_once_and_taken_back_when_a_card_proves_it() -> None:
    """SHOW-3 to SHOW-5: 5 to the tringa; 5, then 1 played: 5 withdrawn, 5 to the other side."""
    moves = "0 announce tringa, 1 pass, 0 play 5o, 1 pass, 0 play 5o, 1 play 3o, 0 play 1o"
    response = run(rule_sets.load("classic"), 2, PLAIN, moves)
    steps = step_words(response)
    assert steps[2] == ["refused NOT_YOUR_TURN"]
    assert steps[3] == ["window_passed seat=1", "announcements_awarded batch=1 shares=0+5"]
    assert steps[6] == [
        "card_played card=1o",
        "cards_captured cards=1c",
        "award_withdrawn batch=1 shares=0+5",
        "false_announcement_penalised batch=1 kind=TRINGA shares=1+5",
    ]
    assert list(response.steps[6].sight.public.scores) == [0, 5]


def test_a_challenge_of_a_true_announcement_loses_the_match() -> None:
    """CHALL-2, CHALL-3: the hand is shown, and side 0 has won at 0 : 0."""
    draws = "5o 1o 5c / 3o 4o 6o / 1c 7o 11o 12o"
    moves = "0 announce ronda, 0 pass, 1 pass, 1 challenge 0, 1 pass"
    response = run(rule_sets.load("classic"), 2, draws, moves)
    assert step_words(response)[1:] == [
        ["refused NOT_YOUR_TURN"],
        ["announcement_passed seat=1"],
        [
            "announcement_challenged challenger=1 hand=1o 5o 5c announcement_true=True",
            "match_ended winners=[0] scores=[0, 0]",
        ],
        ["refused MATCH_OVER"],
    ]


def test_seats_are_asked_in_turn_and_a_struck_bluff_is_punished_at_once() -> None:
    """WIN-1, CHALL-4: both bluff; seat 0 passes, seat 1 challenges, and is paid after its pass."""
    moves = (
        "0 announce ronda, 1 announce ronda, 0 play 5o, 0 pass, 1 challenge 0, 1 challenge 0,"
        "1 pass, 0 pass"
    )
    response = run(rule_sets.load("classic"), 2, PLAIN, moves)
    assert step_words(response)[2:] == [
        ["refused ANSWER_DUE"],
        ["window_passed"],
        [
            "announcement_challenged challenger=1 hand=1o 2o 5o",
            "false_announcement_penalised batch=1 kind=RONDA shares=1+1",
        ],
        ["refused CHALLENGE_NOT_ALLOWED"],
        ["window_passed seat=1", "announcements_awarded batch=1 shares=1+1"],
        ["refused NOTHING_TO_PASS"],
    ]


def test_a_claim_is_worth_what_the_cards_prove_when_it_is_made() -> None:
    """CLAIM-3: 4 4 of 4 4 4 prove a ronda, 1; the third 4 a tringa, 5; one claim succeeds."""
    opened = "0 pass, 1 pass, 0 play 4o, 1 play 3o, 0 play 4c,"
    early = run(rule_sets.load("classic"), 2, TRIPLE, opened + "1 claim 0, 1 claim 0")
    assert step_words(early)[5:] == [
        ["undeclared_penalised batch=1 kind=RONDA shares=1+1 claimant=1"],
        ["refused CLAIM_NOT_ALLOWED"],
    ]
    late = run(rule_sets.load("classic"), 2, TRIPLE, opened + "1 play 5o, 0 play 4e, 1 claim 0")
    assert step_words(late)[7:] == [
        ["undeclared_penalised batch=1 kind=TRINGA shares=1+5 claimant=1"]
    ]
