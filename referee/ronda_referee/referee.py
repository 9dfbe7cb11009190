"""The referee: creates matches, brings them back after a restart, and knows where each one is."""

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from importlib import metadata

import structlog

from ronda.v1 import log_pb2
from ronda_referee.commits import Commits
from ronda_referee.convert import card_from_proto, rule_set_from_proto
from ronda_referee.errors import ServiceError, ServiceReason
from ronda_referee.fixed_draws import check_fixed_draws
from ronda_referee.match import Match, frozen
from ronda_referee.match_log import FORMAT_VERSION, LogRow
from ronda_referee.play import MatchPlay
from ronda_referee.shuffle import SEED_SIZE, commit
from ronda_referee.signing_key import SigningKey
from ronda_referee.store import Store, StoredMatch, Write
from ronda_referee.surroundings import Surroundings
from ronda_referee.tokens import new_token, token_hash
from ronda_rules.rule_set_check import check_seats

ENGINE_VERSION = metadata.version("ronda-referee")

_MATCH_ID_BYTES = 10
_ENDED_IN_MEMORY = 64
_ALL_ROWS = 1 << 62

_log = structlog.get_logger(__name__)


class Referee:
    """Keeps all matches of one store.

    Attributes:
        draining: whether the referee is shutting down and takes nothing new.
    """

    def __init__(
        self,
        store: Store,
        key: SigningKey,
        surroundings: Surroundings,
        *,
        allow_fixed_draws: bool = False,
    ) -> None:
        """Keep the matches of a store; `restore` brings those back that are open."""
        self.draining = False
        self._store = store
        self._commits = Commits(store)
        self._key = key
        self._surroundings = surroundings
        self._allow_fixed_draws = allow_fixed_draws
        self._opening: set[asyncio.Task[None]] = set()
        self._open: dict[str, Match] = {}
        self._ended: OrderedDict[str, Match] = OrderedDict()
        self._told_of_drain: set[Callable[[], None]] = set()

    def restore(self) -> int:
        """Bring back every match that has not ended, and give their number.

        A match whose rows contradict themselves stays frozen; the others go on.
        """
        for match_id in self._store.open_matches():
            stored = self._store.match(match_id)
            if stored is None:
                continue
            try:
                self._open[match_id] = self._load(stored)
            except Exception as error:  # noqa: BLE001 - a damaged match stops no other
                _log.exception("match frozen", match_id=match_id)
                self._store.freeze(match_id, f"{type(error).__name__}: {error}")
        return len(self._open)

    async def create(
        self, wanted: log_pb2.LogHeader, fixed_draws: log_pb2.FixedDraws | None = None
    ) -> tuple[str, list[str]]:
        """Create a match; give its id and a token for each seat, when it is on disk.

        Args:
            wanted: a header with the rule set and the seats; the referee adds the rest.
            fixed_draws: draws that stand in for the shuffle, or None.

        Raises:
            RulesError: the rule set, the seat count or the draws cannot be played.
            ServiceError: the referee does not take draws from outside, or is shutting down.
        """
        self.refuse_when_draining()
        rules = rule_set_from_proto(wanted.rule_set)
        check_seats(rules, wanted.seats)
        if fixed_draws is not None:
            if not self._allow_fixed_draws:
                raise ServiceError(
                    ServiceReason.FIXED_DRAWS_REFUSED,
                    "this referee shuffles by itself; start one that allows fixed draws for tests",
                )
            cards = [card_from_proto(card, "fixed_draws.cards") for card in fixed_draws.cards]
            check_fixed_draws(rules, wanted.seats, cards)
        entropy = self._surroundings.entropy
        match_id = entropy(_MATCH_ID_BYTES).hex()
        seed = entropy(SEED_SIZE)
        tokens = [new_token(entropy) for _ in range(wanted.seats)]
        header = log_pb2.LogHeader(
            format_version=FORMAT_VERSION,
            engine_version=ENGINE_VERSION,
            match_id=match_id,
            rule_set=wanted.rule_set,
            seats=wanted.seats,
            seed_commitment=commit(seed),
            public_key=self._key.public_key,
        )
        play, rows = MatchPlay.create(
            header,
            seed,
            self._surroundings.sealer,
            self._key.sign,
            self._surroundings.now_ms(),
            fixed_draws,
        )
        stored = StoredMatch(
            match_id,
            seed,
            tuple(map(token_hash, tokens)),
            rules.id,
            self._surroundings.now_ms(),
            names=("",) * wanted.seats,
            refusals=(0,) * wanted.seats,
        )
        opening = asyncio.create_task(self._open_new(play, stored, rows))
        self._opening.add(opening)
        opening.add_done_callback(self._opening.discard)
        # A caller that goes away must not leave a match that is on disk and not in memory.
        await asyncio.shield(opening)
        _log.info("match created", match_id=match_id, rule_set=rules.id, seats=wanted.seats)
        return match_id, tokens

    def match(self, match_id: str) -> Match:
        """Give a match, from memory or from the store.

        Raises:
            ServiceError: there is none of that id, or it cannot be read.
        """
        match = self._open.get(match_id) or self._ended.get(match_id)
        if match is not None:
            if match_id in self._ended:
                self._ended.move_to_end(match_id)
            return match
        stored = self._store.match(match_id)
        if stored is None:
            raise ServiceError(
                ServiceReason.MATCH_NOT_FOUND, f"there is no match {match_id!r}", match_id=match_id
            )
        if stored.open:
            raise frozen(match_id)
        match = self._load(stored)
        self._keep_ended(match)
        return match

    def matches(self) -> Sequence[Match]:
        """Give the matches in memory."""
        return [*self._open.values(), *self._ended.values()]

    def refuse_when_draining(self) -> None:
        """Refuse what the referee no longer takes while it is shutting down.

        Raises:
            ServiceError: it is shutting down.
        """
        if self.draining:
            raise ServiceError(
                ServiceReason.DRAINING, "the referee is shutting down; try again later"
            )

    @contextmanager
    def telling_of_drain(self, wake: Callable[[], None]) -> Iterator[None]:
        """Call this when the referee begins to shut down, for as long as the context is held."""
        self._told_of_drain.add(wake)
        try:
            yield
        finally:
            self._told_of_drain.discard(wake)

    async def drain(self) -> None:
        """Take nothing new, let every command under way come to its end, end all watching."""
        self.draining = True
        if self._opening:
            await asyncio.wait(self._opening)
        for match in self.matches():
            await match.settled()
            match.wake_watchers()
        for wake in self._told_of_drain:
            wake()

    async def _open_new(self, play: MatchPlay, stored: StoredMatch, rows: list[LogRow]) -> None:
        try:
            await self._commits.write(Write(stored.match_id, rows, created=stored))
        except Exception as error:
            detail = "the match could not be written to disk; ask for another one"
            raise ServiceError(ServiceReason.STORE_UNAVAILABLE, detail) from error
        self._open[stored.match_id] = self._opened(play, stored)

    def _load(self, stored: StoredMatch) -> Match:
        return self._opened(self._replayed(stored), stored)

    def _opened(self, play: MatchPlay, stored: StoredMatch) -> Match:
        return Match(
            play,
            stored,
            self._store,
            self._commits,
            self._surroundings,
            lambda: self._replayed(stored),
            self._match_ended,
        )

    def _replayed(self, stored: StoredMatch) -> MatchPlay:
        """Play a match again from its rows on disk."""
        rows = self._store.rows(stored.match_id, 0, _ALL_ROWS)
        return MatchPlay.restore(
            stored.match_id, stored.seed, rows, self._surroundings.sealer, self._key.sign
        )

    def _match_ended(self, match: Match) -> None:
        _log.info("match ended", match_id=match.match_id)
        self._open.pop(match.match_id, None)
        self._keep_ended(match)

    def _keep_ended(self, match: Match) -> None:
        self._ended[match.match_id] = match
        while len(self._ended) > _ENDED_IN_MEMORY:
            self._ended.popitem(last=False)
