"""Checks of secrets: what is sent to whom, of a whole match, against what was dealt (CALL-17)."""

from collections.abc import Iterator

from google.protobuf.message import Message

from ronda_conformance.service.checks import check
from ronda_conformance.service.knowledge import knowledge_of, leaks
from ronda_conformance.service.log_files import commitment, commitments_of, parsed, records_of
from ronda_conformance.service.played import Played, plain_match, sealed_match
from ronda_conformance.service.session import Session


def _who(seat: int | None) -> str:
    return "the public" if seat is None else f"seat {seat}"


def _no_leak(
    session: Session, played: Played, what: str, sent: Iterator[tuple[int | None, Message, int]]
) -> None:
    knowledge = knowledge_of(played.records, played.match.seats)
    for seat, message, sequence in sent:
        for leak in leaks(knowledge, seat, message, sequence):
            session.expect(f"{what} to {_who(seat)} after record {sequence}", leak, "no secret")


@check("hidden-stream", "CALL-17", "No stream tells a card that its watcher may not know")
async def stream(session: Session) -> None:
    """Every message to every watcher is searched for what it may not tell.

    Cards of other hands and of the pack, as the log shows them at the end, and nonces and payloads
    of others' commitments.
    """
    for played in (await plain_match(session), await sealed_match(session)):

        def sent(played: Played = played) -> Iterator[tuple[int | None, Message, int]]:
            for seat, one in played.streams.items():
                for message in one.messages:
                    if not message.entries:
                        yield seat, message, message.next_sequence - 1
                    for entry in message.entries:
                        yield seat, entry, entry.sequence
                    if message.HasField("turn"):
                        yield seat, message.turn, message.next_sequence - 1

        _no_leak(session, played, "a message", sent())


@check(
    "hidden-view",
    "CALL-17 CALL-11",
    "No view and no decision tells a card that its seat may not know",
)
async def view(session: Session) -> None:
    """Every view of every seat and the public, between all moves of two matches."""
    for played in (await plain_match(session), await sealed_match(session)):

        def sent(played: Played = played) -> Iterator[tuple[int | None, Message, int]]:
            for moment in played.moments:
                for seat, one in moment.views.items():
                    yield seat, one, one.next_sequence - 1

        _no_leak(session, played, "a view", sent())


@check(
    "hidden-log",
    "CALL-17 CALL-23",
    "Before the end no log tells a card that its reader may not know",
)
async def log(session: Session) -> None:
    """The log in the middle of the match, record by record, and what came beside it."""
    played = await plain_match(session)

    def sent() -> Iterator[tuple[int | None, Message, int]]:
        for seat, file in played.middle.items():
            for record in map(parsed, records_of(file.data)):
                yield seat, record, record.sequence
            for opening in file.openings:
                yield seat, opening, opening.sequence

    _no_leak(session, played, "a log", sent())
    for seat, file in played.middle.items():
        length = len(records_of(file.data))
        session.expect(
            f"records of {_who(seat)}'s log before the end", length, played.middle_length
        )


@check(
    "hidden-openings", "CALL-17", "Each seat is sent the openings of its own secrets, and they fit"
)
async def openings(session: Session) -> None:
    """So it can check at once that the log commits to what it was told."""
    for played in (await plain_match(session), await sealed_match(session)):
        records = played.records
        knowledge = knowledge_of(records, played.match.seats)
        sealed = commitments_of(records)
        session.expect("records that hide something", sorted(knowledge.hidden), sorted(sealed))
        for seat, one in played.streams.items():
            own = [number for number, (owner, *_) in knowledge.hidden.items() if owner == seat]
            got = [entry for entry in one.entries if entry.HasField("opening")]
            session.expect(
                f"openings that {_who(seat)} is sent",
                [entry.sequence for entry in got],
                sorted(own),
            )
            for entry in got:
                fits = commitment(entry.opening.nonce, entry.opening.payload)
                session.expect(
                    f"the opening of record {entry.sequence} fits its commitment",
                    fits == sealed.get(entry.sequence),
                )
                session.expect("the record that it names", entry.opening.sequence, entry.sequence)


@check(
    "hidden-hands",
    "CALL-17 CALL-23",
    "Hands are dealt hidden: a size, a commitment of 32 bytes, no card",
)
async def hands(session: Session) -> None:
    """The nonces are all different, or two equal hands would show that they are equal."""
    played = await plain_match(session)
    records = played.records
    dealt = [one for one in records if one.event_logged.event.HasField("hand_dealt")]
    session.expect("hands are dealt", bool(dealt))
    for record in dealt:
        hand = record.event_logged.event.hand_dealt
        session.expect(f"cards shown in record {record.sequence}", len(hand.cards), 0)
        session.expect(
            f"bytes of the commitment of record {record.sequence}",
            len(record.event_logged.commitment),
            32,
        )
    nonces = [bytes(one.opening.nonce) for one in records if one.HasField("opening")]
    session.expect("nonces all different", len(set(nonces)), len(nonces))
