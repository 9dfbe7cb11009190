"""Plays matches at random by whichever engine is imported, and prints what came of each.

    python -m tests.compiled.playing FIRST COUNT

The first line says from where the engine comes. Then there is a line for each match, which is given
by its seed: the seed, its moves, and a digest of all that the engine has said, refusals too.
"""

import hashlib
import random
import sys
from pathlib import Path

from ronda_rules import engine
from ronda_rules.errors import RulesError
from ronda_rules.moves import SeatMove
from ronda_rules.rule_set import RuleSet
from ronda_rules.view import public_view
from tests.rules.playouts import conceivable, playout, some_rule_set
from tests.rules.rule_sets import presets


def rule_set_of(rng: random.Random, seed: int) -> tuple[RuleSet, int]:
    """Give the rule set and the seats of a match: a preset by turns, or any that can be played."""
    if seed % 2:
        return some_rule_set(rng.choice)
    played = presets()
    rules = played[seed // 2 % len(played)]
    return rules, rng.choice([count for count, _ in rules.seats])


def outcome(seed: int) -> str:
    """Play the match of a seed; give its line."""
    rng = random.Random(seed)
    rules, seats = rule_set_of(rng, seed)
    said = hashlib.sha256()
    moves = 0
    for step in playout(rules, seats, rng):
        moves += 1
        legal = [engine.legal_moves(step.before, seat) for seat in range(seats)]
        true = [engine.supported_announcements(step.before, seat) for seat in range(seats)]
        tried = SeatMove(rng.randrange(seats), rng.choice(conceivable(seats)))
        try:
            answer = repr(engine.advance(step.before, tried))
        except RulesError as refused:
            answer = f"{refused!r} {refused.clause} {refused.values}"
        seen = public_view(step.before)
        said.update(repr((step, seen, legal, true, tried, answer)).encode())
    return f"{seed} {moves} {said.hexdigest()}"


def main() -> None:
    """Print where the engine comes from and what came of each match."""
    first, count = map(int, sys.argv[1:])
    print(Path(engine.__file__).resolve())
    for seed in range(first, first + count):
        print(outcome(seed), flush=True)


if __name__ == "__main__":
    main()
