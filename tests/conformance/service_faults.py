"""Faults of a referee in what it takes in, answers and refuses, each with the check for it."""

from typing import Any

import grpc

from ronda.v1 import card_pb2, match_terms_pb2, move_pb2, view_pb2
from ronda.v1 import referee_service_pb2 as pb
from ronda_referee.service import RefereeService
from tests.conformance.faulty_referee import Fault, Memory, status_of

_STALE = b"STALE_DECISION"
_SEAT_CALLS = ("JoinMatch", "SubmitMove", "Resign", "RotateSeatToken", "GetView")


def _set(**values: Any) -> Any:  # noqa: ANN401 - values of fields
    """Give a change of a request that sets fields."""

    def change(_: RefereeService, __: Memory, request: Any) -> None:  # noqa: ANN401 - any request
        for name, value in values.items():
            setattr(request, name, value)

    return change


def _open_decision(service: RefereeService, _: Memory, request: pb.SubmitMoveRequest) -> None:
    decisions = service._referee.match(request.match_id).published.decisions
    if decisions:
        request.decision_id = min(decisions.values())


def _answered_anew(
    _: RefereeService, memory: Memory, request: pb.SubmitMoveRequest, answer: pb.SubmitMoveResponse
) -> None:
    if (request.match_id, request.seat_token, request.request_id) in memory.answers:
        answer.sequence += 1


def _another_id(_: RefereeService, memory: Memory, request: pb.SubmitMoveRequest) -> None:
    key = (request.match_id, request.seat_token, request.request_id)
    if key in memory.answers and request.decision_id != memory.kept.setdefault(
        key, request.decision_id
    ):
        request.request_id += "'"
    memory.kept.setdefault(key, request.decision_id)


def _match_id_as_token(_: RefereeService, memory: Memory, request: Any) -> None:  # noqa: ANN401 - any request
    if request.seat_token == request.match_id and request.match_id in memory.tokens:
        request.seat_token = memory.tokens[request.match_id][0]


def _any_token(_: RefereeService, memory: Memory, request: Any) -> None:  # noqa: ANN401 - any request
    for tokens in memory.tokens.values():
        if request.seat_token in tokens and request.match_id in memory.tokens:
            seat = tokens.index(request.seat_token)
            own = memory.tokens[request.match_id]
            request.seat_token = own[seat % len(own)]
            return


def _no_token(_: RefereeService, memory: Memory, request: Any) -> None:  # noqa: ANN401 - any request
    if not request.seat_token and request.match_id in memory.tokens:
        request.seat_token = memory.tokens[request.match_id][0]


def _token_of_the_asked(
    service: RefereeService, memory: Memory, request: pb.SubmitMoveRequest
) -> None:
    if request.match_id in memory.tokens:
        request.seat_token = memory.token_to_act(service, request.match_id) or request.seat_token


def _short_token(_: RefereeService, memory: Memory, request: Any) -> None:  # noqa: ANN401 - any request
    for token in memory.tokens.get(request.match_id, ()):
        if len(request.seat_token) > 40 and token.startswith(request.seat_token):
            request.seat_token = token


def _swapped_tokens(
    _: RefereeService, __: Memory, ___: object, answer: pb.CreateMatchResponse
) -> None:
    answer.seat_tokens[:] = reversed(answer.seat_tokens)


def _hand_changed(_: RefereeService, __: Memory, ___: object, answer: pb.GetViewResponse) -> None:
    if answer.HasField("seat_view"):
        hand = list(answer.seat_view.hand)
        del answer.seat_view.hand[:]
        answer.seat_view.hand.extend(reversed(hand))


def _public_of(answer: pb.GetViewResponse) -> view_pb2.PublicView:
    if answer.HasField("seat_view"):
        return answer.seat_view.public
    return answer.public_view


def _table_behind(_: RefereeService, __: Memory, ___: object, answer: pb.GetViewResponse) -> None:
    table = _public_of(answer).table
    if len(table) > 1:
        del table[-1]


def _score_given(
    _: RefereeService, __: Memory, request: pb.GetViewRequest, answer: pb.GetViewResponse
) -> None:
    if not request.seat_token:
        answer.public_view.scores[0] += 1


def _hand_shown(
    service: RefereeService, memory: Memory, request: pb.GetViewRequest, answer: pb.GetViewResponse
) -> None:
    if answer.HasField("decision") and not answer.seat_view.public.over:
        for seat, cards in enumerate(_hands(service, request.match_id)):
            if seat != answer.seat_view.seat and cards:
                answer.seat_view.public.caida_card.CopyFrom(cards[0])


def _hands(service: RefereeService, match_id: str) -> list[list[card_pb2.Card]]:
    from ronda_referee.convert import seat_view_to_proto  # noqa: PLC0415 - of this fault alone
    from ronda_rules.view import seat_view  # noqa: PLC0415 - as above

    match = service._referee.match(match_id)
    state = match.seen(0)
    assert state is not None
    return [list(seat_view_to_proto(seat_view(state, seat)).hand) for seat in range(match.seats)]


def _decision_for_all(
    _: RefereeService, __: Memory, ___: object, answer: pb.GetViewResponse
) -> None:
    if answer.HasField("public_view") and answer.public_view.to_act:
        answer.decision.decision_id = answer.next_sequence - 1


def _answered_shown(
    _: RefereeService, memory: Memory, request: pb.GetViewRequest, answer: pb.GetViewResponse
) -> None:
    public = _public_of(answer)
    tokens = memory.tokens[request.match_id]
    seats = {tokens.index(token) for token in memory.moved.get(request.match_id, ())}
    if public.asked == view_pb2.ASKED_ANNOUNCEMENT:
        public.answered[:] = sorted(seats)


def _answers_counted(
    _: RefereeService, memory: Memory, request: pb.SubmitMoveRequest, answer: pb.SubmitMoveResponse
) -> None:
    if (request.match_id, request.seat_token, request.request_id) not in memory.answers:
        answer.sequence += len(memory.moved.get(request.match_id, ()))


def _card_in_window(_: RefereeService, __: Memory, ___: object, answer: pb.GetViewResponse) -> None:
    if _public_of(answer).asked in {view_pb2.ASKED_CHALLENGE, view_pb2.ASKED_CLAIM}:
        for card in answer.seat_view.hand:
            answer.decision.legal_moves.add(play=move_pb2.Play(card=card))
        if not answer.seat_view.hand:
            answer.decision.legal_moves.add(play=move_pb2.Play())


def _no_time(_: RefereeService, __: Memory, ___: object, answer: pb.GetViewResponse) -> None:
    answer.decision.ClearField("milliseconds_left") if answer.HasField("decision") else None


def _no_details(_: str, __: object, status: Any) -> None:  # noqa: ANN401 - a status
    del status.details[:]


def _no_fields(_: str, __: object, status: Any) -> None:  # noqa: ANN401 - a status
    del status.details[1:]


def _token_told(_: str, request: Any, status: Any) -> None:  # noqa: ANN401 - any request
    status.message += f" (asked for {getattr(request, 'match_id', '')})"


def _known_fields(_: RefereeService, __: Memory, request: pb.CreateMatchRequest) -> None:
    request.DiscardUnknownFields()


def _pages_from_the_start(_: RefereeService, __: Memory, request: pb.ListMatchesRequest) -> None:
    if request.page_token and request.page_token != "!":
        request.page_token = ""
        request.page_size = 500


def _filter_lost(_: RefereeService, __: Memory, request: pb.ListMatchesRequest) -> None:
    request.state = pb.MATCH_STATE_UNSPECIFIED


def _tokens_listed(
    _: RefereeService, memory: Memory, __: object, answer: pb.ListMatchesResponse
) -> None:
    for one in answer.matches:
        one.names[:] = memory.tokens.get(one.match_id, [])


def _terms(**values: Any) -> Any:  # noqa: ANN401 - values of fields
    def change(_: RefereeService, __: Memory, request: pb.CreateMatchRequest) -> None:
        for name, value in values.items():
            if getattr(request.terms, name):
                setattr(request.terms, name, value)

    return change


def _legal_instead(service: RefereeService, _: Memory, request: pb.SubmitMoveRequest) -> None:
    match = service._referee.match(request.match_id)
    if request.move.HasField("play") and request.move.play.card.suit and match.published.decisions:
        seat = min(match.published.decisions)
        request.move.play.card.CopyFrom(_hands(service, request.match_id)[seat][0])


def _resigned_anew(
    _: RefereeService, memory: Memory, request: pb.ResignRequest, answer: pb.ResignResponse
) -> None:
    answer.sequence += memory.kept.setdefault(request.match_id, 0)
    memory.kept[request.match_id] += 1


def _old_token_stays(
    _: RefereeService,
    memory: Memory,
    request: Any,  # noqa: ANN401 - any request
) -> None:
    for old, new in memory.kept.items():
        if request.seat_token == old:
            request.seat_token = new


def _token_changed(
    _: RefereeService, memory: Memory, request: pb.RotateSeatTokenRequest, __: object
) -> None:
    memory.kept[request.seat_token] = request.new_seat_token


FIRST_FAULTS: dict[str, Fault] = {
    "a stale decision is taken for the open one": Fault(
        "service-move-stale", sent={"SubmitMove": _open_decision}
    ),
    "a request that comes again is answered anew": Fault(
        "service-move-again", answered={"SubmitMove": _answered_anew}
    ),
    "a request id with other contents counts as another id": Fault(
        "service-move-id-reused", sent={"SubmitMove": _another_id}
    ),
    "a card that is not in the hand is played as another one": Fault(
        "service-move-illegal", sent={"SubmitMove": _legal_instead}
    ),
    "a seat moves for the one that is asked": Fault(
        "service-token-other-seat", sent={"SubmitMove": _token_of_the_asked}
    ),
    "the match's id opens a seat": Fault(
        "service-token-match-id", sent=dict.fromkeys(_SEAT_CALLS, _match_id_as_token)
    ),
    "a token of another match opens a seat": Fault(
        "service-token-other-match", sent=dict.fromkeys(_SEAT_CALLS, _any_token)
    ),
    "no token opens a seat": Fault(
        "service-token-empty", sent=dict.fromkeys(_SEAT_CALLS[:4], _no_token)
    ),
    "the beginning of a token opens a seat": Fault(
        "service-token-wrong", sent=dict.fromkeys(_SEAT_CALLS, _short_token)
    ),
    "the tokens are given in another order": Fault(
        "service-token-own-seat", answered={"CreateMatch": _swapped_tokens}
    ),
    "a card of another hand stands in another field of the view": Fault(
        "service-hidden-view", answered={"GetView": _hand_shown}
    ),
    "the view's hand is in another order": Fault(
        "service-view-folds", answered={"GetView": _hand_changed}
    ),
    "the view's table lacks a card": Fault(
        "service-view-folds", answered={"GetView": _table_behind}
    ),
    "the view's cards do not add up": Fault(
        "service-view-invariants", answered={"GetView": _table_behind}
    ),
    "the public sees another score than the seats": Fault(
        "service-view-public-part", answered={"GetView": _score_given}
    ),
    "the public is shown a decision": Fault(
        "service-view-decision", answered={"GetView": _decision_for_all}
    ),
    "who has sealed an answer is told": Fault(
        "service-sealed-two", answered={"GetView": _answered_shown}
    ),
    "sealed answers are numbered as they come": Fault(
        "service-sealed-four", answered={"SubmitMove": _answers_counted}
    ),
    "a window offers cards": Fault(
        "service-window-challenge", answered={"GetView": _card_in_window}
    ),
    "a claim window offers cards": Fault(
        "service-window-claim", answered={"GetView": _card_in_window}
    ),
    "the time left is not told": Fault("service-clock-told", answered={"GetView": _no_time}),
    "who is late forfeits where the referee should move": Fault(
        "service-clock-automatic",
        sent={"CreateMatch": _terms(time_out=match_terms_pb2.TIME_OUT_FORFEIT)},
    ),
    "who is late is moved for where it should forfeit": Fault(
        "service-clock-forfeit",
        sent={"CreateMatch": _terms(time_out=match_terms_pb2.TIME_OUT_AUTOMATIC)},
    ),
    "refusals are not counted": Fault(
        "service-refusals-forfeit", sent={"CreateMatch": _terms(most_refusals=1000)}
    ),
    "spectators are not delayed": Fault(
        "service-spectator-delayed", sent={"CreateMatch": _terms(spectator_delay=0)}
    ),
    "a name is not recorded": Fault("service-join-recorded", sent={"JoinMatch": _set(name="")}),
    "a seat's bytes are not recorded": Fault(
        "service-join-recorded", sent={"JoinMatch": _set(entropy=b"")}
    ),
    "an unknown parameter is passed over": Fault(
        "service-create-unknown-parameter", sent={"CreateMatch": _known_fields}
    ),
    "a stale decision has another status": Fault(
        "service-move-stale", refused=status_of(grpc.StatusCode.ABORTED, _STALE)
    ),
    "a wrong token is UNAUTHENTICATED": Fault(
        "service-token-wrong", refused=status_of(grpc.StatusCode.UNAUTHENTICATED, b"WRONG_TOKEN")
    ),
    "refusals have no reason": Fault("service-create-no-rules", refused=_no_details),
    "refusals name no field": Fault("service-create-invalid-seats", refused=_no_fields),
    "a refusal repeats a token": Fault("service-call-error-details", refused=_token_told),
    "pages begin anew": Fault("service-list-pages", sent={"ListMatches": _pages_from_the_start}),
    "lists are not filtered by state": Fault(
        "service-list-filters", sent={"ListMatches": _filter_lost}
    ),
    "lists show tokens": Fault("service-list-secrets", answered={"ListMatches": _tokens_listed}),
    "who resigns again gets another answer": Fault(
        "service-resign", answered={"Resign": _resigned_anew}
    ),
    "the old token opens the seat still": Fault(
        "service-rotate-token",
        sent=dict.fromkeys(_SEAT_CALLS, _old_token_stays),
        answered={"RotateSeatToken": _token_changed},
    ),
}
