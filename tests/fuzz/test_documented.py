"""The tables that answers are held against say what the schema's comments say."""

import re
from pathlib import Path

from ronda.v1 import referee_service_pb2
from tests.fuzz.documented import CODES, OF_THE_RULES, OWN, REASONS, STREAMS

PROTO = Path(__file__).parents[2] / "proto" / "ronda" / "v1"
_RPC = re.compile(r"((?:  //[^\n]*\n)+)  rpc (\w+)\(")
_REASON = re.compile(r"((?:  //[^\n]*\n)+)  ERROR_REASON_(\w+) = ")
_REFUSED = re.compile(r"Refused as ([A-Z_, ]+)")


def _text(comment: str) -> str:
    return " ".join(line.strip().removeprefix("//").strip() for line in comment.splitlines())


def test_each_call_says_why_it_may_be_refused() -> None:
    """The reasons listed in a call's comment are those of the table, for every call."""
    schema = (PROTO / "referee_service.proto").read_text(encoding="utf-8")
    said: dict[str, set[str]] = {}
    for comment, name in _RPC.findall(schema):
        found = _REFUSED.search(_text(comment))
        said[name] = set(re.findall(r"[A-Z_]{4,}", found[1])) if found else set()
        if "numbers 1 to 12" in comment:
            said[name] |= OF_THE_RULES
    assert said == {name: set(own) for name, own in OWN.items()}
    assert said["GetView"] == {"MATCH_NOT_FOUND", "WRONG_TOKEN", "MATCH_NOT_STARTED"}
    assert len(OF_THE_RULES) == 12


def test_each_reason_says_which_status_it_travels_with() -> None:
    """The status that begins a reason's comment is that of the table, for every reason."""
    schema = (PROTO / "error.proto").read_text(encoding="utf-8")
    said = {name: _text(comment).partition(":")[0] for comment, name in _REASON.findall(schema)}
    assert said.pop("UNSPECIFIED").startswith("Never")
    assert said == {reason: code.name for reason, code in CODES.items()}
    assert set(said) == REASONS
    assert said["STALE_DECISION"] == "FAILED_PRECONDITION"


def test_the_calls_with_streams_are_those_of_the_schema() -> None:
    """Three calls of the referee answer with a stream."""
    service = referee_service_pb2.DESCRIPTOR.services_by_name["RefereeService"]
    assert {one.name for one in service.methods if one.server_streaming} == STREAMS
