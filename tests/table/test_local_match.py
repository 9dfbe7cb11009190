"""A match without a referee is the match that a referee would hold."""

from pathlib import Path

import pytest

from ronda.v1.card_pb2 import Card, Rank, Suit
from ronda.v1.decision_pb2 import Decision
from ronda.v1.event_pb2 import AnnouncementSealed, Event
from ronda.v1.move_pb2 import Move, Play
from ronda.v1.rule_set_pb2 import AnnouncementKind, RuleSet
from ronda.v1.view_pb2 import SeatView
from ronda_bots import GreedyBot, RandomBot
from ronda_client import Bot, RefereeClient, play_match, read_records
from ronda_table import (
    BotError,
    DrawsExhausted,
    IllegalMove,
    LocalMatch,
    MalformedMessage,
    RuleSetError,
    ServiceError,
    finish,
    play_local,
    play_rotations,
    rotations,
    rule_set_of,
)
from tests.referee.referee_process import RefereeProcess
from tests.table.noting import NotingBot

PLAYED = [
    ("maghribi", 2),
    ("maghribi", 4),
    ("khlaso", 2),
    ("khlaso", 4),
    ("qahwa", 3),
    ("qahwa-penalty", 2),
    ("classic", 2),
    ("classic", 3),
    ("classic-transfer-chain", 4),
    ("single-deal", 2),
]


async def test_the_same_cards_give_the_same_match_as_a_referees(tmp_path: Path) -> None:
    """Views, decisions, legal moves and events, each seat's own, in the same order to the byte."""
    async with (
        RefereeProcess(tmp_path / "data") as referee,
        RefereeClient.connect(referee.address) as client,
    ):
        for rule_set, seats in PLAYED:
            rules = shortened(rule_set)
            noted = [NotingBot(RandomBot(seat, bluff=0.3)) for seat in range(seats)]
            played = await play_match(client, rules, noted)
            check_played_again(rules, noted, played.log)


def shortened(rule_set: str) -> RuleSet:
    """Return a rule set that is played to seven points, or to one deal's end."""
    rules = RuleSet()
    rules.CopyFrom(rule_set_of(rule_set))
    rules.id = f"short-{rules.id}"
    rules.target = min(rules.target, 7)
    return rules


def check_played_again(rules: RuleSet, noted: list[NotingBot], log: bytes) -> None:
    """Play the moves of a log locally, in its order, and compare what each seat was shown."""
    records = list(read_records(log))
    ended = next(one.match_result for one in records if one.HasField("match_result"))
    joined = {one.seat_joined.seat: one.seat_joined for one in records if one.seat_joined.name}
    match = LocalMatch(
        rules,
        len(noted),
        ended.seed,
        match_id=records[0].header.match_id,
        entropies=[joined[seat].entropy for seat in range(len(noted))],
    )
    moves = [[one for one in seat.story if isinstance(one, Move)] for seat in noted]
    story: list[list[Event | SeatView | Decision | Move]] = [[] for _ in noted]
    seen = [0] * len(noted)
    for record in records:
        if not record.HasField("move_accepted"):
            continue
        seat = record.move_accepted.seat
        decision = match.decision(seat)
        assert decision is not None
        assert decision.decision_id == record.move_accepted.decision_id
        move = moves[seat].pop(0)
        story[seat] += [*match.events(seat, seen[seat]), match.view(seat), decision, move]
        seen[seat] = match.event_count
        match.submit(seat, move, decision.decision_id)
    for seat, noting in enumerate(noted):
        assert story[seat] + match.events(seat, seen[seat]) == noting.story, rules.id
    assert list(match.winners) == list(ended.winners)
    assert list(match.scores) == list(ended.scores)
    assert match.moves == sum(record.HasField("move_accepted") for record in records)


def cards(text: str) -> list[Card]:
    """Read cards as `7o 10c`."""
    suits = {
        "o": Suit.SUIT_OROS,
        "c": Suit.SUIT_COPAS,
        "e": Suit.SUIT_ESPADAS,
        "b": Suit.SUIT_BASTOS,
    }
    return [Card(rank=Rank.Value(f"RANK_{one[:-1]}"), suit=suits[one[-1]]) for one in text.split()]


def play(text: str) -> Move:
    """Return the move that plays a card."""
    return Move(play=Play(card=cards(text)[0]))


# Seat 0 plays first: its hand, that of seat 1, then the table.
DEALT = cards("1o 2o 3o  1c 5c 6c  7o 10o 12o 4b")


def test_a_match_goes_on_move_by_move() -> None:
    """Who must act, what it is asked, what its move brings about, and what the other sees."""
    match = LocalMatch("maghribi", 2, draws=DEALT)
    assert match.to_act == (0,)
    assert (match.over, match.winners, match.scores, match.moves) == (False, (), (0, 0), 0)
    assert [card.rank for card in match.view(0).hand] == [1, 2, 3]
    assert [card.rank for card in match.public_view().table] == [4, 7, 10, 12]
    assert match.decision(1) is None
    decision = match.decision(0)
    assert decision is not None
    # The header, two seats, and eight records of events: started, deal, batch, two hands, table.
    assert (decision.seat, decision.decision_id) == (0, 8)
    assert [one.WhichOneof("move") for one in decision.legal_moves] == [
        *("announce", "announce"),
        *("play", "play", "play"),
    ]
    assert list(decision.true_announcements) == []
    first = match.event_count
    events = match.submit(0, play("1o"), 8)
    assert [one.WhichOneof("event") for one in events] == ["card_played", "card_laid"]
    assert match.events(1, first) == events
    events = match.submit(1, play("1c"))
    assert [one.WhichOneof("event") for one in events] == [
        *("card_played", "cards_captured", "play_awarded"),
    ]
    assert match.scores == (0, 1)
    assert (match.side(0), match.side(1)) == (0, 1)


def test_a_seat_sees_no_hand_but_its_own() -> None:
    """Nor does the public see any."""
    match = LocalMatch("maghribi", 2, draws=DEALT)
    for seat in (0, 1, None):
        hands = [one.hand_dealt for one in match.events(seat) if one.HasField("hand_dealt")]
        assert {dealt.seat: len(dealt.cards) for dealt in hands} == {
            one: 3 if one == seat else 0 for one in (0, 1)
        }


def test_what_the_rules_refuse_changes_nothing() -> None:
    """Each refusal has the reason that the referee gives, and the match stands as it stood."""
    match = LocalMatch("maghribi", 2, draws=DEALT)
    before = match.view(0), match.decision(0), match.event_count
    with pytest.raises(IllegalMove) as lacking:
        match.submit(0, play("12e"))
    with pytest.raises(IllegalMove) as early:
        match.submit(1, play("1c"))
    with pytest.raises(MalformedMessage) as empty:
        match.submit(0, Move())
    with pytest.raises(ServiceError) as stale:
        match.submit(0, play("1o"), 7)
    with pytest.raises(ValueError, match="there is no seat 2: the seats are 0 to 1"):
        match.submit(2, play("1o"))
    assert (lacking.value.reason, lacking.value.clause) == ("CARD_NOT_IN_HAND", "CAP-1")
    assert early.value.reason == "NOT_YOUR_TURN"
    assert empty.value.reason == "MALFORMED_REQUEST"
    assert stale.value.reason == "STALE_DECISION"
    assert stale.value.values == {"decision_id": "7", "open_decision_id": "8"}
    assert (match.view(0), match.decision(0), match.event_count) == before


def test_a_match_that_cannot_be_is_refused() -> None:
    """With what would be right."""
    with pytest.raises(RuleSetError, match="seats"):
        LocalMatch("khlaso", 3)
    with pytest.raises(ValueError, match=r"a seed is a number from 0 to 2\*\*256 - 1, not -1"):
        LocalMatch("khlaso", 2, -1)
    with pytest.raises(ValueError, match="the seed has 3 bytes; 32 are needed"):
        LocalMatch("khlaso", 2, b"abc")
    with pytest.raises(ValueError, match="there are 3 bots for 2 seats"):
        finish(LocalMatch("khlaso", 2), [RandomBot(0)] * 3)


def test_sealed_answers_stay_hidden_until_all_have_answered() -> None:
    """Either seat may answer first, and the other's view, decision and events do not show it."""
    match = LocalMatch("khlaso", 2, seed=1)
    passing = Move()
    getattr(passing, "pass").SetInParent()
    asked = [match.to_act]
    before = match.view(0), match.decision(0), match.events(0)
    assert match.submit(1, passing) == []
    asked.append(match.to_act)
    assert asked == [(0, 1), (0,)]
    assert (match.view(0), match.decision(0), match.events(0)) == before
    assert match.decision(1) is None
    events = match.submit(0, passing)
    assert [(one.WhichOneof("event"), one.announcement_sealed) for one in events[:2]] == [
        ("announcement_sealed", AnnouncementSealed(seat=1)),
        (
            "announcement_sealed",
            AnnouncementSealed(seat=0, passed=True),
        ),
    ]


def test_the_same_seed_deals_the_same_cards() -> None:
    """A number is the same seed as its 32 bytes; another one deals other cards."""
    hands = [
        [(card.rank, card.suit) for card in LocalMatch("maghribi", 2, seed).view(0).hand]
        for seed in (5, (5).to_bytes(32), 6)
    ]
    assert hands[0] == hands[1] != hands[2]


def test_a_copy_goes_on_by_itself_with_the_same_cards_to_come() -> None:
    """Played on in the same way both end alike, and neither disturbs the other."""
    match = LocalMatch("maghribi", 3, seed=4)
    match.submit(0, Move(play=Play(card=match.view(0).hand[0])))
    copy = match.clone()
    before = match.view(1)
    ended = finish(copy, [RandomBot(seat) for seat in range(3)])
    assert match.view(1) == before
    assert not match.over
    again = finish(match, [RandomBot(seat) for seat in range(3)])
    assert match.events() == copy.events()
    assert (again.scores, again.winners) == (ended.scores, ended.winners)


def test_a_seat_that_forfeits_is_played_for() -> None:
    """With three seats its lowest cards are played and the others end the match."""
    match = LocalMatch("maghribi", 3, seed=4)
    match.forfeit(0)
    played = [one.card_played for one in match.events() if one.HasField("card_played")]
    lowest = min(card.rank for card in LocalMatch("maghribi", 3, seed=4).view(0).hand)
    assert [(one.seat, one.card.rank) for one in played] == [(0, lowest)]
    assert match.to_act == (1,)
    with pytest.raises(ServiceError) as out:
        match.submit(0, play("1o"))
    assert out.value.reason == "SEAT_FORFEITED"
    result = finish(match, [RandomBot(seat) for seat in range(3)])
    assert 0 not in result.winners


def test_with_two_seats_a_forfeit_ends_the_match() -> None:
    """The other side has won, and nothing more may be done."""
    match = LocalMatch("maghribi", 2, seed=4)
    match.forfeit(0)
    assert (match.over, match.winners, match.to_act) == (True, (1,), ())
    with pytest.raises(IllegalMove) as over:
        match.submit(1, play("1o"))
    assert over.value.reason == "MATCH_OVER"


def test_cards_that_run_out_end_the_game_without_a_result() -> None:
    """Nobody must act any more, and whoever plays it to its end is told."""
    match = LocalMatch("maghribi", 2, draws=DEALT)
    with pytest.raises(DrawsExhausted):
        finish(match, [GreedyBot(0), GreedyBot(1)])
    assert (match.to_act, match.over) == ((), False)


def test_async_bots_play_too() -> None:
    """Each answer is awaited."""

    class AsyncBot:
        async def choose(self, view: SeatView, decision: Decision) -> Move:
            return decision.legal_moves[-1]

    result = play_local("sarii", [AsyncBot(), AsyncBot()], seed=3)
    assert max(result.scores) >= 25


def test_a_bot_that_fails_is_named() -> None:
    """With its seat and its decision, and what it chose where that is no move."""

    class Raising:
        def choose(self, view: SeatView, decision: Decision) -> Move:
            raise KeyError("nine")

    class Silent:
        def choose(self, view: SeatView, decision: Decision) -> Move:
            return None  # type: ignore[return-value] # what it is about

    class Cheating:
        def choose(self, view: SeatView, decision: Decision) -> Move:
            return play("7o")

    with pytest.raises(BotError, match=r"at seat 1 .* raised KeyError: 'nine' \(.*:\d+\)"):
        play_local("sarii", [RandomBot(1), Raising()])
    with pytest.raises(BotError, match="it returned NoneType"):
        play_local("sarii", [Silent(), RandomBot(1)])
    with pytest.raises(IllegalMove) as cheat:
        play_local("sarii", [Cheating(), Cheating()], seed=0)
    assert cheat.value.reason == "CARD_NOT_IN_HAND"


def test_everybody_sits_once_on_every_seat() -> None:
    """First as given, then each one seat on in the order of play."""
    assert list(rotations("abc")) == [("a", "b", "c"), ("c", "a", "b"), ("b", "c", "a")]


class LastMoveBot:
    """Makes the last move of those that are legal."""

    def choose(self, view: SeatView, decision: Decision) -> Move:
        """Return the last legal move."""
        return decision.legal_moves[-1]


class HighestBluff(LastMoveBot):
    """Announces a tringa whatever it holds."""

    def choose(self, view: SeatView, decision: Decision) -> Move:
        """Return the announcement where it is legal."""
        for move in decision.legal_moves:
            if move.announce.kind == AnnouncementKind.ANNOUNCEMENT_KIND_TRINGA:
                return move
        return super().choose(view, decision)


def test_luck_with_the_cards_falls_out_of_rotated_matches() -> None:
    """Equal players end equal, whatever the cards; who is worse is behind by as much as ahead."""
    results, leads = play_rotations("maghribi", [LastMoveBot, LastMoveBot], seed=9)
    assert [result.scores for result in results] == [results[0].scores] * 2
    assert results[0].scores[0] != results[0].scores[1]
    assert leads == (0.0, 0.0)
    _, leads = play_rotations("maghribi", [LastMoveBot, HighestBluff, LastMoveBot], seed=9)
    assert leads[1] < 0 < leads[0] + leads[2]


def test_the_lead_is_over_the_mean_of_the_others() -> None:
    """Two sides: the difference; three: the own points less half of those of the two others."""
    bots: list[Bot] = [RandomBot(seat) for seat in range(3)]
    result = play_local("maghribi", bots, seed=2)
    first, second, third = result.scores
    assert result.lead(0) == first - (second + third) / 2
    partners = play_local("maghribi", [*bots, RandomBot(3)], seed=2)
    assert partners.lead(0) == partners.lead(2) == partners.scores[0] - partners.scores[1]
