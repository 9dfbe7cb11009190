"""The bot that counts cards."""

import pytest

from ronda.v1.card_pb2 import Rank, Suit
from ronda.v1.decision_pb2 import Decision
from ronda.v1.event_pb2 import (
    BatchStarted,
    CardPlayed,
    DealStarted,
    Event,
    HandDealt,
    TableReturned,
    TableTurned,
)
from ronda.v1.move_pb2 import Challenge, Claim, Move, Pass
from ronda.v1.rule_set_pb2 import AnnouncementKind, RuleSet
from ronda.v1.view_pb2 import AnnouncementView, PublicView, SeatView
from ronda_bots.announcing import moves_of
from ronda_bots.calls import holds, truth
from ronda_bots.counting_bot import CountingBot
from ronda_bots.expectation import captured_from, holds_one
from ronda_bots.memory import Memory
from ronda_conformance.rule_set_files import load_rule_set
from tests.clients.scripted_log import announce, card, play

RONDA = AnnouncementKind.ANNOUNCEMENT_KIND_RONDA
TRINGA = AnnouncementKind.ANNOUNCEMENT_KIND_TRINGA
DOUBLE = AnnouncementKind.ANNOUNCEMENT_KIND_DOUBLE_RONDA

PASS = Move()
getattr(PASS, "pass").CopyFrom(Pass())
SUITS = (Suit.SUIT_OROS, Suit.SUIT_COPAS, Suit.SUIT_ESPADAS, Suit.SUIT_BASTOS)


def seen_played(rank: int, *suits: Suit.ValueType) -> list[Event]:
    """Return that the other seat has played these cards."""
    return [Event(card_played=CardPlayed(seat=1, card=card(rank, suit))) for suit in suits]


def view(hand: list[int], table: list[int], **public: object) -> SeatView:
    """Return what seat 0 of two sees, whose hand is of oros and whose table is of copas."""
    seen = SeatView(
        public=PublicView(
            seats=2,
            batch=1,
            hand_sizes=[len(hand), len(hand)],
            scores=[0, 0],
            table=[card(rank, Suit.SUIT_COPAS) for rank in table],
        ),
        hand=[card(rank) for rank in hand],
    )
    seen.public.MergeFrom(PublicView(**public))  # type: ignore[arg-type] # fields by name
    return seen


def told(rule_set: str | RuleSet, *events: Event) -> CountingBot:
    """Return a bot that was told the rules and of these events."""
    rules = load_rule_set(rule_set) if isinstance(rule_set, str) else rule_set
    bot = CountingBot(0)
    bot.begins(rules, 2)
    bot.saw(Event(deal_started=DealStarted(deal=1, dealer=1)))
    bot.saw(Event(batch_started=BatchStarted(batch=1, hand_size=3)))
    for event in events:
        bot.saw(event)
    return bot


def plays(bot: CountingBot, seen: SeatView) -> int:
    """Return the rank that a bot plays."""
    moves = [play(held.rank) for held in seen.hand]
    return bot.choose(seen, Decision(legal_moves=moves)).play.card.rank


def test_it_lays_a_rank_that_nobody_can_take() -> None:
    """The other three kings are gone, so the king is safe; a five may be taken with a caida."""
    others = (Suit.SUIT_COPAS, Suit.SUIT_ESPADAS, Suit.SUIT_BASTOS)
    assert plays(told("maghribi", *seen_played(12, *others)), view([12, 5], [1])) == 12
    assert plays(told("maghribi", *seen_played(5, *others)), view([12, 5], [1])) == 5


def test_what_was_seen_in_another_deal_is_forgotten() -> None:
    """All forty cards are back in the pack; a card that went back from the table is too."""
    memory = Memory()
    turned = [card(rank, Suit.SUIT_COPAS) for rank in (7, 10, 11, 12)]
    memory.saw(Event(deal_started=DealStarted(deal=1)))
    memory.saw(Event(hand_dealt=HandDealt(seat=0, card_count=1, cards=[card(12)])))
    memory.saw(Event(hand_dealt=HandDealt(seat=1, card_count=1)))
    memory.saw(Event(table_turned=TableTurned(cards=turned)))
    assert memory.unseen == [4, 4, 4, 4, 4, 4, 3, 3, 3, 2]
    memory.saw(Event(table_returned=TableReturned(cards=turned[:1])))
    assert memory.unseen == [4, 4, 4, 4, 4, 4, 4, 3, 3, 2]
    memory.saw(Event(card_played=CardPlayed(seat=1, card=card(2))))
    assert memory.unseen_count == 35
    memory.saw(Event(deal_started=DealStarted(deal=2)))
    assert memory.unseen == [4] * 10


def test_a_bot_that_is_told_nothing_goes_by_the_view() -> None:
    """It knows its hand and the table, and not what it saw in an earlier view."""
    memory = Memory()
    memory.looks_at(view([1, 1], [5]))
    assert memory.unseen == [3, 4, 4, 4, 3, 4, 4, 4, 4, 4]
    memory.looks_at(view([7], [5]))
    assert memory.unseen == [4, 4, 4, 4, 3, 4, 3, 4, 4, 4]


@pytest.mark.parametrize(
    ("hand", "table", "public", "played", "why"),
    [
        ([2, 6], [2, 6, 7, 10], {}, 6, "four cards are two points"),
        ([2, 6], [2, 5, 6], {"caida_card": card(2, Suit.SUIT_COPAS)}, 2, "a caida is one more"),
        ([4, 11], [4, 5], {}, 4, "it empties the table"),
        ([3, 11], [4, 5], {}, 11, "a three would give a run of three"),
    ],
)
def test_it_plays_for_cards_and_points(
    hand: list[int], table: list[int], public: dict[str, object], played: int, why: str
) -> None:
    """What a card brings now, less what it gives."""
    assert plays(told("maghribi"), view(hand, table, **public)) == played, why


def test_the_dealer_keeps_the_card_that_does_its_duty() -> None:
    """With a king on the table the last card should be the king: five points, and no five lost."""
    seen = view([12, 4], [12, 4], last_batch=True, dealer=0, hand_sizes=[0, 0])
    seen.public.hand_sizes[:] = [2, 1]
    assert plays(told("classic-dealer-duty"), seen) == 4


def test_a_run_ends_at_the_first_rank_that_lacks() -> None:
    """By places: 5 6 7 10 are 4 to 7; nothing follows the last."""
    assert captured_from(frozenset({4, 5, 6, 7, 9}), 5) == {5, 6, 7}
    assert captured_from(frozenset({4, 9}), 9) == {9}
    assert captured_from(frozenset({4, 9}), 5) == frozenset()


def test_how_likely_a_hand_holds_one_of_some_cards() -> None:
    """Two of ten cards, three of them wanted: 1 - C(7,2)/C(10,2) = 24/45."""
    assert holds_one(10, 3, 2) == pytest.approx(24 / 45)
    assert holds_one(10, 0, 2) == 0
    assert holds_one(3, 1, 3) == 1


@pytest.mark.parametrize(
    ("kind", "hand", "double", "true"),
    [
        (RONDA, [1, 1, 5], False, True),
        (RONDA, [1, 2, 5], False, False),
        (RONDA, [1, 1, 1], False, True),
        (TRINGA, [1, 1, 1], False, True),
        (TRINGA, [1, 1, 1, 1], False, False),
        (DOUBLE, [1, 1, 2, 2], True, True),
        (DOUBLE, [1, 1, 2, 2], False, False),
        (DOUBLE, [1, 1, 1, 1], False, True),
        (DOUBLE, [1, 1, 1, 2], True, False),
    ],
)
def test_what_makes_an_announcement_true(
    kind: AnnouncementKind.ValueType, hand: list[int], double: bool, true: bool
) -> None:
    """As the rules say it."""
    assert holds(kind, hand, pairs_make_double=double) is true


def announced(
    kind: AnnouncementKind.ValueType, hand: list[int], hidden: int, scores: list[int]
) -> SeatView:
    """Return what seat 0 sees where seat 1 has announced and holds so many cards."""
    seen = view(hand, [6])
    seen.public.hand_sizes[1] = hidden
    seen.public.scores[:] = scores
    seen.public.announcements.append(AnnouncementView(batch=1, seat=1, kind=kind))
    return seen


def test_the_truth_of_an_announcement_is_counted() -> None:
    """Unseen are two aces, a five and a seven; of the six hands of two one is a pair.

    Of those without a pair one in a hundred says so: (1/6) / (1/6 + 5/6 / 100) = 20/21.
    """
    memory = Memory()
    memory.begins(load_rule_set("classic"), 2)
    gone = {1: 2, 5: 3, 7: 3} | dict.fromkeys((2, 3, 4, 6, 10, 11, 12), 4)
    for rank, count in gone.items():
        for suit in SUITS[:count]:
            memory.saw(Event(card_played=CardPlayed(seat=2, card=card(rank, suit))))
    assert memory.unseen_count == 4
    assert truth(memory, announced(RONDA, [], 2, [0, 0]), 1, RONDA) == pytest.approx(20 / 21)
    assert truth(memory, announced(TRINGA, [], 3, [0, 0]), 1, TRINGA) == 0


CHALLENGE = Move(challenge=Challenge(seat=1))


def test_it_challenges_what_cannot_be_true() -> None:
    """The announcer has shown a six; of the other three one lies here and two were seen."""
    classic = "classic"
    seen = announced(TRINGA, [1, 2, 3], 2, [0, 0])
    decision = Decision(legal_moves=[CHALLENGE, play(1), play(2), play(3)])
    shown = seen_played(6, Suit.SUIT_OROS)
    others = [
        Event(card_played=CardPlayed(seat=0, card=card(6, suit)))
        for suit in (Suit.SUIT_ESPADAS, Suit.SUIT_BASTOS)
    ]
    assert told(classic, *shown, *others).choose(seen, decision) == CHALLENGE
    # Of the sixes two may still be held: a true one loses the match.
    assert not told(classic, *shown).choose(seen, decision).HasField("challenge")


def test_it_challenges_what_would_win_the_match() -> None:
    """At forty points a ronda is the end, so nothing is lost by a doubt."""
    decision = Decision(legal_moves=[CHALLENGE, PASS])
    assert told("classic").choose(announced(RONDA, [1, 2, 3], 3, [0, 40]), decision) == CHALLENGE
    assert told("classic").choose(announced(RONDA, [1, 2, 3], 3, [0, 39]), decision) == PASS


def test_it_bluffs_only_to_win_at_once() -> None:
    """At forty points a ronda that nobody doubts wins; at thirty-nine it costs a point.

    Where announcements are paid at the end of the deal a false one never wins anything.
    """
    decision = Decision(legal_moves=[announce(RONDA), announce(TRINGA), PASS])
    ahead = view([1, 2, 3], [6])
    ahead.public.scores[:] = [40, 20]
    assert told("classic").choose(ahead, decision) == announce(RONDA)
    ahead.public.scores[:] = [35, 20]
    assert told("classic").choose(ahead, decision) == PASS
    in_turn = Decision(legal_moves=[announce(RONDA), play(1), play(2), play(3)])
    ahead.public.scores[:] = [40, 20]
    assert told("maghribi").choose(ahead, in_turn).HasField("play")


def test_it_claims_and_announces_what_it_can() -> None:
    """A claim is sure to be paid, and a true announcement costs nothing."""
    claim = Move(claim=Claim(seat=1))
    decision = Decision(legal_moves=[announce(RONDA), claim, play(1)], true_announcements=[RONDA])
    assert told("classic").choose(view([1, 1], [5]), decision) == claim
    decision = Decision(legal_moves=[announce(RONDA), play(1)], true_announcements=[RONDA])
    assert told("maghribi").choose(view([1, 1], [5]), decision) == announce(RONDA)
    assert moves_of([CHALLENGE, PASS], "challenge") == [CHALLENGE]


def test_a_chain_that_may_be_continued_is_worth_its_step() -> None:
    """Five points in khlaso, and the pile; the run of four on the table is worth two."""
    seen = view([3, 10], [10, 11, 12])
    seen.public.held.seat = 1
    seen.public.held.rank = Rank.RANK_3
    seen.public.held.step = 1
    seen.public.held.cards = 2
    assert plays(told("khlaso"), seen) == 3
