"""The guide to scenarios is true: its commands work, and its lists are complete."""

import re
import shlex
import shutil
from pathlib import Path

import pytest
from google.protobuf.message import Message

from ronda.conformance.v1 import scenario_pb2
from ronda.conformance.v1 import testee_service_pb2 as pb
from ronda_cli.main import main as ronda
from ronda_conformance import data_folders, rules_profile
from ronda_conformance.__main__ import main
from ronda_conformance.event_texts import EVENT_FORMS, is_event_line
from ronda_referee.testee import run
from tests.conformance.test_command import target
from tests.conformance.whole_suite import whole_suite

GUIDE = (data_folders.suites() / "README.md").read_text(encoding="utf-8")
PLACE = "127.0.0.1:50051"


def commands() -> list[str]:
    """Return every command that the guide shows."""
    blocks = re.findall(r"^ *```sh\n(.*?)^ *```$", GUIDE, re.MULTILINE | re.DOTALL)
    return [line.strip() for block in blocks for line in block.splitlines()]


def test_the_commands_are_these() -> None:
    """One that is added is run below, where it says what it should."""
    assert commands() == [
        "ronda conform --target 127.0.0.1:50051",
        "ronda conform --target 127.0.0.1:50051 --clause CAP-3",
        "ronda conform --target 127.0.0.1:50051 --id 'cap-3-*' --json",
        (
            "python -m ronda_conformance --target 127.0.0.1:50051 "
            "--suites conformance/suites/capture"
        ),
        (
            "ronda conform new cap-3-a-run-of-two --clause CAP-3 --rule-set qahwa --seats 3 "
            "--suites conformance/suites"
        ),
        "ronda conform lint conformance/suites/capture/cap-3-a-run-of-two.yaml",
        (
            "ronda conform --target 127.0.0.1:50051 --suites conformance/suites "
            "--id cap-3-a-run-of-two"
        ),
    ]


async def by_the_engine(request: pb.RunRequest) -> Message:
    """Answer as the referee does."""
    response = pb.RunResponse()
    for part in run(request):
        if part.HasField("refusal"):
            return part
        response.MergeFrom(part)
    return response


def done(command: str) -> int:
    """Run a command of the guide in this process and return its exit code."""
    words = shlex.split(command)
    return ronda(words[1:]) if words[0] == "ronda" else main(words[3:])


def test_the_commands_work(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """One after the other, against the engine; the new scenario passes as soon as it is written."""
    capture = tmp_path / "conformance" / "suites" / "capture"
    shutil.copytree(data_folders.suites() / "capture", capture)
    monkeypatch.chdir(tmp_path)
    # Reading it takes seconds, and each command would.
    monkeypatch.setattr(rules_profile, "load_whole_suite", lambda _: whole_suite())
    new = capture / "cap-3-a-run-of-two.yaml"
    said: list[str] = []
    with target(by_the_engine) as place:
        for command in commands():
            code = done(command.replace(PLACE, place))
            # What `new` leaves to be written is a fault, and is written then.
            assert code == (1 if " lint " in command else 0), command
            said.append(capsys.readouterr().out)
            if " lint " in command:
                text = new.read_text(encoding="utf-8")
                new.write_text(text.replace("TODO", "Here is"), encoding="utf-8")
                assert done(command) == 0
                capsys.readouterr()
    assert re.fullmatch(r"(\d{3}) scenarios against \S+: \1 passed\.\n", said[0])
    assert '"failed": 0' in said[2]
    assert said[4] == "conformance/suites/capture/cap-3-a-run-of-two.yaml\n"
    assert said[5].endswith("1 file, 1 at fault, 2 faults\n")
    assert re.fullmatch(r"A selection of 1 of \d\d scenarios against \S+: 1 passed\.\n", said[6])


def test_every_key_is_in_the_guide() -> None:
    """Those of a scenario, a step and an expectation."""
    keys = [
        field.name
        for message in (scenario_pb2.Scenario, scenario_pb2.Step, scenario_pb2.Expectation)
        for field in message.DESCRIPTOR.fields
    ]
    missing = [key for key in keys if f"`{key}`" not in GUIDE and f"\n{key}: " not in GUIDE]
    assert missing == []


def test_every_kind_of_event_has_a_line_in_the_guide() -> None:
    """Each example of a line is one, and no kind but the service's is left out."""
    table = GUIDE[GUIDE.index("| line |") :]
    rows = [row.split("|")[1] for row in table.splitlines()[2:] if row.startswith("|")]
    lines = [line for row in rows for line in re.findall(r"`([^`]+)`", row)]
    assert [line for line in lines if not is_event_line(line)] == []
    unshown = [name for name, form in EVENT_FORMS.items() if not any(map(form.fullmatch, lines))]
    assert unshown == ["seat_forfeited"]
