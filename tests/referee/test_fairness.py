"""The shuffle draws by lot, as far as a million draws can tell; and what is not drawn so is found.

Seeds are fixed, so each run has the same cards: a fair shuffle passes always or never.
"""

import argparse
import json
import random
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

from ronda_cli.audit_fairness import Collected
from ronda_referee.audit import Deal
from ronda_referee.audit_many import Log, Wanted, audit_one
from ronda_referee.fairness import LEVEL, Fairness, Measure, combination, unlikely
from ronda_referee.fairness_plot import plot
from ronda_referee.shuffle import DealDraws, match_key
from ronda_rules.cards import FULL_PACK, parse_card
from tests.referee.played_logs import SEED, PlayedMatch, maghribi, some_policy

DEALS = 25_200
DEALS_A_MATCH = 6
HAND = 3

Deck = list[int]


@cache
def shuffled() -> tuple[tuple[int, ...], ...]:
    """Give the packs of many matches as the referee's shuffle draws them: 1,008,000 draws."""
    packs: list[tuple[int, ...]] = []
    for match in range(DEALS // DEALS_A_MATCH):
        key = match_key(match.to_bytes(32), f"m-{match}", [b"one", b"two"])
        numbers = range(1, DEALS_A_MATCH + 1)
        packs += [DealDraws(key, number).cards(FULL_PACK, 40) for number in numbers]
    return tuple(packs)


def deals(change: Callable[[Deck, random.Random], None] | None = None) -> list[Deal]:
    """Deal the packs to two, three and four seats in turn, each changed before it is dealt."""
    chance = random.Random(3)
    found = []
    for place, pack in enumerate(shuffled()):
        seats = 2 + place // DEALS_A_MATCH % 3
        deck = list(pack)
        if change is not None:
            change(deck, chance)
        found.append(Deal(seats, place % DEALS_A_MATCH + 1, bytes(deck), hands_of(deck, seats)))
    return found


def hands_of(deck: Deck, seats: int) -> list[tuple[int, int, tuple[int, ...]]]:
    """Deal hands of three to the seats, four cards to the table, and hands to the end."""
    rest = deck[: seats * HAND] + deck[seats * HAND + 4 :]
    hands = [tuple(rest[at : at + HAND]) for at in range(0, len(rest) - HAND + 1, HAND)]
    whole = len(hands) // seats * seats
    return [(place % seats, place // seats + 1, hand) for place, hand in enumerate(hands[:whole])]


def measured(dealt: list[Deal]) -> list[Measure]:
    """Give the measures of deals."""
    fairness = Fairness()
    for start in range(0, len(dealt), DEALS_A_MATCH):
        fairness.add(dealt[start : start + DEALS_A_MATCH])
    return fairness.measures()


def test_a_million_draws_of_the_shuffle_look_drawn_by_lot() -> None:
    """Each of thirteen measures holds at the level of 99 % that all of them have together."""
    fairness = Fairness()
    fairness.add(deals())
    measures = fairness.measures()
    assert (fairness.deals, fairness.draws) == (25_200, 1_008_000)
    assert [measure.name for measure in measures] == [
        "cards by position",
        "pairs",
        "next card",
        "next deal",
        *(
            f"{kind} by seat, {n} seats"
            for n in (2, 3, 4)
            for kind in ("ronda", "tringa", "double")
        ),
    ]
    known = [measure for measure in measures if measure.p is not None]
    # Hands of three cards hold no double, and three of a rank come to four seats too seldom.
    assert len(known) == 9
    assert all((measure.p or 0) * len(known) > LEVEL for measure in known), known
    assert unlikely(measures) is None


def test_the_seats_hands_are_as_they_are_for_cards_drawn_by_lot() -> None:
    """Of 9,880 hands of three 10 * 6 * 36 = 2,160 hold a pair, and 10 * 4 = 40 three of a rank.

    With two seats there are six hands each in a deal: 6 * 2160 / 9880 = 1.312, 6 * 40 / 9880 =
    0.0243 a deal.
    """
    measures = {measure.name: measure for measure in measured(deals())}
    assert measures["ronda by seat, 2 seats"].means == pytest.approx((1.312, 1.312), rel=0.03)
    assert measures["tringa by seat, 2 seats"].means == pytest.approx((0.0243, 0.0243), rel=0.15)


def favour_a_card(deck: Deck, chance: random.Random) -> None:
    """Now and then put the ace of oros first."""
    if chance.random() < 0.02:
        at = deck.index(parse_card("1o"))
        deck[0], deck[at] = deck[at], deck[0]


def swap_positions(deck: Deck, chance: random.Random) -> None:
    """Now and then swap the first two cards that differ in rank, so that the lower comes first."""
    if chance.random() < 0.25 and deck[0] % 10 > deck[1] % 10:
        deck[0], deck[1] = deck[1], deck[0]


def swap_badly(deck: Deck, chance: random.Random) -> None:
    """Shuffle from the new pack in the way that looks right and is not: swap with any card."""
    deck.sort()
    for place in range(40):
        other = chance.randrange(40)
        deck[place], deck[other] = deck[other], deck[place]


def keep_neighbours(deck: Deck, chance: random.Random) -> None:
    """Now and then the ace of oros is followed by the ace of copas, wherever it comes."""
    at = deck.index(parse_card("1o"))
    if at < 39 and chance.random() < 0.5:
        other = deck.index(parse_card("1c"))
        deck[at + 1], deck[other] = deck[other], deck[at + 1]


def favour_a_seat(deck: Deck, chance: random.Random) -> None:
    """Now and then give seat 0 a pair in its first hand: its second card is of its first's rank."""
    if chance.random() < 0.08:
        twin = (deck[0] + 10 * chance.randrange(1, 4)) % 40
        at = deck.index(twin)
        deck[1], deck[at] = deck[at], deck[1]


@pytest.mark.parametrize(
    ("bias", "measure"),
    [
        (favour_a_card, "cards by position"),
        (swap_positions, "cards by position"),
        (swap_badly, "cards by position"),
        (keep_neighbours, "pairs"),
        (favour_a_seat, "ronda by seat"),
    ],
)
def test_a_planted_bias_is_found(bias: Callable[[Deck, random.Random], None], measure: str) -> None:
    """What is not drawn by lot shows in the measure that is made for it."""
    found = measured(deals(bias))
    assert unlikely(found) is not None
    known = [one for one in found if one.p is not None]
    assert any(
        one.name.startswith(measure) and (one.p or 0.0) * len(known) < LEVEL for one in known
    ), known


def test_a_seed_used_for_two_deals_is_found() -> None:
    """A deal that repeats the one before says so at every place."""
    dealt = deals()
    for one, other in zip(dealt[0::12], dealt[1::12], strict=True):
        other.drawn = one.drawn
    least = unlikely(measured(dealt))
    assert least is not None
    assert least.name == "next deal"


def test_cards_that_come_too_evenly_are_found() -> None:
    """Nobody draws forty rotations of one pack by lot: every card at every place equally often."""
    pack = shuffled()[0]
    dealt = [Deal(2, 1, bytes(pack[turn % 40 :] + pack[: turn % 40])) for turn in range(40 * 40)]
    measures = measured(dealt)
    assert measures[0].name == "cards by position"
    assert measures[0].p is not None
    assert measures[0].p < 1e-9


def test_a_deal_that_was_mended_counts_up_to_its_first_mended_draw() -> None:
    """Draws of different lengths are compared each with how often its place was drawn."""
    dealt = deals()
    for place, deal in enumerate(dealt):
        if place % 4 == 0:
            deal.drawn = deal.drawn[:12]
    assert unlikely(measured(dealt)) is None


def test_few_deals_say_nothing() -> None:
    """With ten deals no measure has a p-value, and nothing is unlikely."""
    fairness = Fairness()
    fairness.add(deals()[:10])
    assert all(measure.p is None for measure in fairness.measures())
    assert unlikely(fairness.measures()) is None


def test_no_deal_at_all_says_nothing() -> None:
    """An archive without a deal is no error."""
    assert unlikely(Fairness().measures()) is None


@pytest.mark.parametrize(
    ("hand", "kind"),
    [
        ("7o 1c 2c", ""),
        ("7o 7c 2c", "ronda"),
        ("7o 2c 7c", "ronda"),
        ("7o 7c 7e", "tringa"),
        ("7o 7c 2c 2e", "double"),
        ("7o 7c 7e 7b", "double"),
        ("7o 7c 7e 1b", "tringa"),
        ("7o 7c 1e 2b", "ronda"),
        ("1o", ""),
    ],
)
def test_hands_are_told_apart(hand: str, kind: str) -> None:
    """A pair, three of a rank, two pairs or four of a rank."""
    assert combination([parse_card(card) for card in hand.split()]) == kind


@pytest.mark.parametrize(("suffix", "magic"), [(".svg", b"<?xml"), (".png", b"\x89PNG")])
def test_a_picture_is_drawn(suffix: str, magic: bytes, tmp_path: Path) -> None:
    """In the format that its name ends in."""
    fairness = Fairness()
    fairness.add(deals()[:1_000])
    path = tmp_path / f"fairness{suffix}"
    plot(fairness, path)
    assert path.read_bytes().startswith(magic)


def test_a_picture_of_no_known_format_is_refused(tmp_path: Path) -> None:
    """What it cannot draw it names."""
    with pytest.raises(ValueError, match=r"ends in \.svg or \.png"):
        plot(Fairness(), tmp_path / "fairness.gif")


def test_a_shared_shuffle_counts_once(capsys: pytest.CaptureFixture[str]) -> None:
    """The second match of a group draws nothing that was not drawn before; other groups count."""
    collected = Collected()
    for number, (shuffle_id, seed) in enumerate(
        [("round 1", b"s" * 32), ("round 1", b"s" * 32), ("round 2", b"s" * 32), ("", SEED)]
    ):
        policy = some_policy(number)
        match = PlayedMatch(maghribi(1), policy=policy, seed=seed, shuffle_id=shuffle_id)
        collected.add(audit_one(Log(str(number), match.data), Wanted(deals=True)))
    assert not collected.report(argparse.Namespace(json=True, plot=None))
    said = json.loads(capsys.readouterr().out)["fairness"]
    assert (said["logs"], said["left_out"], said["deals"]) == (3, 1, 3)
