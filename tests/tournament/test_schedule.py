"""What is played when, and who sits where."""

from itertools import islice

from ronda_tournament.results import Results
from ronda_tournament.schedule import Meeting, groups, stages
from tests.tournament.made import config, play

FIRST_WINS = [((9, 1), (2, 8))]
SECOND_WINS = [((1, 9), (8, 2))]


def teams(meetings: list[Meeting]) -> list[tuple[tuple[int, ...], ...]]:
    """Give who meets in each meeting."""
    return [meeting.teams for meeting in meetings]


def test_two_change_seats_with_the_same_cards() -> None:
    """A group of two seats is two matches."""
    assert Meeting(1, 1, ((3,), (5,))).games() == ((3, 5), (5, 3))


def test_three_go_round_the_table() -> None:
    """Each sits everywhere once."""
    assert Meeting(1, 1, ((0,), (1,), (2,))).games() == ((0, 1, 2), (1, 2, 0), (2, 0, 1))


def test_partners_sit_opposite_each_other_and_change_sides() -> None:
    """Seats 0 and 2 are one side, 1 and 3 the other."""
    assert Meeting(1, 1, ((0, 0), (1, 1))).games() == ((0, 1, 0, 1), (1, 0, 1, 0))
    assert Meeting(1, 1, ((0, 2), (1, 3))).games() == ((0, 1, 2, 3), (1, 0, 3, 2))


def test_groups_take_turns_between_meetings_and_rule_sets() -> None:
    """The first pair of every meeting comes before any second one; rules go by the pair."""
    tournament = config(entrants=3, pairs=3, rule_sets=2)
    (meetings,) = stages(tournament, Results(tournament))
    first = list(islice(groups(tournament, meetings), 7))
    assert [(group.name, group.rule_set) for group in first] == [
        ("r1-m1-p1", 0),
        ("r2-m1-p1", 0),
        ("r3-m1-p1", 0),
        ("r1-m1-p2", 1),
        ("r2-m1-p2", 1),
        ("r3-m1-p2", 1),
        ("r1-m1-p3", 0),
    ]


def test_at_four_seats_an_entrant_can_be_its_own_partner() -> None:
    """Three entrants have three meetings."""
    tournament = config(entrants=3, seats=4)
    assert [teams(one) for one in stages(tournament, Results(tournament))] == [
        [((1, 1), (2, 2)), ((0, 0), (2, 2)), ((0, 0), (1, 1))]
    ]


def test_a_gauntlet_is_the_champions_alone() -> None:
    """Entrant 0 meets the three others."""
    tournament = config(form="gauntlet")
    assert [teams(one) for one in stages(tournament, Results(tournament))] == [
        [((0,), (1,)), ((0,), (2,)), ((0,), (3,))]
    ]


def test_a_knockout_of_three_has_a_free_place_and_a_final() -> None:
    """Entrant 0 waits; 2 wins against 1 and meets it in the final."""
    tournament = config(entrants=3, form="knockout", pairs=1)
    results = Results(tournament)
    coming = stages(tournament, results)
    (semi_final,) = next(coming)
    assert semi_final.teams == ((1,), (2,))
    play(results, semi_final, SECOND_WINS)
    (final,) = next(coming)
    assert (final.name, final.teams) == ("r2-m1", ((0,), (2,)))
    play(results, final, FIRST_WINS)
    assert list(coming) == []


def test_a_drawn_knockout_meeting_goes_to_the_better_seed() -> None:
    """Both are 7 points ahead once."""
    tournament = config(entrants=4, form="knockout", pairs=1)
    results = Results(tournament)
    coming = stages(tournament, results)
    first, second = next(coming)
    assert teams([first, second]) == [((0,), (3,)), ((1,), (2,))]
    play(results, first, [((8, 1), (8, 1))])
    play(results, second, SECOND_WINS)
    assert teams(next(coming)) == [((0,), (2,))]


def test_swiss_rounds_follow_the_points() -> None:
    """The winners of the first round, 1 and 2, meet in the second."""
    tournament = config(form="swiss", rounds=2, pairs=1)
    results = Results(tournament)
    coming = stages(tournament, results)
    first, second = next(coming)
    play(results, first, SECOND_WINS)
    play(results, second, FIRST_WINS)
    assert teams(next(coming)) == [((1,), (2,)), ((0,), (3,))]
    assert list(coming) == []


def test_who_was_stopped_is_out_of_the_stages_after_it_and_of_no_other() -> None:
    """Entrant 1 is stopped in round 2: it was in both, whenever that is asked, and loses there."""
    tournament = config(form="swiss", rounds=3, pairs=1)
    results = Results(tournament)
    coming = stages(tournament, results)
    first, second = next(coming)
    play(results, first, SECOND_WINS)
    play(results, second, FIRST_WINS)
    assert teams(next(coming)) == [((1,), (2,)), ((0,), (3,))]
    results.apply({"type": "stopped", "entrant": 1, "why": "it crashed", "stage": 2})
    assert teams(next(coming)) == [((2,), (0,))]
    again = list(stages(tournament, results))
    assert [teams(one) for one in again] == [
        [((0,), (1,)), ((2,), (3,))],
        [((1,), (2,)), ((0,), (3,))],
        [((2,), (0,))],
    ]


def test_a_stopped_bot_leaves_its_place_in_a_knockout_to_the_other() -> None:
    """Entrant 0 fails in the first round: 3 goes on without a result."""
    tournament = config(form="knockout", pairs=1)
    results = Results(tournament)
    coming = stages(tournament, results)
    _, second = next(coming)
    results.apply({"type": "stopped", "entrant": 0, "why": "it crashed", "stage": 1})
    play(results, second, FIRST_WINS)
    assert teams(next(coming)) == [((3,), (1,))]
