"""A person at a table in this process: every kind of decision is made with keys."""

import asyncio

import pytest

from ronda.v1.decision_pb2 import Decision
from ronda.v1.move_pb2 import Move
from ronda.v1.view_pb2 import SeatView
from ronda_bots import GreedyBot
from ronda_table import LocalMatch
from ronda_terminal.app import Seated
from ronda_terminal.controls import Leaving, Seating
from tests.terminal.tables import QuietBot, cards, local, shown

# Seat 0 has a pair of sevens, seat 1 a pair of fives; a five or a seven takes nothing.
PAIRS = cards("7o 7c 1o 5o 5c 2o 12o 6c 4e 10b")
# Seat 0 has no pair; its 3 takes 3-4-5, its 12 the 12 alone.
NO_PAIR = cards("3o 12o 7c 10o 6c 1c 3e 4b 5c 12e")


async def test_a_whole_match_is_played_with_the_number_keys() -> None:
    """Six batches of three cards; the end shows the result and the scores."""
    match = LocalMatch("single-deal", 2, seed=5)
    async with shown(local(match, {1: GreedyBot(1)})) as table:
        for _ in range(18):
            await table.until_asked()
            assert table.screen.prompt == "play a card"
            await table.press("1")
        await table.until(lambda: table.app.controls.over)
        assert match.over
        assert match.scores == (0, 13)
        assert table.screen.result == (
            "you have lost",
            "win: Brahim (1)",
            "score: Amina (0) 0, Brahim (1) 13",
        )
        assert "you have lost" in table.text("table")
        assert table.told[-1] == (
            "the match is over, won by Brahim (1); score: Amina (0) 0, Brahim (1) 13"
        )
        await table.press("q")
        assert not table.app.is_running


@pytest.mark.parametrize("seats", [2, 3, 4])
async def test_a_table_has_two_three_or_four_seats(seats: int) -> None:
    """Each has a line; the first card is asked of the seat after the dealer, which is the last."""
    match = LocalMatch("maghribi", seats, seed=1)
    async with shown(local(match, {seat: QuietBot() for seat in range(1, seats)})) as table:
        await table.until_asked()
        lines = table.text("seats").splitlines()
        assert [line.split()[0:2] for line in lines[:2]] == [["▶", "you:"], ["Brahim", "(1)"]]
        assert len(lines) == seats
        assert "dealer" in lines[-1]
        assert lines[0].count("▮") == 3
        await table.press("1")
        await table.until_asked()
        assert table.text("seats").splitlines()[0].count("▮") == 2


async def test_a_card_is_chosen_with_arrows_and_enter() -> None:
    """Right goes on, left goes back and round; the chosen card says what it would take."""
    match = LocalMatch("maghribi", 2, draws=NO_PAIR)
    async with shown(local(match, {1: QuietBot()}), hints=True) as table:
        await table.until_asked()
        assert table.screen.hint == ("3 of coins: takes 3 of swords, 4 of clubs, 5 of cups")
        assert [face.marked for face in table.screen.table] == [True, True, True, False]
        assert "1 +3" in table.text("hand")
        await table.press("right")
        assert table.screen.hint == "king of coins: takes king of swords"
        await table.press("right")
        assert table.screen.hint == "7 of cups: stays on the table"
        await table.press("left", "left", "enter")
        await table.until(lambda: "Amina (0) plays 3 of coins" in table.told)
        assert "Amina (0) captures 3 of swords, 4 of clubs, 5 of cups" in table.told


async def test_hints_come_and_go_with_a_key() -> None:
    """Without them nothing says what a card would do, nor what is true."""
    match = LocalMatch("maghribi", 2, draws=PAIRS)
    async with shown(local(match, {1: QuietBot()})) as table:
        await table.until_asked()
        assert table.screen.hint == ""
        assert "(true)" not in table.text("prompt")
        await table.press("h")
        assert table.screen.hint == "7 of coins: stays on the table"
        assert "announce: ronda (true)" in table.text("prompt")
        assert "announce: tringa (true)" not in table.text("prompt")


async def test_a_click_is_a_key() -> None:
    """On a card and on what may be said."""
    match = LocalMatch("maghribi", 2, draws=PAIRS)
    async with shown(local(match, {1: QuietBot()})) as table:
        await table.until_asked()
        prompt = table.text("prompt").splitlines()[0]
        await table.click("prompt", prompt.index("ronda") + 1)
        await table.until(lambda: "Amina (0) announces ronda" in table.told)
        # The second card: the first takes six cells and one between.
        await table.click("hand", 9, 1)
        await table.until(lambda: "Amina (0) plays 7 of cups" in table.told)


async def test_an_illegal_key_says_why() -> None:
    """A card that is not there, a kind that the rules lack, a seat that cannot be challenged."""
    match = LocalMatch("qahwa", 2, draws=cards("3o 12o 7c 10o 6c 1c 3e 4b 5c 12e"))
    async with shown(local(match, {1: QuietBot()})) as table:
        await table.until_asked()
        for key, why in (
            ("4", "there is no card 4; cards in your hand: 3"),
            ("r", "your hand does not hold it: ronda"),
            ("d", "these rules do not have it: double ronda"),
            ("c", "not possible now: challenge"),
            ("m", "not possible now: claim"),
            ("p", "not possible now: pass"),
            ("z", "the key z does nothing"),
        ):
            await table.press(key)
            assert why in table.text("prompt"), key
            assert match.moves == 0
        # Digits of another script are digits.
        await table.press("٢")
        await table.until(lambda: "Amina (0) plays king of coins" in table.told)


async def test_announcements_in_order_and_the_challenge_window() -> None:
    """A true announcement that is challenged ends the match for its announcer's side."""
    match = LocalMatch("classic", 2, draws=PAIRS)
    async with shown(local(match, {1: GreedyBot(1)})) as table:
        await table.until_asked()
        assert table.screen.prompt == "announce or pass"
        await table.press("1")
        assert "not possible now: play, announce or pass" in table.text("prompt")
        await table.press("p")
        await table.until_asked()
        assert "Brahim (1) announces ronda" in table.told
        assert table.screen.prompt == "challenge or pass"
        assert [(one.key, one.label) for one in table.screen.buttons] == [
            ("c", "challenge: Brahim (1)"),
            ("p", "pass"),
        ]
        await table.press("c")
        await table.until(lambda: table.app.controls.over)
        assert table.screen.result[0] == "you have lost"
        assert any("the announcement was true" in one for one in table.told)


async def test_a_claim_against_who_did_not_announce() -> None:
    """Seat 1 passes with a pair of fives and plays both; then they can be claimed."""
    match = LocalMatch("classic", 2, draws=PAIRS)
    async with shown(local(match, {1: QuietBot()})) as table:
        await table.until_asked()
        await table.press("r")
        for _ in range(2):
            await table.until_asked()
            assert table.screen.prompt == "play a card"
            await table.press("m")
            assert "not possible now: claim" in table.text("prompt")
            await table.press("1")
        await table.until_asked()
        assert [(one.key, one.label) for one in table.screen.buttons] == [
            ("m", "claim: Brahim (1)")
        ]
        await table.press("m")
        await table.until(lambda: any("claimed by Amina (0)" in one for one in table.told))


async def test_a_sealed_answer_of_another_seat_is_not_shown() -> None:
    """Seat 0 has announced; seat 1, who is asked next, sees nothing of it before all have."""
    match = LocalMatch("khlaso", 2, draws=cards("7o 7c 1o 2o 5o 5c 3o 4o 6c 6e 10b 12o"))
    async with shown(local(match, {0: GreedyBot(1)}, seat=1), seat=1) as table:
        await table.until_asked()
        assert match.to_act == (1,)
        assert table.screen.prompt == "announce or pass"
        assert not any("Amina" in one for one in table.told if "dealer" not in one)
        assert all(line.tags in {(), ("dealer",)} for line in table.screen.seats)
        await table.press("p")
        await table.until(lambda: "Amina (0) announces ronda" in table.told)
        assert "Brahim (1) passes" in table.told


async def test_no_hand_but_ones_own_is_shown() -> None:
    """Every card on the screen lies on the table or is one's own."""
    match = LocalMatch("maghribi", 4, seed=3)
    async with shown(local(match, {1: QuietBot(), 2: QuietBot(), 3: QuietBot()})) as table:
        await table.until_asked()
        view = match.view(0)
        assert {face.card for face in table.screen.table} == {
            (card.rank, card.suit) for card in view.public.table
        }
        assert [face.card for face in table.screen.hand or ()] == [
            (card.rank, card.suit) for card in view.hand
        ]
        assert all(
            hand.cards is None for seat, hand in table.app.sight.table.hands.items() if seat != 0
        )


async def test_leaving_is_asked_once() -> None:
    """`s` and escape stay, `l` leaves; another key does neither."""
    match = LocalMatch("maghribi", 2, seed=1)
    async with shown(local(match, {1: QuietBot()})) as table:
        await table.until_asked()
        await table.press("q")
        assert table.screen.prompt == "leave the match?"
        assert [one.key for one in table.screen.buttons] == ["l", "s"]
        await table.press("1")
        assert match.moves == 0
        await table.press("s")
        assert table.screen.prompt == "play a card"
        await table.press("ctrl+c", "escape", "ctrl+q")
        assert table.screen.prompt == "leave the match?"
        await table.press("l")
        assert not table.app.is_running


async def test_a_terminal_that_is_too_small_says_so() -> None:
    """With what it has and what is needed; once there is room the table is back."""
    match = LocalMatch("maghribi", 2, seed=1)
    async with shown(local(match, {1: QuietBot()}), size=(79, 24)) as table:
        await table.until_asked()
        small = table.app.query_one("#small")
        assert str(small.render()) == "the terminal is too small: 79 x 24; needed: 80 x 24"
        assert not table.app.query_one("#body").display
        await table.pilot.resize_terminal(80, 23)
        await table.until(lambda: "80 x 23" in str(small.render()))
        await table.pilot.resize_terminal(80, 24)
        await table.until(lambda: table.app.query_one("#body").display)
        assert not small.display


async def test_everything_fits_where_the_terminal_is_just_large_enough() -> None:
    """Four seats, hints and a message: every region is within the screen, and the footer last."""
    match = LocalMatch("maghribi", 4, seed=3)
    bots = {1: QuietBot(), 2: QuietBot(), 3: QuietBot()}
    async with shown(local(match, bots), hints=True) as table:
        await table.until_asked()
        await table.press("9")
        await table.pilot.pause()
        bottoms = [
            table.app.query_one(f"#{name}").region.bottom
            for name in ("title", "seats", "table", "beside", "hand", "prompt", "told", "footer")
        ]
        assert bottoms == sorted(bottoms)
        assert bottoms[-1] == 24
        assert table.app.query_one("#told").region.height >= 4


async def test_a_bot_that_fails_is_shown() -> None:
    """The table stays, says why it cannot go on, and can be left without being asked."""

    class Broken:
        def choose(self, view: SeatView, decision: Decision) -> Move:
            raise KeyError("nine")

    match = LocalMatch("maghribi", 2, seed=1)
    async with shown(local(match, {1: Broken()})) as table:
        await table.until_asked()
        await table.press("1")
        await table.until(lambda: table.app.failure)
        assert "it cannot go on: the bot at seat 1" in table.text("prompt")
        await table.press("q")
        assert not table.app.is_running


async def test_a_fault_ends_the_table() -> None:
    """What nobody has foreseen is raised, not shown."""

    async def session(seated: Seated) -> None:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        async with shown(session) as table:
            await table.until(lambda: table.app.fault)


async def test_who_does_not_wait_for_the_referee_leaves_at_once() -> None:
    """Asking a second time leaves, though the first leaving is not through yet."""
    begun = asyncio.Event()

    async def leave(leaving: Leaving) -> None:
        begun.set()
        await asyncio.Event().wait()

    match = LocalMatch("maghribi", 2, seed=1)
    async with shown(local(match, {1: QuietBot()}), Seating(resigns=True), leave=leave) as table:
        await table.until_asked()
        await table.press("q", "r")
        await begun.wait()
        assert table.app.is_running
        await table.press("q", "r")
        assert not table.app.is_running


async def test_no_color_is_obeyed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every colour on the screen is a grey."""
    monkeypatch.setenv("NO_COLOR", "1")
    match = LocalMatch("maghribi", 2, seed=1)
    async with shown(local(match, {1: QuietBot()})) as table:
        await table.until_asked()
        svg = table.app.export_screenshot()
    assert "#b00020" not in svg
    assert "play&#160;a&#160;card" in svg
