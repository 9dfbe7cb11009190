"""CAP-1 to CAP-5, CHAIN-1 to CHAIN-8, MESA-2 and MESA-4: what becomes of a card played."""

from ronda.v1 import event_pb2, rule_set_pb2
from tests.oracle import mesa
from tests.oracle.capture import taken_by
from tests.oracle.cards import Card, to_message, to_messages
from tests.oracle.match import Held, Match
from tests.oracle.payments import end_moment, receive, score, shares


def play(m: Match, seat: int, card: Card) -> bool:
    """Play a card and score it; tell whether it captured (a card held counts).

    Raises:
        MatchOver: the match has ended.
    """
    m.hands[seat].remove(card)
    m.played[seat].append(card)
    m.events.append(
        event_pb2.Event(card_played=event_pb2.CardPlayed(seat=seat, card=to_message(card)))
    )
    if m.held is not None and m.held.rank != card[0]:
        close_by_another(m, m.held)
    if m.held is not None:
        continue_chain(m, m.held, seat)
        return True
    taken = taken_by(m.table, card)
    if not taken:
        m.table.append(card)
        m.laid = card
        m.events.append(
            event_pb2.Event(card_laid=event_pb2.CardLaid(seat=seat, card=to_message(card)))
        )
        end_moment(m)
        return False
    caida = m.laid == taken[0]
    m.laid = None
    m.table = [other for other in m.table if other not in taken]
    if caida and len(m.ladder()) > 1:
        begin_chain(m, seat, card, taken)
        return True
    m.last_capturer = seat
    m.events.append(
        event_pb2.Event(cards_captured=event_pb2.CardsCaptured(seat=seat, cards=to_messages(taken)))
    )
    receive(m, m.side(seat), len(taken) + 1)
    step = m.ladder()[0] if caida and m.ladder() else 0
    award(m, seat, step, mesa.earned(m))
    end_moment(m)
    return True


def begin_chain(m: Match, seat: int, card: Card, taken: list[Card]) -> None:
    """Hold a caida's cards as step 1 of a pending chain (CHAIN-5, MESA-4)."""
    m.held = Held(seat, card[0], 1, len(taken) + 1, mesa.earned(m))
    hold(m, m.held, taken)


def continue_chain(m: Match, held: Held, seat: int) -> None:
    """Add an equal card to the held ones (CHAIN-5)."""
    held.seat = seat
    held.step += 1
    held.cards += 1
    if mesa.is_excluded(m):
        held.mesa = 0
    m.laid = None
    hold(m, held, [])


def hold(m: Match, held: Held, taken: list[Card]) -> None:
    """Record a step, and close the chain where its own card does so (CHAIN-7, CHAIN-8)."""
    m.events.append(
        event_pb2.Event(
            cards_held=event_pb2.CardsHeld(
                seat=held.seat, step=held.step, cards=to_messages(taken), mesa=held.mesa
            )
        )
    )
    points = m.ladder()[held.step - 1]
    last_of_batch = not any(m.hands)
    stays = m.rules.chain_across_batches and not m.last_batch
    if held.step == len(m.ladder()) or (last_of_batch and not stays):
        close(m, held)
        award(m, held.seat, points, held.mesa)
    elif m.rules.chain_payment == rule_set_pb2.CHAIN_PAYMENT_EACH_LINK:
        award(m, held.seat, points, 0)
    end_moment(m)


def close(m: Match, held: Held) -> None:
    """Give the held cards to the chain's last seat (CHAIN-6)."""
    m.held = None
    m.last_capturer = held.seat
    m.events.append(
        event_pb2.Event(
            chain_closed=event_pb2.ChainClosed(
                seat=held.seat, step=held.step, card_count=held.cards
            )
        )
    )
    receive(m, m.side(held.seat), held.cards)


def close_by_another(m: Match, held: Held) -> None:
    """Close a chain that the card just played does not continue (CHAIN-7, CHAIN-8)."""
    close(m, held)
    paid_already = m.rules.chain_payment == rule_set_pb2.CHAIN_PAYMENT_EACH_LINK
    award(m, held.seat, 0 if paid_already else m.ladder()[held.step - 1], held.mesa)
    end_moment(m)


def award(m: Match, seat: int, caida: int, mesa_points: int) -> None:
    """Score a card's or a chain's points as one award (MESA-2, PAY-2)."""
    side = m.side(seat)
    before = m.side((seat - 1) % m.seats)
    gains = [(side, caida, [before]), (side, mesa_points, m.others(side))]
    gained = shares(m, gains)
    if not gained:
        return
    score(m, gains)
    m.events.append(
        event_pb2.Event(
            play_awarded=event_pb2.PlayAwarded(
                seat=seat, caida=caida, mesa=mesa_points, shares=gained
            )
        )
    )
