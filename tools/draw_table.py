"""Writes docs/table.svg: the table of `ronda play` after a few cards, as the README shows it.

Run it where the looks of the table have changed.
"""

import asyncio
import re
from pathlib import Path

from ronda_bots import GreedyBot
from ronda_cli.local_play import play_local_person
from ronda_conformance.glossary import load_glossary
from ronda_replay.telling import Language
from ronda_table import LocalMatch
from ronda_terminal.app import Seated, TableApp
from ronda_terminal.controls import Seating
from ronda_terminal.sight import Sight

PLACE = Path(__file__).parent.parent / "docs" / "table.svg"
KEYS = ("1", "1", "1", "2")
SIZE = (84, 26)


async def draw() -> str:
    """Give the screen as SVG, which loads nothing."""
    match = LocalMatch("maghribi", 2, seed=8)

    async def session(seated: Seated) -> None:
        names = {0: "Amina", 1: "greedy"}
        bots = {1: GreedyBot(1)}
        await play_local_person(match, 0, bots, names, seated.person, seated.feed)

    app = TableApp(Sight(Language(load_glossary("en")), 0), session, Seating(), hints=True)
    async with app.run_test(size=SIZE) as pilot:
        for key in KEYS:
            await pilot.press(key)
            await pilot.pause()
        svg = app.export_screenshot(title="ronda play")
    without_fonts = re.sub(r"@font-face \{.*?\}", "", svg, flags=re.DOTALL)
    plain = without_fonts.replace("Fira Code", "DejaVu Sans Mono")
    return "\n".join(line.rstrip() for line in plain.splitlines() if line.strip()) + "\n"


if __name__ == "__main__":
    PLACE.write_text(asyncio.run(draw()), encoding="utf-8")
    print(f"{PLACE}: written")
