"""Generate the test vectors of the log and the shuffle.

    python -m tools.generate_vectors            write conformance/vectors/*.json
    python -m tools.generate_vectors FOLDER     write them to another folder
    python -m tools.generate_vectors --check    compare with the files there, change nothing

`conformance/vectors/README.md` says what stands in them. The referee's own code computes them;
`tests/referee/verifier/vectors.mjs` computes them again without it.
"""

import argparse
import base64
import hmac
import io
import json
import sys
from collections.abc import Sequence
from pathlib import Path

from ronda.v1 import event_pb2, log_pb2, move_pb2
from ronda_referee.audit import audit_stream
from ronda_referee.chain import commitment, record_hash, signed_message
from ronda_referee.convert import card_to_proto
from ronda_referee.log_file import read_records
from ronda_referee.shuffle import DealDraws, commit, match_key, shared_match_key
from ronda_rules.cards import FULL_PACK, Card, card_text, parse_card, set_of
from ronda_tournament import seeds as seeds_of_tournaments
from tools.vector_faults import FAULTS, NEED_RULES, file_of
from tools.vector_matches import HONEST, KEY, PRIVATE_KEY, SEED

ROOT = Path(__file__).resolve().parent.parent
VECTORS = ROOT / "conformance" / "vectors"

Json = dict[str, object]

# What is drawn from one deal's bytes, in order: a dealer, cards, a table, cards put aside.
Steps = Sequence[tuple[str, int]]

MATCHES: Sequence[tuple[bytes, str, Sequence[bytes]]] = (
    (SEED, "m-7", (b"first", b"", b"\x00\xff")),
    (SEED, "m-7", (b"", b"")),
    (SEED, "málaga", (b"a", b"b")),
    (b"\xff" * 32, "0f1e2d3c4b5a69788796a5b4c3d2e1f0", (b"", b"x" * 64, b"y", b"z")),
)
SHARED: Sequence[tuple[bytes, str]] = (
    (SEED, "m-7"),
    (SEED, "round 1, table 2"),
    (b"\xff" * 32, "málaga"),
)
TOURNAMENTS: Sequence[tuple[bytes, Sequence[str]]] = (
    (SEED, ("", "round 1, table 2", "málaga")),
    (b"\xff" * 32, ("round 1, table 2",)),
)
UNIFORM = ((1, 200, 23), (1, 149, 4), (1, 256, 70), (2, 3, 40), (2, 1, 3), (3, 40, 40))
DECKS: Sequence[tuple[int, int, Steps]] = (
    (0, 1, (("dealer", 3), ("cards", 40))),
    (0, 2, (("cards", 40),)),
    (1, 1, (("cards", 3), ("cards", 3), ("turn", 4), ("put_back", 4), ("turn", 4), ("cards", 30))),
    (2, 3, (("cards", 4), ("cards", 4), ("turn", 4), ("put_back", 1), ("turn", 1), ("cards", 24))),
    (3, 65_536, (("dealer", 4), ("cards", 3), ("cards", 3), ("cards", 3), ("cards", 3))),
)


def _texts(cards: Sequence[Card]) -> str:
    return " ".join(map(card_text, cards))


def shuffle_vectors() -> Json:
    """Give the vectors of SHUFFLE-1 to SHUFFLE-6, SHUFFLE-9 and SHUFFLE-10."""
    keys = [match_key(*one) for one in MATCHES]
    return {
        "matches": [
            {
                "seed": seed.hex(),
                "match_id": match_id,
                "entropies": [entropy.hex() for entropy in entropies],
                "seed_commitment": commit(seed).hex(),
                "match_key": key.hex(),
                "deals": [_deal(key, deal) for deal in (1, 2, 3)],
            }
            for (seed, match_id, entropies), key in zip(MATCHES, keys, strict=True)
        ],
        "uniform": [_uniform(keys[0], *one) for one in UNIFORM],
        "decks": [_deck(keys[match], deal, steps) for match, deal, steps in DECKS],
        "shared": [_shared(*one) for one in SHARED],
        "tournaments": [_tournament(*one) for one in TOURNAMENTS],
    }


def _shared(seed: bytes, shuffle_id: str) -> Json:
    key = shared_match_key(seed, shuffle_id)
    return {
        "seed": seed.hex(),
        "shuffle_id": shuffle_id,
        "seed_commitment": commit(seed).hex(),
        "match_key": key.hex(),
        "deals": [_deal(key, deal) for deal in (1, 2)],
        "deck": _deck(key, 1, (("dealer", 3), ("cards", 40)))["steps"],
    }


def _tournament(seed: bytes, groups: Sequence[str]) -> Json:
    seeds = {group: seeds_of_tournaments.group_seed(seed, group) for group in groups}
    return {
        "seed": seed.hex(),
        "commitment": seeds_of_tournaments.commitment(seed).hex(),
        "groups": [
            {
                "group": group,
                "group_seed": of_group.hex(),
                "seed_commitment": commit(of_group).hex(),
            }
            for group, of_group in seeds.items()
        ],
    }


def _deal(key: bytes, deal: int) -> Json:
    draws = DealDraws(key, deal)
    domain = b"ronda.v1 deal"
    message = len(domain).to_bytes(4) + domain + deal.to_bytes(4)
    stream = bytes(draws.number(256) for _ in range(96))
    return {
        "deal": deal,
        "deal_key": hmac.digest(key, message, "sha256").hex(),
        "blocks": [stream[start : start + 32].hex() for start in (0, 32, 64)],
    }


def _uniform(key: bytes, deal: int, below: int, count: int) -> Json:
    draws = DealDraws(key, deal)
    numbers = [draws.number(below) for _ in range(count)]
    return {"match_key": key.hex(), "deal": deal, "below": below, "numbers": numbers}


def _deck(key: bytes, deal: int, steps: Steps) -> Json:
    draws = DealDraws(key, deal)
    pack, aside = FULL_PACK, 0
    turned: tuple[Card, ...] = ()
    given: list[Json] = []
    for step, count in steps:
        if step == "dealer":
            given.append({"step": step, "seats": count, "seat": draws.number(count)})
            continue
        if step == "put_back":
            aside = set_of(turned[-count:])
            given.append({"step": step, "cards": _texts(turned[-count:])})
            continue
        cards = draws.cards(pack, count)
        pack &= ~set_of(cards)
        if step == "turn":
            turned, pack, aside = cards, pack | aside, 0
        given.append({"step": step, "count": count, "cards": _texts(cards)})
    return {"match_key": key.hex(), "deal": deal, "steps": given}


def chain_vectors() -> Json:
    """Give the vectors of LOG-3, LOG-5, LOG-12 and LOG-18."""
    match = HONEST["sealed-answers"]()
    records = match.records
    nonces = (bytes(range(32)), b"\x00" * 32, b"\xff" * 32, b"n" * 32)
    kinds = ("header", "seat_joined", "move_accepted", "event_logged", "forfeit_declared")
    shown = [next(row for row in match.rows if _kind(row.record) == kind) for kind in kinds]
    head = records[-1].previous_hash
    return {
        "commitments": [
            {
                "type": name,
                "nonce": nonce.hex(),
                "payload": payload,
                "commitment": commitment(nonce, bytes.fromhex(payload)).hex(),
            }
            for (payload, name), nonce in zip(_payloads().items(), nonces, strict=True)
        ],
        "records": [
            {
                "kind": _kind(row.record),
                "sequence": row.sequence,
                "record": row.record.hex(),
                "hash": record_hash(row.record).hex(),
            }
            for row in shown
        ],
        "signatures": [
            {
                "private_key": PRIVATE_KEY.hex(),
                "public_key": KEY.public_key.hex(),
                "head": one.hex(),
                "message": signed_message(one).hex(),
                "signature": KEY.sign(signed_message(one)).hex(),
            }
            for one in (bytes(32), head)
        ],
    }


def _kind(record: bytes) -> str:
    return log_pb2.LogRecord.FromString(record).WhichOneof("record") or ""


def _payloads() -> dict[str, str]:
    cards = [card_to_proto(parse_card(text)) for text in ("7o", "12b")]
    dealt = event_pb2.HandDealt(seat=1, card_count=2, cards=cards)
    passing = move_pb2.Move()
    getattr(passing, "pass").SetInParent()
    messages = (
        event_pb2.Event(hand_dealt=dealt),
        event_pb2.Event(announcement_sealed=event_pb2.AnnouncementSealed(passed=True)),
        passing,
        log_pb2.FixedDraws(cards=cards),
    )
    return {
        one.SerializeToString(deterministic=True).hex(): one.DESCRIPTOR.full_name
        for one in messages
    }


def log_vectors() -> Json:
    """Give the whole logs, honest and dishonest, with what is found in them."""
    matches = {name: played() for name, played in HONEST.items()}
    logs: list[Json] = []
    for name, match in matches.items():
        about = (HONEST[name].__doc__ or "").strip()
        data = file_of([row.record for row in match.rows])
        logs.append({"id": name, "about": about, **_audited(data)})
    for name, (base, change) in FAULTS.items():
        data = change(matches[base].records)
        rules = name in NEED_RULES
        logs.append({"id": name, "from": base, "needs_rules": rules, **_audited(data)})
    return {
        "public_key": KEY.public_key.hex(),
        "logs": logs,
    }


def _audited(data: bytes) -> Json:
    report = audit_stream(io.BytesIO(data), KEY.public_key)
    found = report.finding
    said: Json
    if found is None:
        said = {
            "finding": None,
            "records": report.records,
            "reason": report.ended,
            "winners": list(report.winners),
            "scores": list(report.scores),
            "head": _head(data),
        }
    else:
        said = {
            "finding": {"kind": str(found.kind), "record": found.record, "offset": found.offset}
        }
    return {**said, "file": base64.b64encode(data).decode()}


def _head(data: bytes) -> str:
    *_, last = read_records(io.BytesIO(data))
    return last.record.previous_hash.hex()


def generated() -> dict[str, str]:
    """Give the text of each file, by its name."""
    vectors = {
        "shuffle.json": shuffle_vectors(),
        "chain.json": chain_vectors(),
        "logs.json": log_vectors(),
    }
    return {
        name: json.dumps(value, ensure_ascii=False, indent=1) + "\n"
        for name, value in vectors.items()
    }


def main(arguments: list[str] | None = None) -> int:
    """Run the command and return its exit code."""
    parser = argparse.ArgumentParser(
        prog="generate_vectors", description="Generate the test vectors."
    )
    parser.add_argument("folder", nargs="?", type=Path, default=VECTORS, help="where they are")
    parser.add_argument("--check", action="store_true", help="compare only, change nothing")
    options = parser.parse_args(arguments)
    wrong = 0
    for name, text in generated().items():
        path = options.folder / name
        if path.exists() and path.read_text(encoding="utf-8") == text:
            continue
        if options.check:
            problem = f"{path} is not as generated; `make proto` mends it."
            print(f"generate_vectors: {problem}", file=sys.stderr)
            wrong = 1
        else:
            path.write_text(text, encoding="utf-8")
            print(f"{path}: written")
    return wrong


if __name__ == "__main__":
    sys.exit(main())
