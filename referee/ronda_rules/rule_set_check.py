"""Which rule sets can be played: combinations that contradict themselves are refused.

Each check says which parameter is at fault and what would be right. What has no effect is accepted.
"""

import re
from collections.abc import Iterator
from dataclasses import fields

from ronda_rules.cards import PACK_SIZE
from ronda_rules.deal import batch_sizes
from ronda_rules.errors import RuleSetError
from ronda_rules.holdings import possible
from ronda_rules.rule_set import (
    Bluff,
    DealerDuty,
    KindAmounts,
    Opening,
    RuleSet,
    Scoring,
    Settle,
    TableForbid,
    TargetTie,
    Timing,
    UndeclaredDetection,
    WinCheck,
)

HIGHEST_AMOUNT = 1_000
HIGHEST_TARGET = 100_000
LONGEST_LADDER = 3
LONGEST_TEXT = 500
SEAT_COUNTS = (2, 3, 4)

_ID = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
_LONGEST_ID = 64

_Problem = tuple[str, str]


def check(rules: RuleSet) -> None:
    """Refuse a rule set that cannot be played.

    Raises:
        RuleSetError: the first parameter at fault.
    """
    for error in problems(rules):
        raise error


def problems(rules: RuleSet) -> Iterator[RuleSetError]:
    """Give everything because of which a rule set cannot be played; nothing where it can be."""
    for found in _INVALID:
        for field, detail in found(rules):
            yield RuleSetError(field, detail)


def check_seats(rules: RuleSet, seats: int) -> None:
    """Refuse a seat count that the rule set does not allow.

    Raises:
        RuleSetError: with the counts that it does allow.
    """
    allowed = [count for count, _ in rules.seats]
    if seats not in allowed:
        raise RuleSetError("seats", f"{seats} is not among {', '.join(map(str, allowed))}")


def _ranges(rules: RuleSet) -> Iterator[_Problem]:
    if len(rules.id) > _LONGEST_ID or not _ID.fullmatch(rules.id):
        wanted = f"up to {_LONGEST_ID} lower case letters and digits in words joined by hyphens"
        yield "id", f"{rules.id!r} is not {wanted}, as qahwa-25"
    for field in ("title", "summary", "source"):
        text = getattr(rules, field)
        if len(text) > LONGEST_TEXT or not text.isprintable():
            yield field, f"is not one printable line of up to {LONGEST_TEXT} characters"
    if len(rules.ladder) > LONGEST_LADDER:
        yield "ladder", f"has {len(rules.ladder)} steps; four equal cards make at most three"
    amounts = [("mesa", rules.mesa), ("false_penalty_cap", rules.false_penalty_cap)]
    amounts += [("chain_min_seats", rules.chain_min_seats)]
    amounts += [("ladder", points) for points in rules.ladder]
    for name in ("kinds", "false_penalty", "undeclared_penalty", "dealer_duty", "count"):
        group = getattr(rules, name)
        if group is not None:
            amounts += [
                (f"{name}.{part.name}", getattr(group, part.name)) for part in fields(group)
            ]
    for field, amount in amounts:
        if not 0 <= amount <= HIGHEST_AMOUNT:
            yield field, f"{amount} is not a number from 0 to {HIGHEST_AMOUNT}"
    if not 0 <= rules.target <= HIGHEST_TARGET:
        yield "target", f"{rules.target} is not a number from 0 to {HIGHEST_TARGET}"


def _seat_counts(rules: RuleSet) -> Iterator[_Problem]:
    if not rules.seats:
        yield "seats", "is empty; at least one of 2, 3, 4 with its opening is needed"
    counts = [count for count, _ in rules.seats]
    for count, opening in rules.seats:
        if count not in SEAT_COUNTS:
            yield "seats", f"{count} is not among 2, 3, 4"
        elif counts.count(count) > 1:
            yield "seats", f"{count} is named more than once"
        elif batch_sizes(opening, count) is None:
            yield "seats", f"three seats cannot share the pack with the opening {opening}"
    if isinstance(rules.first_dealer, int):
        lacking = [count for count in counts if not 0 <= rules.first_dealer < count]
        if lacking:
            yield "first_dealer", f"seat {rules.first_dealer} is lacking with {lacking[0]} seats"


def _table(rules: RuleSet) -> Iterator[_Problem]:
    if not rules.seats:
        return
    if Opening.TABLE_OF_FOUR in _openings(rules):
        if TableForbid.PAIRS not in rules.table_forbids:
            yield "table_forbids", "lacks PAIRS: two equal cards could lie on a table of four"
        if rules.table_remedy is None:
            yield "table_remedy", "is not set; a table of four needs RETURN_ALL or RETURN_LAST"
    else:
        if rules.table_forbids:
            yield "table_forbids", "is set, but no opening turns a table"
        if rules.table_remedy is not None:
            yield "table_remedy", "is set, but no opening turns a table"


def _kinds(rules: RuleSet) -> Iterator[_Problem]:
    if rules.kinds.double_ronda:
        if rules.seats and Opening.EMPTY_TABLE not in _openings(rules):
            yield "kinds.double_ronda", "has a value, but no batch has four cards"
        if rules.double_ronda is None:
            yield "double_ronda", "is not set, but a double ronda has a value"


def _bluffs(rules: RuleSet) -> Iterator[_Problem]:
    if rules.bluff is Bluff.REFUSED:
        if rules.challenge:
            yield "challenge", "needs the bluff policy PENALISED"
        if rules.false_penalty.named():
            yield "false_penalty", "needs the bluff policy PENALISED"
        return
    yield from _penalty_for_each_kind(rules, "false_penalty", rules.false_penalty)
    if _three_seats(rules) and rules.penalty_to is None:
        yield "penalty_to", "is not set, but bluffs are penalised with three seats"
    if rules.timing is Timing.AUTOMATIC:
        yield "bluff", "PENALISED has no sense where the referee announces (timing AUTOMATIC)"
    if rules.settle in {Settle.BATCH_END_OR_CLEAR_KIND, Settle.AT_ONCE}:
        yield "settle", f"{rules.settle} needs the bluff policy REFUSED"


def _undeclared(rules: RuleSet) -> Iterator[_Problem]:
    detection = rules.undeclared_detection
    if detection is UndeclaredDetection.NONE:
        if rules.undeclared_penalty.named():
            yield "undeclared_penalty", "is set, but undeclared_detection is NONE"
        return
    yield from _penalty_for_each_kind(rules, "undeclared_penalty", rules.undeclared_penalty)
    automatic = detection is UndeclaredDetection.AUTOMATIC
    if automatic and _three_seats(rules) and rules.penalty_to is None:
        yield "penalty_to", "is not set, but undeclared_detection is AUTOMATIC for three seats"
    if rules.timing is Timing.AUTOMATIC:
        yield "undeclared_detection", "has no sense with the timing AUTOMATIC"


def _settlement(rules: RuleSet) -> Iterator[_Problem]:
    if rules.settle is Settle.AT_ONCE and rules.timing is Timing.FIRST_TURN:
        yield "settle", "AT_ONCE needs announcements before the first card"


def _openings(rules: RuleSet) -> set[Opening]:
    return {opening for _, opening in rules.seats}


def _three_seats(rules: RuleSet) -> bool:
    return 3 in {count for count, _ in rules.seats}  # noqa: PLR2004 - the seat count itself


def _penalty_for_each_kind(
    rules: RuleSet, field: str, penalties: KindAmounts
) -> Iterator[_Problem]:
    for kind in rules.kinds.named():
        if not penalties.of(kind):
            yield f"{field}.{kind.lower()}", f"is 0, but a {kind.lower()} has a value"


def _end_of_match(rules: RuleSet) -> Iterator[_Problem]:
    if rules.scoring is Scoring.CARD_TRANSFER:
        if rules.count is None:
            yield "count", "is not set, but CARD_TRANSFER scores by the count alone"
        if rules.win_check is WinCheck.IMMEDIATE:
            yield "win_check", "IMMEDIATE has no sense with CARD_TRANSFER: only the count scores"
    if rules.target == 0:
        if rules.win_check is WinCheck.IMMEDIATE:
            yield "win_check", "IMMEDIATE needs a target"
        if rules.target_tie is TargetTie.PLAY_ON:
            yield "target_tie", "PLAY_ON needs a target: a single deal ends with its deal"
    elif rules.scoring is Scoring.POINTS or rules.count is not None:
        for count, _ in rules.seats:
            if not _can_score(rules, count):
                yield "target", f"can never be reached with {count} seats: nothing scores"


def _can_score(rules: RuleSet, seats: int) -> bool:
    if rules.count is not None:
        threshold = rules.count.three_sides if seats == 3 else rules.count.two_sides  # noqa: PLR2004 - the seat count itself
        if threshold < PACK_SIZE:
            return True
    if rules.scoring is Scoring.CARD_TRANSFER:
        return False
    hand_size = max(batch_sizes(rules.opening(seats), seats) or (0,))
    return bool(
        any(rules.ladder_for(seats))
        or rules.mesa
        or any(possible(kind, hand_size) for kind in rules.kinds.named())
        or rules.dealer_duty != DealerDuty()
    )


_INVALID = (_ranges, _seat_counts, _table, _kinds, _bluffs, _undeclared, _settlement, _end_of_match)
