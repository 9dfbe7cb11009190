"""The profiles of the suite: what of a program is held against the specification.

`PROFILES` is the one place that knows them. A profile takes the parsed arguments of the command and
returns its exit code; `ronda conform --profile NAME` runs the one that is registered by the name.
"""

import argparse
from collections.abc import Callable

from ronda_conformance import rules_profile, service_profile
from ronda_conformance.results import ExitCode

DEFAULT = "rules"

PROFILES: dict[str, Callable[[argparse.Namespace], ExitCode]] = {
    "rules": rules_profile.run,
    "service": service_profile.run,
}
"""What runs each profile, by name."""
