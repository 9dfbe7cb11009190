"""What a card is worth, by what it takes now and what the next seat can be expected to answer."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from math import comb

from ronda.v1.rule_set_pb2 import MesaExcluded, RuleSet
from ronda.v1.view_pb2 import SeatView
from ronda_bots.memory import ORDER, Memory, place

# What one more card in the pile is worth beside a point, where piles are counted and where not.
CARD_WORTH = 0.5
_CARD_WITHOUT_COUNT = 0.05

# The next seat does not always find its best answer, and the turn comes round again.
_REPLY_WEIGHT = 0.85

# How likely a table still lies there when the turn comes round.
_STAYS = 0.6


@dataclass(frozen=True, slots=True)
class Stakes:
    """What things are worth in a match.

    Attributes:
        card: A captured card, in points.
        ladder: The chain's steps, in points.
        mesa: A mesa.
    """

    card: float
    ladder: tuple[int, ...]
    mesa: int

    @classmethod
    def of(cls, rules: RuleSet | None, seats: int) -> "Stakes":
        """Return what a rule set says; without one, what most say."""
        if rules is None:
            return cls(CARD_WORTH, (1,), 1)
        ladder = tuple(rules.ladder)
        if seats < rules.chain_min_seats:
            ladder = ladder[:1]
        return cls(
            CARD_WORTH if rules.HasField("count") else _CARD_WITHOUT_COUNT, ladder, rules.mesa
        )


class Expectation:
    """What each card of a hand is worth at one decision."""

    def __init__(self, memory: Memory, view: SeatView) -> None:
        """Take what is remembered and what is seen."""
        public = view.public
        self._memory = memory
        self._stakes = Stakes.of(memory.rules, public.seats)
        self._table = frozenset(place(card) for card in public.table)
        self._hand = [place(card) for card in view.hand]
        self._caida = place(public.caida_card) if public.HasField("caida_card") else None
        self._held = public.held if public.HasField("held") else None
        self._next = public.hand_sizes[(view.seat + 1) % public.seats]
        self._left = sum(public.hand_sizes) - 1
        self._last_batch = public.last_batch
        self._deals = public.dealer == view.seat

    def worth(self, rank: int) -> float:
        """Return about how many points it is worth to play a card of this rank now."""
        if self._held is not None and ORDER[rank] == self._held.rank:
            return self._of_chain(rank)
        captured = captured_from(self._table, rank)
        after = self._table - captured if captured else self._table | {rank}
        mesa = bool(captured) and not after and self._mesa_counts(self._left)
        worth = self._stakes.card * (1 + len(captured)) if captured else 0.0
        worth += self._stakes.mesa * mesa
        worth += self._last_capture(len(after)) if captured else 0.0
        if captured and rank == self._caida and self._stakes.ladder:
            worth += self._stakes.ladder[0]
            if len(self._stakes.ladder) > 1:
                # An equal card of the next seat takes over all of it, for the next step.
                taken = worth + self._stakes.ladder[1] + self._stakes.card
                worth -= (worth + taken) * self._next_holds((rank,))
        worth -= _REPLY_WEIGHT * self._reply(after, None if captured else rank)
        worth += self._own_next(after, rank)
        return worth + self._duty(after, rank)

    def _of_chain(self, rank: int) -> float:
        if self._held is None:
            return 0.0
        ladder = self._stakes.ladder
        points = ladder[min(self._held.step, len(ladder) - 1)] + self._held.mesa
        worth = points + self._stakes.card * (1 + self._held.cards)
        further = len(ladder) > self._held.step + 1
        return worth * (1 - 2 * self._next_holds((rank,)) * further) + self._duty(self._table, rank)

    def _reply(self, table: frozenset[int], laid: int | None) -> float:
        """Return what the next seat can be expected to get: it plays the best card that it has."""
        if not self._next:
            return 0.0
        answers = sorted(((self._answer(table, rank, laid), rank) for rank in table), reverse=True)
        expected = 0.0
        before = 1.0
        ranks: list[int] = []
        for value, rank in answers:
            ranks.append(rank)
            none = 1.0 - self._next_holds(ranks)
            expected += value * (before - none)
            before = none
        return expected

    def _answer(self, table: frozenset[int], rank: int, laid: int | None) -> float:
        captured = captured_from(table, rank)
        value = self._stakes.card * (1 + len(captured))
        if rank == laid and self._stakes.ladder:
            value += self._stakes.ladder[0]
        if len(captured) == len(table) and self._mesa_counts(self._left - 1):
            value += self._stakes.mesa
        return value

    def _own_next(self, table: frozenset[int], played: int) -> float:
        """Return what the rest of the hand can hope for when its turn comes round."""
        rest = list(self._hand)
        rest.remove(played)
        hopes = [
            self._stakes.card * (1 + len(captured_from(table, rank))) * _STAYS
            for rank in set(rest)
            if rank in table
        ]
        return 0.3 * max(hopes, default=0.0)

    def _last_capture(self, lying: int) -> float:
        """Return the worth of the leftovers, which go to whoever captures last in the deal."""
        if not self._last_batch:
            return 0.0
        return self._stakes.card * lying * 0.6**self._left

    def _mesa_counts(self, left: int) -> bool:
        """Tell whether a mesa scores that is made when so many cards are still to be played."""
        rules = self._memory.rules
        if rules is None or not self._last_batch:
            return True
        if rules.mesa_excluded == MesaExcluded.MESA_EXCLUDED_LAST_BATCH:
            return False
        return left > 0 or rules.mesa_excluded != MesaExcluded.MESA_EXCLUDED_LAST_CARD

    def _duty(self, table: frozenset[int], played: int) -> float:
        """Return what the dealer's last card can be expected to score, where that has a duty."""
        rules = self._memory.rules
        if rules is None or not (self._last_batch and self._deals) or len(self._hand) != 2:  # noqa: PLR2004 - this card and the last
            return 0.0
        duty = rules.dealer_duty
        rest = list(self._hand)
        rest.remove(played)
        last = rest[0]
        captures = 0.75 if last in table else 0.25 * (self._memory.unseen[last] > 0)
        won = duty.king if ORDER[last] == ORDER[-1] else -duty.ace if last == 0 else 0
        return captures * won - (1 - captures) * duty.miss

    def _next_holds(self, ranks: Iterable[int]) -> float:
        """Return how likely the next seat holds one of these ranks at least."""
        wanted = sum(self._memory.unseen[rank] for rank in ranks)
        return holds_one(self._memory.unseen_count, wanted, self._next)


def captured_from(table: frozenset[int], rank: int) -> frozenset[int]:
    """Return the ranks that a card takes: the equal one and the run above it."""
    top = rank
    while top in table:
        top += 1
    return frozenset(range(rank, top))


@lru_cache(maxsize=8192)
def holds_one(unseen: int, wanted: int, held: int) -> float:
    """Return how likely a hand of some of the unseen cards holds one of those wanted at least."""
    if held > unseen:
        return float(wanted > 0)
    return 1.0 - comb(unseen - wanted, held) / comb(unseen, held)
