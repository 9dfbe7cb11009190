"""Checks of the log file: what is given out when, and that its chain holds (CALL-23)."""

from ronda.v1 import referee_service_pb2 as pb
from ronda_conformance.service.checks import check
from ronda_conformance.service.log_files import (
    MAGIC,
    chain_faults,
    frame,
    opening_faults,
    parsed,
    records_of,
)
from ronda_conformance.service.played import plain_match, sealed_match
from ronda_conformance.service.session import Session

_SECRETS = ("match_result", "opening", "signature")


@check("log-chain", "CALL-23 CALL-8", "Each record names the hash of the one before, from zeros on")
async def chain(session: Session) -> None:
    """The chain of the file after the end, with SHA-256 as LOG-5 has it."""
    for played in (await plain_match(session), await sealed_match(session)):
        faults = list(chain_faults(records_of(played.final[None].data)))
        session.expect("faults of the chain", faults, [])


@check("log-openings", "CALL-23", "After the end every commitment is opened, and the seed fits")
async def openings(session: Session) -> None:
    """Hands, sealed answers and the seed, as LOG-12, LOG-17 and SHUFFLE-1 have it."""
    for played in (await plain_match(session), await sealed_match(session)):
        session.expect("faults of the openings", list(opening_faults(played.records)), [])


@check("log-order", "CALL-23", "Header, joinings, play, result, openings, signature: in this order")
async def order(session: Session) -> None:
    """As LOG-6 has it; nothing follows the signature."""
    for played in (await plain_match(session), await sealed_match(session)):
        kinds = [record.WhichOneof("record") or "nothing" for record in played.records]
        seats = played.match.seats
        session.expect("the beginning", kinds[: seats + 1], ["header"] + ["seat_joined"] * seats)
        after = kinds[kinds.index("match_result") :] if "match_result" in kinds else []
        opened = kinds.count("opening")
        session.expect("the end", after, ["match_result"] + ["opening"] * opened + ["signature"])
        play = set(kinds[seats + 1 : len(kinds) - len(after)])
        session.expect("kinds between", sorted(play), ["event_logged", "move_accepted"])


@check(
    "log-before-end",
    "CALL-23 CALL-17",
    "Before the end the log goes as far as the stream, and nothing is opened in it",
)
async def before_end(session: Session) -> None:
    """Each seat's own openings come beside it, those that its stream had sent."""
    played = await plain_match(session)
    for seat, file in played.middle.items():
        who = "the public" if seat is None else f"seat {seat}"
        entries = played.streams[seat].entries[: played.middle_length]
        expected = MAGIC + b"".join(frame(entry.record) for entry in entries)
        session.expect(f"the log of {who} is the stream so far", file.data == expected)
        own = [entry.opening for entry in entries if entry.HasField("opening")]
        session.expect(
            f"the openings beside the log of {who}",
            [one.sequence for one in file.openings],
            [one.sequence for one in own],
        )
        session.expect(f"their contents, of {who}", file.openings == own)
        kinds = {parsed(record).WhichOneof("record") for record in records_of(file.data)}
        session.expect(f"secrets in the log of {who}", sorted(kinds & set(_SECRETS), key=str), [])


@check("log-after-end", "CALL-23", "After the end everyone gets the same whole file")
async def after_end(session: Session) -> None:
    """With the result, the openings and the signature, and nothing beside it."""
    for played in (await plain_match(session), await sealed_match(session)):
        for seat, file in played.final.items():
            who = "the public" if seat is None else f"seat {seat}"
            session.expect(
                f"the file of {who} is the public's", file.data == played.final[None].data
            )
            session.expect(f"openings beside the file of {who}", len(file.openings), 0)
        kinds = [record.WhichOneof("record") for record in played.records]
        session.expect("the last record", kinds[-1], "signature")


@check(
    "log-key",
    "CALL-25 CALL-23",
    "The header holds the referee's public key, the signature 64 bytes",
)
async def key(session: Session) -> None:
    """Whoever has the key from elsewhere can tell whose log it is."""
    played = await plain_match(session)
    info: pb.GetServerInfoResponse = await session.call(
        session.stub.GetServerInfo, pb.GetServerInfoRequest()
    )
    session.expect("bytes of the key", len(info.public_key), 32)
    session.expect("the header's key", played.records[0].header.public_key == info.public_key)
    session.expect("bytes of the signature", len(played.records[-1].signature.signature), 64)
    session.expect("a version", bool(info.version))
    session.expect("the schema's version", info.schema_version, "ronda.v1")
    session.expect("a limit of requests", info.limits.request_bytes > 0)
