"""The demo's run of the conformance suite against its referee."""

from ronda_cli.demo_report import Scenarios
from ronda_conformance.data_folders import DataFolderMissingError
from ronda_conformance.examples import load_whole_suite
from ronda_conformance.progress import progress
from ronda_conformance.results import Result, Run, Status
from ronda_conformance.rule_set_files import RuleSetFileError, load_rule_sets
from ronda_conformance.running import Limits, run_cases


async def play_scenarios(target: str) -> Scenarios:
    """Play the whole suite against the testee service at `host:port`.

    A scenario that was not answered, and a file of the suite that cannot be read, are failures.
    """
    try:
        suite = load_whole_suite(load_rule_sets())
    except (DataFolderMissingError, RuleSetFileError) as error:
        return Scenarios(0, 0, (str(error),))
    finished = Run(target)
    with progress(len(suite.cases)) as on_result:
        await run_cases(finished, suite.cases, Limits(), on_result)
    failures = [str(error) for error in suite.errors]
    failures += [
        _failure(result) for result in finished.results if result.status is not Status.PASSED
    ]
    if finished.interrupted:
        failures.append(finished.interrupted)
    return Scenarios(len(suite.cases), finished.count(Status.PASSED), tuple(failures))


def _failure(result: Result) -> str:
    details = [result.reason] if result.reason else []
    details += [
        f"step {mismatch.step}, {mismatch.what}: expected {mismatch.expected}, got {mismatch.got}"
        for mismatch in result.mismatches
    ]
    return f"{result.case.id}: {result.status.value}: {'; '.join(details)}"
