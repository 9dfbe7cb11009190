"""The bots that come with the project."""

import random
from collections import Counter

import pytest

from ronda.v1.card_pb2 import Suit
from ronda.v1.decision_pb2 import Decision
from ronda.v1.move_pb2 import Claim, Move, Pass
from ronda.v1.rule_set_pb2 import AnnouncementKind
from ronda.v1.view_pb2 import PublicView, SeatView
from ronda_bots import GreedyBot, RandomBot, UnknownBotError, by_name
from tests.clients.scripted_log import announce, card, play

RONDA = AnnouncementKind.ANNOUNCEMENT_KIND_RONDA
TRINGA = AnnouncementKind.ANNOUNCEMENT_KIND_TRINGA
DOUBLE = AnnouncementKind.ANNOUNCEMENT_KIND_DOUBLE_RONDA

PASS = Move()
getattr(PASS, "pass").CopyFrom(Pass())


def view(hand: list[int], table: list[int], caida: int | None = None) -> SeatView:
    """Return what a seat sees that holds and faces these ranks."""
    public = PublicView(seats=2, table=[card(rank, Suit.SUIT_COPAS) for rank in table])
    if caida is not None:
        public.caida_card.CopyFrom(card(caida, Suit.SUIT_COPAS))
    return SeatView(public=public, hand=[card(rank) for rank in hand])


def greedy_play(hand: list[int], table: list[int], caida: int | None = None) -> set[int]:
    """Return the cards, by index in the hand, that the greedy bot plays over many seeds."""
    moves = [play(rank) for rank in hand]
    decision = Decision(decision_id=1, legal_moves=moves)
    seen = view(hand, table, caida)
    return {moves.index(GreedyBot(seed).choose(seen, decision)) for seed in range(40)}


@pytest.mark.parametrize(
    ("hand", "table", "caida", "played", "why"),
    [
        ([1, 6, 3], [6, 7, 10, 12], None, 6, "6 takes 6, 7 and 10; the others take nothing"),
        ([12, 6, 3], [6, 7, 10, 12], None, 6, "four cards are more than two"),
        ([7, 5], [5, 7, 10, 11, 12], None, 7, "10 follows 7, and the run goes to 12"),
        ([12, 4], [1, 2, 12], None, 12, "nothing follows 12, and a card is a card"),
        ([2, 5], [2, 5, 6, 7], 2, 2, "a caida is a point, three cards are none"),
        ([2, 5], [2, 5, 6, 7], None, 5, "the same table without a caida"),
        ([4, 11], [4, 5], None, 4, "it empties the table"),
        ([2, 5], [2, 5], 2, 2, "both take one, but one of them with a caida"),
    ],
)
def test_greedy_bot_takes_most(
    hand: list[int], table: list[int], caida: int | None, played: int, why: str
) -> None:
    """First points, then cards."""
    assert {hand[index] for index in greedy_play(hand, table, caida)} == {played}, why


@pytest.mark.parametrize(
    ("hand", "table", "played", "why"),
    [
        ([3, 11], [4, 5], 11, "a 3 under 4 and 5 would give three cards at once"),
        ([6, 11], [4, 5], 11, "a 6 on 4 and 5 would give three cards too"),
        ([3, 3, 11], [6], 3, "two of four threes are accounted for"),
    ],
)
def test_greedy_bot_gives_least_where_it_cannot_take(
    hand: list[int], table: list[int], played: int, why: str
) -> None:
    """A card that must lie should be of little use to the next seat."""
    assert {hand[index] for index in greedy_play(hand, table)} == {played}, why


def test_greedy_bot_decides_by_chance_between_equals() -> None:
    """Two cards that are equally good are both played, now one, now the other."""
    assert greedy_play([2, 11], [5]) == {0, 1}


@pytest.mark.parametrize(
    ("legal", "true", "said"),
    [
        ([RONDA, TRINGA], [RONDA, TRINGA], TRINGA),
        ([RONDA, DOUBLE], [RONDA, DOUBLE], DOUBLE),
        ([RONDA, TRINGA], [RONDA], RONDA),
    ],
)
def test_greedy_bot_announces_the_best_true_kind(
    legal: list[AnnouncementKind.ValueType],
    true: list[AnnouncementKind.ValueType],
    said: AnnouncementKind.ValueType,
) -> None:
    """It says all that it may say, and nothing false."""
    moves = [*(announce(kind) for kind in legal), play(1)]
    decision = Decision(legal_moves=moves, true_announcements=true)
    assert GreedyBot(1).choose(view([1], []), decision) == announce(said)


def test_greedy_bot_does_not_bluff() -> None:
    """With nothing true to say it plays."""
    decision = Decision(legal_moves=[announce(RONDA), play(1)])
    assert GreedyBot(1).choose(view([1], []), decision) == play(1)


def test_greedy_bot_claims_and_else_passes() -> None:
    """A claim is sure to be paid; what else a window offers is not."""
    claim = Move(claim=Claim(seat=1))
    assert GreedyBot(1).choose(view([], []), Decision(legal_moves=[claim, PASS])) == claim
    passing = Decision(legal_moves=[announce(RONDA), PASS])
    assert GreedyBot(1).choose(view([], []), passing) == PASS


def test_random_bot_plays_every_card_about_as_often() -> None:
    """Each of three cards comes up in about a third of 3,000 choices."""
    bot = RandomBot(5)
    decision = Decision(legal_moves=[play(1), play(2), play(3)])
    counts = Counter(bot.choose(SeatView(), decision).play.card.rank for _ in range(3000))
    assert len(counts) == 3
    assert all(900 < count < 1100 for count in counts.values())


def test_random_bot_says_only_what_is_true() -> None:
    """False announcements are legal where they are penalised; it does not make them."""
    bot = RandomBot(5)
    decision = Decision(
        legal_moves=[announce(RONDA), announce(TRINGA), play(1)], true_announcements=[RONDA]
    )
    chosen = [bot.choose(SeatView(), decision) for _ in range(200)]
    assert announce(TRINGA) not in chosen
    assert announce(RONDA) in chosen
    assert play(1) in chosen


def test_random_bot_bluffs_as_often_as_told() -> None:
    """With bluff 0.5 a false announcement is one of two choices half of the time: a quarter."""
    bot = RandomBot(5, bluff=0.5)
    decision = Decision(legal_moves=[announce(TRINGA), play(1)])
    bluffs = sum(bot.choose(SeatView(), decision).HasField("announce") for _ in range(4000))
    assert 900 < bluffs < 1100


@pytest.mark.parametrize("bluff", [-0.1, 1.1, float("nan")])
def test_bluff_is_a_probability(bluff: float) -> None:
    """Anything else is refused."""
    with pytest.raises(ValueError, match="probability"):
        RandomBot(1, bluff=bluff)


@pytest.mark.parametrize("name", ["random", "greedy"])
def test_bots_choose_alike_from_equal_seeds(name: str) -> None:
    """The seed alone decides: neither the global generator nor another bot comes into it."""
    decision = Decision(legal_moves=[play(rank) for rank in (1, 3, 5, 7, 11)])
    seen = view([1, 3, 5, 7, 11], [])

    def choices(seed: int) -> list[Move]:
        bot = by_name(name, seed)
        made = []
        for _ in range(30):
            random.seed(0)
            by_name(name, 99).choose(seen, decision)
            made.append(bot.choose(seen, decision))
        return made

    assert choices(7) == choices(7)
    assert choices(7) != choices(8)


def test_unknown_bot_is_refused_with_those_there_are() -> None:
    """The message says what would be right."""
    with pytest.raises(UnknownBotError) as caught:
        by_name("clever")
    assert str(caught.value) == (
        "there is no bot 'clever'; there are: random, greedy, counting, searcher"
    )
