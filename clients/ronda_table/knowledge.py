"""What one seat knows of a match, made of what it has seen and of nothing else."""

import random
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Self

from ronda.v1.card_pb2 import Card as CardMessage
from ronda.v1.event_pb2 import Event as EventMessage
from ronda.v1.rule_set_pb2 import RuleSet as RuleSetMessage
from ronda_referee.convert import (
    card_from_proto,
    card_to_proto,
    event_from_proto,
    rule_set_from_proto,
)
from ronda_rules.cards import FULL_PACK, Card, CardSet, RankIndex, cards_of, rank_index, set_of
from ronda_rules.events import (
    AnnouncementChallenged,
    AnnouncementsRevealed,
    BatchStarted,
    CardPlayed,
    DealStarted,
    Event,
    HandDealt,
    TableReturned,
    TableTurned,
)
from ronda_rules.evolve import evolve
from ronda_rules.holdings import BEST_FIRST, best_rank
from ronda_rules.rule_set import AnnouncementKind, Bluff, DoubleRonda, Timing
from ronda_rules.state import Announcement, MatchState, initial
from ronda_table.course import Course, RandomDraws
from ronda_table.hidden_hands import Fits, HiddenHand
from ronda_table.local_match import LocalMatch, rule_set_of

# Dealing all hidden hands at once succeeds in a few tries unless much is known of several.
_MOST_TRIES = 20_000


class NothingKnown(ValueError):
    """There is no decision to imagine: the match has not begun, or is over."""


class Contradiction(ValueError):
    """No deal fits what was seen: the events are not those of one match by these rules."""


class Knowledge:
    """What a seat knows: all that it saw, and what follows from it of the cards it did not see.

    It is used as::

        knowledge = Knowledge("maghribi", seat=1, seats=2)
        for event in events:                  # as the seat may see them, from the first on
            knowledge.saw(event)
        match = knowledge.determinise(random.Random(7))

    Every deal that fits is as likely as the others. What fits: cards that were seen are nowhere
    else; every hand has as many cards as it has; cards that went back from the table are in no
    hand of the first batch; an announcement is true where false ones are refused, and of the rank
    that was shown; where the referee announces for everyone a seat holds no better kind than was
    announced, and none where none was; a hand that a challenge has shown is that; a seat that has
    forfeited plays its lowest cards. What a seat chose to do or not to do says nothing.
    """

    def __init__(self, rule_set: str | RuleSetMessage, seat: int, seats: int) -> None:
        """Know nothing but the rules.

        Args:
            rule_set: The id of a rule set that is shipped, or one in full.
            seat: The seat that knows.
            seats: How many seats play.

        Raises:
            RuleSetUnknownError: There is no rule set of that id.
            RuleSetError: The rule set cannot be played.
            ValueError: There is no such seat.
        """
        if not 0 <= seat < seats:
            raise ValueError(f"there is no seat {seat}: the seats are 0 to {seats - 1}")
        self.seat = seat
        self._rules = rule_set_of(rule_set)
        # Hands of others are empty in it, and their cards stay in its pack.
        self._state = initial(rule_set_from_proto(self._rules), seats)
        self._seen: CardSet = 0
        self._not_dealt: CardSet = 0
        self._played: dict[tuple[int, int], tuple[Card, ...]] = {}
        self._lowest: dict[int, Card] = {}
        self._shown: dict[int, tuple[Card, ...]] = {}
        self._ranks: dict[int, RankIndex | None] = {}
        self._hidden: dict[bool, tuple[HiddenHand, ...]] = {}

    @classmethod
    def of(
        cls, rule_set: str | RuleSetMessage, seat: int, seats: int, events: Iterable[EventMessage]
    ) -> Self:
        """Return what a seat knows that has seen these events, from the first on.

        Raises:
            ValueError: As the class itself, and as `saw`.
        """
        knowledge = cls(rule_set, seat, seats)
        for event in events:
            knowledge.saw(event)
        return knowledge

    def saw(self, event: EventMessage) -> None:
        """Take in the next event, as the seat may see it.

        Raises:
            MalformedMessage: It is empty, or says what there is not.
        """
        self.note(event_from_proto(event))

    def note(self, event: Event) -> None:
        """Take in the next event in the engine's words."""
        match event:
            case DealStarted():
                self._seen = self._not_dealt = 0
                self._played.clear()
            case BatchStarted():
                self._not_dealt = 0
                self._lowest.clear()
                self._shown.clear()
                self._ranks.clear()
            case HandDealt(_, _, cards):
                self._seen |= set_of(cards)
            case TableTurned(cards):
                self._seen |= set_of(cards)
                self._not_dealt &= ~set_of(cards)
            case TableReturned(_, cards):
                # They rejoin the pack, and no hand of this batch holds them: those were dealt.
                self._seen &= ~set_of(cards)
                self._not_dealt |= set_of(cards)
            case CardPlayed(seat, card):
                self._seen |= 1 << card
                key = self._state.batch, seat
                self._played[key] = (*self._played.get(key, ()), card)
                if seat in self._state.forfeited:
                    self._lowest[seat] = card
            case AnnouncementChallenged(_, seat, hand, _):
                self._shown[seat] = hand
            case AnnouncementsRevealed(batch, announcements) if batch == self._state.batch:
                self._ranks = {one.seat: one.rank for one in announcements}
            case _:
                pass
        self._state = evolve(self._state, event)
        self._hidden.clear()

    @property
    def rule_set(self) -> RuleSetMessage:
        """The rule set that is played; not to be changed."""
        return self._rules

    @property
    def unseen(self) -> tuple[CardMessage, ...]:
        """The cards of this deal that the seat has not seen: in other hands, or not dealt yet."""
        return tuple(map(card_to_proto, cards_of(FULL_PACK & ~self._seen)))

    def hidden_hands(self, *, trust: bool = False) -> tuple[HiddenHand, ...]:
        """Return what the others may hold, in the engine's words, from seat 0 on.

        Args:
            trust: Whether announcements are taken to be true where they need not be.

        Raises:
            NothingKnown: No hands are held now.
        """
        if trust not in self._hidden:
            self._hidden[trust] = self._find_hidden_hands(trust=trust)
        return self._hidden[trust]

    def possible(self, hands: Mapping[int, Sequence[CardMessage]]) -> bool:
        """Tell whether the others may hold these cards now.

        Args:
            hands: The cards in hand of each other seat, by seat.

        Raises:
            NothingKnown: No hands are held now.
            MalformedMessage: A card is none.
        """
        hidden = self.hidden_hands()
        if {one.seat for one in hidden} != set(hands):
            return False
        held = {seat: [card_from_proto(card) for card in hand] for seat, hand in hands.items()}
        every = [card for hand in held.values() for card in hand]
        return len(set(every)) == len(every) and all(one.may_be(held[one.seat]) for one in hidden)

    def determinise(self, generator: random.Random, *, trust: float = 0.0) -> LocalMatch:
        """Return the match as it may stand: the unseen cards dealt out, each deal as likely.

        The seat sees in it what it sees and is asked what it is asked. What is to come is drawn
        with the same generator.

        Args:
            generator: Where the chance comes from.
            trust: With which probability, 0 to 1, announcements are taken to be true where they
                need not be.

        Raises:
            NothingKnown: No hands are held now.
            Contradiction: No deal fits.
        """
        state = self.imagine(generator, trust=trust)
        return LocalMatch.standing(self._rules, Course(state, RandomDraws(generator)))

    def imagine(self, generator: random.Random, *, trust: float = 0.0) -> MatchState:
        """Return the state of `determinise` in the engine's words."""
        trusting = trust > 0 and generator.random() < trust
        try:
            return self.filled(deal_hidden(self.hidden_hands(trust=trusting), generator))
        except Contradiction:
            if not trusting:
                raise
            # Somebody bluffs, and the cards show it.
            return self.filled(deal_hidden(self.hidden_hands(), generator))

    def filled(self, hidden: Mapping[int, tuple[Card, ...]]) -> MatchState:
        """Return the state in which the others hold these cards."""
        state = self._state
        hands, dealt = list(state.hands), list(state.dealt)
        pack = FULL_PACK & ~self._seen
        for seat, cards in hidden.items():
            hands[seat] = cards
            dealt[seat] = self._played.get((state.batch, seat), ()) + cards
            pack &= ~set_of(cards)
        return replace(
            state,
            hands=tuple(hands),
            dealt=tuple(dealt),
            pack=pack,
            announcements=tuple(self._with_rank(one, hidden) for one in state.announcements),
        )

    def _with_rank(self, one: Announcement, hidden: Mapping[int, tuple[Card, ...]]) -> Announcement:
        """Give an announcement the rank that it has with the cards its seat holds."""
        if one.seat == self.seat:
            return one
        cards = self._played.get((one.batch, one.seat), ())
        if one.batch == self._state.batch:
            cards += hidden[one.seat]
        return replace(one, rank=self._rank(one.kind, one.batch, map(rank_index, cards)))

    def _rank(
        self, kind: AnnouncementKind, batch: int, ranks: Iterable[RankIndex]
    ) -> RankIndex | None:
        rules = self._state.rules
        pairs = rules.double_ronda is DoubleRonda.ANY_FOUR_CARD_HAND or batch == 1
        return best_rank(kind, tuple(ranks), rules.rank_order, two_pairs_make_double=pairs)

    def _find_hidden_hands(self, *, trust: bool) -> tuple[HiddenHand, ...]:
        state = self._state
        if state.deal == 0 or state.winners or state.hands_dealt < state.seats:
            raise NothingKnown("no hands are held now: nothing can be imagined")
        unseen = FULL_PACK & ~self._seen & ~self._not_dealt
        return tuple(
            self._hidden_hand(seat, unseen, trust=trust)
            for seat in range(state.seats)
            if seat != self.seat
        )

    def _hidden_hand(self, seat: int, unseen: CardSet, *, trust: bool) -> HiddenHand:
        played = self._played.get((self._state.batch, seat), ())
        count = self._state.hand_size - len(played)
        if seat in self._shown:
            hand = set_of(self._shown[seat]) & ~set_of(played)
            return HiddenHand(seat, count, hand, lambda _ranks: True)
        fits = self._fits(seat, tuple(map(rank_index, played)), trust=trust)
        if seat in self._lowest:
            last = _height(self._lowest[seat])
            unseen = set_of(card for card in cards_of(unseen) if _height(card) > last)
            fits = fits or (lambda _ranks: True)
        return HiddenHand(seat, count, unseen, fits)

    def _fits(self, seat: int, played: tuple[RankIndex, ...], *, trust: bool) -> Fits | None:
        """Return what says whether a hand fits what its seat has announced; None: any does."""
        state = self._state
        said = next((one for one in state.of_this_batch() if one.seat == seat), None)
        if state.rules.timing is Timing.AUTOMATIC:
            return partial(self._is_best, None if said is None else said.kind, seat, played)
        if said is None or not (trust or state.rules.bluff is Bluff.REFUSED):
            return None
        return partial(self._is_true, said.kind, seat, played)

    def _is_true(
        self,
        kind: AnnouncementKind,
        seat: int,
        played: tuple[RankIndex, ...],
        hidden: Sequence[RankIndex],
    ) -> bool:
        rank = self._rank(kind, self._state.batch, (*played, *hidden))
        return rank == self._ranks[seat] if seat in self._ranks else rank is not None

    def _is_best(
        self,
        kind: AnnouncementKind | None,
        seat: int,
        played: tuple[RankIndex, ...],
        hidden: Sequence[RankIndex],
    ) -> bool:
        """Tell whether this kind, or none, is the one that the referee announces for a hand."""
        for better in BEST_FIRST:
            if not self._state.rules.kinds.of(better):
                continue
            if better is kind:
                return self._is_true(better, seat, played, hidden)
            if self._rank(better, self._state.batch, (*played, *hidden)) is not None:
                return False
        return kind is None


def deal_hidden(
    hidden: Sequence[HiddenHand], generator: random.Random
) -> dict[int, tuple[Card, ...]]:
    """Return cards for every hidden hand, each deal that fits as likely as the others.

    Raises:
        Contradiction: There is none.
    """
    bound = [one for one in hidden if not one.free]
    if any(one.hands() == 0 for one in bound):
        raise Contradiction("no deal fits what was seen")
    for attempt in range(_MOST_TRIES):
        # Hands drawn one by one may share a card; hands dealt together may not fit. Whichever
        # happens less often finds one first, and neither prefers any.
        dealt = _one_by_one(hidden, bound, generator)
        if dealt is None and attempt % 2:
            dealt = _together(hidden, generator)
        if dealt is not None:
            return dealt
    raise Contradiction(f"no deal that fits what was seen was found in {_MOST_TRIES} tries")


def _one_by_one(
    hidden: Sequence[HiddenHand], bound: Sequence[HiddenHand], generator: random.Random
) -> dict[int, tuple[Card, ...]] | None:
    dealt: dict[int, tuple[Card, ...]] = {}
    taken: CardSet = 0
    for one in bound:
        hand = one.draw(generator)
        mask = set_of(hand)
        if mask & taken:
            return None
        taken |= mask
        dealt[one.seat] = hand
    return _rest(hidden, dealt, taken, generator)


def _together(
    hidden: Sequence[HiddenHand], generator: random.Random
) -> dict[int, tuple[Card, ...]] | None:
    every: CardSet = 0
    for one in hidden:
        every |= one.cards
    cards = list(cards_of(every))
    generator.shuffle(cards)
    dealt: dict[int, tuple[Card, ...]] = {}
    for one in hidden:
        hand, cards = tuple(cards[: one.count]), cards[one.count :]
        if not one.may_be(hand):
            return None
        dealt[one.seat] = hand
    return dealt


def _rest(
    hidden: Sequence[HiddenHand],
    dealt: dict[int, tuple[Card, ...]],
    taken: CardSet,
    generator: random.Random,
) -> dict[int, tuple[Card, ...]] | None:
    """Deal the hands that may be anything, all from the same cards."""
    for one in hidden:
        if one.free:
            left = list(cards_of(one.cards & ~taken))
            if len(left) < one.count:
                return None
            hand = tuple(generator.sample(left, one.count))
            taken |= set_of(hand)
            dealt[one.seat] = hand
    return dealt


def _height(card: Card) -> tuple[int, int]:
    return rank_index(card), card
