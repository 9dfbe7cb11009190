"""Reading a position: from one line of text to a state; see `ronda_rules.position`."""

from dataclasses import replace

from ronda_rules.announcements import asks_every_seat
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
    set_of,
    size_of,
)
from ronda_rules.deal import batch_sizes
from ronda_rules.errors import NotationError, PositionError
from ronda_rules.events import Shares
from ronda_rules.position_check import check_position
from ronda_rules.rule_set import AnnouncementKind, RuleSet, Scoring, Settle
from ronda_rules.rule_set import UndeclaredDetection as Detection
from ronda_rules.rule_set_check import check, check_seats
from ronda_rules.settlement import dues_of
from ronda_rules.state import NOBODY, Announcement, Debt, Held, MatchState, initial

_REQUIRED = ("seats", "batch", "turn", "hands", "table", "piles")
_OPTIONAL = (
    *("deal", "dealer", "scores", "laid", "capturer", "held", "said", "played", "award", "owed"),
    *("claimed", "punished", "pack"),
)
_NAMES = _REQUIRED + _OPTIONAL
_SAID_PARTS = 4
_HELD_PARTS = 5
_RANK_WORDS = tuple(map(str, RANKS))
_LONGEST_NUMBER = 9
_FALSE = "false"
_STRUCK = "struck"
_AWARD = "award"


class PositionReader:
    """Reads one line; each method reads one field and names it in its errors."""

    def __init__(self, text: str, rules: RuleSet) -> None:
        """Part the line into its fields.

        Raises:
            PositionError: it has unknown fields, or lacks some.
            RuleSetError: the rule set cannot be played.
        """
        check(rules)
        self.rules = rules
        self.fields = _split(text)
        self.used = set_of(self._explicit_cards())

    def state(self) -> MatchState:
        """Give the state.

        Raises:
            PositionError: a field cannot be read, or the position cannot arise.
            RuleSetError: the rule set does not allow the seat count.
        """
        seats = self._number("seats")
        check_seats(self.rules, seats)
        blank = initial(self.rules, seats)
        sizes = batch_sizes(self.rules.opening(seats), seats) or ()
        batch = self._number("batch", lowest=1, highest=len(sizes))
        hands = self._by_seat("hands", seats)
        table_cards = self._cards("table", self.fields["table"])
        table = set_of(table_cards)
        played = self._played(seats, table_cards)
        placed = set_of(card for hand in (*hands, *played) for card in hand) | table
        pack_size = sum(sizes[batch:]) * seats
        announcements = self._announcements(seats, batch)
        state = MatchState(
            rules=self.rules,
            seats=seats,
            hands=hands,
            dealt=tuple(gone + hand for gone, hand in zip(played, hands, strict=True)),
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
            held=self._held(seats),
            last_capturer=self._number("capturer", default=NOBODY, highest=seats - 1),
            announcements=announcements,
            answered=tuple(one.seat for one in announcements if one.batch == batch),
            passed=seats,
            claimed=self._claimed(seats),
            award=self._award(blank.sides),
            debts=self._debts(blank.sides),
        )
        if asks_every_seat(self.rules):
            state = replace(state, answered=state.in_order_of_play())
        if state.rules.scoring is Scoring.CARD_TRANSFER:
            state = replace(state, award_dues=dues_of(state))
        if state.cards_played and "played" not in self.fields and played_cards_decide(self.rules):
            raise PositionError("played", "is missing: this rule set judges by the cards played")
        check_position(state, self._number("turn", highest=seats - 1), sum(sizes[:batch]) * seats)
        return state

    def _explicit_cards(self) -> list[Card]:
        cards: list[Card] = []
        for field in ("hands", "table", "pack"):
            cards += self._explicit(field, cards)
        table = self._explicit("table", [])
        return cards + self._explicit("played", [card for card in cards if card not in table])

    def _explicit(self, field: str, elsewhere: list[Card]) -> list[Card]:
        cards: list[Card] = []
        for word in self.fields.get(field, "").replace("/", " ").split():
            if word[-1] not in SUITS:
                continue
            card = self._parse(field, word)
            if card in cards or card in elsewhere:
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

    def _by_seat(self, field: str, seats: int) -> tuple[tuple[Card, ...], ...]:
        hands = tuple(self._cards(field, part) for part in self.fields[field].split("/"))
        if len(hands) != seats:
            raise PositionError(field, f"{len(hands)} hands are given for {seats} seats")
        return hands

    def _played(self, seats: int, table: tuple[Card, ...]) -> tuple[tuple[Card, ...], ...]:
        if "played" not in self.fields:
            return ((),) * seats
        named = self.fields["played"].replace("/", " ").split()
        on_table = {str(rank_of(card)): card for card in table if card_text(card) not in named}
        words = [
            [card_text(on_table.pop(word)) if word in on_table else word for word in part.split()]
            for part in self.fields["played"].split("/")
        ]
        self.fields["played"] = "/".join(" ".join(part) for part in words)
        return self._by_seat("played", seats)

    def _laid(self, table: tuple[Card, ...]) -> Card | None:
        text = self.fields.get("laid")
        if text is None:
            return None
        for card in table:
            if text in {card_text(card), str(rank_of(card))}:
                return card
        raise PositionError("laid", f"{text} is not on the table")

    def _held(self, seats: int) -> Held | None:
        if "held" not in self.fields:
            return None
        text = self.fields["held"]
        parts = text.split(":")
        if len(parts) != _HELD_PARTS or not all(map(_is_number, parts)):
            raise PositionError("held", f"{text!r} is not seat:step:rank:cards:mesa, as 0:1:7:4:0")
        seat, step, rank, cards, mesa = map(int, parts)
        if seat >= seats or rank not in RANKS:
            raise PositionError("held", f"{text}: there is no such seat, or no such rank")
        return Held(seat, index_of_rank(rank), step, cards, mesa)

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
            rank = None if parts[3] in {_FALSE, _STRUCK} else index_of_rank(int(parts[3]))
            one = Announcement(int(parts[0]), int(parts[1]), kind, rank, parts[3] == _STRUCK)
        except (ValueError, NotationError):
            wanted = "batch:seat:kind:rank or batch:seat:kind:false, as 1:0:ronda:12"
            raise PositionError("said", f"{word!r} is not {wanted}") from None
        if not 1 <= one.batch <= batch or not 0 <= one.seat < seats:
            raise PositionError("said", f"{word}: there is no such batch yet, or no such seat")
        if not self.rules.kinds.of(kind):
            raise PositionError("said", f"{word}: the rule set gives this kind no value")
        return one

    def _award(self, sides: int) -> Shares:
        amounts = self._list("award", (0,) * sides)
        return tuple((side, amount) for side, amount in enumerate(amounts) if amount)

    def _debts(self, sides: int) -> tuple[Debt, ...]:
        if "owed" not in self.fields:
            return ()
        return tuple(self._debt(word.strip(), sides) for word in self.fields["owed"].split(","))

    def _debt(self, word: str, sides: int) -> Debt:
        numbers, _, award = word.partition(f":{_AWARD}")
        parts = numbers.split(":")
        if len(parts) != 3 or not all(map(_is_number, parts)) or award:  # noqa: PLR2004 - the three numbers of the pattern
            wanted = "payer:receiver:cards or payer:receiver:cards:award, as 0:1:3"
            raise PositionError("owed", f"{word!r} is not {wanted}")
        payer, receiver, cards = map(int, parts)
        if payer == receiver or payer >= sides or receiver >= sides or not cards:
            raise PositionError("owed", f"{word}: a side owes another at least one card")
        return Debt(payer, receiver, cards, word.endswith(_AWARD))

    def _claimed(self, seats: int) -> tuple[int, ...]:
        words = self.fields.get("claimed", "").split()
        if not all(_is_number(word) and int(word) < seats for word in words):
            raise PositionError("claimed", f"{self.fields['claimed']!r} is no list of seats")
        return tuple(map(int, words))

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


def played_cards_decide(rules: RuleSet) -> bool:
    """Whether a rule set judges by the cards that have been played in a batch."""
    detects = rules.undeclared_detection is not Detection.NONE
    return rules.settle is Settle.WHEN_SHOWN or rules.challenge or detects


def default_pack(state: MatchState) -> CardSet:
    """Give the pack that a position has where it does not say."""
    placed = state.table
    hands = state.dealt if played_cards_decide(state.rules) else state.hands
    placed |= set_of(card for hand in hands for card in hand)
    return set_of(tuple(cards_of(FULL_PACK & ~placed))[: size_of(state.pack)])


def said(one: Announcement) -> str:
    """Write an announcement."""
    rank = _FALSE if one.rank is None else str(RANKS[one.rank])
    return f"{one.batch}:{one.seat}:{one.kind.lower()}:{_STRUCK if one.struck else rank}"


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
