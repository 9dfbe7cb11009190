"""A replay's page shows what the log says, to whom it may be shown."""

import re
from pathlib import Path

import pytest

from ronda_cli.main import main
from ronda_conformance.glossary import load_glossary
from ronda_conformance.rule_set_files import load_rule_set
from ronda_replay.telling import Language
from tests.clients.replay_pages import data_of, in_node, page_of, played
from tests.clients.replayed import Recorded, public_state
from tests.referee.played_logs import PlayedMatch
from tests.referee.test_sealed_moves import simultaneous

# Marks that keep a name's direction to itself.
AMINA, BRAHIM = "\u2068Amina\u2069 (0)", "\u2068Brahim\u2069 (1)"


def test_the_first_turns_are_shown_as_they_were_played(tmp_path: Path) -> None:
    """Step by step: the card, what it takes, and the points."""
    keys = ["key:ArrowRight"] * 13
    seen = in_node(page_of(played().records), tmp_path, keys)["seen"]
    assert seen[0]["now"].startswith("match m-7: Maghribi (maghribi); seats: 2; target: 1 · ")
    assert [one["now"] for one in seen[8:]] == [
        "on the table: ace of coins, 5 of coins, jack of coins, king of coins",
        f"{AMINA} plays 7 of coins",
        f"{AMINA} lays 7 of coins on the table",
        f"{BRAHIM} plays 7 of cups",
        f"{BRAHIM} captures 7 of coins, jack of coins",
        f"{BRAHIM}: caida 1 ({BRAHIM} +1)",
    ]
    laid, plays, captures, awarded = seen[10:]
    assert laid["table"] == ["1o", "5o", "7o", "10o", "12o"]
    assert laid["turn"] == []
    assert laid["seats"] == [
        {"class": "seat at-top", "title": f"{BRAHIM}dealer", "cards": ["7c", "3o", "4o"]},
        {"class": "seat at-bottom", "title": AMINA, "cards": ["1c", "2c"]},
    ]
    assert plays["turn"] == ["7c"]
    assert plays["seats"][0] == {
        "class": "seat at-top plays",
        "title": f"{BRAHIM}dealer",
        "cards": ["3o", "4o"],
    }
    assert (captures["table"], captures["turn"]) == (["1o", "5o", "12o"], ["7c", "7o", "10o"])
    assert awarded["sides"] == [
        ["side", "score", "pile"],
        [AMINA, "0", "0"],
        [BRAHIM, "1", "3"],
    ]
    assert awarded["place"] == "deal 1 · batch 1 · pack: 30 · step 14 of 103"
    assert awarded["marked"] == [f"{BRAHIM}: caida 1 ({BRAHIM} +1)"]
    assert awarded["timeline"][:2] == ["13", "102"]
    assert awarded["timeline"][2] == f"step 14 of 103: {BRAHIM}: caida 1 ({BRAHIM} +1)"


def test_chains_and_debts_are_shown(tmp_path: Path) -> None:
    """The pile of a chain stands by the table, what is owed by the sides."""
    text = page_of(Recorded(load_rule_set("khlaso"), 4, 2).records)
    steps = data_of(text)["steps"]
    held = next(
        number
        for number, step in enumerate(steps)
        if step["kind"] == "cards_held" and step["state"]["chain"]["mesa"] == 0
    )
    seen = in_node(text, tmp_path, ["key:ArrowRight"] * held)["seen"][-1]
    assert re.search(r"chain: \u2068\w+\u2069 \(\d\) · step: 1 · card: [2-9]$", seen["felt"])
    paid = page_of(Recorded(load_rule_set("classic-transfer-chain"), 3, 3).records)
    owed = next(
        number for number, step in enumerate(data_of(paid)["steps"]) if step["kind"] == "cards_due"
    )
    seen = in_node(paid, tmp_path, ["key:ArrowRight"] * owed)["seen"][-1]
    assert seen["debts"] == [f"debt: {AMINA}, {BRAHIM}, 1"]


def test_keys_go_to_the_ends_and_play(tmp_path: Path) -> None:
    """Home, End, the arrows at the ends, deal by deal, Space, and a line that is clicked."""
    actions = [
        *("key:End", "key:ArrowRight", "key:Home", "key:ArrowLeft", "key:PageDown"),
        *("key:PageDown", "key:PageUp", "key: ", "tick:", "key: ", "key:x", "click:9"),
    ]
    ran = in_node(page_of(played().records), tmp_path, actions)
    places = [int(one["timeline"][0]) for one in ran["seen"]]
    assert places == [0, 102, 102, 0, 0, 4, 102, 4, 4, 5, 5, 5, 9]
    assert [one["playing"] for one in ran["seen"]][7:11] == [False, True, True, False]
    assert ran["labels"] == [
        "timeline",
        *("to the start", "deal before", "one step back", "play"),
        *("one step on", "next deal", "to the end"),
    ]


def test_arrows_follow_the_direction_of_the_language(tmp_path: Path) -> None:
    """From right to left the left one goes on."""
    language = Language(load_glossary("ary"))
    text = page_of(played().records, language=language)
    assert '<html lang="ary" dir="rtl">' in text
    seen = in_node(text, tmp_path, ["key:ArrowLeft", "key:ArrowLeft", "key:ArrowRight"])["seen"]
    assert [one["timeline"][0] for one in seen] == ["0", "1", "2", "1"]
    assert seen[3]["now"] == "الكرسي 1: كلس \u2068Brahim\u2069"
    latin = page_of(played().records, language=Language(load_glossary("ary"), latin=True))
    assert '<html lang="ary-Latn" dir="ltr">' in latin


def test_a_point_of_view_hides_the_other_hands(tmp_path: Path) -> None:
    """It is chosen in the page, at the same step; the seat that looks sits at the bottom."""
    text = page_of(played().records)
    ran = in_node(text, tmp_path)
    assert ran["views"] == ["all", "0", "1"]
    actions = [*["key:ArrowRight"] * 9, "view:1", "view:0", "view:all"]
    everything, one, nought, again = in_node(text, tmp_path, actions)["seen"][9:]
    assert everything == again
    assert [(seat["title"], seat["cards"]) for seat in one["seats"]] == [
        (AMINA, ["back", "back"]),
        (f"{BRAHIM}dealer", ["7c", "3o", "4o"]),
    ]
    assert [(seat["title"], seat["cards"]) for seat in nought["seats"]] == [
        (f"{BRAHIM}dealer", ["back", "back", "back"]),
        (AMINA, ["1c", "2c"]),
    ]
    assert one["now"] == f"{AMINA} plays 7 of coins"


def test_a_page_of_one_seat_holds_no_other_hand(tmp_path: Path) -> None:
    """Not even unseen: neither cards nor sealed answers of others stand in its data."""
    text = page_of(played().records, 1)
    data = data_of(text)
    assert [one["view"] for one in data["views"]] == ["1"]
    hands = [
        hand
        for step in data["steps"]
        for hand in step["state"].get("hands", [])
        if hand["seat"] == 0
    ]
    assert len(hands) > 30
    assert {hand["cards"] is None for hand in hands} == {True}
    told = "\n".join(line for step in data["steps"] for line in step["say"])
    assert f"{AMINA} receives 3 cards" in told
    assert "receives 7 of coins" not in told
    assert "seed was" not in told
    sealed = data_of(page_of(PlayedMatch(simultaneous(bluffs=True), 4).records, 2))
    answers = [line for step in sealed["steps"] for line in step["say"] if "has answered" in line]
    assert {line.split(" (")[0] for line in answers} == {"\u2068Chama\u2069"}


def test_sealed_answers_are_skipped_from_a_seats_point_of_view() -> None:
    """Of the others' answers there is no step; everything has them all."""
    data = data_of(page_of(PlayedMatch(simultaneous(bluffs=True), 4).records))
    sealed = [step for step in data["steps"] if step["kind"] == "announcement_sealed"]
    assert sealed[0]["say"] == {
        "all": ["\u2068Driss\u2069 (3) has answered: pass"],
        "3": ["\u2068Driss\u2069 (3) has answered: pass"],
    }


@pytest.mark.parametrize(
    ("rule_set", "seats", "seed"),
    [
        ("maghribi", 2, 1),
        ("khlaso", 4, 2),
        ("qahwa", 3, 3),
        ("classic", 4, 3),
        ("classic-transfer", 2, 5),
        ("classic-transfer-chain", 3, 3),
    ],
)
def test_each_state_of_the_timeline_is_that_of_the_match(
    tmp_path: Path, rule_set: str, seats: int, seed: int
) -> None:
    """As the rules' own bookkeeping has it after the same event."""
    match = Recorded(load_rule_set(rule_set), seats, seed)
    text = page_of(match.records)
    steps = data_of(text)["steps"]
    states = in_node(text, tmp_path)["states"]
    logged = [one.sequence for one in match.records if one.HasField("event_logged")]
    watched = {
        number: public_state(watcher)
        for number, watcher in zip(logged, match.watched(), strict=True)
    }
    compared = 0
    for step, state in zip(steps, states, strict=True):
        expected = watched.get(step["record"])
        if expected is None or step["kind"] == "match_started":
            continue
        chain = state["chain"]
        sizes = {hand["seat"]: hand["count"] for hand in state["hands"]}
        shown = {
            "deal": state["deal"],
            "batch": state["batch"],
            "last_batch": state["last_batch"],
            "pack": state["pack"],
            "table": sorted(state["table"]),
            "chain": None
            if chain is None
            else [chain["seat"], chain["step"], chain["cards"], chain["mesa"]],
            "debts": [[one["payer"], one["receiver"], one["cards"]] for one in state["debts"]],
            "piles": [one["cards"] for one in state["piles"]],
            "scores": [one["points"] for one in state["scores"]],
            "forfeited": state["forfeited"],
            "winners": state["winners"],
        }
        hands = expected.pop("hands")
        assert shown == expected, step
        if len(sizes) == seats:
            assert [sizes[seat] for seat in range(seats)] == hands, step
            compared += 1
    assert compared > 100


def test_what_is_wrong_with_a_log_stands_on_its_page() -> None:
    """In the page's language, with the finding in English."""
    text = page_of(played().records, finding="CHAIN_BROKEN in record 1")
    assert (
        '<p class="alert" role="alert">this log does not verify: '
        '<bdi lang="en" dir="ltr">CHAIN_BROKEN in record 1</bdi></p>'
    ) in text


def test_every_card_is_drawn() -> None:
    """Forty, a back and an unknown one, and the frame's gaps tell the suit."""
    text = page_of(played().records)
    symbols = re.findall(r'<symbol id="c-(\w+)"', text)
    assert len(symbols) == len(set(symbols)) == 42
    assert {"7o", "12b", "1c", "10e", "back", "none"} <= set(symbols)
    used = set(re.findall(r'<use href="#([\w-]+)"', text))
    assert used == {"f-10", "f-11", "f-12", "p-o", "p-c", "p-e", "p-b"}
    assert set(re.findall(r'<symbol id="([fp]-\w+)"', text)) == used


@pytest.fixture
def log(tmp_path: Path) -> Path:
    """Give the path of a finished log."""
    path = tmp_path / "match.rlog"
    path.write_bytes(played().data)
    return path


def test_the_command_writes_a_page_and_replaces_none(
    log: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A file that is there stays as it is, unless --force says otherwise."""
    out = tmp_path / "match.html"
    assert main(["replay", str(log), "--html", str(out)]) == 0
    assert out.read_text(encoding="utf-8") == page_of(played().records)
    out.write_text("mine", encoding="utf-8")
    assert main(["replay", str(log), "--html", str(out)]) == 2
    assert out.read_text(encoding="utf-8") == "mine"
    assert capsys.readouterr().err == (
        f"ronda: --html {out}: there is such a file; --force lets the page take its place\n"
    )
    assert main(["replay", str(log), "--html", str(out), "--force", "--lang", "fa"]) == 0
    assert out.read_text(encoding="utf-8").startswith('<!DOCTYPE html>\n<html lang="fa" dir="rtl">')
    assert sorted(path.name for path in tmp_path.iterdir()) == ["match.html", "match.rlog"]


def test_a_page_of_a_wrong_log_is_written_and_the_exit_code_tells(
    log: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """What is wrong stands on standard error and on the page."""
    log.write_bytes(log.read_bytes()[:1500])
    out = tmp_path / "match.html"
    assert main(["replay", str(log), "--html", str(out)]) == 1
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith("THIS LOG DOES NOT VERIFY: TRUNCATED in record ")
    assert 'role="alert">this log does not verify: <bdi lang="en"' in out.read_text("utf-8")
