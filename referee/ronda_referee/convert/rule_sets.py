"""Rule sets, from the protocol to the engine."""

from collections.abc import Mapping
from enum import StrEnum
from functools import lru_cache
from typing import TypeVar

from ronda.v1 import rule_set_pb2
from ronda_referee.convert.words import words_of
from ronda_rules import rule_set as rules
from ronda_rules.errors import RuleSetError
from ronda_rules.rule_set_check import check, problems

_Word = TypeVar("_Word", bound=StrEnum)

# Matches are many, and the rule sets that they play are few.
_REMEMBERED_RULE_SETS = 256

_OPENINGS = words_of(rule_set_pb2.Opening, rules.Opening)
_FORBIDS = words_of(rule_set_pb2.TableForbid, rules.TableForbid)


def rule_set_from_proto(message: rule_set_pb2.RuleSet) -> rules.RuleSet:
    """Give the engine's rule set, checked.

    Raises:
        RuleSetError: an enum is unset where it must be set or has a number without a name, or
            the engine cannot play what the rule set says.
    """
    return _checked(message.SerializeToString(deterministic=True))


@lru_cache(_REMEMBERED_RULE_SETS)
def _checked(message: bytes) -> rules.RuleSet:
    rule_set = _rule_set(rule_set_pb2.RuleSet.FromString(message))
    check(rule_set)
    return rule_set


def problems_of(message: rule_set_pb2.RuleSet) -> list[RuleSetError]:
    """Give everything because of which a rule set cannot be played; empty where it can be.

    An enum that is unset or unknown stands alone: without it nothing else can be judged.
    """
    try:
        rule_set = _rule_set(message)
    except RuleSetError as error:
        return [error]
    return list(problems(rule_set))


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
            words_of(rule_set_pb2.TableRemedy, rules.TableRemedy),
        ),
        first_dealer=_first_dealer(message.first_dealer),
        ladder=tuple(message.ladder),
        chain_min_seats=message.chain_min_seats,
        chain_across_batches=message.chain_across_batches,
        mesa=message.mesa,
        mesa_excluded=_required(
            "mesa_excluded",
            message.mesa_excluded,
            words_of(rule_set_pb2.MesaExcluded, rules.MesaExcluded),
        ),
        kinds=_amounts(message.kinds),
        double_ronda=_optional(
            "double_ronda",
            message.double_ronda,
            words_of(rule_set_pb2.DoubleRonda, rules.DoubleRonda),
        ),
        timing=_required("timing", message.timing, words_of(rule_set_pb2.Timing, rules.Timing)),
        bluff=_required("bluff", message.bluff, words_of(rule_set_pb2.Bluff, rules.Bluff)),
        rank_order=_required(
            "rank_order", message.rank_order, words_of(rule_set_pb2.RankOrder, rules.RankOrder)
        ),
        payout=_required("payout", message.payout, words_of(rule_set_pb2.Payout, rules.Payout)),
        announcement_tie=_required(
            "announcement_tie",
            message.announcement_tie,
            words_of(rule_set_pb2.AnnouncementTie, rules.AnnouncementTie),
        ),
        all_rondas=_required(
            "all_rondas", message.all_rondas, words_of(rule_set_pb2.AllRondas, rules.AllRondas)
        ),
        settle=_required("settle", message.settle, words_of(rule_set_pb2.Settle, rules.Settle)),
        false_penalty=_amounts(message.false_penalty),
        false_penalty_cap=message.false_penalty_cap,
        penalty_to=_optional(
            "penalty_to", message.penalty_to, words_of(rule_set_pb2.PenaltyTo, rules.PenaltyTo)
        ),
        undeclared_penalty=_amounts(message.undeclared_penalty),
        undeclared_detection=_required(
            "undeclared_detection",
            message.undeclared_detection,
            words_of(rule_set_pb2.UndeclaredDetection, rules.UndeclaredDetection),
        ),
        challenge=message.challenge,
        dealer_duty=rules.DealerDuty(
            message.dealer_duty.king, message.dealer_duty.ace, message.dealer_duty.miss
        ),
        chain_payment=_required(
            "chain_payment",
            message.chain_payment,
            words_of(rule_set_pb2.ChainPayment, rules.ChainPayment),
        ),
        count=(
            rules.CountThresholds(message.count.two_sides, message.count.three_sides)
            if message.HasField("count")
            else None
        ),
        scoring=_required(
            "scoring", message.scoring, words_of(rule_set_pb2.Scoring, rules.Scoring)
        ),
        target=message.target,
        win_check=_required(
            "win_check", message.win_check, words_of(rule_set_pb2.WinCheck, rules.WinCheck)
        ),
        target_tie=_required(
            "target_tie", message.target_tie, words_of(rule_set_pb2.TargetTie, rules.TargetTie)
        ),
    )


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
