"""The shuffle is the written one: any language that follows the description draws the same cards.

The literals come from `shuffle_vectors.mjs`, which was written from the description alone.
"""

import json
import subprocess
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ronda_referee.shuffle import (
    DealDraws,
    FixedDrawsExhausted,
    MatchDraws,
    commit,
    key_of,
    match_key,
    shared_match_key,
)
from ronda_rules.cards import FULL_PACK, card_text, parse_card, set_of
from ronda_tournament import seeds
from tests.referee.second_verifier import node_program

SEED = bytes(range(32))
ENTROPIES = (b"first", b"", b"\x00\xff")
GROUP = "round 1, table 2"
KEY = bytes.fromhex("3d33415d24a84d5bd3d827309b9e6dcf9e4bef8e09467b16b66fd6bbb303b1e8")

VECTORS = {
    "commitment": "6f0dffc4e847daf60065ef772bf0d9c4910a73ec57ff973149b376b1583d25ff",
    "match_key": "3d33415d24a84d5bd3d827309b9e6dcf9e4bef8e09467b16b66fd6bbb303b1e8",
    "match_key_without_entropy": "918a268bdc3d6c9f5aa2bfa62f57c52bac498dc9379a4007f1fe154a078ea469",
    "match_key_of_other_text": "ba663b19558844d931a0548f04e86af5ab5d3f6e5e0a2105a3ee8e043edc0aec",
    "stream_of_deal_1": (
        "1e17b3a414952b3e0a1f0b1c4b3685b57b526ce5c0e35f9847b94c985cc2eed9"
        "363344ae52d19c059dc4e5667daa11fa5c63d8119075e2965ec5e20eada94519"
        "18f0b45821e3"
    ),
    "first_dealer_of_three": 0,
    "deal_1_after_dealer": (
        "4e 5e 3c 2e 6o 12o 5b 4c 12b 6c 10b 6e 7b 6b 11b 3b 5c 7e 2c 4o "
        "1c 1o 11c 7o 3e 3o 2b 5o 11o 11e 12e 2o 12c 1b 10o 1e 10c 7c 4b 10e"
    ),
    "deal_2": (
        "12o 7e 3e 10b 6o 12c 11c 6c 12b 3o 6b 6e 4c 5e 10o 5b 2o 2b 2e 7c "
        "10e 11b 3c 2c 11e 5c 1c 5o 7b 1e 4b 7o 3b 4e 1o 1b 11o 10c 4o 12e"
    ),
    "deal_2_rest": "ffad0ef3",
    "deal_3_aces_and_kings": "1c 12c 1e 12e 1b",
    "shared_match_key": "50cec2e4dec082ebdf29723cd0040ad1d06c541ff1f33a8cdd9888792615b79e",
    "shared_match_key_of_other_text": (
        "02f255a4184d381734754aa7ed6112b7589ce69e8ea32f87dd5db0d4f40f357b"
    ),
    "shared_match_key_of_the_match_id": (
        "bb0afdd06ce86248acd0440755a789155b0cc07b5f7724da65ac425da3994d22"
    ),
    "shared_first_dealer_of_three": 2,
    "shared_deal_1_after_dealer": (
        "3o 4o 10c 3b 4c 12o 7e 1o 11b 3c 11c 11o 4e 1e 7b 6c 12c 2c 6o 4b "
        "2o 6e 7o 6b 5e 12b 10o 10b 1b 5c 12e 11e 5o 10e 3e 1c 2e 5b 2b 7c"
    ),
    "shared_deal_2": (
        "6b 3b 5e 2o 3o 2b 10b 6o 11c 4o 6e 4b 5b 1c 1o 3e 5c 5o 1b 6c "
        "12e 3c 10e 10o 12c 1e 2e 7b 2c 10c 4e 7c 12o 7o 11b 7e 4c 12b 11o 11e"
    ),
    "tournament_commitment": "3c32408556b540d0594204659f20f69005ed74659ca54e7abd5002e74f89d2bb",
    "group_seed": "f67342bff894b81c29a03be05acd73d3d6a6db6e5fe4a5032c8945bcb76e9c2f",
    "group_seed_of_other_text": "63184bc09f525d18731c737d7909e26f1706303f3e5ec3e0298fcd599dcc9e14",
}


def texts(cards: tuple[int, ...]) -> str:
    """Write drawn cards as the vectors have them."""
    return " ".join(map(card_text, cards))


def test_the_independent_script_computes_the_literals() -> None:
    """The literals of this file are what the script computes, and not this code's own output."""
    script = Path(__file__).with_name("shuffle_vectors.mjs")
    ran = subprocess.run([node_program(), script], capture_output=True, text=True, check=True)
    assert json.loads(ran.stdout) == VECTORS


def test_commitment_is_the_domain_separated_hash_of_the_seed() -> None:
    """The commitment is the vector's, and not the bare hash of the seed."""
    assert commit(SEED).hex() == VECTORS["commitment"]
    bare = "630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd"
    assert commit(SEED).hex() != bare


def test_match_key_covers_match_id_and_the_seats_bytes() -> None:
    """The three vectors differ in id, seats and bytes; a seat's empty bytes still count."""
    assert match_key(SEED, "m-7", ENTROPIES).hex() == VECTORS["match_key"]
    assert match_key(SEED, "m-7", (b"", b"")).hex() == VECTORS["match_key_without_entropy"]
    assert match_key(SEED, "málaga", (b"a", b"b")).hex() == VECTORS["match_key_of_other_text"]


@pytest.mark.parametrize(
    ("match_id", "entropies"),
    [
        ("m-7", (b"first", b"\x00\xff", b"")),
        ("m-7", (b"firs", b"t", b"\x00\xff")),
        ("m-7", (b"first", b"", b"\x00\xff", b"")),
        ("m-7f", (b"irst", b"", b"\x00\xff")),
        ("M-7", ENTROPIES),
    ],
    ids=["other order", "other border", "one seat more", "border of the id", "other id"],
)
def test_no_two_different_inputs_share_a_match_key(
    match_id: str, entropies: tuple[bytes, ...]
) -> None:
    """Bytes moved over a border, or between seats, give another key."""
    assert match_key(SEED, match_id, entropies) != KEY


def test_a_shared_shuffle_has_a_key_of_its_own_kind() -> None:
    """It covers the id alone, and one that is a match's id gives another key than that match."""
    assert shared_match_key(SEED, GROUP).hex() == VECTORS["shared_match_key"]
    assert shared_match_key(SEED, "málaga").hex() == VECTORS["shared_match_key_of_other_text"]
    shared = shared_match_key(SEED, "m-7").hex()
    assert shared == VECTORS["shared_match_key_of_the_match_id"]
    assert shared not in {match_key(SEED, "m-7", ()).hex(), VECTORS["match_key"]}


def test_matches_that_share_a_shuffle_have_one_key_whatever_their_seats_bring() -> None:
    """Without a shuffle id the key is the match's own."""
    keys = {
        key_of(SEED, match_id, GROUP, entropies).hex()
        for match_id in ("m-7", "m-8")
        for entropies in (ENTROPIES, (b"", b""))
    }
    assert keys == {VECTORS["shared_match_key"]}
    assert key_of(SEED, "m-7", "", ENTROPIES) == KEY


def test_a_shared_shuffle_draws_as_the_vectors_say() -> None:
    """A dealer below three and a deal after it, and the whole second deal."""
    key = shared_match_key(SEED, GROUP)
    first = DealDraws(key, 1)
    assert first.number(3) == VECTORS["shared_first_dealer_of_three"]
    assert texts(first.cards(FULL_PACK, 40)) == VECTORS["shared_deal_1_after_dealer"]
    assert texts(DealDraws(key, 2).cards(FULL_PACK, 40)) == VECTORS["shared_deal_2"]


def test_a_tournaments_seed_gives_each_group_its_own() -> None:
    """Commitment and seeds are the vectors', and none is another's."""
    assert seeds.commitment(SEED).hex() == VECTORS["tournament_commitment"]
    assert seeds.commitment(SEED) != commit(SEED)
    assert seeds.group_seed(SEED, GROUP).hex() == VECTORS["group_seed"]
    assert seeds.group_seed(SEED, "málaga").hex() == VECTORS["group_seed_of_other_text"]


@pytest.mark.parametrize("size", [0, 31, 33])
def test_a_tournaments_seed_of_another_size_is_refused(size: int) -> None:
    """For the commitment and for a group."""
    with pytest.raises(ValueError, match=f"seed has 32 bytes; this one has {size}"):
        seeds.commitment(bytes(size))
    with pytest.raises(ValueError, match=f"seed has 32 bytes; this one has {size}"):
        seeds.group_seed(bytes(size), GROUP)


@pytest.mark.parametrize("size", [0, 31, 33])
def test_a_seed_of_another_size_is_refused(size: int) -> None:
    """A seed has 32 bytes, for the commitment and for the key."""
    with pytest.raises(ValueError, match=f"the seed has {size} bytes; 32 are needed"):
        shared_match_key(bytes(size), GROUP)
    with pytest.raises(ValueError, match=f"the seed has {size} bytes; 32 are needed"):
        commit(bytes(size))
    with pytest.raises(ValueError, match=f"the seed has {size} bytes; 32 are needed"):
        match_key(bytes(size), "m", (b"", b""))


def test_the_stream_crosses_blocks_of_32_bytes() -> None:
    """Seventy bytes, read one at a time, are the three blocks of the vector in a row."""
    draws = DealDraws(KEY, 1)
    assert bytes(draws.number(256) for _ in range(70)).hex() == VECTORS["stream_of_deal_1"]


def test_bytes_that_would_favour_low_numbers_are_passed_over() -> None:
    """Below 200 only bytes under 200 count: e5 and e3 of the vector's stream are skipped."""
    draws = DealDraws(KEY, 1)
    #           1e  17  b3   a4   14  95   2b  3e  0a  1f  0b  1c  4b  36  85   b5   7b   52  6c
    expected = [30, 23, 179, 164, 20, 149, 43, 62, 10, 31, 11, 28, 75, 54, 133, 181, 123, 82, 108]
    #            c0   5f  98   47
    expected += [192, 95, 152, 71]
    assert [draws.number(200) for _ in expected] == expected


def test_a_byte_at_the_limit_is_passed_over() -> None:
    """Below 149 the limit is 149, which the sixth byte is: 95 in hexadecimal, passed over."""
    draws = DealDraws(KEY, 1)
    assert [draws.number(149) for _ in range(4)] == [30, 23, 20, 43]


def test_cards_of_a_deal_follow_the_first_dealer_in_one_stream() -> None:
    """Deal 1 gives the dealer first and then all forty cards, each once."""
    draws = DealDraws(KEY, 1)
    assert draws.number(3) == VECTORS["first_dealer_of_three"]
    assert texts(draws.cards(FULL_PACK, 40)) == VECTORS["deal_1_after_dealer"]


def test_cards_drawn_singly_and_together_are_the_same() -> None:
    """Drawing one at a time from what is left is the same as drawing all at once."""
    draws = DealDraws(KEY, 2)
    pack = FULL_PACK
    drawn = []
    for _ in range(40):
        drawn.append(draws.card(pack))
        pack ^= 1 << drawn[-1]
    assert texts(tuple(drawn)) == VECTORS["deal_2"]
    assert bytes(draws.number(256) for _ in range(4)).hex() == VECTORS["deal_2_rest"]


def test_a_draw_is_an_index_into_the_pack_in_canonical_order() -> None:
    """From the aces and kings alone the vector's five come, whatever other cards exist."""
    pack = set_of(parse_card(rank + suit) for suit in "oceb" for rank in ("1", "12"))
    assert texts(DealDraws(KEY, 3).cards(pack, 5)) == VECTORS["deal_3_aces_and_kings"]


@pytest.mark.parametrize("n", [0, -1, 257])
def test_a_number_out_of_range_is_refused(n: int) -> None:
    """One byte cannot give a uniform number below more than 256, and below 1 there is none."""
    with pytest.raises(ValueError, match=rf"below {n} was asked for; 1 to 256 can be"):
        DealDraws(KEY, 1).number(n)


def test_an_empty_pack_gives_no_card() -> None:
    """Drawing from nothing is refused and does not end in a card of the void."""
    with pytest.raises(ValueError, match="below 0"):
        DealDraws(KEY, 1).card(0)


def test_match_draws_give_each_deal_its_own_stream() -> None:
    """A match draws the dealer and deal 1 from one stream, deal 2 from another."""
    draws = MatchDraws(KEY)
    assert draws.first_dealer(3) == 0
    assert texts(draws.cards(1, FULL_PACK, 5)) == "4e 5e 3c 2e 6o"
    pack = FULL_PACK & ~set_of(map(parse_card, ("4e", "5e", "3c", "2e", "6o")))
    assert texts(draws.cards(1, pack, 3)) == "12o 5b 4c"
    assert texts(draws.cards(2, FULL_PACK, 4)) == "12o 7e 3e 10b"


def test_fixed_draws_come_as_they_are_given_over_all_deals() -> None:
    """Fixed cards replace the shuffle's cards and run through from deal to deal."""
    fixed = [parse_card(text) for text in ("12b", "1o", "7c", "12b")]
    draws = MatchDraws(KEY, fixed)
    assert draws.first_dealer(3) == 0
    assert texts(draws.cards(1, FULL_PACK, 3)) == "12b 1o 7c"
    assert texts(draws.cards(2, FULL_PACK, 1)) == "12b"


def test_too_few_fixed_draws_are_named() -> None:
    """The match stops with both numbers where the organiser fixed too few cards."""
    draws = MatchDraws(KEY, [3, 4])
    with pytest.raises(FixedDrawsExhausted, match="needs 3 cards or more, and 2 draws are fixed"):
        draws.cards(1, FULL_PACK, 3)


@given(pack=st.integers(1, FULL_PACK), deal=st.integers(1, 50), data=st.data())
def test_draws_are_different_cards_of_the_pack(pack: int, deal: int, data: st.DataObject) -> None:
    """Whatever the pack, every card drawn is in it and none comes twice."""
    count = data.draw(st.integers(0, pack.bit_count()))
    drawn = DealDraws(KEY, deal).cards(pack, count)
    assert len(set(drawn)) == count
    assert all(pack >> card & 1 for card in drawn)
