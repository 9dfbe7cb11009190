"""Rule sets and new matches on a real server: what can be had, what is refused and how."""

from pathlib import Path

import pytest

from ronda.v1 import card_pb2, log_pb2, rule_set_pb2
from ronda.v1 import referee_service_pb2 as pb
from ronda.v1.listed_rule_set_pb2 import ParameterSource, Ruling
from ronda_conformance.rule_set_files import load_rule_sets
from ronda_referee.convert import card_to_proto
from ronda_rules.cards import parse_card
from tests.referee.running import refused, running


async def test_rule_sets_are_listed_by_id(tmp_path: Path) -> None:
    """The rule sets shipped are listed by id, and each can be asked for in full."""
    async with running(tmp_path) as run:
        listed = await run.stub.ListRuleSets(pb.ListRuleSetsRequest())
        ids = [one.rule_set.id for one in listed.rule_sets]
        assert ids == sorted(ids)
        assert {"maghribi", "sarii"} <= set(ids)
        sarii = await run.stub.GetRuleSet(pb.GetRuleSetRequest(id="sarii"))
        assert sarii.rule_set.rule_set.target == 25


async def test_every_value_comes_with_its_source(tmp_path: Path) -> None:
    """A ruling says so, with the other reading; both calls say the same."""
    async with running(tmp_path) as run:
        qahwa = (await run.stub.GetRuleSet(pb.GetRuleSetRequest(id="qahwa"))).rule_set
        listed = await run.stub.ListRuleSets(pb.ListRuleSetsRequest())
    sources = {source.parameter: source for source in qahwa.sources}
    assert sources["target"] == ParameterSource(
        parameter="target", place="003, how a match is won", ruling=Ruling.RULING_STATED
    )
    assert sources["bluff"].ruling == Ruling.RULING_SILENT
    assert sources["table_remedy"] == ParameterSource(
        parameter="table_remedy",
        place="003, players and dealing",
        ruling=Ruling.RULING_LESS_CERTAIN,
        other_reading="`RETURN_LAST`, or dealing all anew",
    )
    assert qahwa in listed.rule_sets


async def test_an_unknown_rule_set_is_not_found(tmp_path: Path) -> None:
    """The error names those that there are."""
    async with running(tmp_path) as run:
        request = pb.GetRuleSetRequest(id="poker")
        answer = await refused(lambda: run.stub.GetRuleSet(request))
        assert (answer.status, answer.reason) == ("NOT_FOUND", "RULE_SET_NOT_FOUND")
        assert "maghribi" in answer.detail


async def test_a_match_cannot_be_created_without_rules(tmp_path: Path) -> None:
    """The field that is missing is named."""
    async with running(tmp_path) as run:
        answer = await refused(lambda: run.stub.CreateMatch(pb.CreateMatchRequest(seats=2)))
        assert (answer.status, answer.reason) == ("INVALID_ARGUMENT", "MALFORMED_REQUEST")
        assert answer.fields == ("rules",)


async def test_a_seat_count_that_the_rule_set_lacks_is_refused(tmp_path: Path) -> None:
    """Maghribi is for two, three and four."""
    async with running(tmp_path) as run:
        request = pb.CreateMatchRequest(rule_set_id="maghribi", seats=5)
        answer = await refused(lambda: run.stub.CreateMatch(request))
        assert (answer.status, answer.reason) == ("INVALID_ARGUMENT", "RULE_SET_INVALID")
        assert answer.fields == ("seats",)
        assert "2, 3, 4" in answer.detail


async def test_an_inline_rule_set_is_played_or_refused_by_the_field_at_fault(
    tmp_path: Path,
) -> None:
    """A house rule set within the parameters is played; a value that cannot be is named."""
    house = rule_set_pb2.RuleSet()
    house.CopyFrom(load_rule_sets()["maghribi"])
    house.id, house.mesa = "house", 3
    async with running(tmp_path) as run:
        created = await run.stub.CreateMatch(pb.CreateMatchRequest(rule_set=house, seats=2))
        assert len(created.seat_tokens) == 2
        house.timing = rule_set_pb2.TIMING_UNSPECIFIED
        request = pb.CreateMatchRequest(rule_set=house, seats=2)
        answer = await refused(lambda: run.stub.CreateMatch(request))
        assert (answer.status, answer.reason) == ("INVALID_ARGUMENT", "RULE_SET_INVALID")
        assert answer.fields == ("timing",)
        assert "FIRST_TURN" in answer.detail


async def test_a_parameter_that_this_version_does_not_know_is_refused(tmp_path: Path) -> None:
    """An unknown field of a rule set would mean other rules to whoever sent it."""
    house = rule_set_pb2.RuleSet()
    house.CopyFrom(load_rule_sets()["maghribi"])
    # Field 500, a varint of 1.
    house.MergeFromString(b"\xa0\x1f\x01")
    async with running(tmp_path) as run:
        request = pb.CreateMatchRequest(rule_set=house, seats=2)
        answer = await refused(lambda: run.stub.CreateMatch(request))
        assert (answer.status, answer.reason) == ("INVALID_ARGUMENT", "MALFORMED_REQUEST")
        assert answer.fields == ("rule_set",)
        assert "500" in answer.detail


async def test_other_rules_cannot_borrow_a_listed_id(tmp_path: Path) -> None:
    """Whoever reads `maghribi` in a view or a log must be able to rely on it."""
    house = rule_set_pb2.RuleSet()
    house.CopyFrom(load_rule_sets()["maghribi"])
    async with running(tmp_path) as run:
        await run.stub.CreateMatch(pb.CreateMatchRequest(rule_set=house, seats=2))
        house.target = 1
        request = pb.CreateMatchRequest(rule_set=house, seats=2)
        answer = await refused(lambda: run.stub.CreateMatch(request))
        assert (answer.status, answer.reason) == ("INVALID_ARGUMENT", "MALFORMED_REQUEST")
        assert answer.fields == ("rule_set.id",)


@pytest.mark.parametrize("text", ["x" * 8_000, "ز" * 4_000])
async def test_long_texts_in_a_request_do_not_break_its_refusal(tmp_path: Path, text: str) -> None:
    """A status travels in headers: what it quotes is cut short."""
    async with running(tmp_path) as run:
        by_id = pb.GetRuleSetRequest(id=text)
        assert (await refused(lambda: run.stub.GetRuleSet(by_id))).reason == "RULE_SET_NOT_FOUND"
        view = pb.GetViewRequest(match_id=text)
        assert (await refused(lambda: run.stub.GetView(view))).reason == "MATCH_NOT_FOUND"
        house = rule_set_pb2.RuleSet()
        house.CopyFrom(load_rule_sets()["maghribi"])
        house.id = text
        create = pb.CreateMatchRequest(rule_set=house, seats=2)
        answer = await refused(lambda: run.stub.CreateMatch(create))
        assert (answer.reason, answer.fields) == ("RULE_SET_INVALID", ("id",))


async def test_draws_of_a_later_deal_are_checked_too(tmp_path: Path) -> None:
    """Whatever the seats score, every draw is one that chance could make, or none is taken."""
    table = [parse_card(text) for text in ("1o", "3o", "5o", "10o")]
    rest = [card for card in range(40) if card not in table]
    deal = [card_to_proto(card) for card in (*rest[:6], *table, *rest[6:])]
    house = rule_set_pb2.RuleSet()
    house.CopyFrom(load_rule_sets()["maghribi"])
    house.id, house.mesa, house.target = "house", 1_000, 100_000
    house.ladder[:] = [1_000]
    async with running(tmp_path, allow_fixed_draws=True) as run:
        draws = log_pb2.FixedDraws(cards=[*deal * 40, deal[0], deal[0], deal[1]])
        request = pb.CreateMatchRequest(rule_set=house, seats=2, fixed_draws=draws)
        answer = await refused(lambda: run.stub.CreateMatch(request))
        assert (answer.status, answer.reason) == ("INVALID_ARGUMENT", "DRAW_INVALID")


async def test_a_referee_takes_no_draws_from_outside_unless_told_to(tmp_path: Path) -> None:
    """Fixed draws are for tests."""
    async with running(tmp_path) as run:
        request = pb.CreateMatchRequest(
            rule_set_id="maghribi", seats=2, fixed_draws=log_pb2.FixedDraws()
        )
        answer = await refused(lambda: run.stub.CreateMatch(request))
        assert (answer.status, answer.reason) == ("PERMISSION_DENIED", "FIXED_DRAWS_REFUSED")


async def test_fixed_draws_that_chance_could_not_make_are_refused(tmp_path: Path) -> None:
    """The same card cannot leave the pack twice in a deal."""
    seven = card_pb2.Card(rank=card_pb2.RANK_7, suit=card_pb2.SUIT_OROS)
    six = card_pb2.Card(rank=card_pb2.RANK_6, suit=card_pb2.SUIT_OROS)
    async with running(tmp_path, allow_fixed_draws=True) as run:
        request = pb.CreateMatchRequest(
            rule_set_id="maghribi",
            seats=2,
            fixed_draws=log_pb2.FixedDraws(cards=[seven, six, seven]),
        )
        answer = await refused(lambda: run.stub.CreateMatch(request))
        assert (answer.status, answer.reason) == ("INVALID_ARGUMENT", "DRAW_INVALID")
        assert answer.clause == "DEAL-4"
        assert "7o" in answer.detail
