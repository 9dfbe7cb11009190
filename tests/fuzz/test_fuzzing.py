"""The first requests of `make fuzz`; and that what must not be is found where it is."""

import json
import random
from pathlib import Path

import grpc
import pytest

from ronda.v1 import referee_service_pb2 as pb
from tests.fuzz.checks import Broken, Secrets, check, check_seeds
from tests.fuzz.episode import Episode
from tests.fuzz.messages import Known, made_up
from tests.fuzz.running import Failed, Run
from tests.fuzz.sending import METHODS, REFEREE, TESTEE, Outcome
from tests.fuzz.untouched import Untouched
from tests.fuzz.wire import damaged
from tests.referee.organising import as_organiser
from tests.referee.running import running

TOKEN = "A" * 42 + "E"


def _nothing(_: int) -> None:
    """Show no progress."""


async def test_nothing_that_must_hold_is_broken_by_3000_requests(tmp_path: Path) -> None:
    """Every call is answered and refused, bots play on, and every log audits afterwards."""
    report = await Run(tmp_path, seed=1, first=0, requests=3_000, on_progress=_nothing).run()
    assert report.requests == 3_000
    assert {said.partition(" ")[0] for said in report.outcomes} >= {
        method.rpartition("/")[2] for method in METHODS
    }
    reasons = {said.rpartition(" ")[2] for said in report.outcomes}
    assert reasons >= {
        "OK",
        "ALREADY_JOINED",
        "DRAW_INVALID",
        "MALFORMED_REQUEST",
        "MATCH_CANCELLED",
        "MATCH_NOT_FOUND",
        "MATCH_NOT_STARTED",
        "ORGANISER_ONLY",
        "RESOURCE_EXHAUSTED",
        "RULE_SET_INVALID",
        "RULE_SET_NOT_FOUND",
        "SEQUENCE_OUT_OF_RANGE",
        "STALE_DECISION",
        "UNIMPLEMENTED",
        "WRONG_TOKEN",
    }
    assert report.bot_matches >= 7
    # Each of the 75 episodes has two matches and more; all that have ended audit.
    assert report.audited >= 150


async def test_a_failure_names_the_request_that_it_can_be_run_again_by(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The episode is begun anew; its requests before the one at fault are sent as well."""
    sent: list[int] = []

    async def request(self: Episode, number: int) -> Outcome:
        sent.append(number)
        if number == 45:
            raise Broken("something")
        return Outcome(TESTEE, grpc.StatusCode.OK)

    monkeypatch.setattr(Episode, "request", request)
    with pytest.raises(Failed, match="make fuzz SEED=7 FIRST=45 REQUESTS=1"):
        await Run(tmp_path, seed=7, first=45, requests=1, on_progress=_nothing).run()
    assert sent == [40, 41, 42, 43, 44, 45]


async def test_an_error_in_the_log_and_a_token_in_it_are_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Either ends the run."""
    for line in (
        json.dumps({"event": "request failed", "level": "error"}),
        "Traceback (most recent call last):",
    ):
        run = Run(tmp_path / str(len(line)), 1, 0, 1, _nothing)
        logged = run.referee.log

        async def request(
            self: Episode, number: int, log: Path = logged, line: str = line
        ) -> Outcome:
            with log.open("a") as file:
                file.write(line + "\n")
            return Outcome(TESTEE, grpc.StatusCode.OK)

        monkeypatch.setattr(Episode, "request", request)
        logged.parent.mkdir()
        with pytest.raises(Failed, match="logged"):
            await run.run()


@pytest.mark.parametrize(
    ("outcome", "wrong"),
    [
        (Outcome(f"{REFEREE}GetView", grpc.StatusCode.INTERNAL), "not documented"),
        (Outcome(f"{REFEREE}GetView", grpc.StatusCode.UNKNOWN, "boom"), "not documented"),
        (Outcome(f"{REFEREE}GetView", grpc.StatusCode.DEADLINE_EXCEEDED), "not documented"),
        (
            Outcome(f"{REFEREE}GetView", grpc.StatusCode.INTERNAL, "", "REFEREE_FAULT"),
            "not documented for the call",
        ),
        (
            Outcome(f"{REFEREE}GetView", grpc.StatusCode.NOT_FOUND, "", "RULE_SET_NOT_FOUND"),
            "not documented for the call",
        ),
        (
            Outcome(f"{REFEREE}GetView", grpc.StatusCode.NOT_FOUND, "", "NO_SUCH_REASON"),
            "does not list",
        ),
        (
            Outcome(f"{REFEREE}GetView", grpc.StatusCode.UNKNOWN, "", "MATCH_NOT_FOUND"),
            "does not travel",
        ),
        (
            Outcome(
                f"{REFEREE}GetView",
                grpc.StatusCode.NOT_FOUND,
                "",
                "MATCH_NOT_FOUND",
                raw=b"no match '" + TOKEN.encode() + b"'",
            ),
            "holds a token",
        ),
        (Outcome(f"{REFEREE}GetView", grpc.StatusCode.OK, answers=[b"\xff"]), "the answer is no"),
        (
            Outcome(
                f"{REFEREE}Play",
                grpc.StatusCode.OK,
                answers=[
                    pb.PlayResponse(
                        answers=[
                            pb.PlayAnswer(refusal=pb.PlayRefusal(code=13, reason="REFEREE_FAULT"))
                        ]
                    ).SerializeToString()
                ],
            ),
            "not documented for the call",
        ),
    ],
)
def test_what_the_schema_does_not_document_is_found(outcome: Outcome, wrong: str) -> None:
    """Another status, another reason, a pair that does not belong together, a token."""
    secrets = Secrets()
    secrets.add([TOKEN])
    with pytest.raises(Broken, match=wrong):
        check(outcome, secrets)


def test_a_seed_that_is_told_is_found() -> None:
    """In hexadecimal digits, with others around it."""
    seed = bytes(range(32))
    with pytest.raises(Broken, match="holds a seed"):
        check_seeds(b"0" + seed.hex().encode(), {seed}, "the log")


async def test_a_match_that_was_touched_is_found(tmp_path: Path) -> None:
    """One more seat that joins is enough."""
    async with running(tmp_path) as run, grpc.aio.insecure_channel(run.serving.address) as channel:
        untouched = Untouched(channel)
        await untouched.set_up(as_organiser(tmp_path))
        await untouched.check()
        await untouched.tables[0].join(1)
        with pytest.raises(Broken, match="has changed"):
            await untouched.check()


def test_requests_are_the_same_for_the_same_seed_and_number() -> None:
    """Whatever was made up can be made up again."""
    descriptor = pb.CreateMatchRequest.DESCRIPTOR
    for number in range(50):
        one, other = random.Random(f"1/{number}"), random.Random(f"1/{number}")
        first = made_up(one, descriptor, Known()).SerializeToString(deterministic=True)
        second = made_up(other, descriptor, Known()).SerializeToString(deterministic=True)
        assert damaged(one, first, b"") == damaged(other, second, b"")
