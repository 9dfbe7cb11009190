"""Checks of lists of matches: pages, filters, states (CALL-24)."""

from ronda.v1 import referee_service_pb2 as pb
from ronda_conformance.service import rules
from ronda_conformance.service.checks import check
from ronda_conformance.service.matches import Match, new_match
from ronda_conformance.service.session import Session


async def _matches(session: Session, count: int) -> tuple[str, list[Match]]:
    """Create matches of a rule set of their own, so that other checks are not in the way."""
    rule_set = rules.plain()
    # A name that this run alone uses.
    probe = await new_match(session, rules.plain(), joined=False)
    letters = "".join(char for char in probe.match_id.lower() if char.isascii() and char.isalnum())
    rule_set.id = f"conformance-{letters[-20:]}"
    return rule_set.id, [await new_match(session, rule_set, joined=False) for _ in range(count)]


async def _page(session: Session, **wanted: object) -> pb.ListMatchesResponse:
    request = pb.ListMatchesRequest(**wanted)  # type: ignore[arg-type]  # as the check says
    answer: pb.ListMatchesResponse = await session.call(session.stub.ListMatches, request)
    return answer


@check("list-pages", "CALL-24", "Over all pages each match is listed once, the newest first")
async def pages(session: Session) -> None:
    """Pages of two of five matches; a sixth is created between two pages and moves nothing."""
    name, matches = await _matches(session, 5)
    wanted = [match.match_id for match in reversed(matches)]
    listed: list[str] = []
    token, count = "", 0
    while count < 10:  # noqa: PLR2004  # more pages than there can be
        page = await _page(session, page_size=2, page_token=token, rule_set_id=name)
        session.expect("matches in a page of two", len(page.matches) <= 2)  # noqa: PLR2004  # two
        listed += [one.match_id for one in page.matches]
        token, count = page.next_page_token, count + 1
        if not token:
            break
        if count == 1:
            await new_match(session, matches[0].rules, joined=False)
    session.expect("matches over all pages", listed, wanted)
    session.expect("pages", count, 3)


@check(
    "list-filters",
    "CALL-24",
    "Filters by rule set and state give the matches that fit, and no other",
)
async def filters(session: Session) -> None:
    """One that waits, one that is played, one that has ended."""
    name, (waiting, playing, over) = await _matches(session, 3)
    for match in (playing, over):
        await match.join_all()
    await over.resign(0)
    await waiting.join(1, "Zineb")
    for state, match in (
        (pb.MATCH_STATE_JOINING, waiting),
        (pb.MATCH_STATE_PLAYING, playing),
        (pb.MATCH_STATE_ENDED, over),
    ):
        page = await _page(session, rule_set_id=name, state=state)
        listed = [(one.match_id, one.state, one.seats, one.rule_set_id) for one in page.matches]
        session.expect(
            f"matches in state {pb.MatchState.Name(state)}",
            listed,
            [(match.match_id, state, 2, name)],
        )
    page = await _page(session, rule_set_id=name, state=pb.MATCH_STATE_JOINING)
    names = [list(one.names) for one in page.matches]
    session.expect("names of those that have joined", names, [["", "Zineb"]])
    page = await _page(session, rule_set_id="no such rule set")
    session.expect("matches of a rule set that there is not", len(page.matches), 0)


@check("list-secrets", "CALL-24 CALL-4", "A list holds no token")
async def secrets(session: Session) -> None:
    """Nor does a page token hold one."""
    name, _ = await _matches(session, 3)
    page = await _page(session, rule_set_id=name, page_size=1)
    text = str(page)
    session.expect("tokens in a list", sum(token in text for token in session.tokens), 0)


@check(
    "list-bad-token",
    "CALL-24 CALL-2",
    "A page token that was not given out for these filters is refused",
)
async def bad_token(session: Session) -> None:
    """A text that is none, and one of another list."""
    name, _ = await _matches(session, 3)
    page = await _page(session, rule_set_id=name, page_size=1)
    session.need("there is a next page", bool(page.next_page_token))
    for what, request in (
        ("a text that is no page token", pb.ListMatchesRequest(page_token="!", rule_set_id=name)),
        ("a token of another list", pb.ListMatchesRequest(page_token=page.next_page_token)),
    ):
        await session.refused(
            what,
            session.stub.ListMatches,
            request,
            "INVALID_ARGUMENT MALFORMED_REQUEST page_token",
        )
