"""A watcher's own bookkeeping: views made from observed events alone, without the engine's state.

Written from the rules, as a client would write it: it knows no hand but its seat's, draws nothing
and judges nothing. So what it shows at any time is what its seat was really given.
"""

from dataclasses import dataclass, field

from ronda_rules import events as ev
from ronda_rules.engine import Asked
from ronda_rules.events import Event
from ronda_rules.rule_set import (
    AnnouncementKind,
    DoubleRonda,
    Opening,
    RuleSet,
    Scoring,
    Timing,
    UndeclaredDetection,
)
from ronda_rules.view import AnnouncementView, DebtView, HeldView, PublicView, SeatView

# Of seats, of sides, and of cards of a rank.
_PAIR, _THREE, _FOUR = 2, 3, 4


class SeenWrong(Exception):
    """What a watcher was given does not fit together.

    Attributes:
        detail: what does not, for people.
    """

    def __init__(self, detail: str) -> None:
        """Keep the detail."""
        super().__init__(detail)
        self.detail = detail


def _expect(holds: bool, detail: str) -> None:  # noqa: FBT001 - it is what is expected
    if not holds:
        raise SeenWrong(detail)


@dataclass
class Watcher:
    """Follows a match as a seat, or as the public (None), sees it."""

    rules: RuleSet
    seat: int | None
    seats: int = 0
    deal: int = 0
    dealer: int = 0
    batch: int = 0
    hand_size: int = 0
    last_batch: bool = False
    hand: list[int] = field(default_factory=list)
    hand_sizes: list[int] = field(default_factory=list)
    played: list[list[int]] = field(default_factory=list)
    piles: list[int] = field(default_factory=list)
    scores: list[int] = field(default_factory=list)
    table: set[int] = field(default_factory=set)
    undealt: int = 40
    waiting_for: int = 0
    set_aside: int = 0
    received: int = 0
    said: list[AnnouncementView] = field(default_factory=list)
    answered: set[int] = field(default_factory=set)
    void: set[int] = field(default_factory=set)
    charged: set[int] = field(default_factory=set)
    asked_up_to: int = 0
    asking: int | None = None
    just_laid: int | None = None
    held: HeldView | None = None
    debts: list[DebtView] = field(default_factory=list)
    award_debts: list[bool] = field(default_factory=list)
    capturer: int | None = None
    forfeited: list[int] = field(default_factory=list)
    winners: tuple[int, ...] = ()

    def see(self, event: Event) -> None:  # noqa: C901, PLR0912, PLR0915 - one case per event
        """Take one event in.

        Raises:
            SeenWrong: it shows what this watcher may not see, hides what it may, or contradicts
                the events before.
        """
        match event:
            case ev.MatchStarted(seats):
                self.seats = seats
                sides = seats if seats == _THREE else _PAIR
                self.hand_sizes = [0] * seats
                self.piles = [0] * sides
                self.scores = [0] * sides
            case ev.DealStarted(deal, dealer):
                self.deal, self.dealer = deal, dealer
                self.undealt = 40
                self.batch = 0
                self.table.clear()
                self.said.clear()
                self.debts.clear()
                self.award_debts.clear()
                self.piles = [0] * len(self.piles)
                self.capturer = None
                self.just_laid = None
            case ev.BatchStarted(batch, hand_size, last):
                self.batch, self.hand_size, self.last_batch = batch, hand_size, last
                self.received = 0
                self.answered.clear()
                self.void.clear()
                self.charged.clear()
                self.asked_up_to = 0
                self.asking = None
                self.played = [[] for _ in range(self.seats)]
                self.award_debts = [False] * len(self.debts)
                if not self.rules.chain_across_batches:
                    self.just_laid = None
                four = self.rules.opening(self.seats) is Opening.TABLE_OF_FOUR
                self.waiting_for = 4 if four and batch == 1 else 0
            case ev.HandDealt(seat, card_count, cards):
                self.hand_sizes[seat] = card_count
                self.undealt -= card_count
                if seat == self.seat:
                    _expect(len(cards) == card_count, "its own hand was not shown to a seat")
                    self.hand = list(cards)
                else:
                    _expect(cards == (), "another seat's hand was shown")
                self.received += 1
            case ev.TableTurned(cards):
                self.table |= set(cards)
                self.undealt += self.set_aside - len(cards)
                self.set_aside = 0
                self.waiting_for -= len(cards)
            case ev.TableReturned(_, cards):
                self.table -= set(cards)
                self.set_aside = len(cards)
                self.waiting_for = len(cards)
            case ev.AnnouncementSealed(seat, answer):
                hidden = answer is ev.Answer.HIDDEN
                _expect(hidden == (seat != self.seat), "a sealed answer was shown, or hidden")
                self.answered.add(seat)
            case ev.AnnouncementMade(seat, kind):
                self.said.append(AnnouncementView(self.batch, seat, kind))
                self.answered.add(seat)
            case ev.AnnouncementPassed(seat):
                self.answered.add(seat)
            case ev.AnnouncementChallenged(challenger, seat, _, announcement_true):
                self.asking = challenger
                if not announcement_true:
                    self.void.add(seat)
            case ev.WindowPassed(seat):
                self.asking = None
                self.asked_up_to = self._order().index(seat) + 1
            case ev.CardPlayed(seat, card):
                self.hand_sizes[seat] -= 1
                self.played[seat].append(card)
                self.asking = None
                self.asked_up_to = 0
                if seat == self.seat:
                    _expect(card in self.hand, "a seat plays a card that it was not given")
                    self.hand.remove(card)
            case ev.CardLaid(_, card):
                self.table.add(card)
                self.just_laid = card
            case ev.CardsCaptured(seat, cards):
                self.table -= set(cards)
                self.piles[self._side(seat)] += len(cards) + 1
                self.just_laid = None
                self.capturer = seat
            case ev.CardsHeld(seat, step, cards, mesa):
                count = len(cards) + 1 + (self.held.cards if self.held else 0)
                self.held = HeldView(seat, self.played[seat][-1] % 10, step, count, mesa)
                self.table -= set(cards)
                self.just_laid = None
            case ev.ChainClosed(seat, _, card_count):
                held = None if self.held is None else (self.held.seat, self.held.cards)
                _expect(held == (seat, card_count), "a chain ends that was not held")
                self.held = None
                self.piles[self._side(seat)] += card_count
                self.capturer = seat
            case ev.LeftoversTaken(seat, cards):
                self.table -= set(cards)
                self.piles[self._side(seat)] += len(cards)
                self.just_laid = None
            case ev.CardsDue(payer, receiver, due, award):
                self.debts.append(DebtView(payer, receiver, due))
                self.award_debts.append(award)
            case ev.CardsPaid(payer, receiver, due):
                self._pay(payer, receiver, due)
            case ev.SeatForfeited(seat):
                self.forfeited.append(seat)
            case ev.MatchEnded(winners, scores):
                self.winners = winners
                _expect(list(scores) == self.scores, "the scores are not the sum of the points")
            case ev.DealEnded(_, scores):
                _expect(list(scores) == self.scores, "the scores are not the sum of the points")
            case ev.FirstDealerDrawn() | ev.AnnouncementsRevealed():
                pass
            case ev.AwardWithdrawn(_, shares):
                self._score(tuple((side, -points) for side, points in shares))
                kept = [
                    x for x, award in zip(self.debts, self.award_debts, strict=True) if not award
                ]
                self.debts, self.award_debts = kept, [False] * len(kept)
            case ev.PilesCounted(_, shares):
                for side, points in shares:
                    self.scores[side] += points
                self.debts.clear()
                self.award_debts.clear()
            case ev.UndeclaredPenalised(_, seat, _, shares, claimant):
                self._score(shares)
                if claimant is not None:
                    self.charged.add(seat)
                    self.asking = claimant
            case (
                ev.PlayAwarded(shares=shares)
                | ev.AnnouncementsAwarded(shares=shares)
                | ev.FalseAnnouncementPenalised(shares=shares)
                | ev.DutyAwarded(shares=shares)
            ):
                self._score(shares)

    def public(self) -> PublicView:
        """Give the public view."""
        to_act, asked = self._asked()
        return PublicView(
            rule_set_id=self.rules.id,
            seats=self.seats,
            deal=self.deal,
            dealer=self.dealer,
            batch=self.batch,
            last_batch=self.last_batch,
            to_act=to_act,
            table=tuple(sorted(self.table, key=lambda card: (card % 10, card))),
            hand_sizes=tuple(self.hand_sizes),
            pile_sizes=tuple(self.piles),
            pack_size=self.undealt,
            scores=tuple(self.scores),
            announcements=tuple(self.said),
            caida_card=self.just_laid,
            last_capturer=self.capturer,
            over=bool(self.winners),
            winners=self.winners,
            asked=asked,
            held=self.held,
            answered=tuple(sorted(self.answered)),
            debts=tuple(self.debts),
            forfeited=tuple(sorted(self.forfeited)),
        )

    def own(self) -> SeatView:
        """Give the seat's view.

        Raises:
            ValueError: it is the public that watches.
        """
        if self.seat is None:
            raise ValueError("the public has no hand")
        return SeatView(self.public(), self.seat, tuple(self.hand))

    def _side(self, seat: int) -> int:
        return seat % 2 if self.seats == _FOUR else seat

    def _order(self) -> list[int]:
        return [(self.dealer + 1 + i) % self.seats for i in range(self.seats)]

    def _score(self, shares: ev.Shares) -> None:
        if self.rules.scoring is Scoring.POINTS:
            for side, points in shares:
                self.scores[side] += points

    def _pay(self, payer: int, receiver: int, due: int) -> None:
        self.piles[payer] -= due
        self.piles[receiver] += due
        payable = (i for i, debt in enumerate(self.debts) if debt.payer == payer)
        place = next(payable, None)
        if place is None or self.debts[place].receiver != receiver:
            raise SeenWrong("cards are paid that were not due")
        left = self.debts[place].cards - due
        if left:
            self.debts[place] = DebtView(payer, receiver, left)
        else:
            del self.debts[place]
            del self.award_debts[place]

    def _asked(self) -> tuple[tuple[int, ...], Asked | None]:
        if self.winners or not self.batch or self.received < self.seats or self.waiting_for:
            return (), None
        played = sum(map(len, self.played))
        if not played:
            missing = [seat for seat in self._order() if seat not in self.answered]
            if missing and self.rules.kinds.named():
                if self.rules.timing is Timing.IN_ORDER:
                    return (missing[0],), Asked.ANNOUNCEMENT
                if self.rules.timing is Timing.SIMULTANEOUS:
                    return tuple(sorted(missing)), Asked.ANNOUNCEMENT
        window = None
        if not played and self.rules.timing is not Timing.FIRST_TURN:
            window = Asked.CHALLENGE
        if played == self.hand_size * self.seats:
            window = Asked.CLAIM
        for seat in self._order()[self.asked_up_to :]:
            doubts = window is Asked.CHALLENGE and self._doubts(seat)
            claims = window is Asked.CLAIM and self._claims(seat)
            if window and (seat == self.asking or doubts or claims):
                return (seat,), window
        return (self._order()[played % self.seats],), Asked.CARD

    def _of_batch(self) -> set[int]:
        return {one.seat for one in self.said if one.batch == self.batch}

    def _doubts(self, seat: int) -> bool:
        others = self._of_batch() - self.void - set(self.forfeited)
        return self.rules.challenge and any(
            self._side(other) != self._side(seat) for other in others
        )

    def _claims(self, seat: int) -> bool:
        if self.rules.undeclared_detection is not UndeclaredDetection.CLAIM:
            return False
        return any(
            self._side(other) != self._side(seat) and self._held_something(other)
            for other in set(range(self.seats)) - self._of_batch() - self.charged
        )

    def _held_something(self, seat: int) -> bool:
        """Whether a hand played out held what has a value."""
        ranks = [card % 10 for card in self.played[seat]]
        counts = sorted(ranks.count(rank) for rank in set(ranks))
        valued = set(self.rules.kinds.named())
        everywhere = self.rules.double_ronda is DoubleRonda.ANY_FOUR_CARD_HAND
        pairs = counts == [_PAIR, _PAIR] and (everywhere or self.batch == 1)
        return bool(
            (AnnouncementKind.RONDA in valued and counts[-1] >= _PAIR)
            or (AnnouncementKind.TRINGA in valued and _THREE in counts)
            or (AnnouncementKind.DOUBLE_RONDA in valued and (pairs or _FOUR in counts))
        )
