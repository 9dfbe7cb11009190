"""`python -m ronda_cli` is `ronda`."""

import sys

from ronda_cli.main import main

if __name__ == "__main__":
    sys.exit(main())
