"""What a run judges: a scenario of the rules, or a check of the service."""

from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

from ronda.conformance.v1 import scenario_pb2


class Judged(Protocol):
    """One thing that a program passes or fails."""

    @property
    def id(self) -> str:
        """Its permanent id."""

    @property
    def clauses(self) -> list[str]:
        """The clauses that it rests on."""

    @property
    def title(self) -> str:
        """What it shows, in a line."""

    @property
    def why(self) -> str:
        """Why it must be so."""

    @property
    def rule_set(self) -> str:
        """The rule set that is played; empty: none in particular."""

    @property
    def file(self) -> Path | None:
        """Where it is written down; None: in the runner itself."""

    @property
    def line(self) -> int | None:
        """The line of the file where it begins, from 1; None without a file."""

    @property
    def steps(self) -> Sequence[scenario_pb2.Step]:
        """The moves of a scenario; a check of the service has none."""
