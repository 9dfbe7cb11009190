"""Checks of the service: scripts of sessions, each with a permanent id and its clauses."""

import enum
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from ronda.conformance.v1 import scenario_pb2
from ronda_conformance.service.session import Session

Body: TypeAlias = Callable[[Session], Awaitable[None]]


class Needs(enum.Enum):
    """What a check needs beside a referee that answers."""

    NOTHING = "nothing"
    # An organiser's token.
    ORGANISER = "an organiser's token"
    # The command that starts the referee, so that the runner can stop it and start it again.
    RESTARTS = "the referee's command"


@dataclass(frozen=True)
class Check:
    """One check.

    Attributes:
        id: its permanent id, as `service-resume-same-bytes`.
        clauses: the clauses of `conformance/spec/protocol` that it rests on.
        title: what must hold, in a line.
        why: why it matters, or how it is found out.
        body: plays it; what it finds is in the session.
        needs: what it needs.
    """

    id: str
    clauses: list[str]
    title: str
    why: str
    body: Body
    needs: Needs = Needs.NOTHING

    rule_set: str = ""
    file: Path | None = None
    line: int | None = None
    steps: Sequence[scenario_pb2.Step] = ()


CHECKS: list[Check] = []


def check(
    name: str, clauses: str, title: str, *, needs: Needs = Needs.NOTHING
) -> Callable[[Body], Body]:
    """Make a function a check; its docstring says why.

    Args:
        name: the id, without `service-`.
        clauses: the clauses, as `CALL-8 CALL-9`.
        title: what must hold.
        needs: what it needs.

    Raises:
        ValueError: the id is taken.
    """
    full = f"service-{name}"
    if any(one.id == full for one in CHECKS):
        raise ValueError(f"the id {full} is taken")

    def register(body: Body) -> Body:
        why = " ".join((body.__doc__ or "").split())
        CHECKS.append(Check(full, clauses.split(), title, why, body, needs))
        return body

    return register
