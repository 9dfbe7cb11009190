"""A replay tells the match as a person would want to read it."""

from pathlib import Path

from ronda.v1 import log_pb2, match_terms_pb2
from ronda_conformance.rule_set_files import load_rule_set
from ronda_replay.lines import plain, replay_blocks
from tests.clients.replayed import ENGLISH, HIDDEN_HAND, Replay, opener, played, told
from tests.referee.played_by_hand import ByHand, at
from tests.referee.played_logs import (
    FIXED,
    PlayedMatch,
    cards,
    first_card,
    maghribi,
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
the match is over, won by Brahim (1); score: Amina (0) 0, Brahim (1) 4
the seed was 000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f
hidden hands and answers opened: 12
the log is signed
""".splitlines()


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


def test_a_shared_shuffle_is_told() -> None:
    """The header names it, beside the commitment to its seed."""
    lines = told(PlayedMatch(maghribi(1), shuffle_id="round 1, table 2").records)
    assert lines[2] == (
        "shared shuffle round 1, table 2; commitment to its seed: "
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
    assert "    debt of Amina (0) to Brahim (1), cards: 1" in paid
    assert "      payment by Amina (0) to Brahim (1), cards: 1" in paid


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
        "the match is over, won by Brahim (1); score: Amina (0) 0, Brahim (1) 4",
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
        "the match is over, won by seat 0 (0); score: seat 0 (0) 0, seat 1 (1) 0",
        "the match ends by forfeit",
    ]
    late = ByHand.begin(TERMS)
    late.run_out(1000)
    assert "    seat 0 (0) is out of time" in told(records_of(late))


def test_reasons_that_are_unknown_here_are_left_out() -> None:
    """That a seat forfeits, and who has won, is told all the same, each once."""
    match = ByHand.begin(TERMS)
    match.lowest(100)
    rows, _ = match.play.resign(1, at(200))
    match.take(rows)
    records = records_of(match)
    for record in records:
        if record.HasField("forfeit_declared"):
            record.forfeit_declared.reason = log_pb2.ForfeitReason.ValueType(9)
        if record.HasField("match_result"):
            record.match_result.reason = log_pb2.EndReason.ValueType(9)
    lines = told(records)
    assert lines[-5:-2] == [
        "    seat 1 (1) forfeits",
        "the match is over, won by seat 0 (0); score: seat 0 (0) 0, seat 1 (1) 0",
        "the seed was 000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f",
    ]
    assert "    seat 1 (1) resigns" not in lines


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
