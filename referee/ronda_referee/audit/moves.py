"""The audit of a move's record: what it shows, and what it must hide."""

from ronda.v1 import move_pb2
from ronda_referee.audit.hidden import Hidden
from ronda_referee.audit.records import Place
from ronda_referee.audit.report import FindingKind
from ronda_referee.chain import HASH_SIZE


def recorded_move(place: Place, hidden: Hidden, *, must_be_hidden: bool) -> move_pb2.Move:
    """Give the move that a record holds, or commits to where the others may not know it yet.

    Its opening must still come: `hidden` keeps in mind what it must show.

    Raises:
        Found: the move is hidden and should not be, or the other way round, or nothing shows it.
    """
    accepted = place.record.move_accepted
    if must_be_hidden and (len(accepted.commitment) != HASH_SIZE or accepted.HasField("move")):
        place.find(
            FindingKind.COMMITMENT_WRONG,
            "the move must be hidden by a commitment of 32 bytes, and by nothing else",
            recorded=f"{len(accepted.commitment)} bytes",
            expected=f"{HASH_SIZE} bytes",
            clause="ANN-2",
        )
    if not must_be_hidden:
        if accepted.commitment:
            place.find(
                FindingKind.COMMITMENT_WRONG,
                "there is a commitment, and the move hides nothing",
                recorded=accepted.commitment.hex(),
            )
        return accepted.move
    move = hidden.opened_move(place.number, accepted.commitment)
    if move is None:
        detail = f"no opening shows the hidden move of seat {accepted.seat}"
        place.find(FindingKind.OPENING_WRONG, detail, clause="ANN-2")
    hidden.seal_move(place.number, accepted.commitment, move)
    return move
