"""What a seat knows, and the deals that it can imagine."""

import random
from collections import Counter

import pytest

from ronda.v1.card_pb2 import Card
from ronda.v1.move_pb2 import Announce, Move
from ronda.v1.rule_set_pb2 import AnnouncementKind, Bluff, RuleSet, Timing
from ronda_bots import RandomBot
from ronda_table import LocalMatch, finish, rule_set_of
from ronda_table.knowledge import Contradiction, Knowledge, NothingKnown
from tests.table.test_local_match import cards, play


def test_a_forfeited_seats_cards_are_above_those_played_for_it() -> None:
    """The referee plays its lowest card, so what it keeps is higher; of equal ranks by suit.

    Seat 0 gives up with 5c 7o 11b: the five is played. Neither a lower card nor the five of oros,
    which would have been played before it, is in its hand then; the five of espadas may be.
    """
    draws = cards("5c 7o 11b  1o 2o 3o  1c 2c 3c  4b 6b 10b 12b")
    match = LocalMatch("maghribi", 3, draws=draws)
    match.forfeit(0)
    knowledge = known(match, 1)
    others = {2: cards("1c 2c 3c")}
    assert knowledge.possible({0: cards("7o 11b"), **others})
    assert knowledge.possible({0: cards("5e 11b"), **others})
    assert not knowledge.possible({0: cards("5o 11b"), **others})
    assert not knowledge.possible({0: cards("4o 11b"), **others})
    imagined = hands_imagined(knowledge, 0, 300)
    ranks = {int(one[:-1]) for hand in imagined for one in hand}
    assert ranks == {5, 6, 7, 10, 11, 12}


# Hands of seat 0 and seat 1, then the table: khlaso has none, maghribi has four.
OWN = "1o 2o 3o"
OTHER = "1c 5c 6c"
TABLE = "7o 10o 12o 4b"


def known(match: LocalMatch, seat: int) -> Knowledge:
    """Return what a seat knows of a match that it has watched."""
    return Knowledge.of(match.rule_set, seat, match.seats, match.events(seat))


def hands_imagined(
    knowledge: Knowledge, seat: int, times: int, trust: float = 0.0
) -> Counter[frozenset[str]]:
    """Return how often a seat is imagined to hold which cards."""
    generator = random.Random(1)
    found = Counter[frozenset[str]]()
    for _ in range(times):
        hand = knowledge.determinise(generator, trust=trust).view(seat).hand
        found[frozenset(map(text, hand))] += 1
    return found


def text(card: Card) -> str:
    """Write a card as `7o`."""
    return f"{[0, 1, 2, 3, 4, 5, 6, 7, 0, 0, 10, 11, 12][card.rank]}{' oceb'[card.suit]}"


def test_nothing_but_what_was_seen_decides() -> None:
    """Two matches that differ in the other hand alone are imagined as the same ones."""
    imagined = []
    for other in (OTHER, "12b 11b 10b"):
        match = LocalMatch("maghribi", 2, draws=cards(f"{OWN} {other} {TABLE}"))
        knowledge = known(match, 0)
        generator = random.Random(3)
        imagined.append([knowledge.determinise(generator).view(1) for _ in range(20)])
    assert imagined[0] == imagined[1]


def test_unseen_are_the_cards_in_other_hands_and_in_the_pack() -> None:
    """Thirty: without the own hand, the table, and later what is played."""
    match = LocalMatch("maghribi", 2, draws=cards(f"{OWN} {OTHER} {TABLE}"))
    assert len(known(match, 0).unseen) == 33
    assert {text(card) for card in known(match, 0).unseen}.isdisjoint((OWN + " " + TABLE).split())
    match.submit(0, play("1o"))
    match.submit(1, play("5c"))
    assert len(known(match, 0).unseen) == 32
    assert "5c" not in {text(card) for card in known(match, 0).unseen}


def test_cards_that_went_back_are_in_no_hand_of_the_batch() -> None:
    """The table of 7 7 10 12 was forbidden; the four went back after the hands were dealt."""
    draws = cards(f"{OWN} {OTHER} 7o 7c 10o 12o 4o 6o 11o 12b")
    match = LocalMatch("maghribi", 2, draws=draws)
    knowledge = known(match, 0)
    assert {"7o", "7c", "10o", "12o"} <= {text(card) for card in knowledge.unseen}
    assert not knowledge.possible({1: cards("7c 5c 6c")})
    assert knowledge.possible({1: cards("7e 5c 6c")})
    imagined = hands_imagined(knowledge, 1, 300)
    assert not any("7c" in hand for hand in imagined)
    assert any("7e" in hand for hand in imagined)


def at_the_last_batch(rule_set: str, *hands: str) -> LocalMatch:
    """Return a match at the last batch of its first deal, which has these hands of three."""
    last = " ".join(hands).split()
    table = ["1o", "3o", "5o", "7o"]
    pack = [f"{rank}{suit}" for suit in "oceb" for rank in (1, 2, 3, 4, 5, 6, 7, 10, 11, 12)]
    rest = [card for card in pack if card not in last and card not in table]
    first = 3 * len(hands)
    draws = [*rest[:first], *table, *rest[first:], *last]
    match = LocalMatch(rule_set, len(hands), draws=cards(" ".join(draws)))
    while not match.public_view().last_batch:
        seat = match.to_act[0]
        decision = match.decision(seat)
        assert decision is not None
        match.submit(seat, next(one for one in decision.legal_moves if one.HasField("play")))
    return match


def test_every_deal_that_fits_is_imagined_about_as_often() -> None:
    """Three seats, two cards in each hidden hand, four cards unseen: six deals, by hand."""
    match = at_the_last_batch("maghribi", "1b 2b 3b", "4b 5b 6b", "7b 10b 11b")
    for seat, card in enumerate(("1b", "4b", "7b")):
        match.submit(seat, play(card))
    knowledge = known(match, 0)
    imagined = hands_imagined(knowledge, 1, 600)
    assert set(imagined) == {
        frozenset({"5b", "6b"}),
        frozenset({"5b", "10b"}),
        frozenset({"5b", "11b"}),
        frozenset({"6b", "10b"}),
        frozenset({"6b", "11b"}),
        frozenset({"10b", "11b"}),
    }
    assert 60 < min(imagined.values()) <= max(imagined.values()) < 140
    assert knowledge.possible({1: cards("5b 6b"), 2: cards("10b 11b")})
    assert not knowledge.possible({1: cards("5b 6b"), 2: cards("5b 11b")})


def test_an_announcement_leaves_the_deals_in_which_it_is_true() -> None:
    """Seat 1 said ronda and has played the five of espadas: three of six deals, by hand."""
    match = at_the_last_batch("qahwa", "1b 2b 3b", "4b 5b 5e", "7b 10b 11b")
    match.submit(0, play("1b"))
    match.submit(1, Move(announce=Announce(kind=RONDA)))
    match.submit(1, play("5e"))
    match.submit(2, play("7b"))
    imagined = hands_imagined(known(match, 0), 1, 300)
    assert set(imagined) == {
        frozenset({"4b", "5b"}),
        frozenset({"5b", "10b"}),
        frozenset({"5b", "11b"}),
    }
    assert 60 < min(imagined.values()) <= max(imagined.values()) < 140


def test_in_the_last_batch_the_other_hand_is_known() -> None:
    """Of two seats, three cards are unseen then and all are in it."""
    match = at_the_last_batch("maghribi", "1b 2b 3b", "4b 5b 6b")
    assert hands_imagined(known(match, 0), 1, 20) == {frozenset({"4b", "5b", "6b"}): 20}
    assert known(match, 0).possible({1: cards("4b 5b 6b")})
    assert not known(match, 0).possible({1: cards("4b 5b")})
    assert not known(match, 0).possible({1: cards("4b 5b 1b")})
    assert not known(match, 0).possible({0: cards("4b 5b 6b")})


def with_rules(base: str, **changes: object) -> RuleSet:
    """Return a rule set with other values."""
    rules = RuleSet()
    rules.CopyFrom(rule_set_of(base))
    rules.id = "changed"
    for name, value in changes.items():
        setattr(rules, name, value)
    return rules


def announced(kind: AnnouncementKind.ValueType, rule_set: str | RuleSet, hand: str) -> LocalMatch:
    """Return a match in whose first batch seat 0 has announced and played the ace of oros."""
    match = LocalMatch(rule_set, 2, draws=cards(f"{hand} {OTHER} {TABLE}"))
    match.submit(0, Move(announce=Announce(kind=kind)))
    match.submit(0, play("1o"))
    return match


RONDA = AnnouncementKind.ANNOUNCEMENT_KIND_RONDA
TRINGA = AnnouncementKind.ANNOUNCEMENT_KIND_TRINGA
DOUBLE = AnnouncementKind.ANNOUNCEMENT_KIND_DOUBLE_RONDA


def test_an_announcement_is_true_where_false_ones_are_refused() -> None:
    """A ronda with an ace played: another ace, or two of one rank. Counted by hand.

    Seat 1 sees 1o 1c 5c 6c and 7o 10o 12o 4b: 32 cards are unseen. Two aces among them (1e 1b):
    one of them and one of the 30 others 60, both 1. Pairs of other ranks: three cards each of
    4, 5, 6, 7, 10, 12 make 3 each, four each of 2, 3, 11 make 6 each: 36. Together 97 hands.
    """
    match = announced(RONDA, "qahwa", "1o 1e 3o")
    knowledge = known(match, 1)
    (hidden,) = knowledge.hidden_hands()
    assert hidden.hands() == 97
    assert knowledge.possible({0: cards("1e 3o")})
    assert knowledge.possible({0: cards("11o 11e")})
    assert not knowledge.possible({0: cards("11o 12e")})
    imagined = hands_imagined(knowledge, 0, 97 * 40)
    assert len(imagined) == 97
    # Forty are to be expected of each.
    assert 15 < min(imagined.values()) <= max(imagined.values()) < 75
    assert imagined[frozenset({"1e", "1b"})] > 0


def test_a_tringa_leaves_three_hands_with_an_ace_played() -> None:
    """Of the aces 1o is played and 1c the own one: 1e and 1b are left, and both are held."""
    match = announced(TRINGA, "qahwa", "1o 1e 1b")
    assert hands_imagined(known(match, 1), 0, 10) == {frozenset({"1e", "1b"}): 10}


def test_an_announcement_says_nothing_where_false_ones_are_allowed() -> None:
    """Any two of 32 cards, 496 hands; only who trusts the seat takes it to be true."""
    match = announced(TRINGA, "maghribi", "1o 2o 3o")
    knowledge = known(match, 1)
    assert knowledge.possible({0: cards("2o 3o")})
    (hidden,) = knowledge.hidden_hands()
    assert hidden.hands() == 496
    assert hands_imagined(knowledge, 0, 10, trust=1.0) == {frozenset({"1e", "1b"}): 10}
    mixed = hands_imagined(knowledge, 0, 200, trust=0.5)
    assert 60 < mixed[frozenset({"1e", "1b"})] < 140


def test_who_was_not_announced_for_holds_nothing_where_the_referee_announces() -> None:
    """No pair with the ace played: neither other ace, and no two of one rank.

    32 cards unseen as above; 30 without the aces. Pairs of two ranks: all 435 without the 36 that
    are of one rank, so 399.
    """
    rules = with_rules("qahwa", timing=Timing.TIMING_AUTOMATIC)
    match = LocalMatch(rules, 2, draws=cards(f"{OWN} {OTHER} {TABLE}"))
    match.submit(0, play("1o"))
    knowledge = known(match, 1)
    (hidden,) = knowledge.hidden_hands()
    assert hidden.hands() == 399
    assert not knowledge.possible({0: cards("1e 3o")})
    assert not knowledge.possible({0: cards("3e 3o")})
    assert knowledge.possible({0: cards("2o 3o")})


def test_where_the_referee_announces_a_ronda_is_no_tringa() -> None:
    """The best kind is announced, so who has a ronda announced does not hold three of a rank.

    The 97 hands above, without both aces: 96.
    """
    rules = with_rules("qahwa", timing=Timing.TIMING_AUTOMATIC)
    match = LocalMatch(rules, 2, draws=cards(f"1o 1e 3o {OTHER} {TABLE}"))
    match.submit(0, play("1o"))
    (hidden,) = known(match, 1).hidden_hands()
    assert hidden.hands() == 96


def test_a_hand_that_a_challenge_has_shown_is_that() -> None:
    """The bluff costs a point, and the match goes on with an open hand."""
    match = LocalMatch("classic", 2, draws=cards(f"{OWN} {OTHER} {TABLE}"))
    match.submit(0, Move(announce=Announce(kind=RONDA)))
    match.submit(1, passing())
    challenge = Move()
    challenge.challenge.seat = 0
    match.submit(1, challenge)
    assert hands_imagined(known(match, 1), 0, 10) == {frozenset(OWN.split()): 10}


def test_several_hands_of_which_much_is_known_are_dealt_together() -> None:
    """Three seats that announced tringas, each of another rank: six ways, each as likely.

    Seat 3 sees its own three, and all others are 1 1 1, 2 2 2 and 3 3 3: nine cards fit.
    """
    rules = with_rules("qahwa", timing=Timing.TIMING_AUTOMATIC, bluff=Bluff.BLUFF_REFUSED)
    hands = ["1o 1c 1e", "2o 2c 2e", "3o 3c 3e", "1b 2b 3b"]
    match = LocalMatch(rules, 4, draws=cards(f"{' '.join(hands)} 4o 6o 10o 12o"))
    knowledge = known(match, 3)
    assert [one.hands() for one in knowledge.hidden_hands()] == [
        # 1, 2, 3: one way each; 4, 6, 10, 12: one of three left; 5, 7, 11: four each.
        *(3 + 4 + 12,) * 3,
    ]
    generator = random.Random(2)
    for _ in range(50):
        imagined = knowledge.determinise(generator)
        ranks = [{card.rank for card in imagined.view(seat).hand} for seat in range(3)]
        assert all(len(one) == 1 for one in ranks)
        assert len(set.union(*ranks)) == 3


def passing() -> Move:
    """Return the move that declines."""
    move = Move()
    getattr(move, "pass").SetInParent()
    return move


@pytest.mark.parametrize(("batch", "two_pairs"), [(1, True), (2, False)])
def test_two_pairs_are_a_double_in_the_first_batch_alone(batch: int, two_pairs: bool) -> None:
    """In khlaso who says double later holds four of a kind."""
    first = "5o 6o 7o 10o  5c 6c 7c 10c "
    hands = "1o 1c 1e 1b  2o 3o 4o 11o"
    match = LocalMatch("khlaso", 2, draws=cards((first if batch > 1 else "") + hands))
    while match.public_view().batch < batch:
        decision = match.decision(match.to_act[0])
        assert decision is not None
        match.submit(decision.seat, decision.legal_moves[-1])
    match.submit(0, Move(announce=Announce(kind=DOUBLE)))
    match.submit(1, passing())
    knowledge = known(match, 1)
    assert knowledge.possible({0: cards("1o 1c 1e 1b")})
    assert knowledge.possible({0: cards("12o 12c 12e 12b")})
    assert knowledge.possible({0: cards("12o 12c 11e 11b")}) is two_pairs
    assert not knowledge.possible({0: cards("12o 12c 12e 11b")})


def test_between_matches_there_is_nothing_to_imagine() -> None:
    """Before the first hands and after the end."""
    knowledge = Knowledge("maghribi", 0, 2)
    with pytest.raises(NothingKnown):
        knowledge.determinise(random.Random(0))
    match = LocalMatch("maghribi", 2, seed=1)
    finish(match, [RandomBot(0), RandomBot(1)])
    with pytest.raises(NothingKnown):
        known(match, 0).determinise(random.Random(0))
    with pytest.raises(ValueError, match="there is no seat 2: the seats are 0 to 1"):
        Knowledge("maghribi", 2, 2)


def test_events_that_contradict_the_rules_are_found_out() -> None:
    """A tringa of aces of which two are in the own hand cannot be, where bluffs are refused."""
    match = announced(TRINGA, "maghribi", "1o 2o 3o")
    events = match.events(1)
    knowledge = Knowledge("qahwa", 1, 2)
    for event in events:
        if event.hand_dealt.cards:
            for held, other in zip(event.hand_dealt.cards, cards("1c 1e 5c"), strict=True):
                held.CopyFrom(other)
        knowledge.saw(event)
    with pytest.raises(Contradiction):
        knowledge.determinise(random.Random(0))
