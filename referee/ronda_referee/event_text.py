"""Events as a line of text that a person reads.

Works on the protocol's events alone, whole or with parts hidden, and also on ones that no referee
would write: what is unknown is shown as it is, and never fails.
"""

from collections.abc import Iterable, Mapping

from ronda.v1 import card_pb2, event_pb2, rule_set_pb2

_SUITS: dict[int, str] = {
    card_pb2.SUIT_OROS: "o",
    card_pb2.SUIT_COPAS: "c",
    card_pb2.SUIT_ESPADAS: "e",
    card_pb2.SUIT_BASTOS: "b",
}
_RANKS = frozenset(card_pb2.Rank.values()) - {card_pb2.RANK_UNSPECIFIED}
_KINDS: dict[int, str] = {
    rule_set_pb2.ANNOUNCEMENT_KIND_RONDA: "ronda",
    rule_set_pb2.ANNOUNCEMENT_KIND_TRINGA: "tringa",
    rule_set_pb2.ANNOUNCEMENT_KIND_DOUBLE_RONDA: "double ronda",
}
_FOUND: dict[int, str] = {
    rule_set_pb2.TABLE_FORBID_PAIRS: "a pair",
    rule_set_pb2.TABLE_FORBID_RUNS: "a run of four",
}
_SEATS_IN_PAIRS = 4


def printable(text: str) -> str:
    """Give a text from outside on one line, without anything that would steer a terminal."""
    return "".join(
        character if character.isprintable() else character.encode("unicode_escape").decode()
        for character in text
    )


def rank_text(rank: int) -> str:
    """Write a rank: 1 to 7, 10, 11 or 12; a ? stands before a number that is none."""
    return str(rank) if rank in _RANKS else f"?{rank}"


def card_text(card: card_pb2.Card) -> str:
    """Write a card as ``7o`` or ``12b``; what is unset or unknown in it as ?."""
    return rank_text(card.rank) + _SUITS.get(card.suit, "?")


def cards_text(cards: Iterable[card_pb2.Card]) -> str:
    """Write cards in the order given, and none as ``-``."""
    return " ".join(map(card_text, cards)) or "-"


def kind_text(kind: int) -> str:
    """Write a kind of announcement."""
    return _KINDS.get(kind, f"unknown kind {kind}")


class Names:
    """How seats and sides are called in a text.

    Attributes:
        in_pairs: whether each side is two seats.
    """

    def __init__(self, seats: int = 0, names: Mapping[int, str] | None = None) -> None:
        """Take the seat count, 0 where it is not known, and the names of seats that have one."""
        self.in_pairs = seats == _SEATS_IN_PAIRS
        self._names = names or {}

    def seat(self, seat: int) -> str:
        """Give ``seat 0`` or ``Amina (seat 0)``."""
        name = printable(self._names.get(seat, ""))
        return f"{name} (seat {seat})" if name else f"seat {seat}"

    def side(self, side: int) -> str:
        """Give the side's seat or seats (clause DEAL-2)."""
        if self.in_pairs:
            return f"seats {side} and {side + 2}"
        return self.seat(side)


def event_text(event: event_pb2.Event, names: Names | None = None) -> str:
    """Describe an event in a line."""
    which = event.WhichOneof("event")
    if which is None:
        return "an event without content"
    text: str = getattr(_Describer(names or Names()), which)(getattr(event, which))
    return text


def outcome_text(winners: Iterable[int], names: Names) -> str:
    """Say who won, or between whom a match was drawn: ``won by seat 0``."""
    sides = [names.side(side) for side in winners]
    if not sides:
        return "without a winner"
    *others, last = sides
    return f"drawn between {', '.join(others)} and {last}" if others else f"won by {last}"


def by_side_text(numbers: Iterable[int], names: Names) -> str:
    """Write one number for each side: ``seat 0 12, seat 1 41``."""
    return ", ".join(f"{names.side(side)} {number}" for side, number in enumerate(numbers))


class _Describer:
    """One method for each kind of event, named as the event's field."""

    def __init__(self, names: Names) -> None:
        self._names = names
        self._seat = names.seat
        self._side = names.side

    def match_started(self, event: event_pb2.MatchStarted) -> str:
        return f"the match begins with {event.seats} seats"

    def first_dealer_drawn(self, event: event_pb2.FirstDealerDrawn) -> str:
        return f"{self._seat(event.seat)} is drawn as the first dealer"

    def deal_started(self, event: event_pb2.DealStarted) -> str:
        return f"deal {event.deal}: {self._seat(event.dealer)} deals"

    def batch_started(self, event: event_pb2.BatchStarted) -> str:
        last = ", the last one" if event.last else ""
        return f"batch {event.batch}{last}: {_counted(event.hand_size, 'card')} each"

    def hand_dealt(self, event: event_pb2.HandDealt) -> str:
        cards = cards_text(event.cards) if event.cards else _counted(event.card_count, "card")
        return f"{self._seat(event.seat)} gets {cards}"

    def table_turned(self, event: event_pb2.TableTurned) -> str:
        return f"turned on the table: {cards_text(event.cards)}"

    def table_returned(self, event: event_pb2.TableReturned) -> str:
        found = _FOUND.get(event.found, f"unknown find {event.found}")
        return f"the table has {found}; back into the pack: {cards_text(event.cards)}"

    def announcement_made(self, event: event_pb2.AnnouncementMade) -> str:
        return f"{self._seat(event.seat)} announces a {kind_text(event.kind)}"

    def announcement_sealed(self, event: event_pb2.AnnouncementSealed) -> str:
        match event.WhichOneof("answer"):
            case "kind":
                answer = f"seals a {kind_text(event.kind)}"
            case "passed":
                answer = "seals that it announces nothing"
            case _:
                answer = "seals its answer"
        return f"{self._seat(event.seat)} {answer}"

    def announcement_passed(self, event: event_pb2.AnnouncementPassed) -> str:
        return f"{self._seat(event.seat)} announces nothing"

    def card_played(self, event: event_pb2.CardPlayed) -> str:
        return f"{self._seat(event.seat)} plays {card_text(event.card)}"

    def cards_captured(self, event: event_pb2.CardsCaptured) -> str:
        return f"{self._seat(event.seat)} captures {cards_text(event.cards)}"

    def card_laid(self, event: event_pb2.CardLaid) -> str:
        return f"{self._seat(event.seat)} lays {card_text(event.card)} on the table"

    def cards_held(self, event: event_pb2.CardsHeld) -> str:
        cards = f", with {cards_text(event.cards)}" if event.cards else ""
        mesa = f"; a mesa of {_counted(event.mesa, 'point')} travels along" if event.mesa else ""
        return f"{self._seat(event.seat)} holds the chain at step {event.step}{cards}{mesa}"

    def chain_closed(self, event: event_pb2.ChainClosed) -> str:
        taken = _counted(event.card_count, "card")
        return f"the chain closes at step {event.step}: {self._seat(event.seat)} takes {taken}"

    def play_awarded(self, event: event_pb2.PlayAwarded) -> str:
        parts = [
            f"{word} {_counted(points, 'point')}"
            for word, points in (("caida", event.caida), ("mesa", event.mesa))
            if points
        ]
        return f"{self._seat(event.seat)} makes {' and '.join(parts)}{self._gains(event.shares)}"

    def announcements_revealed(self, event: event_pb2.AnnouncementsRevealed) -> str:
        shown = [
            f"{self._seat(one.seat)} a "
            + (
                f"{kind_text(one.kind)} of {rank_text(one.rank)}"
                if one.rank
                else f"false {kind_text(one.kind)}"
            )
            for one in event.announcements
        ]
        return f"announced in batch {event.batch}: {', '.join(shown)}"

    def announcements_awarded(self, event: event_pb2.AnnouncementsAwarded) -> str:
        return f"the announcements of batch {event.batch} are paid{self._gains(event.shares)}"

    def award_withdrawn(self, event: event_pb2.AwardWithdrawn) -> str:
        lost = ", ".join(f"{self._side(share.side)} -{share.points}" for share in event.shares)
        return f"the award for the announcements of batch {event.batch} is taken back: {lost}"

    def false_announcement_penalised(self, event: event_pb2.FalseAnnouncementPenalised) -> str:
        what = f"the false {kind_text(event.kind)} of batch {event.batch}"
        return f"{self._seat(event.seat)} is penalised for {what}{self._gains(event.shares)}"

    def undeclared_penalised(self, event: event_pb2.UndeclaredPenalised) -> str:
        claimed = f" claimed by {self._seat(event.claimant)}" if event.HasField("claimant") else ""
        what = f"the undeclared {kind_text(event.kind)} of batch {event.batch}{claimed}"
        return f"{self._seat(event.seat)} is penalised for {what}{self._gains(event.shares)}"

    def announcement_challenged(self, event: event_pb2.AnnouncementChallenged) -> str:
        truth = "true" if event.announcement_true else "false"
        return (
            f"{self._seat(event.challenger)} challenges {self._seat(event.seat)}, "
            f"who had {cards_text(event.hand)}: the announcement is {truth}"
        )

    def window_passed(self, event: event_pb2.WindowPassed) -> str:
        return f"{self._seat(event.seat)} passes"

    def duty_awarded(self, event: event_pb2.DutyAwarded) -> str:
        return f"the dealer's duty of {self._seat(event.dealer)}{self._gains(event.shares)}"

    def cards_due(self, event: event_pb2.CardsDue) -> str:
        cards = _counted(event.cards, "card")
        what = " for the announcements of this batch" if event.award else ""
        owes = "owe" if self._names.in_pairs else "owes"
        return f"{self._side(event.payer)} {owes} {self._side(event.receiver)} {cards}{what}"

    def cards_paid(self, event: event_pb2.CardsPaid) -> str:
        cards = _counted(event.cards, "card")
        pays = "pay" if self._names.in_pairs else "pays"
        return f"{self._side(event.payer)} {pays} {self._side(event.receiver)} {cards}"

    def leftovers_taken(self, event: event_pb2.LeftoversTaken) -> str:
        return f"{self._seat(event.seat)} takes what is left: {cards_text(event.cards)}"

    def piles_counted(self, event: event_pb2.PilesCounted) -> str:
        piles = self._by_side(event.piles)
        return f"the piles are counted: {piles}{self._gains(event.shares)}"

    def deal_ended(self, event: event_pb2.DealEnded) -> str:
        return f"deal {event.deal} ends; total points: {self._by_side(event.scores)}"

    def seat_forfeited(self, event: event_pb2.SeatForfeited) -> str:
        return f"{self._seat(event.seat)} forfeits"

    def match_ended(self, event: event_pb2.MatchEnded) -> str:
        outcome = outcome_text(event.winners, self._names)
        return f"the match is {outcome}; total points: {self._by_side(event.scores)}"

    def _by_side(self, numbers: Iterable[int]) -> str:
        return by_side_text(numbers, self._names)

    def _gains(self, shares: Iterable[event_pb2.Share]) -> str:
        gains = ", ".join(f"{self._side(share.side)} +{share.points}" for share in shares)
        return f": {gains}" if gains else ""


def _counted(number: int, word: str) -> str:
    return f"{number} {word}" if number == 1 else f"{number} {word}s"
