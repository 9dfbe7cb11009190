"""The rule sets of the checks: short matches, sent along, so that a referee need not list them."""

from functools import cache

from ronda.v1 import rule_set_pb2
from ronda_conformance.rule_set_files import load_rule_sets


@cache
def _presets() -> dict[str, rule_set_pb2.RuleSet]:
    return load_rule_sets()


def _from(preset: str, name: str) -> rule_set_pb2.RuleSet:
    rules = rule_set_pb2.RuleSet()
    rules.CopyFrom(_presets()[preset])
    rules.id, rules.title = f"conformance-{name}", f"Conformance, {name}"
    # A single deal, whose highest total wins.
    rules.target = 0
    rules.win_check = rule_set_pb2.WIN_CHECK_DEAL_END
    rules.target_tie = rule_set_pb2.TARGET_TIE_DRAW
    return rules


def plain() -> rule_set_pb2.RuleSet:
    """Give a single deal for two to four seats: batches of three, bluffs, nothing asked between."""
    return _from("maghribi", "plain")


def sealed() -> rule_set_pb2.RuleSet:
    """Give a single deal in which all seats announce at once, for two and four."""
    return _from("khlaso", "sealed")


def windows() -> rule_set_pb2.RuleSet:
    """Give a single deal with challenges and claims, each in windows of their own."""
    return _from("classic", "windows")


def unplayable() -> dict[str, tuple[rule_set_pb2.RuleSet, str]]:
    """Give rule sets that cannot be played, by what is wrong, with the field at fault."""
    cases: dict[str, tuple[rule_set_pb2.RuleSet, str]] = {}
    for what, field, value in (
        ("no timing", "timing", rule_set_pb2.TIMING_UNSPECIFIED),
        ("no bluff policy", "bluff", rule_set_pb2.BLUFF_UNSPECIFIED),
        ("no scoring", "scoring", rule_set_pb2.SCORING_UNSPECIFIED),
    ):
        rules = plain()
        setattr(rules, field, value)
        cases[what] = (rules, field)
    rules = plain()
    rules.challenge, rules.bluff = True, rule_set_pb2.BLUFF_REFUSED
    cases["challenges where bluffs are refused"] = (rules, "challenge")
    return cases
