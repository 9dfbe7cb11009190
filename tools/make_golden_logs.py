"""Make the golden logs that are lacking: play matches over gRPC and keep their logs for good.

    python -m tools.make_golden_logs            make every log of tools/golden_plans.py not there
    python -m tools.make_golden_logs NAME …     make these alone
    python -m tools.make_golden_logs --list     say which are there and which are lacking

A log that is there is never written again: asking for it is an error, and so is a file or an
entry of the index that is no longer as it was. `tests/golden/README.md` says how one adds to them.
"""

import argparse
import asyncio
import contextlib
import hashlib
import io
import json
import logging
import secrets
import sys
import tempfile
from collections.abc import Awaitable, Callable, Sequence
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import structlog

from ronda.v1.card_pb2 import Card
from ronda.v1.move_pb2 import Move, Play
from ronda_client import CreatedMatch, RefereeClient, RefereeError, play_seat
from ronda_client.bot import Bot
from ronda_client.whole_file import write_new, write_whole
from ronda_conformance.rule_set_files import load_listed_rule_sets
from ronda_referee.audit import AuditReport, audit_stream
from ronda_referee.audit_text import report_json
from ronda_referee.log_file import read_records
from ronda_referee.server import Serving, Settings, serving
from tools.golden_plans import Deed, Plan, plans
from tools.golden_players import AtDecision, LopsidedBot, waiting

GOLDEN = Path(__file__).resolve().parent.parent / "tests" / "golden"
INDEX = "index.json"

NAMES = ("Amina", "إبراهيم", "Chloé", "داریوش")
# So many matches are played in search of one of the wanted sort before that is given up.
_MOST_TRIES = 200
_LATE_SECONDS = 0.6
_DOWN_SECONDS = 0.4


class GoldenError(Exception):
    """A golden log that cannot be made; the message says which and why."""


class House:
    """A referee of our own on a loopback port, which can be shut down and started again."""

    def __init__(self, data: Path) -> None:
        """Take the folder of its store and key."""
        self._data = data
        self._stack = AsyncExitStack()
        self._address = "127.0.0.1:0"
        self._served: Serving | None = None

    async def open(self) -> Serving:
        """Start it, at the address that it had before, if any."""
        settings = Settings(
            self._data,
            self._address,
            allow_fixed_draws=True,
            allow_shared_shuffles=True,
            drain_seconds=0.1,
        )
        entered = serving(settings, load_listed_rule_sets())
        self._served = await self._stack.enter_async_context(entered)
        self._address = self._served.address
        return self._served

    async def close(self) -> None:
        """Shut it down."""
        await self._stack.aclose()

    async def restart(self) -> None:
        """Shut it down, leave it down for a moment, and start it again."""
        await self.close()
        await asyncio.sleep(_DOWN_SECONDS)
        await self.open()


class Making:
    """Plays the match of one plan.

    Args:
        house: the referee.
        client: a client of it, as an organiser.
        plan: what is played.
        attempt: which of the matches of this plan it is; another one is played otherwise.
    """

    def __init__(self, house: House, client: RefereeClient, plan: Plan, attempt: int) -> None:
        self._house = house
        self._client = client
        self._plan = plan
        self._attempt = attempt

    async def play(self) -> bytes:
        """Play the match to its end and return its log."""
        plan, client = self._plan, self._client
        created = await client.create_match(
            plan.rule_set,
            plan.seats,
            fixed_draws=plan.fixed_draws,
            shared_shuffle=plan.shared_shuffle,
            terms=plan.terms,
        )
        if plan.joining is not None:
            await self._left_waiting(created, plan.joining)
        else:
            async with asyncio.TaskGroup() as group:
                for seat in range(plan.seats):
                    group.create_task(self._seat(created, seat))
        return await client.get_match_log(created.match_id)

    async def _left_waiting(self, created: CreatedMatch, joining: int) -> None:
        for seat in range(joining):
            await self._client.join(created.match_id, created.seat_tokens[seat], name=NAMES[seat])
        if self._plan.terms is None:
            await self._client.cancel_match(created.match_id)
            return
        async for _ in self._client.watch(created.match_id):
            pass

    async def _seat(self, created: CreatedMatch, seat: int) -> None:
        plan = self._plan
        sides = 2 if plan.seats == 4 else plan.seats  # noqa: PLR2004 - four seats, two sides
        wins = plan.even or seat % sides == self._attempt % sides
        bot: Bot = LopsidedBot(secrets.randbits(32), wins=wins, challenges=plan.challenges)
        doing = plan.doings.get(seat)
        if doing is not None:
            bot = AtDecision(bot, self._deed(created, seat, doing.deed), doing.first, doing.every)
        await play_seat(
            self._client,
            created.match_id,
            created.seat_tokens[seat],
            bot,
            name=NAMES[(seat + plan.rotated) % plan.seats],
            entropy=b"" if seat in plan.silent else None,
        )

    def _deed(self, created: CreatedMatch, seat: int, deed: Deed) -> Callable[[], Awaitable[None]]:
        client, match_id, token = self._client, created.match_id, created.seat_tokens[seat]

        async def resign() -> None:
            await client.resign(match_id, token)

        async def cancel() -> None:
            await client.cancel_match(match_id)

        async def restart() -> None:
            await self._house.restart()

        async def illegal() -> None:
            decision = (await client.get_view(match_id, token)).decision
            if decision is None:
                return
            # A card of no rank and no suit is nobody's.
            move = Move(play=Play(card=Card()))
            for _ in range(3):
                with contextlib.suppress(RefereeError):
                    await client.submit_move(match_id, token, decision.decision_id, move)

        return {
            Deed.LATE: waiting(_LATE_SECONDS),
            Deed.RESIGN: resign,
            Deed.CANCEL: cancel,
            Deed.RESTART: restart,
            Deed.ILLEGAL: illegal,
        }[deed]


async def make(house: House, client: RefereeClient, name: str, plan: Plan) -> bytes:
    """Return the log of a plan, the shortest of as many as it wants.

    Raises:
        GoldenError: No match of the wanted sort came about, or an audit finds something.
    """
    fitting: list[bytes] = []
    for attempt in range(_MOST_TRIES):
        log = await Making(house, client, plan, attempt).play()
        report = audit_stream(io.BytesIO(log))
        if report.finding is not None:
            raise GoldenError(f"{name}: the audit finds {report.finding}")
        if plan.wanted is None or plan.wanted(report):
            fitting.append(log)
        if len(fitting) == plan.best_of:
            return min(fitting, key=len)
    raise GoldenError(f"{name}: none of {_MOST_TRIES} matches was of the wanted sort")


def entry(plan: Plan, log: bytes) -> dict[str, Any]:
    """Return what the index says of a log."""
    records = [one.record for one in read_records(io.BytesIO(log))]
    key = records[0].header.public_key
    return {
        "about": plan.about,
        "sha256": hashlib.sha256(log).hexdigest(),
        "bytes": len(log),
        "head": records[-1].previous_hash.hex(),
        "audit": report_json(audit_stream(io.BytesIO(log), key)),
    }


def read_index(folder: Path) -> dict[str, Any]:
    """Return the index by the names of its logs; empty where there is none yet.

    Raises:
        GoldenError: A log that it names is not there, or is not as it says.
    """
    path = folder / INDEX
    index: dict[str, Any] = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    for name, said in index.items():
        file = folder / f"{name}.rlog"
        if not file.exists():
            raise GoldenError(f"{file}: it is in the index and not there; bring it back")
        if hashlib.sha256(file.read_bytes()).hexdigest() != said["sha256"]:
            raise GoldenError(f"{file}: it is not as the index says; bring the old one back")
    return index


def write_index(folder: Path, index: dict[str, Any]) -> None:
    """Write the index, in the order in which the logs were added."""
    text = json.dumps(index, indent=1, ensure_ascii=False)
    write_whole(folder / INDEX, f"{text}\n".encode())


def chosen(names: Sequence[str], index: dict[str, Any]) -> list[str]:
    """Return the names of the logs to make.

    Raises:
        GoldenError: One of those asked for is there already, or there is no such plan.
    """
    known = plans()
    for name in names:
        if name not in known:
            raise GoldenError(f"{name}: tools/golden_plans.py has no such plan")
        if name in index:
            raise GoldenError(f"{name}: it is there, and a golden log never changes")
    return list(names) or [name for name in known if name not in index]


async def add(folder: Path, names: Sequence[str], index: dict[str, Any]) -> None:
    """Make logs and enter them in the index, one after the other.

    Raises:
        GoldenError: One cannot be made; those before it stand.
        FileExistsError: There is a file of that name which the index does not know.
    """
    known = plans()
    with tempfile.TemporaryDirectory() as data:
        house = House(Path(data))
        served = await house.open()
        token = served.organiser_token_file.read_text(encoding="utf-8").strip()
        try:
            async with RefereeClient.connect(served.address, organiser_token=token) as client:
                for name in names:
                    log = await make(house, client, name, known[name])
                    write_new(folder / f"{name}.rlog", log)
                    index[name] = entry(known[name], log)
                    write_index(folder, index)
                    print(f"{name}: {len(log)} bytes, {_outcome(log)}", flush=True)
        finally:
            await house.close()


def digest(index: dict[str, Any], count: int) -> str:
    """Return the SHA-256 of the index's first entries, so many of them."""
    first = dict(list(index.items())[:count])
    return hashlib.sha256(json.dumps(first, ensure_ascii=False).encode()).hexdigest()


def _outcome(log: bytes) -> str:
    report: AuditReport = audit_stream(io.BytesIO(log))
    return f"{report.deals} deals, {report.ended}, winners {list(report.winners)}"


def main(argv: Sequence[str] | None = None) -> int:
    """Make what is lacking, or what is asked for; give the exit code."""
    parser = argparse.ArgumentParser(prog="python -m tools.make_golden_logs", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help="a plan of tools/golden_plans.py")
    parser.add_argument("--list", action="store_true", help="say which are there and which lacking")
    parser.add_argument("--folder", type=Path, default=GOLDEN, help="where they are kept")
    args = parser.parse_args(argv)
    try:
        index = read_index(args.folder)
        if args.list:
            for name, plan in plans().items():
                print(f"{'there  ' if name in index else 'lacking'}  {name}: {plan.about}")
            return 0
        asyncio.run(add(args.folder, chosen(args.names, index), index))
        print(f"{len(index)} logs; tests/referee/test_golden_logs.py takes this line:")
        print(f'    ({len(index)}, "{digest(index, len(index))}"),')
    except (GoldenError, FileExistsError) as error:
        print(f"golden logs: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    # What the referee and its client tell while they run is not what is made here.
    logging.disable(logging.WARNING)
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.ERROR))
    sys.exit(main())
