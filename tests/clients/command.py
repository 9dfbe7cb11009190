"""The `ronda` command as a process of its own, beside a referee in this one."""

import asyncio
import json
import os
import sys
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Ran:
    """What a command said and how it ended."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:  # noqa: ANN401 - whatever it printed
        """What it printed, one JSON value."""
        return json.loads(self.out)

    @property
    def json_lines(self) -> list[Any]:
        """What it printed, one JSON value a line."""
        return [json.loads(line) for line in self.out.splitlines()]


async def ronda(*arguments: object, **environment: str) -> Ran:
    """Run the command to its end."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "ronda_cli", *map(str, arguments)),
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        env={**os.environ, **environment},
    )
    out, err = await process.communicate()
    assert process.returncode is not None
    return Ran(process.returncode, out.decode(), err.decode())
