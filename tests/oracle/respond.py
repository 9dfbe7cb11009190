"""Runs: a rule set, draws and moves in, everything that comes of them out."""

from collections.abc import Callable

from ronda.conformance.v1 import testee_service_pb2 as testee_pb2
from ronda.v1 import error_pb2, event_pb2, move_pb2, rule_set_pb2, view_pb2
from tests.oracle import moves, rule_set
from tests.oracle.cards import PACK, Card, from_message
from tests.oracle.deal import DrawInvalid, OutOfDraws
from tests.oracle.game import go_on_from, play_match
from tests.oracle.match import Match, MatchOver
from tests.oracle.moves import Refused
from tests.oracle.position import PositionInvalid, start_at
from tests.oracle.views import Seen, seen, sight
from tests.oracle.windows import Answer, Flow


class Run:
    """One match that is played move by move.

    Args:
        rules: A rule set that can be played.
        seats: How many seats; one of its counts.
        source: Names the next card to leave the pack, given the cards in it.
        drawn_dealer: Who deals first where that is drawn.
        draws_left: Tells how many cards the source can still name; None: any number.

    Raises:
        DrawInvalid: a draw names a card that is not in the pack, or no seat.
    """

    def __init__(
        self,
        rules: rule_set_pb2.RuleSet,
        seats: int,
        source: Callable[[list[Card]], Card],
        drawn_dealer: int = 0,
        draws_left: Callable[[], int] | None = None,
    ) -> None:
        self.match = Match(rules, seats, source, draws_left)
        self._seen = Seen(rules, seats, self.match.sides, scores=[0] * self.match.sides)
        self._flow: Flow = play_match(self.match, drawn_dealer)
        self._go_on(None)

    @classmethod
    def at(
        cls,
        rules: rule_set_pb2.RuleSet,
        text: str,
        source: Callable[[list[Card]], Card],
        draws_left: Callable[[], int] | None = None,
    ) -> "Run":
        """Go on from a position in notation.

        Raises:
            PositionInvalid: it cannot be read, or cannot be.
        """
        self = cls.__new__(cls)
        self.match, self._seen, turn = start_at(text, rules)
        self.match.source, self.match.draws_left = source, draws_left
        self._flow = go_on_from(self.match, turn)
        self._go_on(None)
        return self

    def legal_moves(self, seat: int) -> list[move_pb2.Move]:
        """Tell every legal move of a seat."""
        return moves.legal_moves(self.match, seat)

    def submit(self, seat: int, move: move_pb2.Move) -> list[event_pb2.Event]:
        """Make a move and tell what happens, up to the next question.

        Raises:
            Refused: the move is not legal; nothing has changed.
            DrawInvalid: a draw names a card that is not in the pack.
        """
        moves.check(self.match, seat, move)
        before = len(self.match.events)
        self._go_on((seat, move))
        return self.match.events[before:]

    def sight(self) -> testee_pb2.Sight:
        """Show what is to be seen."""
        self._seen = seen(self.match, self._seen)
        return sight(self.match, self._seen)

    def _go_on(self, answer: Answer | None) -> None:
        self.match.to_act = []
        self.match.asked = view_pb2.ASKED_UNSPECIFIED
        try:
            question = next(self._flow) if answer is None else self._flow.send(answer)
        except (MatchOver, OutOfDraws):
            return
        self.match.to_act, self.match.asked = question


def respond(request: testee_pb2.RunRequest) -> testee_pb2.RunResponse:
    """Play a request's moves and say after each what happened and what is to be seen."""
    try:
        check_request(request)
        return play(request)
    except Refused as refused:
        return testee_pb2.RunResponse(refusal=refusal(refused))
    except rule_set.RuleSetInvalid as invalid:
        reason = error_pb2.ERROR_REASON_RULE_SET_INVALID
        return testee_pb2.RunResponse(refusal=refusal(Refused(reason, str(invalid))))
    except PositionInvalid as invalid:
        reason = error_pb2.ERROR_REASON_POSITION_INVALID
        return testee_pb2.RunResponse(refusal=refusal(Refused(reason, str(invalid))))
    except DrawInvalid as invalid:
        reason = error_pb2.ERROR_REASON_DRAW_INVALID
        return testee_pb2.RunResponse(refusal=refusal(Refused(reason, str(invalid))))


def refusal(refused: Refused) -> testee_pb2.Refusal:
    """Write down why something is refused."""
    return testee_pb2.Refusal(reason=refused.reason, detail=refused.detail)


def check_request(request: testee_pb2.RunRequest) -> None:
    """Refuse a start that cannot be, in the order of the schema's comment.

    Raises:
        Refused: with the reason.
    """
    unplayable = error_pb2.ERROR_REASON_RULE_SET_INVALID
    try:
        rule_set.check(request.rule_set)
    except rule_set.RuleSetInvalid as invalid:
        raise Refused(unplayable, str(invalid)) from invalid
    for place, card in enumerate(request.draws):
        if from_message(card) not in PACK:
            raise Refused(error_pb2.ERROR_REASON_MALFORMED_REQUEST, f"draw {place} is no card")
    if request.position:
        return
    counts = [seats.count for seats in request.rule_set.seats]
    if request.seats not in counts:
        raise Refused(unplayable, f"seats {request.seats}, but the rule set allows {counts}")


def play(request: testee_pb2.RunRequest) -> testee_pb2.RunResponse:
    """Play a request that can be played.

    Raises:
        DrawInvalid: a draw names a card that is not in the pack.
    """
    draws = [from_message(card) for card in request.draws]

    def next_draw(_: list[Card]) -> Card:
        return draws.pop(0)

    def draws_left() -> int:
        return len(draws)

    rules = request.rule_set
    if request.position:
        run = Run.at(rules, request.position, next_draw, draws_left)
    else:
        run = Run(rules, request.seats, next_draw, request.drawn_dealer, draws_left)
    start = testee_pb2.StepResult(events=run.match.events, sight=run.sight())
    steps = []
    for made in request.moves:
        try:
            events = run.submit(made.seat, made.move)
            steps.append(testee_pb2.StepResult(events=events, sight=run.sight()))
        except Refused as refused:
            steps.append(testee_pb2.StepResult(refusal=refusal(refused), sight=run.sight()))
    return testee_pb2.RunResponse(start=start, steps=steps)
