"""The command: selection, known failures, reports and exit codes."""

import argparse
import asyncio
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from google.protobuf.message import Message

from ronda.conformance.v1 import testee_service_pb2 as pb
from ronda_conformance import command
from ronda_conformance.__main__ import main
from tests.conformance.fake_testee import Answer, serving
from tests.conformance.small_case import SCENARIO, right_answer


@pytest.fixture
def suites(tmp_path: Path) -> Path:
    """A folder of three scenarios: a run, another clause, another rule set."""
    folder = tmp_path / "suites"
    folder.mkdir()
    texts = {
        "cap-run": SCENARIO,
        "mesa-last": SCENARIO.replace("[CAP-3, MESA-1]", "[MESA-1]"),
        "cap-sarii": SCENARIO.replace("rule_set: maghribi", "rule_set: sarii"),
    }
    for name, text in texts.items():
        (folder / f"{name}.yaml").write_text(
            text.replace("id: small-case", f"id: {name}"), encoding="utf-8"
        )
    return folder


async def right(request: pb.RunRequest) -> Message:
    """Answer rightly, whatever the rule set is called."""
    answer = right_answer()
    for result in (answer.start, *answer.steps):
        for public in (result.sight.public, *(view.public for view in result.sight.seats)):
            public.rule_set_id = request.rule_set.id
    return answer


async def wrong_for_sarii(request: pb.RunRequest) -> Message:
    """Answer wrongly where the rule set is sarii: the 10 stays on the table."""
    answer = await right(request)
    if request.rule_set.id == "sarii" and isinstance(answer, pb.RunResponse):
        answer.steps[0].events[1].cards_captured.cards.pop()
    return answer


@contextmanager
def target(answer: Answer) -> Iterator[str]:
    """Serve an answer from a thread with a loop of its own, as another program would."""
    started = threading.Event()
    places: list[str] = []
    loop = asyncio.new_event_loop()
    end = asyncio.Event()

    async def serve() -> None:
        async with serving(answer) as place:
            places.append(place)
            started.set()
            await end.wait()

    def work() -> None:
        loop.run_until_complete(serve())
        loop.close()

    thread = threading.Thread(target=work)
    thread.start()
    started.wait()
    try:
        yield places[0]
    finally:
        loop.call_soon_threadsafe(end.set)
        thread.join()


def test_all_pass(suites: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Exit code 0 and a line of sums, nothing on standard error in a pipe."""
    with target(right) as place:
        assert main(["--target", place, "--suites", str(suites)]) == 0
    captured = capsys.readouterr()
    assert captured.out == f"3 scenarios against {place}: 3 passed.\n"
    assert captured.err == ""


def test_a_failure_is_shown_with_the_position(
    suites: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The report has the id, the clauses, the move, both positions, both values and the why."""
    with target(wrong_for_sarii) as place:
        assert main(["--target", place, "--suites", str(suites)]) == 1
    out = capsys.readouterr().out
    for part in (
        "FAILED cap-sarii (CAP-3, MESA-1)",
        str(suites / "cap-sarii.yaml"),
        "step 1, seat 0: play 6",
        "before:\n          table   [ 6c] [ 7o] [10o] [12c]\n        > seat 0  [ 6o] [11o]\n",
        "after:\n          table   [12c]\n          seat 0  [11o]\n",
        "        > seat 1  [12o] [ 3o]  dealer\n          pile 0  |||||||||||||||||||| 20, score 0",
        "captured\n        expected: 6 7 10\n        got:      6c 7o\n",
        "CAP-3 The run above goes along: With the equal card go the cards that follow it upwards",
        "why: Worked out by hand.",
        "3 scenarios against",
        "2 passed, 1 failed.",
    ):
        assert part in out
    assert "FAILED cap-run" not in out


def test_the_report_as_json(suites: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """One object that says all that the text says."""
    with target(wrong_for_sarii) as place:
        assert main(["--target", place, "--suites", str(suites), "--json"]) == 1
    report = json.loads(capsys.readouterr().out)
    assert report["target"] == place
    assert report["complete"] is True
    assert report["exit_code"] == 1
    assert (report["selected"], report["suite_size"]) == (3, 3)
    assert report["summary"] == {
        "passed": 2,
        "failed": 1,
        "no_answer": 0,
        "known_failing": 0,
        "unsupported": 0,
        "now_passing": 0,
        "not_run": 0,
    }
    by_id = {result["id"]: result for result in report["results"]}
    assert by_id["cap-run"]["status"] == "passed"
    assert by_id["cap-run"]["mismatches"] == []
    failed = by_id["cap-sarii"]
    assert failed["clauses"] == ["CAP-3", "MESA-1"]
    assert failed["rule_set"] == "sarii"
    assert failed["mismatches"][0] == {
        "step": 1,
        "what": "captured",
        "expected": "6 7 10",
        "got": "6c 7o",
    }


def known_failing(folder: Path, text: str) -> str:
    """Write a list of known failures and return its name."""
    file = folder / "known.txt"
    file.write_text(text, encoding="utf-8")
    return str(file)


def test_a_known_failure_is_no_failure(
    suites: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """What the list says fails may fail."""
    listed = known_failing(tmp_path, "# sarii is not done yet\ncap-sarii  # a reason\n\n")
    with target(wrong_for_sarii) as place:
        arguments = ["--target", place, "--suites", str(suites), "--known-failing", listed]
        assert main(arguments) == 0
    assert "2 passed, 1 known failing." in capsys.readouterr().out


def test_a_known_failure_that_passes_is_a_failure(
    suites: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The list is wrong then, and says so."""
    listed = known_failing(tmp_path, "cap-run\n")
    with target(right) as place:
        arguments = ["--target", place, "--suites", str(suites), "--known-failing", listed]
        assert main(arguments) == 1
    out = capsys.readouterr().out
    assert "NOW PASSING cap-run" in out
    assert "take it out" in out


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("cap-run\ncap-runn\n", "known.txt:2:1: no scenario 'cap-runn'; did you mean 'cap-run'?"),
        ("cap-run\ncap-run\n", "known.txt:2:1: 'cap-run' stands twice, first in line 1"),
        ("cap-*\ncup-*\n", "known.txt:2:1: no scenario 'cup-*'; "),
    ],
)
def test_a_faulty_list_of_known_failures_is_refused(
    suites: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str, problem: str
) -> None:
    """A mistyped id would hide nothing and stay for ever."""
    listed = known_failing(tmp_path, text)
    arguments = ["--target", "127.0.0.1:1", "--suites", str(suites), "--known-failing", listed]
    assert main(arguments) == 2
    assert problem in capsys.readouterr().err


def test_a_known_failure_may_be_a_pattern(
    suites: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """All that it fits must fail: one that passes is told with the entry that lists it."""
    listed = known_failing(tmp_path, "cap-*\n")
    with target(wrong_for_sarii) as place:
        arguments = ["--target", place, "--suites", str(suites), "--known-failing", listed]
        assert main(arguments) == 1
    out = capsys.readouterr().out
    assert "NOW PASSING cap-run" in out
    assert f"it passes, but {listed}:1: cap-* says that it fails: take it out" in out
    assert "1 passed, 1 known failing, 1 now passing." in out


def test_a_selection_says_so(suites: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A part of the suite passes, and nobody takes it for the whole."""
    with target(right) as place:
        arguments = ["--target", place, "--suites", str(suites), "--id", "cap-*"]
        assert main(arguments) == 0
        assert capsys.readouterr().out == (
            f"A selection of 2 of 3 scenarios against {place}: 2 passed.\n"
        )
        assert main([*arguments, "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert (report["selected"], report["suite_size"]) == (2, 3)


def ids(out: str) -> list[str]:
    """Return the ids that `--list` printed."""
    return [line.split()[0] for line in out.splitlines()]


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ([], ["cap-run", "cap-sarii", "mesa-last"]),
        (["--id", "cap-*"], ["cap-run", "cap-sarii"]),
        (["--id", "cap-run", "--id", "*-last"], ["cap-run", "mesa-last"]),
        (["--clause", "CAP-3"], ["cap-run", "cap-sarii"]),
        (["--rule-set", "sarii"], ["cap-sarii"]),
        (["--id", "cap-*", "--rule-set", "maghribi"], ["cap-run"]),
    ],
)
def test_scenarios_are_selected(
    suites: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], expected: list[str]
) -> None:
    """By patterns of ids, clauses and rule sets; each stated part must fit."""
    assert main(["--suites", str(suites), "--list", *arguments]) == 0
    assert ids(capsys.readouterr().out) == expected


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (["--id", "cup-*"], "no scenario fits --id cup-*"),
        (["--id", "cap-run", "--id", "cup-*"], "no scenario fits --id cup-*"),
        (["--clause", "CAP-9"], "no scenario fits --clause CAP-9"),
        (["--rule-set", "qahwa"], "no scenario fits --rule-set qahwa"),
        (["--id", "mesa-*", "--rule-set", "sarii"], "no scenario fits the whole selection"),
        ([], "--target HOST:PORT or --command COMMAND is missing"),
        (["--command", "x", "--tls-ca", "y"], "--tls-ca goes with --target"),
    ],
)
def test_a_selection_of_nothing_is_a_usage_error(
    suites: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], problem: str
) -> None:
    """A run of nothing must not look like a pass."""
    assert main(["--suites", str(suites), *arguments]) == 2
    captured = capsys.readouterr()
    assert problem in captured.err
    assert captured.out == ""


@pytest.mark.parametrize(
    "arguments",
    [
        ["--target", "localhost"],
        ["--target", ":50051"],
        ["--target", "localhost:0"],
        ["--target", "localhost:65536"],
        ["--target", "localhost:http"],
        ["--timeout", "0"],
        ["--timeout", "inf"],
        ["--timeout", "nan"],
        ["--timeout", "soon"],
        ["--jobs", "0"],
        ["--jobs", "two"],
        ["--restarts", "-1"],
        ["--command", ""],
        ["--command", "'open"],
        ["--command", "program", "--target", "127.0.0.1:1"],
        ["--profile", "nothing"],
        ["--no-such-option"],
    ],
)
def test_wrong_arguments_are_a_usage_error(arguments: list[str]) -> None:
    """The parser says what is right and ends with 2."""
    with pytest.raises(SystemExit) as ended:
        main(arguments)
    assert ended.value.code == 2


def test_an_unreadable_suite_is_a_usage_error(
    suites: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Every file at fault is named with its place; nothing is played."""
    for name in ("bad", "worse"):
        (suites / f"{name}.yaml").write_text(f"id: {name}\n", encoding="utf-8")
    assert main(["--target", "127.0.0.1:1", "--suites", str(suites)]) == 2
    err = capsys.readouterr().err
    assert "2 files are at fault" in err
    assert f"{suites / 'bad.yaml'}:1:1: a scenario lacks the key" in err
    assert f"{suites / 'worse.yaml'}:1:1: a scenario lacks the key" in err


def test_an_empty_or_missing_suite_is_a_usage_error(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """No scenario is no pass."""
    assert main(["--target", "127.0.0.1:1", "--suites", str(tmp_path)]) == 2
    assert "holds no scenario" in capsys.readouterr().err
    assert main(["--target", "127.0.0.1:1", "--suites", str(tmp_path / "none")]) == 2
    assert "is no folder" in capsys.readouterr().err


def test_a_program_that_is_not_there_is_a_partial_run(
    suites: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Exit code 3, and the report says that it is no pass."""
    arguments = ["--target", "127.0.0.1:1", "--timeout", "0.3", "--suites", str(suites)]
    assert main(arguments) == 3
    out = capsys.readouterr().out
    assert "3 not run" in out
    assert "The run is partial: 127.0.0.1:1 could not be reached within 0.3 seconds." in out


def test_roots_that_cannot_be_used_are_a_usage_error(
    suites: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A file that is missing and one without a certificate are named, and nothing is played."""
    arguments = ["--target", "127.0.0.1:1", "--suites", str(suites), "--tls-ca"]
    missing = suites.parent / "missing.pem"
    assert main([*arguments, str(missing)]) == 2
    assert f"--tls-ca {missing} cannot be read: No such file" in capsys.readouterr().err
    empty = suites.parent / "empty.pem"
    empty.touch()
    assert main([*arguments, str(empty)]) == 2
    assert f"--tls-ca {empty} holds no certificate in PEM" in capsys.readouterr().err


def test_an_interrupted_run_reports_and_is_partial(
    suites: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ctrl-C ends the run with what there is."""

    def interrupted(coroutine: object) -> None:
        getattr(coroutine, "close")()  # noqa: B009  # an object has no such attribute by type
        raise KeyboardInterrupt

    monkeypatch.setattr("ronda_conformance.rules_profile.asyncio.run", interrupted)
    assert main(["--target", "127.0.0.1:1", "--suites", str(suites)]) == 3
    assert "The run is partial: it was interrupted." in capsys.readouterr().out


def test_the_command_can_be_mounted(suites: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Another program's parser gains `conform` and calls `run`."""
    parser = argparse.ArgumentParser()
    command.add_parser(parser.add_subparsers())
    args = parser.parse_args(["conform", "--suites", str(suites), "--list", "--id", "mesa-*"])
    assert command.run(args) == 0
    assert ids(capsys.readouterr().out) == ["mesa-last"]
