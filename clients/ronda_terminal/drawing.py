"""A screen as lines of text in pieces that have a look, whatever puts them on a terminal."""

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

from ronda_replay.table import PACK, notation
from ronda_terminal.controls import CHOOSE_KEY, PAUSE_KEY
from ronda_terminal.screen import Button, Face, Screen, SeatLine
from ronda_terminal.sight import Told
from ronda_terminal.words import RIGHT_TO_LEFT_MARK

LEAST_WIDTH, LEAST_HEIGHT = 80, 24

# With the letters that replays write cards with; one can tell suits apart without colours.
_SIGNS = {"o": "●", "c": "♥", "e": "♠", "b": "♣", "?": " "}
_SUITS = {"o": "oros", "c": "copas", "e": "espadas", "b": "bastos", "?": "plain"}
_FACE = 6
_NAME = 30
_COLUMN = 12
_BACK = "▮"
_KEYS = {CHOOSE_KEY: "⏎", PAUSE_KEY: "␣", "left": "←", "right": "→", "escape": "esc"}
_HELP_COLUMN = 18

_LOOKS = {
    "deal_started": "heading",
    "batch_started": "heading",
    "match_ended": "heading",
    "announcement_made": "call",
    "announcement_sealed": "call",
    "announcement_challenged": "call",
    "announcements_revealed": "call",
    "cards_held": "call",
    "cards_captured": "capture",
    "chain_closed": "capture",
    "leftovers_taken": "capture",
    "play_awarded": "gain",
    "announcements_awarded": "gain",
    "duty_awarded": "gain",
    "piles_counted": "gain",
    "award_withdrawn": "loss",
    "false_announcement_penalised": "loss",
    "undeclared_penalised": "loss",
    "forfeit_declared": "loss",
    "seat_forfeited": "loss",
    "deal_ended": "score",
}


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece of a line.

    Attributes:
        text: what stands there.
        look: how, a key of `looks.STYLES`.
        key: what a click on it presses; empty: nothing.
    """

    text: str
    look: str = "plain"
    key: str = ""


Line = tuple[Piece, ...]


def plain(lines: Sequence[Line]) -> str:
    """Give lines as text alone."""
    return "\n".join("".join(piece.text for piece in line) for line in lines)


def cells(text: str) -> int:
    """Give how many cells a text takes: marks that combine or only steer take none."""
    return sum(unicodedata.category(one) not in {"Mn", "Me", "Cf"} for one in text)


def title(screen: Screen) -> list[Line]:
    """Give what is played, and where the match is."""
    return [(Piece(screen.title, "title"),)]


def seats(screen: Screen) -> list[Line]:
    """Give a line for each seat."""
    return [_seat(seat, columns=not screen.right_to_left) for seat in screen.seats]


def _seat(seat: SeatLine, *, columns: bool) -> Line:
    look = "own" if seat.own else "plain"
    backs = _BACK * min(seat.cards, PACK)

    def column(text: str, width: int) -> str:
        # Columns of another direction would be put elsewhere by a terminal that turns lines.
        return _fit(text, width) if columns else f"{text}  "

    return (
        Piece("▶ " if seat.next else "  ", "next"),
        Piece(column(seat.name, _NAME), look),
        Piece(column(backs, 5), "back"),
        Piece(column(seat.score, _COLUMN), "score"),
        Piece(column(seat.pile, _COLUMN), "quiet"),
        *([Piece(column(seat.clock, 6), "clock")] if seat.clock else []),
        Piece(" ".join(seat.tags), "call"),
    )


def _fit(text: str, width: int) -> str:
    if cells(text) >= width:
        return text[: width - 2] + "… "
    return text + " " * (width - cells(text))


def table(screen: Screen) -> list[Line]:
    """Give what lies on the table, or how the match ended."""
    if screen.result:
        head, *lines = screen.result
        return [
            (Piece(head, "loss" if screen.lost else "result"),),
            *((Piece(line, "score"),) for line in lines),
        ]
    played = [screen.played] if screen.played is not None else []
    if not screen.table and not played:
        return [(), (Piece(screen.empty, "quiet"),), (), ()]
    rows = _faces(screen.table)
    if played:
        gap = Piece("  ▸ " if screen.table else "  ", "next")
        extra = _faces(played)
        rows = [(*row, gap, *more) for row, more in zip(rows, extra, strict=True)]
    return rows


def beside(screen: Screen) -> list[Line]:
    """Give what else there is to know of the table, and how suits are written."""
    legend = [
        Piece(f"  {_SIGNS[name[0]]}{name[0]} {word}", f"{name}_name") for name, word in screen.suits
    ]
    return [(Piece(screen.beside, "quiet"), *legend)]


def hand(screen: Screen) -> list[Line]:
    """Give the hand, with the keys below."""
    if screen.hand is None:
        return []
    if not screen.hand:
        return [(), (), (), (), ()]
    captions: list[Piece] = []
    for face in screen.hand:
        captions += [Piece(_caption(face), _caption_look(face), face.key), Piece(" ")]
    return [*_faces(screen.hand), tuple(captions)]


def _faces(faces: Sequence[Face]) -> list[Line]:
    rows: list[list[Piece]] = [[], [], [], []]
    for face in faces:
        written = notation(face.card)
        rank, suit = written[:-1], written[-1]
        look = _SUITS[suit]
        if face.chosen:
            look += "_chosen"
        elif face.marked:
            look += "_marked"
        top, bottom = ("┏━━━━┓", "┗━━━━┛") if face.chosen or face.marked else ("╭────╮", "╰────╯")
        side = "┃" if face.chosen or face.marked else "│"
        drawn = (
            top,
            f"{side}{rank:<2} {suit}{side}",
            f"{side} {_SIGNS[suit]}{_SIGNS[suit]} {side}",
            bottom,
        )
        for row, text in zip(rows, drawn, strict=True):
            row += [Piece(text, look, face.key), Piece(" ")]
    return [tuple(row) for row in rows]


def _caption(face: Face) -> str:
    text = face.key
    if face.hint is not None:
        found = face.hint
        taken = f"+{len(found.takes)}" if found.takes else ""
        text = f"{text} {taken}" + "★" * sum((found.caida, found.mesa, found.chain))
    return text.strip().center(_FACE)


def _caption_look(face: Face) -> str:
    if not face.key:
        return "plain"
    return "chosen" if face.chosen else "key"


def prompt(screen: Screen) -> list[Line]:
    """Give what is asked and what may be said, then the hint, then the message."""
    look = "urgent" if screen.urgent else "quiet"
    buttons: list[Piece] = []
    for button in screen.buttons:
        buttons += [Piece("  "), *_button(button)]
    asked = (Piece(screen.prompt, look), *buttons)
    return [asked, (Piece(screen.hint, "hint"),), (Piece(screen.message, "loss"),)]


def _button(button: Button) -> list[Piece]:
    key = _KEYS.get(button.key, button.key)
    look = "chosen" if button.chosen else "button"
    return [
        Piece(f" {key} ", "chosen" if button.chosen else "key", button.key),
        Piece(f" {button.label} ", look, button.key),
    ]


def key_help(screen: Screen) -> list[Line]:
    """Give what the keys do, a line for each group of them."""
    lines: list[Line] = []
    for keys, said in screen.help:
        pieces: list[Piece] = []
        for key in keys:
            pieces += [Piece(f" {_KEYS.get(key, key)} ", "key", key), Piece(" ")]
        width = sum(cells(piece.text) for piece in pieces)
        # As with the seats: lines of another direction have no columns. Most begin with a Latin
        # letter all the same.
        mark = [Piece(RIGHT_TO_LEFT_MARK)] if screen.right_to_left else []
        gap = " " if screen.right_to_left or not keys else " " * (_HELP_COLUMN - width)
        lines.append((*mark, *pieces, Piece(gap), Piece(said)))
    return lines


def told(screen: Screen, width: int, height: int) -> list[Line]:
    """Give what happened last, as much as there is room for: the newest at the bottom."""
    lines: list[Line] = []
    for one in reversed(screen.told):
        wrapped = [(Piece(text, _look(one)),) for text in _wrapped(one.text, width)]
        lines[:0] = wrapped
        if len(lines) >= height:
            break
    return lines[-height:] if height > 0 else []


def _look(one: Told) -> str:
    return _LOOKS.get(one.kind, "plain")


def _wrapped(text: str, width: int) -> list[str]:
    lines = [""]
    for word in text.split(" "):
        longer = f"{lines[-1]} {word}" if lines[-1] else word
        if cells(longer) <= width or not lines[-1]:
            lines[-1] = longer
        else:
            lines.append(f"  {word}")
    return lines


def footer(screen: Screen) -> list[Line]:
    """Give the keys that always work."""
    pieces: list[Piece] = []
    for button in screen.footer:
        pieces += [*_button(button), Piece(" ")]
    return [tuple(pieces)]


def too_small(text: str) -> list[Line]:
    """Give what is shown where nothing else fits."""
    return [(Piece(text, "urgent"),)]
