"""Plays at random by whatever modules are imported, and prints what came of each match.

    python -m tests.compiled.playing engine|referee FIRST COUNT

The first line says from where the engine and the referee come. Then there is a line for each match,
which is given by its seed: the seed, how many moves or records it has, and a digest of all that the
engine has said, refusals too, or of the referee's log and all that may be seen of the match.
"""

import hashlib
import random
import sys
from collections.abc import Iterator
from pathlib import Path

from ronda_referee import play
from ronda_referee.convert import decision_to_proto, public_view_to_proto, seat_view_to_proto
from ronda_rules import engine
from ronda_rules.errors import RulesError
from ronda_rules.moves import SeatMove
from ronda_rules.rule_set import RuleSet
from ronda_rules.view import public_view, seat_view
from tests.referee.test_any_course import Course, Stand
from tests.rules.playouts import conceivable, playout, some_rule_set
from tests.rules.rule_sets import presets


def rule_set_of(rng: random.Random, seed: int) -> tuple[RuleSet, int]:
    """Give the rule set and the seats of a match: a preset by turns, or any that can be played."""
    if seed % 2:
        return some_rule_set(rng.choice)
    played = presets()
    rules = played[seed // 2 % len(played)]
    return rules, rng.choice([count for count, _ in rules.seats])


def of_engine(seed: int) -> str:
    """Play the match of a seed by the engine alone; give its line."""
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


def of_referee(seed: int) -> str:
    """Play the match of a seed as the referee does, with clocks and all; give its line."""
    course = Course(seed)
    said = hashlib.sha256()
    for row in course.match.rows:
        said.update(repr((row.sequence, row.record, row.opening, row.visible_to)).encode())
    for stand in course.stands:
        for part in _seen(stand):
            said.update(part)
    return f"{seed} {len(course.match.rows)} {said.hexdigest()}"


def _seen(stand: Stand) -> Iterator[bytes]:
    """Give what everyone and each seat may see of a match, serialized, and what is asked."""
    yield repr((stand.rows, stand.decisions, stand.deadline, stand.visible.clocks)).encode()
    for shown in (stand.visible, stand.delayed):
        if shown.state is not None:
            public = public_view_to_proto(public_view(shown.state))
            yield public.SerializeToString(deterministic=True)
    state = stand.visible.state
    if state is None:
        return
    for seat in range(len(state.hands)):
        view = seat_view_to_proto(seat_view(state, seat))
        yield view.SerializeToString(deterministic=True)
        if seat in stand.decisions:
            asked = decision_to_proto(state, seat, stand.decisions[seat])
            yield asked.SerializeToString(deterministic=True)


OUTCOMES = {"engine": of_engine, "referee": of_referee}


def main() -> None:
    """Print where engine and referee come from and what came of each match."""
    what, first, count = sys.argv[1], *map(int, sys.argv[2:])
    print(Path(engine.__file__).resolve(), Path(play.__file__).resolve())
    for seed in range(first, first + count):
        print(OUTCOMES[what](seed), flush=True)


if __name__ == "__main__":
    main()
