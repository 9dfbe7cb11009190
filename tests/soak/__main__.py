import asyncio
import sys
import tempfile
from pathlib import Path

from tests.soak.plan import SMALL, LARGE
from tests.soak.soak import Soak


async def main():
    with tempfile.TemporaryDirectory() as d:
        f = await Soak(
            int(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]), SMALL, Path(d) / "data"
        ).run()
        print(
            f.seconds,
            f.outcomes,
            f.moves,
            f.automatic,
            f.audited,
            f.log_levels,
            f.memory,
            f.stops,
            f.lost_creations,
        )
        print(f.ledger.counts, f.ledger.reasons, f.ledger.acknowledgements)
        for x in f.ledger.faults[:20]:
            print("FAULT", x)


asyncio.run(main())
