"""A deal from beginning to end, as the specification's first page lists it."""

from ronda.v1 import event_pb2, move_pb2, rule_set_pb2, view_pb2
from ronda.v1.rule_set_pb2 import AnnouncementKind
from tests.oracle import announcements, chain, challenges, claims, deal, duty, showing
from tests.oracle.capture import take_leftovers
from tests.oracle.cards import from_message
from tests.oracle.count import count
from tests.oracle.match import Announcement, Match
from tests.oracle.payments import end_moment
from tests.oracle.windows import Flow, window


def play_match(m: Match, drawn_dealer: int) -> Flow:
    """Play deal after deal.

    Raises:
        MatchOver: the match has ended; this is the only end.
    """
    m.events.append(event_pb2.Event(match_started=event_pb2.MatchStarted(seats=m.seats)))
    m.dealer = deal.first_dealer(m, drawn_dealer)
    yield from play_deals(m)


def go_on_from(m: Match, turn: int) -> Flow:
    """Play on from the turn of a seat in mid-deal.

    Raises:
        MatchOver: the match has ended; this is the only end.
    """
    order = m.order()
    for seat in order[order.index(turn) :]:
        yield from take_turn(m, seat)
    yield from finish_batch(m)
    yield from finish_deal(m)
    m.dealer = (m.dealer + 1) % m.seats
    yield from play_deals(m)


def play_deals(m: Match) -> Flow:
    """Play deal after deal."""
    while True:
        deal.start_deal(m)
        m.last_batch = False
        yield from finish_deal(m)
        m.dealer = (m.dealer + 1) % m.seats


def finish_deal(m: Match) -> Flow:
    """Play the batches to come and look for the end of the match (MATCH-2 to MATCH-4)."""
    while not m.last_batch:
        yield from play_batch(m)
    take_leftovers(m)
    if m.rules.settle == rule_set_pb2.SETTLE_DEAL_END:
        batches = range(1, m.batch + 1)
        for batch in batches:
            announcements.settle(m, batch)
        for batch in batches:
            announcements.penalise_false(m, batch)
    count(m)
    m.events.append(event_pb2.Event(deal_ended=event_pb2.DealEnded(deal=m.deal, scores=m.scores)))
    if m.rules.target:
        m.look_for_end()
    else:
        m.finish([side for side in range(m.sides) if m.scores[side] == max(m.scores)])


def play_batch(m: Match) -> Flow:
    """Play one batch: dealing, announcing, turns, settlement, claims."""
    settle = m.rules.settle
    first_turn = m.rules.timing == rule_set_pb2.TIMING_FIRST_TURN
    deal.start_batch(m)
    yield from announce_all(m)
    if m.rules.challenge and not first_turn:
        yield from window(m, view_pb2.ASKED_CHALLENGE)
    if settle == rule_set_pb2.SETTLE_AT_ONCE:
        announcements.settle(m, m.batch)
    if settle == rule_set_pb2.SETTLE_BATCH_END_OR_CLEAR_KIND and not first_turn:
        clear = showing.clear_by_kinds(m)
        if clear is not None:
            announcements.give(m, m.batch, clear)
            end_moment(m)
    if settle == rule_set_pb2.SETTLE_WHEN_SHOWN:
        showing.judge(m)
        end_moment(m)
    yield from finish_batch(m)


def finish_batch(m: Match) -> Flow:
    """Play the turns that are left of a batch, then settlement and claims."""
    while any(m.hands):
        for seat in m.order():
            yield from take_turn(m, seat)
    if settles_at_batch_end(m):
        announcements.settle(m, m.batch)
        announcements.penalise_false(m, m.batch)
    if m.rules.undeclared_detection == rule_set_pb2.UNDECLARED_DETECTION_AUTOMATIC:
        claims.charge_all(m)
    if m.rules.undeclared_detection == rule_set_pb2.UNDECLARED_DETECTION_CLAIM:
        yield from window(m, view_pb2.ASKED_CLAIM)


def settles_at_batch_end(m: Match) -> bool:
    """Tell whether this batch's announcements are settled when its last card was played (ANN-8)."""
    if m.rules.settle == rule_set_pb2.SETTLE_BATCH_END:
        return True
    if m.rules.settle != rule_set_pb2.SETTLE_BATCH_END_OR_CLEAR_KIND:
        return False
    first_turn = m.rules.timing == rule_set_pb2.TIMING_FIRST_TURN
    return first_turn or showing.clear_by_kinds(m) is None


def announce(m: Match, seat: int, kind: AnnouncementKind.ValueType) -> None:
    """Record a seat's announcement."""
    m.announcements.append(Announcement(m.batch, seat, kind, m.dealt[seat]))
    m.events.append(
        event_pb2.Event(announcement_made=event_pb2.AnnouncementMade(seat=seat, kind=kind))
    )


def decline(m: Match, seat: int) -> None:
    """Record that a seat which was asked made no announcement."""
    m.events.append(event_pb2.Event(announcement_passed=event_pb2.AnnouncementPassed(seat=seat)))


def announce_all(m: Match) -> Flow:
    """Let all seats announce before the first card, where the timing has it so (ANN-2)."""
    if not announcements.valued_kinds(m.rules):
        return
    if m.rules.timing == rule_set_pb2.TIMING_IN_ORDER:
        for seat in m.order():
            _, move = yield [seat], view_pb2.ASKED_ANNOUNCEMENT
            if move.HasField("announce"):
                announce(m, seat, move.announce.kind)
            else:
                decline(m, seat)
    elif m.rules.timing == rule_set_pb2.TIMING_SIMULTANEOUS:
        yield from announce_sealed(m)
    elif m.rules.timing == rule_set_pb2.TIMING_AUTOMATIC:
        for seat in m.order():
            true = [
                kind
                for kind in announcements.valued_kinds(m.rules)
                if announcements.hand_rank(m, m.batch, kind, m.dealt[seat]) is not None
            ]
            if true:
                announce(m, seat, true[0])


def announce_sealed(m: Match) -> Flow:
    """Take every seat's sealed answer, then show all of them (ANN-2)."""
    answers: dict[int, move_pb2.Move] = {}
    while len(answers) < m.seats:
        waiting = [seat for seat in range(m.seats) if seat not in answers]
        seat, move = yield waiting, view_pb2.ASKED_ANNOUNCEMENT
        answers[seat] = move
        sealed = event_pb2.AnnouncementSealed(seat=seat)
        if move.HasField("announce"):
            sealed.kind = move.announce.kind
        else:
            sealed.passed = True
        m.events.append(event_pb2.Event(announcement_sealed=sealed))
    for seat in m.order():
        if answers[seat].HasField("announce"):
            announce(m, seat, answers[seat].announce.kind)
        else:
            decline(m, seat)


def take_turn(m: Match, seat: int) -> Flow:
    """Let a seat say what it may, then play its card and see to all that the card does."""
    when_shown = m.rules.settle == rule_set_pb2.SETTLE_WHEN_SHOWN
    _, move = yield [seat], view_pb2.ASKED_CARD
    while not move.HasField("play"):
        if move.HasField("announce"):
            announce(m, seat, move.announce.kind)
        elif move.HasField("challenge"):
            challenges.challenge(m, seat, move.challenge.seat, in_window=False)
        else:
            claims.claim(m, seat, move.claim.seat)
        _, move = yield [seat], view_pb2.ASKED_CARD
    card = from_message(move.play.card)
    captured = chain.play(m, seat, card)
    if when_shown:
        showing.after_card(m, seat)
    if m.last_batch and not any(m.hands):
        duty.judge(m, card, captured=captured)
