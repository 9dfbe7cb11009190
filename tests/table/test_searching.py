"""Playing on quickly, and searching by it."""

import random
from collections.abc import Callable
from pathlib import Path

import pytest

from ronda.v1.move_pb2 import Move
from ronda_bots import CountingBot, SearcherBot, by_name
from ronda_bots.announcing import moves_of
from ronda_client import Bot, RefereeClient, play_match, read_records
from ronda_rules.cards import parse_card
from ronda_rules.engine import Asked, SeatsToAct, decide
from ronda_rules.moves import Play
from ronda_table import (
    Horizon,
    Knowledge,
    LocalMatch,
    finish,
    play_local,
    quick_policy,
    random_policy,
)
from ronda_table.play_outs import Policy, card_worth
from ronda_table.searching import Search, standing_worth
from tests.referee.referee_process import RefereeProcess
from tests.table.test_imagined_matches import EVERY
from tests.table.test_knowledge import known
from tests.table.test_local_match import DEALT, cards, play


@pytest.mark.parametrize("policy", [quick_policy, random_policy])
def test_playing_on_ends_where_it_is_told(policy: Policy) -> None:
    """At the first decision after the batch or the deal, or at the end; the match is as before."""
    match = LocalMatch("maghribi", 2, seed=3)
    before = match.view(0)
    for until, deal, batch in ((Horizon.BATCH, 1, 2), (Horizon.DEAL, 2, 1)):
        public = match.play_out(policy, random.Random(1), until=until).public_view()
        assert (public.deal, public.batch, public.over) == (deal, batch, False)
    round_over = match.play_out(policy, random.Random(1), until=Horizon.ROUND)
    assert list(round_over.public_view().hand_sizes) == [2, 3]
    ended = match.play_out(policy, random.Random(1), until=Horizon.MATCH)
    assert ended.over
    assert max(ended.scores) >= 41
    assert match.view(0) == before


@pytest.mark.parametrize(("rule_set", "seats"), EVERY[::5])
def test_the_quick_policy_finishes_every_match(rule_set: str, seats: int) -> None:
    """Whatever is asked, what it answers is legal."""
    match = LocalMatch(rule_set, seats, seed=1)
    assert match.play_out(quick_policy, random.Random(1), until=Horizon.MATCH).over


def test_the_quick_policy_sees_no_hand_but_its_own() -> None:
    """However the unseen cards are dealt, it plays the same card."""
    generator = random.Random(4)
    for seed in range(10):
        match = LocalMatch("maghribi", 2, seed)
        knowledge = known(match, 0)
        chosen = set()
        for _ in range(12):
            state = knowledge.imagine(generator)
            match decide(state):
                case SeatsToAct((seat,), Asked.CARD):
                    chosen.add(quick_policy(state, seat, Asked.CARD, generator))
                case other:
                    raise AssertionError(other)
        assert len(chosen) == 1


def test_what_a_card_is_worth_is_counted() -> None:
    """The hand is 1 2 3, the table 4 7 10 12, and 33 cards are unseen, three in the next hand.

    Each rank that lies is in the next hand with 3 * 3 / 33 = 3/11. It takes with a 1, a 4, a 10 or
    a 12 two cards, a point's worth, and with a 7 three. The 1 laid costs a caida too: 0.7 * 3/11 *
    (1 + 1 + 1 + 1.5 + 1 + 1). Above a 3 laid there is a 4, half a point more.
    """
    state = LocalMatch("maghribi", 2, draws=DEALT).course.state
    ace, three = (card_worth(state, 0, parse_card(text)) for text in ("1o", "3o"))
    assert ace == pytest.approx(-0.7 * 3 / 11 * 6.5)
    assert three == pytest.approx(-0.7 * 3 / 11 * 7)


def test_a_standing_counts_points_cards_and_the_match() -> None:
    """Seat 1 has a caida and two cards, each half a point."""
    match = LocalMatch("maghribi", 2, draws=DEALT)
    match.submit(0, play("1o"))
    match.submit(1, play("1c"))
    assert standing_worth(match.course.state, 1) == 2.0
    assert standing_worth(match.course.state, 0) == -2.0
    match.forfeit(1)
    assert standing_worth(match.course.state, 0) == 1 * -1 + 10.0


def test_a_search_compares_moves_in_the_same_deals() -> None:
    """Of the last two cards of a deal one takes the whole table; what is worse is dropped."""
    match = LocalMatch("maghribi", 2, draws=cards("6o 2o 3o  1c 5c 6c  6b 7o 10o 12o"))
    knowledge = Knowledge.of("maghribi", 0, 2, match.events(0))
    decision = match.decision(0)
    assert decision is not None
    plays = moves_of(decision.legal_moves, "play")
    search = Search(knowledge, plays)
    with pytest.raises(ValueError, match="nothing was tried yet"):
        search.worth()
    generator = random.Random(1)
    for _ in range(20):
        search.simulate(generator)
    worth = search.worth()
    # 6 7 10 and the card itself.
    assert worth[0] == max(worth)
    assert search.drop(0.0) == 1
    search.simulate(generator)
    assert search.tries() == [21, 20, 20]


def makes_the_same(make: Callable[[], SearcherBot]) -> bool:
    """Tell whether two such bots play two matches alike."""
    matches = [play_local("sarii", [make(), by_name("greedy", 3)], seed=5).match for _ in range(2)]
    return matches[0].events() == matches[1].events()


def test_a_searcher_follows_from_its_seed() -> None:
    """With a number of simulations; another seed plays another match."""
    assert makes_the_same(lambda: SearcherBot(1, simulations=3))
    one, other = (
        play_local("sarii", [SearcherBot(seed, simulations=2), by_name("greedy", 3)], seed=5)
        for seed in (1, 2)
    )
    assert one.match.events() != other.match.events()


def test_a_searcher_may_be_given_a_time() -> None:
    """It plays whatever comes of it."""
    result = play_local(
        "single-deal", [SearcherBot(1, seconds=0.0001), by_name("random", 3)], seed=5
    )
    assert result.match.over


def test_a_searcher_needs_something_to_think_with() -> None:
    """No simulations and no time are refused."""
    with pytest.raises(ValueError, match="at least one simulation is needed, not 0"):
        SearcherBot(1, simulations=0)
    with pytest.raises(ValueError, match=r"a positive time is needed, not -1\.0 s"):
        SearcherBot(1, seconds=-1.0)


def test_a_searcher_that_is_told_nothing_plays_as_one_that_counts() -> None:
    """Without rules and events there is nothing to imagine."""
    match = LocalMatch("maghribi", 2, draws=DEALT)
    decision = match.decision(0)
    assert decision is not None
    seen = match.view(0)
    assert SearcherBot(1).choose(seen, decision) == CountingBot(1).choose(seen, decision)


def test_a_searcher_plays_every_rule_set() -> None:
    """With bluffs, challenges and claims of others, whatever they ask."""
    for rule_set in ("khlaso", "classic", "classic-transfer-chain", "qahwa-penalty"):
        bots = [SearcherBot(1, simulations=1), by_name("random", 2)]
        assert play_local(rule_set, bots, seed=2).match.over


def test_engine_moves_are_what_a_policy_returns() -> None:
    """So that a policy of one's own is a function of state, seat, what is asked, and chance."""
    state = LocalMatch("maghribi", 2, draws=DEALT).course.state
    assert isinstance(quick_policy(state, 0, Asked.CARD, random.Random(1)), Play)
    assert not isinstance(random_policy(state, 0, Asked.CARD, random.Random(1)), Move)


async def test_a_searcher_plays_at_a_referee_as_it_does_here(tmp_path: Path) -> None:
    """Told the same, it does the same: the cards of the log, dealt again, give the same match."""

    def bots() -> list[Bot]:
        return [SearcherBot(4, simulations=4), CountingBot(5)]

    async with (
        RefereeProcess(tmp_path / "data") as referee,
        RefereeClient.connect(referee.address) as client,
    ):
        played = await play_match(client, "single-deal", bots())
    records = list(read_records(played.log))
    ended = next(one.match_result for one in records if one.HasField("match_result"))
    joined = {one.seat_joined.seat: one.seat_joined for one in records if one.seat_joined.name}
    match = LocalMatch(
        "single-deal",
        2,
        ended.seed,
        match_id=played.match_id,
        entropies=[joined[seat].entropy for seat in range(2)],
    )
    finish(match, bots())
    cards_played = [one.card_played for one in match.events() if one.HasField("card_played")]
    logged = [one.event_logged.event for one in records if one.HasField("event_logged")]
    assert [one.card_played for one in logged if one.HasField("card_played")] == cards_played
    assert len(cards_played) == 36
    assert match.scores == played.scores
