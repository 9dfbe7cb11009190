"""What a referee can do to cheat, one of each kind, and what the audit says of it.

Every log is numbered, chained and signed as it should be. Each row names the finding, the record
and the clause of the rules that was broken, if it is one of the rules.
"""

import dataclasses
import io
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import pytest

from ronda.v1 import event_pb2, log_pb2
from ronda_referee.audit import FindingKind, audit_stream, views
from ronda_referee.chain import commitment, record_hash
from ronda_referee.shuffle import DealDraws, MatchDraws, commit, match_key, shared_match_key
from ronda_rules.cards import FULL_PACK
from ronda_rules.state import MatchState
from ronda_rules.view import PublicView, public_view, seat_view
from tests.referee.cheating import (
    FIRST_AWARD,
    FIRST_HAND,
    FIRST_MOVE,
    FIRST_OPENING,
    RESULT,
    SECOND_HAND,
    TABLE,
    Records,
    event,
    found,
    played,
)
from tests.referee.played_by_hand import ByHand
from tests.referee.played_logs import (
    ENTROPIES,
    FIXED,
    PlayedMatch,
    audit,
    first_card,
    maghribi,
    rewrite,
    some_policy,
)
from tests.referee.test_clocks import FORFEIT

CALM_SEED = b"\x05" * 32
GROUP = "round 1, table 2"
# Records of `timed`: 8 is the table, 9 the forfeit of seat 0, whose time ran out at 6000 ms.
FLAG = 9

Change = Callable[[Records], None]


def honest() -> Records:
    """Give the records of a match with cards of the shuffle."""
    return PlayedMatch(policy=first_card, seed=CALM_SEED).records


def stacked() -> Records:
    """Give a match that was dealt from a pack in which two cards were swapped."""
    key = match_key(CALM_SEED, "m-7", ENTROPIES[:2])
    order = list(DealDraws(key, 1).cards(FULL_PACK, 40))
    order[4], order[39] = order[39], order[4]
    return PlayedMatch(draws=MatchDraws(key, order), policy=first_card, seed=CALM_SEED).records


def of_a_group() -> Records:
    """Give the records of a match that shares its shuffle."""
    return PlayedMatch(policy=first_card, seed=CALM_SEED, shuffle_id=GROUP).records


def stacked_group() -> Records:
    """Give a match of a group that was dealt otherwise than the others: two cards were swapped."""
    key = shared_match_key(CALM_SEED, GROUP)
    order = list(DealDraws(key, 1).cards(FULL_PACK, 40))
    order[4], order[39] = order[39], order[4]
    draws = MatchDraws(key, order)
    return PlayedMatch(draws=draws, policy=first_card, seed=CALM_SEED, shuffle_id=GROUP).records


def claim_a_group(records: Records) -> None:
    """Say of a match with its own shuffle that it shares one."""
    records[0].header.shared_shuffle_id = GROUP


def deny_the_group(records: Records) -> None:
    """Say of a match of a group that its shuffle is its own."""
    records[0].header.ClearField("shared_shuffle_id")


def timed() -> Records:
    """Give the records of a match that seat 0 lost because its time ran out."""
    match = ByHand.begin(FORFEIT)
    match.run_out(6000)
    return [log_pb2.LogRecord.FromString(row.record) for row in match.rows]


def commit_to(records: Records, number: int, opening: int, one: event_pb2.Event) -> None:
    """Have a record commit to another event, and its opening show it."""
    data = one.SerializeToString(deterministic=True)
    records[opening].opening.payload = data
    records[number].event_logged.commitment = commitment(records[opening].opening.nonce, data)


def opened(records: Records, opening: int) -> event_pb2.Event:
    """Give the event that an opening shows."""
    return event_pb2.Event.FromString(records[opening].opening.payload)


def swap_hands(records: Records) -> None:
    """Deal each seat what the other one drew."""
    first, second = (opened(records, FIRST_OPENING + seat) for seat in (0, 1))
    first.hand_dealt.seat, second.hand_dealt.seat = 1, 0
    commit_to(records, FIRST_HAND, FIRST_OPENING, second)
    commit_to(records, SECOND_HAND, FIRST_OPENING + 1, first)


def show_to_the_other_seat(records: Records) -> None:
    """Commit to seat 0's hand as a hand of seat 1, so that seat 1 was shown it."""
    hand = opened(records, FIRST_OPENING)
    hand.hand_dealt.seat = 1
    commit_to(records, FIRST_HAND, FIRST_OPENING, hand)


def show_to_all(records: Records) -> None:
    """Show everyone seat 0's hand while the match goes on."""
    event(records[FIRST_HAND]).CopyFrom(opened(records, FIRST_OPENING))


def hide_the_table(records: Records) -> None:
    """Show nobody two of the cards on the table until the end, when all is opened."""
    full = event_pb2.Event()
    full.CopyFrom(event(records[TABLE]))
    del event(records[TABLE]).table_turned.cards[2:]
    data = full.SerializeToString(deterministic=True)
    nonce = b"\x07" * 32
    records[TABLE].event_logged.commitment = commitment(nonce, data)
    shown = log_pb2.LogRecord()
    shown.CopyFrom(records[FIRST_OPENING])
    shown.opening.CopyFrom(log_pb2.CommitmentOpening(sequence=TABLE, nonce=nonce, payload=data))
    records.insert(FIRST_OPENING + 2, shown)


def say_less(records: Records) -> None:
    """Tell everyone of a card fewer that seat 0 was dealt."""
    event(records[FIRST_HAND]).hand_dealt.card_count = 2


def drop_move(records: Records) -> None:
    """Leave a move out, and keep what followed from it."""
    del records[FIRST_MOVE]


def reorder_moves(records: Records) -> None:
    """Have the second move, and what followed, come before the first."""
    first = records[FIRST_MOVE : FIRST_MOVE + 3]
    second = records[FIRST_MOVE + 3 : FIRST_AWARD + 1]
    records[FIRST_MOVE : FIRST_AWARD + 1] = second + first


def award_more(records: Records) -> None:
    """Give two points for a caida that is worth one."""
    event(records[FIRST_AWARD]).play_awarded.caida = 2


def award_another(records: Records) -> None:
    """Give the points to the other side."""
    event(records[FIRST_AWARD]).play_awarded.shares[0].side = 0


def flag_early(records: Records) -> None:
    """Have a seat's time run out a millisecond before it did."""
    for record in records[FLAG:]:
        record.clock_ms -= 1


def move_deadline(records: Records) -> None:
    """Say that a seat had less time than it had, and flag it then."""
    records[FLAG].forfeit_declared.deadline_ms -= 1_000
    for record in records[FLAG:]:
        record.clock_ms -= 1_000


def flag_the_other(records: Records) -> None:
    """Have the seat forfeit that was not asked."""
    records[FLAG].forfeit_declared.seat = 1


def crown_the_other(records: Records) -> None:
    """Name the other winner."""
    records[RESULT].match_result.winners[:] = [0]


def score_more(records: Records) -> None:
    """Give a side more points in the end."""
    records[RESULT].match_result.scores[:] = [3, 4]


def change_seed(records: Records) -> None:
    """Commit to one seed and deal from another."""
    records[0].header.seed_commitment = commit(b"\x06" * 32)


def swallow_bytes(records: Records) -> None:
    """Leave out of the shuffle what a seat brought to it."""
    joined = next(one for one in records if one.seat_joined.seat == 0 and one.seat_joined.name)
    joined.seat_joined.entropy = b"other"


def nothing(records: Records) -> None:
    """Leave the log as it was written, which is the cheat."""


class Cheat(NamedTuple):
    """A cheat, and what is found."""

    make: Callable[[], Records]
    change: Change
    kind: FindingKind
    record: int
    clause: str = ""


CHEATS = {
    "stacked deck": Cheat(stacked, nothing, FindingKind.DRAW_WRONG, SECOND_HAND, "DEAL-4"),
    "stacked deck in a group": Cheat(
        stacked_group, nothing, FindingKind.DRAW_WRONG, SECOND_HAND, "DEAL-4"
    ),
    "group that is none": Cheat(
        honest, claim_a_group, FindingKind.DRAW_WRONG, FIRST_HAND, "DEAL-4"
    ),
    "group that is denied": Cheat(
        of_a_group, deny_the_group, FindingKind.DRAW_WRONG, FIRST_HAND, "DEAL-4"
    ),
    "swapped draw": Cheat(played, swap_hands, FindingKind.DRAW_WRONG, FIRST_HAND, "DEAL-4"),
    "changed seed": Cheat(honest, change_seed, FindingKind.SEED_WRONG, -1),
    "swallowed bytes": Cheat(honest, swallow_bytes, FindingKind.DRAW_WRONG, FIRST_HAND, "DEAL-4"),
    "dropped move": Cheat(played, drop_move, FindingKind.MOVE_MISSING, FIRST_MOVE),
    "reordered move": Cheat(played, reorder_moves, FindingKind.MOVE_ILLEGAL, FIRST_MOVE, "CAP-1"),
    "wrong award": Cheat(played, award_more, FindingKind.EVENT_WRONG, FIRST_AWARD, "CHAIN-1"),
    "award to another": Cheat(
        played, award_another, FindingKind.EVENT_WRONG, FIRST_AWARD, "MESA-2"
    ),
    "flag moved forward": Cheat(timed, flag_early, FindingKind.CLOCK_WRONG, FLAG),
    "deadline moved": Cheat(timed, move_deadline, FindingKind.CLOCK_WRONG, FLAG),
    "flag of another seat": Cheat(timed, flag_the_other, FindingKind.DECISION_WRONG, FLAG),
    "hand shown to another seat": Cheat(
        played, show_to_the_other_seat, FindingKind.VIEW_WRONG, FIRST_HAND, "ANN-10"
    ),
    "hand shown to all": Cheat(played, show_to_all, FindingKind.COMMITMENT_WRONG, FIRST_HAND),
    "view that hid cards": Cheat(played, hide_the_table, FindingKind.VIEW_WRONG, TABLE, "ANN-10"),
    "view that hid a count": Cheat(played, say_less, FindingKind.DRAW_WRONG, FIRST_HAND, "DEAL-4"),
    "another winner": Cheat(played, crown_the_other, FindingKind.RESULT_WRONG, RESULT, "MATCH-2"),
    "another score": Cheat(played, score_more, FindingKind.RESULT_WRONG, RESULT, "MATCH-1"),
}


@pytest.mark.parametrize("cheat", CHEATS.values(), ids=CHEATS.keys())
def test_every_kind_of_cheat_is_found(cheat: Cheat) -> None:
    """The kind, the first record that is wrong, and the clause."""
    records = cheat.make()
    cheat.change(records)
    result = next(n for n, one in enumerate(records) if one.HasField("match_result"))
    finding = found(records)
    assert (finding.kind, finding.clause) == (cheat.kind, cheat.clause)
    assert finding.record == (result if cheat.record < 0 else cheat.record)


@pytest.mark.parametrize("make", [honest, played, timed])
def test_the_logs_that_are_tampered_with_are_all_right_before(make: Callable[[], Records]) -> None:
    """What is found is the cheat and nothing else."""
    assert audit(rewrite(make())).finding is None


def test_two_versions_of_a_log_are_found_by_the_heads_of_either_watcher() -> None:
    """Both are right in themselves; whoever watched one knows that the other is not it."""
    one = PlayedMatch(maghribi(1), fixed=FIXED, policy=first_card)
    other = PlayedMatch(maghribi(1), fixed=FIXED, policy=some_policy(3))
    same = next(n for n, (a, b) in enumerate(zip(one.rows, other.rows, strict=False)) if a != b)
    for published, watched in ((one, other), (other, one)):
        heads = {"m-7": {row.sequence: [record_hash(row.record)] for row in watched.rows}}
        assert finding_with(published, heads) == (FindingKind.HEAD_DIFFERS, same)
        own = {"m-7": {row.sequence: [record_hash(row.record)] for row in published.rows}}
        assert finding_with(published, own) is None
        assert finding_with(published, {"m-8": heads["m-7"]}) is None


def finding_with(
    match: PlayedMatch, heads: Mapping[str, Mapping[int, Sequence[bytes]]]
) -> tuple[FindingKind, int] | None:
    """Give what an audit with heads finds in a match."""
    found = audit_stream(io.BytesIO(match.data), seen=heads).finding
    return None if found is None else (found.kind, found.record)


@pytest.mark.parametrize(
    ("fault", "detail"),
    [
        ("hand_sizes", "hand_sizes differs"),
        ("table", "table differs"),
        ("scores", "scores differs"),
        ("announcements", "announcements differs"),
        ("asked", "asked differs"),
    ],
)
def test_a_referee_whose_views_hide_something_is_found(
    fault: str, detail: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The events that a log gives everyone make another view than the one that was served."""

    def hiding(state: MatchState) -> PublicView:
        view = public_view(state)
        empty: dict[str, object] = {fault: None if fault == "asked" else ()}
        return dataclasses.replace(view, **empty)  # type: ignore[arg-type]  # one of its fields

    monkeypatch.setattr(views, "public_view", hiding)
    report = audit(PlayedMatch(maghribi(25), 3).data)
    assert report.finding is not None
    assert (report.finding.kind, report.finding.clause) == (FindingKind.VIEW_WRONG, "ANN-10")
    assert report.finding.detail.endswith(detail)


def test_a_seat_that_is_served_the_hand_of_another_is_found(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Each seat's hand is made from what the log gives to it alone."""
    monkeypatch.setattr(
        views, "seat_view", lambda state, seat, public: seat_view(state, 1 - seat, public)
    )
    report = audit(PlayedMatch(maghribi(1), fixed=FIXED, policy=first_card).data)
    assert report.finding is not None
    assert (report.finding.kind, report.finding.record) == (FindingKind.VIEW_WRONG, TABLE)
    assert (report.finding.recorded, report.finding.expected) == ("7o 1c 2c", "7c 3o 4o")
