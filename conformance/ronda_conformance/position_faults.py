"""What is wrong with a position in notation, as far as it can be told without an engine."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from difflib import get_close_matches

from ronda.v1 import rule_set_pb2
from ronda_conformance.cards import RANKS, SUITS, CardTextError, parse_card
from ronda_conformance.position_fields import position_fields
from ronda_conformance.rule_set_values import suggestion

PACK = 40
REQUIRED = ("seats", "batch", "turn", "hands", "table", "piles")
FIELDS = (
    *("seats", "deal", "dealer", "batch", "turn", "hands", "table", "piles", "scores", "laid"),
    *("held", "capturer", "said", "played", "award", "owed", "claimed", "punished", "pack"),
)
_CARDS = ("hands", "table", "laid", "played", "pack")
_KIND = "ronda|tringa|double_ronda"
# Fields of entries with `:` within, what each entry is like, and how that is told.
_ENTRIES = {
    "said": (
        re.compile(rf"\d+:\d:(?:{_KIND}):(?:{'|'.join(RANKS)}|false|struck)"),
        "batch:seat:kind:rank, or false or struck for the rank",
    ),
    "held": (re.compile(rf"\d:\d:(?:{'|'.join(RANKS)}):\d+:\d+"), "seat:step:rank:cards:mesa"),
    "owed": (re.compile(r"\d:\d:\d+(?::award)?"), "payer:receiver:cards"),
}
# The same card is named a second time there.
_AGAIN = ("laid", "played")


def batch_sizes(rule_set: rule_set_pb2.RuleSet, seats: int) -> list[int]:
    """Return the size of the hands in each batch of a deal (clause DEAL-5).

    An empty list: the rule set does not allow so many seats.
    """
    for one in rule_set.seats:
        if one.count == seats:
            if one.opening == rule_set_pb2.OPENING_TABLE_OF_FOUR:
                return [3] * (12 // seats)
            return {2: [4] * 5, 4: [4, 3, 3]}.get(seats, [])
    return []


def position_faults(text: str, rule_set: rule_set_pb2.RuleSet, seats: int) -> list[str]:
    """Return everything that is wrong with a position; what cannot be told is left out.

    Args:
        text: the position.
        rule_set: the rule set that it is played with.
        seats: how many seats the scenario has.
    """
    fields = position_fields(text)
    faults = [
        *_field_faults(text, fields),
        *_number_faults(fields, seats),
        *_entry_faults(fields),
        *_card_faults(fields),
        *_card_places(fields),
    ]
    if faults:
        # What follows adds and compares; beside a fault it would find the same one again.
        return faults
    return [*_deal_faults(fields, rule_set, seats), *_played_faults(fields, rule_set)]


def pack_of(text: str, rule_set: rule_set_pb2.RuleSet) -> list[str] | None:
    """Return a right position's cards that are not dealt yet; None where suits are left out."""
    fields = position_fields(text)
    placed = [word for name in _CARDS for word in _words(fields.get(name, ""))]
    if any(word in RANKS for word in placed):
        return None
    if "pack" in fields:
        return _words(fields["pack"])
    seats = int(fields["seats"])
    later = sum(batch_sizes(rule_set, seats)[int(fields["batch"]) :]) * seats
    cards = [rank + suit for suit in SUITS for rank in RANKS]
    return [card for card in cards if card not in placed][:later]


def _field_faults(text: str, fields: Mapping[str, str]) -> Iterator[str]:
    names = Counter(part.split()[0] for part in text.split(";") if part.strip())
    for name, count in names.items():
        if name not in FIELDS:
            yield f"a position has no field {name!r}; {suggestion(name, FIELDS)}"
        elif count > 1:
            yield f"{name} stands twice; keep one"
    # What a mistyped field was meant to be is not missing.
    near = {
        word for name in names if name not in FIELDS for word in get_close_matches(name, FIELDS)
    }
    for name in REQUIRED:
        if not fields.get(name) and name not in near:
            yield f"the field {name!r} is missing"


def _number_faults(fields: Mapping[str, str], seats: int) -> Iterator[str]:
    sides = 3 if seats == 3 else 2  # noqa: PLR2004  # three seats are three sides, clause DEAL-2
    counts = {"piles": sides, "scores": sides, "award": sides, "punished": seats}
    for name in ("seats", "deal", "dealer", "batch", "turn", "capturer"):
        if name in fields and not fields[name].isdecimal():
            yield f"{name}: {fields[name]!r} is no number"
        elif name in ("dealer", "turn", "capturer") and int(fields.get(name, 0)) >= seats:
            yield f"{name}: there is no seat {fields[name]}"
    if fields.get("seats", "").isdecimal() and int(fields["seats"]) != seats:
        yield f"seats: {fields['seats']}, but the scenario has {seats}"
    for name, count in counts.items():
        words = fields[name].split() if name in fields else ["0"] * count
        if len(words) != count or not all(word.isdecimal() for word in words):
            yield f"{name}: {fields[name]!r} is not {count} numbers"
    for name in ("hands", "played"):
        if name in fields and len(fields[name].split("/")) != seats:
            yield f"{name}: {len(fields[name].split('/'))} of {seats} seats, with `/` between them"


def _entry_faults(fields: Mapping[str, str]) -> Iterator[str]:
    for name, (form, like) in _ENTRIES.items():
        for entry in fields[name].split(",") if name in fields else ():
            if not form.fullmatch(entry.strip()):
                yield f"{name}: {entry.strip()!r} is not like {like}"


def _words(text: str) -> list[str]:
    return [word for word in text.replace("/", " ").split() if word != "-"]


def _card_faults(fields: Mapping[str, str]) -> Iterator[str]:
    for name in _CARDS:
        for word in _words(fields.get(name, "")):
            if word in RANKS:
                continue
            try:
                parse_card(word)
            except CardTextError as error:
                yield f"{name}: {error}"


def _card_places(fields: Mapping[str, str]) -> Iterator[str]:
    named = [
        word
        for name in _CARDS
        if name not in _AGAIN
        for word in _words(fields.get(name, ""))
        if word not in RANKS
    ]
    for card, count in Counter(named).items():
        if count > 1:
            yield f"{card} stands in two places"
    table = _words(fields.get("table", ""))
    for rank, count in Counter(word.rstrip("oceb") for word in table).items():
        if count > 1:
            yield f"table: two cards of rank {rank}; a table never holds two"
    laid = fields.get("laid")
    if laid and laid not in table and laid not in [word.rstrip("oceb") for word in table]:
        yield f"laid: {laid} does not lie on the table"


def _deal_faults(
    fields: Mapping[str, str], rule_set: rule_set_pb2.RuleSet, seats: int
) -> Iterator[str]:
    sizes = batch_sizes(rule_set, seats)
    batch, turn = int(fields["batch"]), int(fields["turn"])
    if not sizes:
        return
    if not 1 <= batch <= len(sizes):
        yield f"batch: {batch}; a deal of {seats} seats has {len(sizes)} here"
        return
    hands = [len(_words(hand)) for hand in fields["hands"].split("/")]
    most = hands[turn]
    if not 1 <= most <= sizes[batch - 1]:
        yield f"hands: seat {turn} is to play with {most} of {sizes[batch - 1]} cards"
    first = (int(fields.get("dealer", seats - 1)) + 1) % seats
    for seat in range(seats):
        has_played = (seat - first) % seats < (turn - first) % seats
        if hands[seat] != most - has_played:
            yield f"hands: seat {seat} holds {hands[seat]} cards where {most - has_played} are due"
    later = sum(sizes[batch:]) * seats
    if "pack" in fields and len(_words(fields["pack"])) != later:
        yield f"pack: {len(_words(fields['pack']))} cards where later batches need {later}"
    piles = sum(map(int, fields["piles"].split()))
    held = fields.get("held", "0:0:0:0:0").split(":")
    total = sum(hands) + len(_words(fields["table"])) + piles + later
    if len(held) == 5 and held[3].isdecimal():  # noqa: PLR2004  # the parts of `held`
        total += int(held[3])
    if total != PACK:
        yield f"hands, table, piles, held cards and pack are {total} cards, not {PACK}"
    if (piles > 0) != ("capturer" in fields):
        yield "capturer: it stands where piles hold cards, and only there"


def _played_faults(fields: Mapping[str, str], rule_set: rule_set_pb2.RuleSet) -> Iterator[str]:
    sizes = batch_sizes(rule_set, int(fields["seats"]))
    batch = int(fields["batch"])
    if not sizes or not 1 <= batch <= len(sizes):
        return
    size = sizes[batch - 1]
    gone = [size - len(_words(hand)) for hand in fields["hands"].split("/")]
    if "played" in fields:
        played = [len(_words(cards)) for cards in fields["played"].split("/")]
        if played != gone:
            yield f"played: {played} cards by seat where {gone} are due"
        return
    none = rule_set_pb2.UNDECLARED_DETECTION_NONE
    judged = rule_set.settle == rule_set_pb2.SETTLE_WHEN_SHOWN or rule_set.challenge
    if any(gone) and (judged or rule_set.undeclared_detection != none):
        yield "played is missing: this rule set judges by the cards played in this batch"
