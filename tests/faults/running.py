"""Running through a catalogue in several processes."""

from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from functools import cache
from multiprocessing import get_context

from ronda_conformance.examples import load_whole_suite
from ronda_conformance.rule_set_files import load_rule_sets
from ronda_conformance.scenarios import Case
from tests.faults.catalogue import Fault
from tests.faults.playing import Outcome, passing_answers, play


class SuiteError(Exception):
    """The suite cannot be used: a scenario cannot be read, or one that is named is lacking."""


@cache
def suite() -> tuple[Case, ...]:
    """Give the scenarios of the suite and the examples of the specification, by id.

    Raises:
        SuiteError: one of them cannot be read.
    """
    whole = load_whole_suite(load_rule_sets())
    if whole.errors:
        raise SuiteError("\n".join(map(str, whole.errors)))
    return tuple(whole.cases)


def play_whole(fault: Fault) -> Outcome:
    """Play the whole suite against a fault, to its end."""
    return play(fault, suite(), passing=_passing())


@cache
def _passing() -> dict[str, bytes]:
    return passing_answers(suite())


def outcomes(faults: Sequence[Fault], processes: int) -> Iterator[Outcome]:
    """Play the whole suite against each fault, as they come.

    Args:
        faults: what is planted, one after the other.
        processes: in so many processes; 1: in this one.

    Raises:
        CatalogueError: a fault cannot be planted.
        SuiteError: a scenario cannot be read.
    """
    suite()
    if processes == 1:
        yield from map(play_whole, faults)
        return
    with ProcessPoolExecutor(processes, get_context("spawn")) as pool:
        try:
            for future in as_completed([pool.submit(play_whole, fault) for fault in faults]):
                yield future.result()
        finally:
            pool.shutdown(cancel_futures=True)


def outcome_of_recorded(fault: Fault, scenario: str) -> Outcome:
    """Play against a fault the one scenario that is said to find it.

    Raises:
        CatalogueError: the fault cannot be planted.
        SuiteError: there is no such scenario.
    """
    case = _by_id().get(scenario)
    if case is None:
        raise SuiteError(f"{fault.id}: there is no scenario {scenario!r} any more")
    return play(fault, [case], first=True)


@cache
def _by_id() -> dict[str, Case]:
    return {case.id: case for case in suite()}
