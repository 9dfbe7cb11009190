"""Position notation: a position in mid-deal as one line of text, as chess has FEN.

The line holds fields ``name value``, parted by ``;``, in any order. Cards are written as ``7o``;
a bare rank takes the first suit, in the order o c e b, that the line does not use for it.

=========  ========================================================  =======================
name       value                                                     where it is left out
=========  ========================================================  =======================
seats      2, 3 or 4                                                 required
deal       number of the deal, from 1                                1
dealer     the seat that deals                                       the last seat
batch      number of the batch, from 1                               required
turn       the seat to play                                          required
hands      cards by seat, parted by ``/``; ``-`` is an empty hand    required
table      the face-up cards; ``-`` is none                          required
piles      cards in each side's pile                                 required
scores     total points by side                                      zeros
laid       the card just laid by the seat before, in this batch      none
capturer   the seat that captured last                               none; needed with piles
said       ``batch:seat:kind:rank`` or ``…:false``, parted by ``,``  nothing announced
punished   false announcements punished in this deal, by seat        zeros
pack       the cards not dealt yet                                   the first unplaced ones
=========  ========================================================  =======================

Hands, table, piles and pack make forty cards together.
"""

from ronda_rules.cards import (
    FULL_PACK,
    RANKS,
    SUITS,
    Card,
    CardSet,
    ascending,
    card_text,
    cards_of,
    index_of_rank,
    parse_card,
    rank_of,
    ranks_of,
    set_of,
    size_of,
)
from ronda_rules.deal import TABLE_OF_FOUR, batch_sizes, forbidden
from ronda_rules.engine import SeatsToAct, decide, seat_to_play
from ronda_rules.errors import NotationError, PositionError
from ronda_rules.holdings import held_rank
from ronda_rules.rule_set import AnnouncementKind, Opening, RuleSet
from ronda_rules.rule_set_check import check, check_seats
from ronda_rules.state import NOBODY, Announcement, MatchState, initial

_REQUIRED = ("seats", "batch", "turn", "hands", "table", "piles")
_OPTIONAL = ("deal", "dealer", "scores", "laid", "capturer", "said", "punished", "pack")
_NAMES = _REQUIRED + _OPTIONAL
_SAID_PARTS = 4
_RANK_WORDS = tuple(map(str, RANKS))
_LONGEST_NUMBER = 9


def parse_position(text: str, rules: RuleSet) -> MatchState:
    """Read a position as `format_position` writes it.

    Args:
        text: the line.
        rules: the rule set that is played; it decides hand sizes and which fields fit.

    Raises:
        PositionError: the line cannot be read, or the position cannot arise.
        RuleSetError: the rule set or the seat count cannot be played.
    """
    return _Parser(text, rules).state()


def format_position(state: MatchState) -> str:
    """Write a position in which a seat must play, with every card's suit.

    Raises:
        PositionError: the state is not in play: cards are being dealt, or the match is over.
    """
    if not isinstance(decide(state), SeatsToAct):
        raise PositionError("turn", "only a position in which a seat must play can be written")
    fields = [
        f"seats {state.seats}",
        f"deal {state.deal}",
        f"dealer {state.dealer}",
        f"batch {state.batch}",
        f"turn {seat_to_play(state)}",
        f"hands {' / '.join(_card_list(hand) for hand in state.hands)}",
        f"table {_card_list(ascending(state.table))}",
        f"piles {_numbers(state.piles)}",
        f"scores {_numbers(state.scores)}",
    ]
    if state.laid is not None:
        fields.append(f"laid {card_text(state.laid)}")
    if state.last_capturer != NOBODY:
        fields.append(f"capturer {state.last_capturer}")
    if state.announcements:
        fields.append(f"said {', '.join(map(_said, state.announcements))}")
    if any(state.punished):
        fields.append(f"punished {_numbers(state.punished)}")
    if state.pack and state.pack != _default_pack(state):
        fields.append(f"pack {_card_list(tuple(cards_of(state.pack)))}")
    return "; ".join(fields)


class _Parser:
    """Reads one line; each method reads one field and names it in its errors."""

    def __init__(self, text: str, rules: RuleSet) -> None:
        check(rules)
        self.rules = rules
        self.fields = _split(text)
        self.used = set_of(self._explicit_cards())

    def state(self) -> MatchState:
        seats = self._number("seats")
        check_seats(self.rules, seats)
        blank = initial(self.rules, seats)
        sizes = batch_sizes(self.rules.opening(seats), seats) or ()
        batch = self._number("batch", lowest=1, highest=len(sizes))
        hands = self._hands(seats)
        table_cards = self._cards("table", self.fields["table"])
        table = set_of(table_cards)
        placed = set_of(card for hand in hands for card in hand) | table
        pack_size = sum(sizes[batch:]) * seats
        state = MatchState(
            rules=self.rules,
            seats=seats,
            hands=hands,
            piles=self._list("piles", blank.piles),
            punished=self._list("punished", blank.punished),
            scores=self._list("scores", blank.scores),
            deal=self._number("deal", default=1, lowest=1),
            dealer=self._number("dealer", default=seats - 1, highest=seats - 1),
            batch=batch,
            hand_size=sizes[batch - 1],
            last_batch=batch == len(sizes),
            hands_dealt=seats,
            cards_played=sizes[batch - 1] * seats - sum(map(len, hands)),
            pack=self._pack(placed, pack_size),
            turned=ascending(table),
            table=table,
            laid=self._laid(table_cards),
            last_capturer=self._number("capturer", default=NOBODY, highest=seats - 1),
            announcements=self._announcements(seats, batch),
        )
        _check(state, self._number("turn", highest=seats - 1), sum(sizes[:batch]) * seats)
        return state

    def _explicit_cards(self) -> list[Card]:
        cards: list[Card] = []
        for field in ("hands", "table", "pack"):
            for word in self.fields.get(field, "").replace("/", " ").split():
                if word[-1] not in SUITS:
                    continue
                card = self._parse(field, word)
                if card in cards:
                    raise PositionError(field, f"{word} lies in two places")
                cards.append(card)
        return cards

    def _parse(self, field: str, word: str) -> Card:
        try:
            return parse_card(word)
        except NotationError as error:
            raise PositionError(field, error.detail) from error

    def _cards(self, field: str, text: str) -> tuple[Card, ...]:
        words = text.split()
        return () if words == ["-"] else tuple(self._place(field, word) for word in words)

    def _place(self, field: str, word: str) -> Card:
        if word[-1:] in SUITS:
            return self._parse(field, word)
        if word not in _RANK_WORDS:
            raise PositionError(field, f"{word!r} is neither a card, as 7o, nor a rank")
        for card in range(_RANK_WORDS.index(word), len(SUITS) * len(RANKS), len(RANKS)):
            if not self.used >> card & 1:
                self.used |= 1 << card
                return card
        raise PositionError(field, f"there are only four cards of rank {word}")

    def _hands(self, seats: int) -> tuple[tuple[Card, ...], ...]:
        hands = tuple(self._cards("hands", part) for part in self.fields["hands"].split("/"))
        if len(hands) != seats:
            raise PositionError("hands", f"{len(hands)} hands are given for {seats} seats")
        return hands

    def _laid(self, table: tuple[Card, ...]) -> Card | None:
        text = self.fields.get("laid")
        if text is None:
            return None
        for card in table:
            if text in {card_text(card), str(rank_of(card))}:
                return card
        raise PositionError("laid", f"{text} is not on the table")

    def _pack(self, placed: CardSet, size: int) -> CardSet:
        unplaced = FULL_PACK & ~placed
        if "pack" not in self.fields:
            return set_of(tuple(cards_of(unplaced))[:size])
        pack = set_of(self._cards("pack", self.fields["pack"]))
        if size_of(pack) != size:
            raise PositionError("pack", f"holds {size_of(pack)} cards; the later batches {size}")
        return pack

    def _announcements(self, seats: int, batch: int) -> tuple[Announcement, ...]:
        if "said" not in self.fields:
            return ()
        return tuple(
            self._announcement(word.strip(), seats, batch)
            for word in self.fields["said"].split(",")
        )

    def _announcement(self, word: str, seats: int, batch: int) -> Announcement:
        parts = word.split(":")
        try:
            if len(parts) != _SAID_PARTS:
                raise ValueError(word)
            kind = AnnouncementKind(parts[2].upper())
            rank = None if parts[3] == "false" else index_of_rank(int(parts[3]))
            one = Announcement(int(parts[0]), int(parts[1]), kind, rank)
        except (ValueError, NotationError):
            wanted = "batch:seat:kind:rank or batch:seat:kind:false, as 1:0:ronda:12"
            raise PositionError("said", f"{word!r} is not {wanted}") from None
        if not 1 <= one.batch <= batch or not 0 <= one.seat < seats:
            raise PositionError("said", f"{word}: there is no such batch yet, or no such seat")
        if not self.rules.kinds.of(kind):
            raise PositionError("said", f"{word}: the rule set gives this kind no value")
        return one

    def _number(
        self, field: str, *, default: int | None = None, lowest: int = 0, highest: int = 10**6
    ) -> int:
        if default is not None and field not in self.fields:
            return default
        text = self.fields[field]
        if not _is_number(text) or not lowest <= int(text) <= highest:
            raise PositionError(field, f"{text!r} is not a number from {lowest} to {highest}")
        return int(text)

    def _list(self, field: str, like: tuple[int, ...]) -> tuple[int, ...]:
        if field not in self.fields:
            return like
        words = self.fields[field].split()
        if len(words) != len(like) or not all(map(_is_number, words)):
            raise PositionError(field, f"{self.fields[field]!r} is not {len(like)} numbers")
        return tuple(map(int, words))


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdecimal() and len(text) <= _LONGEST_NUMBER


def _split(text: str) -> dict[str, str]:
    fields: dict[str, str] = {}
    for part in text.split(";"):
        name, _, value = part.strip().partition(" ")
        if name not in _NAMES:
            raise PositionError(name or "line", f"no such field; there are {', '.join(_NAMES)}")
        if name in fields:
            raise PositionError(name, "is given twice")
        if not value.strip():
            raise PositionError(name, "has no value")
        fields[name] = value.strip()
    for name in _REQUIRED:
        if name not in fields:
            raise PositionError(name, "is missing")
    return fields


def _check(state: MatchState, turn: int, dealt: int) -> None:
    """Refuse a position that cannot arise; `dealt` counts the hand cards dealt so far."""
    for seat, order in zip(state.in_order_of_play(), range(state.seats), strict=True):
        rounds, more = divmod(state.cards_played, state.seats)
        size = state.hand_size - rounds - (order < more)
        if len(state.hands[seat]) != size:
            raise PositionError(
                "hands",
                f"seat {seat} holds {len(state.hands[seat])} cards where it should hold {size}, "
                f"as {state.cards_played} were played and seat {state.dealer} deals",
            )
    if state.hands_empty:
        raise PositionError("hands", "are all empty: nobody can play")
    if turn != seat_to_play(state):
        raise PositionError(
            "turn", f"is {turn}, but seat {seat_to_play(state)} plays with these hands"
        )
    if size_of(state.table) != ranks_of(state.table).bit_count():
        raise PositionError("table", "holds two cards of one rank")
    _check_forty(state, dealt)
    if any(state.piles) != (state.last_capturer != NOBODY):
        raise PositionError("capturer", "must be given where piles hold cards, and only there")
    if state.last_capturer != NOBODY and not state.piles[state.side(state.last_capturer)]:
        raise PositionError("capturer", f"is {state.last_capturer}, but that side's pile is empty")
    if state.laid is not None and not state.cards_played:
        raise PositionError("laid", "needs a card played in this batch")
    for one in state.announcements:
        _check_announcement(state, one)


def _check_forty(state: MatchState, dealt: int) -> None:
    held = sum(map(len, state.hands))
    numbers = (held, size_of(state.table), sum(state.piles), size_of(state.pack))
    four = TABLE_OF_FOUR if state.rules.opening(state.seats) is Opening.TABLE_OF_FOUR else 0
    if sum(numbers) != size_of(FULL_PACK):
        raise PositionError(
            "piles",
            f"hands {numbers[0]}, table {numbers[1]}, piles {numbers[2]} and pack {numbers[3]} "
            f"make {sum(numbers)} cards, not 40",
        )
    nothing_played = dealt == held
    if nothing_played and four:
        wrong = forbidden(state.turned, state.rules.table_forbids)
        if size_of(state.table) != four or wrong is not None:
            raise PositionError("table", "the first card meets a valid table of four")


def _check_announcement(state: MatchState, one: Announcement) -> None:
    word = _said(one)
    same = [x for x in state.announcements if (x.batch, x.seat) == (one.batch, one.seat)]
    if len(same) > 1:
        raise PositionError("said", f"{word}: seat {one.seat} announced twice in the batch")
    if one.batch == state.batch and state.in_order_of_play().index(one.seat) > state.cards_played:
        raise PositionError("said", f"{word}: seat {one.seat} has had no turn in this batch yet")
    in_hand = one.batch == state.batch and len(state.hands[one.seat]) == state.hand_size
    if in_hand and held_rank(state, one.seat, one.kind) != one.rank:
        raise PositionError("said", f"{word}: the hand of seat {one.seat} says otherwise")


def _default_pack(state: MatchState) -> CardSet:
    placed = set_of(card for hand in state.hands for card in hand) | state.table
    return set_of(tuple(cards_of(FULL_PACK & ~placed))[: size_of(state.pack)])


def _card_list(cards: tuple[Card, ...]) -> str:
    return " ".join(map(card_text, cards)) or "-"


def _numbers(numbers: tuple[int, ...]) -> str:
    return " ".join(map(str, numbers))


def _said(one: Announcement) -> str:
    rank = "false" if one.rank is None else str(RANKS[one.rank])
    return f"{one.batch}:{one.seat}:{one.kind.lower()}:{rank}"
