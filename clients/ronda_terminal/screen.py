"""What stands where on the screen, without saying how it looks."""

from dataclasses import dataclass

from ronda.v1.rule_set_pb2 import AnnouncementKind
from ronda_replay.names import printable, side_of
from ronda_replay.table import Card
from ronda_terminal.controls import (
    CHOOSE_KEY,
    HELP_KEY,
    HINTS_KEY,
    PAUSE_KEY,
    QUIT_KEY,
    Controls,
)
from ronda_terminal.hints import Hint, hint
from ronda_terminal.key_help import key_help
from ronda_terminal.sight import Sight, Told

_MINUTE = 60


@dataclass(frozen=True, slots=True)
class SeatLine:
    """A seat.

    Attributes:
        name: who sits there.
        own: whether it is this person.
        next: whether something is expected of it.
        cards: how many it holds.
        pile: its side's pile, in words.
        score: its side's points, in words.
        clock: its time as `1:05`; empty: no clock runs.
        tags: that it deals, what it has announced in the batch, that it has forfeited.
    """

    name: str
    own: bool
    next: bool
    cards: int
    pile: str
    score: str
    clock: str
    tags: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Face:
    """A card that lies face up.

    Attributes:
        card: which.
        key: the key that plays it; empty: none does.
        chosen: whether enter plays it.
        marked: whether the chosen card would take it.
        hint: what it would do; None: no hint is wanted.
    """

    card: Card
    key: str = ""
    chosen: bool = False
    marked: bool = False
    hint: Hint | None = None


@dataclass(frozen=True, slots=True)
class Button:
    """Something to press: its key, what is said of it, and whether enter does it."""

    key: str
    label: str
    chosen: bool = False


@dataclass(frozen=True, slots=True)
class Screen:
    """A whole screen.

    Attributes:
        title: the rules, the deal and the batch.
        seats: every seat, by seat.
        table: the cards on the table, by rank.
        played: the card that is being played; None: none is.
        beside: what else there is to know of the table: a chain's pile, debts, the pack.
        hand: the seat's cards, in the order dealt; None: there is no seat.
        hint: what the chosen card would do, in words.
        prompt: what is asked, or waited for.
        urgent: whether it is this person who is asked.
        buttons: what may be said beside playing a card.
        message: why the last key did nothing, or that the connection is lost.
        result: how the match ended; empty: it has not.
        lost: whether this person has lost it.
        told: what happened, the newest last.
        help: what the keys do, in groups with words for each, in the place of the cards and of what
            happened; empty: nobody has asked.
        footer: the keys that always work.
        right_to_left: whether lines begin at the right.
        empty: what is said where nothing lies on the table.
        suits: the suits: their names in the schema, and in the language of the table.
    """

    title: str
    seats: tuple[SeatLine, ...]
    table: tuple[Face, ...]
    played: Face | None
    beside: str
    hand: tuple[Face, ...] | None
    hint: str
    prompt: str
    urgent: bool
    buttons: tuple[Button, ...]
    message: str
    result: tuple[str, ...]
    lost: bool
    told: tuple[Told, ...]
    help: tuple[tuple[tuple[str, ...], str], ...]
    footer: tuple[Button, ...]
    right_to_left: bool
    empty: str
    suits: tuple[tuple[str, str], ...]


def screen_of(controls: Controls) -> Screen:
    """Give what is to be shown now."""
    sight = controls.sight
    words = sight.words
    chosen = controls.chosen
    hand = _hand(controls)
    marked = set[Card]()
    for face in hand or ():
        if face.chosen and face.hint is not None:
            marked.update(face.hint.takes)
    return Screen(
        title=_title(sight),
        seats=tuple(_seat(sight, seat) for seat in range(sight.seats)),
        table=tuple(Face(card, marked=card in marked) for card in sight.table.cards),
        played=None if sight.played is None else Face(sight.played),
        beside=_beside(sight),
        hand=hand,
        hint=_hint_text(controls, hand),
        prompt=_prompt(controls),
        urgent=bool(controls.actions) or controls.asking,
        buttons=_buttons(controls, None if chosen is None else chosen.key),
        message=_message(controls),
        result=_result(sight),
        lost=_has_lost(sight),
        told=tuple(sight.told),
        help=key_help(controls) if controls.helping else (),
        footer=_footer(controls),
        right_to_left=words.right_to_left,
        empty=words.labelled(words.word("table"), words.none) if sight.seats else "",
        suits=tuple((name, words.suit(name)) for name in ("oros", "copas", "espadas", "bastos")),
    )


def _title(sight: Sight) -> str:
    words = sight.words
    if not sight.seats:
        return words.word("game")
    parts = [words.labelled(words.word("game"), printable(sight.rules.id))]
    if sight.rules.target:
        parts.append(words.labelled(words.word("target"), str(sight.rules.target)))
    if sight.table.deal:
        parts.append(words.labelled(words.word("deal"), str(sight.table.deal)))
    if sight.table.batch:
        batch = words.word("last_batch" if sight.table.last_batch else "batch")
        parts.append(words.labelled(batch, str(sight.table.batch)))
    return words.joined(parts)


def _seat(sight: Sight, seat: int) -> SeatLine:
    words, table = sight.words, sight.table
    side = side_of(seat, sight.seats)
    clock = sight.clocks[seat] if seat < len(sight.clocks) else None
    held = table.hands.get(seat)
    expected = (
        sight.turn.decision.seat if sight.turn is not None else sight.next_seat
    ) == seat or (clock is not None and clock.running)
    tags = [words.word("dealer")] if table.dealer == seat else []
    tags += [
        words.kind(AnnouncementKind.ValueType(kind))
        for batch, said_by, kind in table.said
        if said_by == seat and batch == table.batch
    ]
    if seat in table.forfeited:
        tags.append(words.replay("out"))
    name = words.seat(seat)
    scores = dict(enumerate(sight.ended.scores)) if sight.ended is not None else table.scores
    return SeatLine(
        name=words.directed(words.labelled(words.say("you"), name) if seat == sight.seat else name),
        own=seat == sight.seat,
        next=expected,
        cards=held.count if held is not None else 0,
        pile=words.labelled(words.word("pile"), str(table.piles.get(side, 0))),
        score=words.labelled(words.word("score"), str(scores.get(side, 0))),
        clock="" if clock is None else _clock(clock.left(sight.now())),
        tags=tuple(tags),
    )


def _clock(seconds: int) -> str:
    return f"{seconds // _MINUTE}:{seconds % _MINUTE:02}"


def _beside(sight: Sight) -> str:
    words, table = sight.words, sight.table
    parts = [words.labelled(words.word("pack"), str(table.pack))] if sight.seats else []
    if table.held is not None:
        held = table.held
        name = words.labelled(words.word("chain"), words.seat(held.seat))
        parts.append(f"{name} ({held.cards})")
    parts += [
        f"{words.labelled(words.word('debt'), words.side(debt.payer))} ({debt.cards})"
        for debt in table.debts
    ]
    return words.joined(parts)


def _hand(controls: Controls) -> tuple[Face, ...] | None:
    if not controls.seating.plays:
        return None
    turn = controls.sight.turn
    keys = {one.card: one.key for one in controls.actions if one.card is not None}
    chosen = controls.chosen
    faces = []
    for card in controls.hand:
        known = None
        if controls.hints and turn is not None and card in keys:
            known = hint(card, turn.view, controls.sight.rules)
        is_chosen = chosen is not None and chosen.card == card
        faces.append(Face(card, keys.get(card, ""), is_chosen, hint=known))
    return tuple(faces)


def _hint_text(controls: Controls, hand: tuple[Face, ...] | None) -> str:
    words = controls.sight.words
    for face in hand or ():
        if face.chosen and face.hint is not None:
            found = face.hint
            parts = [words.say("takes", cards=words.cards(found.takes))] if found.takes else []
            parts += [
                words.word(name) for name in ("chain", "caida", "mesa") if getattr(found, name)
            ]
            said = words.joined(parts) if parts else words.say("lies")
            return words.labelled(words.cards([face.card]), said)
    return ""


def _prompt(controls: Controls) -> str:
    sight = controls.sight
    words = sight.words
    if controls.asking:
        return words.say("ask_quit")
    if sight.failure:
        return words.say("failed", problem=printable(sight.failure))
    if sight.ended is not None:
        return ""
    if sight.log_ended:
        return words.say("log_ends")
    if sight.sent:
        return words.say("sent")
    if sight.turn is not None:
        return words.asked(sight.turn.view.public.asked)
    if not sight.table.deal:
        return words.say("joining")
    if sight.next_seat is not None and sight.next_seat != sight.seat:
        return words.say("waiting", seat=words.seat(sight.next_seat))
    return words.say("waiting_others" if controls.seating.plays else "watching")


def _buttons(controls: Controls, chosen: str | None) -> tuple[Button, ...]:
    words = controls.sight.words
    if controls.asking:
        return tuple(Button(key, words.say(name)) for key, (_, name) in controls.leavings.items())
    buttons = []
    for one in controls.actions:
        if one.card is None:
            told = one.is_true and controls.hints
            label = f"{one.label} ({words.say('is_true')})" if told else one.label
            buttons.append(Button(one.key, label, one.key == chosen))
    return tuple(buttons)


def _message(controls: Controls) -> str:
    sight = controls.sight
    if sight.lost is not None and not controls.over:
        return sight.words.say("lost", target=printable(sight.lost))
    return controls.message


def _has_lost(sight: Sight) -> bool:
    ended = sight.ended
    if ended is None or sight.seat is None or not ended.winners:
        return False
    return side_of(sight.seat, sight.seats) not in ended.winners


def _result(sight: Sight) -> tuple[str, ...]:
    if sight.ended is None:
        return ()
    words, ended = sight.words, sight.ended
    lines = []
    if not ended.winners:
        scores = words.scores(enumerate(ended.scores))
        return (words.replay("nobody", scores=scores),)
    if sight.seat is not None:
        outcome = "you_drew" if len(ended.winners) > 1 else "you_won"
        lines.append(words.say("you_lost" if _has_lost(sight) else outcome))
    winners = words.joined(map(words.side, ended.winners))
    word = words.word("win" if len(ended.winners) == 1 else "draw")
    lines.append(words.labelled(word, winners))
    lines.append(words.labelled(words.word("score"), words.scores(enumerate(ended.scores))))
    return tuple(map(words.directed, lines))


def _footer(controls: Controls) -> tuple[Button, ...]:
    words = controls.sight.words
    keys = []
    if controls.actions:
        keys.append(Button(CHOOSE_KEY, words.say("choose")))
    if controls.seating.plays and not controls.over:
        keys.append(Button(HINTS_KEY, words.say("hints"), controls.hints))
    if controls.seating.pauses and not controls.over:
        keys.append(Button(PAUSE_KEY, words.replay("play" if controls.paused else "pause")))
    keys.append(Button(QUIT_KEY, words.say("quit")))
    keys.append(Button(HELP_KEY, words.say("help"), controls.helping))
    return tuple(keys)
