"""An episode: a match of its own, and a row of requests that hang on the seed and their numbers.

Each request is made up from the seed and its number, and from what the requests before it in the
episode have made of the match; so an episode can be run again alone.
"""

import base64
import random
from collections.abc import Awaitable, Callable
from typing import cast

from google.protobuf.descriptor import Descriptor
from google.protobuf.message import DecodeError, Message
from google.protobuf.message_factory import GetMessageClass

from ronda.conformance.v1 import testee_service_pb2
from ronda.v1 import referee_service_pb2 as pb
from ronda.v1.log_pb2 import SharedShuffle
from ronda.v1.match_terms_pb2 import MatchTerms
from ronda.v1.move_pb2 import Move
from ronda.v1.rule_set_pb2 import RuleSet
from tests.fuzz.checks import TOO_LARGE, Broken, check
from tests.fuzz.documented import DOCUMENTED
from tests.fuzz.hostile import hostile
from tests.fuzz.messages import Known, alter, made_up
from tests.fuzz.sending import LARGEST_REQUEST, METHODS, REFEREE, TESTEE, Metadata, Outcome, send
from tests.fuzz.streams import play_session
from tests.fuzz.surroundings import (
    PRESETS,
    TERMS,
    Surroundings,
    altered_position,
    pack_of_draws,
)
from tests.fuzz.untouched import seen
from tests.fuzz.wire import damaged

LENGTH = 40
"""How many requests an episode has."""

_PATIENCE_SECONDS = 0.2
_SEAT_CALLS = ("JoinMatch", "GetView", "SubmitMove", "SubmitMove", "RotateSeatToken")
_ORGANISERS = ("CancelMatch", "BackupStore")


class Episode:
    """One episode.

    Attributes:
        last: what was sent last, for people.
        match_id: the match of its own; empty until it is created.
        tokens: the tokens of its seats, by seat.
    """

    def __init__(self, surroundings: Surroundings, seed: int, number: int) -> None:
        """Prepare an episode of a run."""
        self.last = ""
        self.match_id = ""
        self.tokens: list[str] = []
        self.around = surroundings
        self.steady = True
        self._seed = seed
        self._number = number
        self._timed = False
        self._neighbours: list[tuple[str, list[str]]] = []
        self._old_tokens: list[str] = []
        self._accepted: list[tuple[bytes, int]] = []
        self._page_token = ""

    @property
    def first(self) -> int:
        """The number of its first request."""
        return self._number * LENGTH

    def rng(self, what: object) -> random.Random:
        """Give the choices that go by a name."""
        return random.Random(f"{self._seed}/{what}")

    async def begin(self) -> None:
        """Create the match, and one beside it."""
        rng = self.rng(f"episode {self._number}")
        terms = MatchTerms(most_refusals=1_000_000)
        if rng.random() < 0.4:
            terms = rng.choice(TERMS)
        self._timed = terms.HasField("time_control") or bool(terms.join_timeout_ms)
        rule_set = RuleSet()
        rule_set.CopyFrom(rng.choice(list(PRESETS.values())))
        request = pb.CreateMatchRequest(
            rule_set_id=rule_set.id, seats=rng.choice(rule_set.seats).count, terms=terms
        )
        if rng.random() < 0.3:
            request.fixed_draws.CopyFrom(pack_of_draws(rng))
        wilder = pb.CreateMatchRequest()
        wilder.CopyFrom(request)
        for _ in range(rng.randint(1, 4)):
            alter(rng, rule_set, Known())
        rule_set.id = "fuzz"
        wilder.rule_set.CopyFrom(rule_set)
        for created in (wilder, request, pb.CreateMatchRequest(rule_set_id="maghribi", seats=2)):
            outcome = await self.send("CreateMatch", created.SerializeToString())
            if outcome.ok:
                break
        self.match_id, self.tokens = self._neighbours.pop()
        for seat in range(rng.choice((0, len(self.tokens), len(self.tokens)))):
            await self.send("JoinMatch", self._join(rng, seat).SerializeToString())
        beside = pb.CreateMatchRequest(rule_set_id="maghribi", seats=2)
        await self.send("CreateMatch", beside.SerializeToString())

    async def end(self) -> None:
        """Cancel what still goes on."""
        for match_id, _ in (*self._neighbours, (self.match_id, self.tokens)):
            cancel = pb.CancelMatchRequest(match_id=match_id)
            await self.send("CancelMatch", cancel.SerializeToString(), self.around.organiser)

    async def request(self, number: int) -> Outcome:
        """Send one request and hold what comes of it against what must hold.

        Raises:
            Broken: something else came of it.
        """
        rng = self.rng(number)
        kinds: list[tuple[int, Callable[[random.Random], Awaitable[Outcome]]]] = [
            (20, self._legal_move),
            (28, self._nearly_valid),
            (26, self._made_up),
            (8, self._testee),
            (6, lambda rng: play_session(rng, self)),
            (5, lambda rng: hostile(rng, self)),
            (3, self._again),
            (2, self._ending),
        ]
        (kind,) = rng.choices([one for _, one in kinds], [weight for weight, _ in kinds])
        return await kind(rng)

    async def send(self, name: str, data: bytes, metadata: Metadata = ()) -> Outcome:
        """Send one request to a call of the referee, and check what comes of it."""
        method = name if name.startswith("/") else REFEREE + name
        self.last = f"{method} {data.hex()} {metadata!r}"
        stream = METHODS[method].server_streaming
        outcome = await send(
            self.around.channel,
            method,
            data,
            metadata,
            take=3 if stream and method.rpartition("/")[2] != "GetMatchLog" else None,
            patience=_PATIENCE_SECONDS if stream else None,
        )
        self._note(method, data, outcome)
        too_large = len(data) > LARGEST_REQUEST
        check(outcome, self.around.secrets, TOO_LARGE if too_large else frozenset())
        return outcome

    def known(self, rng: random.Random, *, own: bool = False) -> Known:
        """Give what the requests before have brought to light; `own`: of matches to be changed."""
        around = self.around
        ids = [self.match_id, self.match_id, *(match_id for match_id, _ in self._neighbours)]
        others = [token for _, tokens in self._neighbours for token in tokens]
        tokens = [*self.tokens, *self.tokens, "", *others, *self._old_tokens[-2:]]
        if not own:
            ids += [*around.untouched.ids, rng.choice(tokens), "0" * 20]
        fresh = base64.urlsafe_b64encode(rng.randbytes(32)).rstrip(b"=").decode()
        around.secrets.add([fresh])
        rule_set = RuleSet()
        rule_set.CopyFrom(rng.choice(list(PRESETS.values())))
        if rng.random() < 0.8:
            rule_set.id = "fuzz"
        return Known(
            texts={
                "match_id": ids,
                "seat_token": [*tokens, self.match_id],
                "new_seat_token": [fresh, fresh, *self.tokens],
                "rule_set_id": [*PRESETS, rng.choice(tokens)],
                "id": list(PRESETS),
                "page_token": [self._page_token],
                "request_id": [f"r{rng.randrange(5)}", f"r{rng.random()}"],
                "name": ["", "Aïcha", "bot"],
                "service": ["", "ronda.v1.RefereeService", "ronda.v1.Nothing"],
                "file_by_filename": ["ronda/v1/card.proto"],
                "file_containing_symbol": ["ronda.v1.Card", "ronda.v1.RefereeService"],
                "containing_type": ["ronda.v1.Card"],
                "position": [altered_position(rng, rng.choice(around.positions))],
            },
            numbers={
                "seats": (2, 3, 4),
                "seat": (0, 1, 2, 3),
                "decision_id": tuple(range(8)),
                "from_sequence": (0, 1, 5, 30, 10_000),
                "page_size": (0, 1, 500, 501),
                "most_refusals": (1_000_000,),
                "per_move_ms": (1, 1_000, 86_400_000),
            },
            messages={
                "ronda.v1.RuleSet": [rule_set],
                "ronda.v1.CreateMatchRequest": [
                    pb.CreateMatchRequest(
                        rule_set_id="maghribi", seats=2, fixed_draws=pack_of_draws(rng)
                    )
                ],
                "ronda.v1.FixedDraws": [pack_of_draws(rng)],
                "ronda.v1.SharedShuffle": [SharedShuffle(seed=bytes(32), shuffle_id="fuzz")],
                "ronda.v1.MatchTerms": TERMS,
            },
        )

    async def turn(self, rng: random.Random, seat: int) -> tuple[pb.SubmitMoveRequest, bool]:
        """Give a move of a seat, and whether it is asked for one: then the move is legal."""
        request = pb.SubmitMoveRequest(
            match_id=self.match_id, seat_token=self.tokens[seat], request_id=f"r{rng.random()}"
        )
        ask = pb.GetViewRequest(match_id=self.match_id, seat_token=self.tokens[seat])
        outcome = await self.send("GetView", ask.SerializeToString())
        view = pb.GetViewResponse()
        if outcome.ok:
            view.ParseFromString(outcome.answers[0])
        if view.HasField("decision"):
            request.decision_id = view.decision.decision_id
            request.move.CopyFrom(rng.choice(view.decision.legal_moves))
            return request, True
        request.decision_id = rng.randrange(30)
        request.move.MergeFrom(cast("Move", made_up(rng, Move.DESCRIPTOR, Known())))
        return request, False

    async def _legal_move(self, rng: random.Random) -> Outcome:
        """Have the seat that must act make a legal move, which must be accepted."""
        for seat in rng.sample(range(len(self.tokens)), len(self.tokens)):
            request, asked = await self.turn(rng, seat)
            if asked:
                outcome = await self.send("SubmitMove", request.SerializeToString())
                if not outcome.ok and self.steady and not self._timed:
                    raise Broken(f"a legal move was refused: {outcome}")
                return outcome
        request, _ = await self.turn(rng, 0)
        return await self._send_checked(rng, "SubmitMove", request)

    async def _nearly_valid(self, rng: random.Random) -> Outcome:
        name = rng.choice((*_SEAT_CALLS, *_SEAT_CALLS, *_SEAT_CALLS, *DOCUMENTED))
        message = await self._valid(rng, name)
        if rng.random() < 0.75:
            alter(rng, message, self.known(rng, own=name in _ORGANISERS))
        return await self._send_checked(rng, name, message)

    async def _made_up(self, rng: random.Random) -> Outcome:
        method = rng.choice(list(METHODS))
        descriptor = METHODS[method].input_type
        name = method.rpartition("/")[2]
        message = made_up(rng, descriptor, self.known(rng, own=name in _ORGANISERS))
        return await self._send_checked(rng, method, message)

    async def _testee(self, rng: random.Random) -> Outcome:
        descriptor = testee_service_pb2.RunRequest.DESCRIPTOR
        message = made_up(rng, descriptor, self.known(rng))
        if rng.random() < 0.5 and isinstance(message, testee_service_pb2.RunRequest):
            message.rule_set.CopyFrom(rng.choice(list(PRESETS.values())))
            message.seats = rng.choice(message.rule_set.seats).count
        return await self._send_checked(rng, TESTEE, message)

    async def _again(self, rng: random.Random) -> Outcome:
        """Send an accepted move again: the answer must be the same."""
        known = [one for one in self._accepted if _token_of(one[0]) in self.tokens]
        if not known:
            return await self._nearly_valid(rng)
        data, sequence = rng.choice(known)
        outcome = await self.send("SubmitMove", data)
        if not outcome.ok or _sequence(outcome) != sequence:
            raise Broken(f"the same move again was answered {outcome}, not {sequence}")
        return outcome

    async def _ending(self, rng: random.Random) -> Outcome:
        """Give the match up or cancel it, whether it has ended or not; more is asked of it then."""
        name = rng.choice(("Resign", "Resign", "CancelMatch"))
        message = await self._valid(rng, name)
        metadata = self.around.organiser if name == "CancelMatch" else ()
        return await self.send(name, message.SerializeToString(), metadata)

    async def _valid(self, rng: random.Random, call: str) -> Message:
        seat = rng.randrange(len(self.tokens))
        if call == "JoinMatch":
            return self._join(rng, seat)
        if call == "SubmitMove":
            return (await self.turn(rng, seat))[0]
        message = GetMessageClass(METHODS[REFEREE + call].input_type)()
        known = self.known(rng).texts
        values = {
            "match_id": self.match_id,
            "seat_token": self.tokens[seat],
            "new_seat_token": known["new_seat_token"][0],
            "rule_set_id": rng.choice(list(PRESETS)),
            "id": rng.choice(list(PRESETS)),
        }
        for name, value in values.items():
            if name in message.DESCRIPTOR.fields_by_name:
                setattr(message, name, value)
        return message

    def _join(self, rng: random.Random, seat: int) -> pb.JoinMatchRequest:
        return pb.JoinMatchRequest(
            match_id=self.match_id,
            seat_token=self.tokens[seat],
            name=rng.choice(("", "Aïcha", "bot")),
            entropy=rng.randbytes(rng.choice((0, 32, 64))),
        )

    async def _send_checked(self, rng: random.Random, name: str, message: Message) -> Outcome:
        """Send a message, damaged or not; one that is refused must leave the match as it was."""
        data = message.SerializeToString()
        if rng.random() < 0.25:
            other = made_up(rng, cast("Descriptor", message.DESCRIPTOR), self.known(rng, own=True))
            data = damaged(rng, data, other.SerializeToString())
        short = name.rpartition("/")[2]
        metadata: Metadata = ()
        draw = rng.random()
        if draw < 0.1 or (short == "CancelMatch" and draw < 0.3):
            metadata = self.around.organiser
        elif draw < 0.4 and short in _ORGANISERS:
            metadata = (("authorization", rng.choice(("Bearer x", "Bearer", "", "Basic eA=="))),)
        if short == "BackupStore" and rng.random() > 0.01:
            metadata = ()
        watching = self.steady and not self._timed and rng.random() < 0.1
        before = await seen(self.around.channel, self.match_id, self.tokens) if watching else {}
        outcome = await self.send(name, data, metadata)
        # With the last refusal that its terms allow a seat forfeits.
        if watching and not outcome.ok and not outcome.left and short != "SubmitMove":
            now = await seen(self.around.channel, self.match_id, self.tokens)
            if now != before:
                raise Broken(f"a refused request has changed the match: {outcome}")
        return outcome

    def _note(self, method: str, data: bytes, outcome: Outcome) -> None:
        """Remember what an answered request has brought to light."""
        if not method.startswith(REFEREE) or not outcome.ok:
            return
        request = GetMessageClass(METHODS[method].input_type)()
        try:
            request.ParseFromString(data)
        except DecodeError as error:
            raise Broken(f"what cannot be read was answered: {outcome}") from error
        if isinstance(request, pb.CreateMatchRequest):
            created = pb.CreateMatchResponse.FromString(outcome.answers[0])
            self._neighbours.append((created.match_id, list(created.seat_tokens)))
            self.around.secrets.add(created.seat_tokens)
        elif isinstance(request, pb.RotateSeatTokenRequest):
            self.around.secrets.add([request.new_seat_token])
            for tokens in (self.tokens, *(tokens for _, tokens in self._neighbours)):
                if request.seat_token in tokens:
                    # Where two seats have the same token it opens the last of them.
                    place = len(tokens) - 1 - tokens[::-1].index(request.seat_token)
                    tokens[place] = request.new_seat_token
                    # A token may open another seat now, whose moves those were not.
                    self._accepted.clear()
            self._old_tokens.append(request.seat_token)
        elif isinstance(request, pb.SubmitMoveRequest):
            if request.match_id == self.match_id:
                self._accepted.append((data, _sequence(outcome)))
        elif isinstance(request, pb.ListMatchesRequest):
            answer = pb.ListMatchesResponse.FromString(outcome.answers[0])
            self._page_token = answer.next_page_token


def _token_of(data: bytes) -> str:
    return pb.SubmitMoveRequest.FromString(data).seat_token


def _sequence(outcome: Outcome) -> int:
    return pb.SubmitMoveResponse.FromString(outcome.answers[0]).sequence
