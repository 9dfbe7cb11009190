"""A replay as one page that needs nothing else: no network, no font, no other file.

Everything that a log holds stands in the page as data, which its script shows as text alone. Its
Content-Security-Policy lets nothing run or load but the script and style that it was written with.
"""

import base64
import hashlib
import html
import json
from collections.abc import Iterator, Mapping, Sequence
from importlib import resources

from ronda.v1 import card_pb2, log_pb2
from ronda_conformance.event_sentences import Sentences
from ronda_replay.card_drawings import drawings
from ronda_replay.machine import state_of
from ronda_replay.names import printable, sides_of
from ronda_replay.steps import Match, Opened, match_of, new_table, steps_of
from ronda_replay.table import cards_of, notation
from ronda_replay.telling import Language, Teller

EVERYTHING = "all"
"""The point of view that nothing is hidden from."""

_TEXTS = (
    *("first", "back", "forward", "last", "play", "pause", "deal_back", "deal_on", "timeline"),
    *("view", "everything", "happened", "out"),
)
_KEYS = {
    "home": "Home",
    "end": "End",
    "page_up": "Page Up",
    "page_down": "Page Down",
    "space": "Space",
}
_WORDS = (
    *("table", "hand", "pile", "score", "dealer", "chain", "step", "card", "mesa", "debt"),
    *("deal", "batch", "pack", "side", "capture", "winner"),
)


def page(
    records: Sequence[log_pb2.LogRecord],
    opened: Opened,
    language: Language,
    seat: int | None = None,
    *,
    finding: str | None = None,
) -> str:
    """Give the page's HTML.

    Args:
        records: the log, as far as it can be read.
        opened: finds what stands behind a commitment.
        language: in what it is told.
        seat: the one seat whose point of view the page holds; None: it holds everything, with a
            choice of points of view.
        finding: why the log does not verify; None: it does.
    """
    match = match_of(records)
    data = page_data(records, opened, language, seat)
    rules = match.header.rule_set
    heading = f"{_text(language, 'title')} · {printable(rules.title or rules.id or '-', 80)}"
    files = resources.files("ronda_replay")
    style = (files / "page.css").read_text(encoding="utf-8")
    script = (files / "page.js").read_text(encoding="utf-8")
    template = (files / "page.html").read_text(encoding="utf-8")
    alert = "" if finding is None else _alert(language, finding)
    values = {
        "lang": html.escape(language.tag),
        "dir": language.direction,
        "policy": html.escape(
            f"default-src 'none'; script-src '{_hash(script)}'; style-src '{_hash(style)}'; "
            "base-uri 'none'; form-action 'none'"
        ),
        "heading": html.escape(heading),
        "alert": alert,
        "drawings": drawings(),
        "style": style,
        "script": script,
        "data": _in_script(data),
    }
    return "".join(_filled(template, values))


def page_data(
    records: Sequence[log_pb2.LogRecord],
    opened: Opened,
    language: Language,
    seat: int | None = None,
) -> dict[str, object]:
    """Give what the page's script shows.

    Each step has what it says, the same for every point of view or by point of view, and those
    fields of the state that it changes.
    """
    match = match_of(records)
    seats = list(range(match.header.seats)) if sides_of(match.header.seats) else []
    views = [seat] if seat is not None else [None, *seats]
    tellers = {view: Teller(language, match, view, isolated=True) for view in views}
    say = next(iter(tellers.values()))
    return {
        "views": [
            {
                "view": _view(view),
                "name": say.say("everything") if view is None else say.names.seat(view),
            }
            for view in views
        ],
        "seats": [{"seat": one, "name": say.names.seat(one)} for one in seats],
        "sides": [
            {"side": side, "name": say.names.side(side)} for side in sides_of(match.header.seats)
        ],
        "texts": {key: say.say(key) for key in _TEXTS}
        | {"keys": say.say("keys", **_KEYS)}
        | {"label": say.say("label", word="{word}", value="{value}")}
        | {"step": say.say("step", step="{step}", steps="{steps}")}
        | {"hidden_cards": say.say("hidden_cards", count="{count}")},
        "words": {key: say.word(key) for key in _WORDS},
        "kinds": {kind: say.entry("kinds", kind) for kind in language.glossary.sections["kinds"]},
        "cards": _card_names(language),
        "steps": list(_steps(records, opened, match, tellers)),
    }


def _steps(
    records: Sequence[log_pb2.LogRecord],
    opened: Opened,
    match: Match,
    tellers: Mapping[int | None, Teller],
) -> Iterator[dict[str, object]]:
    table = new_table(match)
    # Where the page holds one point of view alone, it must not hold more than that one sees.
    sight = next(iter(tellers))
    shown: dict[str, object] = {}
    for step in steps_of(records, opened):
        told = {_view(view): teller.tell(step) for view, teller in tellers.items()}
        event = step.seen_by(sight)
        if event is not None:
            table.follow(event)
        if not any(told.values()):
            continue
        state = state_of(table)
        said = list(told.values())
        same = all(one == said[0] for one in said)
        yield {
            "record": step.number,
            "kind": step.kind,
            "say": said[0] if same else {view: one for view, one in told.items() if one},
            "state": {
                key: state[key] for key in state if key not in shown or shown[key] != state[key]
            },
        }
        shown = state


def _view(seat: int | None) -> str:
    return EVERYTHING if seat is None else str(seat)


def _card_names(language: Language) -> dict[str, str]:
    sentences = Sentences(language.glossary, latin=language.latin)
    cards = [
        card_pb2.Card(rank=rank, suit=suit)
        for suit in card_pb2.Suit.values()
        for rank in card_pb2.Rank.values()
        if rank and suit
    ]
    return {notation(cards_of([card])[0]): sentences.card(card) for card in cards}


def _text(language: Language, key: str) -> str:
    return Sentences(language.glossary, latin=language.latin).say("replay", key)


def _alert(language: Language, finding: str) -> str:
    said = html.escape(_text(language, "unverified"))
    why = html.escape(printable(finding))
    return f'<p class="alert" role="alert">{said}: <bdi lang="en" dir="ltr">{why}</bdi></p>'


def _in_script(data: Mapping[str, object]) -> str:
    """Write JSON in which nothing can end the element that it stands in."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    for character in "<>&\u2028\u2029":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return text


def _hash(text: str) -> str:
    digest = hashlib.sha256(text.encode()).digest()
    return f"sha256-{base64.b64encode(digest).decode()}"


def _filled(template: str, values: Mapping[str, str]) -> Iterator[str]:
    """Fill in a template once: what is filled in is not looked through again."""
    for place, piece in enumerate(template.split("%%")):
        yield values[piece] if place % 2 else piece
