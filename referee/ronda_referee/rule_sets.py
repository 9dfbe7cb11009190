"""The rule sets that matches can be created with by id."""

from collections.abc import Mapping

from ronda.v1.listed_rule_set_pb2 import ListedRuleSet
from ronda.v1.rule_set_pb2 import RuleSet
from ronda_referee.convert import MalformedMessage, rule_set_from_proto
from ronda_referee.errors import ServiceError, ServiceReason


class RuleSets:
    """Rule sets by id, each one playable."""

    def __init__(self, by_id: Mapping[str, ListedRuleSet]) -> None:
        """Keep some rule sets.

        Raises:
            RuleSetError: one of them cannot be played.
        """
        for listed in by_id.values():
            rule_set_from_proto(listed.rule_set)
        self._by_id = dict(by_id)

    def all(self) -> list[ListedRuleSet]:
        """Give them all, by id, with the sources of their values."""
        return [self._by_id[rule_set_id] for rule_set_id in sorted(self._by_id)]

    def refuse_borrowed_id(self, rule_set: RuleSet) -> None:
        """Refuse a rule set that goes by the id of one of these and is another one.

        Raises:
            MalformedMessage: its id stands for other rules.
        """
        own = self._by_id.get(rule_set.id)
        if own is not None and own.rule_set != rule_set:
            detail = (
                f"{rule_set.id!r} is the id of other rules here; give yours a name of their own"
            )
            raise MalformedMessage("rule_set.id", detail)

    def get(self, rule_set_id: str) -> ListedRuleSet:
        """Give one of them.

        Raises:
            ServiceError: there is none of that id.
        """
        listed = self._by_id.get(rule_set_id)
        if listed is None:
            known = ", ".join(sorted(self._by_id))
            raise ServiceError(
                ServiceReason.RULE_SET_NOT_FOUND,
                f"there is no rule set {rule_set_id!r}; there are: {known}",
                rule_set_id=rule_set_id,
            )
        return listed
