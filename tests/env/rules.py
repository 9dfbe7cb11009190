"""Rule sets and matches that the tests of the environment share."""

from ronda.v1.card_pb2 import Card
from ronda.v1.rule_set_pb2 import RuleSet, TargetTie, WinCheck
from ronda_env import RondaEnv, action_of, card_number
from ronda_table import LocalMatch, rule_set_of
from tests.table.test_local_match import cards

EVERY = [
    (rule_set, seats)
    for rule_set, counts in {
        "classic": (2, 3, 4),
        "classic-25": (2, 3, 4),
        "classic-ace-high": (2, 3, 4),
        "classic-dealer-duty": (2, 3, 4),
        "classic-four-cards": (2, 4),
        "classic-steep-chain": (2, 3, 4),
        "classic-strict": (2, 3, 4),
        "classic-transfer": (2, 3, 4),
        "classic-transfer-chain": (2, 3, 4),
        "four-hands-plain": (4,),
        "khlaso": (2, 4),
        "maghribi": (2, 3, 4),
        "qahwa": (2, 3, 4),
        "qahwa-21": (2, 3, 4),
        "qahwa-25": (2, 3, 4),
        "qahwa-penalty": (2, 3, 4),
        "sarii": (2, 3, 4),
        "single-deal": (2,),
    }.items()
    for seats in counts
]


def ending_at(rule_set: str, target: int) -> RuleSet:
    """Return a rule set whose match ends as soon as a side has so many points."""
    rules = RuleSet()
    rules.CopyFrom(rule_set_of(rule_set))
    rules.id = f"to-{target}-{rules.id}"
    rules.target = target
    rules.win_check = WinCheck.WIN_CHECK_IMMEDIATE
    rules.target_tie = TargetTie.TARGET_TIE_DRAW
    return rules


def with_draws(
    rule_set: str | RuleSet, seats: int, draws: list[Card], rewards: str = "points"
) -> RondaEnv:
    """Return an environment at the beginning of a match with these cards."""
    env = RondaEnv(rule_set, seats, rewards)
    env._begin(LocalMatch(rule_set, seats, draws=draws))
    return env


def number(text: str) -> int:
    """Return the number of a card that is written as `7o`; it is the action that plays it."""
    return card_number(cards(text)[0])


def numbers(text: str) -> set[int]:
    """Return the numbers of cards that are written as `7o 10c`."""
    return {card_number(card) for card in cards(text)}


def legal_actions(env: RondaEnv, seat: int) -> list[int]:
    """Return the actions that stand for the legal moves that a seat is served."""
    decision = env.match.decision(seat)
    moves = [] if decision is None else decision.legal_moves
    return [action_of(move, seat, env.match.seats) for move in moves]
