"""The steps of a match as sentences, and the table between them, in one language."""

from collections.abc import Iterable
from dataclasses import dataclass

from google.protobuf import text_format

from ronda.v1 import event_pb2, log_pb2
from ronda_conformance.event_sentences import Sentences
from ronda_conformance.event_texts import MalformedEventError
from ronda_conformance.glossary import Glossary, GlossaryUnknownError
from ronda_replay.names import LONGEST_TEXT, Names, printable
from ronda_replay.steps import Match, Step

_LONGEST_UNKNOWN = 200
_FORFEITS: dict[int, str] = {
    log_pb2.FORFEIT_REASON_TIME_OUT: "forfeit_time_out",
    log_pb2.FORFEIT_REASON_RESIGNED: "forfeit_resigned",
    log_pb2.FORFEIT_REASON_REFUSALS: "forfeit_refusals",
}
_ENDS: dict[int, str] = {
    log_pb2.END_REASON_FORFEITED: "ended_forfeited",
    log_pb2.END_REASON_NOT_JOINED: "ended_not_joined",
    log_pb2.END_REASON_CANCELLED: "ended_cancelled",
}


@dataclass(frozen=True, slots=True)
class Language:
    """In what a match is told: a glossary, and whether its Latin letters are wanted."""

    glossary: Glossary
    latin: bool = False

    @property
    def direction(self) -> str:
        """`rtl` or `ltr`, for what is shown."""
        return "ltr" if self.latin else self.glossary.direction

    @property
    def tag(self) -> str:
        """The language's tag, as a page names it."""
        latin = self.latin and self.glossary.direction == "rtl"
        return f"{self.glossary.language}-Latn" if latin else self.glossary.language


class Teller:
    """Tells the steps of a match.

    Args:
        language: in what.
        match: what the log says of the match as a whole.
        seat: whose point of view; None: everything is told.
        isolated: whether names get the marks that keep their direction to themselves.
    """

    def __init__(
        self,
        language: Language,
        match: Match,
        seat: int | None = None,
        *,
        isolated: bool = False,
    ) -> None:
        self.names = Names(
            language.glossary,
            match.header.seats,
            match.names,
            latin=language.latin,
            isolated=isolated,
        )
        self._sentences = Sentences(
            language.glossary,
            latin=language.latin,
            seat_name=self.names.seat,
            side_name=self.names.side,
        )
        self._by_number = Sentences(language.glossary, latin=language.latin)
        self._match = match
        self._seat = seat
        self._ended: tuple[list[int], list[int]] | None = None

    def tell(self, step: Step) -> list[str]:
        """Give the sentences of a step; none where there is nothing to tell of it."""
        match step.kind:
            case "header":
                return self._header(step.record.header)
            case "seat_joined":
                return [self._joined(step.record.seat_joined)]
            case "forfeit_declared":
                declared = step.record.forfeit_declared
                reason = _FORFEITS.get(declared.reason)
                return (
                    []
                    if reason is None
                    else [self.say(reason, seat=self.names.seat(declared.seat))]
                )
            case "match_result":
                return self._result(step.record.match_result)
            case "signature":
                return self._signature(step)
            case _:
                return self._event(step)

    def say(self, key: str, /, **values: str) -> str:
        """Give what a replay says besides the events."""
        return self._sentences.say("replay", key, **values)

    def word(self, key: str) -> str:
        """Give a word of the game."""
        return self._sentences.say("words", key)

    def entry(self, section: str, key: str) -> str:
        """Give any other entry of the glossary that needs nothing filled in."""
        return self._sentences.say(section, key)

    def scores(self, scores: Iterable[tuple[int, int]]) -> str:
        """Give the line of the scores."""
        return self.labelled("score", self._sentences.by_side(scores))

    def labelled(self, word: str, value: str = "") -> str:
        """Give a value with a word of the game before it."""
        return self.say("label", word=self.word(word), value=value)

    def _header(self, header: log_pb2.LogHeader) -> list[str]:
        rules = header.rule_set
        told = [
            self.say(
                "match",
                match_id=printable(header.match_id),
                title=printable(rules.title or rules.id),
                rule_set=printable(rules.id),
                seats=str(header.seats),
                target=str(rules.target),
            ),
            self.say("engine", version=printable(header.engine_version)),
        ]
        if header.fixed_draws_commitment:
            told.append(self.say("fixed"))
        elif header.shared_shuffle_id:
            shuffle_id = printable(header.shared_shuffle_id, LONGEST_TEXT)
            told.append(
                self.say("shared", shuffle_id=shuffle_id, commitment=_hex(header.seed_commitment))
            )
        else:
            told.append(self.say("shuffled", commitment=_hex(header.seed_commitment)))
        told.append(self.say("key", key=_hex(header.public_key)))
        if self._seat is not None:
            told.append(self.say("seen_by", seat=self.names.seat(self._seat)))
        elif not self._match.opened:
            told.append(self.say("hidden"))
        return told

    def _joined(self, joined: log_pb2.SeatJoined) -> str:
        seat, name = self._by_number.seat(joined.seat), self.names.player(joined.seat)
        if not joined.entropy:
            return self.say("joined", seat=seat, name=name)
        return self.say("joined_entropy", seat=seat, name=name, entropy=_hex(joined.entropy))

    def _result(self, result: log_pb2.MatchResult) -> list[str]:
        told = [self.say(_ENDS[result.reason])] if result.reason in _ENDS else []
        outcome = list(result.winners), list(result.scores)
        if not result.winners:
            told.append(
                self.say("nobody", scores=self._sentences.by_side(enumerate(result.scores)))
            )
        elif outcome != self._ended:
            # The last event said it, unless the log is not as it should be.
            ended = event_pb2.MatchEnded(winners=result.winners, scores=result.scores)
            told.append(self._sentences.event(event_pb2.Event(match_ended=ended)))
        if self._seat is None:
            told.append(self.say("seed", seed=_hex(result.seed)))
        return [_cut(line) for line in told]

    def _signature(self, step: Step) -> list[str]:
        opened = [] if self._seat is not None else [self.say("opened", count=str(step.openings))]
        return [*opened, self.say("signed")]

    def _event(self, step: Step) -> list[str]:
        event = step.seen_by(self._seat)
        if event is None:
            return []
        if step.kind == "match_ended":
            self._ended = list(event.match_ended.winners), list(event.match_ended.scores)
        try:
            told = self._sentences.event(event)
        except (MalformedEventError, GlossaryUnknownError):
            shown = text_format.MessageToString(event, as_one_line=True)
            told = self.say("untold", event=printable(shown, _LONGEST_UNKNOWN) or "-")
        return [_cut(self.say("automatic", told=told) if step.automatic else told)]


def _hex(value: bytes) -> str:
    return value[:LONGEST_TEXT].hex() or "-"


def _cut(text: str) -> str:
    return text if len(text) <= LONGEST_TEXT else text[: LONGEST_TEXT - 1] + "…"
