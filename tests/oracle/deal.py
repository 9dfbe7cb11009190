"""DEAL-3 to DEAL-9: the dealer, the draws, batches and the first table."""

from ronda.v1 import event_pb2, rule_set_pb2
from tests.oracle.cards import PACK, RANKS, Card, to_messages
from tests.oracle.match import Match


class OutOfDraws(Exception):
    """Too few draws are left; the run waits."""


class DrawInvalid(Exception):
    """A draw names a card that is not in the pack, or no seat (DEAL-3, DEAL-4)."""


def draw(m: Match, count: int) -> list[Card]:
    """Draw a hand, or cards for the table, one after the other from the pack (DEAL-4).

    Raises:
        OutOfDraws: too few draws are left; none has been drawn.
        DrawInvalid: one of the cards is not in the pack.
    """
    if m.draws_left is not None and m.draws_left() < count:
        raise OutOfDraws
    cards = []
    for _ in range(count):
        card = m.source(m.pack)
        if card not in m.pack:
            raise DrawInvalid(f"draw {card}: this card is not in the pack")
        m.pack.remove(card)
        cards.append(card)
    return cards


def opening(m: Match) -> int:
    """Tell how a deal opens with this many seats (DEAL-5)."""
    return next(seats.opening for seats in m.rules.seats if seats.count == m.seats)


def hand_sizes(seats: int, opening_value: int) -> list[int]:
    """Tell the size of the hands in each batch of a deal (DEAL-5)."""
    if opening_value == rule_set_pb2.OPENING_TABLE_OF_FOUR:
        return [3] * (36 // (3 * seats))
    return [4] * 5 if seats == 2 else [4, 3, 3]


def first_dealer(m: Match, drawn_dealer: int) -> int:
    """Tell who deals first (DEAL-3).

    Raises:
        DrawInvalid: the dealer drawn is no seat of the match.
    """
    choice = m.rules.first_dealer.WhichOneof("choice")
    if choice == "seat":
        return m.rules.first_dealer.seat
    if m.rules.first_dealer.drawn:
        if drawn_dealer >= m.seats:
            raise DrawInvalid(f"drawn dealer {drawn_dealer} is no seat")
        m.events.append(
            event_pb2.Event(first_dealer_drawn=event_pb2.FirstDealerDrawn(seat=drawn_dealer))
        )
        return drawn_dealer
    return m.seats - 1


def start_deal(m: Match) -> None:
    """Begin a deal with all forty cards in the pack (MATCH-1)."""
    m.deal += 1
    m.pack = list(PACK)
    m.table = []
    m.piles = [0] * m.sides
    m.last_capturer = None
    m.laid = None
    m.held = None
    m.announcements = []
    m.punished = [0] * m.seats
    m.debts = []
    m.batch = 0
    m.events.append(
        event_pb2.Event(deal_started=event_pb2.DealStarted(deal=m.deal, dealer=m.dealer))
    )


def start_batch(m: Match) -> None:
    """Deal a batch, and in the first one the table (DEAL-5, DEAL-6, DEAL-9)."""
    sizes = hand_sizes(m.seats, opening(m))
    m.batch += 1
    m.last_batch = m.batch == len(sizes)
    m.dealt = [[] for _ in range(m.seats)]
    m.hands = [[] for _ in range(m.seats)]
    m.played = [[] for _ in range(m.seats)]
    m.charged = []
    m.award = []
    m.award_paid = []
    for debt in m.debts:
        debt.award = False
    if not m.rules.chain_across_batches:
        m.laid = None
    size = sizes[m.batch - 1]
    m.events.append(
        event_pb2.Event(
            batch_started=event_pb2.BatchStarted(batch=m.batch, hand_size=size, last=m.last_batch)
        )
    )
    for seat in m.order():
        cards = draw(m, size)
        m.dealt[seat] = list(cards)
        m.hands[seat] = list(cards)
        m.events.append(
            event_pb2.Event(
                hand_dealt=event_pb2.HandDealt(seat=seat, card_count=size, cards=to_messages(cards))
            )
        )
    if m.batch == 1 and opening(m) == rule_set_pb2.OPENING_TABLE_OF_FOUR:
        turn_table(m)


def turn_table(m: Match) -> None:
    """Turn four cards and mend the table until it is valid (DEAL-6 to DEAL-8)."""
    m.table = turn(m, 4)
    while True:
        found = forbidden(m)
        if found == rule_set_pb2.TABLE_FORBID_UNSPECIFIED:
            return
        if m.rules.table_remedy == rule_set_pb2.TABLE_REMEDY_RETURN_ALL:
            back = list(m.table)
        else:
            back = [to_return(m.table)]
        m.events.append(
            event_pb2.Event(
                table_returned=event_pb2.TableReturned(found=found, cards=to_messages(back))
            )
        )
        m.table = [card for card in m.table if card not in back]
        m.table = m.table + turn(m, len(back))
        m.pack = m.pack + back


def turn(m: Match, count: int) -> list[Card]:
    """Turn cards face up, one after the other."""
    cards = draw(m, count)
    m.events.append(event_pb2.Event(table_turned=event_pb2.TableTurned(cards=to_messages(cards))))
    return cards


def forbidden(m: Match) -> rule_set_pb2.TableForbid.ValueType:
    """Tell what is forbidden about the four cards, or unspecified (DEAL-7)."""
    places = sorted(RANKS.index(rank) for rank, _ in m.table)
    pairs = len(set(places)) < 4
    run = places == [places[0], places[0] + 1, places[0] + 2, places[0] + 3]
    if pairs and rule_set_pb2.TABLE_FORBID_PAIRS in m.rules.table_forbids:
        return rule_set_pb2.TABLE_FORBID_PAIRS
    if run and rule_set_pb2.TABLE_FORBID_RUNS in m.rules.table_forbids:
        return rule_set_pb2.TABLE_FORBID_RUNS
    return rule_set_pb2.TABLE_FORBID_UNSPECIFIED


def to_return(table: list[Card]) -> Card:
    """Tell which of the cards, in the order turned, goes back alone (DEAL-8)."""
    for place, card in enumerate(table):
        if card[0] in [rank for rank, _ in table[:place]]:
            return card
    return table[-1]
