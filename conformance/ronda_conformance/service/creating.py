"""Checks of rule sets and of creating matches: what is listed, taken and refused."""

from typing import Any

from ronda.v1 import log_pb2, match_terms_pb2
from ronda.v1 import referee_service_pb2 as pb
from ronda_conformance.service import rules
from ronda_conformance.service.checks import check
from ronda_conformance.service.matches import as_organiser, new_match
from ronda_conformance.service.session import Session

_TERMS = match_terms_pb2.MatchTerms
_CONTROL = match_terms_pb2.TimeControl


async def _not_created(
    session: Session, what: str, request: pb.CreateMatchRequest, expected: str
) -> None:
    await session.refused(
        what, session.stub.CreateMatch, request, expected, metadata=as_organiser(session)
    )


@check("rule-sets-listed", "CALL-5", "Rule sets are listed once each, by id, and given one by one")
async def listed(session: Session) -> None:
    """What the list says of a rule set and what the call for it alone says is the same."""
    answer = await session.call(session.stub.ListRuleSets, pb.ListRuleSetsRequest())
    ids = [one.rule_set.id for one in answer.rule_sets]
    session.expect("ids in order, each once", ids, sorted(set(ids)))
    for one in answer.rule_sets[:3]:
        request = pb.GetRuleSetRequest(id=one.rule_set.id)
        alone = await session.call(session.stub.GetRuleSet, request)
        session.expect(f"rule set {one.rule_set.id} alone is as listed", alone.rule_set == one)
    for name in ("no such rule set", ""):
        await session.refused(
            f"rule set {name!r}",
            session.stub.GetRuleSet,
            pb.GetRuleSetRequest(id=name),
            "NOT_FOUND RULE_SET_NOT_FOUND",
        )


@check("create-by-id", "CALL-5 CALL-6", "A match is created by the id of a listed rule set")
async def by_id(session: Session) -> None:
    """Its header holds the rules in full, and they are those that are listed."""
    answer = await session.call(session.stub.ListRuleSets, pb.ListRuleSetsRequest())
    for one in answer.rule_sets[:1]:
        count = one.rule_set.seats[0].count
        request = pb.CreateMatchRequest(
            rule_set_id=one.rule_set.id, seats=count, terms=_TERMS(join_timeout_ms=60_000)
        )
        created = await session.call(session.stub.CreateMatch, request, as_organiser(session))
        session.expect("tokens", len(created.seat_tokens), count)
        watching = session.stub.WatchMatch(pb.WatchMatchRequest(match_id=created.match_id))
        message: Any = await session.within("the header", watching.read())
        watching.cancel()
        header = log_pb2.LogRecord.FromString(message.entries[0].record).header
        session.expect("the header's rules are those listed", header.rule_set == one.rule_set)


@check("create-unknown-rule-set", "CALL-6", "A rule set that there is not is NOT_FOUND")
async def unknown(session: Session) -> None:
    """Any text that is no id."""
    await _not_created(
        session,
        "a match of a rule set that there is not",
        pb.CreateMatchRequest(rule_set_id="no such rule set", seats=2),
        "NOT_FOUND RULE_SET_NOT_FOUND",
    )


@check("create-no-rules", "CALL-2 CALL-6", "A match without rules is refused by the field")
async def no_rules(session: Session) -> None:
    """Neither an id nor a rule set."""
    request = pb.CreateMatchRequest(seats=2)
    await _not_created(
        session, "a match without rules", request, "INVALID_ARGUMENT MALFORMED_REQUEST rules"
    )


@check("create-invalid-seats", "CALL-6", "A number of seats that the rules do not allow is refused")
async def invalid_seats(session: Session) -> None:
    """None, one, five; and three for rules that are for two and four."""
    for seats in (0, 1, 5):
        await _not_created(
            session,
            f"a match of {seats} seats",
            pb.CreateMatchRequest(rule_set=rules.plain(), seats=seats),
            "INVALID_ARGUMENT RULE_SET_INVALID seats",
        )
    await _not_created(
        session,
        "three seats by rules for two and four",
        pb.CreateMatchRequest(rule_set=rules.sealed(), seats=3),
        "INVALID_ARGUMENT RULE_SET_INVALID seats",
    )


@check(
    "create-unplayable-rules",
    "CALL-2 CALL-6",
    "Rules that cannot be played are refused by the field",
)
async def unplayable(session: Session) -> None:
    """A value that is unset, and two values that contradict each other."""
    for what, (rule_set, field) in rules.unplayable().items():
        await _not_created(
            session,
            f"a rule set with {what}",
            pb.CreateMatchRequest(rule_set=rule_set, seats=2),
            f"INVALID_ARGUMENT RULE_SET_INVALID {field}",
        )


@check(
    "create-unknown-parameter",
    "CALL-2",
    "A parameter that the schema lacks is refused, not passed over",
)
async def unknown_parameter(session: Session) -> None:
    """Whoever sent it would be refereed by other rules than it asked for."""
    rule_set = rules.plain()
    # Field 500, a varint of 1.
    rule_set.MergeFromString(b"\xa0\x1f\x01")
    await _not_created(
        session,
        "a rule set with field 500",
        pb.CreateMatchRequest(rule_set=rule_set, seats=2),
        "INVALID_ARGUMENT MALFORMED_REQUEST rule_set",
    )


@check("create-borrowed-id", "CALL-6", "Other rules cannot take the id of a listed rule set")
async def borrowed(session: Session) -> None:
    """Who reads the id in a view or a list must be able to rely on it."""
    answer = await session.call(session.stub.ListRuleSets, pb.ListRuleSetsRequest())
    for one in answer.rule_sets[:1]:
        changed = rules.plain()
        changed.id = one.rule_set.id
        await _not_created(
            session,
            f"other rules named {changed.id}",
            pb.CreateMatchRequest(rule_set=changed, seats=2),
            "INVALID_ARGUMENT MALFORMED_REQUEST rule_set.id",
        )


@check(
    "create-terms-limits", "CALL-2 CALL-6", "Terms outside their limits are refused by the field"
)
async def terms_limits(session: Session) -> None:
    """One fault each, one above the limit."""
    cases = {
        "terms.most_refusals": _TERMS(most_refusals=1_000_001),
        "terms.spectator_delay": _TERMS(spectator_delay=1_001),
        "terms.join_timeout_ms": _TERMS(join_timeout_ms=604_800_001),
        "terms.time_control": _TERMS(time_control=_CONTROL(increment_ms=5)),
        "terms.time_control.per_move_ms": _TERMS(time_control=_CONTROL(per_move_ms=86_400_001)),
        "terms.time_out": _TERMS(time_out=match_terms_pb2.TIME_OUT_FORFEIT),
    }
    for field, terms in cases.items():
        await _not_created(
            session,
            f"terms with a wrong {field}",
            pb.CreateMatchRequest(rule_set=rules.plain(), seats=2, terms=terms),
            f"INVALID_ARGUMENT MALFORMED_REQUEST {field}",
        )


@check(
    "create-fixed-draws",
    "CALL-6 CALL-25",
    "Draws from outside are refused where the referee says so",
)
async def fixed_draws(session: Session) -> None:
    """Where it allows them, a card that is drawn twice is refused."""
    info = await session.call(session.stub.GetServerInfo, pb.GetServerInfoRequest())
    draws = log_pb2.FixedDraws()
    for _ in range(2):
        draws.cards.add(rank="RANK_7", suit="SUIT_OROS")
    request = pb.CreateMatchRequest(rule_set=rules.plain(), seats=2, fixed_draws=draws)
    expected = (
        "INVALID_ARGUMENT DRAW_INVALID"
        if info.fixed_draws_allowed
        else "PERMISSION_DENIED FIXED_DRAWS_REFUSED"
    )
    await _not_created(session, "a match with fixed draws", request, expected)


@check(
    "create-header",
    "CALL-6 CALL-7",
    "The header stands in the log at once, with rules and terms in full",
)
async def header(session: Session) -> None:
    """Everything after it rests on it, and its commitment is fixed before a seat's bytes."""
    terms = _TERMS(most_refusals=7, join_timeout_ms=90_000)
    match = await new_match(session, rules.plain(), 3, terms=terms, joined=False)
    stream = match.watch(None)
    await stream.until("the header", lambda: stream.entries)
    (record,) = stream.records
    head = record.header
    info = await session.call(session.stub.GetServerInfo, pb.GetServerInfoRequest())
    session.expect("the format's version", head.format_version, 1)
    session.expect("the match's id", head.match_id, match.match_id)
    session.expect("the rules are those sent", head.rule_set == rules.plain())
    session.expect("seats", head.seats, 3)
    session.expect("most_refusals", head.terms.most_refusals, 7)
    session.expect("join_timeout_ms", head.terms.join_timeout_ms, 90_000)
    session.expect("bytes of the seed's commitment", len(head.seed_commitment), 32)
    session.expect("the key is that of GetServerInfo", head.public_key == info.public_key)
    for seat in range(3):
        await match.join(seat, entropy=b"bytes")
    await stream.reaches(5, "the first deal")
    session.expect("the header stays", stream.records[0] == record)
