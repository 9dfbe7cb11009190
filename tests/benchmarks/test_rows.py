"""Each measure that costs little runs, at its smallest; what the figures are made of is counted."""

import io
import os
import random
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from benchmarks import audit, builds, calls, engine, latency, memory, play
from benchmarks.bench import Bench
from benchmarks.builds import PURE, Build, compiled
from benchmarks.engine_process import EngineProcess
from benchmarks.machine import has_mapped, processor_seconds, resident
from benchmarks.measure import Size
from benchmarks.peers import PeerMissingError, RlCardGinRummy, open_spiel_hearts
from benchmarks.playouts import play_out, rules_of
from ronda_referee.log_file import read_records
from tools.compile_modules import CompilationError, copy_sources

ROOT = Path(__file__).resolve().parents[2]
# One deal of two seats: forty cards less the four that are turned.
LOG = (ROOT / "tests" / "golden" / "single-deal-2.rlog").read_bytes()


class Hearts:
    """Stands for OpenSpiel's state of a game: two cards are dealt, then three moves made."""

    def __init__(self) -> None:
        self.applied: list[int] = []

    def is_terminal(self) -> bool:
        """Tell whether all was made."""
        return len(self.applied) == 5

    def is_chance_node(self) -> bool:
        """Tell whether a card is dealt now."""
        return len(self.applied) < 2

    def legal_actions(self) -> list[int]:
        """Give two, always."""
        return [7, 8]

    def apply_action(self, action: int) -> None:
        """Take one of them."""
        assert action in {7, 8}
        self.applied.append(action)


class GinRummy:
    """Stands for RLCard's environment: four steps each match."""

    def __init__(self) -> None:
        self.steps = 0

    def reset(self) -> tuple[dict[str, Any], int]:
        """Begin a match."""
        self.steps = 0
        return self._state(), 0

    def step(self, action: int) -> tuple[dict[str, Any], int]:
        """Take one of two."""
        assert action in {3, 4}
        self.steps += 1
        return self._state(), 1

    def is_over(self) -> bool:
        """Tell whether the match has ended."""
        return self.steps == 4

    def _state(self) -> dict[str, Any]:
        return {"legal_actions": {3: None, 4: None}}


@pytest.fixture
def peers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Put stand-ins in the place of the peers, which the tests do without."""
    game = SimpleNamespace(new_initial_state=Hearts)
    monkeypatch.setitem(sys.modules, "pyspiel", SimpleNamespace(load_game=lambda _: game))
    rlcard = SimpleNamespace(make=lambda _, **__: GinRummy())
    monkeypatch.setitem(sys.modules, "rlcard", rlcard)


@pytest.fixture(scope="module")
def bench() -> Iterator[Bench]:
    """Return surroundings of the smallest size, whose servers start when they are needed."""
    with Bench(Size.TINY) as surroundings:
        yield surroundings


@pytest.mark.usefixtures("peers")
def test_players_moves_count_and_chance_does_not() -> None:
    """Of the stand-in for hearts three of five; of gin rummy every step."""
    assert open_spiel_hearts(2, random.Random(0)) == 6
    assert RlCardGinRummy(seed=1).play(3, random.Random(0)) == 12


def test_a_missing_peer_is_named_with_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rather than an error of Python's import."""
    monkeypatch.setitem(sys.modules, "pyspiel", None)
    with pytest.raises(PeerMissingError, match=r"not installed: `make bench` installs them"):
        open_spiel_hearts(1, random.Random(0))


def test_a_match_is_played_out_to_its_end() -> None:
    """A deal of forty cards for two, four of them turned: 36 cards are played, and each counts.

    The rule set has no announcements that could be answered beside.
    """
    assert play_out(rules_of("single-deal"), 2, random.Random(3)) == 36


def test_an_engine_in_a_process_of_its_own_is_asked_for_its_speed() -> None:
    """As often as wanted; it ends with whoever asks."""
    with EngineProcess(PURE, "single-deal", 2) as process:
        assert process.moves_per_second(0.01) > 0
        assert process.moves_per_second(0.01) > 0


def test_a_build_is_told_in_names_and_run_by_what_is_compiled_alone(
    bench: Bench, tmp_path: Path
) -> None:
    """Sources in the build's folder are no figure for a compiled build; small sizes have none."""
    copy_sources(tmp_path)
    build = Build(tmp_path)
    assert (PURE.named("calls"), build.named("calls")) == ("calls", "calls compiled")
    assert list(bench.builds) == [PURE]
    wrong = "runs by the sources"
    with pytest.raises(RuntimeError, match=wrong), EngineProcess(build, "single-deal", 2):
        pass
    with Bench(Size.TINY) as other, pytest.raises(RuntimeError, match=wrong):
        other.referee_of(build)


def test_where_nothing_can_be_compiled_there_is_no_build(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """It is said, with what the compiler says, and the sources alone are measured."""

    def lacking(_: Path) -> list[Path]:
        raise CompilationError("a C compiler is needed")

    monkeypatch.setattr(builds, "compile_modules", lacking)
    assert compiled(tmp_path) is None
    assert capsys.readouterr().err == (
        "benchmarks: without the compiled rows: a C compiler is needed\n"
    )
    with Bench(Size.FULL) as whole:
        assert list(whole.builds) == [PURE]


@pytest.mark.usefixtures("peers")
def test_the_engine_is_measured(bench: Bench) -> None:
    """Each of ours against each peer."""
    assert [row.name for row in engine.measure(bench)] == [
        "engine maghribi 2 / OpenSpiel hearts",
        "engine maghribi 2 / RLCard gin-rummy",
        "engine classic 4 / OpenSpiel hearts",
        "engine classic 4 / RLCard gin-rummy",
    ]


def test_bare_reading_and_the_audit_read_the_same(bench: Bench) -> None:
    """Every record's bytes, and 36 moves."""
    assert list(audit.records(LOG)) == [one.data for one in read_records(io.BytesIO(LOG))]
    assert audit.read_barely([LOG]) == audit.audited([LOG]) == 36
    (row,) = audit.measure(bench)
    # Whoever checks everything reads it too.
    assert row.ratio < 1


def test_an_audit_that_ends_early_is_no_figure() -> None:
    """A log with a wrong byte is not audited to its end."""
    wrong = bytearray(LOG)
    wrong[len(wrong) // 2] ^= 1
    with pytest.raises(ValueError, match="a log that is right is found wrong"):
        audit.audited([bytes(wrong)])


def test_the_referee_is_measured_against_the_echo(bench: Bench) -> None:
    """Real moves at a real referee, by simple calls, by streams and one at a time."""
    rows = [*calls.measure(bench), *play.measure(bench), *latency.measure(bench)]
    assert [row.name for row in rows] == [
        *("calls", "calls processor", "play", "play processor", "play divided"),
        *("latency p50", "latency p99"),
    ]
    assert all(len(row.pairs) == 2 for row in rows)


def test_memory_goes_by_the_slope_beyond_what_was_measured() -> None:
    """60 MiB at 10 and 100 at 50: 1 for each, and 150 at 100. What was measured is as measured."""
    assert memory.at(100, (10, 50), (60.0, 100.0)) == 150.0
    assert memory.at(50, (10, 50), (60.0, 100.0)) == 100.0


def test_a_process_holds_what_linux_says() -> None:
    """A Python that has loaded all this, and no more than a few times that; no library of tests."""
    assert 20_000_000 < resident(os.getpid()) < 1_000_000_000
    assert has_mapped(os.getpid(), Path(sys.modules["grpc._cython.cygrpc"].__file__ or "").parent)
    assert not has_mapped(os.getpid(), ROOT / "tests")
    before, also = processor_seconds(os.getpid()), time.process_time()
    assert 0 <= also - before < 0.5
