"""The picture of an archive's fairness."""

from pathlib import Path

from matplotlib.figure import Figure

from ronda_referee.fairness import LEVEL, Fairness
from ronda_rules.cards import PACK_SIZE, card_text

FORMATS = (".svg", ".png")


def plot(fairness: Fairness, path: Path) -> None:
    """Draw how often each card came at each position, and every measure's p-value.

    Raises:
        OSError: the file cannot be written.
        ValueError: its name ends in nothing that can be drawn.
    """
    if path.suffix not in FORMATS:
        raise ValueError(f"a picture's name ends in {' or '.join(FORMATS)}")
    figure = Figure(figsize=(12, 6), layout="constrained")
    cards, likely = figure.subplots(1, 2, width_ratios=(3, 2))
    image = cards.imshow(fairness.surplus(), cmap="coolwarm", vmin=-4, vmax=4)
    cards.set_title("How often each card came at each position")
    cards.set_xlabel("card")
    cards.set_ylabel("position")
    cards.set_xticks(range(PACK_SIZE), map(card_text, range(PACK_SIZE)), rotation=90, fontsize=6)
    figure.colorbar(image, ax=cards, label="standard deviations from the mean")
    known = [measure for measure in fairness.measures() if measure.p is not None]
    values = [max(measure.p or 0.0, 1e-6) for measure in known]
    likely.barh([measure.name for measure in known], values)
    likely.invert_yaxis()
    likely.set_xscale("log")
    likely.set_xlim(1e-6, 1)
    if known:
        likely.axvline(LEVEL / len(known), color="black", linestyle=":")
    likely.set_title(f"p-values; left of the line: unlikely ({fairness.deals:,} deals)")
    # Without the time of drawing the same archive gives the same picture.
    figure.savefig(path, metadata={"Date": None} if path.suffix == ".svg" else None)
