"""A referee that deals as it likes is found out, whatever it signs."""

from collections.abc import Callable

import pytest

from ronda.v1 import card_pb2
from ronda_referee.audit import FindingKind
from ronda_referee.shuffle import DealDraws, MatchDraws, commit, match_key
from ronda_rules.cards import FULL_PACK, Card, CardSet
from tests.referee.cheating import SECOND_HAND, TABLE, Records, bluffed, event, found, played
from tests.referee.played_logs import (
    ENTROPIES,
    SEED,
    PlayedMatch,
    audit,
    events_of,
    first_card,
    maghribi,
    records_of,
)

# With this seed deal 1 begins 11o 4b 3c, 2b 6e 1c, and a table that needs no mending; 5c is last.
CALM_SEED = b"\x05" * 32


def test_a_stacked_draw_is_found_at_the_hand_that_got_it() -> None:
    """A seat is dealt another card than the shuffle's, and everything after follows from it."""
    key = match_key(CALM_SEED, "m-7", ENTROPIES[:2])
    order = list(DealDraws(key, 1).cards(FULL_PACK, 40))
    honest = PlayedMatch(draws=MatchDraws(key, order), policy=first_card, seed=CALM_SEED)
    assert audit(honest.data).ok
    order[4], order[39] = order[39], order[4]
    stacked = PlayedMatch(draws=MatchDraws(key, order), policy=first_card, seed=CALM_SEED)
    finding = found(stacked.records)
    assert finding.kind is FindingKind.DRAW_WRONG
    assert finding.record == SECOND_HAND
    assert finding.clause == "DEAL-4"
    assert finding.recorded == "seat 1 gets 2b 5c 1c"
    assert finding.expected == "seat 1 gets 2b 6e 1c"


class SwappedDeals(MatchDraws):
    """Deals the second deal from the third deal's stream."""

    def cards(self, deal: int, pack: CardSet, count: int) -> tuple[Card, ...]:
        """Draw from another deal than the one that is played."""
        return super().cards(3 if deal == 2 else deal, pack, count)


def test_a_swapped_deal_is_found_at_its_first_hand() -> None:
    """The referee skips a deal that it does not like."""
    draws = SwappedDeals(match_key(SEED, "m-7", ENTROPIES[:2]))
    match = PlayedMatch(maghribi(41), draws=draws)
    finding = found(match.records)
    second_deal = events_of(match.records, "deal_started")[1]
    assert finding.kind is FindingKind.DRAW_WRONG
    assert finding.record == second_deal + 2
    assert match.records[finding.record].event_logged.event.HasField("hand_dealt")
    assert finding.clause == "DEAL-4"


def test_a_seed_chosen_after_the_commitment_is_found_at_the_result() -> None:
    """The deals fit the seed that is revealed, but the header committed to another."""
    records = PlayedMatch(seed=b"\x07" * 32).records
    records[0].header.seed_commitment = commit(SEED)
    finding = found(records)
    assert finding.kind is FindingKind.SEED_WRONG
    assert finding.record == records_of(records, "match_result")[0]
    assert finding.recorded == commit(b"\x07" * 32).hex()
    assert finding.expected == "6f0dffc4e847daf60065ef772bf0d9c4910a73ec57ff973149b376b1583d25ff"


@pytest.mark.parametrize("seed", [b"", SEED[:31], SEED + b"\x00", b"\x01" + SEED[1:]])
@pytest.mark.parametrize("make", [played, bluffed])
def test_a_seed_that_was_not_committed_to_is_found(
    seed: bytes, make: Callable[[], Records]
) -> None:
    """Also where the cards do not hang on it."""
    records = make()
    result = records_of(records, "match_result")[0]
    records[result].match_result.seed = seed
    finding = found(records)
    assert (finding.kind, finding.record) == (FindingKind.SEED_WRONG, result)


def test_bytes_of_a_seat_that_were_swallowed_are_found_at_the_first_hand() -> None:
    """What a seat brought to the shuffle must be what the shuffle was made of."""
    records = bluffed()
    records[1].seat_joined.entropy = b""
    finding = found(records)
    assert finding.kind is FindingKind.DRAW_WRONG
    assert finding.record == events_of(records, "hand_dealt")[0]


def test_a_dealer_who_was_not_drawn_is_found() -> None:
    """The seat that deals first is the shuffle's too."""
    records = PlayedMatch(maghribi(1, drawn=True), 3).records
    drawn = events_of(records, "first_dealer_drawn")[0]
    event(records[drawn]).first_dealer_drawn.seat = 0
    finding = found(records)
    assert (finding.kind, finding.record) == (FindingKind.DRAW_WRONG, drawn)
    assert finding.clause == "DEAL-3"
    assert finding.recorded == "seat 0 is drawn as the first dealer"
    assert finding.expected == "seat 2 is drawn as the first dealer"


def test_cards_that_were_not_fixed_are_found() -> None:
    """With fixed draws the header says what comes, and the records must agree."""
    records = played()
    event(records[TABLE]).table_turned.cards[0].suit = card_pb2.SUIT_BASTOS
    finding = found(records)
    assert (finding.kind, finding.record) == (FindingKind.DRAW_WRONG, TABLE)
    assert finding.clause == "DEAL-4"
    assert finding.recorded == "turned on the table: 1b 5o 10o 12o"
    assert finding.expected == "turned on the table: 1o 5o 10o 12o"
