"""The project's own suite, read once in a process: that takes seconds."""

from functools import cache

from ronda_conformance.examples import load_whole_suite
from ronda_conformance.rule_set_files import load_rule_sets
from ronda_conformance.scenarios import Suite


@cache
def whole_suite() -> Suite:
    """Return the scenarios of the suites and the specification's examples; not to be changed."""
    return load_whole_suite(load_rule_sets())
