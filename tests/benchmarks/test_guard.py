"""The guard complains of what has become slower beyond the noise, and of nothing else."""

from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from benchmarks import __main__ as command
from benchmarks import guard, report
from benchmarks.bench import Bench
from benchmarks.measure import Aim, Pair, Row
from benchmarks.rows import MEASURES, measure_of

AIMS = {"play": Aim.AT_LEAST, "latency p50": Aim.AT_MOST, "latency p99": Aim.AT_MOST}


def row(name: str, *ratios: float) -> Row:
    """Return a row with rounds of these ratios."""
    pairs = tuple(Pair(ratio, 1.0) for ratio in ratios)
    return Row(name, "moves", "echo", "per second", AIMS[name], None, pairs)


def change(name: str, kept: Sequence[float], now: Sequence[float]) -> guard.Change:
    """Return how a row has moved."""
    return guard.change(row(name, *kept), row(name, *now))


def test_a_planted_slowdown_is_named_with_how_far() -> None:
    """Half as fast is 100 % worse, and twice the time as well."""
    slow = change("play", (9.5, 10, 10.5), (4.9, 5, 5.1))
    assert (slow.worse, slow.better) == (True, False)
    assert slow.slower == 1.0
    # Half of 9.5 to 10.5 is 5 % of 10, half of 4.9 to 5.1 is 2 % of 5: no more than a tenth.
    assert slow.noise == guard.LEAST_NOISE == 0.1
    assert " ".join(slow.text().split()) == ("play 10.0 is now 5.00: 100% worse; the noise is 10%")
    longer = change("latency p50", (1.0, 1.0, 1.0), (2.0, 2.0, 2.0))
    assert (longer.worse, longer.slower) == (True, 1.0)


def test_what_is_faster_is_no_complaint() -> None:
    """Whichever side of the ratio is the better."""
    fast = change("play", (1, 1, 1), (2, 2, 2))
    assert (fast.worse, fast.better, fast.faster) == (False, True, 1.0)
    assert "100% better" in fast.text()
    assert change("latency p50", (2, 2, 2), (1, 1, 1)).better


def test_noise_that_was_measured_explains_as_much() -> None:
    """Kept: 2 around 10, so 20 %; now: 2.4 around 8, so 30 %. A quarter worse is within 50 %."""
    noisy = change("play", (8, 10, 12), (5.6, 8, 10.4))
    assert noisy.noise == pytest.approx(0.5)
    assert noisy.slower == pytest.approx(0.25)
    assert not noisy.worse
    assert "as it was; the noise is 50%" in noisy.text()
    quiet = change("play", (9.9, 10, 10.1), (7.9, 8, 8.1))
    assert quiet.worse


def test_rows_on_one_side_alone_are_named() -> None:
    """They cannot be compared, and nobody is to overlook that."""
    kept, now = [row("play", 1)], [row("latency p50", 1)]
    assert guard.compare(kept, now) == []
    assert guard.unmatched(kept, now) == ["latency p50", "play"]
    assert guard.unmatched(kept, kept) == []


def test_runs_are_joined_round_by_round() -> None:
    """What is kept is of several hours."""
    (joined,) = guard.joined([[row("play", 1, 2)], [row("play", 5)]])
    assert joined.ratios == (1, 2, 5)


@pytest.fixture
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a file that keeps play at 10, which the guard reads."""
    path = tmp_path / "ratios.json"
    path.write_text(report.as_json([row("play", 9.9, 10, 10.1)], {}), encoding="utf-8")
    monkeypatch.setattr(guard, "KEPT", path)
    return path


def measuring(monkeypatch: pytest.MonkeyPatch, *runs: Sequence[float]) -> None:
    """Have play measured as these ratios, run by run."""
    left = list(runs)

    def measure(_: Bench) -> Iterator[Row]:
        yield row("play", *left.pop(0))

    monkeypatch.setitem(MEASURES, "play", measure)


def test_the_command_complains_of_what_is_worse_twice(
    kept: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """It says which row moved how far, and ends with code 1."""
    assert kept.exists()
    measuring(monkeypatch, (5, 5, 5), (6, 6.25, 6.5))
    assert command.main(["--quick", "--only", "play"]) == 1
    said = capsys.readouterr().out
    assert "worse, and measured once more: play" in said
    assert "10.0 is now 6.25: 60% worse" in said


def test_one_bad_minute_is_no_complaint(
    kept: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """What is as it was the second time is as it was."""
    assert kept.exists()
    measuring(monkeypatch, (5, 5, 5), (10, 10, 10))
    assert command.main(["--quick", "--only", "play"]) == 0
    assert "as it was" in capsys.readouterr().out


def test_a_row_is_worse_where_it_is_so_both_times(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of one measure a row was worse the first time and another the second: neither is."""
    path = tmp_path / "ratios.json"
    path.write_text(
        report.as_json([row("latency p50", 1), row("latency p99", 1)], {}), encoding="utf-8"
    )
    monkeypatch.setattr(guard, "KEPT", path)
    runs = [(2, 1), (1, 2)]

    def measure(_: Bench) -> Iterator[Row]:
        p50, p99 = runs.pop(0)
        yield row("latency p50", p50)
        yield row("latency p99", p99)

    monkeypatch.setitem(MEASURES, "latency", measure)
    assert command.main(["--quick", "--only", "latency"]) == 0
    assert runs == []


def test_keeping_writes_what_the_guard_then_compares_with(
    kept: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Three runs of it."""
    measuring(monkeypatch, (5,), (6,), (7,), (6, 6, 6))
    assert command.main(["--keep", "--only", "play"]) == 0
    assert report.read_rows(kept)[0].ratios == (5, 6, 7)
    assert command.main(["--quick", "--only", "play"]) == 0


def test_the_kept_ratios_are_those_of_every_measure() -> None:
    """None was forgotten when they were kept."""
    names = {measure_of(one.name) for one in report.read_rows(guard.KEPT)}
    assert names == set(MEASURES)
