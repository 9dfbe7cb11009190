"""The referee: creates matches, brings them back after a restart, and knows where each one is."""

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from importlib import metadata

import structlog

from ronda.v1 import log_pb2, match_terms_pb2
from ronda_referee import terms
from ronda_referee.clocks import Stamp
from ronda_referee.commits import Commits
from ronda_referee.convert import card_from_proto, rule_set_from_proto
from ronda_referee.errors import ServiceError, ServiceReason, StoreError
from ronda_referee.fixed_draws import check_fixed_draws
from ronda_referee.match import Match, frozen
from ronda_referee.match_log import FORMAT_VERSION, LogRow
from ronda_referee.observing import observer
from ronda_referee.play import MatchPlay
from ronda_referee.restoring import restore
from ronda_referee.settings import OPEN_MATCHES, SLEEP_AFTER_SECONDS
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
_SHORTEST_SWEEP_SECONDS = 0.05

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
        allow_shared_shuffles: bool = False,
        default_terms: match_terms_pb2.MatchTerms,
        sleep_after_seconds: float = SLEEP_AFTER_SECONDS,
        most_open: int = OPEN_MATCHES,
    ) -> None:
        """Keep the matches of a store; `restore` brings those back that are open.

        Matches that nobody asks anything of for `sleep_after_seconds` leave memory.
        """
        self.draining = False
        self._store = store
        self._commits = Commits(store)
        self._key = key
        self._surroundings = surroundings
        self._allow_fixed_draws = allow_fixed_draws
        self._allow_shared_shuffles = allow_shared_shuffles
        self._default_terms = default_terms
        self._sleep_after_ms = int(sleep_after_seconds * 1000)
        self._sweep: asyncio.TimerHandle | None = None
        self._most_open = most_open
        self._opening: set[asyncio.Task[None]] = set()
        self._open: dict[str, Match] = {}
        self._ended: OrderedDict[str, Match] = OrderedDict()
        self._told_of_drain: set[Callable[[], None]] = set()

    def restore(self) -> int:
        """Bring back every match that has not ended, and give their number.

        A match whose rows contradict themselves stays frozen; the others go on.

        Raises:
            StoreError: the disk cannot be read, which is no match's fault.
        """
        self._commits.belong_here()
        for match_id in self._store.open_matches():
            stored = self._store.match(match_id)
            if stored is None:
                continue
            try:
                match = self._open[match_id] = self._load(stored)
                match.sleep()
            except ServiceError as error:
                raise StoreError(f"match {match_id} cannot be read from the store") from error
            except Exception as error:  # noqa: BLE001 - a damaged match stops no other
                _log.exception("match frozen", match_id=match_id)
                self._store.freeze(match_id, f"{type(error).__name__}: {error}")
                observer().match_frozen()
        # Those that came back first have not been waiting for the others.
        for match in self._open.values():
            match.start_clock()
        observer().matches_restored(len(self._open))
        self._sweep_later()
        return len(self._open)

    def go_on(self) -> None:
        """Let the clocks of the matches that were brought back run: calls are taken from now on.

        To bring many back takes a while, in which no seat could answer.
        """
        for match in self._open.values():
            match.start_clock()

    @property
    def open_matches(self) -> int:
        """How many matches have not ended, with those that are being created."""
        return len(self._open) + len(self._opening)

    async def create(
        self,
        wanted: log_pb2.LogHeader,
        fixed_draws: log_pb2.FixedDraws | None = None,
        shared_shuffle: log_pb2.SharedShuffle | None = None,
    ) -> tuple[str, list[str]]:
        """Create a match; give its id and a token for each seat, when it is on disk.

        Args:
            wanted: a header with the rule set, the seats and the organiser's terms; the referee
                adds the rest.
            fixed_draws: draws that stand in for the shuffle, or None.
            shared_shuffle: the shuffle that the match shares with others, as it must be; or None.

        Raises:
            RulesError: the rule set, the seat count or the draws cannot be played, or the terms
                are malformed.
            ServiceError: the referee does not take draws or seeds from outside, is shutting down,
                or has as many open matches as it may have.
        """
        self.refuse_when_draining()
        if self.open_matches >= self._most_open:
            raise ServiceError(
                ServiceReason.TOO_MANY_MATCHES,
                f"there are {self._most_open} open matches, as many as there may be; try again "
                "when one has ended",
                open_matches=self._most_open,
            )
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
        if shared_shuffle is not None and not self._allow_shared_shuffles:
            raise ServiceError(
                ServiceReason.SHARED_SHUFFLE_REFUSED,
                "matches share no shuffle here; start a referee that allows shared shuffles",
            )
        entropy = self._surroundings.entropy
        match_id = entropy(_MATCH_ID_BYTES).hex()
        seed = entropy(SEED_SIZE) if shared_shuffle is None else shared_shuffle.seed
        tokens = [new_token(entropy) for _ in range(wanted.seats)]
        header = log_pb2.LogHeader(
            format_version=FORMAT_VERSION,
            engine_version=ENGINE_VERSION,
            match_id=match_id,
            rule_set=wanted.rule_set,
            seats=wanted.seats,
            seed_commitment=commit(seed),
            public_key=self._key.public_key,
            terms=terms.complete_terms(wanted.terms, self._default_terms),
            shared_shuffle_id="" if shared_shuffle is None else shared_shuffle.shuffle_id,
        )
        now_ms = self._surroundings.now_ms()
        play, rows = MatchPlay.create(
            header,
            seed,
            self._surroundings.sealer,
            self._key.sign,
            Stamp(now_ms, 0),
            fixed_draws,
        )
        stored = StoredMatch(
            match_id,
            seed,
            tuple(map(token_hash, tokens)),
            rules.id,
            now_ms,
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
        match = self._opened(None, stored)
        self._keep_ended(match)
        return match

    @property
    def store(self) -> Store:
        """The store that it keeps its matches in."""
        return self._store

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
        if self._sweep is not None:
            self._sweep.cancel()
        if self._opening:
            await asyncio.wait(self._opening)
        for match in self.matches():
            match.stop_clock()
            await match.settled()
            match.stop_clock()
            match.wake_watchers()
        for wake in self._told_of_drain:
            wake()

    def send_to_sleep(self) -> int:
        """Let every match leave memory that has been idle for long enough; give their number."""
        idle_since = self._surroundings.monotonic_ms() - self._sleep_after_ms
        return sum(
            match.sleep()
            for match in self.matches()
            if not match.asleep and match.idle_since_ms <= idle_since
        )

    def _sweep_later(self) -> None:
        seconds = max(self._sleep_after_ms / 4000, _SHORTEST_SWEEP_SECONDS)
        self._sweep = asyncio.get_running_loop().call_later(seconds, self._sweep_now)

    def _sweep_now(self) -> None:
        slept = self.send_to_sleep()
        if slept:
            _log.debug("matches asleep", matches=slept)
        self._sweep_later()

    async def _open_new(self, play: MatchPlay, stored: StoredMatch, rows: list[LogRow]) -> None:
        try:
            await self._commits.write(Write(stored.match_id, rows, created=stored))
        except Exception as error:
            detail = "the match could not be written to disk; ask for another one"
            raise ServiceError(ServiceReason.STORE_UNAVAILABLE, detail) from error
        self._open[stored.match_id] = self._opened(play, stored)

    def _load(self, stored: StoredMatch) -> Match:
        return self._opened(self.played_again(stored, self.rows_of(stored.match_id)), stored)

    def _opened(self, play: MatchPlay | None, stored: StoredMatch) -> Match:
        return Match(
            play,
            stored,
            self._store,
            self._commits,
            self._surroundings,
            self,
        )

    def rows_of(self, match_id: str) -> Sequence[LogRow]:
        """Give all rows of a match that are on disk.

        Raises:
            ServiceError: they cannot be read.
        """
        try:
            return self._store.rows(match_id, 0, _ALL_ROWS)
        except Exception as error:
            # Not the match's fault: it is there as soon as the disk is.
            _log.error("match cannot be read", match_id=match_id, exc_info=error)
            detail = "it could not be read from disk; send the same again"
            raise ServiceError(
                ServiceReason.STORE_UNAVAILABLE, detail, match_id=match_id
            ) from error

    def played_again(self, stored: StoredMatch, rows: Sequence[LogRow]) -> MatchPlay:
        """Play a match again from its rows on disk.

        Raises:
            StoreDamaged: they contradict themselves.
        """
        sealer = self._surroundings.sealer
        return restore(stored.match_id, stored.seed, rows, sealer, self._key.sign)

    def match_ended(self, match: Match) -> None:
        """Hear that a match's log is whole."""
        _log.info("match ended", match_id=match.match_id)
        self._open.pop(match.match_id, None)
        self._keep_ended(match)

    def _keep_ended(self, match: Match) -> None:
        self._ended[match.match_id] = match
        while len(self._ended) > _ENDED_IN_MEMORY:
            self._ended.popitem(last=False)
