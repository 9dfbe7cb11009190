"""Leaks to plant in the referee, one by each way to a watcher.

What is planted says something of cards that the watcher cannot know, of answers under seal, or of
turns that a spectator is behind; or it is a secret that nobody may ever see.
"""

import zlib
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
import structlog

from ronda.v1 import decision_pb2, log_pb2
from ronda.v1 import referee_service_pb2 as pb
from ronda_referee import (
    listing,
    log_export,
    play_stream,
    seat_calls,
    service,
    statuses,
    watching,
)
from ronda_referee import match as match_module
from ronda_referee import play as play_module
from ronda_referee.convert import decision_to_proto
from ronda_referee.match import Match
from ronda_referee.match_commands import Told
from ronda_referee.match_log import LogRow
from ronda_referee.metrics import Metrics
from ronda_referee.play import MatchPlay, Snapshot
from ronda_referee.store import StoredMatch
from ronda_rules.cards import card_text
from ronda_rules.engine import advance
from ronda_rules.errors import IllegalMove, Reason
from ronda_rules.events import Event, HandDealt
from ronda_rules.moves import AnyMove
from ronda_rules.state import MatchState
from ronda_rules.view import SeatView, public_part, seat_view
from tests.referee import watched_streams

Patch = pytest.MonkeyPatch

# The play that was shown or changed last: what a leak needs that sees no match by itself.
_last: dict[str, MatchPlay] = {}


def hidden(state: MatchState | None) -> int:
    """Give a number up to 255 that hangs on every card in every hand."""
    return 0 if state is None else zlib.crc32(repr(state.hands).encode()) % 256


def knowing(patch: Patch) -> None:
    """Keep the play that was touched last where leaks find it."""
    honest = MatchPlay._show  # a leak is no guest

    def show(play: MatchPlay) -> None:
        honest(play)
        _last["play"] = play

    patch.setattr(MatchPlay, "_show", show)


def known() -> int:
    """Give the number of the hidden cards of the match that was touched last."""
    return hidden(_last["play"].state) if "play" in _last else 0


def in_a_view(patch: Patch) -> None:
    """A seat's view has the last card of the seat after it."""

    def leaky(state: MatchState, seat: int) -> SeatView:
        view = seat_view(state, seat)
        return replace(view, hand=view.hand + state.hands[state.next_seat(seat)][-1:])

    patch.setattr(service, "seat_view", leaky)


def in_a_turn(patch: Patch) -> None:
    """The view that comes with a turn has the last card of the seat after it."""

    def leaky(state: MatchState, seat: int) -> SeatView:
        view = seat_view(state, seat)
        return replace(view, hand=view.hand + state.hands[state.next_seat(seat)][-1:])

    patch.setattr(watching, "seat_view", leaky)


def in_legal_moves(patch: Patch) -> None:
    """The legal moves come in another order where others hold other cards."""

    def leaky(state: MatchState, seat: int, decision_id: int) -> decision_pb2.Decision:
        decision = decision_to_proto(state, seat, decision_id)
        turned = hidden(state) % len(decision.legal_moves)
        moves = [*decision.legal_moves[turned:], *decision.legal_moves[:turned]]
        del decision.legal_moves[:]
        decision.legal_moves.extend(moves)
        return decision

    patch.setattr(watching, "decision_to_proto", leaky)


def in_an_event(patch: Patch) -> None:
    """A dealt hand's last card is left in for everyone."""

    def leaky(event: Event) -> Event:
        shown = public_part(event)
        if isinstance(event, HandDealt) and isinstance(shown, HandDealt):
            return replace(shown, cards=event.cards[-1:])
        return shown

    patch.setattr(play_module, "public_part", leaky)


def in_a_refusals_text(patch: Patch) -> None:
    """The refusal of a move names a card of the seat after it."""

    def leaky(state: MatchState, move: AnyMove) -> tuple[MatchState, tuple[Event, ...]]:
        try:
            return advance(state, move)
        except IllegalMove as error:
            cards = [card_text(card) for hand in state.hands for card in hand]
            raise IllegalMove(error.reason, error.clause, f"{error.detail} {cards}") from error

    patch.setattr(play_module, "advance", leaky)


def in_a_refusals_reason(patch: Patch) -> None:
    """A move is refused for another reason where others hold other cards."""

    def leaky(state: MatchState, move: AnyMove) -> tuple[MatchState, tuple[Event, ...]]:
        try:
            return advance(state, move)
        except IllegalMove as error:
            reason = Reason.NOT_YOUR_TURN if hidden(state) % 2 else Reason.CARD_NOT_IN_HAND
            raise IllegalMove(reason, error.clause, error.detail) from error

    patch.setattr(play_module, "advance", leaky)


def in_decision_ids(patch: Patch) -> None:
    """A decision's name hangs on hidden cards."""
    honest = MatchPlay._open_decisions  # a leak is no guest

    def leaky(play: MatchPlay, last_event: int, clock_ms: int) -> None:
        honest(play, last_event + hidden(play.state), clock_ms)

    patch.setattr(MatchPlay, "_open_decisions", leaky)


def in_a_list(patch: Patch) -> None:
    """A match's time in a list hangs on hidden cards."""
    honest = listing._summary  # a leak is no guest
    knowing(patch)

    def leaky(match: StoredMatch) -> pb.MatchSummary:
        summary = honest(match)
        summary.created_ms += known()
        return summary

    patch.setattr(listing, "_summary", leaky)


def in_a_page_token(patch: Patch) -> None:
    """A page's token hangs on hidden cards."""
    honest = listing._page_token  # a leak is no guest
    knowing(patch)

    def leaky(last: StoredMatch, filters: bytes) -> str:
        return honest(replace(last, number=(last.number or 0) + known()), filters)

    patch.setattr(listing, "_page_token", leaky)


def in_a_log_file(patch: Patch) -> None:
    """A log file before the end comes with the openings for all seats."""
    honest = log_export.log_parts

    def leaky(match: Match, seat: int | None) -> Iterator[pb.GetMatchLogResponse]:
        for part in honest(match, seat):
            for row in match.rows(0, match.published.sequence):
                if row.opening and row.visible_to is not None:
                    part.openings.append(log_pb2.CommitmentOpening.FromString(row.opening))
            yield part

    patch.setattr(service, "log_parts", leaky)


def in_a_metrics_label(patch: Patch) -> None:
    """Refusals are counted by hidden cards."""
    honest = Metrics.refused
    knowing(patch)
    patch.setattr(Metrics, "refused", lambda self, reason: honest(self, f"{reason} {known()}"))


def in_a_metrics_card(patch: Patch) -> None:
    """Refusals are counted by a card, the same in both."""
    honest = Metrics.refused
    patch.setattr(Metrics, "refused", lambda self, reason: honest(self, f"{reason} of 7o"))


def in_a_log_line(patch: Patch) -> None:
    """A refusal is logged with hidden cards."""
    honest = statuses.refusal
    knowing(patch)

    def leaky(error: Exception) -> pb.PlayRefusal:
        structlog.get_logger().info("refusing", hands=known())
        return honest(error)

    patch.setattr(play_stream, "refusal", leaky)


def in_a_log_line_with_a_token(patch: Patch) -> None:
    """The token that opens a seat is logged."""
    honest = seat_calls.open_seat

    def leaky(match: Match, token: str) -> int:
        structlog.get_logger().info("seat opened", token=token)
        return honest(match, token)

    patch.setattr(seat_calls, "open_seat", leaky)


def in_a_log_line_with_a_seed(patch: Patch) -> None:
    """The seed is logged."""
    honest = MatchPlay._start  # a leak is no guest

    def leaky(play: MatchPlay) -> Any:  # noqa: ANN401 - whatever it gives
        structlog.get_logger().info("begins", seed=play._seed.hex())  # same
        return honest(play)

    patch.setattr(MatchPlay, "_start", leaky)


def by_the_order_of_sealed_answers(patch: Patch) -> None:
    """Answers under seal are shown, still sealed, as they come."""

    def leaky(play: MatchPlay) -> None:
        play.visible = Snapshot(play.sequence, play.state)
        play.delayed = play.visible

    patch.setattr(MatchPlay, "_show", leaky)


def by_who_must_answer_still(patch: Patch) -> None:
    """A refusal says how many have answered under seal."""

    def leaky(state: MatchState, move: AnyMove) -> tuple[MatchState, tuple[Event, ...]]:
        try:
            return advance(state, move)
        except IllegalMove as error:
            detail = f"{error.detail}; {len(state.sealed)} have answered"
            raise IllegalMove(error.reason, error.clause, detail) from error

    patch.setattr(play_module, "advance", leaky)


def by_the_number_of_a_sealed_answer(patch: Patch) -> None:
    """A seat is told its sealed answer's own number, and so how many came before."""
    patch.setattr(MatchPlay, "_known_as", lambda _, row: row.sequence)


def by_the_clock_of_a_sealed_answer(patch: Patch) -> None:
    """The clock of a seat that has answered under seal is shown stopped."""
    honest = match_module.Match._publish  # a leak is no guest

    def leaky(match: Match, play: MatchPlay) -> None:
        honest(match, play)
        if play._clocks is not None:  # same
            match.published = replace(match.published, clocks=play._clocks.standing())  # same

    patch.setattr(match_module.Match, "_publish", leaky)


def by_a_delay_that_is_one_short(patch: Patch) -> None:
    """A spectator is behind by one turn less than the terms say."""
    honest = MatchPlay.__init__

    def leaky(play: MatchPlay, header: log_pb2.LogHeader, *others: Any) -> None:  # noqa: ANN401 - whatever it takes
        less = log_pb2.LogHeader()
        less.CopyFrom(header)
        less.terms.spectator_delay = max(0, header.terms.spectator_delay - 1)
        honest(play, less, *others)

    patch.setattr(MatchPlay, "__init__", leaky)


def in_a_delayed_view(patch: Patch) -> None:
    """A spectator who is behind sees the table as it is now."""
    knowing(patch)
    patch.setattr(Match, "seen", lambda *_: _last["play"].state)


def in_an_opening(patch: Patch) -> None:
    """A hand's opening is sent to the seat after its owner."""

    def leaky(row: LogRow, seat: int | None) -> pb.LogEntry:
        entry = pb.LogEntry(sequence=row.sequence, record=row.record)
        if row.opening is not None and row.visible_to is not None and row.visible_to != seat:
            entry.opening.MergeFromString(row.opening)
        return entry

    patch.setattr(watching, "entry_of", leaky)


def in_an_update_of_play(patch: Patch) -> None:
    """The news over Play say how long the whole log is, with what is hidden."""
    honest = watching.news

    def leaky(*args: Any) -> pb.WatchMatchResponse | None:  # noqa: ANN401 - whatever it takes
        message = honest(*args)
        if message is not None:
            state = args[1].seen(args[2].seat)
            message.next_sequence += hidden(state)
        return message

    patch.setattr(play_stream, "news", leaky)


def in_an_answer_over_play(patch: Patch) -> None:
    """The answer to a move over Play hangs on hidden cards."""
    honest = seat_calls.begin_to_submit
    knowing(patch)

    def leaky(match: Match, seat: int, move: pb.PlayMove, told: Told) -> None:
        honest(match, seat, move, lambda sequence, error: told(sequence + known(), error))

    patch.setattr(play_stream, "begin_to_submit", leaky)


def by_the_moment_of_a_message(patch: Patch) -> None:
    """Watchers get the news of a move late, with the next move, where others hold other cards."""
    honest = watching.news

    def leaky(*args: Any) -> pb.WatchMatchResponse | None:  # noqa: ANN401 - whatever it takes
        shown = args[1].published.sequence_for(args[2].seat)
        late = args[2].start == shown - 2 and hidden(args[1].seen(args[2].seat)) % 2
        return None if late else honest(*args)

    patch.setattr(watching, "news", leaky)
    # What does not come is not waited for as long as otherwise.
    patch.setattr(watched_streams, "SILENCE_SECONDS", 0.5)
