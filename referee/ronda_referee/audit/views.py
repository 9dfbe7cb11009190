"""The audit of views: what each seat was given makes the view that the engine has for it.

Two things that know nothing of each other must agree after every step: the engine, which makes a
view from the state of the match by leaving out what is not allowed, and a watcher, who has the
events of the log alone as a seat was given them. A hand that was given to another seat, or an event
that kept something from those who may see it, makes them differ.
"""

from collections.abc import Iterable
from dataclasses import fields

from ronda_referee.audit.records import Place
from ronda_referee.audit.report import AuditReport, FindingKind
from ronda_referee.audit.watcher import SeenWrong, Watcher
from ronda_rules.cards import card_text
from ronda_rules.events import CardPlayed, Event, HandDealt
from ronda_rules.rule_set import RuleSet
from ronda_rules.state import MatchState
from ronda_rules.view import PublicView, observed, public_view, seat_view

_CLAUSE = "ANN-10"


class Views:
    """What everyone, and each seat beyond that, makes of the events that a log gives them."""

    def __init__(self, rules: RuleSet, seats: int, report: AuditReport) -> None:
        """Begin before the first event; `report` counts the views."""
        self._report = report
        self._everyone = Watcher(rules, None)
        # What a seat may see beyond what everyone may see is its hand; None: nothing shows it.
        self._hands: list[list[int] | None] = [[] for _ in range(seats)]

    def take(self, place: Place, event: Event, *, shown: bool) -> None:
        """Take in an event that a record logs.

        `shown`: whether the log shows its owner what it hides from the others. Until the openings
        stand in a log nothing does.

        Raises:
            Found: those who are given it cannot make anything of it.
        """
        try:
            self._everyone.see(observed(event, None))
            self._take_own(event, shown=shown)
        except SeenWrong as error:
            place.find(FindingKind.VIEW_WRONG, error.detail, clause=_CLAUSE)

    def check(self, place: Place, state: MatchState) -> None:
        """Check everyone's view and each seat's after a step, of which `place` is the last record.

        Raises:
            Found: a view is not the one that the engine gives.
        """
        if not state.seats or not self._everyone.seats:
            return
        seen, given = self._everyone.public(), public_view(state)
        if seen != given:
            self._differ(place, seen, given)
        self._report.views += 1
        for seat, hand in enumerate(self._hands):
            if hand is None:
                continue
            self._report.views += 1
            given_hand = seat_view(state, seat, given).hand
            if tuple(hand) != given_hand:
                place.find(
                    FindingKind.VIEW_WRONG,
                    f"what seat {seat} was given does not make its view: its hand differs",
                    recorded=_cards(hand),
                    expected=_cards(given_hand),
                    clause=_CLAUSE,
                )

    def _take_own(self, event: Event, *, shown: bool) -> None:
        match event:
            case HandDealt(seat, _, cards):
                self._hands[seat] = list(cards) if shown else None
            case CardPlayed(seat, card):
                hand = self._hands[seat]
                if hand is not None:
                    if card not in hand:
                        raise SeenWrong(f"seat {seat} plays a card that it was not given")
                    hand.remove(card)
            case _:
                pass

    def _differ(self, place: Place, seen: PublicView, given: PublicView) -> None:
        for field in fields(PublicView):
            made, right = getattr(seen, field.name), getattr(given, field.name)
            if made != right:
                place.find(
                    FindingKind.VIEW_WRONG,
                    f"what everyone was given does not make the public view: {field.name} differs",
                    recorded=str(made),
                    expected=str(right),
                    clause=_CLAUSE,
                )


def _cards(hand: Iterable[int]) -> str:
    return " ".join(map(card_text, hand)) or "no cards"
