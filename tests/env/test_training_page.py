"""The page on training shows nothing that does not run, and its tables are the environment's."""

import re
from pathlib import Path

from ronda_env import FIELDS, LENGTH

PAGE = Path(__file__).resolve().parents[2] / "docs" / "training.md"
TEXT = PAGE.read_text(encoding="utf-8")


def test_the_pages_programs_run_one_after_the_other() -> None:
    """All of its Python in order, as one program: a random match, a vector, three episodes."""
    blocks = re.findall(r"^```python\n(.*?)^```", TEXT, re.DOTALL | re.MULTILINE)
    assert len(blocks) == 3
    names: dict[str, object] = {}
    for block in blocks:
        exec(compile(block, str(PAGE), "exec"), names)  # noqa: S102 - what it is about
    total, gained, hand = names["total"], names["gained"], names["hand"]
    assert isinstance(total, dict)
    assert total["seat_0"] == -total["seat_1"] != 0
    assert isinstance(gained, dict)
    assert gained.keys() == {"seat_0", "seat_1"}
    assert getattr(hand, "shape", None) == (40,)
    assert names["weights"].any()  # type: ignore[attr-defined]  # an array


def test_the_table_of_fields_is_the_layout() -> None:
    """Where each field stands, its shape, and what it says."""
    table = TEXT.partition("<!-- fields: begin -->\n")[2].partition("<!-- fields: end -->")[0]
    rows = [tuple(line.strip("| ").split(" | ")) for line in table.splitlines()[2:]]
    assert rows == [
        (
            str(one.start) if one.length == 1 else f"{one.start} to {one.part.stop - 1}",
            f"`{one.name}`",
            " by ".join(map(str, one.shape)),
            one.meaning,
        )
        for one in FIELDS
    ]
    assert rows[-1][0] == "842 to 881"
    assert f"a vector of {LENGTH} numbers" in TEXT
