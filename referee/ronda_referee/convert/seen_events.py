"""Events, from the protocol to the engine, as a seat or the public has seen them."""

from collections.abc import Iterable

from ronda.v1 import card_pb2, event_pb2, rule_set_pb2
from ronda_referee.convert.words import KINDS, MalformedMessage, card_from_proto, words_of
from ronda_rules import events
from ronda_rules.cards import Card, RankIndex, index_of_rank
from ronda_rules.errors import NotationError
from ronda_rules.rule_set import AnnouncementKind, TableForbid

_FORBIDS = words_of(rule_set_pb2.TableForbid, TableForbid)


def event_from_proto(message: event_pb2.Event) -> events.Event:  # noqa: C901, PLR0911, PLR0912, PLR0915 - one case per event
    """Give the engine's event, without what is hidden in the message.

    Raises:
        MalformedMessage: no event is set, or what it needs is unset or unknown.
    """
    match message.WhichOneof("event"):
        case "match_started":
            return events.MatchStarted(message.match_started.seats)
        case "first_dealer_drawn":
            return events.FirstDealerDrawn(message.first_dealer_drawn.seat)
        case "deal_started":
            return events.DealStarted(message.deal_started.deal, message.deal_started.dealer)
        case "batch_started":
            batch = message.batch_started
            return events.BatchStarted(batch.batch, batch.hand_size, batch.last)
        case "hand_dealt":
            dealt = message.hand_dealt
            return events.HandDealt(dealt.seat, dealt.card_count, _cards(dealt.cards))
        case "table_turned":
            return events.TableTurned(_cards(message.table_turned.cards))
        case "table_returned":
            returned = message.table_returned
            found = _FORBIDS.get(returned.found)
            if found is None:
                wanted = f"{returned.found} is none of {', '.join(_FORBIDS.values())}"
                raise MalformedMessage("event.table_returned.found", wanted)
            return events.TableReturned(found, _cards(returned.cards))
        case "announcement_made":
            made = message.announcement_made
            return events.AnnouncementMade(made.seat, _kind(made.kind))
        case "announcement_sealed":
            sealed = message.announcement_sealed
            return events.AnnouncementSealed(sealed.seat, _answer(sealed))
        case "announcement_passed":
            return events.AnnouncementPassed(message.announcement_passed.seat)
        case "announcement_challenged":
            challenged = message.announcement_challenged
            return events.AnnouncementChallenged(
                challenged.challenger,
                challenged.seat,
                _cards(challenged.hand),
                challenged.announcement_true,
            )
        case "window_passed":
            return events.WindowPassed(message.window_passed.seat)
        case "card_played":
            played = message.card_played
            return events.CardPlayed(played.seat, card_from_proto(played.card, "event.card"))
        case "cards_captured":
            captured = message.cards_captured
            return events.CardsCaptured(captured.seat, _cards(captured.cards))
        case "card_laid":
            laid = message.card_laid
            return events.CardLaid(laid.seat, card_from_proto(laid.card, "event.card"))
        case "cards_held":
            held = message.cards_held
            return events.CardsHeld(held.seat, held.step, _cards(held.cards), held.mesa)
        case "chain_closed":
            closed = message.chain_closed
            return events.ChainClosed(closed.seat, closed.step, closed.card_count)
        case "play_awarded":
            won = message.play_awarded
            return events.PlayAwarded(won.seat, won.caida, won.mesa, _shares(won.shares))
        case "announcements_revealed":
            revealed = message.announcements_revealed
            return events.AnnouncementsRevealed(
                revealed.batch, tuple(map(_revealed, revealed.announcements))
            )
        case "announcements_awarded":
            paid = message.announcements_awarded
            return events.AnnouncementsAwarded(paid.batch, _shares(paid.shares))
        case "award_withdrawn":
            withdrawn = message.award_withdrawn
            return events.AwardWithdrawn(withdrawn.batch, _shares(withdrawn.shares))
        case "false_announcement_penalised":
            false = message.false_announcement_penalised
            return events.FalseAnnouncementPenalised(
                false.batch, false.seat, _kind(false.kind), _shares(false.shares)
            )
        case "undeclared_penalised":
            kept = message.undeclared_penalised
            return events.UndeclaredPenalised(
                kept.batch,
                kept.seat,
                _kind(kept.kind),
                _shares(kept.shares),
                kept.claimant if kept.HasField("claimant") else None,
            )
        case "duty_awarded":
            duty = message.duty_awarded
            return events.DutyAwarded(duty.dealer, _shares(duty.shares))
        case "cards_due":
            due = message.cards_due
            return events.CardsDue(due.payer, due.receiver, due.cards, due.award)
        case "cards_paid":
            moved = message.cards_paid
            return events.CardsPaid(moved.payer, moved.receiver, moved.cards)
        case "leftovers_taken":
            taken = message.leftovers_taken
            return events.LeftoversTaken(taken.seat, _cards(taken.cards))
        case "piles_counted":
            counted = message.piles_counted
            return events.PilesCounted(tuple(counted.piles), _shares(counted.shares))
        case "deal_ended":
            return events.DealEnded(message.deal_ended.deal, tuple(message.deal_ended.scores))
        case "seat_forfeited":
            return events.SeatForfeited(message.seat_forfeited.seat)
        case "match_ended":
            ended = message.match_ended
            return events.MatchEnded(tuple(ended.winners), tuple(ended.scores))
        case None:
            raise MalformedMessage("event", "is empty; one event is needed")


def _cards(messages: Iterable[card_pb2.Card]) -> tuple[Card, ...]:
    return tuple(card_from_proto(one, "event.cards") for one in messages)


def _kind(number: int) -> AnnouncementKind:
    kind = KINDS.get(number)
    if kind is None:
        wanted = f"{number} is none of {', '.join(KINDS.values())}"
        raise MalformedMessage("event.kind", wanted)
    return kind


def _answer(sealed: event_pb2.AnnouncementSealed) -> AnnouncementKind | events.Answer:
    match sealed.WhichOneof("answer"):
        case "kind":
            return _kind(sealed.kind)
        case "passed":
            return events.Answer.PASSED
        case None:
            return events.Answer.HIDDEN


def _revealed(one: event_pb2.RevealedAnnouncement) -> events.RevealedAnnouncement:
    return events.RevealedAnnouncement(one.seat, _kind(one.kind), _rank(one.rank))


def _rank(number: int) -> RankIndex | None:
    if number == card_pb2.RANK_UNSPECIFIED:
        return None
    try:
        return index_of_rank(number)
    except NotationError as error:
        raise MalformedMessage("event.rank", f"{number} is no rank") from error


def _shares(messages: Iterable[event_pb2.Share]) -> events.Shares:
    return tuple((one.side, one.points) for one in messages)
