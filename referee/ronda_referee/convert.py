"""The one place where the engine's values and the protocol's messages are turned into each other.

From a message comes either a value that the engine understands or a typed error that names the
field; whether a move is legal is the engine's business.
"""

from collections.abc import Iterable, Mapping
from enum import StrEnum
from typing import Protocol, TypeVar

from google.protobuf.descriptor import EnumDescriptor

from ronda.v1 import card_pb2, decision_pb2, event_pb2, move_pb2, rule_set_pb2, view_pb2
from ronda_rules import events, moves
from ronda_rules import rule_set as rules
from ronda_rules.cards import RANKS, SUITS, Card, index_of_rank, rank_of
from ronda_rules.engine import legal_moves, supported_announcements
from ronda_rules.errors import NotationError, Reason, RulesError, RuleSetError
from ronda_rules.rule_set_check import check
from ronda_rules.state import MatchState
from ronda_rules.view import PublicView, SeatView

_Word = TypeVar("_Word", bound=StrEnum)


class MalformedMessage(RulesError):
    """A message lacks a field, or a field has a value that it cannot have.

    Attributes:
        field: the path of the field.
    """

    def __init__(self, field: str, detail: str) -> None:
        """Say what is wrong with a field and what would be right."""
        super().__init__(Reason.MALFORMED_REQUEST, "", f"{field}: {detail}", field=field)
        self.field = field


class _EnumWrapper(Protocol):
    @property
    def DESCRIPTOR(self) -> EnumDescriptor: ...


def _words(wrapper: _EnumWrapper, words: type[_Word]) -> dict[int, _Word]:
    """Pair the numbers of a proto enum with the engine's words, by name."""
    values = wrapper.DESCRIPTOR.values
    prefix = values[0].name.removesuffix("UNSPECIFIED")
    return {value.number: words(value.name.removeprefix(prefix)) for value in values[1:]}


_OPENINGS = _words(rule_set_pb2.Opening, rules.Opening)
_FORBIDS = _words(rule_set_pb2.TableForbid, rules.TableForbid)
_KINDS = _words(rule_set_pb2.AnnouncementKind, rules.AnnouncementKind)
_KIND_NUMBERS = {
    rules.AnnouncementKind.RONDA: rule_set_pb2.ANNOUNCEMENT_KIND_RONDA,
    rules.AnnouncementKind.TRINGA: rule_set_pb2.ANNOUNCEMENT_KIND_TRINGA,
    rules.AnnouncementKind.DOUBLE_RONDA: rule_set_pb2.ANNOUNCEMENT_KIND_DOUBLE_RONDA,
}
_FORBID_NUMBERS = {
    rules.TableForbid.PAIRS: rule_set_pb2.TABLE_FORBID_PAIRS,
    rules.TableForbid.RUNS: rule_set_pb2.TABLE_FORBID_RUNS,
}
_SUIT_NUMBERS = (
    card_pb2.SUIT_OROS,
    card_pb2.SUIT_COPAS,
    card_pb2.SUIT_ESPADAS,
    card_pb2.SUIT_BASTOS,
)
_RANK_NUMBERS = {
    1: card_pb2.RANK_1,
    2: card_pb2.RANK_2,
    3: card_pb2.RANK_3,
    4: card_pb2.RANK_4,
    5: card_pb2.RANK_5,
    6: card_pb2.RANK_6,
    7: card_pb2.RANK_7,
    10: card_pb2.RANK_10,
    11: card_pb2.RANK_11,
    12: card_pb2.RANK_12,
}


def rule_set_from_proto(message: rule_set_pb2.RuleSet) -> rules.RuleSet:
    """Give the engine's rule set, checked.

    Raises:
        RuleSetError: an enum is unset where it must be set or has a number without a name, or
            the engine cannot play what the rule set says.
    """
    rule_set = _rule_set(message)
    check(rule_set)
    return rule_set


def _rule_set(message: rule_set_pb2.RuleSet) -> rules.RuleSet:
    return rules.RuleSet(
        id=message.id,
        title=message.title,
        summary=message.summary,
        source=message.source,
        seats=tuple(
            (seats.count, _required("seats.opening", seats.opening, _OPENINGS))
            for seats in message.seats
        ),
        table_forbids=frozenset(
            _required("table_forbids", forbid, _FORBIDS) for forbid in message.table_forbids
        ),
        table_remedy=_optional(
            "table_remedy",
            message.table_remedy,
            _words(rule_set_pb2.TableRemedy, rules.TableRemedy),
        ),
        first_dealer=_first_dealer(message.first_dealer),
        ladder=tuple(message.ladder),
        chain_min_seats=message.chain_min_seats,
        chain_across_batches=message.chain_across_batches,
        mesa=message.mesa,
        mesa_excluded=_required(
            "mesa_excluded",
            message.mesa_excluded,
            _words(rule_set_pb2.MesaExcluded, rules.MesaExcluded),
        ),
        kinds=_amounts(message.kinds),
        double_ronda=_optional(
            "double_ronda",
            message.double_ronda,
            _words(rule_set_pb2.DoubleRonda, rules.DoubleRonda),
        ),
        timing=_required("timing", message.timing, _words(rule_set_pb2.Timing, rules.Timing)),
        bluff=_required("bluff", message.bluff, _words(rule_set_pb2.Bluff, rules.Bluff)),
        rank_order=_required(
            "rank_order", message.rank_order, _words(rule_set_pb2.RankOrder, rules.RankOrder)
        ),
        payout=_required("payout", message.payout, _words(rule_set_pb2.Payout, rules.Payout)),
        announcement_tie=_required(
            "announcement_tie",
            message.announcement_tie,
            _words(rule_set_pb2.AnnouncementTie, rules.AnnouncementTie),
        ),
        all_rondas=_required(
            "all_rondas", message.all_rondas, _words(rule_set_pb2.AllRondas, rules.AllRondas)
        ),
        settle=_required("settle", message.settle, _words(rule_set_pb2.Settle, rules.Settle)),
        false_penalty=_amounts(message.false_penalty),
        false_penalty_cap=message.false_penalty_cap,
        penalty_to=_optional(
            "penalty_to", message.penalty_to, _words(rule_set_pb2.PenaltyTo, rules.PenaltyTo)
        ),
        undeclared_penalty=_amounts(message.undeclared_penalty),
        undeclared_detection=_required(
            "undeclared_detection",
            message.undeclared_detection,
            _words(rule_set_pb2.UndeclaredDetection, rules.UndeclaredDetection),
        ),
        challenge=message.challenge,
        dealer_duty=rules.DealerDuty(
            message.dealer_duty.king, message.dealer_duty.ace, message.dealer_duty.miss
        ),
        chain_payment=_required(
            "chain_payment",
            message.chain_payment,
            _words(rule_set_pb2.ChainPayment, rules.ChainPayment),
        ),
        count=(
            rules.CountThresholds(message.count.two_sides, message.count.three_sides)
            if message.HasField("count")
            else None
        ),
        scoring=_required("scoring", message.scoring, _words(rule_set_pb2.Scoring, rules.Scoring)),
        target=message.target,
        win_check=_required(
            "win_check", message.win_check, _words(rule_set_pb2.WinCheck, rules.WinCheck)
        ),
        target_tie=_required(
            "target_tie", message.target_tie, _words(rule_set_pb2.TargetTie, rules.TargetTie)
        ),
    )


def card_from_proto(message: card_pb2.Card, field: str = "card") -> Card:
    """Give the engine's card.

    Raises:
        MalformedMessage: the rank or the suit is unset or unknown.
    """
    if not 1 <= message.suit <= len(SUITS):
        raise MalformedMessage(f"{field}.suit", f"{message.suit} is no suit")
    try:
        rank = index_of_rank(message.rank)
    except NotationError as error:
        raise MalformedMessage(f"{field}.rank", f"{message.rank} is no rank") from error
    return (message.suit - 1) * len(RANKS) + rank


def card_to_proto(card: Card) -> card_pb2.Card:
    """Give the message for a card."""
    return card_pb2.Card(rank=_RANK_NUMBERS[rank_of(card)], suit=_SUIT_NUMBERS[card // len(RANKS)])


def move_from_proto(message: move_pb2.Move) -> moves.Move:
    """Give the engine's move.

    Raises:
        MalformedMessage: no move is set, or what it needs is unset or unknown.
    """
    match message.WhichOneof("move"):
        case "announce":
            kind = _KINDS.get(message.announce.kind)
            if kind is None:
                wanted = f"{message.announce.kind} is none of {', '.join(_KINDS.values())}"
                raise MalformedMessage("move.announce.kind", wanted)
            return moves.Announce(kind)
        case "pass":
            return moves.Pass()
        case "play":
            return moves.Play(card_from_proto(message.play.card, "move.play.card"))
        case "challenge":
            return moves.Challenge(message.challenge.seat)
        case "claim":
            return moves.Claim(message.claim.seat)
        case None:
            wanted = "is empty; one of announce, pass, play, challenge, claim is needed"
            raise MalformedMessage("move", wanted)


def move_to_proto(move: moves.Move) -> move_pb2.Move:
    """Give the message for a move."""
    match move:
        case moves.Announce(kind):
            return move_pb2.Move(announce=move_pb2.Announce(kind=_KIND_NUMBERS[kind]))
        case moves.Pass():
            declined = move_pb2.Move()
            getattr(declined, "pass").SetInParent()
            return declined
        case moves.Play(card):
            return move_pb2.Move(play=move_pb2.Play(card=card_to_proto(card)))
        case moves.Challenge(seat):
            return move_pb2.Move(challenge=move_pb2.Challenge(seat=seat))
        case moves.Claim(seat):
            return move_pb2.Move(claim=move_pb2.Claim(seat=seat))


def public_view_to_proto(view: PublicView) -> view_pb2.PublicView:
    """Give the message for what everyone may see."""
    return view_pb2.PublicView(
        rule_set_id=view.rule_set_id,
        seats=view.seats,
        deal=view.deal,
        dealer=view.dealer,
        batch=view.batch,
        last_batch=view.last_batch,
        to_act=view.to_act,
        table=_cards(view.table),
        hand_sizes=view.hand_sizes,
        pile_sizes=view.pile_sizes,
        pack_size=view.pack_size,
        scores=view.scores,
        announcements=[
            view_pb2.AnnouncementView(batch=one.batch, seat=one.seat, kind=_KIND_NUMBERS[one.kind])
            for one in view.announcements
        ],
        caida_card=None if view.caida_card is None else card_to_proto(view.caida_card),
        last_capturer=view.last_capturer,
        over=view.over,
        winners=view.winners,
    )


def seat_view_to_proto(view: SeatView) -> view_pb2.SeatView:
    """Give the message for what one seat may see."""
    return view_pb2.SeatView(
        public=public_view_to_proto(view.public), seat=view.seat, hand=_cards(view.hand)
    )


def decision_to_proto(state: MatchState, seat: int, decision_id: int) -> decision_pb2.Decision:
    """Give what a seat is asked; for that seat alone."""
    return decision_pb2.Decision(
        decision_id=decision_id,
        seat=seat,
        legal_moves=map(move_to_proto, legal_moves(state, seat)),
        true_announcements=(_KIND_NUMBERS[kind] for kind in supported_announcements(state, seat)),
    )


def event_to_proto(event: events.Event) -> event_pb2.Event:  # noqa: C901, PLR0911, PLR0912 - one case per event
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
            dealt = event_pb2.HandDealt(seat=seat, card_count=card_count, cards=_cards(cards))
            return event_pb2.Event(hand_dealt=dealt)
        case events.TableTurned(cards):
            return event_pb2.Event(table_turned=event_pb2.TableTurned(cards=_cards(cards)))
        case events.TableReturned(found, cards):
            returned = event_pb2.TableReturned(found=_FORBID_NUMBERS[found], cards=_cards(cards))
            return event_pb2.Event(table_returned=returned)
        case events.AnnouncementMade(seat, kind):
            made = event_pb2.AnnouncementMade(seat=seat, kind=_KIND_NUMBERS[kind])
            return event_pb2.Event(announcement_made=made)
        case events.CardPlayed(seat, card):
            played = event_pb2.CardPlayed(seat=seat, card=card_to_proto(card))
            return event_pb2.Event(card_played=played)
        case events.CardsCaptured(seat, cards):
            captured = event_pb2.CardsCaptured(seat=seat, cards=_cards(cards))
            return event_pb2.Event(cards_captured=captured)
        case events.CardLaid(seat, card):
            laid = event_pb2.CardLaid(seat=seat, card=card_to_proto(card))
            return event_pb2.Event(card_laid=laid)
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
                batch=batch, seat=seat, kind=_KIND_NUMBERS[kind], shares=_shares(shares)
            )
            return event_pb2.Event(false_announcement_penalised=penalised)
        case events.LeftoversTaken(seat, cards):
            taken = event_pb2.LeftoversTaken(seat=seat, cards=_cards(cards))
            return event_pb2.Event(leftovers_taken=taken)
        case events.PilesCounted(piles, shares):
            counted = event_pb2.PilesCounted(piles=piles, shares=_shares(shares))
            return event_pb2.Event(piles_counted=counted)
        case events.DealEnded(deal, scores):
            return event_pb2.Event(deal_ended=event_pb2.DealEnded(deal=deal, scores=scores))
        case events.MatchEnded(winners, scores):
            ended = event_pb2.MatchEnded(winners=winners, scores=scores)
            return event_pb2.Event(match_ended=ended)


def _revealed(one: events.RevealedAnnouncement) -> event_pb2.RevealedAnnouncement:
    return event_pb2.RevealedAnnouncement(
        seat=one.seat,
        kind=_KIND_NUMBERS[one.kind],
        rank=(card_pb2.RANK_UNSPECIFIED if one.rank is None else _RANK_NUMBERS[RANKS[one.rank]]),
    )


def _cards(cards: Iterable[Card]) -> list[card_pb2.Card]:
    return [card_to_proto(card) for card in cards]


def _shares(shares: events.Shares) -> list[event_pb2.Share]:
    return [event_pb2.Share(side=side, points=points) for side, points in shares]


def _amounts(message: rule_set_pb2.KindAmounts) -> rules.KindAmounts:
    return rules.KindAmounts(message.ronda, message.tringa, message.double_ronda)


def _first_dealer(message: rule_set_pb2.FirstDealer) -> int | rules.FirstDealer:
    match message.WhichOneof("choice"):
        case "seat":
            return message.seat
        case "drawn" if message.drawn:
            return rules.FirstDealer.DRAWN
        case _:
            return rules.FirstDealer.LAST_SEAT


def _required(field: str, number: int, words: Mapping[int, _Word]) -> _Word:
    word = _optional(field, number, words)
    if word is None:
        raise RuleSetError(field, f"is not set; it can be {', '.join(words.values())}")
    return word


def _optional(field: str, number: int, words: Mapping[int, _Word]) -> _Word | None:
    if number and number not in words:
        raise RuleSetError(field, f"{number} is not known; it can be {', '.join(words.values())}")
    return words.get(number)
