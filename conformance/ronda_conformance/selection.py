"""Choosing scenarios: by id, by clause, by rule set."""

from collections.abc import Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase

from ronda_conformance.judged import Judged


@dataclass(frozen=True)
class Selection:
    """What is wanted; an empty part wants everything.

    Attributes:
        ids: patterns of ids with `*`, `?` and `[...]`, as `cap-*`.
        clauses: clauses, as `CAP-3`.
        rule_sets: ids of rule sets.
    """

    ids: Sequence[str] = ()
    clauses: Sequence[str] = ()
    rule_sets: Sequence[str] = ()

    def wants(self, case: Judged) -> bool:
        """Return whether a scenario is wanted: one of each stated part must fit."""
        return (
            (not self.ids or any(fnmatchcase(case.id, pattern) for pattern in self.ids))
            and (not self.clauses or any(clause in self.clauses for clause in case.clauses))
            and (not self.rule_sets or case.rule_set in self.rule_sets)
        )

    def unmatched(self, cases: Sequence[Judged]) -> list[str]:
        """Return the stated parts that fit no scenario at all: most likely mistyped."""
        lost = [
            f"--id {pattern}"
            for pattern in self.ids
            if not any(fnmatchcase(case.id, pattern) for case in cases)
        ]
        lost += [
            f"--clause {clause}"
            for clause in self.clauses
            if not any(clause in case.clauses for case in cases)
        ]
        lost += [
            f"--rule-set {rule_set}"
            for rule_set in self.rule_sets
            if not any(rule_set == case.rule_set for case in cases)
        ]
        return lost
