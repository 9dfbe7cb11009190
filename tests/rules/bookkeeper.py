"""Bookkeeping by the events alone: where every single card lies, and every point.

Sets of cards are masks of forty bits, as in `ronda_rules.cards`; how they are moved is its own.
"""

from collections.abc import Iterable

from ronda_rules import events as ev
from ronda_rules.events import Event
from ronda_rules.rule_set import RuleSet, Scoring
from ronda_rules.state import MatchState

FORTY = 2**40 - 1
TEN = 2**10 - 1


class Bookkeeper:
    """Follows a match from its first event; refuses what brings cards or points out of order."""

    def __init__(self, rules: RuleSet, seats: int) -> None:
        """Start before the first event."""
        self.in_cards = rules.scoring is Scoring.CARD_TRANSFER
        self.sides = 3 if seats == 3 else 2
        self.hands = [0] * seats
        self.scores = [0] * self.sides
        self.deals = 0
        self.dealer: int | None = None
        self.next_to_receive = self.next_to_play = 0
        self.over = False
        self._new_deal()

    def _new_deal(self) -> None:
        self.pack = FORTY
        self.aside = 0
        self.table = 0
        self.played = 0
        self.held = 0
        self.piles = [0] * self.sides
        self.punished = [0] * len(self.hands)
        self.charged: set[int] = set()

    def see(self, event: Event) -> None:  # noqa: C901, PLR0912, PLR0915 - one case per event
        """Take one event in; every card must come from where it is."""
        assert not self.over
        match event:
            case ev.DealStarted(deal, dealer):
                self.deals += 1
                assert self.dealer is None or dealer == self._next(self.dealer)
                self.dealer = dealer
                assert deal == self.deals
                assert not any(self.hands)
                self._new_deal()
            case ev.BatchStarted():
                assert self.dealer is not None
                assert not any(self.hands)
                self.next_to_receive = self.next_to_play = self._next(self.dealer)
                self.charged = set()
            case ev.HandDealt(seat, card_count, cards):
                assert seat == self.next_to_receive
                self.next_to_receive = self._next(seat)
                dealt = mask_of(cards)
                assert dealt.bit_count() == card_count == len(cards)
                assert not self.hands[seat]
                assert dealt & ~self.pack == 0
                self.pack ^= dealt
                self.hands[seat] = dealt
            case ev.TableTurned(cards):
                turned = mask_of(cards)
                assert turned & ~self.pack == 0
                assert turned.bit_count() == len(cards)
                self.pack ^= turned
                self.table |= turned
                self.pack |= self.aside
                self.aside = 0
            case ev.TableReturned(_, cards):
                self._from_table(cards)
                self.aside = mask_of(cards)
            case ev.CardPlayed(seat, card):
                assert seat == self.next_to_play
                self.next_to_play = self._next(seat)
                assert not self.played
                assert self.hands[seat] >> card & 1
                self.hands[seat] ^= 1 << card
                self.played = 1 << card
            case ev.CardLaid(_, card):
                assert self.played == 1 << card
                self.table |= self.played
                self.played = 0
            case ev.CardsCaptured(seat, cards):
                self._is_a_run(cards)
                self.piles[seat % self.sides] |= self._from_table(cards) | self.played
                self.played = 0
            case ev.CardsHeld(_, _, cards, _):
                assert self.played
                self.held |= self._from_table(cards) | self.played
                self.played = 0
            case ev.ChainClosed(seat, _, card_count):
                assert self.held.bit_count() == card_count
                self.piles[seat % self.sides] |= self.held
                self.held = 0
            case ev.CardsPaid(payer, receiver, count):
                assert 1 <= count <= self.piles[payer].bit_count()
                for _ in range(count):
                    lowest = self.piles[payer] & -self.piles[payer]
                    self.piles[payer] ^= lowest
                    self.piles[receiver] |= lowest
            case ev.LeftoversTaken(seat, cards):
                self.piles[seat % self.sides] |= self._from_table(cards)
            case ev.PilesCounted(piles, shares):
                assert list(piles) == [pile.bit_count() for pile in self.piles]
                self._score(shares, 1)
            case ev.DealEnded(_, scores):
                assert sum(pile.bit_count() for pile in self.piles) == 40
                assert list(scores) == self.scores
            case ev.MatchEnded(_, scores):
                assert list(scores) == self.scores
                self.over = True
            case ev.AwardWithdrawn(_, shares):
                self._score(shares, 0 if self.in_cards else -1)
            case ev.FalseAnnouncementPenalised(_, seat, _, shares):
                self.punished[seat] += 1
                self._score(shares, 0 if self.in_cards else 1)
            case ev.UndeclaredPenalised(_, seat, _, shares, claimant):
                if claimant is not None:
                    assert seat not in self.charged
                    self.charged.add(seat)
                self._score(shares, 0 if self.in_cards else 1)
            case (
                ev.PlayAwarded(shares=shares)
                | ev.AnnouncementsAwarded(shares=shares)
                | ev.DutyAwarded(shares=shares)
            ):
                self._score(shares, 0 if self.in_cards else 1)
            case _:
                pass

    def _is_a_run(self, cards: tuple[int, ...]) -> None:
        """See that the card played takes its equal and the whole run above it (CAP-2, CAP-3)."""
        low = (self.played.bit_length() - 1) % 10
        assert [card % 10 for card in cards] == list(range(low, low + len(cards)))
        above = low + len(cards)
        assert cards
        assert above == 10 or not any(self.table >> suit + above & 1 for suit in (0, 10, 20, 30))

    def _next(self, seat: int) -> int:
        return (seat + 1) % len(self.hands)

    def _from_table(self, cards: tuple[int, ...]) -> int:
        taken = mask_of(cards)
        assert taken.bit_count() == len(cards)
        assert taken & ~self.table == 0
        self.table ^= taken
        return taken

    def _score(self, shares: ev.Shares, sign: int) -> None:
        for side, points in shares:
            assert points >= 1
            self.scores[side] += sign * points

    def agrees_with(self, state: MatchState) -> None:
        """See that all forty cards are somewhere, and that a state has them where they are."""
        places = [self.pack, self.aside, self.table, self.played, self.held]
        places += self.hands
        places += self.piles
        together = total = 0
        for place in places:
            together |= place
            total += place.bit_count()
        assert (together, total) == (FORTY, 40)
        assert [mask_of(hand) for hand in state.hands] == self.hands
        assert state.table == self.table
        assert state.pack == self.pack
        assert state.returned == self.aside
        assert list(state.piles) == [pile.bit_count() for pile in self.piles]
        assert list(state.scores) == self.scores
        assert (state.held.cards if state.held else 0) == self.held.bit_count()
        assert list(state.punished) == self.punished
        assert set(state.claimed) == self.charged
        # Whoever owes has nothing to pay with.
        for debt in state.debts:
            assert state.piles[debt.payer] == 0

    def no_two_equal_ranks(self) -> None:
        """See that the table has a rank once at most (CAP-3)."""
        table = self.table
        ranks = (table | table >> 10 | table >> 20 | table >> 30) & TEN
        assert ranks.bit_count() == table.bit_count()


def mask_of(cards: Iterable[int]) -> int:
    """Give some cards as a mask."""
    mask = 0
    for card in cards:
        mask |= 1 << card
    return mask
