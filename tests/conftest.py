"""What every test runs under."""

from __future__ import annotations

import os

from hypothesis import settings

# The same examples on every run, so that a run can be repeated; and no deadline, since the
# machine's speed is not what is tested. HYPOTHESIS_PROFILE=explore looks further afield.
settings.register_profile("steady", derandomize=True, deadline=None)
settings.register_profile("explore", max_examples=2_000, deadline=None)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "steady"))
