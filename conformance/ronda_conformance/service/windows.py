"""Checks of windows: who is asked to challenge or to claim, and what may be answered (CALL-16)."""

from ronda.v1 import decision_pb2, match_terms_pb2, move_pb2, rule_set_pb2, view_pb2
from ronda.v1 import referee_service_pb2 as pb
from ronda_conformance.cards import card_text
from ronda_conformance.service import rules
from ronda_conformance.service.checks import check
from ronda_conformance.service.matches import Match, new_match, quiet
from ronda_conformance.service.session import Session

_PATIENT = match_terms_pb2.MatchTerms(most_refusals=1000)
_RONDA = rule_set_pb2.ANNOUNCEMENT_KIND_RONDA
# A deal of four seats without a claim has a chance of about one in ten.
_MOST_MATCHES = 12
_MOST_MOVES = 120


def _announce(decision: decision_pb2.Decision) -> move_pb2.Move:
    """Choose to announce a ronda where one can, true or not."""
    for move in decision.legal_moves:
        if move.HasField("announce") and move.announce.kind == _RONDA:
            return move
    return quiet(decision)


async def _window(session: Session, match: Match, seat: int, view: pb.GetViewResponse) -> None:
    """Hold what a seat is asked in a window against CALL-16."""
    kind = "challenge" if view.seat_view.public.asked == view_pb2.ASKED_CHALLENGE else "claim"
    session.expect(f"{kind} window: to act", list(view.seat_view.public.to_act), [seat])
    kinds = {move.WhichOneof("move") for move in view.decision.legal_moves}
    session.expect(
        f"{kind} window: what seat {seat} may do", sorted(kinds, key=str), sorted([kind, "pass"])
    )
    for card in view.seat_view.hand[:1]:
        request = match.request(
            seat, view.decision.decision_id, move_pb2.Move(play=move_pb2.Play(card=card))
        )
        await session.refused(
            f"a card in a {kind} window",
            session.stub.SubmitMove,
            request,
            "FAILED_PRECONDITION ANSWER_DUE",
        )


@check(
    "window-challenge", "CALL-16", "After the announcing each opponent is asked once to challenge"
)
async def challenge_window(session: Session) -> None:
    """A ronda is announced, true or not; the window opens before the first card."""
    match = await new_match(session, rules.windows(), 3, terms=_PATIENT)
    asked: list[int] = []
    for _ in range(_MOST_MOVES):
        seat, view = await match.turn()
        public = view.seat_view.public
        if public.asked == view_pb2.ASKED_CARD:
            break
        if public.asked == view_pb2.ASKED_CHALLENGE:
            asked.append(seat)
            await _window(session, match, seat, view)
            move = quiet(view.decision)
        else:
            first = all(not one.batch for one in public.announcements)
            move = _announce(view.decision) if first else quiet(view.decision)
        await match.submit(match.request(seat, view.decision.decision_id, move))
    announcers = {one.seat for one in (await match.view(None)).public_view.announcements}
    session.expect("seats that have announced", len(announcers), 1)
    session.expect(
        "seats asked to challenge, once each", sorted(asked), sorted({0, 1, 2} - announcers)
    )


@check(
    "window-challenged",
    "CALL-16 CALL-17",
    "A challenge shows the announcer's whole hand to everyone, and no other",
)
async def challenged(session: Session) -> None:
    """What is shown is what the announcer itself had seen."""
    match = await new_match(session, rules.windows(), 2, terms=_PATIENT)
    hands = {
        seat: sorted(card_text(card) for card in (await match.view(seat)).seat_view.hand)
        for seat in (0, 1)
    }
    stream = match.watch(None)
    for _ in range(_MOST_MOVES):
        seat, view = await match.turn()
        challenges = [move for move in view.decision.legal_moves if move.HasField("challenge")]
        move = challenges[0] if challenges else _announce(view.decision)
        await match.submit(match.request(seat, view.decision.decision_id, move))
        if challenges:
            break

    def shown() -> list[tuple[int, int, list[str]]]:
        events = [record.event_logged.event for record in stream.records]
        return [
            (
                event.announcement_challenged.challenger,
                event.announcement_challenged.seat,
                sorted(card_text(card) for card in event.announcement_challenged.hand),
            )
            for event in events
            if event.HasField("announcement_challenged")
        ]

    await stream.until("the hand that was challenged", shown)
    challenger, seat, cards = shown()[0]
    session.expect("challenger and announcer", sorted([challenger, seat]), [0, 1])
    session.expect("the hand that is shown", cards, hands[seat])


@check(
    "window-claim",
    "CALL-16",
    "After a batch each seat that can claim is asked once, one after the other",
)
async def claim_window(session: Session) -> None:
    """Nobody announces; where a pair was held, the cards prove it.

    Several deals are played until one has been: that so many pass without a pair has a chance below
    one in a thousand million.
    """
    for _ in range(_MOST_MATCHES):
        match = await new_match(session, rules.windows(), 4, terms=_PATIENT)
        for _ in range(_MOST_MOVES):
            if (await match.view(0)).seat_view.public.over:
                break
            seat, view = await match.turn()
            if view.seat_view.public.asked == view_pb2.ASKED_CLAIM:
                await _claims(session, match, seat, view)
                return
            move = quiet(view.decision)
            await match.submit(match.request(seat, view.decision.decision_id, move))
    session.expect("a claim window opens", f"none in {_MOST_MATCHES} deals", "one")


async def _claims(session: Session, match: Match, seat: int, view: pb.GetViewResponse) -> None:
    """Have the seat that is asked claim once, and pass; then it is not asked again."""
    await _window(session, match, seat, view)
    claim = view.decision.legal_moves[0]
    sequence = await match.submit(match.request(seat, view.decision.decision_id, claim))
    event = (await match.records())[sequence + 1].event_logged.event
    session.expect("the event after a claim", event.WhichOneof("event"), "undeclared_penalised")
    session.expect("its claimant", event.undeclared_penalised.claimant, seat)
    session.expect("who is charged", event.undeclared_penalised.seat, claim.claim.seat)
    for _ in range(_MOST_MOVES):
        view = await match.view(seat)
        if not view.HasField("decision") or view.seat_view.public.asked != view_pb2.ASKED_CLAIM:
            break
        await match.submit(match.request(seat, view.decision.decision_id, quiet(view.decision)))
    batch = view.seat_view.public.batch
    for _ in range(_MOST_MOVES):
        public = (await match.view(0)).seat_view.public
        if public.over or public.asked != view_pb2.ASKED_CLAIM or public.batch != batch:
            return
        now, view = await match.turn()
        session.expect("the seat that has passed is asked again", now == seat, False)  # noqa: FBT003  # what is expected
        await match.submit(match.request(now, view.decision.decision_id, quiet(view.decision)))
