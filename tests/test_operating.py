"""The operator's page is true: its commands work, its tables are the settings and the metrics."""

import asyncio
import os
import re
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from ronda_referee.metrics import Metrics
from ronda_referee.options import OPTIONS
from tests.referee.certificates import Authority
from tests.test_documents import ROOT, blocks, finished

PAGE = (ROOT / "docs" / "operating.md").read_text(encoding="utf-8")
LISTEN = "localhost:7632"


def commands() -> list[str]:
    """Give every command that the page shows."""
    return [line for block in blocks(PAGE, "sh") for line in block.splitlines()]


def rows(after: str) -> list[list[str]]:
    """Give the cells of the first table after a text."""
    table = PAGE.partition(after)[2].lstrip("\n").partition("\n\n")[0]
    return [line.strip("| ").split(" | ") for line in table.splitlines() if line.startswith("| `")]


@asynccontextmanager
async def served(folder: Path) -> AsyncIterator[str]:
    """Run the page's referee in a folder, on free ports; gives its port."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "ronda_cli", "serve", "--config", "ronda.toml"),
        cwd=folder,
        env={
            **os.environ,
            "RONDA_LISTEN": "0.0.0.0:0",
            "RONDA_METRICS_LISTEN": "127.0.0.1:0",
        },
        stdout=asyncio.subprocess.PIPE,
    )
    try:
        assert process.stdout is not None
        line = (await process.stdout.readline()).decode()
        assert line.startswith("listening on 0.0.0.0:"), line
        yield line.strip().rpartition(":")[2]
        process.send_signal(signal.SIGTERM)
        assert await process.wait() == 0
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()


def test_the_page_shows_no_command_that_is_not_tested() -> None:
    """They are run below; the referee itself is started with other ports."""
    assert commands() == [
        "ronda serve --config ronda.toml --show-config",
        "ronda serve --config ronda.toml",
        'python -c "import secrets; print(secrets.token_urlsafe(32))" >> organisers',
        "chmod 600 organisers",
        "ronda server info --target localhost:7632 --tls-ca ca.pem",
        "ronda match --target localhost:7632 --tls-ca ca.pem --organiser-token-file organisers",
        "ronda conform --target localhost:7632 --tls-ca ca.pem --clause CAP-1",
    ]


async def test_the_pages_commands_work(tmp_path: Path) -> None:
    """A folder with certificates and the page's file; each command ends with exit code 0."""
    authority = Authority(tmp_path, "ca")
    authority.pair("server")
    (settings,) = blocks(PAGE, "toml")
    (tmp_path / "ronda.toml").write_text(settings)
    show, _, token, mode, info, play, conform = commands()
    for command in (token, mode):
        assert await finished(command, tmp_path, tmp_path) == (0, "")
    code, shown = await finished(show, tmp_path, tmp_path)
    assert code == 0, shown
    assert "open_matches = 500  # ronda.toml" in shown.splitlines()
    async with served(tmp_path) as port:
        said = []
        for command in (info, play, conform):
            there = command.replace(LISTEN, f"localhost:{port}")
            code, output = await finished(there, tmp_path, tmp_path)
            assert code == 0, (command, output)
            said.append(output)
    assert "open matches  500 at most" in said[0].splitlines()
    assert "calls         500 of one peer in a second at most" in said[0].splitlines()
    assert said[1].startswith("match ")
    played = r"^A selection of (\d+) of \d+ scenarios against .*: \1 passed\.$"
    assert re.search(played, said[2], re.MULTILINE)
    assert (tmp_path / "games" / "organiser-token").exists()


def test_the_table_of_settings_is_the_settings() -> None:
    """Every setting in order, with its default and what it says."""
    loopback = {"listen": "127.0.0.1:7632"}

    def shown(key: str, value: object) -> str:
        special = {
            "data": "the user's own data folder",
            "limits.calls_per_second": "`0`, beyond loopback `500`",
        }
        if key in special:
            return special[key]
        if value is None:
            return "not set"
        return f"`{str(value).lower().removesuffix('.0')}`" if key != "listen" else f"`{value}`"

    assert rows("told to stop and 2 when it cannot start.\n") == [
        [f"`{option.key}`", shown(option.key, option.default(loopback)), option.what]
        for option in OPTIONS
    ]


def test_the_table_of_metrics_is_the_metrics() -> None:
    """Every metric that is served has a row, and no row is of another one."""
    cells = [row[0] for row in rows("No label\nholds an id, a token, a seed or a card.\n")]
    named = {name for cell in cells for name in re.findall(r"`(ronda_\w+)`", cell)}
    # Counters are called by the name under which they are served.
    counted = {
        f"{family.name}_total" if family.type == "counter" else family.name
        for family in Metrics().registry.collect()
    }
    # The gauges that look into the referee are added where it is served.
    assert named == counted | {"ronda_matches_open", "ronda_watchers", "ronda_play_streams"}
