"""A rule set: one value for every parameter of the rules, nothing that hangs on a name.

The fields and values carry the names of ``ronda/v1/rule_set.proto``. A rule set is checked with
`ronda_rules.rule_set_check.check` before a match begins with it.
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final


class Opening(StrEnum):
    """How a deal begins (clause DEAL-5)."""

    TABLE_OF_FOUR = "TABLE_OF_FOUR"
    EMPTY_TABLE = "EMPTY_TABLE"


class TableForbid(StrEnum):
    """What the first four table cards may not hold (clause DEAL-7)."""

    PAIRS = "PAIRS"
    RUNS = "RUNS"


class TableRemedy(StrEnum):
    """How a forbidden table is mended (clause DEAL-8)."""

    RETURN_ALL = "RETURN_ALL"
    RETURN_LAST = "RETURN_LAST"


class FirstDealer(StrEnum):
    """How the first dealer is found where no seat is named (clause DEAL-3)."""

    LAST_SEAT = "LAST_SEAT"
    DRAWN = "DRAWN"


class MesaExcluded(StrEnum):
    """Which cards earn no mesa (clause MESA-3)."""

    NONE = "NONE"
    LAST_CARD = "LAST_CARD"
    LAST_BATCH = "LAST_BATCH"


class AnnouncementKind(StrEnum):
    """What a seat can announce to hold (clause ANN-1)."""

    RONDA = "RONDA"
    TRINGA = "TRINGA"
    DOUBLE_RONDA = "DOUBLE_RONDA"


# An enumeration takes long to say what is in it.
KINDS: Final = tuple(AnnouncementKind)


class DoubleRonda(StrEnum):
    """In which batches two pairs make a double ronda (clause ANN-1)."""

    FIRST_BATCH_ONLY = "FIRST_BATCH_ONLY"
    ANY_FOUR_CARD_HAND = "ANY_FOUR_CARD_HAND"


class Timing(StrEnum):
    """When announcements are made (clause ANN-2)."""

    FIRST_TURN = "FIRST_TURN"
    IN_ORDER = "IN_ORDER"
    SIMULTANEOUS = "SIMULTANEOUS"
    AUTOMATIC = "AUTOMATIC"


class Bluff(StrEnum):
    """What becomes of an announcement that the hand does not support (clause ANN-4)."""

    REFUSED = "REFUSED"
    PENALISED = "PENALISED"


class RankOrder(StrEnum):
    """How ranks compare between announcements (clause ANN-5)."""

    KING_HIGH = "KING_HIGH"
    ACE_HIGH = "ACE_HIGH"


class Payout(StrEnum):
    """What the best announcement of a batch is paid (clause ANN-6)."""

    OWN_VALUE = "OWN_VALUE"
    POT = "POT"


class AnnouncementTie(StrEnum):
    """What equal best announcements of opposing sides get (clause ANN-7)."""

    SPLIT = "SPLIT"
    NONE = "NONE"


class AllRondas(StrEnum):
    """Which single ronda is best where all four seats have one (clause ANN-5)."""

    HIGHEST = "HIGHEST"
    LOWEST = "LOWEST"


class Settle(StrEnum):
    """When announcements are judged and paid (clause ANN-8)."""

    DEAL_END = "DEAL_END"
    BATCH_END = "BATCH_END"
    AT_ONCE = "AT_ONCE"
    BATCH_END_OR_CLEAR_KIND = "BATCH_END_OR_CLEAR_KIND"
    WHEN_SHOWN = "WHEN_SHOWN"


class PenaltyTo(StrEnum):
    """Who receives a penalty with three seats (clause ANN-9)."""

    NEXT_SEAT = "NEXT_SEAT"
    EACH_OPPONENT = "EACH_OPPONENT"


class UndeclaredDetection(StrEnum):
    """How combinations that were held and not announced are found."""

    NONE = "NONE"
    AUTOMATIC = "AUTOMATIC"
    CLAIM = "CLAIM"


class ChainPayment(StrEnum):
    """Which steps of a chain are paid."""

    LAST_ONLY = "LAST_ONLY"
    EACH_LINK = "EACH_LINK"


class Scoring(StrEnum):
    """In what scores are paid."""

    POINTS = "POINTS"
    CARD_TRANSFER = "CARD_TRANSFER"


class WinCheck(StrEnum):
    """When the end of the match is looked for (clause MATCH-2)."""

    IMMEDIATE = "IMMEDIATE"
    DEAL_END = "DEAL_END"


class TargetTie(StrEnum):
    """What becomes of a highest total that sides share (clause MATCH-3)."""

    DRAW = "DRAW"
    PLAY_ON = "PLAY_ON"


@dataclass(frozen=True, slots=True)
class KindAmounts:
    """Points for each kind of announcement; 0 is no value, or no penalty."""

    ronda: int = 0
    tringa: int = 0
    double_ronda: int = 0

    def of(self, kind: AnnouncementKind) -> int:
        """Give the points of one kind."""
        match kind:
            case AnnouncementKind.RONDA:
                return self.ronda
            case AnnouncementKind.TRINGA:
                return self.tringa
            case AnnouncementKind.DOUBLE_RONDA:
                return self.double_ronda

    @property
    def are_none(self) -> bool:
        """Whether no kind has points."""
        return not any((self.ronda, self.tringa, self.double_ronda))

    def named(self) -> tuple[AnnouncementKind, ...]:
        """Give the kinds that have points, from ronda to double ronda."""
        return tuple(kind for kind in KINDS if self.of(kind))


@dataclass(frozen=True, slots=True)
class DealerDuty:
    """What the dealer's last card of the deal is worth, in points; all 0 is no duty."""

    king: int = 0
    ace: int = 0
    miss: int = 0


@dataclass(frozen=True, slots=True)
class CountThresholds:
    """Above how many cards each card of a pile is a point (clause COUNT-1)."""

    two_sides: int
    three_sides: int


@dataclass(frozen=True, slots=True)
class RuleSet:
    """The rules of a match.

    `seats` pairs each seat count allowed with its opening. `first_dealer` is a seat or how it is
    found. `count` is None where piles are not counted. Fields that may be None say by it that
    the rule set has no use for them.
    """

    id: str
    title: str
    summary: str
    source: str
    seats: tuple[tuple[int, Opening], ...]
    table_forbids: frozenset[TableForbid]
    table_remedy: TableRemedy | None
    first_dealer: int | FirstDealer
    ladder: tuple[int, ...]
    chain_min_seats: int
    chain_across_batches: bool
    mesa: int
    mesa_excluded: MesaExcluded
    kinds: KindAmounts
    double_ronda: DoubleRonda | None
    timing: Timing
    bluff: Bluff
    rank_order: RankOrder
    payout: Payout
    announcement_tie: AnnouncementTie
    all_rondas: AllRondas
    settle: Settle
    false_penalty: KindAmounts
    false_penalty_cap: int
    penalty_to: PenaltyTo | None
    undeclared_penalty: KindAmounts
    undeclared_detection: UndeclaredDetection
    challenge: bool
    dealer_duty: DealerDuty
    chain_payment: ChainPayment
    count: CountThresholds | None
    scoring: Scoring
    target: int
    win_check: WinCheck
    target_tie: TargetTie

    def opening(self, seats: int) -> Opening:
        """Give the opening for a seat count that the rule set allows."""
        return dict(self.seats)[seats]

    def ladder_for(self, seats: int) -> tuple[int, ...]:
        """Give the ladder as it is played with a seat count (clause CHAIN-1)."""
        return self.ladder if seats >= self.chain_min_seats else self.ladder[:1]
