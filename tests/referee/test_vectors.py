"""The test vectors are those of the pages: two programs compute them, and literals hold them."""

import base64
import io
import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from ronda_conformance import data_folders
from ronda_referee.log_file import MAGIC, read_records
from tests.referee.played_logs import audit
from tests.referee.second_verifier import node
from tests.referee.test_shuffle import VECTORS as SHUFFLED
from tools import generate_vectors

# What each honest log says: its records, how it ended, the winners and the scores.
HONEST = {
    "not-joined": (4, "NOT_JOINED", [], []),
    "cancelled-before-start": (5, "CANCELLED", [], []),
    "cancelled-in-play": (92, "CANCELLED", [], [2, 2]),
    "played": (150, "PLAYED", [0], [3, 0]),
    "table-returned": (60, "FORFEITED", [0], [0, 0, 0]),
    "fixed-draws": (33, "CANCELLED", [], [0, 1]),
    "sealed-answers": (35, "FORFEITED", [1], [0, 1]),
    "timed-out": (27, "FORFEITED", [0], [0, 0]),
    "automatic": (42, "FORFEITED", [2], [0, 0, 0]),
    "shared-shuffle": (30, "CANCELLED", [], [0, 1, 0]),
    "shared-shuffle-again": (51, "CANCELLED", [], [0, 2, 0]),
}
# What is found in each dishonest log, and in which record.
DISHONEST = {
    "no-log": ("NOT_A_LOG", 0),
    "cut-in-a-record": ("TRUNCATED", 17),
    "cut-between-records": ("LOG_UNFINISHED", 20),
    "length-of-two-bytes": ("LENGTH_NOT_MINIMAL", 2),
    "empty-record": ("EMPTY_RECORD", 2),
    "byte-after-the-signature": ("TRAILING_BYTES", 4),
    "unknown-field": ("UNKNOWN_FIELDS", 2),
    "field-written-twice": ("NOT_CANONICAL", 2),
    "record-changed": ("CHAIN_BROKEN", 1),
    "record-left-out": ("SEQUENCE_WRONG", 4),
    "time-goes-back": ("TIME_WRONG", 3),
    "event-later-than-its-move": ("TIME_WRONG", 12),
    "seat-joins-twice": ("SEAT_INVALID", 2),
    "no-public-key": ("HEADER_INCOMPLETE", 0),
    "format-version-2": ("FORMAT_UNSUPPORTED", 0),
    "hand-of-other-cards": ("DRAW_WRONG", 6),
    "table-of-other-cards": ("DRAW_WRONG", 8),
    "other-dealer": ("DRAW_WRONG", 5),
    "hand-shown": ("COMMITMENT_WRONG", 6),
    "no-commitment": ("COMMITMENT_WRONG", 6),
    "other-nonce": ("OPENING_WRONG", 25),
    "opening-left-out": ("RECORD_OUT_OF_ORDER", 25),
    "answer-with-more-bytes": ("OPENING_WRONG", 30),
    "no-request-id": ("REQUEST_ID_MISSING", 9),
    "request-id-again": ("REQUEST_ID_REUSED", 15),
    "other-decision": ("DECISION_WRONG", 15),
    "other-deadline": ("CLOCK_WRONG", 14),
    "late-move": ("CLOCK_WRONG", 11),
    "forfeit-too-early": ("CLOCK_WRONG", 20),
    "forfeit-for-no-reason": ("FORFEIT_WRONG", 24),
    "referee-moves-in-time": ("AUTOMATIC_MOVE_WRONG", 9),
    "other-winner": ("RESULT_WRONG", 23),
    "ended-otherwise": ("RESULT_WRONG", 3),
    "other-seed": ("SEED_WRONG", 23),
    "other-fixed-draws": ("FIXED_DRAWS_INVALID", 29),
    "foreign-signature": ("SIGNATURE_INVALID", 3),
    "foreign-key": ("KEY_NOT_EXPECTED", 0),
    "other-award": ("EVENT_WRONG", 27),
    "other-automatic-move": ("AUTOMATIC_MOVE_WRONG", 22),
    "group-table-of-other-cards": ("DRAW_WRONG", 11),
    "group-of-another-id": ("DRAW_WRONG", 8),
    "group-not-named": ("DRAW_WRONG", 8),
    "shared-and-fixed": ("HEADER_INCOMPLETE", 0),
}

# Written by hand from the schema, and hashed and signed by Node alone: the hand `7o 12b` of seat 1,
# a sealed pass, a pass, and two fixed draws; the key of the bytes 32 to 63, and 32 zeros as head.
COMMITMENTS = {
    "2a10080110021a04080710011a04080c1004": (
        "b663f80eb76ecb114e9e83414daa58033689248117c0fb68cc9a0106cab62d7a"
    ),
    "e201021801": "cd0403e558a0991d37a4c0c76fd52e43c3093c72245eb93e8eda4c62b1208da3",
    "1200": "c6eeb2d0d1f4d36984840cb1815a4c6afbf325ab1db5674fa54fb54bc86e7e8f",
    "0a04080710010a04080c1004": "a9eccaa82bbc80295e9b4d48646cf81b4293d41191a1a3068eaf2469dbf977c8",
}
PUBLIC_KEY = "29acbae141bccaf0b22e1a94d34d0bc7361e526d0bfe12c89794bc9322966dd7"
SIGNATURE_OF_ZEROS = (
    "6f5285be768b2ce0ec8668223147e02e57966e59c0aa1b487fe54ccdf103d3a6"
    "ced3a836fdea3d836107db1f4337d7b9afc9cb7d5076ad5102a1e16ee54d8f09"
)


def vectors(name: str) -> dict[str, Any]:
    """Read a file of vectors."""
    read: dict[str, Any] = json.loads((data_folders.vectors() / name).read_text(encoding="utf-8"))
    return read


def logs() -> dict[str, dict[str, Any]]:
    """Give the logs by their ids."""
    return {one["id"]: one for one in vectors("logs.json")["logs"]}


def test_the_files_are_as_generated() -> None:
    """`python -m tools.generate_vectors` writes them anew; a change of the format shows."""
    assert generate_vectors.main(["--check"]) == 0


def test_a_file_that_was_edited_fails_the_check(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The check names the file and the remedy; writing mends it."""
    assert generate_vectors.main([str(tmp_path)]) == 0
    assert generate_vectors.main([str(tmp_path), "--check"]) == 0
    file = tmp_path / "chain.json"
    file.write_text(file.read_text(encoding="utf-8").replace("a", "b", 1), encoding="utf-8")
    capsys.readouterr()
    assert generate_vectors.main([str(tmp_path), "--check"]) == 1
    assert f"{file} is not as generated; `make proto` mends it." in capsys.readouterr().err


def test_the_second_program_computes_the_same_values() -> None:
    """Node computes each value again from its inputs, without a line of the referee's code."""
    ran = node("vectors.mjs", data_folders.vectors())
    assert json.loads(ran.stdout) == {"checked": 191, "wrong": []}


@pytest.mark.parametrize(
    ("name", "old", "new", "place"),
    [
        ("shuffle.json", "4e 5e 3c", "5e 4e 3c", "shuffle.json decks[0] steps[1]"),
        ("shuffle.json", "6f0dffc4", "6f0dffc5", "shuffle.json matches[0] seed_commitment"),
        ("shuffle.json", "50cec2e4", "50cec2e5", "shuffle.json shared[1] match_key"),
        ("shuffle.json", '"3c324085', '"3c324086', "shuffle.json tournaments[0] commitment"),
        ("chain.json", '"sequence": 1,', '"sequence": 2,', "chain.json records[1] sequence"),
        ("chain.json", '_key": "29', '_key": "28', "chain.json signatures[0] public_key"),
        ("logs.json", '"winners": [\n    0\n', '"winners": [\n    1\n', "logs.json played says"),
        ("logs.json", '"kind": "TRUNCATED"', '"kind": "NOT_A_LOG"', "logs.json cut-in-a-record"),
    ],
)
def test_the_second_program_finds_a_wrong_value(
    tmp_path: Path, name: str, old: str, new: str, place: str
) -> None:
    """The test above can fail, and names the place."""
    folder = tmp_path / "vectors"
    shutil.copytree(data_folders.vectors(), folder)
    file = folder / name
    text = file.read_text(encoding="utf-8")
    assert old in text
    file.write_text(text.replace(old, new, 1), encoding="utf-8")
    wrong = json.loads(node("vectors.mjs", folder).stdout)["wrong"]
    assert [one["place"] for one in wrong][:1] == [place]


def test_the_shuffle_is_that_of_the_first_script() -> None:
    """The literals of `shuffle_vectors.mjs` stand in the file, under the same inputs."""
    file = vectors("shuffle.json")
    first, second, third, _ = file["matches"]
    assert (first["match_id"], first["entropies"]) == ("m-7", [b"first".hex(), "", "00ff"])
    assert first["seed_commitment"] == SHUFFLED["commitment"]
    assert first["match_key"] == SHUFFLED["match_key"]
    assert second["match_key"] == SHUFFLED["match_key_without_entropy"]
    assert third["match_key"] == SHUFFLED["match_key_of_other_text"]
    assert "".join(first["deals"][0]["blocks"]).startswith(str(SHUFFLED["stream_of_deal_1"]))
    dealer, deal_1 = file["decks"][0]["steps"]
    assert (dealer["seat"], deal_1["cards"]) == (0, SHUFFLED["deal_1_after_dealer"])
    (deal_2,) = file["decks"][1]["steps"]
    assert deal_2["cards"] == SHUFFLED["deal_2"]


def test_shared_shuffles_and_tournaments_are_those_of_the_first_script() -> None:
    """Keys, a dealer, a deal, and the seed of a group, under the same inputs."""
    file = vectors("shuffle.json")
    of_match_id, group, _ = file["shared"]
    assert (of_match_id["shuffle_id"], group["shuffle_id"]) == ("m-7", "round 1, table 2")
    assert of_match_id["match_key"] == SHUFFLED["shared_match_key_of_the_match_id"]
    assert group["seed_commitment"] == SHUFFLED["commitment"]
    assert group["match_key"] == SHUFFLED["shared_match_key"]
    dealer, deal_1 = group["deck"]
    assert dealer["seat"] == SHUFFLED["shared_first_dealer_of_three"]
    assert deal_1["cards"] == SHUFFLED["shared_deal_1_after_dealer"]
    first, _ = file["tournaments"]
    assert first["commitment"] == SHUFFLED["tournament_commitment"]
    seeds = {one["group"]: one["group_seed"] for one in first["groups"]}
    assert seeds["round 1, table 2"] == SHUFFLED["group_seed"]
    assert seeds["málaga"] == SHUFFLED["group_seed_of_other_text"]


def test_commitments_and_signatures_are_the_literal_ones() -> None:
    """Payloads were written by hand, hashes and the signature come from Node."""
    file = vectors("chain.json")
    assert {one["payload"]: one["commitment"] for one in file["commitments"]} == COMMITMENTS
    signed = file["signatures"][0]
    assert (signed["head"], signed["public_key"]) == ("00" * 32, PUBLIC_KEY)
    assert signed["signature"] == SIGNATURE_OF_ZEROS


def test_the_logs_say_what_they_are_meant_to_say() -> None:
    """Each honest one ended as its match did, and each fault is found where it was planted."""
    honest = {
        name: (one["records"], one["reason"], one["winners"], one["scores"])
        for name, one in logs().items()
        if one["finding"] is None
    }
    found = {
        name: (one["finding"]["kind"], one["finding"]["record"])
        for name, one in logs().items()
        if one["finding"] is not None
    }
    assert honest == HONEST
    assert found == DISHONEST


def test_the_logs_show_what_verifiers_must_know() -> None:
    """A mended table, a drawn dealer, sealed answers, forfeits and automatic moves are there."""
    kinds: set[str] = set()
    for name in HONEST:
        data = base64.b64decode(logs()[name]["file"])
        assert data.startswith(MAGIC)
        assert audit(data, bytes.fromhex(PUBLIC_KEY)).ok
        kinds |= _kinds(data)
    assert kinds >= {
        "header",
        "seat_joined",
        "move_accepted",
        "forfeit_declared",
        "match_result",
        "opening",
        "signature",
        "automatic",
        "hidden move",
        "first_dealer_drawn",
        "table_returned",
        "announcement_sealed",
        "hand_dealt",
        "seat_forfeited",
        "match_ended",
        "leftovers_taken",
    }


def _kinds(data: bytes) -> set[str]:
    kinds: set[str] = set()
    for one in read_records(io.BytesIO(data)):
        record = one.record
        kinds.add(record.WhichOneof("record") or "")
        kinds.add(record.event_logged.event.WhichOneof("event") or "")
        if record.move_accepted.automatic:
            kinds.add("automatic")
        if record.move_accepted.commitment:
            kinds.add("hidden move")
    return kinds
