"""What must hold at every step, whatever a scenario expects.

Each check is a rule of its own; a violation is reported as `always` with what must be so.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from google.protobuf.message import Message
from google.protobuf.unknown_fields import UnknownFieldSet

from ronda.conformance.v1 import testee_service_pb2
from ronda.v1 import event_pb2, rule_set_pb2, view_pb2
from ronda_conformance.cards import NONE, card_text, cards_text
from ronda_conformance.event_texts import AWARDS, event_text, kind_text
from ronda_conformance.sights import announced, numbers

PACK = 40

Finding = tuple[str, str]


def _shares(event: event_pb2.Event) -> Sequence[event_pb2.Share]:
    kind = event.WhichOneof("event")
    if kind not in AWARDS:
        return ()
    shares: Sequence[event_pb2.Share] = getattr(event, str(kind)).shares
    return shares


@dataclass
class Watch:
    """Follows a run from the events alone and holds every sight against them.

    Attributes:
        seats: how many seats play.
        rule_set: the rule set that is played.
        hands: each seat's hand as the events tell it, in the order dealt.
        scores: each side's points as the events tell them; None before the first sight.
        held: cards in a held pile as the events tell it; None before the first sight.
        table: the table's cards as the events tell them; None before the first sight or deal.
        announced: this deal's announcements as the events tell them; None likewise.
        batch: the batch's number.
    """

    seats: int
    rule_set: rule_set_pb2.RuleSet
    hands: list[list[str]] = field(default_factory=list)
    scores: list[int] | None = None
    held: int | None = None
    table: list[str] | None = None
    announced: list[str] | None = None
    batch: int = 0
    last: testee_service_pb2.Sight | None = None

    def __post_init__(self) -> None:
        """Start with empty hands where no position gave any."""
        if not self.hands:
            self.hands = [[] for _ in range(self.seats)]

    @property
    def sides(self) -> int:
        """How many sides score (clause DEAL-2)."""
        return 3 if self.seats == 3 else 2  # noqa: PLR2004  # three seats, three sides

    def step(self, result: testee_service_pb2.StepResult) -> Iterator[Finding]:
        """Check a step's result, in the order of the run; the start is a step too.

        Yields:
            What must be so, and what is so instead.

        Raises:
            MalformedCardError, MalformedEventError: the result holds what does not exist.
        """
        if not result.HasField("sight"):
            yield "a sight after every step", "none"
            return
        if result.HasField("refusal"):
            yield from self._refused(result)
        for event in result.events:
            yield from self._event(event)
        yield from self._sight(result.sight)
        self.last = result.sight

    def _refused(self, result: testee_service_pb2.StepResult) -> Iterator[Finding]:
        if result.events:
            happened = " | ".join(event_text(event) for event in result.events)
            yield "nothing happens where a move is refused", happened
        if self.last is not None and result.sight != self.last:
            yield "nothing to be seen changes where a move is refused", "the sight changed"

    def _event(self, event: event_pb2.Event) -> Iterator[Finding]:
        text = event_text(event)
        yield from _unknown("an event", event)
        self._follow(event)
        match event.WhichOneof("event"):
            case "hand_dealt":
                yield from self._dealt(event.hand_dealt)
            case "card_played":
                yield from self._played(event.card_played)
            case "cards_held":
                self.held = (self.held or 0) + 1 + len(event.cards_held.cards)
            case "chain_closed":
                self.held = 0
        shares = _shares(event)
        if not shares and event.WhichOneof("event") in AWARDS - {"piles_counted"}:
            yield "an award of nothing is no event", text
        sign = -1 if event.HasField("award_withdrawn") else 1
        scored = self.rule_set.scoring != rule_set_pb2.SCORING_CARD_TRANSFER
        scored |= event.HasField("piles_counted")
        for share in shares:
            if share.side >= self.sides or not share.points:
                yield "shares name a side and at least a point", text
            elif self.scores is not None and scored:
                self.scores[share.side] += sign * share.points
        if event.HasField("play_awarded") and scored:
            award = event.play_awarded
            total = sum(share.points for share in shares)
            if total != award.caida + award.mesa:
                yield "a play's award is its caida and its mesa", text

    def _follow(self, event: event_pb2.Event) -> None:
        """Follow what lies on the table and what was announced."""
        table = self.table if self.table is not None else []
        match event.WhichOneof("event"):
            case "deal_started":
                self.table, self.announced = [], []
            case "batch_started":
                self.batch = event.batch_started.batch
            case "table_turned":
                table += [card_text(card) for card in event.table_turned.cards]
            case "card_laid":
                table.append(card_text(event.card_laid.card))
            case "table_returned" | "cards_captured" | "cards_held" | "leftovers_taken" as name:
                gone = {card_text(card) for card in getattr(event, name).cards}
                table[:] = [card for card in table if card not in gone]
            case "announcement_made" if self.announced is not None:
                made = event.announcement_made
                line = f"batch {self.batch} seat {made.seat} {kind_text(made.kind)}"
                self.announced.append(line)

    def _told(self, public: view_pb2.PublicView) -> Iterator[Finding]:
        """Hold the table and the announcements against the events: no view shows more, or less."""
        table = [card_text(card) for card in public.table]
        if self.table is not None and sorted(table) != sorted(self.table):
            told = " ".join(self.table) or NONE
            yield f"a table of {told}, as the events tell", " ".join(table) or NONE
        shown = announced(public)
        if self.announced is not None and shown != self.announced:
            told = " | ".join(self.announced) or NONE
            yield f"announced {told}, as the events tell", " | ".join(shown) or NONE
        self.table, self.announced, self.batch = table, shown, public.batch

    def _dealt(self, dealt: event_pb2.HandDealt) -> Iterator[Finding]:
        cards = [card_text(card) for card in dealt.cards]
        if dealt.seat >= self.seats:
            yield f"seats below {self.seats}", f"a hand for seat {dealt.seat}"
            return
        if len(cards) != dealt.card_count:
            yield f"{dealt.card_count} cards in the event", cards_text(dealt.cards)
        if self.hands[dealt.seat]:
            yield "a hand is dealt to an empty hand", " ".join(self.hands[dealt.seat])
        self.hands[dealt.seat] = cards

    def _played(self, played: event_pb2.CardPlayed) -> Iterator[Finding]:
        card = card_text(played.card)
        if played.seat >= self.seats or card not in self.hands[played.seat]:
            yield "a card played was in the hand", f"seat {played.seat} plays {card}"
        else:
            self.hands[played.seat].remove(card)

    def _sight(self, sight: testee_service_pb2.Sight) -> Iterator[Finding]:
        public = sight.public
        yield from _unknown("a view", sight)
        yield from self._views(sight)
        yield from self._counts(public)
        yield from _table(public)
        yield from self._told(public)
        cards = [card_text(card) for view in sight.seats for card in view.hand]
        cards += [card_text(card) for card in public.table]
        twice = sorted({card for card in cards if cards.count(card) > 1})
        if twice:
            yield "each card is in one place", f"{' '.join(twice)} in two"
        if public.rule_set_id != self.rule_set.id:
            yield f"rule set {self.rule_set.id}", public.rule_set_id or "no rule set id"
        if self.scores is None:
            self.scores = list(public.scores)
        elif list(public.scores) != self.scores:
            yield f"scores {numbers(self.scores)}, as the awards add up", numbers(public.scores)
            self.scores = list(public.scores)

    def _views(self, sight: testee_service_pb2.Sight) -> Iterator[Finding]:
        public = sight.public
        if [view.seat for view in sight.seats] != list(range(self.seats)):
            seats = numbers(view.seat for view in sight.seats)
            yield f"a view for each of {self.seats} seats, in order", seats
            return
        for view, hand in zip(sight.seats, self.hands, strict=True):
            if view.public != public:
                yield f"seat {view.seat} sees in public what everyone sees", "something else"
            shown = [card_text(card) for card in view.hand]
            if shown != hand:
                expected = " ".join(hand) or "no card"
                yield f"seat {view.seat} sees its own hand: {expected}", " ".join(shown) or "none"
            if view.seat < len(public.hand_sizes) and len(hand) != public.hand_sizes[view.seat]:
                size = public.hand_sizes[view.seat]
                yield f"hand size {len(hand)} of seat {view.seat}", str(size)

    def _counts(self, public: view_pb2.PublicView) -> Iterator[Finding]:
        for name, values, count in (
            ("hand sizes", public.hand_sizes, self.seats),
            ("pile sizes", public.pile_sizes, self.sides),
            ("scores", public.scores, self.sides),
        ):
            if len(values) != count:
                yield f"{count} {name}", numbers(values)
        if public.seats != self.seats:
            yield f"{self.seats} seats", str(public.seats)
        total = sum(public.hand_sizes) + len(public.table) + sum(public.pile_sizes)
        total += public.pack_size + public.held.cards
        # While a table is being mended, cards that went back are nowhere to be seen; a card whose
        # playing ended the match by closing a chain lies nowhere.
        dealing = not public.to_act and not public.over
        fewest = PACK - 1 if public.over else 0 if dealing else PACK
        if not fewest <= total <= PACK:
            yield "hands, table, piles, held pile and pack are 40 cards", f"{total}"
        if self.held is None:
            self.held = public.held.cards
        elif public.held.cards != self.held:
            yield f"{self.held} cards held, as the events tell", str(public.held.cards)
            self.held = public.held.cards
        if public.over and (public.to_act or not public.winners):
            yield (
                "a match that is over has winners and nobody to act",
                (f"winners {numbers(public.winners)}, to act {numbers(public.to_act)}"),
            )
        if not public.over and public.winners:
            yield "a match that goes on has no winners", numbers(public.winners)
        if any(seat >= self.seats for seat in (*public.to_act, public.dealer)):
            yield f"seats below {self.seats}", f"{numbers(public.to_act)}, dealer {public.dealer}"


def _table(public: view_pb2.PublicView) -> Iterator[Finding]:
    table = [card_text(card) for card in public.table]
    ranks = [int(card.rank) for card in public.table]
    # Four cards that the dealing has not mended yet may hold two of a rank.
    if ranks != sorted(ranks) or (len(set(ranks)) != len(ranks) and public.to_act):
        yield "a table of different ranks, ascending", " ".join(table)
    if public.HasField("caida_card") and card_text(public.caida_card) not in table:
        yield "the card just laid lies on the table", card_text(public.caida_card)


def _unknown(what: str, message: Message) -> Iterator[Finding]:
    if len(UnknownFieldSet(message)):
        yield f"{what} holds the fields of the schema alone", "an unknown field"
    for descriptor, value in message.ListFields():
        if descriptor.message_type is None:
            continue
        for child in value if descriptor.is_repeated else (value,):
            yield from _unknown(what, child)
