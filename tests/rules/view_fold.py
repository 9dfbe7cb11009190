"""A client's own bookkeeping: views made from observed events alone, without the engine's state.

Written from the rules: it knows no hand but its seat's, draws nothing and judges nothing.
"""

from dataclasses import dataclass, field

from ronda_rules import events as ev
from ronda_rules.events import Event
from ronda_rules.view import AnnouncementView, PublicView, SeatView


@dataclass
class Watcher:
    """Follows a match as a seat, or as the public (None), sees it."""

    rule_set_id: str
    seat: int | None
    table_of_four: bool
    seats: int = 0
    deal: int = 0
    dealer: int = 0
    batch: int = 0
    hand_size: int = 0
    last_batch: bool = False
    hand: list[int] = field(default_factory=list)
    hand_sizes: list[int] = field(default_factory=list)
    piles: list[int] = field(default_factory=list)
    scores: list[int] = field(default_factory=list)
    table: set[int] = field(default_factory=set)
    undealt: int = 40
    waiting_for: int = 0
    set_aside: int = 0
    received: int = 0
    turn: int | None = None
    said: list[AnnouncementView] = field(default_factory=list)
    just_laid: int | None = None
    capturer: int | None = None
    winners: tuple[int, ...] = ()

    def see(self, event: Event) -> None:  # noqa: C901, PLR0912, PLR0915 - one case per event
        """Take one event in."""
        match event:
            case ev.MatchStarted(seats):
                self.seats = seats
                sides = 3 if seats == 3 else 2
                self.hand_sizes = [0] * seats
                self.piles = [0] * sides
                self.scores = [0] * sides
            case ev.DealStarted(deal, dealer):
                self.deal, self.dealer = deal, dealer
                self.undealt = 40
                self.batch = 0
                self.table.clear()
                self.said.clear()
                self.piles = [0] * len(self.piles)
                self.capturer = None
            case ev.BatchStarted(batch, hand_size, last):
                self.batch, self.hand_size, self.last_batch = batch, hand_size, last
                self.received = 0
                self.just_laid = None
                self.turn = None
                self.waiting_for = 4 if self.table_of_four and batch == 1 else 0
            case ev.HandDealt(seat, card_count, cards):
                self.hand_sizes[seat] = card_count
                self.undealt -= card_count
                if seat == self.seat:
                    self.hand = list(cards)
                else:
                    assert cards == (), "another seat's cards were shown"
                self.received += 1
                self._open_turn()
            case ev.TableTurned(cards):
                self.table |= set(cards)
                self.undealt += self.set_aside - len(cards)
                self.set_aside = 0
                self.waiting_for -= len(cards)
                self._open_turn()
            case ev.TableReturned(_, cards):
                self.table -= set(cards)
                self.set_aside = len(cards)
                self.waiting_for = len(cards)
                self.turn = None
            case ev.AnnouncementMade(seat, kind):
                self.said.append(AnnouncementView(self.batch, seat, kind))
            case ev.CardPlayed(seat, card):
                self.hand_sizes[seat] -= 1
                if seat == self.seat:
                    self.hand.remove(card)
                self.turn = (seat + 1) % self.seats
            case ev.CardLaid(_, card):
                self.table.add(card)
                self.just_laid = card
            case ev.CardsCaptured(seat, cards):
                self.table -= set(cards)
                self.piles[self._side(seat)] += len(cards) + 1
                self.just_laid = None
                self.capturer = seat
            case ev.LeftoversTaken(seat, cards):
                self.table -= set(cards)
                self.piles[self._side(seat)] += len(cards)
                self.just_laid = None
            case ev.MatchEnded(winners, scores):
                self.winners = winners
                self.turn = None
                assert list(scores) == self.scores
            case ev.DealEnded(_, scores):
                assert list(scores) == self.scores
            case ev.FirstDealerDrawn() | ev.AnnouncementsRevealed():
                pass
            case (
                ev.PlayAwarded(shares=shares)
                | ev.AnnouncementsAwarded(shares=shares)
                | ev.FalseAnnouncementPenalised(shares=shares)
                | ev.PilesCounted(shares=shares)
            ):
                for side, points in shares:
                    self.scores[side] += points

    def public(self) -> PublicView:
        """Give the public view."""
        return PublicView(
            rule_set_id=self.rule_set_id,
            seats=self.seats,
            deal=self.deal,
            dealer=self.dealer,
            batch=self.batch,
            last_batch=self.last_batch,
            to_act=() if self.turn is None else (self.turn,),
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
        )

    def own(self) -> SeatView:
        """Give the seat's view."""
        assert self.seat is not None
        return SeatView(self.public(), self.seat, tuple(self.hand))

    def _side(self, seat: int) -> int:
        return seat % 2 if self.seats == 4 else seat

    def _open_turn(self) -> None:
        if self.received == self.seats and not self.waiting_for:
            self.turn = (self.dealer + 1) % self.seats
