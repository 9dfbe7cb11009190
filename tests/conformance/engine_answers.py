"""What this project's own engine answers, without a server between."""

from ronda.conformance.v1 import testee_service_pb2 as pb
from ronda_conformance.judging import judge
from ronda_conformance.results import Result
from ronda_conformance.scenarios import Case
from ronda_referee.testee import run


def answer_of(case: Case) -> pb.RunResponse:
    """Return the engine's answer to a scenario."""
    response = pb.RunResponse()
    for part in run(case.request):
        if part.HasField("refusal"):
            return part
        response.MergeFrom(part)
    return response


def played(case: Case) -> Result:
    """Return the result of a scenario that the engine plays."""
    return judge(case, answer_of(case))
