"""A replay tells the match as a person would want to read it, as far as the log can be read."""

import base64
from collections.abc import Callable
from pathlib import Path

import pytest

from ronda.v1 import log_pb2, match_terms_pb2
from ronda_cli.main import main
from ronda_conformance.glossary import load_glossary
from ronda_conformance.rule_set_files import load_rule_set
from ronda_referee.chain import commitment
from ronda_replay.lines import plain, replay_blocks
from ronda_replay.telling import Language
from tests.clients.command import Ran, ronda
from tests.clients.replayed import ENGLISH, nothing_opened, opener
from tests.referee.played_by_hand import ByHand, at
from tests.referee.played_logs import (
    FIXED,
    KEY,
    PlayedMatch,
    cards,
    first_card,
    maghribi,
    rewrite,
    some_policy,
)
from tests.referee.test_sealed_moves import simultaneous

OPENING_LINES = """\
match m-7: Maghribi (maghribi); seats: 2; target: 1
referee version 0.1.0
the organiser fixed the cards; nothing was shuffled
signed under the key 8320a51977d8c38ca8a4927c670df5821e449761945e15e9efb26a1509d230ea
card: 1 ace, 10 jack, 11 horse, 12 king, o coins, c cups, e swords, b clubs
seat 1 is taken by Brahim
seat 0 is taken by Amina; given to the shuffle: 6669727374
the match begins with 2 seats

deal 1, dealer: Brahim (1)
  batch 1, 3 cards each
    Amina (0) receives 7 of coins, ace of cups, 2 of cups
    Brahim (1) receives 7 of cups, 3 of coins, 4 of coins
    on the table: ace of coins, 5 of coins, jack of coins, king of coins
    table: 1o 5o 10o 12o | hand: 7o 1c 2c
    Amina (0) plays 7 of coins
      Amina (0) lays 7 of coins on the table
    table: 1o 5o 7o 10o 12o | hand: 7c 3o 4o
    Brahim (1) plays 7 of cups
      Brahim (1) captures 7 of coins, jack of coins
      Brahim (1): caida 1 (Brahim (1) +1)
      score: Amina (0) 0, Brahim (1) 1
    table: 1o 5o 12o | hand: 1c 2c
    Amina (0) plays ace of cups
      Amina (0) captures ace of coins
""".splitlines()

CLOSING_LINES = """\
    table: 3b 5b 6b 7b 10b | hand: 12b
    Brahim (1) plays king of clubs
      Brahim (1) lays king of clubs on the table
  Brahim (1) takes the leftovers: 3 of clubs, 5 of clubs, 6 of clubs, 7 of clubs, jack of clubs, \
king of clubs
  piles counted: Amina (0) 17, Brahim (1) 23; Brahim (1) +3
  deal 1 is over; score: Amina (0) 0, Brahim (1) 4
the match is over; winner: Brahim (1); score: Amina (0) 0, Brahim (1) 4
the seed was 000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f
hidden hands and answers opened: 12
the log is signed
""".splitlines()

HIDDEN_HAND = "    Amina (0) receives 3 cards"


def played() -> PlayedMatch:
    """Play one deal of fixed draws in which everybody plays the first card."""
    return PlayedMatch(maghribi(1), fixed=FIXED, policy=first_card)


def told(
    records: list[log_pb2.LogRecord], seat: int | None = None, language: Language = ENGLISH
) -> list[str]:
    """Give the lines that a log's records are told in."""
    blocks = replay_blocks(records, opener(records), language, seat)
    return [plain(line) for block in blocks for line in block]


Replay = Callable[..., Ran]


@pytest.fixture
def replay(capsys: pytest.CaptureFixture[str]) -> Replay:
    """Give what runs the command, in this process, on a file with some options."""

    def run(*arguments: object) -> Ran:
        try:
            code = main(["replay", *map(str, arguments)])
        except SystemExit as ended:
            code = int(ended.code or 0)
        said = capsys.readouterr()
        return Ran(code, said.out, said.err)

    return run


@pytest.fixture
def log(tmp_path: Path) -> Path:
    """Give the path of a finished log."""
    path = tmp_path / "match.rlog"
    path.write_bytes(played().data)
    return path


def test_a_match_is_told_turn_by_turn(replay: Replay, log: Path) -> None:
    """Header, seats, deal, batch and hands; table, hand, card, capture and points of each turn."""
    ran = replay(log)
    assert (ran.code, ran.err) == (0, "")
    lines = ran.out.splitlines()
    assert lines[: len(OPENING_LINES)] == OPENING_LINES
    assert lines[-len(CLOSING_LINES) :] == CLOSING_LINES
    assert len([line for line in lines if " plays " in line]) == 36


def test_a_turn_is_one_block() -> None:
    """What follows from a card stands with it, so that a key shows it at one go."""
    records = played().records
    blocks = [
        [plain(line) for line in block]
        for block in replay_blocks(records, opener(records), ENGLISH)
    ]
    assert blocks[4] == ["", "deal 1, dealer: Brahim (1)"]
    assert blocks[10] == OPENING_LINES[17:22]


def test_announcements_and_penalties_are_told() -> None:
    """What was announced is revealed and paid or penalised at the deal's end."""
    lines = told(PlayedMatch(maghribi(1), 3).records)
    assert "    Chama (2) announces ronda" in lines
    assert "  announcements of batch 1: Chama (2) ronda (false)" in lines
    penalty = lines.index(
        "    penalty in batch 3: Brahim (1) announced a false tringa (Chama (2) +5)"
    )
    assert lines[penalty + 1].startswith("    score: Amina (0) ")
    assert lines[2] == (
        "cards from the shuffle; commitment to its seed: "
        "6f0dffc4e847daf60065ef772bf0d9c4910a73ec57ff973149b376b1583d25ff"
    )


def test_chains_claims_challenges_and_debts_are_told() -> None:
    """With four seats sides are both partners; cards that are owed are paid in lines of a turn."""
    lines = told(PlayedMatch(load_rule_set("classic"), 4, policy=some_policy(3)).records)
    assert (
        "    Driss (3) challenges Amina (0); hand: 2 of cups, 6 of swords, king of swords; "
        "the announcement was false"
    ) in lines
    step = lines.index(
        "      Driss (3): step 1 of the chain; from the table: 4 of swords, 5 of cups"
    )
    assert lines[step + 1] == "      the chain closes at step 1; Driss (3) takes the pile (3)"
    assert "    table: 1b 2e 3e 4o 6b 7e 12b | chain: 2 | hand: 3c 3o" in lines
    assert (
        "    penalty in batch 3, claimed by Driss (3): Amina (0) did not announce ronda "
        "(Brahim (1) & Driss (3) +1)"
    ) in lines
    rules = load_rule_set("classic-transfer-chain")
    paid = told(PlayedMatch(rules, 3, policy=some_policy(3)).records)
    assert "    Amina (0) owes Brahim (1), cards: 1" in paid
    assert "      Amina (0) pays Brahim (1), cards: 1" in paid


def test_a_mended_table_is_told_and_followed() -> None:
    """Cards that went back are not on the table of the next turn."""
    fixed = [*FIXED[:6], *cards("1o 1e 10o 12o  5o 6e 10e 11e")]
    fixed += [card for card in range(40) if card not in {*fixed[:6], *fixed[10:]}]
    lines = told(PlayedMatch(maghribi(1), fixed=fixed, policy=first_card).records)
    turned = lines.index(
        "    on the table: ace of coins, ace of swords, jack of coins, king of coins"
    )
    assert lines[turned + 1 : turned + 4] == [
        (
            "    two cards of one rank on the table; going back: ace of coins, ace of swords, "
            "jack of coins, king of coins"
        ),
        "    on the table: 5 of coins, 6 of swords, jack of swords, horse of swords",
        "    table: 5o 6e 10e 11e | hand: 7o 1c 2c",
    ]


LANGUAGES = [
    ("en", "Brahim (1) captures 7 of coins, jack of coins", "score: Amina (0) 0, Brahim (1) 1"),
    ("es", "Brahim (1) captura 7 de oros, sota de oros", "tanteo: Amina (0) 0, Brahim (1) 1"),
    (
        "fr",
        "Brahim (1) prend 7 de deniers, valet de deniers",
        "score\u00a0: Amina (0) 0, Brahim (1) 1",
    ),
    ("ar", "Brahim (1) يلتقط 7 الذهب، سوتا الذهب", "مجموع: Amina (0) 0، Brahim (1) 1"),
    ("ary", "Brahim (1) كيقبض 7 ديال الدهب، السوتا ديال الدهب", "النقط: Amina (0) 0، Brahim (1) 1"),
    ("fa", "Brahim (1) جمع می‌کند: 7 کوین، جک کوین", "امتیازها: Amina (0) 0، Brahim (1) 1"),
]


@pytest.mark.parametrize(("code", "capture", "score"), LANGUAGES)
def test_a_match_is_told_in_six_languages(
    replay: Replay, log: Path, code: str, capture: str, score: str
) -> None:
    """In the glossary's own words."""
    ran = replay(log, "--lang", code)
    assert ran.code == 0
    lines = ran.out.splitlines()
    assert lines[19] == f"      {capture}"
    assert lines[21] == f"      {score}"


def test_right_to_left_languages_have_latin_letters(replay: Replay, log: Path) -> None:
    """With --latin no letter of the script is left."""
    ran = replay(log, "--lang", "ary", "--latin")
    assert ran.out.isascii()
    lines = ran.out.splitlines()
    assert lines[7] == "l-lo'ba bdat, 'adad l-karasi: 2"
    assert lines[19] == "      Brahim (1) kayqbed 7 dyal d-dhab, s-suta dyal d-dhab"


def test_an_unknown_language_is_named(replay: Replay, log: Path) -> None:
    """With those that there are."""
    ran = replay(log, "--lang", "de")
    assert (ran.code, ran.out) == (2, "")
    assert ran.err == (
        "ronda: --lang: there is no glossary of 'de'; there are: ar, ary, en, es, fa, fr\n"
    )


def test_a_seat_sees_no_other_hand() -> None:
    """Only its own cards are named as long as they are in hand, and no seed at the end."""
    lines = told(played().records, 1)
    assert lines[4] == "as seen by Brahim (1)"
    assert lines[12:17] == [
        HIDDEN_HAND,
        "    Brahim (1) receives 7 of cups, 3 of coins, 4 of coins",
        "    on the table: ace of coins, 5 of coins, jack of coins, king of coins",
        "    table: 1o 5o 10o 12o",
        "    Amina (0) plays 7 of coins",
    ]
    assert lines[18] == "    table: 1o 5o 7o 10o 12o | hand: 7c 3o 4o"
    dealt = [line for line in lines if line.startswith("    Amina (0) receives")]
    assert dealt == [HIDDEN_HAND] * 6
    assert lines[-2:] == [
        "the match is over; winner: Brahim (1); score: Amina (0) 0, Brahim (1) 4",
        "the log is signed",
    ]


def test_a_seat_sees_no_sealed_answer_but_its_own() -> None:
    """Nor that another one has come; once all have answered, all are told."""
    records = PlayedMatch(simultaneous(bluffs=True), 4).records
    everything, own = told(records), told(records, 2)
    first = everything.index("    Driss (3) has answered: pass")
    assert everything[first : first + 4] == [
        "    Driss (3) has answered: pass",
        "    Chama (2) has answered: pass",
        "    Brahim (1) has answered: double ronda",
        "    Amina (0) has answered: double ronda",
    ]
    place = own.index("    Chama (2) has answered: pass")
    assert own[place - 1] == "    Driss (3) receives 4 cards"
    assert own[place + 1 : place + 5] == [
        "    Amina (0) announces double ronda",
        "    Brahim (1) announces double ronda",
        "    Chama (2) passes",
        "    Driss (3) passes",
    ]
    assert {line for line in own if "answered" in line and "Chama" not in line} == set()


def test_a_public_event_with_a_hand_in_it_is_hidden_all_the_same() -> None:
    """A log that never hid a hand shows it to no other seat."""
    records = played().records
    dealt = records[6].event_logged
    dealt.commitment = b""
    dealt.event.hand_dealt.cards.add(rank=7, suit=1)
    assert dealt.event.hand_dealt.seat == 0
    assert HIDDEN_HAND in told(records, 1)
    assert "    Amina (0) receives 7 of coins" in told(records, 0)


def test_a_seat_that_the_match_lacks_is_named(replay: Replay, log: Path) -> None:
    """And what is no seat at all."""
    ran = replay(log, "--seat", "2")
    assert (ran.code, ran.err) == (2, "ronda: --seat 2: the match has the seats 0 to 1\n")
    ran = replay(log, "--seat", "x")
    assert ran.code == 2
    assert "argument --seat: 'x' is no seat, as 0 or 1" in ran.err


A_SECOND = match_terms_pb2.TimeControl(per_move_ms=1000)
TERMS = match_terms_pb2.MatchTerms(time_control=A_SECOND, time_out=match_terms_pb2.TIME_OUT_FORFEIT)


def test_forfeits_are_told_with_their_reason() -> None:
    """Of a seat that resigns, and of one that runs out of time."""
    match = ByHand.begin(TERMS)
    match.lowest(100)
    rows, _ = match.play.resign(1, at(200))
    match.take(rows)
    lines = told(records_of(match))
    assert lines[-7:-3] == [
        "    seat 1 (1) resigns",
        "    seat 1 (1) forfeits",
        "the match is over; winner: seat 0 (0); score: seat 0 (0) 0, seat 1 (1) 0",
        "the match ends by forfeit",
    ]
    late = ByHand.begin(TERMS)
    late.run_out(1000)
    assert "    seat 0 (0) is out of time" in told(records_of(late))


def test_moves_of_the_referee_are_marked() -> None:
    """The card is marked, and what follows from it is not."""
    terms = match_terms_pb2.MatchTerms(
        time_control=A_SECOND, time_out=match_terms_pb2.TIME_OUT_AUTOMATIC
    )
    match = ByHand.begin(terms)
    match.run_out(1000)
    lines = told(records_of(match))
    assert lines[-2:] == [
        "    seat 0 (0) plays horse of coins (moved by the referee)",
        "      seat 0 (0) lays horse of coins on the table",
    ]


def test_matches_that_nobody_won_are_told() -> None:
    """Cancelled by the organiser, with the points so far; and never begun."""
    match = ByHand.begin(TERMS)
    match.take(match.play.cancel(log_pb2.END_REASON_CANCELLED, at(200)))
    lines = told(records_of(match))
    assert "the organiser cancelled the match" in lines
    assert "nobody won; score: seat 0 (0) 0, seat 1 (1) 0" in lines
    match = ByHand.begin(TERMS, joined=False)
    match.take(match.play.cancel(log_pb2.END_REASON_NOT_JOINED, at(200)))
    lines = told(records_of(match))
    assert "the match never began: not every seat was taken in time" in lines
    assert "nobody won; score: none" in lines


def records_of(match: ByHand) -> list[log_pb2.LogRecord]:
    """Give the records of a match so far."""
    return [log_pb2.LogRecord.FromString(row.record) for row in match.rows]


def test_a_log_without_its_end_shows_no_hand(replay: Replay, log: Path) -> None:
    """While nothing is opened hands are numbers of cards; and it says first that it is not over."""
    log.write_bytes(log.read_bytes()[:1500])
    ran = replay(log)
    assert ran.code == 1
    lines = ran.out.splitlines()
    assert lines[0].startswith("THIS LOG DOES NOT VERIFY: TRUNCATED in record ")
    assert lines[1].startswith("match m-7: Maghribi")
    assert lines[5] == "hands stay hidden until the match is over"
    assert HIDDEN_HAND in lines
    assert "    table: 1o 5o 10o 12o" in lines
    assert lines[-1].startswith("the file cannot be read further: record ")


def test_a_log_that_does_not_verify_is_told_all_the_same(replay: Replay, log: Path) -> None:
    """The first line says what is wrong, the rest tells what stands there."""
    log.write_bytes(log.read_bytes().replace(b"Brahim", b"Ibrahi"))
    ran = replay(log)
    assert ran.code == 1
    lines = ran.out.splitlines()
    assert lines[0].startswith("THIS LOG DOES NOT VERIFY: CHAIN_BROKEN in record 1 at byte ")
    assert "seat 1 is taken by Ibrahi" in lines
    assert lines[-1] == "the log is signed"


def test_a_result_that_contradicts_the_play_is_told_apart() -> None:
    """Only a result that says something else than the last event gets a line of its own."""
    records = played().records
    records[137].match_result.winners[:] = [0]
    over = [line for line in told(records) if line.startswith("the match is over")]
    assert over == [
        "the match is over; winner: Brahim (1); score: Amina (0) 0, Brahim (1) 4",
        "the match is over; winner: Amina (0); score: Amina (0) 0, Brahim (1) 4",
    ]
    assert len([line for line in told(played().records) if "is over; winner" in line]) == 1


def test_an_opening_that_does_not_fit_shows_nothing() -> None:
    """A hand is shown only where it is what was committed to."""
    records = played().records
    records[138].opening.nonce = bytes(32)
    assert HIDDEN_HAND in told(records)


def test_an_opening_of_another_event_shows_nothing() -> None:
    """An opening that fits and says that the match is won is no hand."""
    records = played().records
    opening = records[138].opening
    record = log_pb2.LogRecord()
    record.event_logged.event.match_ended.winners.append(0)
    opening.payload = record.event_logged.event.SerializeToString()
    records[6].event_logged.commitment = commitment(opening.nonce, opening.payload)
    assert HIDDEN_HAND in told(records)


def test_a_hidden_event_that_is_opened_as_noise_stays_hidden() -> None:
    """An opening that fits and holds no event shows nothing."""
    records = played().records
    opening = records[138].opening
    opening.payload = b"\xff\xff"
    records[6].event_logged.commitment = commitment(opening.nonce, opening.payload)
    assert HIDDEN_HAND in told(records)


def test_hostile_names_are_shown_and_not_obeyed() -> None:
    """A player's name steers no terminal, turns no text and fills no screen."""
    records = played().records
    records[1].seat_joined.name = "\x1b[2J\nseat 9 \u202ewins"
    records[2].seat_joined.name = "A" * 5000
    lines = told(records)
    assert r"seat 1 is taken by \x1b[2J\nseat 9 \u202ewins" in lines
    assert f"    {'A' * 39}… (0) plays ace of cups" in lines
    assert all(line.isprintable() for line in lines)


def test_what_no_referee_writes_is_told() -> None:
    """Cards that are none, and amounts beyond sense."""
    record = log_pb2.LogRecord()
    record.event_logged.event.card_played.seat = 4_000_000_000
    record.event_logged.event.card_played.card.rank = 9  # type: ignore[assignment] # none
    assert told([record]) == [
        "    table: -",
        "    something unknown: card_played { seat: 4000000000 card { rank: 9 } }",
    ]
    record.event_logged.event.deal_ended.scores[:] = [4_294_967_295] * 2
    assert told([record]) == ["  deal 0 is over; score: side 0 4294967295, side 1 4294967295"]


def test_records_in_any_order_are_told() -> None:
    """Nonsense is told as it stands and stops nobody."""
    records = played().records
    assert len(told(records[::-1])) > 50
    assert told([]) == []


def test_events_of_nobody_are_told() -> None:
    """Captures and awards without a card played, and a log without a header."""
    assert told([played().records[15]]) == [
        "    seat 1: caida 1 (side 1 +1)",
        "    score: side 1 1",
    ]
    record = log_pb2.LogRecord()
    record.match_result.winners.append(3)
    assert told([record]) == [
        "the match is over; winner: side 3; score: none",
        "the seed was -",
    ]


def test_json_has_one_step_a_line(replay: Replay, log: Path) -> None:
    """With what is said of it, the event, and the match as it stands then."""
    ran = replay(log, "--json")
    assert (ran.code, ran.err) == (0, "")
    steps = ran.json_lines
    assert [step["kind"] for step in steps[:6]] == [
        "header",
        "seat_joined",
        "seat_joined",
        "match_started",
        "deal_started",
        "batch_started",
    ]
    capture = next(step for step in steps if step["kind"] == "cards_captured")
    assert capture["record"] == 14
    assert capture["told"] == ["Brahim (1) captures 7 of coins, jack of coins"]
    assert capture["event"] == {
        "cards_captured": {
            "seat": 1,
            "cards": [
                {"rank": "RANK_7", "suit": "SUIT_OROS"},
                {"rank": "RANK_10", "suit": "SUIT_OROS"},
            ],
        }
    }
    assert capture["automatic"] is False
    assert capture["state"] == {
        "deal": 1,
        "dealer": 1,
        "batch": 1,
        "last_batch": False,
        "pack": 30,
        "table": ["1o", "5o", "12o"],
        "hands": [
            {"seat": 0, "count": 2, "cards": ["1c", "2c"]},
            {"seat": 1, "count": 2, "cards": ["3o", "4o"]},
        ],
        "turn": {"seat": 1, "card": "7c", "taken": ["7o", "10o"]},
        "chain": None,
        "announcements": [],
        "debts": [],
        "piles": [{"side": 0, "cards": 0}, {"side": 1, "cards": 3}],
        "scores": [{"side": 0, "points": 0}, {"side": 1, "points": 0}],
        "forfeited": [],
        "winners": [],
    }


def test_json_of_a_seat_has_no_other_hand(replay: Replay, log: Path) -> None:
    """Neither in an event nor in a state."""
    ran = replay(log, "--json", "--seat", "1")
    steps = ran.json_lines
    (dealt,) = (
        step["event"]["hand_dealt"]
        for step in steps
        if step["kind"] == "hand_dealt" and step["record"] == 6
    )
    assert dealt == {"seat": 0, "card_count": 3, "cards": []}
    hands = [hand for step in steps for hand in step["state"]["hands"] if hand["seat"] == 0]
    assert {hand["cards"] is None for hand in hands} == {True}
    assert {hand["count"] for hand in hands} == {0, 1, 2, 3}


def test_records_are_printed_as_they_are(replay: Replay, log: Path) -> None:
    """With --records the records stand on standard output and nothing else does."""
    ran = replay(log, "--records")
    assert ran.code == 0
    records = ran.json_lines
    assert len(records) == 151
    assert records[0]["header"]["match_id"] == "m-7"
    assert base64.b64decode(records[0]["header"]["public_key"]) == KEY.public_key
    played_card = records[10]["event_logged"]["event"]["card_played"]
    assert played_card == {"seat": 0, "card": {"rank": "RANK_7", "suit": "SUIT_OROS"}}
    ran = replay(log, "--records", "--seat", "0")
    assert (ran.code, ran.out) == (2, "")


@pytest.mark.parametrize(("option", "lines"), [("--json", 138), ("--records", 150)])
def test_json_keeps_remarks_off_standard_output(
    replay: Replay, log: Path, option: str, lines: int
) -> None:
    """What is wrong is said on standard error, so that every line of output is an object."""
    log.write_bytes(log.read_bytes()[:-1])
    ran = replay(log, option)
    assert ran.code == 1
    assert len(ran.json_lines) == lines - (0 if option == "--records" else LEFT_OUT)
    assert "THIS LOG DOES NOT VERIFY: TRUNCATED" in ran.err
    assert "the file cannot be read further: record 150" in ran.err


# Of the first 138 records the moves of 36 turns: events tell what came of them.
LEFT_OUT = 36


@pytest.mark.parametrize("missing", [True, False])
def test_a_file_that_cannot_be_read_is_named(
    replay: Replay, tmp_path: Path, *, missing: bool
) -> None:
    """A missing file and a folder end with exit code 2."""
    path = tmp_path / "none.rlog" if missing else tmp_path
    ran = replay(path)
    reason = "No such file or directory" if missing else "Is a directory"
    assert (ran.code, ran.err) == (2, f"ronda: replay: {path} cannot be read: {reason}\n")


def test_a_file_of_something_else_is_not_told(replay: Replay, tmp_path: Path) -> None:
    """There is nothing to tell, and it says why."""
    path = tmp_path / "picture.png"
    path.write_bytes(b"\x89PNG\r\n\x1a\n" * 10)
    ran = replay(path)
    assert ran.code == 1
    assert ran.out.startswith("THIS LOG DOES NOT VERIFY: NOT_A_LOG in record 0")


@pytest.mark.parametrize("command", ["audit", "replay"])
async def test_an_output_without_arabic_letters_shows_their_numbers(
    tmp_path: Path, command: str
) -> None:
    """Where standard output cannot show a name, the command goes on."""
    records = played().records
    records[2].seat_joined.name = "أمينة"
    path = tmp_path / "match.rlog"
    path.write_bytes(rewrite(records))
    ran = await ronda(command, path, PYTHONIOENCODING="ascii")
    assert ran.code == 0
    assert r"\u0623\u0645\u064a\u0646\u0629 (" in ran.out


def test_a_log_that_is_not_opened_tells_no_hand() -> None:
    """Where nothing is found behind a commitment, hands are numbers."""
    records = [record for record in played().records if not record.HasField("opening")]
    lines = [
        plain(line) for block in replay_blocks(records, nothing_opened, ENGLISH) for line in block
    ]
    assert lines[4] == "hands stay hidden until the match is over"
    assert HIDDEN_HAND in lines


def test_latin_letters_change_nothing_where_there_are_no_others() -> None:
    """Spanish stays as it is."""
    spanish = load_glossary("es")
    records = played().records
    assert told(records, language=Language(spanish, latin=True)) == told(
        records, language=Language(spanish)
    )
