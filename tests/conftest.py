"""What every test runs under."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest
from hypothesis import settings

# The same examples on every run, so that a run can be repeated; and no deadline, since the
# machine's speed is not what is tested. HYPOTHESIS_PROFILE=explore looks further afield.
settings.register_profile("steady", derandomize=True, deadline=None)
settings.register_profile("explore", max_examples=2_000, deadline=None)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "steady"))

# A shell starts what runs in its background with interrupts ignored, and so would be what the tests
# start and interrupt.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# What takes longest, the longest first: begun late it would run on alone, and the other worker
# would have nothing left to do.
LONGEST = (
    "rules/test_invariants.py",
    "clients/test_end_to_end.py",
    "differential/test_agreement.py",
    "rules/test_leaves.py",
    "referee/test_audit_damage.py",
    "clients/test_streams_end_to_end.py",
    "referee/test_soak_small.py",
    "fuzz/test_fuzzing.py",
    "referee/test_power_cuts.py",
    "tournament/test_tournament.py",
    "clients/test_typescript.py",
    "packaging/test_wheel.py",
    "packaging/test_bootstrap.py",
    "referee/test_recovery.py",
    "clients/test_matches_command.py",
    "referee/test_planted_leaks.py",
    "clients/test_audit_sources.py",
    "clients/test_store_command.py",
    "referee/test_secrecy.py",
    "clients/test_demo.py",
    "referee/test_fairness.py",
    "referee/test_play_stream_limits.py",
    "clients/test_house_rules.py",
)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put the files that take longest first."""
    places = {Path(__file__).parent / file: n for n, file in enumerate(LONGEST)}
    if missing := [str(path) for path in places if not path.exists()]:
        raise pytest.UsageError(f"tests/conftest.py orders files that are not there: {missing}")
    items.sort(key=lambda item: places.get(item.path, len(places)))
