"""A point of a deal in the brute-force counter: its own reading of the notation, and payments.

Written from the rules with lists of ranks; nothing of `ronda_rules` is imported.
"""

import copy
from collections import Counter
from dataclasses import dataclass, field

from tests.rules.brute_force_rules import Rules

BATCHES = {
    (False, 2): [3] * 6,
    (False, 3): [3] * 4,
    (False, 4): [3] * 3,
    (True, 2): [4] * 5,
    (True, 4): [4, 3, 3],
}


class OverError(Exception):
    """The match is over, and nothing further scores or is asked."""


@dataclass
class Announced:
    """An announcement; `rank` is None where it is false."""

    batch: int
    seat: int
    kind: str
    rank: int | None
    struck: bool = False


@dataclass
class Chain:
    """The pile of a pending chain."""

    seat: int
    step: int
    rank: int
    cards: int
    mesa: int


@dataclass
class Point:
    """Where a deal stands; hands and played cards by seat, piles and scores by side.

    `debts` are payer, receiver, cards and whether for the batch's award; `dues` what the present
    moment has made due so far, `award_dues` what was due for the award. `asking` counts the seats
    that the claim window has gone past, None before it.
    """

    rules: Rules
    seats: int
    dealer: int
    batch: int
    hands: list[list[int]]
    played: list[list[int]]
    table: list[int]
    piles: list[int]
    scores: list[int]
    laid: int | None = None
    chain: Chain | None = None
    capturer: int | None = None
    said: list[Announced] = field(default_factory=list)
    award: dict[int, int] = field(default_factory=dict)
    award_dues: list[tuple[int, int, int]] = field(default_factory=list)
    debts: list[tuple[int, int, int, bool]] = field(default_factory=list)
    dues: list[tuple[int, int, int, bool]] = field(default_factory=list)
    claimed: list[int] = field(default_factory=list)
    punished: list[int] = field(default_factory=list)
    asking: int | None = None
    done: bool = False
    found: Counter[str] = field(default_factory=Counter)

    def branch(self) -> "Point":
        """Give a copy in which something else may happen."""
        other = copy.copy(self)
        other.hands = [list(hand) for hand in self.hands]
        other.played = [list(cards) for cards in self.played]
        other.said = [copy.copy(one) for one in self.said]
        other.chain = copy.copy(self.chain)
        for name in (
            "table",
            "piles",
            "scores",
            "debts",
            "dues",
            "claimed",
            "punished",
            "award_dues",
        ):
            setattr(other, name, list(getattr(self, name)))
        other.award = dict(self.award)
        other.found = Counter(self.found)
        return other

    @property
    def sides(self) -> int:
        """How many sides there are."""
        return 3 if self.seats == 3 else 2

    @property
    def order(self) -> list[int]:
        """The seats from the one after the dealer."""
        return [(self.dealer + 1 + place) % self.seats for place in range(self.seats)]

    @property
    def sizes(self) -> list[int]:
        """The hand sizes of the deal's batches."""
        return BATCHES[self.rules.empty_table, self.seats]

    @property
    def last_batch(self) -> bool:
        """Whether no batch comes after this one."""
        return self.batch == len(self.sizes)

    @property
    def turn(self) -> int:
        """The seat to play a card."""
        return self.order[sum(map(len, self.played)) % self.seats]

    def others(self, side: int) -> list[int]:
        """Give the other sides, the next one's first."""
        return [(side + step) % self.sides for step in range(1, self.sides)]

    def of_batch(self, batch: int | None = None) -> list[Announced]:
        """Give a batch's announcements in seat order, this batch's by default."""
        wanted = batch or self.batch
        return [
            one
            for seat in self.order
            for one in self.said
            if (one.batch, one.seat) == (wanted, seat)
        ]

    def silent(self, seat: int) -> bool:
        """Whether a seat has announced nothing in this batch."""
        return all(one.seat != seat for one in self.of_batch())

    def gain(
        self, what: str, gains: list[tuple[int, int, list[int]]], *, award: bool = False
    ) -> None:
        """Give sides an amount each, in points or from payers in cards."""
        for side, amount, payers in gains:
            if not self.rules.in_cards:
                self.scores[side] += amount
                self.found[what] += amount
                continue
            # What is awarded for a card is told by its value, all else by what moves.
            by_value = what in {"caidas", "mesas"}
            self.found[what] += amount * (1 if by_value else len(payers))
            self.dues += [(payer, side, amount, award) for payer in payers if amount]

    def end_moment(self) -> None:
        """Pay what the moment has made due, or look for the end where it is looked for at once."""
        self.dues.sort(key=lambda due: (due[0], (due[1] - due[0]) % self.sides))
        self.debts += self.dues
        self.found["due"] += sum(cards for _, _, cards, _ in self.dues)
        self.dues = []
        self.pay()
        if self.rules.immediate:
            self.look_for_the_end()

    def pay(self) -> None:
        """Let each pile pay its oldest debt, card by card, until nothing can be paid."""
        while True:
            for place, (payer, receiver, cards, award) in enumerate(self.debts):
                if self.piles[payer]:
                    self.piles[payer] -= 1
                    self.piles[receiver] += 1
                    self.found["paid"] += 1
                    self.debts[place] = (payer, receiver, cards - 1, award)
                    break
            else:
                return
            self.debts = [debt for debt in self.debts if debt[2]]

    def look_for_the_end(self) -> None:
        """End the match for the side at the highest total, or for those that share it."""
        best = max(self.scores)
        shared = self.scores.count(best) > 1
        if best >= self.rules.target and not (shared and self.rules.play_on):
            self.win([side for side, score in enumerate(self.scores) if score == best])

    def win(self, winners: list[int]) -> None:
        """End the match."""
        self.done = True
        self.found["over"] += 1
        if len(winners) == 1:
            self.found[f"won by {winners[0]}"] += 1
        raise OverError


def read(text: str, rules: Rules) -> Point:
    """Read a position whose cards are bare ranks."""
    fields = dict(part.strip().split(" ", 1) for part in text.split(";"))

    def numbers(name: str, count: int = 0) -> list[int]:
        return [int(word) for word in fields[name].split()] if name in fields else [0] * count

    def hands(name: str) -> list[list[int]]:
        return [
            [int(word) for word in hand.split() if word != "-"] for hand in fields[name].split("/")
        ]

    seats = int(fields["seats"])
    sides = 3 if seats == 3 else 2
    point = Point(
        rules=rules,
        seats=seats,
        dealer=int(fields.get("dealer", seats - 1)),
        batch=int(fields["batch"]),
        hands=hands("hands"),
        played=[[] for _ in range(seats)],
        table=[int(word) for word in fields["table"].split() if word != "-"],
        piles=numbers("piles"),
        scores=numbers("scores", sides),
        punished=numbers("punished", seats),
        claimed=numbers("claimed"),
    )
    point.award = {side: due for side, due in enumerate(numbers("award", sides)) if due}
    if "laid" in fields:
        point.laid = int(fields["laid"])
    if "capturer" in fields:
        point.capturer = int(fields["capturer"])
    if "held" in fields:
        point.chain = Chain(*map(int, fields["held"].split(":")))
    for word in fields["said"].split(",") if "said" in fields else []:
        batch, seat, kind, rank = word.strip().split(":")
        known = int(rank) if rank.isdigit() else None
        point.said.append(Announced(int(batch), int(seat), kind, known, rank == "struck"))
    for word in fields["owed"].split(",") if "owed" in fields else []:
        payer, receiver, cards, *award = word.strip().split(":")
        point.debts.append((int(payer), int(receiver), int(cards), bool(award)))
    if "played" in fields:
        point.played = hands("played")
    else:
        # Which cards they were does not matter then.
        size = point.sizes[point.batch - 1]
        point.played = [[0] * (size - len(hand)) for hand in point.hands]
    if rules.in_cards:
        losers = [side for side in range(sides) if side not in point.award]
        point.award_dues = [
            (payer, side, cards // len(losers))
            for side, cards in point.award.items()
            for payer in losers
        ]
    assert point.turn == int(fields["turn"])
    return point
