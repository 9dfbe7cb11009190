"""A page at the table says what the keys do, and nothing happens behind it unseen."""

import pytest
from textual import events

from ronda_table import LocalMatch, rule_set_of
from ronda_terminal import drawing
from ronda_terminal.controls import Controls, Seating
from ronda_terminal.key_help import key_help
from ronda_terminal.screen import screen_of
from ronda_terminal.sight import Sight
from tests.terminal.tables import QuietBot, cards, language, local, shown

NO_PAIR = cards("3o 12o 7c 10o 6c 1c 3e 4b 5c 12e")


def lines_of(
    seating: Seating, rule_set: str = "", code: str = "en", *, latin: bool = False
) -> list[str]:
    """Give the page as lines of text."""
    sight = Sight(language(code, latin=latin), 0)
    if rule_set:
        sight.begin(rule_set_of(rule_set), 2)
    controls = Controls(sight, seating)
    controls.press("?")
    return drawing.plain(drawing.key_help(screen_of(controls))).splitlines()


def test_a_player_is_told_of_every_key() -> None:
    """Each group of keys in a line, in columns; qahwa has no double ronda."""
    assert lines_of(Seating(), "qahwa") == [
        " 1   2   3   4    play the card with this number",
        " ←   →            choose a card or an answer",
        " ⏎                do what is chosen",
        " r   t            announce: ronda, tringa",
        " c   v   b        challenge",
        " m   n   k        claim",
        " p                pass",
        " h                hints",
        " q                quit",
        " ?   esc          back to the table",
        " whatever has a key can also be clicked on",
    ]


def test_who_watches_is_told_of_the_keys_there_are() -> None:
    """A log can be held up, a match on a referee cannot; before it is known all kinds are told."""
    assert lines_of(Seating(plays=False, pauses=True)) == [
        " ␣                pause / play",
        " q                quit",
        " ?   esc          back to the table",
        " whatever has a key can also be clicked on",
    ]
    assert [line.split()[0] for line in lines_of(Seating(plays=False))] == ["q", "?", "whatever"]
    announce = lines_of(Seating())[3]
    assert announce == " r   t   d        announce: ronda, tringa, double ronda"


def test_lines_of_the_right_have_no_columns() -> None:
    """A terminal that turns them would put what is padded elsewhere, and by q not turn them."""
    assert lines_of(Seating(plays=False), code="fa")[0] == "\u200f q   خروج"
    assert lines_of(Seating(plays=False), code="fa", latin=True)[0] == " q                khoruj"


def test_every_key_of_the_page_is_one_of_the_table() -> None:
    """None is called unknown at the table, where nothing is asked; z is."""
    controls = Controls(Sight(language("en"), 0), Seating(pauses=True))
    for keys, _ in key_help(controls):
        for key in keys:
            controls.press(key)
            assert "does nothing" not in controls.message, key
            controls.asking = controls.helping = False
    controls.press("z")
    assert controls.message == "the key z does nothing"


async def test_the_page_takes_the_place_of_the_cards_and_gives_it_back() -> None:
    """What is asked stays there; a key of a card shows the cards again and plays none."""
    match = LocalMatch("maghribi", 2, draws=NO_PAIR)
    async with shown(local(match, {1: QuietBot()})) as table:
        regions = {name: table.app.query_one(f"#{name}") for name in ("help", "hand", "table")}
        await table.until_asked()
        assert " ?  help" in table.text("footer")
        assert not table.screen.footer[-1].chosen
        await table.press("?")
        assert [one.display for one in regions.values()] == [True, False, False]
        assert "play the card with this number" in table.text("help")
        assert (table.screen.footer[-1].key, table.screen.footer[-1].chosen) == ("?", True)
        assert "play a card" in table.text("prompt")
        for back in ("1", "enter", "left", "right", "escape", "?"):
            await table.press(back)
            assert [one.display for one in regions.values()] == [False, True, True], back
            assert match.moves == 0
            assert table.app.controls.place == 0
            assert table.app.controls.message == ""
            # As it is written from right to left; `press` sends it without its character.
            table.app.post_message(events.Key("arabic_question_mark", "؟"))
            await table.pilot.pause()
            assert [one.display for one in regions.values()] == [True, False, False], back
        await table.press("h")
        assert regions["hand"].display
        assert table.app.controls.hints
        await table.press("?", "q")
        assert table.screen.prompt == "leave the match?"
        assert regions["hand"].display
        await table.press("s", "1")
        await table.until(lambda: "Amina (0) plays 3 of coins" in table.told)


@pytest.mark.parametrize("code", ["en", "es", "fr", "ar", "ary", "fa"])
def test_the_page_fits_beside_what_happened(code: str) -> None:
    """A terminal of 112 columns has that at its right, and 65 for the page."""
    for latin in (False, True):
        lines = lines_of(Seating(pauses=True), code=code, latin=latin)
        assert [line for line in lines if drawing.cells(line) > 65] == []


async def test_the_keys_of_the_page_can_be_clicked_on() -> None:
    """As the last line says: here the arrow, the second key of the second line, goes back."""
    match = LocalMatch("maghribi", 2, draws=NO_PAIR)
    async with shown(local(match, {1: QuietBot()})) as table:
        await table.until_asked()
        await table.press("?")
        # A line and a column are left free.
        await table.click("help", 6, 2)
        assert not table.app.controls.helping
        assert table.app.controls.place == 0


async def test_the_page_fits_where_the_table_does() -> None:
    """Four seats in the smallest terminal: its last line is on the screen, above what is asked."""
    match = LocalMatch("maghribi", 4, seed=1)
    bots = {seat: QuietBot() for seat in range(1, 4)}
    async with shown(local(match, bots), size=(80, 24)) as table:
        await table.until_asked()
        await table.press("?")
        await table.pilot.pause()
        page, prompt = table.app.query_one("#help"), table.app.query_one("#prompt")
        assert page.content_size.height >= len(table.text("help").splitlines())
        assert page.region.bottom == prompt.region.y
        assert prompt.region.bottom <= 23
