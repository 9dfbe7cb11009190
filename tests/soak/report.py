"""What a soak has found, as a table for people and as JSON."""

from collections.abc import Iterator, Mapping
from typing import Any

from tests.soak.soak import Figures

# More than these are one fault that shows in many places; the JSON has all.
_FAULTS_SHOWN = 20


def as_json(figures: Figures, settings: Mapping[str, object]) -> dict[str, Any]:
    """Give everything that was measured, with the settings that it was measured under."""
    ledger, stops = figures.ledger, figures.stops
    starting = sorted(stops.starting_seconds)
    return {
        "settings": dict(settings),
        "matches": figures.matches,
        "open_at_most": figures.open_at_most,
        "seconds": round(figures.seconds, 1),
        "outcomes": dict(sorted(figures.outcomes.items())),
        "lost_creations": figures.lost_creations,
        "kills": stops.killed,
        "kills_while_starting": stops.killed_while_starting,
        "terminations": stops.told,
        "starting_seconds": {
            "median": round(starting[len(starting) // 2], 2) if starting else None,
            "longest": round(starting[-1], 2) if starting else None,
        },
        "moves": figures.moves,
        "automatic_moves": figures.automatic,
        "acknowledgements": ledger.acknowledgements,
        "moves_per_second": round(figures.moves / figures.seconds) if figures.seconds else None,
        "refusals": dict(sorted(ledger.reasons.items())),
        "counts": dict(sorted(ledger.counts.items())),
        "logs_audited": figures.audited,
        "store_sound": figures.store_sound,
        "referee_log_lines": dict(sorted(figures.log_levels.items())),
        "memory_kib": dict(figures.memory),
        "faults": list(ledger.faults),
    }


def as_text(said: Mapping[str, Any]) -> str:
    """Give the same as a table."""
    return "\n".join(_lines(said))


def _lines(said: Mapping[str, Any]) -> Iterator[str]:
    yield f"{said['matches']:>9,}  matches, {said['open_at_most']:,} open at once"
    for outcome, count in said["outcomes"].items():
        yield f"{count:>9,}    {outcome}"
    yield f"{said['lost_creations']:>9,}  creations whose answer was lost, cancelled"
    starting = said["starting_seconds"]
    yield f"{said['kills']:>9,}  kills (SIGKILL), {said['kills_while_starting']} while starting"
    yield f"{said['terminations']:>9,}  terminations (SIGTERM)"
    yield f"{starting['median'] or 0:>9}  seconds to start again, the longest {starting['longest']}"
    yield f"{said['moves']:>9,}  moves in the logs, {said['moves_per_second'] or 0} a second"
    yield f"{said['automatic_moves']:>9,}  moves by the referee"
    yield f"{said['acknowledgements']:>9,}  acknowledgements"
    for reason, count in said["refusals"].items():
        yield f"{count:>9,}    refused as {reason}"
    for what, count in said["counts"].items():
        yield f"{count:>9,}  {what}"
    yield f"{said['logs_audited']:>9,}  logs audited"
    yield f"{'sound' if said['store_sound'] else 'DAMAGED':>9}  store"
    for when, kib in said["memory_kib"].items():
        yield f"{kib / 1024:>9.1f}  MiB resident, {when}"
    yield f"{said['seconds']:>9,}  seconds of play"
    faults = said["faults"]
    yield f"{len(faults):>9,}  faults"
    for fault in faults[:_FAULTS_SHOWN]:
        yield f"FAULT: {fault}"
    if len(faults) > _FAULTS_SHOWN:
        yield f"… and {len(faults) - _FAULTS_SHOWN} more; --json has all"
