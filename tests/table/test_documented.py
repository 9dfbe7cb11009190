"""The page on bots shows nothing that does not run."""

import re
from pathlib import Path

from ronda_cli.demo_referee import RefereeProcess, serve_arguments

PAGE = Path(__file__).resolve().parents[2] / "docs" / "bots.md"


def test_the_pages_programs_run_one_after_the_other(tmp_path: Path) -> None:
    """All of its Python in order, as one program, with a referee where the page has one."""
    text = PAGE.read_text(encoding="utf-8")
    blocks = re.findall(r"^```python\n(.*?)^```", text, re.DOTALL | re.MULTILINE)
    assert len(blocks) == 5
    names: dict[str, object] = {}
    with RefereeProcess(serve_arguments(tmp_path / "data"), tmp_path / "output") as referee:
        for block in blocks:
            program = block.replace("127.0.0.1:7632", referee.target)
            exec(compile(program, str(PAGE), "exec"), names)  # noqa: S102 - what it is about
    assert {"result", "leads", "points", "mine"} <= names.keys()
