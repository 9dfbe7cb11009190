"""Whatever a referee signs, its audit ends with a report, and the first fault is the one named."""

from google.protobuf.message import DecodeError
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.referee.cheating import SIGNATURE, bluffed, bluffed_match, event, lay_another, played
from tests.referee.played_logs import (
    audit,
    events_of,
    rewrite,
)


def test_rewriting_alone_changes_nothing() -> None:
    """The honest log, written anew by these tests, is all right: what is found is the cheat."""
    assert audit(rewrite(played())).finding is None
    assert audit(rewrite(bluffed())).finding is None
    assert rewrite(bluffed()) == bluffed_match().data


def test_the_first_of_two_faults_is_the_one_named() -> None:
    """A wrong award before a wrong seed hides behind nothing, nor a broken chain behind both."""
    records = bluffed()
    number = events_of(records, "card_laid")[0]
    lay_another(event(records[number]))
    data = bytearray(rewrite(records))
    data[-100] ^= 1
    report = audit(bytes(data))
    assert report.finding is not None
    assert report.finding.record == number


@settings(max_examples=300)
@given(
    number=st.integers(0, SIGNATURE),
    places=st.lists(st.tuples(st.integers(0, 2_000), st.integers(1, 255)), min_size=1, max_size=3),
)
def test_nothing_that_a_referee_can_sign_breaks_the_audit(
    number: int, places: list[tuple[int, int]]
) -> None:
    """Any record may hold anything: the audit ends with a report and nothing worse."""
    records = played()
    data = bytearray(records[number].SerializeToString())
    for place, mask in places:
        data[place % len(data)] ^= mask
    try:
        records[number].ParseFromString(bytes(data))
    except DecodeError:
        return
    records[number].DiscardUnknownFields()
    report = audit(rewrite(records))
    assert report.ok or report.records <= len(records)
