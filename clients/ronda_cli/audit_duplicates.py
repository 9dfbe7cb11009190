"""Which of the audited logs share a shuffle, and whether they were dealt the same (SHUFFLE-9)."""

from dataclasses import dataclass, field

from ronda_referee.audit import Deal, SharedShuffle
from ronda_referee.audit_many import Audited
from ronda_referee.event_text import printable


@dataclass(frozen=True, slots=True)
class Difference:
    """Where the draws of two logs of a group are not the same.

    Attributes:
        log: The log that was read later.
        other: The one that it differs from.
        deal: Which deal, from 1.
        draw: Which card of the deal, from 1; 0: the dealer.
    """

    log: str
    other: str
    deal: int
    draw: int


@dataclass(slots=True)
class Group:
    """The logs that share one shuffle, under the same rules and with as many seats.

    Attributes:
        logs: Their names.
        compared: How many of them were dealt out and held against the others.
        differences: The first difference of each log that has one.
    """

    logs: list[str] = field(default_factory=list)
    compared: int = 0
    differences: list[Difference] = field(default_factory=list)
    _longest: dict[int, tuple[str, Deal]] = field(default_factory=dict)

    @property
    def deals(self) -> int:
        """How many deals there are of which draws are known."""
        return len(self._longest)

    @property
    def draws(self) -> int:
        """How many draws are known, each counted once."""
        return sum(len(deal.order) for _, deal in self._longest.values())

    def compare(self, log: str, deals: list[Deal]) -> None:
        """Hold what a log was dealt against the others, as far as both were dealt it."""
        self.compared += 1
        differing = False
        for deal in deals:
            other, known = self._longest.setdefault(deal.number, (log, deal))
            draw = _differing(deal, known)
            if draw is not None and not differing:
                self.differences.append(Difference(log, other, deal.number, draw))
                differing = True
            if len(deal.order) > len(known.order):
                self._longest[deal.number] = (log, deal)


class Groups:
    """All groups among the audited logs."""

    def __init__(self) -> None:
        """Begin before the first log."""
        self._groups: dict[SharedShuffle, Group] = {}

    @property
    def differ(self) -> bool:
        """Whether logs of a group were dealt otherwise than each other."""
        return any(group.differences for group in self._groups.values())

    def add(self, audited: Audited) -> None:
        """Take a log in, where its match shares its shuffle; it is compared if nothing is wrong."""
        report = audited.report
        if report is None or report.shared_shuffle is None:
            return
        group = self._groups.setdefault(report.shared_shuffle, Group())
        group.logs.append(audited.name)
        if report.ok:
            group.compare(audited.name, report.dealt)

    def as_json(self) -> list[dict[str, object]]:
        """Return the groups as values for JSON."""
        return [
            {
                "shuffle_id": shared.shuffle_id,
                "seed_commitment": shared.seed_commitment.hex(),
                "rule_set_id": shared.rule_set_id,
                "seats": shared.seats,
                "logs": group.logs,
                "compared": group.compared,
                "deals": group.deals,
                "draws": group.draws,
                "same": not group.differences,
                "differences": [
                    {"file": one.log, "other": one.other, "deal": one.deal, "draw": one.draw}
                    for one in group.differences
                ],
            }
            for shared, group in self._groups.items()
        ]

    def as_text(self, *, differing_alone: bool = False) -> list[str]:
        """Return a line for each group, or each in which logs differ, and one for each of these."""
        lines = []
        for shared, group in self._groups.items():
            if differing_alone and not group.differences:
                continue
            said = "the same cards to all" if not group.differences else "NOT the same cards"
            if group.compared < 2:  # noqa: PLR2004 - one alone is compared with nothing
                said = "nothing to compare"
            about = f"{printable(shared.rule_set_id)}, {shared.seats} seats"
            logs, deals = _count(len(group.logs), "log"), _count(group.deals, "deal")
            lines.append(
                f"shared shuffle {printable(shared.shuffle_id)}, commitment "
                f"{shared.seed_commitment.hex()}, {about}: {logs}, {group.compared} compared over "
                f"{deals} and {group.draws} draws; {said}"
            )
            lines += [f"  {printable(_told(one))}" for one in group.differences]
        return lines


def _count(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"


def _differing(deal: Deal, known: Deal) -> int | None:
    if deal.dealer != known.dealer:
        return 0
    pairs = zip(deal.order, known.order, strict=False)
    return next((draw for draw, (one, two) in enumerate(pairs, 1) if one != two), None)


def _told(one: Difference) -> str:
    what = f"card {one.draw}" if one.draw else "the dealer"
    return f"{one.log}: deal {one.deal}, {what} is not as in {one.other}"
