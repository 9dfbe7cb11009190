"""The forty cards and their back as SVG, drawn here: symbols that a page uses by their id.

As on Spanish cards, the gaps in a card's frame tell its suit: none for oros, one for copas, two for
espadas, three for bastos.
"""

from collections.abc import Iterator

SIZE = (100, 154)

_INK = "#2b2b33"
_PAPER = "#fffdf6"
_COLOURS = {"o": "#b57f00", "c": "#b3261e", "e": "#1f4f99", "b": "#2e6b2e"}
_GAPS = {"o": (), "c": (50,), "e": (38, 62), "b": (29, 50, 71)}
_GAP = 6

# Each in a square of 20.
_PIPS = {
    "o": (
        '<circle cx="10" cy="10" r="9" fill="#f0b429" stroke="#8a6100" stroke-width="1"/>'
        '<circle cx="10" cy="10" r="6" fill="none" stroke="#8a6100" stroke-width="1.4"'
        ' stroke-dasharray="1.6 1.5"/>'
        '<circle cx="10" cy="10" r="2.6" fill="#b3261e"/>'
    ),
    "c": (
        '<path d="M3.5 2.5h13c.3 6-1.8 9.2-5 10.4v2.9c2 .2 3.4.9 3.9 2H4.6c.5-1.1 1.9-1.8'
        ' 3.9-2v-2.9c-3.2-1.2-5.3-4.4-5-10.4z" fill="#cc3b30" stroke="#7d1710"'
        ' stroke-width=".8"/>'
        '<ellipse cx="10" cy="2.9" rx="6.3" ry="1.3" fill="#f0b429" stroke="#7d1710"'
        ' stroke-width=".6"/>'
        '<path d="M5 7h10" stroke="#f0b429" stroke-width="1"/>'
    ),
    "e": (
        '<path d="M10 .6l2 3.2v9.2H8V3.8z" fill="#8fb3e8" stroke="#173b73"'
        ' stroke-width=".8"/>'
        '<path d="M10 3v10" stroke="#173b73" stroke-width=".5"/>'
        '<rect x="4.6" y="12.7" width="10.8" height="1.8" rx=".9" fill="#f0b429"'
        ' stroke="#173b73" stroke-width=".6"/>'
        '<rect x="9" y="14.5" width="2" height="3" fill="#b3261e"/>'
        '<circle cx="10" cy="18.2" r="1.3" fill="#f0b429" stroke="#173b73"'
        ' stroke-width=".6"/>'
    ),
    "b": (
        '<path d="M8.8 19L6.3 6C5.7 2.8 7.6.8 10 .8s4.3 2 3.7 5.2L11.2 19z" fill="#86a548"'
        ' stroke="#34491a" stroke-width=".9" stroke-linejoin="round"/>'
        '<path d="M6.6 7.2L4.4 6M13.2 9.5l2.300-1M7.6 11.8l-2-.5" stroke="#34491a"'
        ' stroke-width="1.8" stroke-linecap="round"/>'
        '<ellipse cx="9" cy="4.8" rx="1" ry="1.3" fill="#34491a"/>'
        '<ellipse cx="11.2" cy="8.2" rx=".8" ry="1.1" fill="#34491a"/>'
        '<path d="M8.4 15.6h3.2M8.7 17.3h2.6" stroke="#b3261e" stroke-width="1.1"/>'
    ),
}

# Each in 60 by 90, in the colour of its suit.
_FIGURES = {
    10: (
        '<path d="M14 19c2-9 28-13 33-2 1 3-6 4-17 4-9 0-16 1-16-2z" fill="currentColor"/>'
        '<path d="M44 13c5-6 9-6 11-4-3 1-5 4-9 6z" fill="#f0b429"/>'
        '<circle cx="30" cy="27" r="8.5" fill="#f3d3b3"/>'
        '<path d="M15 64l6-24c4-4 14-4 18 0l6 24z" fill="currentColor"/>'
        '<path d="M30 38v26M17 57h26" stroke="#f0b429" stroke-width="2"/>'
        '<path d="M23 64h5v20h-9v-4h4zM32 64h5v16h4v4h-9z"/>'
    ),
    11: (
        '<path d="M12 86c-1-22 4-36 12-43l-3-12 10 7c11 2 19 11 23 24l-7 6c-4-4-8-5-13-4 0'
        ' 7 3 13 4 22z" fill="currentColor"/>'
        '<path d="M24 43c-8 8-11 18-11 28M20 52l-8 2M17 60l-8 3M15 68l-8 4" fill="none"'
        ' stroke="#f0b429" stroke-width="2.5" stroke-linecap="round"/>'
        '<circle cx="36" cy="50" r="2.2" fill="#fffdf6"/>'
        '<path d="M30 44l16 18M38 64l8-9" stroke="#f0b429" stroke-width="2" fill="none"/>'
        '<circle cx="49" cy="62" r="1.3" fill="#fffdf6"/>'
    ),
    12: (
        '<path d="M17 20L14 5l8 6 8-9 8 9 8-6-3 15z" fill="#f0b429" stroke="#8a6100"/>'
        '<circle cx="30" cy="28" r="8.5" fill="#f3d3b3"/>'
        '<path d="M22 30c1 10 15 10 16 0-4 3-12 3-16 0z"/>'
        '<path d="M9 86l11-45c4-4 16-4 20 0l11 45z" fill="currentColor"/>'
        '<path d="M20 41c4 8 16 8 20 0l2 7c-6 8-18 8-24 0z" fill="#fffdf6"/>'
        '<path d="M30 54v32" stroke="#f0b429" stroke-width="2.5"/>'
        '<path d="M10 82h40" stroke="#fffdf6" stroke-width="3"/>'
    ),
}

# Where the pips' middles are, and how large they are.
_PLACES: dict[int, tuple[int, tuple[tuple[float, float], ...]]] = {
    1: (72, ((50, 77),)),
    2: (46, ((50, 48), (50, 106))),
    3: (38, ((50, 36), (50, 77), (50, 118))),
    4: (38, ((31, 48), (69, 48), (31, 106), (69, 106))),
    5: (35, ((31, 43), (69, 43), (50, 77), (31, 111), (69, 111))),
    6: (33, ((31, 42), (69, 42), (31, 77), (69, 77), (31, 112), (69, 112))),
    7: (29, ((30, 40), (70, 40), (50, 59), (30, 78), (70, 78), (30, 116), (70, 116))),
}


def drawings() -> str:
    """Give a hidden SVG element that holds every symbol: `c-7o`, …, `c-back`, `c-none`."""
    width, height = SIZE
    box = f'viewBox="0 0 {width} {height}"'
    symbols = [
        *(
            f'<symbol id="p-{suit}" viewBox="0 0 20 20">{pip}</symbol>'
            for suit, pip in _PIPS.items()
        ),
        *(
            f'<symbol id="f-{rank}" viewBox="0 0 60 90">{figure}</symbol>'
            for rank, figure in _FIGURES.items()
        ),
        *(
            f'<symbol id="c-{rank}{suit}" {box}>{"".join(_card(rank, suit))}</symbol>'
            for suit in _PIPS
            for rank in (*_PLACES, *_FIGURES)
        ),
        f'<symbol id="c-back" {box}>{_back()}</symbol>',
        f'<symbol id="c-none" {box}>{_paper()}</symbol>',
    ]
    return (
        '<svg class="drawings" width="0" height="0" aria-hidden="true" focusable="false">'
        f"{''.join(symbols)}</svg>"
    )


def _paper() -> str:
    return (
        f'<rect x="1" y="1" width="98" height="152" rx="9" fill="{_PAPER}" stroke="{_INK}"'
        ' stroke-width="1.5"/>'
    )


def _back() -> str:
    return (
        f"{_paper()}"
        '<rect x="8" y="8" width="84" height="138" rx="5" fill="#7a2f3a"/>'
        '<path d="M8 42l34-34M8 76l68-68M8 110l84-84M8 144l84-84M24 146l68-68M58 146l34-34'
        "M92 42L58 8M92 76L24 8M92 110L8 26M92 144L8 60M76 146L8 78M42 146L8 112"
        '" stroke="#e8c9a0" stroke-width="2"/>'
        '<circle cx="50" cy="77" r="15" fill="#e8c9a0" stroke="#7a2f3a" stroke-width="3"/>'
        '<circle cx="50" cy="77" r="7" fill="#7a2f3a"/>'
    )


def _card(rank: int, suit: str) -> Iterator[str]:
    colour = _COLOURS[suit]
    yield _paper()
    yield f'<path d="{_frame(suit)}" fill="none" stroke="{colour}" stroke-width="1.6"/>'
    middle, height = (18, 17) if rank in _FIGURES else (16, 19)
    index = (
        f'<text x="{middle}" y="23" text-anchor="middle" font-size="{height}" font-weight="700"'
        f' font-family="sans-serif" fill="{colour}">{rank}</text>'
    )
    yield index
    yield f'<g transform="rotate(180 50 77)">{index}</g>'
    if rank in _FIGURES:
        yield _use(f"f-{rank}", 50, 82, 72, 108, colour)
        yield _use(f"p-{suit}", 76, 34, 26, 26)
        yield _use(f"p-{suit}", 24, 124, 22, 22)
    else:
        size, places = _PLACES[rank]
        for x, y in places:
            yield _use(f"p-{suit}", x, y, size, size)


def _frame(suit: str) -> str:
    """Draw the frame: its sides whole, its top and bottom with the suit's gaps."""
    left, right, top, bottom = 6, 94, 6, 148
    path = [f"M{left} {top}V{bottom}M{right} {top}V{bottom}"]
    for y in (top, bottom):
        ends = [left, *(x for gap in _GAPS[suit] for x in (gap - _GAP / 2, gap + _GAP / 2)), right]
        path += [
            f"M{begin:g} {y}H{end:g}" for begin, end in zip(ends[::2], ends[1::2], strict=True)
        ]
    return "".join(path)


def _use(symbol: str, x: float, y: float, width: float, height: float, colour: str = "") -> str:
    coloured = f' color="{colour}"' if colour else ""
    return (
        f'<use href="#{symbol}" x="{x - width / 2:g}" y="{y - height / 2:g}" width="{width:g}"'
        f' height="{height:g}"{coloured}/>'
    )
