"""The matches of a run by their numbers: each rule set with each seat count in turn."""

import random
from collections.abc import Generator
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from multiprocessing import get_context

from ronda_conformance import data_folders
from ronda_conformance.rule_set_files import load_beside_shipped
from tests.differential.comparing import Disagreement, compare
from tests.differential.mixtures import crossed, varied
from tests.differential.random_matches import MOST_MOVES, random_match

MIXTURES = {"crossed": crossed, "varied": varied}
"""Rule sets that are made for a match, from all that are shipped."""
RULE_SETS = {
    name: read.listed.rule_set
    for name, read in load_beside_shipped([data_folders.house_rules()]).items()
}
"""The presets and the house rule sets that are shipped as examples."""
JOBS: tuple[tuple[str, int], ...] = (
    *((name, one.count) for name, rules in RULE_SETS.items() for one in rules.seats),
    *((name, seats) for name in MIXTURES for seats in (2, 3, 4)),
)
"""Each rule set with each of its seat counts, and mixtures of rule sets."""
ROUND = JOBS + 3 * tuple(job for job in JOBS if job[0] == "varied")
"""The matches of a run in turn: four times as many of those that no shipped rule set is like."""

_AT_ONCE = 64


@dataclass(frozen=True)
class Outcome:
    """What came of one match.

    Attributes:
        number: its number in the run, from 0 on.
        job: the rule set's id and how many seats.
        deals: the deals of it that both engines played to their end.
        disagreement: where the engines part; None: nowhere.
    """

    number: int
    job: tuple[str, int]
    deals: int
    disagreement: Disagreement | None


def played(seed: int, number: int, most_moves: int = MOST_MOVES) -> Outcome:
    """Play one match of a run with both engines; the same numbers give the same match."""
    rng = random.Random(f"{seed}/{number}")  # matches must come again from the seed
    job = ROUND[number % len(ROUND)]
    name, seats = job
    if name in MIXTURES:
        rule_set = MIXTURES[name](tuple(RULE_SETS.values()), seats, rng)
    else:
        rule_set = RULE_SETS[name]
    deals, disagreement = compare(random_match(rule_set, seats, rng, most_moves))
    return Outcome(number, job, deals, disagreement)


def outcomes(seed: int, processes: int) -> Generator[Outcome, None, None]:
    """Play the matches of a run without end, in so many processes; one: in this one."""
    number = 0
    if processes == 1:
        while True:
            yield played(seed, number)
            number += 1
    with ProcessPoolExecutor(processes, get_context("spawn")) as pool:
        try:
            while True:
                numbers = range(number, number + _AT_ONCE)
                number += _AT_ONCE
                for future in as_completed([pool.submit(played, seed, one) for one in numbers]):
                    yield future.result()
        finally:
            pool.shutdown(cancel_futures=True)
