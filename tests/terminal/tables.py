"""A table without a terminal, whose keys are pressed and whose screen is read as text."""

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from functools import cache

from textual.pilot import Pilot

from ronda.v1.card_pb2 import Card, Rank, Suit
from ronda.v1.decision_pb2 import Decision
from ronda.v1.move_pb2 import Move
from ronda.v1.view_pb2 import SeatView
from ronda_cli.local_play import play_local_person
from ronda_client import Bot, ClientError
from ronda_conformance.glossary import load_glossary
from ronda_replay.telling import Language
from ronda_table import LocalMatch
from ronda_terminal import drawing
from ronda_terminal.app import Seated, Session, TableApp
from ronda_terminal.controls import Seating
from ronda_terminal.screen import Screen, screen_of
from ronda_terminal.sight import Sight

SIZE = (80, 24)
_SUITS = {"o": Suit.SUIT_OROS, "c": Suit.SUIT_COPAS, "e": Suit.SUIT_ESPADAS, "b": Suit.SUIT_BASTOS}


def cards(text: str) -> list[Card]:
    """Give the cards of `7o 12b`."""
    return [Card(rank=Rank.Value(f"RANK_{one[:-1]}"), suit=_SUITS[one[-1]]) for one in text.split()]


@cache
def language(code: str, *, latin: bool = False) -> Language:
    """Give a language of the glossary."""
    return Language(load_glossary(code), latin)


class QuietBot:
    """Passes where it can, and else plays its first card; it never says anything."""

    def choose(self, view: SeatView, decision: Decision) -> Move:
        """Return a pass or the first card."""
        quiet = [one for one in decision.legal_moves if one.HasField("pass")]
        plays = [one for one in decision.legal_moves if one.HasField("play")]
        return (quiet + plays)[0]


class Shown(TableApp):
    """A table that says when it has been drawn anew."""

    drawn: asyncio.Event | None = None

    def redraw(self) -> None:
        """Draw, and say so."""
        super().redraw()
        if self.drawn is not None:
            self.drawn.set()


class Table:
    """A table that is shown: its keys and what stands on it."""

    def __init__(self, app: Shown, pilot: "Pilot[None]") -> None:
        """Take the table and what presses its keys."""
        self.app = app
        self.pilot = pilot

    async def press(self, *keys: str) -> None:
        """Press keys, one after the other."""
        for key in keys:
            await self.pilot.press(key)

    async def click(self, region: str, column: int, row: int = 0) -> None:
        """Click into a region, once everything stands where it belongs."""
        await self.pilot.pause()
        await self.pilot.click(f"#{region}", offset=(column, row))

    async def until(self, seen: Callable[[], object]) -> None:
        """Wait until something is so; it is looked at whenever the table has been drawn."""
        drawn = self.app.drawn = asyncio.Event()
        async with asyncio.timeout(60):
            while not seen():
                await drawn.wait()
                drawn.clear()

    async def until_asked(self) -> None:
        """Wait until the person is asked something, or the match is over."""
        await self.until(lambda: self.app.controls.actions or self.app.controls.over)

    @property
    def screen(self) -> Screen:
        """What is shown, by its parts."""
        return screen_of(self.app.controls)

    @property
    def told(self) -> list[str]:
        """Everything that was told so far."""
        return [one.text for one in self.app.sight.told]

    def text(self, *names: str) -> str:
        """What really stands in these regions of the screen, or in all."""
        regions = names or ("title", "seats", "table", "beside", "hand", "prompt", "told", "footer")
        return "\n".join(str(self.app.query_one(f"#{name}").render()) for name in regions)


@asynccontextmanager
async def shown(
    session: Session,
    seating: Seating | None = None,
    *,
    seat: int | None = 0,
    code: str = "en",
    latin: bool = False,
    hints: bool = False,
    size: tuple[int, int] = SIZE,
    **options: object,
) -> AsyncIterator[Table]:
    """Show a table while the context lasts."""
    app = Shown(
        Sight(language(code, latin=latin), seat),
        session,
        seating or Seating(),
        hints=hints,
        errors=(ClientError,),
        **options,  # type: ignore[arg-type]  # as `TableApp` takes them
    )
    async with app.run_test(size=size) as pilot:
        yield Table(app, pilot)
    if app.fault is not None:
        raise app.fault


def local(
    match: LocalMatch, bots: Mapping[int, Bot], seat: int = 0, names: Sequence[str] = ()
) -> Session:
    """Give a session against bots in this process."""
    called = dict(enumerate(names or ("Amina", "Brahim", "Chama", "Driss")[: match.seats]))

    async def session(seated: Seated) -> None:
        await play_local_person(match, seat, bots, called, seated.person, seated.feed)

    return session


def drawn(screen: Screen, width: int = 80, height: int = 30) -> str:
    """Give a whole screen as lines of text."""
    parts = (
        drawing.title,
        drawing.seats,
        drawing.table,
        drawing.beside,
        drawing.hand,
        drawing.prompt,
        drawing.footer,
    )
    lines = [line for part in parts for line in part(screen)]
    return drawing.plain([*lines, *drawing.told(screen, width, height)])
