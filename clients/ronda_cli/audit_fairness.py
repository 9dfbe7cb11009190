"""`ronda audit --fairness`: whether the cards of an archive look drawn by lot."""

import argparse
import importlib
import json
from pathlib import Path
from typing import TYPE_CHECKING

from ronda_cli.extras import require
from ronda_cli.failures import CommandError
from ronda_cli.options import output_file
from ronda_referee.audit import Draws
from ronda_referee.audit_many import Audited

if TYPE_CHECKING:
    # They need the extra `fairness`, which an audit without it does without.
    from ronda_referee.fairness import Fairness, Measure

_FORMATS = (".svg", ".png")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options."""
    parser.add_argument(
        "--fairness",
        action="store_true",
        help="instead of a line for each log say how likely the cards of all together are; logs "
        "with a finding, draws that an organiser fixed, and all but the first log of a shared "
        "shuffle are left out",
    )
    parser.add_argument(
        "--plot",
        type=_picture,
        metavar="OUT",
        help="with --fairness: draw it, as .svg or .png",
    )


def check_arguments(args: argparse.Namespace) -> None:
    """Refuse what cannot be done.

    Raises:
        CommandError: There is something to draw and nothing to be drawn.
        MissingExtraError: The extra `fairness` is not installed.
    """
    if args.plot is not None and not args.fairness:
        raise CommandError("--plot goes with --fairness", code=2)
    if args.fairness:
        require("audit --fairness", ("fairness",))


def begin(args: argparse.Namespace) -> "Collected | None":
    """Return what collects deals, where that is asked for."""
    return Collected() if args.fairness else None


class Collected:
    """The deals of an archive."""

    def __init__(self) -> None:
        """Begin without any."""
        self._module = importlib.import_module("ronda_referee.fairness")
        self._fairness: Fairness = self._module.Fairness()
        self._logs = 0
        self._left_out = 0
        self._shuffles: set[tuple[str, bytes]] = set()

    def add(self, audited: Audited) -> None:
        """Take the deals of a log in, if it is all right and its cards were drawn by lot.

        Of those that share a shuffle the first alone counts: the others are no further draws.
        """
        report = audited.report
        if report is None or not report.ok or report.draws is Draws.FIXED:
            self._left_out += 1
            return
        shared = report.shared_shuffle
        if shared is not None:
            shuffle = shared.shuffle_id, shared.seed_commitment
            if shuffle in self._shuffles:
                self._left_out += 1
                return
            self._shuffles.add(shuffle)
        self._logs += 1
        self._fairness.add(audited.deals)

    def report(self, args: argparse.Namespace) -> bool:
        """Print what was found, and draw it; tell whether the cards do not look drawn by lot.

        Raises:
            CommandError: The picture cannot be written.
        """
        measures: list[Measure] = self._fairness.measures()
        unlikely: Measure | None = self._module.unlikely(measures)
        if args.json:
            print(json.dumps({"fairness": self._as_json(measures, unlikely)}))
        else:
            print(self._as_text(measures, unlikely))
        if args.plot is not None:
            plotting = importlib.import_module("ronda_referee.fairness_plot")
            try:
                plotting.plot(self._fairness, args.plot)
            except OSError as error:
                raise CommandError(f"--plot {args.plot}: {error.strerror}", code=2) from error
        return unlikely is not None

    def _as_json(self, measures: "list[Measure]", unlikely: "Measure | None") -> dict[str, object]:
        return {
            "logs": self._logs,
            "left_out": self._left_out,
            "deals": self._fairness.deals,
            "draws": self._fairness.draws,
            "unlikely": None if unlikely is None else unlikely.name,
            "level": self._module.LEVEL,
            "measures": [
                {
                    "name": measure.name,
                    "p": measure.p,
                    "statistic": measure.statistic,
                    "degrees": measure.degrees,
                    "means": list(measure.means),
                }
                for measure in measures
            ],
        }

    def _as_text(self, measures: "list[Measure]", unlikely: "Measure | None") -> str:
        left_out = f" ({self._left_out} left out)" if self._left_out else ""
        of = f"{self._fairness.deals:,} deals, {self._fairness.draws:,} draws"
        lines = [f"fairness of {of}, in {self._logs:,} logs{left_out}:"]
        lines += map(_line, measures)
        known = sum(measure.p is not None for measure in measures)
        if not known:
            lines.append("there are too few deals to say anything")
        elif unlikely is None:
            lines.append(f"nothing that chance does not do: no p-value of {known} is too small")
        else:
            lines.append(
                f"cards drawn by lot hardly ever come like this: {unlikely.name}, p = "
                f"{unlikely.p:.2g}, the least of {known}"
            )
        return "\n".join(lines)


def _line(measure: "Measure") -> str:
    if measure.p is None:
        return f"  {measure.name:<26} too few deals"
    what = (
        f"z {measure.statistic:.2f}"
        if measure.degrees is None
        else f"chi-square {measure.statistic:.1f} with {measure.degrees:.0f} degrees of freedom"
    )
    means = f"; a deal {' / '.join(f'{mean:.4f}' for mean in measure.means)}"
    return f"  {measure.name:<26} p = {measure.p:<8.3g} {what}{means if measure.means else ''}"


def _picture(text: str) -> Path:
    path = output_file(text)
    if path.suffix not in _FORMATS:
        raise argparse.ArgumentTypeError(f"{text!r} ends in neither {' nor '.join(_FORMATS)}")
    return path
