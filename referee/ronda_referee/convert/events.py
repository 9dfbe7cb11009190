"""Events, from the engine to the protocol."""

from functools import lru_cache

from ronda.v1 import card_pb2, event_pb2
from ronda_referee.convert.words import (
    FORBID_NUMBERS,
    KIND_NUMBERS,
    RANK_NUMBERS,
    card_to_proto,
    cards_to_proto,
)
from ronda_rules import events
from ronda_rules.cards import RANKS
from ronda_rules.rule_set import AnnouncementKind

_REMEMBERED_EVENTS = 4096


@lru_cache(_REMEMBERED_EVENTS)
def public_event_to_proto(event: events.Event) -> event_pb2.Event:
    """Give the message for an event that everyone may see in full, as `public_event_bytes`.

    It is the same one each time: what changes it takes a copy.
    """
    return event_to_proto(event)


@lru_cache(_REMEMBERED_EVENTS)
def public_event_bytes(event: events.Event) -> bytes:
    """Give the serialized message, as a log takes it, for an event that everyone may see in full.

    Most events come again and again in all matches, and are serialized once. What only some may
    see is not for this: it would be kept for longer than its match.
    """
    return event_to_proto(event).SerializeToString(deterministic=True)


def event_to_proto(event: events.Event) -> event_pb2.Event:  # noqa: C901, PLR0911, PLR0912, PLR0915 - one case per event
    """Give the message for an event, with all that the event holds."""
    match event:
        case events.MatchStarted(seats):
            return event_pb2.Event(match_started=event_pb2.MatchStarted(seats=seats))
        case events.FirstDealerDrawn(seat):
            return event_pb2.Event(first_dealer_drawn=event_pb2.FirstDealerDrawn(seat=seat))
        case events.DealStarted(deal, dealer):
            return event_pb2.Event(deal_started=event_pb2.DealStarted(deal=deal, dealer=dealer))
        case events.BatchStarted(batch, hand_size, last):
            started = event_pb2.BatchStarted(batch=batch, hand_size=hand_size, last=last)
            return event_pb2.Event(batch_started=started)
        case events.HandDealt(seat, card_count, cards):
            dealt = event_pb2.HandDealt(
                seat=seat, card_count=card_count, cards=cards_to_proto(cards)
            )
            return event_pb2.Event(hand_dealt=dealt)
        case events.TableTurned(cards):
            return event_pb2.Event(table_turned=event_pb2.TableTurned(cards=cards_to_proto(cards)))
        case events.TableReturned(found, cards):
            returned = event_pb2.TableReturned(
                found=FORBID_NUMBERS[found], cards=cards_to_proto(cards)
            )
            return event_pb2.Event(table_returned=returned)
        case events.AnnouncementMade(seat, kind):
            made = event_pb2.AnnouncementMade(seat=seat, kind=KIND_NUMBERS[kind])
            return event_pb2.Event(announcement_made=made)
        case events.AnnouncementSealed(seat, answer):
            return event_pb2.Event(announcement_sealed=_sealed(seat, answer))
        case events.AnnouncementPassed(seat):
            return event_pb2.Event(announcement_passed=event_pb2.AnnouncementPassed(seat=seat))
        case events.AnnouncementChallenged(challenger, seat, hand, announcement_true):
            challenged = event_pb2.AnnouncementChallenged(
                challenger=challenger,
                seat=seat,
                hand=cards_to_proto(hand),
                announcement_true=announcement_true,
            )
            return event_pb2.Event(announcement_challenged=challenged)
        case events.WindowPassed(seat):
            return event_pb2.Event(window_passed=event_pb2.WindowPassed(seat=seat))
        case events.CardPlayed(seat, card):
            played = event_pb2.CardPlayed(seat=seat, card=card_to_proto(card))
            return event_pb2.Event(card_played=played)
        case events.CardsCaptured(seat, cards):
            captured = event_pb2.CardsCaptured(seat=seat, cards=cards_to_proto(cards))
            return event_pb2.Event(cards_captured=captured)
        case events.CardLaid(seat, card):
            laid = event_pb2.CardLaid(seat=seat, card=card_to_proto(card))
            return event_pb2.Event(card_laid=laid)
        case events.CardsHeld(seat, step, cards, mesa):
            held = event_pb2.CardsHeld(seat=seat, step=step, cards=cards_to_proto(cards), mesa=mesa)
            return event_pb2.Event(cards_held=held)
        case events.ChainClosed(seat, step, card_count):
            closed = event_pb2.ChainClosed(seat=seat, step=step, card_count=card_count)
            return event_pb2.Event(chain_closed=closed)
        case events.PlayAwarded(seat, caida, mesa, shares):
            awarded = event_pb2.PlayAwarded(
                seat=seat, caida=caida, mesa=mesa, shares=_shares(shares)
            )
            return event_pb2.Event(play_awarded=awarded)
        case events.AnnouncementsRevealed(batch, announcements):
            revealed = event_pb2.AnnouncementsRevealed(
                batch=batch, announcements=map(_revealed, announcements)
            )
            return event_pb2.Event(announcements_revealed=revealed)
        case events.AnnouncementsAwarded(batch, shares):
            paid = event_pb2.AnnouncementsAwarded(batch=batch, shares=_shares(shares))
            return event_pb2.Event(announcements_awarded=paid)
        case events.FalseAnnouncementPenalised(batch, seat, kind, shares):
            penalised = event_pb2.FalseAnnouncementPenalised(
                batch=batch, seat=seat, kind=KIND_NUMBERS[kind], shares=_shares(shares)
            )
            return event_pb2.Event(false_announcement_penalised=penalised)
        case events.AwardWithdrawn(batch, shares):
            withdrawn = event_pb2.AwardWithdrawn(batch=batch, shares=_shares(shares))
            return event_pb2.Event(award_withdrawn=withdrawn)
        case events.UndeclaredPenalised(batch, seat, kind, shares, claimant):
            undeclared = event_pb2.UndeclaredPenalised(
                batch=batch,
                seat=seat,
                kind=KIND_NUMBERS[kind],
                shares=_shares(shares),
                claimant=claimant,
            )
            return event_pb2.Event(undeclared_penalised=undeclared)
        case events.DutyAwarded(dealer, shares):
            duty = event_pb2.DutyAwarded(dealer=dealer, shares=_shares(shares))
            return event_pb2.Event(duty_awarded=duty)
        case events.CardsDue(payer, receiver, due, award):
            owed = event_pb2.CardsDue(payer=payer, receiver=receiver, cards=due, award=award)
            return event_pb2.Event(cards_due=owed)
        case events.CardsPaid(payer, receiver, due):
            moved = event_pb2.CardsPaid(payer=payer, receiver=receiver, cards=due)
            return event_pb2.Event(cards_paid=moved)
        case events.LeftoversTaken(seat, cards):
            taken = event_pb2.LeftoversTaken(seat=seat, cards=cards_to_proto(cards))
            return event_pb2.Event(leftovers_taken=taken)
        case events.PilesCounted(piles, shares):
            counted = event_pb2.PilesCounted(piles=piles, shares=_shares(shares))
            return event_pb2.Event(piles_counted=counted)
        case events.DealEnded(deal, scores):
            return event_pb2.Event(deal_ended=event_pb2.DealEnded(deal=deal, scores=scores))
        case events.SeatForfeited(seat):
            return event_pb2.Event(seat_forfeited=event_pb2.SeatForfeited(seat=seat))
        case events.MatchEnded(winners, scores):
            ended = event_pb2.MatchEnded(winners=winners, scores=scores)
            return event_pb2.Event(match_ended=ended)


def _revealed(one: events.RevealedAnnouncement) -> event_pb2.RevealedAnnouncement:
    return event_pb2.RevealedAnnouncement(
        seat=one.seat,
        kind=KIND_NUMBERS[one.kind],
        rank=(card_pb2.RANK_UNSPECIFIED if one.rank is None else RANK_NUMBERS[RANKS[one.rank]]),
    )


def _sealed(seat: int, answer: AnnouncementKind | events.Answer) -> event_pb2.AnnouncementSealed:
    match answer:
        case events.Answer.HIDDEN:
            return event_pb2.AnnouncementSealed(seat=seat)
        case events.Answer.PASSED:
            return event_pb2.AnnouncementSealed(seat=seat, passed=True)
        case AnnouncementKind():
            return event_pb2.AnnouncementSealed(seat=seat, kind=KIND_NUMBERS[answer])


def _shares(shares: events.Shares) -> list[event_pb2.Share]:
    return [event_pb2.Share(side=side, points=points) for side, points in shares]
