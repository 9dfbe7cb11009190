"""The rule set that the engine's tests play by, written out, and changes of it."""

import dataclasses
from typing import Any

from ronda_rules.rule_set import (
    AllRondas,
    AnnouncementTie,
    Bluff,
    ChainPayment,
    CountThresholds,
    DealerDuty,
    KindAmounts,
    MesaExcluded,
    Opening,
    Payout,
    PenaltyTo,
    RankOrder,
    RuleSet,
    Scoring,
    Settle,
    TableForbid,
    TableRemedy,
    TargetTie,
    Timing,
    UndeclaredDetection,
    WinCheck,
)
from ronda_rules.rule_set import FirstDealer as FirstDealerRule

MAGHRIBI = RuleSet(
    id="maghribi",
    title="Maghribi",
    summary="To 41, with bluffs",
    source="rule text 000",
    seats=(
        (2, Opening.TABLE_OF_FOUR),
        (3, Opening.TABLE_OF_FOUR),
        (4, Opening.TABLE_OF_FOUR),
    ),
    table_forbids=frozenset({TableForbid.PAIRS, TableForbid.RUNS}),
    table_remedy=TableRemedy.RETURN_ALL,
    first_dealer=FirstDealerRule.LAST_SEAT,
    ladder=(1,),
    chain_min_seats=0,
    chain_across_batches=False,
    mesa=1,
    mesa_excluded=MesaExcluded.LAST_CARD,
    kinds=KindAmounts(ronda=1, tringa=5),
    double_ronda=None,
    timing=Timing.FIRST_TURN,
    bluff=Bluff.PENALISED,
    rank_order=RankOrder.KING_HIGH,
    payout=Payout.OWN_VALUE,
    announcement_tie=AnnouncementTie.SPLIT,
    all_rondas=AllRondas.HIGHEST,
    settle=Settle.DEAL_END,
    false_penalty=KindAmounts(ronda=1, tringa=5),
    false_penalty_cap=1,
    penalty_to=PenaltyTo.NEXT_SEAT,
    undeclared_penalty=KindAmounts(),
    undeclared_detection=UndeclaredDetection.NONE,
    challenge=False,
    dealer_duty=DealerDuty(),
    chain_payment=ChainPayment.LAST_ONLY,
    count=CountThresholds(two_sides=20, three_sides=13),
    scoring=Scoring.POINTS,
    target=41,
    win_check=WinCheck.DEAL_END,
    target_tie=TargetTie.DRAW,
)

EMPTY_TABLE = {
    "seats": ((2, Opening.EMPTY_TABLE), (4, Opening.EMPTY_TABLE)),
    "table_forbids": frozenset[TableForbid](),
    "table_remedy": None,
}
"""What makes a rule set begin its deals with an empty table."""

REFUSED = {"bluff": Bluff.REFUSED, "false_penalty": KindAmounts()}
"""What makes a rule set refuse false announcements."""


CHAIN = {"ladder": (1, 5, 10), "chain_min_seats": 3}
"""What makes a rule set hold a caida until it is known who ends the chain."""

SHOWN = {
    **CHAIN,
    "timing": Timing.IN_ORDER,
    "payout": Payout.POT,
    "settle": Settle.WHEN_SHOWN,
    "false_penalty_cap": 0,
    "penalty_to": PenaltyTo.EACH_OPPONENT,
    "undeclared_penalty": KindAmounts(ronda=1, tringa=5),
    "undeclared_detection": UndeclaredDetection.CLAIM,
    "challenge": True,
    "win_check": WinCheck.IMMEDIATE,
    "target_tie": TargetTie.PLAY_ON,
}
"""What makes a rule set judge announcements by the cards played, with challenges and claims."""


def changed(**values: Any) -> RuleSet:  # noqa: ANN401 - a value of whatever type its field has
    """Give maghribi with other values for some parameters."""
    return dataclasses.replace(MAGHRIBI, **values)
