"""Values of rule sets that are rulings, with their other readings."""

Reading = dict[str, object]

_PENALISED: Reading = {
    "bluff": "PENALISED",
    "false_penalty": {"ronda": 1, "tringa": 5},
    "penalty_to": "NEXT_SEAT",
}
_KHLASO: list[Reading] = [
    {"chain_across_batches": True},
    {"mesa": 0},
    {"mesa_excluded": "NONE"},
    {"kinds": {"ronda": 1, "tringa": 3, "double_ronda": 2}},
    {
        "bluff": "PENALISED",
        "settle": "BATCH_END",
        "false_penalty": {"ronda": 1, "tringa": 5, "double_ronda": 2},
    },
    {"count": None},
    {"target": 21},
    {"win_check": "DEAL_END"},
    {"target_tie": "DRAW"},
]
_QAHWA: list[Reading] = [
    {"table_remedy": "RETURN_LAST"},
    {"chain_across_batches": True},
    _PENALISED,
    {"payout": "POT"},
    {"announcement_tie": "NONE"},
    {"settle": "DEAL_END"},
    {"target_tie": "DRAW"},
]
_CLASSIC: list[Reading] = [{"penalty_to": "NEXT_SEAT"}, {"target_tie": "DRAW"}]
# Of a variant those of its base too. Text 000 settles all values of maghribi and sarii, 004 names
# those of single-deal and four-hands-plain.
OTHER_READINGS: dict[str, list[Reading]] = {
    "khlaso": _KHLASO,
    "qahwa": _QAHWA,
    "qahwa-21": _QAHWA,
    "qahwa-25": _QAHWA,
    "qahwa-penalty": [
        *(reading for reading in _QAHWA if reading is not _PENALISED),
        {"undeclared_detection": "CLAIM"},
        {"penalty_to": "EACH_OPPONENT"},
    ],
    "classic": _CLASSIC,
    "classic-25": _CLASSIC,
    "classic-ace-high": _CLASSIC,
    "classic-dealer-duty": _CLASSIC,
    "classic-four-cards": [
        *_CLASSIC,
        {"false_penalty": {"ronda": 1, "tringa": 5, "double_ronda": 4}},
        {"undeclared_penalty": {"ronda": 1, "tringa": 5, "double_ronda": 4}},
    ],
    "classic-steep-chain": _CLASSIC,
    "classic-strict": _CLASSIC,
    "classic-transfer": [{"penalty_to": "NEXT_SEAT"}, {"target_tie": "PLAY_ON"}],
    "classic-transfer-chain": [{"penalty_to": "NEXT_SEAT"}, {"target_tie": "PLAY_ON"}],
    "four-hands-plain": [{"target_tie": "DRAW"}],
    "single-deal": [],
    "maghribi": [],
    "sarii": [],
}
