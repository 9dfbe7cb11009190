"""The audit of one log: its records in the order that a log has, each derived again."""

import hmac
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import BinaryIO, NoReturn

from ronda.v1 import log_pb2
from ronda_referee.audit.dealt import Deal
from ronda_referee.audit.hidden import Hidden
from ronda_referee.audit.play import Play
from ronda_referee.audit.records import Place, Records, SeenHeads
from ronda_referee.audit.report import AuditReport, Draws, FindingKind, Found, SharedShuffle
from ronda_referee.audit.timing import Timing
from ronda_referee.chain import HASH_SIZE, NONCE_SIZE, commitment, signed_message
from ronda_referee.convert import MalformedMessage, card_from_proto, rule_set_from_proto
from ronda_referee.event_text import printable
from ronda_referee.match_log import FORMAT_VERSION
from ronda_referee.shuffle import SEED_SIZE, MatchDraws, commit, key_of
from ronda_referee.signing_key import PUBLIC_KEY_SIZE, verify
from ronda_referee.terms import check_terms
from ronda_rules.cards import Card
from ronda_rules.errors import RuleSetError
from ronda_rules.rule_set import FirstDealer, RuleSet
from ronda_rules.rule_set_check import check, check_seats

# A match that was cancelled ends at a time of its own.
_ENDED_BY_AN_EVENT = frozenset({log_pb2.END_REASON_PLAYED, log_pb2.END_REASON_FORFEITED})


def audit_file(
    path: Path,
    expected_key: bytes | None = None,
    on_progress: Callable[[int], None] | None = None,
    seen: SeenHeads | None = None,
    deals: list[Deal] | None = None,
) -> AuditReport:
    """Audit a log file; see `audit_stream`.

    Raises:
        OSError: the file cannot be read.
    """
    with path.open("rb") as stream:
        return audit_stream(stream, expected_key, on_progress, seen, deals)


def audit_stream(
    stream: BinaryIO,
    expected_key: bytes | None = None,
    on_progress: Callable[[int], None] | None = None,
    seen: SeenHeads | None = None,
    deals: list[Deal] | None = None,
) -> AuditReport:
    """Derive everything in a log again, up to the first record that is wrong.

    `expected_key` is the referee's public key, 32 bytes, from a source that the auditor trusts;
    without one the signature shows only that the log is as whoever signed it left it.
    `on_progress` is told now and then how many bytes of the log have been audited. `seen` are the
    heads that watchers of matches saw: the log of one of these matches must have them. `deals`
    takes what every deal dealt, in order; with a finding it is worth nothing.

    Raises:
        OSError: the stream cannot be read.
    """
    report = AuditReport()
    records = Records(stream, on_progress, seen)
    report.heads_compared = records.heads_compared
    try:
        _Auditor(records, report, expected_key, deals).run()
    except Found as found:
        report.finding = found.finding
        report.records = found.finding.record
    else:
        report.records = records.given
    return report


class _Auditor:
    def __init__(
        self,
        records: Records,
        report: AuditReport,
        expected_key: bytes | None,
        deals: list[Deal] | None,
    ) -> None:
        self._records = records
        self._report = report
        self._expected_key = expected_key
        self._deals = deals

    def run(self) -> None:
        """Go through the records in the order that a log has.

        Raises:
            Found: a record is wrong, or one is lacking.
        """
        place = self._records.take("header", "the header")
        header = place.record.header
        rules = self._header(place, header)
        fixed = self._fixed_draws(place, header)
        entropies = self._joins(header)
        seed = self._seed(header)
        draws = self._draws(rules, header, seed, entropies, fixed)
        if draws is None:
            self._go_to_result(header)
        hidden = Hidden(self._records.openings)
        if len(entropies) == header.seats:
            timing = Timing(header.terms, header.seats)
            play = Play(
                self._records,
                self._report,
                hidden,
                draws,
                rules,
                timing,
                header.seats,
                self._deals_wanted(),
            )
            play.run(place)
            self._result(header, play.ended, play.winners, play.scores, timing)
        else:
            self._result(header, self._why_not_started(header), (), ())
        hidden.check_openings(self._records)
        self._signature(header)
        self._records.finish()

    def _deals_wanted(self) -> list[Deal] | None:
        """Give the list that takes what is dealt: other matches may have to be held against it."""
        if self._report.shared_shuffle is None:
            return self._deals
        self._report.dealt = [] if self._deals is None else self._deals
        return self._report.dealt

    def _header(self, place: Place, header: log_pb2.LogHeader) -> RuleSet:
        if header.format_version != FORMAT_VERSION:
            place.find(
                FindingKind.FORMAT_UNSUPPORTED,
                "the log has a version of the format that this auditor does not know",
                recorded=str(header.format_version),
                expected=str(FORMAT_VERSION),
            )
        for field in ("engine_version", "match_id"):
            if not getattr(header, field):
                detail = f"the header lacks {field}"
                place.find(FindingKind.HEADER_INCOMPLETE, detail, expected=field)
        for field, size in (("seed_commitment", HASH_SIZE), ("public_key", PUBLIC_KEY_SIZE)):
            given = len(getattr(header, field))
            if given != size:
                place.find(
                    FindingKind.HEADER_INCOMPLETE,
                    f"{field} in the header does not have {size} bytes",
                    recorded=f"{given} bytes",
                    expected=f"{size} bytes",
                )
        self._source_of_draws(place, header)
        if self._expected_key is not None and header.public_key != self._expected_key:
            place.find(
                FindingKind.KEY_NOT_EXPECTED,
                "the log is signed under another key than the one expected",
                recorded=header.public_key.hex(),
                expected=self._expected_key.hex(),
            )
        try:
            rules = rule_set_from_proto(header.rule_set)
            check(rules)
            check_seats(rules, header.seats)
        except RuleSetError as error:
            place.find(FindingKind.RULE_SET_REFUSED, error.detail)
        try:
            check_terms(header.terms)
        except MalformedMessage as error:
            place.find(FindingKind.TERMS_REFUSED, error.detail)
        if header.terms.HasField("time_control") and not header.terms.time_out:
            detail = "terms.time_out is unset; the header must say what becomes of a late seat"
            place.find(FindingKind.TERMS_REFUSED, detail)
        report = self._report
        report.match_id = header.match_id
        report.engine_version = header.engine_version
        report.rule_set_id = rules.id
        report.seats = header.seats
        report.public_key = header.public_key
        report.key_expected = self._expected_key is not None
        return rules

    def _source_of_draws(self, place: Place, header: log_pb2.LogHeader) -> None:
        """Check what the header says of where the cards come from, and report it."""
        draws = len(header.fixed_draws_commitment)
        if draws not in {0, HASH_SIZE}:
            place.find(
                FindingKind.HEADER_INCOMPLETE,
                f"fixed_draws_commitment in the header has neither {HASH_SIZE} bytes nor none",
                recorded=f"{draws} bytes",
                expected=f"{HASH_SIZE} bytes",
            )
        if draws and header.shared_shuffle_id:
            detail = "the header commits to fixed draws and names a shared shuffle beside them"
            shared = printable(header.shared_shuffle_id)
            place.find(FindingKind.HEADER_INCOMPLETE, detail, recorded=shared)
        if header.fixed_draws_commitment:
            self._report.draws = Draws.FIXED
        elif header.shared_shuffle_id:
            self._report.draws = Draws.SHARED
            self._report.shared_shuffle = SharedShuffle.of(header)

    def _fixed_draws(self, place: Place, header: log_pb2.LogHeader) -> list[Card] | None:
        """Give the draws that the header commits to, where a result in the log shows them."""
        for result in self._records.results:
            if header.fixed_draws_commitment and _shows_draws(result, header):
                try:
                    return [
                        card_from_proto(card, f"fixed_draws.cards[{index}]")
                        for index, card in enumerate(result.fixed_draws.cards)
                    ]
                except MalformedMessage as error:
                    place.find(FindingKind.FIXED_DRAWS_INVALID, error.detail, clause="DEAL-4")
        return None

    def _joins(self, header: log_pb2.LogHeader) -> list[bytes]:
        """Check that each seat joins once; give the bytes that they bring, in seat order.

        Fewer than there are seats where the match was cancelled before all had joined.
        """
        entropies: dict[int, bytes] = {}
        names: dict[int, str] = {}
        seats, timeout = header.seats, header.terms.join_timeout_ms
        wanted = "a seat's joining"
        self._report.names = names
        while len(entropies) < seats and self._records.coming != "match_result":
            place = self._records.take("seat_joined", wanted)
            joined = place.record.seat_joined
            if joined.seat >= seats or joined.seat in entropies:
                free = [str(seat) for seat in range(seats) if seat not in entropies]
                again = "joins again" if joined.seat in entropies else "is none of this match"
                place.find(
                    FindingKind.SEAT_INVALID,
                    f"seat {joined.seat} {again}",
                    recorded=f"seat {joined.seat}",
                    expected=f"seat {' or '.join(free)}",
                )
            if timeout and place.record.clock_ms >= timeout:
                place.find(
                    FindingKind.CLOCK_WRONG,
                    f"seat {joined.seat} joins when the time for it was over",
                    recorded=f"{place.record.clock_ms} ms",
                    expected=f"before {timeout} ms",
                )
            entropies[joined.seat] = joined.entropy
            names[joined.seat] = joined.name
        self._report.seats_with_entropy = sum(map(bool, entropies.values()))
        return [entropies[seat] for seat in sorted(entropies)]

    def _seed(self, header: log_pb2.LogHeader) -> bytes | None:
        """Give the seed from the end of the log, if there is one that opens the commitment."""
        for result in self._records.results:
            if _opens(result.seed, header):
                return result.seed
        return None

    def _draws(
        self,
        rules: RuleSet,
        header: log_pb2.LogHeader,
        seed: bytes | None,
        entropies: Sequence[bytes],
        fixed: Sequence[Card] | None,
    ) -> MatchDraws | None:
        """Give what chance decides; None where it hangs on a secret that is not there."""
        if header.fixed_draws_commitment and fixed is None:
            return None
        if seed is not None:
            key = key_of(seed, header.match_id, header.shared_shuffle_id, entropies)
            return MatchDraws(key, fixed)
        if fixed is not None and rules.first_dealer is not FirstDealer.DRAWN:
            return MatchDraws(b"", fixed)
        return None

    def _go_to_result(self, header: log_pb2.LogHeader) -> NoReturn:
        """Without what chance decided no play can be checked: go on to what the result lacks.

        Raises:
            Found: always.
        """
        while True:
            wanted = "the result with the seed"
            place = self._records.take_any(wanted)
            if place.record.HasField("match_result"):
                _check_secrets(place, header)
            if place.record.HasField("opening") or place.record.HasField("signature"):
                place.find(
                    FindingKind.RECORD_OUT_OF_ORDER,
                    f"{wanted} must stand before what is shown after the end",
                    expected=wanted,
                )

    def _why_not_started(self, header: log_pb2.LogHeader) -> log_pb2.EndReason.ValueType:
        """Say how a match can have ended that not every seat joined, given when it did."""
        timeout = header.terms.join_timeout_ms
        if timeout and self._records.coming_clock_ms >= timeout:
            return log_pb2.END_REASON_NOT_JOINED
        return log_pb2.END_REASON_CANCELLED

    def _result(
        self,
        header: log_pb2.LogHeader,
        ended: log_pb2.EndReason.ValueType,
        winners: tuple[int, ...],
        scores: tuple[int, ...],
        timing: Timing | None = None,
    ) -> None:
        before = self._records.time_ms, self._records.clock_ms
        place = self._records.take("match_result", "the result")
        result = place.record.match_result
        if timing is not None and ended == log_pb2.END_REASON_CANCELLED:
            # Who is late has forfeited, or was moved for, before anybody can cancel the match.
            timing.check_nobody_late(place)
        _check_secrets(place, header)
        if result.reason != ended:
            names = log_pb2.EndReason.DESCRIPTOR.values_by_number
            known = result.reason in names
            place.find(
                FindingKind.RESULT_WRONG,
                "the match ended for another reason than the one given",
                recorded=names[result.reason].name if known else str(result.reason),
                expected=names[ended].name,
            )
        times = place.record.time_ms, place.record.clock_ms
        if ended in _ENDED_BY_AN_EVENT and times != before:
            place.find(
                FindingKind.TIME_WRONG,
                "the result does not have the time of the event that ended the match",
                recorded=f"{times[0]} and {times[1]} ms",
                expected=f"{before[0]} and {before[1]} ms",
            )
        for what, recorded, expected, clause in (
            ("winners", tuple(result.winners), winners, "MATCH-2"),
            ("scores", tuple(result.scores), scores, "MATCH-1"),
        ):
            if recorded != expected:
                place.find(
                    FindingKind.RESULT_WRONG,
                    f"the {what} are not those of the match as it was played",
                    recorded=_numbers(recorded),
                    expected=_numbers(expected),
                    clause=clause,
                )
        self._report.ended = log_pb2.EndReason.Name(ended).removeprefix("END_REASON_")
        self._report.winners = winners
        self._report.scores = scores

    def _signature(self, header: log_pb2.LogHeader) -> None:
        place = self._records.take("signature", "the signature")
        message = signed_message(place.record.previous_hash)
        if not verify(header.public_key, place.record.signature.signature, message):
            place.find(
                FindingKind.SIGNATURE_INVALID,
                "the signature is not one of the log's last head under the header's key",
                recorded=place.record.signature.signature.hex(),
            )


def _opens(seed: bytes, header: log_pb2.LogHeader) -> bool:
    return len(seed) == SEED_SIZE and hmac.compare_digest(commit(seed), header.seed_commitment)


def _shows_draws(result: log_pb2.MatchResult, header: log_pb2.LogHeader) -> bool:
    if len(result.fixed_draws_nonce) != NONCE_SIZE or not result.HasField("fixed_draws"):
        return False
    draws = result.fixed_draws.SerializeToString(deterministic=True)
    return commitment(result.fixed_draws_nonce, draws) == header.fixed_draws_commitment


def _check_secrets(place: Place, header: log_pb2.LogHeader) -> None:
    result = place.record.match_result
    if header.fixed_draws_commitment:
        if not _shows_draws(result, header):
            place.find(
                FindingKind.FIXED_DRAWS_INVALID,
                "the draws shown are not those that the header commits to",
                clause="DEAL-4",
            )
    elif result.HasField("fixed_draws") or result.fixed_draws_nonce:
        place.find(
            FindingKind.FIXED_DRAWS_INVALID,
            "there are fixed draws, and the header commits to none",
            clause="DEAL-4",
        )
    seed = place.record.match_result.seed
    if not _opens(seed, header):
        place.find(
            FindingKind.SEED_WRONG,
            "the seed is not the one that the header commits to",
            recorded=commit(seed).hex() if len(seed) == SEED_SIZE else f"{len(seed)} bytes",
            expected=header.seed_commitment.hex(),
        )


def _numbers(numbers: Sequence[int]) -> str:
    return ", ".join(map(str, numbers)) or "none"
