"""What a bot remembers of a match: the rules, and the cards of the deal that it has seen.

It is made of what the bot is told, and where a bot is told nothing, of the view alone.
"""

from collections import Counter

from ronda.v1.card_pb2 import Card, Rank
from ronda.v1.event_pb2 import Event
from ronda.v1.rule_set_pb2 import RuleSet
from ronda.v1.view_pb2 import SeatView

# What follows what: 10 comes right after 7, and nothing after 12.
ORDER = (
    Rank.RANK_1,
    Rank.RANK_2,
    Rank.RANK_3,
    Rank.RANK_4,
    Rank.RANK_5,
    Rank.RANK_6,
    Rank.RANK_7,
    Rank.RANK_10,
    Rank.RANK_11,
    Rank.RANK_12,
)
SUITS = 4


class Memory:
    """What is known at a decision.

    Attributes:
        rules: The rule set; None: the bot was not told.
        seats: How many seats play.
        unseen: How many cards of each rank, by its place in `ORDER`, were not seen in this deal.
        played: The ranks that each seat has played in this batch, by seat.
        shown: Seats whose hand of this batch a challenge has shown.
    """

    def __init__(self) -> None:
        """Remember nothing yet."""
        self.rules: RuleSet | None = None
        self.seats = 0
        self.unseen = [SUITS] * len(ORDER)
        self.played: dict[int, list[int]] = {}
        self.shown: set[int] = set()
        self._seen: set[tuple[int, int]] = set()
        self._told = False

    def begins(self, rule_set: RuleSet, seats: int) -> None:
        """Take note of a new match."""
        self.rules = rule_set
        self.seats = seats
        self._new_deal()

    def saw(self, event: Event) -> None:
        """Take note of an event."""
        self._told = True
        match event.WhichOneof("event"):
            case "deal_started" | "match_started":
                self._new_deal()
            case "batch_started":
                self.played = {}
                self.shown = set()
            case "hand_dealt":
                self._see(*event.hand_dealt.cards)
            case "table_turned":
                self._see(*event.table_turned.cards)
            case "table_returned":
                self._forget(*event.table_returned.cards)
            case "card_played":
                self._see(event.card_played.card)
                played = self.played.setdefault(event.card_played.seat, [])
                played.append(place(event.card_played.card))
            case "announcement_challenged":
                self.shown.add(event.announcement_challenged.seat)
                self._see(*event.announcement_challenged.hand)
            case _:
                pass

    def looks_at(self, view: SeatView) -> None:
        """Take note of what lies open, which is all that a bot without events ever sees."""
        self.seats = view.public.seats
        if not self._told:
            self._new_deal()
        self._see(*view.hand, *view.public.table)

    @property
    def unseen_count(self) -> int:
        """How many cards of this deal were not seen."""
        return sum(self.unseen)

    def _new_deal(self) -> None:
        self._seen = set()
        self.unseen = [SUITS] * len(ORDER)
        self.played = {}
        self.shown = set()

    def _see(self, *cards: Card) -> None:
        for card in cards:
            key = card.rank, card.suit
            if key not in self._seen:
                self._seen.add(key)
                self.unseen[place(card)] -= 1

    def _forget(self, *cards: Card) -> None:
        for card in cards:
            self._seen.discard((card.rank, card.suit))
            self.unseen[place(card)] += 1


def place(card: Card) -> int:
    """Return a card's rank by its place in `ORDER`.

    Raises:
        ValueError: It is no rank.
    """
    try:
        return _PLACES[card.rank]
    except KeyError:
        raise ValueError(f"{card.rank} is no rank") from None


_PLACES = {rank: number for number, rank in enumerate(ORDER)}


def counted(places: list[int]) -> Counter[int]:
    """Return how often each rank occurs."""
    return Counter(places)
