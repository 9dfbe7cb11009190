"""The oracle plays as the examples of the pages do: dealing, cards, payments, the match."""

import random
from typing import Any

import pytest

from ronda.conformance.v1 import testee_service_pb2 as testee_pb2
from ronda.v1 import view_pb2
from tests.oracle import Run, chain, duty, respond, rule_set, rule_sets
from tests.oracle.capture import take_leftovers
from tests.oracle.cards import PACK, Card, read, to_messages
from tests.oracle.count import count
from tests.oracle.match import Debt, Match, MatchOver
from tests.oracle.payments import end_moment, score, withdraw
from tests.oracle.script import in_mid_deal, run, step_words, table, words


def test_hands_are_dealt_before_the_table_from_the_seat_after_the_dealer() -> None:
    """DEAL-4, DEAL-6: the example's ten draws."""
    response = run(rule_sets.load("maghribi"), 2, "1o 3o 5o 2o 4o 6o 7o 11o 12o 1c")
    assert words(list(response.start.events)) == [
        "match_started seats=2",
        "deal_started deal=1 dealer=1",
        "batch_started batch=1 hand_size=3",
        "hand_dealt card_count=3 cards=1o 3o 5o",
        "hand_dealt seat=1 card_count=3 cards=2o 4o 6o",
        "table_turned cards=7o 11o 12o 1c",
    ]
    public = response.start.sight.public
    assert table(response.start.sight) == "1c 7o 11o 12o"
    assert (list(public.to_act), public.asked) == ([0], view_pb2.ASKED_CARD)
    assert (public.pack_size, list(public.hand_sizes), public.batch) == (30, [3, 3], 1)
    assert list(response.start.sight.seats[1].hand) == to_messages(read("2o 4o 6o"))


def test_a_card_drawn_twice_is_refused() -> None:
    """DEAL-4: a second 1o among the draws is an error."""
    response = run(rule_sets.load("maghribi"), 2, "1o 3o 1o")
    assert response.refusal.reason == "DRAW_INVALID"
    assert not response.HasField("start")


def test_the_second_of_a_pair_goes_back_and_its_replacement_counts_as_turned_last() -> None:
    """DEAL-8: 4 7 4 12, then a 7, which goes back too; then a 6 mends the table."""
    draws = "1o 2o 3o / 1c 2c 3c / 4o 7o 4c 12o / 7c / 6c"
    response = run(rule_sets.load("single-deal", table_remedy="RETURN_LAST"), 2, draws)
    assert words(list(response.start.events))[-5:] == [
        "table_turned cards=4o 7o 4c 12o",
        "table_returned found=PAIRS cards=4c",
        "table_turned cards=7c",
        "table_returned found=PAIRS cards=7c",
        "table_turned cards=6c",
    ]
    assert response.start.sight.public.pack_size == 30


def test_a_run_goes_along_up_to_the_gap() -> None:
    """CAP-3, CAP-5: on 6 7 10 12 a 6 takes 6 7 10, four cards with itself."""
    draws = "6o 5o 1o / 5c 2o 3o / 6c 7o 10o 12o"
    response = run(rule_sets.load("maghribi"), 2, draws, "0 play 6o")
    assert step_words(response) == [["card_played card=6o", "cards_captured cards=6c 7o 10o"]]
    assert table(response.steps[0].sight) == "12o"
    assert list(response.steps[0].sight.public.pile_sizes) == [4, 0]
    assert response.steps[0].sight.public.last_capturer == 0


def test_taking_the_card_just_laid_and_emptying_the_table_is_one_award_of_two() -> None:
    """CHAIN-1, MESA-2: the 2 on the empty table, taken by a 2: 1 + 1."""
    rules = rule_sets.load("khlaso", ladder=[1], kinds=None)
    moves = "0 play 2o, 1 play 2c"
    response = run(rules, 2, "2o 3o 4o 5o / 2c 6o 7o 10o", moves)
    assert response.steps[0].sight.public.caida_card == to_messages(read("2o"))[0]
    assert step_words(response)[1] == [
        "card_played seat=1 card=2c",
        "cards_captured seat=1 cards=2o",
        "play_awarded seat=1 caida=1 mesa=1 shares=1+2",
    ]


@pytest.mark.parametrize(
    ("payment", "second", "third", "closing"),
    [
        ("LAST_ONLY", [], [], ["play_awarded seat=2 caida=5 shares=0+5"]),
        (
            "EACH_LINK",
            ["play_awarded seat=1 caida=1 shares=1+1"],
            ["play_awarded seat=2 caida=5 shares=0+5"],
            [],
        ),
    ],
)
def test_a_chain_of_three_is_closed_by_another_rank(
    payment: str, second: list[str], third: list[str], closing: list[str]
) -> None:
    """CHAIN-5 to CHAIN-8: 7, 7, 7 by seats 0, 1, 2, then another rank."""
    rules = rule_sets.load("four-hands-plain", ladder=[1, 5, 10], chain_payment=payment)
    draws = "7o 1o 2o / 7c 1c 2c / 7e 1e 3o / 3c 4o 5o / 6o 10o 11o 1b"
    moves = "0 play 7o, 1 play 7c, 2 play 7e, 3 play 3c"
    response = run(rules, 4, draws, moves)
    assert step_words(response)[1:] == [
        ["card_played seat=1 card=7c", "cards_held seat=1 step=1 cards=7o 10o 11o", *second],
        ["card_played seat=2 card=7e", "cards_held seat=2 step=2", *third],
        [
            "card_played seat=3 card=3c",
            "chain_closed seat=2 step=2 card_count=5",
            *closing,
            "card_laid seat=3 card=3c",
        ],
    ]
    held = response.steps[2].sight.public.held
    assert (held.seat, held.rank, held.step, held.cards, held.mesa) == (2, 7, 2, 5, 0)
    assert list(response.steps[3].sight.public.pile_sizes) == [5, 0]


def test_a_mesa_travels_with_the_chain_to_its_last_seat() -> None:
    """MESA-4: the lone 7 is taken by a 7, a third 7 makes it 5 + 1."""
    rules = rule_sets.load("four-hands-plain", ladder=[1, 5, 10])
    m = in_mid_deal(rules, 4, "7o 1o / 7c 1c / 7e 1e / 3c 4o", "")
    chain.play(m, 0, (7, 1))
    chain.play(m, 1, (7, 2))
    chain.play(m, 2, (7, 3))
    chain.play(m, 3, (3, 2))
    assert m.scores == [6, 0]


@pytest.mark.parametrize(("excluded", "scores"), [("LAST_CARD", [0, 5]), ("NONE", [0, 6])])
def test_the_last_card_of_the_deal_closes_its_chain_and_loses_the_mesa(
    excluded: str, scores: list[int]
) -> None:
    """MESA-3, CHAIN-7: 7, 7, 7 on an empty table by seats 1, 2, 3, the last cards of the deal."""
    rules = rule_sets.load("four-hands-plain", ladder=[1, 5, 10], mesa_excluded=excluded)
    m = in_mid_deal(rules, 4, "/ 7c / 7o / 7e", "")
    m.last_batch = True
    chain.play(m, 1, (7, 2))
    chain.play(m, 2, (7, 1))
    chain.play(m, 3, (7, 3))
    assert m.scores == scores
    assert (m.piles, m.held, m.last_capturer) == ([0, 3], None, 3)


@pytest.mark.parametrize(("across", "awarded"), [(False, []), (True, ["1+1"])])
def test_a_caida_reaches_over_the_end_of_a_batch_only_where_the_rules_say_so(
    across: bool, awarded: list[str]
) -> None:
    """CHAIN-2: seat 0 deals and lays a 5 as the last card of a batch, seat 1 begins with a 5."""
    rules = rule_sets.load("maghribi", chain_across_batches=across, first_dealer={"seat": 0})
    draws = "2o 3o 4o / 11o 6o 5o / 1c 7c 10c 12c / 5c 6c 3c / 4c 11c 2c"
    moves = "1 play 2o, 0 play 11o, 1 play 3o, 0 play 6o, 1 play 4o, 0 play 5o, 1 play 5c"
    response = run(rules, 2, draws, moves)
    assert response.steps[5].sight.public.HasField("caida_card") == across
    assert step_words(response)[6][:2] == [
        "card_played seat=1 card=5c",
        "cards_captured seat=1 cards=5o 6o 7c 10c 11o 12c",
    ]
    assert [text.split("shares=")[1] for text in step_words(response)[6][2:]] == awarded


def test_without_a_pair_the_card_turned_last_goes_back() -> None:
    """DEAL-7, DEAL-8: 11 6 10 7 is the run 6 7 10 11; the 7 goes back, a 5 makes a run of three."""
    draws = "1o 2o 3o / 1c 2c 3c / 11o 6o 10o 7o / 5c"
    response = run(rule_sets.load("classic"), 2, draws)
    assert words(list(response.start.events))[-3:] == [
        "table_turned cards=11o 6o 10o 7o",
        "table_returned found=RUNS cards=7o",
        "table_turned cards=5c",
    ]


def test_leftovers_go_to_the_last_seat_that_captured() -> None:
    """CAP-6: the leftovers 3 and 12 go to seat 0; it is no capture and no mesa."""
    m = in_mid_deal(rule_sets.load("maghribi"), 2, "/", "12c 3o")
    m.piles, m.last_capturer = [20, 18], 0
    take_leftovers(m)
    assert words(m.events) == ["leftovers_taken cards=3o 12c"]
    assert (m.piles, m.table, m.scores) == ([22, 18], [], [0, 0])


def test_the_target_is_reached_with_exactly_its_points() -> None:
    """MATCH-2: 40 : 38 goes on, 41 : 38 is won."""
    m = Match(rule_sets.load("maghribi"), 2, lambda pack: pack[0])
    m.scores = [40, 38]
    m.look_for_end()
    m.scores = [41, 38]
    with pytest.raises(MatchOver):
        m.look_for_end()
    assert words(m.events) == ["match_ended winners=[0] scores=[41, 38]"]


@pytest.mark.parametrize(
    ("card", "captured", "scores"),
    [
        ((12, 1), True, [0, 5]),
        ((1, 1), True, [5, 0]),
        ((7, 1), True, [0, 0]),
        ((12, 1), False, [5, 0]),
    ],
)
def test_the_dealers_last_card_must_capture(card: Card, captured: bool, scores: list[int]) -> None:
    """DUTY-1: a king wins 5, an ace or a miss costs 5, another capture is free."""
    m = in_mid_deal(rule_sets.load("classic-dealer-duty"), 2, "/", "")
    duty.judge(m, card, captured=captured)
    assert m.scores == scores


def test_three_piles_are_counted_above_thirteen() -> None:
    """COUNT-1: 16, 15 and 9 cards: 3 and 2."""
    m = in_mid_deal(rule_sets.load("maghribi"), 3, "//", "")
    m.piles = [16, 15, 9]
    count(m)
    assert m.scores == [3, 2, 0]
    assert words(m.events) == ["piles_counted piles=[16, 15, 9] shares=0+3 1+2"]


def test_the_seat_before_pays_the_caida_and_each_opponent_the_mesa() -> None:
    """PAY-2: three seats, seat 1 takes seat 0's card and empties the table."""
    rules = rule_sets.load("classic-transfer", ladder=[1])
    m = in_mid_deal(rules, 3, "5o 1o / 5c 2o / 7o 3o", "")
    m.piles = [4, 0, 4]
    chain.play(m, 0, (5, 1))
    chain.play(m, 1, (5, 2))
    assert words(m.events)[3:] == [
        "cards_captured seat=1 cards=5o",
        "play_awarded seat=1 caida=1 mesa=1 shares=1+3",
        "cards_due receiver=1 cards=2",
        "cards_due payer=2 receiver=1 cards=1",
        "cards_paid receiver=1 cards=2",
        "cards_paid payer=2 receiver=1 cards=1",
    ]
    assert m.piles == [2, 5, 3]


def test_captured_cards_pay_what_is_owed_first() -> None:
    """PAY-3: side 0 has no card and owes 1; it captures 2 and keeps 1."""
    m = in_mid_deal(rule_sets.load("classic-transfer"), 2, "5o 1o / 7o 3o", "5c 10c")
    m.debts = [Debt(0, 1, 1, award=False)]
    chain.play(m, 0, (5, 1))
    assert (m.piles, m.debts) == ([1, 1], [])


def test_a_withdrawn_award_is_cancelled_where_owed_and_refunded_where_paid() -> None:
    """PAY-4: of 5 the payer gave 3 and owes 2: the 2 are cancelled and 3 go back."""
    m = in_mid_deal(rule_sets.load("classic-transfer"), 2, "/", "")
    m.piles = [0, 3]
    m.award = [(0, 5, [1])]
    score(m, m.award, award=True)
    end_moment(m)
    assert m.piles == [3, 0]
    withdraw(m)
    end_moment(m)
    assert (m.piles, m.debts) == ([0, 3], [])


def test_a_shared_highest_total_is_a_draw_between_those_who_share_it() -> None:
    """MATCH-3: 44 : 44 : 43; played on where the rule set says so."""
    m = Match(rule_sets.load("maghribi"), 3, lambda pack: pack[0])
    m.scores = [44, 44, 43]
    with pytest.raises(MatchOver):
        m.look_for_end()
    assert words(m.events) == ["match_ended winners=[0, 1] scores=[44, 44, 43]"]
    played_on = Match(rule_sets.load("qahwa"), 3, lambda pack: pack[0])
    played_on.scores = [44, 44, 43]
    played_on.look_for_end()
    assert not played_on.over


def test_rule_sets_that_the_pages_forbid_are_refused() -> None:
    """DEAL-3, DEAL-5, ANN-4, CHALL-1, PAY-1, MATCH-2, MATCH-4: one case each."""
    nothing: dict[str, Any] = {"ladder": [], "mesa": 0, "count": None}
    cases: list[tuple[str, dict[str, Any]]] = [
        ("maghribi", {"first_dealer": {"seat": 2}}),
        ("maghribi", {"seats": [{"count": 3, "opening": "EMPTY_TABLE"}]}),
        ("maghribi", {"false_penalty": {"ronda": 1}}),
        ("qahwa", {"challenge": True}),
        ("maghribi", {"scoring": "CARD_TRANSFER", "count": None}),
        ("four-hands-plain", nothing),
        ("qahwa", {"target": 0}),
    ]
    for name, changes in cases:
        with pytest.raises(rule_set.RuleSetInvalid):
            rule_set.check(rule_sets.load(name, **changes))


TABLES = [(name, seats.count) for name in rule_sets.names() for seats in rule_sets.load(name).seats]


@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_random_legal_play_ends_and_can_be_repeated_from_its_draws(name: str, seats: int) -> None:
    """MATCH-2, DEAL-4: every rule set and seat count; no card is lost on the way."""
    source = random.Random(f"{name} {seats}")
    draws: list[Card] = []

    def next_draw(pack: list[Card]) -> Card:
        draws.append(source.choice(pack))
        return draws[-1]

    rules = rule_sets.load(name)
    rule_set.check(rules)
    game = Run(rules, seats, next_draw)
    made: list[testee_pb2.SeatMove] = []
    while game.match.to_act:
        seat = source.choice(game.match.to_act)
        moves = game.legal_moves(seat)
        calm = [move for move in moves if not move.HasField("challenge")]
        made.append(testee_pb2.SeatMove(seat=seat, move=source.choice(calm)))
        game.submit(seat, made[-1].move)
        public = game.sight().public
        held = public.held.cards
        known = sum(public.hand_sizes) + sum(public.pile_sizes) + len(public.table) + held
        assert public.over or known + public.pack_size == len(PACK)
        assert list(public.scores) == game.match.scores
        assert list(public.pile_sizes) == game.match.piles
    assert game.match.over
    for event in game.match.events:
        if event.HasField("piles_counted"):
            assert sum(event.piles_counted.piles) == 40
    request = testee_pb2.RunRequest(
        rule_set=rules, seats=seats, draws=to_messages(draws), moves=made
    )
    response = respond(request)
    repeated = [event for step in response.steps for event in step.events]
    assert [*response.start.events, *repeated] == game.match.events
    assert response.steps[-1].sight == game.sight()
