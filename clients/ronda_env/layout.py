"""The layout of an observation: which numbers stand where, and what they say.

It is one layout for every rule set and seat count. Seats are counted from the own seat, which is 0;
the next one in order of play is 1. Sides are counted from the own side in the same way. Cards stand
by their number (`ronda_env.actions.card_number`), ranks from the ace to the 12, kinds as ronda,
tringa, double ronda.
"""

from dataclasses import dataclass
from math import prod

import numpy as np
from numpy.typing import NDArray

from ronda_env.actions import KINDS, MOST_SEATS, PACK, RANKS

MOST_SIDES = 3
MOST_BATCHES = 6
MOST_IN_HAND = 4
MOST_STEPS = 3
MOST_DEALS = 32
MOST_TARGETS = 4.0

SEATS_SHAPE = (MOST_SEATS,)
SIDES_SHAPE = (MOST_SIDES,)
CARDS_SHAPE = (PACK,)
SEATS_BY_CARDS = (MOST_SEATS, PACK)


@dataclass(frozen=True, slots=True)
class Field:
    """A part of an observation.

    Attributes:
        name: What it is called.
        shape: Its shape; in the vector its numbers stand row by row.
        meaning: What its numbers say. They are 0 or 1 where nothing else is said.
        high: The highest number; the lowest is 0.
        start: Where it begins in the vector.
    """

    name: str
    shape: tuple[int, ...]
    meaning: str
    high: float = 1.0
    start: int = 0

    @property
    def length(self) -> int:
        """How many numbers it has."""
        return prod(self.shape)

    @property
    def part(self) -> slice:
        """Where it stands in the vector."""
        return slice(self.start, self.start + self.length)


_FIELDS = (
    Field("seats", SEATS_SHAPE, "seats that play"),
    Field("own_side", SEATS_SHAPE, "seats of the own side, the own one too"),
    Field("dealer", SEATS_SHAPE, "the seat that deals"),
    Field("asked", (4,), "what is asked for: an announcement, a challenge, a claim, a card"),
    Field("to_act", SEATS_SHAPE, "seats that must act"),
    Field("deal", (1,), f"the deal's number, from 1, / {MOST_DEALS}; at most 1"),
    Field("batch", (MOST_BATCHES,), "which batch of the deal is played, from the first"),
    Field("last_batch", (1,), "whether it is the deal's last"),
    Field("hand", CARDS_SHAPE, "the own hand"),
    Field("true_announcements", (len(KINDS),), "announcements to choose from that are true"),
    Field("table", CARDS_SHAPE, "the face-up cards"),
    Field("caida_card", CARDS_SHAPE, "the card that an equal one takes with a caida"),
    Field("hand_sizes", SEATS_SHAPE, f"cards in each hand / {MOST_IN_HAND}"),
    Field("pile_sizes", SIDES_SHAPE, f"cards in each side's pile / {PACK}"),
    Field("pack_size", (1,), f"cards not dealt yet / {PACK}"),
    Field(
        "scores",
        SIDES_SHAPE,
        f"points of each side / the target, or / {PACK} where there is none; at most 4",
        MOST_TARGETS,
    ),
    Field("last_capturer", SEATS_SHAPE, "the seat that captured last in this deal"),
    Field("held_seat", SEATS_SHAPE, "whose chain is pending"),
    Field("held_rank", (len(RANKS),), "the rank that continues it"),
    Field("held_step", (MOST_STEPS,), "the last step that it reached, from the first"),
    Field("held_cards", (1,), f"cards in its pile / {PACK}"),
    Field("held_mesa", (1,), "whether a mesa travels with it"),
    Field(
        "debts",
        (MOST_SIDES, MOST_SIDES),
        f"cards that one side (row) owes another (column) / {PACK}; at most 1",
    ),
    Field("answered", SEATS_SHAPE, "seats that have announced or declined in this batch"),
    Field(
        "announced",
        (MOST_BATCHES, MOST_SEATS, len(KINDS)),
        "announcements of this deal, by batch, seat and kind",
    ),
    Field(
        "revealed",
        (MOST_SEATS, len(RANKS)),
        "ranks of this batch's announcements where a settlement has shown them, by seat",
    ),
    Field("found_false", SEATS_SHAPE, "seats whose announcement of this batch was shown false"),
    Field("shown_hands", SEATS_BY_CARDS, "hands of this batch that a challenge has shown, by seat"),
    Field("claimed", SEATS_SHAPE, "seats against which a claim has succeeded in this batch"),
    Field(
        "punished",
        SEATS_SHAPE,
        f"false announcements of each seat penalised in this deal / {MOST_BATCHES}",
    ),
    Field("played_now", SEATS_BY_CARDS, "cards that each seat has played in this batch"),
    Field(
        "played",
        SEATS_BY_CARDS,
        f"cards that each seat has played in this deal: the batch's number, from 1, / "
        f"{MOST_BATCHES}",
    ),
    Field("turned", CARDS_SHAPE, "cards turned on the table in this deal that did not go back"),
    Field("returned", CARDS_SHAPE, "cards that were turned and went back: no first hand has them"),
)


def _placed() -> tuple[Field, ...]:
    start, placed = 0, []
    for field in _FIELDS:
        placed.append(Field(field.name, field.shape, field.meaning, field.high, start))
        start += field.length
    return tuple(placed)


FIELDS = _placed()
"""The parts of an observation, in order."""
LENGTH = FIELDS[-1].part.stop
"""How many numbers an observation has."""

_BY_NAME = {field.name: field for field in FIELDS}

Vector = NDArray[np.float32]


def field(name: str) -> Field:
    """Return a part of an observation by its name.

    Raises:
        KeyError: There is none of that name.
    """
    return _BY_NAME[name]


def part(vector: Vector, name: str) -> Vector:
    """Return a part of an observation in its own shape; it is a view into the vector.

    Raises:
        KeyError: There is none of that name.
    """
    found = _BY_NAME[name]
    return vector[found.part].reshape(found.shape)


def highest() -> Vector:
    """Return the highest numbers that an observation can have; the lowest are 0."""
    vector = np.zeros(LENGTH, np.float32)
    for one in FIELDS:
        vector[one.part] = one.high
    return vector
