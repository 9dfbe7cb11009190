"""What makes a rule set invalid, clause by clause."""

from collections.abc import Callable

from google.protobuf.descriptor import EnumDescriptor

from ronda.v1 import rule_set_pb2
from ronda.v1.rule_set_pb2 import RuleSet
from tests.oracle.announcements import amount, valued_kinds
from tests.oracle.deal import hand_sizes

# Enumerations of which every rule set names a value ("Unset: refused").
REQUIRED = [
    "mesa_excluded",
    "timing",
    "bluff",
    "rank_order",
    "payout",
    "announcement_tie",
    "all_rondas",
    "settle",
    "undeclared_detection",
    "chain_payment",
    "scoring",
    "win_check",
    "target_tie",
]


class RuleSetInvalid(Exception):
    """A parameter has a value that cannot be played."""


def check(rules: RuleSet) -> None:
    """Refuse a rule set that cannot be played.

    Raises:
        RuleSetInvalid: the pages do not allow the values.
    """
    check_known(rules)
    for name in REQUIRED:
        demand(getattr(rules, name) != 0, f"{name} is required")
    checks: list[Callable[[RuleSet], None]] = [
        check_limits,
        check_seats,
        check_table,
        check_chain,
        check_kinds,
        check_settle,
        check_penalties,
        check_undeclared,
        check_scoring,
        check_target,
    ]
    for part in checks:
        part(rules)


def demand(is_so: bool, otherwise: str) -> None:
    """Refuse the rule set where something is not so.

    Raises:
        RuleSetInvalid: it is not so.
    """
    if not is_so:
        raise RuleSetInvalid(otherwise)


def check_known(rules: RuleSet) -> None:
    """Refuse numbers that no enumeration has.

    Raises:
        RuleSetInvalid: there is such a number.
    """
    numbers: list[tuple[str, EnumDescriptor | None, int]] = [
        (name, RuleSet.DESCRIPTOR.fields_by_name[name].enum_type, getattr(rules, name))
        for name in [*REQUIRED, "table_remedy", "double_ronda", "penalty_to"]
    ]
    forbid = rule_set_pb2.TableForbid.DESCRIPTOR
    numbers += [("table_forbids", forbid, number) for number in rules.table_forbids]
    opening = rule_set_pb2.Opening.DESCRIPTOR
    numbers += [("opening", opening, seats.opening) for seats in rules.seats]
    for name, descriptor, number in numbers:
        if descriptor is not None and number not in descriptor.values_by_number:
            raise RuleSetInvalid(f"{name} has the unknown value {number}")


def check_limits(rules: RuleSet) -> None:
    """Refuse texts and numbers beyond what the pages' first one allows."""
    words = rules.id.split("-")
    letters = set("abcdefghijklmnopqrstuvwxyz0123456789")
    named = all(word and set(word) <= letters for word in words)
    demand(named and len(rules.id) <= 64, "id: words of small letters and digits")
    for text in (rules.title, rules.summary, rules.source):
        demand(len(text) <= 500 and text.isprintable(), "texts: one line of up to 500 characters")
    amounts = [*rules.ladder, rules.chain_min_seats, rules.mesa, rules.false_penalty_cap]
    for kinds in (rules.kinds, rules.false_penalty, rules.undeclared_penalty):
        amounts += [kinds.ronda, kinds.tringa, kinds.double_ronda]
    amounts += [rules.dealer_duty.king, rules.dealer_duty.ace, rules.dealer_duty.miss]
    amounts += [rules.count.two_sides, rules.count.three_sides]
    demand(max(amounts) <= 1_000, "amounts: up to 1000")
    demand(rules.target <= 100_000, "target: up to 100000")


def check_seats(rules: RuleSet) -> None:
    """DEAL-2, DEAL-3, DEAL-5."""
    counts = [seats.count for seats in rules.seats]
    demand(bool(counts), "seats: at least one count")
    demand(len(set(counts)) == len(counts), "seats: each count once")
    demand(all(count in (2, 3, 4) for count in counts), "seats: 2, 3 or 4")
    for seats in rules.seats:
        demand(seats.opening != rule_set_pb2.OPENING_UNSPECIFIED, "seats: an opening each")
        empty = seats.opening == rule_set_pb2.OPENING_EMPTY_TABLE
        demand(not (empty and seats.count == 3), "three seats cannot open on an empty table")
    if rules.first_dealer.WhichOneof("choice") == "seat":
        demand(rules.first_dealer.seat < min(counts), "first_dealer: a seat of every count")


def check_table(rules: RuleSet) -> None:
    """DEAL-6 to DEAL-8."""
    forbids = list(rules.table_forbids)
    remedy = rules.table_remedy
    demand(rule_set_pb2.TABLE_FORBID_UNSPECIFIED not in forbids, "table_forbids: no empty one")
    if any(seats.opening == rule_set_pb2.OPENING_TABLE_OF_FOUR for seats in rules.seats):
        demand(rule_set_pb2.TABLE_FORBID_PAIRS in forbids, "table_forbids: pairs")
        demand(remedy != rule_set_pb2.TABLE_REMEDY_UNSPECIFIED, "table_remedy is required")
    else:
        demand(not forbids, "table_forbids without a table")
        demand(remedy == rule_set_pb2.TABLE_REMEDY_UNSPECIFIED, "table_remedy without a table")


def check_chain(rules: RuleSet) -> None:
    """CHAIN-1."""
    demand(len(rules.ladder) <= 3, "ladder: three steps at most")


def check_kinds(rules: RuleSet) -> None:
    """ANN-1."""
    if rules.kinds.double_ronda:
        fours = [4 in hand_sizes(seats.count, seats.opening) for seats in rules.seats]
        demand(any(fours), "a double ronda needs hands of four")
        demand(rules.double_ronda != 0, "double_ronda is required")


def check_settle(rules: RuleSet) -> None:
    """ANN-2, ANN-8, CHALL-1."""
    refused = rules.bluff == rule_set_pb2.BLUFF_REFUSED
    if rules.settle == rule_set_pb2.SETTLE_AT_ONCE:
        demand(refused, "settle AT_ONCE needs bluffs refused")
        demand(rules.timing != rule_set_pb2.TIMING_FIRST_TURN, "AT_ONCE with FIRST_TURN")
    if rules.settle == rule_set_pb2.SETTLE_BATCH_END_OR_CLEAR_KIND:
        demand(refused, "settle BATCH_END_OR_CLEAR_KIND needs bluffs refused")
    demand(not (rules.challenge and refused), "challenges need bluffs penalised")
    automatic = rules.timing == rule_set_pb2.TIMING_AUTOMATIC
    demand(refused or not automatic, "timing AUTOMATIC with bluffs penalised")


def check_penalties(rules: RuleSet) -> None:
    """ANN-4, ANN-9."""
    penalty = rules.false_penalty
    if rules.bluff == rule_set_pb2.BLUFF_REFUSED:
        none = not (penalty.ronda or penalty.tringa or penalty.double_ronda)
        demand(none, "false_penalty where bluffs are refused")
    else:
        for kind in valued_kinds(rules):
            demand(amount(penalty, kind) > 0, "false_penalty for each kind with a value")
    needs_receiver = (
        rules.bluff == rule_set_pb2.BLUFF_PENALISED
        or rules.undeclared_detection == rule_set_pb2.UNDECLARED_DETECTION_AUTOMATIC
    )
    if needs_receiver and 3 in [seats.count for seats in rules.seats]:
        demand(rules.penalty_to != 0, "penalty_to is required with three seats")


def check_undeclared(rules: RuleSet) -> None:
    """ANN-9, CLAIM-1."""
    penalty = rules.undeclared_penalty
    if rules.undeclared_detection == rule_set_pb2.UNDECLARED_DETECTION_NONE:
        none = not (penalty.ronda or penalty.tringa or penalty.double_ronda)
        demand(none, "undeclared_penalty without a detection")
        return
    automatic = rules.timing == rule_set_pb2.TIMING_AUTOMATIC
    demand(not automatic, "undeclared_detection with timing AUTOMATIC")
    for kind in valued_kinds(rules):
        demand(amount(penalty, kind) > 0, "undeclared_penalty for each kind with a value")


def check_scoring(rules: RuleSet) -> None:
    """PAY-1."""
    if rules.scoring == rule_set_pb2.SCORING_CARD_TRANSFER:
        demand(rules.HasField("count"), "CARD_TRANSFER needs a count")
        immediate = rules.win_check == rule_set_pb2.WIN_CHECK_IMMEDIATE
        demand(not immediate, "CARD_TRANSFER with an immediate win check")


def check_target(rules: RuleSet) -> None:
    """MATCH-2, MATCH-4."""
    if not rules.target:
        immediate = rules.win_check == rule_set_pb2.WIN_CHECK_IMMEDIATE
        demand(not immediate, "IMMEDIATE with target 0")
        demand(rules.target_tie != rule_set_pb2.TARGET_TIE_PLAY_ON, "PLAY_ON with target 0")
        return
    for seats in rules.seats:
        sizes = hand_sizes(seats.count, seats.opening)
        enough = can_score(rules, seats.count, max(sizes))
        demand(enough, f"nothing scores with {seats.count} seats")


def can_score(rules: RuleSet, seats: int, largest_hand: int) -> bool:
    """Tell whether anything could ever score with so many seats."""
    threshold = rules.count.three_sides if seats == 3 else rules.count.two_sides
    if rules.HasField("count") and threshold < 40:
        return True
    if rules.scoring == rule_set_pb2.SCORING_CARD_TRANSFER:
        return False
    steps = rules.ladder[:1] if seats < rules.chain_min_seats else rules.ladder[:]
    kinds = rules.kinds
    said = kinds.ronda or kinds.tringa or (kinds.double_ronda and largest_hand == 4)
    duty = rules.dealer_duty
    return bool(any(steps) or rules.mesa or said or duty.king or duty.ace or duty.miss)
