"""Which moves are legal, and the reason where one is not; checked in the order of the pages."""

from ronda.v1 import error_pb2, move_pb2, rule_set_pb2, view_pb2
from ronda.v1.rule_set_pb2 import AnnouncementKind
from tests.oracle.announcements import DEAREST_FIRST, amount, hand_rank
from tests.oracle.cards import PACK, from_message, to_message
from tests.oracle.challenges import can_challenge
from tests.oracle.claims import claimable_kind
from tests.oracle.match import Match

# What each kind of move may answer.
TIMES: dict[str, list[view_pb2.Asked.ValueType]] = {
    "announce": [view_pb2.ASKED_ANNOUNCEMENT, view_pb2.ASKED_CARD],
    "play": [view_pb2.ASKED_CARD],
    "challenge": [view_pb2.ASKED_CHALLENGE, view_pb2.ASKED_CARD],
    "claim": [view_pb2.ASKED_CLAIM, view_pb2.ASKED_CARD],
    "pass": [view_pb2.ASKED_ANNOUNCEMENT, view_pb2.ASKED_CHALLENGE, view_pb2.ASKED_CLAIM],
}


class Refused(Exception):
    """A request is refused; it says why."""

    def __init__(self, reason: error_pb2.ErrorReason.ValueType, detail: str) -> None:
        super().__init__(detail)
        self.reason = error_pb2.ErrorReason.Name(reason).removeprefix("ERROR_REASON_")
        self.detail = detail


def check(m: Match, seat: int, move: move_pb2.Move) -> None:
    """Refuse a move that is not legal now.

    Raises:
        Refused: the move is not legal.
    """
    which = move.WhichOneof("move")
    check_form(move)
    if m.over:
        raise Refused(error_pb2.ERROR_REASON_MATCH_OVER, "the match is over")
    if seat not in m.to_act:
        raise Refused(error_pb2.ERROR_REASON_NOT_YOUR_TURN, f"seats {m.to_act} must act")
    if which is None or m.asked not in TIMES[which]:
        if which == "pass":
            raise Refused(
                error_pb2.ERROR_REASON_NOTHING_TO_PASS, "a card is due, and no pass is possible"
            )
        asked = view_pb2.Asked.Name(m.asked)
        raise Refused(error_pb2.ERROR_REASON_ANSWER_DUE, f"{which}, but asked is {asked}")
    if which == "announce":
        check_announcement(m, seat, move.announce.kind)
    elif which == "play" and from_message(move.play.card) not in m.hands[seat]:
        raise Refused(
            error_pb2.ERROR_REASON_CARD_NOT_IN_HAND, f"the hand of seat {seat} lacks the card"
        )
    elif which == "challenge" and not can_challenge(m, seat, move.challenge.seat):
        raise Refused(
            error_pb2.ERROR_REASON_CHALLENGE_NOT_ALLOWED,
            f"seat {move.challenge.seat} has no announcement that can be challenged",
        )
    elif which == "claim" and claimable_kind(m, seat, move.claim.seat) is None:
        raise Refused(
            error_pb2.ERROR_REASON_CLAIM_NOT_ALLOWED,
            f"nothing can be claimed of seat {move.claim.seat}",
        )


def check_form(move: move_pb2.Move) -> None:
    """Refuse a move with a field missing or impossible.

    Raises:
        Refused: with MALFORMED_REQUEST.
    """
    which = move.WhichOneof("move")
    wrong = ""
    if which is None:
        wrong = "the move is missing"
    elif which == "announce" and move.announce.kind not in DEAREST_FIRST:
        wrong = f"announcement kind {move.announce.kind}"
    elif which == "play" and from_message(move.play.card) not in PACK:
        wrong = f"card {from_message(move.play.card)}"
    if wrong:
        raise Refused(error_pb2.ERROR_REASON_MALFORMED_REQUEST, wrong)


def check_announcement(m: Match, seat: int, kind: AnnouncementKind.ValueType) -> None:
    """Refuse an announcement that is not legal (ANN-1, ANN-2, ANN-4).

    Raises:
        Refused: with the reason.
    """
    if not amount(m.rules.kinds, kind):
        raise Refused(error_pb2.ERROR_REASON_KIND_WITHOUT_VALUE, "this kind has no value")
    if kind == rule_set_pb2.ANNOUNCEMENT_KIND_DOUBLE_RONDA and len(m.dealt[seat]) != 4:
        raise Refused(error_pb2.ERROR_REASON_KIND_IMPOSSIBLE, "it takes hands of four")
    if m.announced_by(seat):
        raise Refused(error_pb2.ERROR_REASON_ALREADY_ANNOUNCED, "one announcement a batch")
    if m.played[seat]:
        raise Refused(
            error_pb2.ERROR_REASON_ANNOUNCEMENT_TOO_LATE, "a card of this batch was played"
        )
    if m.asked == view_pb2.ASKED_CARD and m.rules.timing != rule_set_pb2.TIMING_FIRST_TURN:
        raise Refused(error_pb2.ERROR_REASON_ANNOUNCEMENT_TOO_LATE, "the announcing is over")
    refuses = m.rules.bluff == rule_set_pb2.BLUFF_REFUSED
    if refuses and hand_rank(m, m.batch, kind, m.dealt[seat]) is None:
        raise Refused(error_pb2.ERROR_REASON_FALSE_ANNOUNCEMENT, "the hand does not hold it")


def legal_moves(m: Match, seat: int) -> list[move_pb2.Move]:
    """Tell a seat's legal moves: try all that there could be."""
    candidates = [move_pb2.Move(announce=move_pb2.Announce(kind=kind)) for kind in DEAREST_FIRST]
    candidates += [
        move_pb2.Move(play=move_pb2.Play(card=to_message(card))) for card in m.hands[seat]
    ]
    for other in range(m.seats):
        candidates.append(move_pb2.Move(challenge=move_pb2.Challenge(seat=other)))
        candidates.append(move_pb2.Move(claim=move_pb2.Claim(seat=other)))
    candidates.append(pass_move())
    legal = []
    for move in candidates:
        try:
            check(m, seat, move)
        except Refused:
            continue
        legal.append(move)
    return legal


def pass_move() -> move_pb2.Move:
    """Make a pass; its field has the name of a keyword."""
    move = move_pb2.Move()
    getattr(move, "pass").SetInParent()
    return move
