"""The table speaks six languages, and three of them in Latin letters too."""

import re
from collections.abc import Iterator

import pytest

from ronda.v1.card_pb2 import Card
from ronda.v1.decision_pb2 import Decision
from ronda.v1.event_pb2 import (
    AnnouncementPassed,
    BatchStarted,
    DealStarted,
    Event,
    HandDealt,
    MatchEnded,
)
from ronda.v1.log_pb2 import EndReason, LogRecord, MatchResult, SeatJoined
from ronda.v1.move_pb2 import Announce, Challenge, Claim, Move, Play
from ronda.v1.referee_service_pb2 import Turn
from ronda.v1.rule_set_pb2 import AnnouncementKind
from ronda.v1.view_pb2 import Asked, HeldView, PublicView, SeatView
from ronda_table import LocalMatch, rule_set_of
from ronda_terminal.controls import Controls, Seating
from ronda_terminal.screen import screen_of
from ronda_terminal.sight import Sight
from tests.terminal.tables import QuietBot, cards, drawn, language, local, shown

LANGUAGES = ("ar", "ary", "en", "es", "fa", "fr")
ARABIC = re.compile("[\u0600-\u06ff]")
HAND = cards("5e 6e 7e")
PASS = Move()
getattr(PASS, "pass").SetInParent()
KEYS = (*"129rtdpcvmnzqh?", "space", "left", "right", "enter")


def plays(hand: list[Card]) -> list[Move]:
    """Give the moves that play these cards."""
    return [Move(play=Play(card=card)) for card in hand]


def turns() -> Iterator[tuple[Turn, Seating]]:
    """Give one of every kind of question, with every way of sitting there."""
    view = PublicView(
        seats=4,
        table=cards("5c 6o"),
        caida_card=cards("5c")[0],
        hand_sizes=[3, 3, 3, 3],
        answered=[],
    )
    said = [Move(announce=Announce(kind=kind)) for kind in list(AnnouncementKind.values())[1:]]
    questions = {
        Asked.ASKED_CARD: [*said, *plays(HAND)],
        Asked.ASKED_ANNOUNCEMENT: [*said, PASS],
        Asked.ASKED_CHALLENGE: [
            *(Move(challenge=Challenge(seat=seat)) for seat in (1, 3)),
            PASS,
        ],
        Asked.ASKED_CLAIM: [
            *(Move(claim=Claim(seat=seat)) for seat in (1, 3)),
            PASS,
        ],
    }
    seatings = (
        Seating(),
        Seating(resigns=True),
        Seating(resigns=True, returns=True),
        Seating(plays=False, pauses=True),
    )
    for place, (asked, moves) in enumerate(questions.items()):
        public = PublicView()
        public.CopyFrom(view)
        public.asked = asked
        if asked is Asked.ASKED_CARD:
            public.held.CopyFrom(HeldView(seat=1, rank=HAND[1].rank, step=1, cards=3))
        decision = Decision(
            decision_id=1,
            legal_moves=moves,
            true_announcements=[AnnouncementKind.ANNOUNCEMENT_KIND_RONDA],
            milliseconds_left=65_000,
        )
        yield Turn(view=SeatView(public=public, hand=HAND), decision=decision), seatings[place]


def begun(sight: Sight) -> None:
    """Let a match of four seats begin, with a name in each script."""
    sight.names.update({0: "Amina", 1: "ليلى", 2: "Brahim", 3: "درّيس"})
    sight.begin(rule_set_of("classic"), 4)
    for event in (
        Event(deal_started=DealStarted(deal=1, dealer=3)),
        Event(batch_started=BatchStarted(batch=1, hand_size=3)),
        Event(hand_dealt=HandDealt(seat=0, card_count=3, cards=HAND)),
    ):
        sight.take_event(event)


@pytest.mark.parametrize("code", LANGUAGES)
@pytest.mark.parametrize("latin", [False, True])
def test_every_screen_can_be_said(code: str, latin: bool) -> None:
    """Every question with every key, every way to leave and every end: no word is missing."""
    said = []
    for turn, seating in turns():
        sight = Sight(language(code, latin=latin), 0, now=lambda: 100.0)
        controls = Controls(sight, seating, hints=True, answer=lambda _move: None)
        said.append(drawn(screen_of(controls)))
        begun(sight)
        said.append(drawn(screen_of(controls)))
        sight.ask(turn)
        for key in (*KEYS, "1", "s"):
            controls.press(key)
            said.append(drawn(screen_of(controls)))
        sight.lost = "127.0.0.1:7632"
        said.append(drawn(screen_of(controls)))
        sight.sent = True
        said.append(drawn(screen_of(controls)))
        sight.answered()
        controls.press("1")
        said.append(drawn(screen_of(controls)))
        sight.log_ended = True
        said.append(drawn(screen_of(controls)))
        sight.log_ended = False
        for result in (
            MatchResult(winners=[0], scores=[41, 3], reason=EndReason.END_REASON_PLAYED),
            MatchResult(winners=[1], scores=[3, 41], reason=EndReason.END_REASON_FORFEITED),
            MatchResult(winners=[0, 1], scores=[41, 41], reason=EndReason.END_REASON_PLAYED),
            MatchResult(scores=[0, 0], reason=EndReason.END_REASON_CANCELLED),
        ):
            sight.take_record(LogRecord(match_result=result), None)
            said.append(drawn(screen_of(controls)))
        sight.failure = "no answer"
        said.append(drawn(screen_of(controls)))
    text = "\n".join(said)
    without_names = text.replace("ليلى", "").replace("درّيس", "")
    assert bool(ARABIC.search(without_names)) == (code in {"ar", "ary", "fa"} and not latin)
    assert "1:05" in text


@pytest.mark.parametrize(
    ("code", "latin", "prompt", "title"),
    [
        ("en", False, "play a card", "Ronda: maghribi, target: 41, deal: 1, batch: 1"),
        (
            "fr",
            False,
            "jouer une carte",
            "Ronda\u00a0: maghribi, objectif\u00a0: 41",
        ),
        ("es", False, "jugar una carta", "Ronda: maghribi, objetivo: 41, reparto: 1"),
        ("ar", False, "لعب ورقة", "maghribi"),
        ("ar", True, "la'b waraqa", "maghribi"),
        ("ary", True, "l'eb karta", "maghribi"),
        ("fa", False, "یک کارت بازی کنید", "maghribi"),
    ],
)
async def test_a_match_is_played_in_each_language(
    code: str, latin: bool, prompt: str, title: str
) -> None:
    """What is asked and what happened, on the real screen."""
    match = LocalMatch("maghribi", 2, draws=cards("3o 12o 7c 10o 6c 1c 3e 4b 5c 12e"))
    async with shown(local(match, {1: QuietBot()}), code=code, latin=latin) as table:
        await table.until_asked()
        assert (table.screen.prompt, title in table.text("title")) == (prompt, True)
        assert prompt in table.text("prompt")
        await table.press("1")
        await table.until_asked()
        assert any("Amina" in one for one in table.told)


def test_a_line_is_read_from_the_right_though_a_latin_name_begins_it() -> None:
    """A mark that takes no room says so; in Latin letters there is none."""
    for latin, first in ((False, "\u200fAmina"), (True, "Amina")):
        sight = Sight(language("ar", latin=latin), 0)
        begun(sight)
        sight.take_event(Event(announcement_passed=AnnouncementPassed(seat=0)))
        assert sight.told[-1].text.startswith(first)


def test_lines_of_the_right_have_no_columns() -> None:
    """A terminal that turns them would put what is padded elsewhere."""
    for code, padded in (("ar", False), ("en", True)):
        sight = Sight(language(code), 0)
        begun(sight)
        lines = drawn(screen_of(Controls(sight, Seating()))).splitlines()
        assert ("Amina (0)" + 12 * " " in lines[1]) == padded


def test_the_end_is_told_for_the_person_and_for_spectators() -> None:
    """Won, lost, drawn and cancelled; a spectator has neither won nor lost."""
    for seat, winners, first in (
        (0, [0], "you have won"),
        (2, [0], "you have won"),
        (1, [0], "you have lost"),
        (3, [0, 1], "you share a draw"),
        (None, [1], "win: ليلى\u200e (1) & درّيس\u200e (3)"),
    ):
        sight = Sight(language("en"), seat)
        begun(sight)
        sight.take_event(Event(match_ended=MatchEnded(winners=winners, scores=[41, 12])))
        screen = screen_of(Controls(sight, Seating(plays=seat is not None)))
        assert screen.result[0] == first
        assert screen.lost == (first == "you have lost")


def test_names_are_those_that_the_seats_were_taken_with() -> None:
    """Told without what the seat brought to the shuffle."""
    sight = Sight(language("en"))
    sight.begin(rule_set_of("maghribi"), 2)
    joined = SeatJoined(seat=1, name="Brahim", entropy=b"\x01")
    sight.take_record(LogRecord(seat_joined=joined), None)
    assert sight.told[-1].text == "seat 1 is taken by Brahim"
    assert screen_of(Controls(sight, Seating())).seats[1].name == "Brahim (1)"
