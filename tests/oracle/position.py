"""A position in notation, read as its page says, and the match that goes on from it."""

from dataclasses import dataclass

from ronda.v1 import event_pb2, rule_set_pb2, view_pb2
from tests.oracle import announcements, showing
from tests.oracle.cards import PACK, RANKS, Card, to_message
from tests.oracle.deal import hand_sizes, opening
from tests.oracle.match import Announcement, Debt, Held, Match
from tests.oracle.rule_set import RuleSetInvalid
from tests.oracle.views import Seen

REQUIRED = ["seats", "batch", "turn", "hands", "table", "piles"]
FIELDS = [
    *REQUIRED,
    *("deal", "dealer", "scores", "laid", "held", "capturer", "said", "played", "award", "owed"),
    *("claimed", "punished", "pack"),
]
# A card that was played and that the position does not name.
UNKNOWN: Card = (0, 0)


class PositionInvalid(Exception):
    """The line is no position, or none that can be."""


@dataclass
class Line:
    """The fields of a line, and its cards with their suits."""

    fields: dict[str, str]
    used: set[Card]

    def cards(self, name: str) -> list[Card]:
        """Read one list of cards, giving bare ranks the first suit that is free."""
        return [self.card(word) for word in self.fields[name].split() if word != "-"]

    def card(self, word: str) -> Card:
        """Read one card."""
        card = suited(word)
        if card is not None:
            return card
        rank = rank_of(word)
        for suit in (1, 2, 3, 4):
            if (rank, suit) not in self.used:
                self.used.add((rank, suit))
                return (rank, suit)
        raise PositionInvalid(f"{word}: no suit of it is free")

    def numbers(self, name: str, count: int) -> list[int]:
        """Read so many numbers; all 0 where the field is left out."""
        if name not in self.fields:
            return [0] * count
        found = [int(word) for word in self.fields[name].split()]
        demand(len(found) == count, f"{name}: {count} numbers")
        return found

    def listed(self, name: str) -> list[list[str]]:
        """Read entries with `,` between them and `:` within."""
        text = self.fields.get(name, "")
        return [entry.strip().split(":") for entry in text.split(",") if entry.strip()]


def demand(is_so: bool, otherwise: str) -> None:
    """Refuse the position where something is not so.

    Raises:
        PositionInvalid: it is not so.
    """
    if not is_so:
        raise PositionInvalid(otherwise)


def suited(word: str) -> Card | None:
    """Read a card with its suit; None where there is none."""
    if word[-1:] not in ("o", "c", "e", "b"):
        return None
    return (rank_of(word[:-1]), "oceb".index(word[-1]) + 1)


def rank_of(word: str) -> int:
    """Read a rank."""
    demand(word.isdecimal() and int(word) in RANKS, f"{word} is no card")
    return int(word)


def read_line(text: str) -> Line:
    """Read the fields of a line."""
    fields: dict[str, str] = {}
    for part in text.split(";"):
        name, _, value = part.strip().partition(" ")
        demand(name in FIELDS and name not in fields, f"{name}: no field, or there twice")
        fields[name] = value.strip()
    for name in REQUIRED:
        demand(name in fields, f"{name} is required")
    used = set()
    for name in ("hands", "table", "laid", "played", "pack"):
        for word in fields.get(name, "").replace("/", " ").split():
            card = None if word == "-" else suited(word)
            if card is not None:
                used.add(card)
    return Line(fields, used)


def start_at(text: str, rules: rule_set_pb2.RuleSet) -> tuple[Match, Seen, int]:
    """Make the match of a position, what is seen of it, and whose turn it is.

    The match draws from no source yet.

    Raises:
        PositionInvalid: it cannot be.
        RuleSetInvalid: the rule set does not allow so many seats.
    """
    try:
        return read_match(read_line(text), rules)
    except (ValueError, IndexError) as error:
        raise PositionInvalid(f"it cannot be read: {error}") from error


def read_match(line: Line, rules: rule_set_pb2.RuleSet) -> tuple[Match, Seen, int]:
    """Make the match of a line's fields."""
    seats = int(line.fields["seats"])
    allowed = [one.count for one in rules.seats]
    if seats not in allowed:
        raise RuleSetInvalid(f"seats {seats}, but the rule set allows {allowed}")
    m = Match(rules, seats, lambda pack: pack[0])
    turn = int(line.fields["turn"])
    m.deal = int(line.fields.get("deal", "1"))
    m.dealer = int(line.fields.get("dealer", seats - 1))
    demand(m.deal >= 1 and m.dealer < seats and turn < seats, "deal, dealer or turn")
    sizes = hand_sizes(seats, opening(m))
    m.batch = int(line.fields["batch"])
    demand(1 <= m.batch <= len(sizes), "no such batch")
    m.last_batch = m.batch == len(sizes)
    read_cards(line, m, turn, sizes)
    m.scores = line.numbers("scores", m.sides)
    m.punished = line.numbers("punished", seats)
    m.charged = [int(word) for word in line.fields.get("claimed", "").replace(",", " ").split()]
    read_held(line, m)
    places = [*m.table, *m.pack, *(card for hand in m.hands for card in hand)]
    demand(len(set(places)) == len(places), "a card in two places")
    held = m.held.cards if m.held is not None else 0
    demand(len(places) + sum(m.piles) + held == len(PACK), "not forty cards")
    demand((m.last_capturer is not None) == (sum(m.piles) > 0), "a capturer where piles have cards")
    read_said(line, m)
    read_award(line, m)
    return m, seen_from(m), turn


def read_cards(line: Line, m: Match, turn: int, sizes: list[int]) -> None:
    """Read hands, table, pack, piles, and what was played in this batch."""
    for hand in line.fields["hands"].split("/"):
        m.hands.append([line.card(word) for word in hand.split() if word != "-"])
    demand(len(m.hands) == m.seats, "a hand for each seat")
    most = len(m.hands[turn])
    demand(1 <= most <= sizes[m.batch - 1], "the hand of the seat to play")
    order = m.order()
    for place, seat in enumerate(order):
        fewer = 1 if place < order.index(turn) else 0
        demand(len(m.hands[seat]) == most - fewer, f"the hand of seat {seat}")
    m.table = line.cards("table")
    ranks = [rank for rank, _ in m.table]
    demand(len(set(ranks)) == len(ranks), "two cards of one rank on the table")
    read_played(line, m, sizes[m.batch - 1])
    later = sum(sizes[m.batch :]) * m.seats
    if "pack" in line.fields:
        m.pack = line.cards("pack")
        demand(len(m.pack) == later, "the pack")
    else:
        away = [*m.table, *(card for hand in m.dealt for card in hand)]
        m.pack = [card for card in PACK if card not in away][:later]
    m.piles = line.numbers("piles", m.sides)
    if "capturer" in line.fields:
        m.last_capturer = int(line.fields["capturer"])
        demand(m.last_capturer < m.seats, "capturer")
    if "laid" in line.fields:
        m.laid = on_table(m, line.fields["laid"])
        demand(m.laid is not None, "the card laid is not on the table")


def on_table(m: Match, word: str) -> Card | None:
    """Find the card of the table that a word names."""
    card = suited(word)
    rank = card[0] if card is not None else rank_of(word)
    return next((other for other in m.table if other[0] == rank and card in (None, other)), None)


def read_played(line: Line, m: Match, size: int) -> None:
    """Read what was played in this batch; where it is not said, that it was."""
    m.played = [[UNKNOWN] * (size - len(hand)) for hand in m.hands]
    if "played" in line.fields:
        m.played = [
            [on_table(m, word) or line.card(word) for word in cards.split() if word != "-"]
            for cards in line.fields["played"].split("/")
        ]
        sizes = [len(cards) for cards in m.played]
        demand(sizes == [size - len(hand) for hand in m.hands], "the cards played")
    else:
        judged = m.rules.settle == rule_set_pb2.SETTLE_WHEN_SHOWN or m.rules.challenge
        detected = m.rules.undeclared_detection != rule_set_pb2.UNDECLARED_DETECTION_NONE
        demand(not any(m.played) or not (judged or detected), "played is missing")
    m.dealt = [played + hand for played, hand in zip(m.played, m.hands, strict=True)]


def read_held(line: Line, m: Match) -> None:
    """Read the pile of a pending chain, and what is owed."""
    if "held" in line.fields:
        seat, step, rank, cards, mesa = map(int, line.fields["held"].split(":"))
        m.held = Held(seat, rank, step, cards, mesa)
    for payer, receiver, cards_owed, *award in line.listed("owed"):
        m.debts.append(Debt(int(payer), int(receiver), int(cards_owed), award == ["award"]))


def read_said(line: Line, m: Match) -> None:
    """Read the announcements of this deal."""
    for batch, seat, kind, rank in line.listed("said"):
        value = rule_set_pb2.AnnouncementKind.Value(f"ANNOUNCEMENT_KIND_{kind.upper()}")
        said = Announcement(int(batch), int(seat), value, [], struck=rank == "struck")
        demand(said.seat < m.seats and 1 <= said.batch <= m.batch, "said")
        known = said.batch == m.batch and UNKNOWN not in m.dealt[said.seat]
        said.hand = m.dealt[said.seat] if known else made_up(m, said, rank)
        m.announcements.append(said)
        true = announcements.true_rank(m, said)
        demand(str(true) == rank if rank.isdecimal() else true is None, f"said: {rank}")
        when_shown = m.rules.settle == rule_set_pb2.SETTLE_WHEN_SHOWN
        if when_shown and said.batch == m.batch:
            said.proved_false = not showing.possible_ranks(m, said)
    places = {seat: place for place, seat in enumerate(m.order())}
    m.announcements.sort(key=lambda said: (said.batch, places[said.seat]))


def made_up(m: Match, said: Announcement, rank: str) -> list[Card]:
    """Make a hand that an announcement could have been made with, for one whose cards are gone."""
    sizes = hand_sizes(m.seats, opening(m))
    size = sizes[said.batch - 1]
    if not rank.isdecimal():
        return [(other, 1) for other in RANKS[:size]]
    equal = 2
    if said.kind == rule_set_pb2.ANNOUNCEMENT_KIND_TRINGA:
        equal = 3
    if said.kind == rule_set_pb2.ANNOUNCEMENT_KIND_DOUBLE_RONDA:
        equal = 4
    hand = [(rank_of(rank), suit + 1) for suit in range(equal)]
    hand += [(other, 1) for other in RANKS if other != rank_of(rank)]
    return hand[:size]


def read_award(line: Line, m: Match) -> None:
    """Read what the announcements of this batch have been paid."""
    by_side = line.numbers("award", m.sides)
    winners = [side for side in range(m.sides) if by_side[side]]
    payers = [side for side in range(m.sides) if side not in winners]
    for side in winners:
        if m.rules.scoring == rule_set_pb2.SCORING_POINTS:
            m.award.append((side, by_side[side], payers))
            continue
        amount = by_side[side] // len(payers)
        m.award.append((side, amount, payers))
        for payer in payers:
            owed = sum(
                debt.cards
                for debt in m.debts
                if debt.award and (debt.payer, debt.receiver) == (payer, side)
            )
            if amount - owed:
                m.award_paid.append((payer, side, amount - owed))


def seen_from(m: Match) -> Seen:
    """Tell what is to be seen of a position."""
    answered = {said.seat for said in m.of_batch(m.batch)}
    asked_all = (rule_set_pb2.TIMING_IN_ORDER, rule_set_pb2.TIMING_SIMULTANEOUS)
    if m.rules.timing in asked_all and announcements.valued_kinds(m.rules):
        answered = set(range(m.seats))
    return Seen(
        m.rules,
        m.seats,
        m.sides,
        deal=m.deal,
        dealer=m.dealer,
        batch=m.batch,
        last_batch=m.last_batch,
        table=list(m.table),
        hands=[list(hand) for hand in m.hands],
        piles=list(m.piles),
        pack=len(m.pack),
        scores=list(m.scores),
        announced=[
            view_pb2.AnnouncementView(batch=said.batch, seat=said.seat, kind=said.kind)
            for said in m.announcements
        ],
        answered=answered,
        caida_card=m.laid,
        last_capturer=m.last_capturer,
        held=None
        if m.held is None
        else view_pb2.HeldView(
            seat=m.held.seat,
            step=m.held.step,
            rank=to_message((m.held.rank, 1)).rank,
            cards=m.held.cards,
            mesa=m.held.mesa,
        ),
        debts=[
            event_pb2.CardsDue(
                payer=debt.payer, receiver=debt.receiver, cards=debt.cards, award=debt.award
            )
            for debt in m.debts
        ],
    )
