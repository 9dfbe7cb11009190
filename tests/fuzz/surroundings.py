"""What all requests of a run have in common: the referee, and values that mean something to it."""

import random
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import grpc

from ronda.v1 import card_pb2, log_pb2
from ronda.v1.match_terms_pb2 import TIME_OUT_AUTOMATIC, MatchTerms, TimeControl
from ronda.v1.rule_set_pb2 import RuleSet
from ronda_conformance.rule_set_files import load_rule_sets
from tests.fuzz.checks import Secrets
from tests.fuzz.sending import Metadata
from tests.fuzz.untouched import Untouched

SUITES = Path(__file__).parents[2] / "conformance" / "suites"
PRESETS: dict[str, RuleSet] = load_rule_sets()
_POSITION = re.compile(r'position:\s*"?([^"\n]+)"?')
_DIGITS = re.compile(r"\d+")
_LONG_NUMBERS = ("0", "-1", "9" * 25, "9" * 5_000, "1e9", "\u0663", "00", "")

PACK: tuple[card_pb2.Card, ...] = tuple(
    card_pb2.Card(rank=rank, suit=suit)
    for rank in card_pb2.Rank.values()[1:]
    for suit in card_pb2.Suit.values()[1:]
)

TERMS: tuple[MatchTerms, ...] = (
    MatchTerms(),
    MatchTerms(most_refusals=3),
    MatchTerms(most_refusals=1_000_000, spectator_delay=3),
    MatchTerms(time_control=TimeControl(per_move_ms=86_400_000, bank_ms=1, increment_ms=1)),
    MatchTerms(time_control=TimeControl(per_move_ms=1), most_refusals=1),
    MatchTerms(time_control=TimeControl(per_move_ms=2), time_out=TIME_OUT_AUTOMATIC),
    MatchTerms(join_timeout_ms=1, spectator_delay=1_000),
)


def positions() -> list[str]:
    """Give the positions of the conformance suite."""
    found: set[str] = set()
    for file in sorted(SUITES.rglob("*.yaml")):
        found.update(_POSITION.findall(file.read_text(encoding="utf-8")))
    return sorted(found)


def altered_position(rng: random.Random, position: str) -> str:
    """Give a position with something wrong in it, or as it is."""
    fields = position.split(";")
    place = rng.randrange(len(fields))
    way = rng.randrange(6)
    if way == 0:
        del fields[place]
    elif way == 1:
        fields.append(fields[place])
    elif way == 2:
        number = rng.choice((*_LONG_NUMBERS, *"0123456789"))
        fields[place] = _DIGITS.sub(lambda _: number, fields[place], count=1)
    elif way == 3:
        letters = list(fields[place])
        letters[rng.randrange(len(letters))] = rng.choice("0479oceb:/- ;\x00é")
        fields[place] = "".join(letters)
    elif way == 4:
        rng.shuffle(fields)
    return ";".join(fields)


def pack_of_draws(rng: random.Random) -> log_pb2.FixedDraws:
    """Give draws for some deals: whole packs, mostly."""
    cards: list[card_pb2.Card] = []
    for _ in range(rng.choice((0, 1, 1, 2, 8))):
        cards += rng.sample(PACK, len(PACK))
    if cards and rng.random() < 0.3:
        # Early, so that it is drawn, and is not in the pack any more.
        cards[rng.randrange(1, 6)] = cards[0]
    return log_pb2.FixedDraws(cards=cards)


@dataclass
class Surroundings:
    """The referee under test, and what is known of it.

    Attributes:
        address: where it listens.
        channel: a connection for what keeps to the protocol.
        organiser: metadata of an organiser's call.
        secrets: every token that was given out.
        untouched: matches that nobody may touch.
        positions: positions that can be read.
    """

    address: str
    channel: grpc.aio.Channel
    organiser: Metadata
    secrets: Secrets
    untouched: Untouched
    positions: Sequence[str]
