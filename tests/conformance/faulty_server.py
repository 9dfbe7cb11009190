"""The referee as a program that does not stop, or does not come back, as it should.

Run as `python faulty_server.py FAULT DATA HOST:PORT`.
"""

import asyncio
import os
import shutil
import signal
import sys
from pathlib import Path

from ronda_conformance.rule_set_files import load_listed_rule_sets
from ronda_referee.server import serving
from ronda_referee.settings import Settings


async def serve(fault: str, data: Path, listen: str) -> int:
    """Serve until SIGTERM, with a fault; give the exit code."""
    if fault == "forgets":
        shutil.rmtree(data, ignore_errors=True)
    stopped = asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, stopped.set)
    async with serving(Settings(data, listen, drain_seconds=1.0), load_listed_rule_sets()):
        await stopped.wait()
        if fault == "drops":
            # Nobody is told; the streams break off.
            os._exit(0)
    return 1 if fault == "fails" else 0


if __name__ == "__main__":
    sys.exit(asyncio.run(serve(sys.argv[1], Path(sys.argv[2]), sys.argv[3])))
