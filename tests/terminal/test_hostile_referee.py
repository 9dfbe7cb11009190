"""What a referee that nobody trusts sends takes no memory at a table, and stops it nowhere."""

from ronda.v1.card_pb2 import Card, Rank, Suit
from ronda.v1.decision_pb2 import Decision
from ronda.v1.event_pb2 import (
    AnnouncementMade,
    DealStarted,
    Event,
    HandDealt,
    MatchEnded,
    TableTurned,
)
from ronda.v1.log_pb2 import EndReason, LogHeader, LogRecord, MatchResult, SeatJoined
from ronda.v1.move_pb2 import Announce, Challenge, Claim, Move, Pass, Play
from ronda.v1.referee_service_pb2 import SeatClock, Turn
from ronda.v1.rule_set_pb2 import AnnouncementKind, RuleSet
from ronda.v1.view_pb2 import PublicView, SeatView
from ronda_terminal import drawing
from ronda_terminal.actions import actions_of
from ronda_terminal.controls import Controls, Seating
from ronda_terminal.hints import taken
from ronda_terminal.screen import screen_of
from ronda_terminal.sight import Ended, Sight
from tests.terminal.tables import cards, language

HUGE = 2**32 - 1
STRANGE = Card(rank=Rank.ValueType(99), suit=Suit.ValueType(9))
KIND = AnnouncementKind.ValueType(77)


def sight_of(seats: int, code: str = "en") -> Sight:
    """Give what is seen of a match whose header says so many seats."""
    sight = Sight(language(code), 0, now=lambda: 0.0)
    header = LogHeader(seats=seats, rule_set=RuleSet(id="sarii"))
    sight.take_record(LogRecord(header=header), None)
    return sight


def text_of(sight: Sight) -> str:
    """Give the whole screen as text."""
    screen = screen_of(Controls(sight, Seating(), hints=True))
    parts = (drawing.seats, drawing.table, drawing.hand, drawing.prompt)
    return "\n".join(drawing.plain(part(screen)) for part in parts)


def test_a_match_of_billions_of_seats_has_sixteen_lines() -> None:
    """A referee's header says whatever it likes."""
    sight = sight_of(HUGE)
    assert sight.seats == 16
    assert len(screen_of(Controls(sight, Seating())).seats) == 16


def test_the_clock_of_a_seat_that_no_match_has_is_none() -> None:
    """In a turn and beside it; seat 1 has a clock, and seat 0 before it."""
    sight = sight_of(2)
    sight.set_clock(HUGE, 1000)
    sight.ask(Turn(decision=Decision(seat=HUGE, milliseconds_left=1000)))
    assert sight.clocks == []
    sight.set_clock(1, 5000)
    assert [(clock.milliseconds, clock.running) for clock in sight.clocks] == [
        (0, False),
        (5000, True),
    ]


def test_of_many_clocks_names_winners_and_scores_sixteen_are_kept() -> None:
    """As of everything that there is one of for each seat."""
    sight = sight_of(2)
    sight.take_clocks([SeatClock(milliseconds_left=1)] * 1000)
    assert len(sight.clocks) == 16
    for seat in range(1000):
        sight.take_record(LogRecord(seat_joined=SeatJoined(seat=seat, name="x" * 1000)), None)
    assert sorted(sight.names) == list(range(16))
    result = MatchResult(
        reason=EndReason.END_REASON_PLAYED, winners=range(1000), scores=range(1000)
    )
    kept = Ended(tuple(range(16)), tuple(range(16)))
    sight.take_record(LogRecord(match_result=result), None)
    assert sight.ended == kept
    ended = MatchEnded(winners=range(1000), scores=range(1000))
    other = sight_of(2)
    other.take_event(Event(match_ended=ended))
    assert other.ended == kept


def test_a_hand_of_billions_of_cards_is_drawn_as_a_pack() -> None:
    """Forty backs, where the line has no columns that cut them off."""
    sight = sight_of(2, "ar")
    sight.take_event(Event(hand_dealt=HandDealt(seat=1, card_count=HUGE)))
    (_, line) = drawing.seats(screen_of(Controls(sight, Seating())))
    assert drawing.plain([line]).count("▮") == 40


def test_what_is_unknown_here_is_shown_by_its_number() -> None:
    """A kind of announcement, and a card on the table and in the hand."""
    sight = sight_of(2)
    sight.take_event(Event(deal_started=DealStarted(deal=1, dealer=0)))
    sight.take_event(Event(announcement_made=AnnouncementMade(seat=1, kind=KIND)))
    sight.take_event(Event(table_turned=TableTurned(cards=[STRANGE])))
    move = Move(play=Play(card=STRANGE))
    view = SeatView(hand=[STRANGE], public=PublicView(table=cards("7o")))
    sight.ask(Turn(view=view, decision=Decision(legal_moves=[move])))
    text = text_of(sight)
    assert "77" in text
    assert text.count("│?  ?│") == 1
    assert text.count("┃?  ?┃") == 1
    assert "??: stays on the table" in text
    assert taken((99, 9), [(7, 1)]) == ()


def test_moves_without_a_key_are_left_out() -> None:
    """An unknown kind, a card that is not held, a fourth challenge and claim; the others stay."""
    quiet = Move()
    getattr(quiet, "pass").CopyFrom(Pass())
    seven, five = cards("7o 5c")
    legal = [
        Move(play=Play(card=five)),
        Move(play=Play(card=seven)),
        Move(announce=Announce(kind=KIND)),
        Move(announce=Announce(kind=AnnouncementKind.ANNOUNCEMENT_KIND_RONDA)),
        *(Move(challenge=Challenge(seat=seat)) for seat in range(4)),
        *(Move(claim=Claim(seat=seat)) for seat in range(4)),
        quiet,
    ]
    turn = Turn(view=SeatView(hand=[seven]), decision=Decision(legal_moves=legal))
    keys = [one.key for one in actions_of(turn, sight_of(2).words)]
    assert keys == ["1", "r", "c", "v", "b", "m", "n", "k", "p"]
