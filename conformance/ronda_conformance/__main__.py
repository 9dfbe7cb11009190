"""`python -m ronda_conformance`: the runner alone, without the `ronda` command."""

import argparse
import sys

from ronda_conformance.authoring import add_authoring
from ronda_conformance.command import DESCRIPTION, EPILOG, add_arguments, run


def main(arguments: list[str] | None = None) -> int:
    """Run the command and return its exit code."""
    parser = argparse.ArgumentParser(
        prog="python -m ronda_conformance", description=DESCRIPTION, epilog=EPILOG
    )
    add_arguments(parser)
    add_authoring(parser)
    return run(parser.parse_args(arguments))


if __name__ == "__main__":
    sys.exit(main())
