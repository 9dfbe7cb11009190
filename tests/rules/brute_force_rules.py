"""The rule sets as the brute-force counter has them: typed by hand from the table of presets.

Nothing of `ronda_rules` is imported, and no rule-set file is read.
"""

from dataclasses import dataclass, field, replace

KINDS = ("ronda", "tringa", "double_ronda")


@dataclass(frozen=True)
class Rules:
    """Parameters; the values left out are those that most rule sets have."""

    ladder: tuple[int, ...]
    timing: str
    settle: str
    chain_min_seats: int = 0
    empty_table: bool = False
    across: bool = False
    mesa: int = 1
    mesa_excluded: str = "LAST_CARD"
    kinds: dict[str, int] = field(default_factory=lambda: {"ronda": 1, "tringa": 5})
    pairs_make_double: str = ""
    bluffs: bool = False
    ace_high: bool = False
    pot: bool = True
    tie_for_nobody: bool = False
    lowest_of_four: bool = False
    false_penalty: dict[str, int] = field(default_factory=dict)
    false_penalty_cap: int = 0
    each_opponent: bool = False
    undeclared: str = "NONE"
    undeclared_penalty: dict[str, int] = field(default_factory=dict)
    challenge: bool = False
    duty: tuple[int, int, int] = (0, 0, 0)
    each_link: bool = False
    count: tuple[int, int] | None = (20, 13)
    in_cards: bool = False
    target: int = 41
    immediate: bool = True
    play_on: bool = True


MAGHRIBI = Rules(
    ladder=(1,),
    timing="FIRST_TURN",
    settle="DEAL_END",
    bluffs=True,
    pot=False,
    false_penalty={"ronda": 1, "tringa": 5},
    false_penalty_cap=1,
    immediate=False,
    play_on=False,
)
KHLASO = Rules(
    ladder=(1, 5, 10),
    timing="SIMULTANEOUS",
    settle="BATCH_END_OR_CLEAR_KIND",
    chain_min_seats=2,
    empty_table=True,
    kinds={"ronda": 1, "tringa": 5, "double_ronda": 2},
    pairs_make_double="FIRST_BATCH_ONLY",
    count=(20, 0),
)
QAHWA = Rules(
    ladder=(1, 5, 10),
    timing="FIRST_TURN",
    settle="BATCH_END",
    chain_min_seats=3,
    pot=False,
)
CLASSIC = Rules(
    ladder=(1, 5, 10),
    timing="IN_ORDER",
    settle="WHEN_SHOWN",
    chain_min_seats=3,
    bluffs=True,
    false_penalty={"ronda": 1, "tringa": 5},
    each_opponent=True,
    undeclared="CLAIM",
    undeclared_penalty={"ronda": 1, "tringa": 5},
    challenge=True,
)
TRANSFER = replace(CLASSIC, in_cards=True, immediate=False, play_on=False)
THREE_KINDS = {"ronda": 1, "tringa": 5, "double_ronda": 2}

RULES = {
    "maghribi": MAGHRIBI,
    "khlaso": KHLASO,
    "qahwa": QAHWA,
    "qahwa-penalty": replace(
        QAHWA, undeclared="AUTOMATIC", undeclared_penalty={"ronda": 1, "tringa": 5}
    ),
    "classic": CLASSIC,
    "classic-dealer-duty": replace(CLASSIC, duty=(5, 5, 5)),
    "classic-four-cards": replace(
        CLASSIC,
        empty_table=True,
        kinds=THREE_KINDS,
        pairs_make_double="ANY_FOUR_CARD_HAND",
        false_penalty=THREE_KINDS,
        undeclared_penalty=THREE_KINDS,
    ),
    "classic-transfer": TRANSFER,
    "classic-transfer-chain": replace(TRANSFER, each_link=True),
    "classic-ace-high": replace(CLASSIC, ace_high=True),
    "classic-steep-chain": replace(CLASSIC, ladder=(1, 6, 15)),
    "classic-strict": replace(CLASSIC, undeclared_penalty={"ronda": 5, "tringa": 5}),
    "four-hands-plain": replace(
        CLASSIC,
        ladder=(),
        kinds={},
        bluffs=False,
        false_penalty={},
        undeclared="NONE",
        undeclared_penalty={},
        challenge=False,
    ),
    "single-deal": replace(
        CLASSIC,
        ladder=(1,),
        timing="AUTOMATIC",
        settle="BATCH_END_OR_CLEAR_KIND",
        mesa_excluded="NONE",
        kinds={"ronda": 1},
        bluffs=False,
        false_penalty={},
        undeclared="NONE",
        undeclared_penalty={},
        challenge=False,
        count=(20, 0),
        target=0,
        immediate=False,
        play_on=False,
    ),
}
