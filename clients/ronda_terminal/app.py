"""The table on the terminal, with textual."""

import asyncio
import contextlib
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from dataclasses import dataclass
from typing import ClassVar, TypeAlias

from textual import events
from textual.app import App, ComposeResult
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.style import Style
from textual.widgets import Static

from ronda_terminal import drawing
from ronda_terminal.controls import Controls, Leaving, Seating
from ronda_terminal.drawing import LEAST_HEIGHT, LEAST_WIDTH, Line
from ronda_terminal.feed import Feed
from ronda_terminal.person import Person
from ronda_terminal.screen import Screen, screen_of
from ronda_terminal.sight import Sight

# Beside the table there is room for what happened.
_WIDE = 112
_CLOCK_SECONDS = 0.25
# Some turns of four seats.
_MOST_WAITING = 40
# With so many lines parts stand apart.
_TALL = 30

# What a piece says to textual of its key.
_PRESSES = "ronda_key"

_PAPER = "#f4ecd8"
_INKS = {"oros": "#8a5a00", "copas": "#b00020", "espadas": "#1d3f8f", "bastos": "#1c6b2a"}
_NAMES = {"oros": "#e0b040", "copas": "#ff6b7a", "espadas": "#7ea6ff", "bastos": "#6fcf80"}
STYLES: dict[str, str] = {
    "plain": "",
    "quiet": "dim",
    "title": "bold",
    "heading": "bold",
    "next": "bold yellow",
    "own": "bold cyan",
    "back": "#6c8ebf",
    "score": "bold yellow",
    "clock": "bold magenta",
    "call": "magenta",
    "capture": "green",
    "gain": "bold green",
    "loss": "bold red",
    "hint": "italic cyan",
    "urgent": "bold cyan",
    "key": "bold reverse",
    "button": "",
    "chosen": "bold black on yellow",
    "result": "bold green",
    **{suit: f"bold {ink} on {_PAPER}" for suit, ink in _INKS.items()},
    **{f"{suit}_name": colour for suit, colour in _NAMES.items()},
    **{f"{suit}_chosen": f"bold {ink} on #ffd75f" for suit, ink in _INKS.items()},
    **{f"{suit}_marked": f"bold {ink} on #b8e0a8" for suit, ink in _INKS.items()},
    "plain_chosen": "bold",
    "plain_marked": "bold",
}
_PARSED = {look: Style.parse(style) for look, style in STYLES.items()}


@dataclass(slots=True)
class Seated:
    """What a session is given: where it shows what happens, and who moves."""

    feed: Feed
    person: Person


Session: TypeAlias = Callable[[Seated], Awaitable[None]]
"""Plays or watches a match to its end."""

Leaver: TypeAlias = Callable[[Leaving], Awaitable[None]]
"""Does what there is to do at a referee before one leaves."""


async def _nothing(_: Leaving) -> None:
    """Leave what is nowhere else."""


class _Region(Static):
    """A part of the screen."""

    _lines: Sequence[Line] = ()

    def show(self, lines: Sequence[Line]) -> None:
        """Put lines there, unless they stand there already."""
        if lines != self._lines:
            self._lines = lines
            self.update(content(lines))

    async def on_click(self, event: events.Click) -> None:
        """Press the key of what was clicked on."""
        key = event.style.meta.get(_PRESSES)
        if isinstance(key, str):
            self.app.call_later(self.app.run_action, f"press({key!r})")


class TableApp(App[None]):
    """The table. Its result is None; `sight` says how the match ended.

    Args:
        sight: what is seen.
        session: plays or watches the match; an error that it raises is shown and kept.
        seating: what the person is at the table.
        hints: whether hints are shown from the start.
        pace: seconds that what others do is looked at.
        from_the_start: whether all of that is looked at, however much there is of it.
        leave: called before the person leaves a match that is not over.
        errors: what a session may raise that is shown at the table and kept as `failure`;
            anything else is a `fault`, and ends the table.
    """

    TITLE = "Ronda"
    ENABLE_COMMAND_PALETTE = False
    # What is clicked on is pressed; a drag would mark text instead.
    ALLOW_SELECT = False
    CSS = """
    Screen { layout: vertical; overflow: hidden; }
    _Region { height: auto; width: 1fr; text-wrap: nowrap; text-overflow: ellipsis; }
    #title { background: $primary-background; padding: 0 1; }
    #table { height: 4; margin: 0 1; }
    #hand { margin: 0 1; }
    #seats, #beside, #prompt, #footer { padding: 0 1; }
    #body { height: 1fr; }
    #left { width: 1fr; height: 1fr; }
    #help { padding: 1 1 0 1; height: 1fr; }
    #told, #wide { height: 1fr; padding: 0 1; border-top: solid $primary; }
    #told { width: 100%; }
    #wide { border-top: none; border-left: solid $primary; width: 40%; }
    #small { display: none; height: 1fr; content-align: center middle; text-wrap: wrap; }
    .tall #table, .tall #hand { margin: 1 1; }
    """
    BINDINGS: ClassVar = []

    def __init__(
        self,
        sight: Sight,
        session: Session,
        seating: Seating,
        *,
        hints: bool = False,
        pace: float = 0.0,
        from_the_start: bool = False,
        leave: Leaver = _nothing,
        errors: tuple[type[Exception], ...] = (),
    ) -> None:
        super().__init__()
        self.sight = sight
        most = None if from_the_start else _MOST_WAITING
        self.feed = Feed(sight, self.redraw, pace, most=most)
        self.person = Person(self.feed)
        self.controls = Controls(
            sight,
            seating,
            hints=hints,
            answer=self.person.answer,
            leave=self._leave,
            pause=lambda paused: self.feed.pause(paused=paused),
        )
        self.failure: Exception | None = None
        self.fault: BaseException | None = None
        self._is_leaving = False
        self._session = session
        self._leaver = leave
        self._errors = errors
        self._tasks: list[asyncio.Task[None]] = []

    def compose(self) -> ComposeResult:
        """Lay out the parts of the screen."""
        yield _Region(id="small")
        yield _Region(id="title")
        with Horizontal(id="body"):
            with Vertical(id="left"):
                yield _Region(id="seats")
                yield _Region(id="help")
                yield _Region(id="table")
                yield _Region(id="beside")
                yield _Region(id="hand")
                yield _Region(id="prompt")
                yield _Region(id="told")
            yield _Region(id="wide")
        yield _Region(id="footer")

    def on_mount(self) -> None:
        """Begin."""
        self._begin(self.feed.run())
        self._begin(self._play())
        self.set_interval(_CLOCK_SECONDS, self._tick)
        self.redraw()

    async def on_unmount(self) -> None:
        """End what still runs."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def on_key(self, event: events.Key) -> None:
        """Take a key."""
        named = event.key in {"left", "right", "enter", "escape", "space"}
        key = event.key if named else (event.character or event.key)
        event.prevent_default()
        self.action_press(key)

    def on_resize(self) -> None:
        """Draw anew where there is more or less room, once the app knows it."""
        self.call_after_refresh(self.redraw)

    def action_press(self, key: str) -> None:
        """Do what a key does."""
        self.controls.press(key)
        self.redraw()

    def action_help_quit(self) -> None:
        """Ask on ctrl+c as on the key that quits."""
        self.action_press("q")

    async def action_quit(self) -> None:
        """Ask on ctrl+q as on the key that quits."""
        self.action_press("q")

    def redraw(self) -> None:
        """Draw everything as it is now."""
        if not self.is_running or not self.is_attached:
            return
        width, height = self.size
        small = width < LEAST_WIDTH or height < LEAST_HEIGHT
        self.query_one("#small").display = small
        for name in ("title", "body", "footer"):
            self.query_one(f"#{name}").display = not small
        if small:
            text = self.sight.words.say(
                "too_small",
                width=str(width),
                height=str(height),
                least_width=str(LEAST_WIDTH),
                least_height=str(LEAST_HEIGHT),
            )
            self._region("small").show(drawing.too_small(text))
        else:
            self._draw(screen_of(self.controls), width, height)

    def _draw(self, screen: Screen, width: int, height: int) -> None:
        wide = width >= _WIDE and not screen.right_to_left
        self._region("wide").display = wide
        helping = bool(screen.help)
        self._region("told").display = not wide and not helping
        self._region("help").display = helping
        for name in ("table", "beside", "hand"):
            self._region(name).display = not helping
        tall = height >= _TALL
        self.screen.set_class(tall, "tall")
        used = 4 if tall else 0
        for name, lines in (
            ("title", drawing.title(screen)),
            ("seats", drawing.seats(screen)),
            ("table", drawing.table(screen)),
            ("beside", drawing.beside(screen)),
            ("hand", drawing.hand(screen)),
            ("prompt", drawing.prompt(screen)),
            ("footer", drawing.footer(screen)),
        ):
            self._region(name).show(lines)
            used += len(lines)
        self._region("help").show(drawing.key_help(screen))
        # The lines above what happened, and its border.
        if wide:
            self._region("wide").show(drawing.told(screen, int(width * 0.4) - 4, height - 2))
        else:
            self._region("told").show(drawing.told(screen, width - 2, height - used - 1))

    def _region(self, name: str) -> _Region:
        return self.query_one(f"#{name}", _Region)

    def _tick(self) -> None:
        if self.sight.clocks:
            self.redraw()

    async def _play(self) -> None:
        try:
            await self._session(Seated(self.feed, self.person))
        except self._errors as error:
            self.failure = error
            self.sight.failure = str(error)
            self.sight.answered()
        await self.feed.shown()
        self.redraw()

    def _leave(self, leaving: Leaving) -> None:
        if self.controls.over:
            self.exit()
        elif self._is_leaving:
            # The referee does not answer, and the person does not want to wait for it.
            self.exit()
        else:
            self._is_leaving = True
            self._begin(self._leave_after(leaving))

    def _begin(self, work: Coroutine[None, None, None]) -> None:
        task = asyncio.create_task(work)
        task.add_done_callback(self._has_ended)
        self._tasks.append(task)

    def _has_ended(self, task: asyncio.Task[None]) -> None:
        if not task.cancelled() and (error := task.exception()) is not None:
            self.fault = error
            self.exit()

    async def _leave_after(self, leaving: Leaving) -> None:
        with contextlib.suppress(*self._errors):
            # Who cannot be told stays where the clock, if one runs, will tell it.
            await self._leaver(leaving)
        self.exit()


def content(lines: Sequence[Line]) -> Content:
    """Give lines as textual shows them; a click on a piece presses its key."""
    parts: list[Content | str | tuple[str, Style]] = []
    for number, line in enumerate(lines):
        if number:
            parts.append("\n")
        for piece in line:
            style = _PARSED[piece.look]
            if piece.key:
                style += Style.from_meta({_PRESSES: piece.key})
            parts.append((piece.text, style))
    return Content.assemble(*parts)
