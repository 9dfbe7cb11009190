"""Every value of a rule set says where it comes from, and rulings say what else could be right."""

import tomllib
from pathlib import Path

import pytest

from ronda.v1.listed_rule_set_pb2 import ParameterSource, Ruling
from ronda_conformance import data_folders
from ronda_conformance.rule_set_files import (
    RuleSetSourceError,
    load_listed_rule_sets,
)
from tests.conformance.test_rule_set_files import VARIANT, folder_with
from tools import generate_rulings

STATED = Ruling.RULING_STATED
PRESETS = sorted(path.stem for path in data_folders.rule_sets().glob("*.toml"))
OWN = {"id", "title", "summary", "source", "base", "unset", "sources"}
# The values that the table of presets marks, with their letters.
MARKED = {
    ("khlaso", "chain_across_batches", "L"),
    ("khlaso", "mesa_excluded", "S"),
    ("khlaso", "kinds.tringa", "S"),
    ("khlaso", "bluff", "S"),
    ("khlaso", "count", "S"),
    ("khlaso", "target_tie", "S"),
    ("qahwa", "table_remedy", "L"),
    ("qahwa", "chain_across_batches", "S"),
    ("qahwa", "bluff", "S"),
    ("qahwa", "payout", "L"),
    ("qahwa", "settle", "S"),
    ("qahwa", "target_tie", "L"),
    ("classic", "penalty_to", "L"),
    ("classic", "target_tie", "L"),
}
# What else is one: the rest of those cells, and what the texts leave open and the table does not
# mark.
RULED_TOO = {
    ("khlaso", "mesa", "S"),
    ("khlaso", "target", "S"),
    ("khlaso", "win_check", "S"),
    ("qahwa", "announcement_tie", "S"),
    ("qahwa-penalty", "undeclared_detection", "S"),
    ("qahwa-penalty", "penalty_to", "S"),
    ("classic-four-cards", "false_penalty.double_ronda", "S"),
    ("classic-four-cards", "undeclared_penalty.double_ronda", "S"),
    ("classic-transfer", "target_tie", "S"),
}


def sources_of(folder: Path, name: str) -> dict[str, ParameterSource]:
    """Give the sources of a rule set by parameter."""
    return {one.parameter: one for one in load_listed_rule_sets(folder)[name].sources}


def written(name: str) -> dict[str, dict[str, object]]:
    """Read a preset's file as plain TOML."""
    text = (data_folders.rule_sets() / f"{name}.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)


@pytest.mark.parametrize("name", PRESETS)
def test_a_preset_names_the_source_of_every_value_it_sets(name: str) -> None:
    """By an entry of its own for the whole parameter; a variant inherits the others."""
    file = written(name)
    wanted = {field for field in file if field not in OWN}
    assert wanted <= set(file["sources"])
    base: object = file.get("base")
    while base is not None:
        file = written(str(base))
        wanted |= {field for field in file if field not in OWN}
        base = file.get("base")
    listed = load_listed_rule_sets()[name]
    sources = {source.parameter for source in listed.sources}
    set_now = {field.name for field, _ in listed.rule_set.ListFields()} - OWN
    assert set_now <= sources
    assert wanted - set(written(name).get("unset", [])) <= sources
    assert all(source.place for source in listed.sources)


def test_the_places_are_in_the_text_of_the_rule_set() -> None:
    """A preset's values come from its own text, and from no other."""
    texts = {"maghribi": "000", "khlaso": "001", "qahwa": "003", "classic": "004"}
    for name, number in texts.items():
        sources = sources_of(data_folders.rule_sets(), name).values()
        assert {source.place[:3] for source in sources} == {number}


def test_the_rulings_are_those_of_the_table_of_presets() -> None:
    """Every value that the rules mark, and those that they leave unmarked, by hand."""
    letters = {Ruling.RULING_SILENT: "S", Ruling.RULING_LESS_CERTAIN: "L"}
    found = {
        (name, parameter, letters[entry.ruling])
        for name in PRESETS
        for parameter, entry in sources_of(data_folders.rule_sets(), name).items()
        if entry.ruling != STATED and parameter in flat(written(name)["sources"])
    }
    assert found == MARKED | RULED_TOO


def flat(sources: dict[str, object]) -> set[str]:
    """Give the parameters that a file's own table names, quoted or not."""
    names = set(sources)
    for name, entry in sources.items():
        if isinstance(entry, dict) and not {"place", "ruling", "other"} & set(entry):
            names |= {f"{name}.{part}" for part in entry}
    return names


def test_a_source_is_a_place_or_a_ruling(tmp_path: Path) -> None:
    """Both forms, and parts of a parameter with quotes or without."""
    text = VARIANT + (
        "mesa = 2\nkinds = { ronda = 2, tringa = 6 }\n"
        "count = { two_sides = 21, three_sides = 14 }\n"
        '[sources]\nmesa = "000, caida and mesa"\nkinds = "a house"\n'
        '"kinds.tringa" = { place = "000", ruling = "S", other = "5" }\n'
        'count.two_sides = { place = "000, end", ruling = "L", other = "20" }\n'
        'count.three_sides = "000, end"\n'
    )
    sources = sources_of(folder_with(tmp_path, variant=text), "variant")
    assert sources["mesa"] == ParameterSource(
        parameter="mesa", place="000, caida and mesa", ruling=STATED
    )
    assert sources["kinds.tringa"] == ParameterSource(
        parameter="kinds.tringa", place="000", ruling=Ruling.RULING_SILENT, other_reading="5"
    )
    assert sources["count.two_sides"].ruling == Ruling.RULING_LESS_CERTAIN
    assert sources["count.three_sides"].place == "000, end"
    assert "count" not in sources
    names = list(sources)
    assert names.index("mesa") < names.index("kinds") < names.index("kinds.tringa")
    assert names.index("kinds.tringa") < names.index("count.two_sides")


def test_a_variant_inherits_the_sources_of_what_it_does_not_change(tmp_path: Path) -> None:
    """What it changes comes from itself, by an entry or by what the file says of itself."""
    first = VARIANT + (
        'mesa = 2\nkinds = { ronda = 2 }\nunset = ["count"]\n'
        '[sources]\nmesa = { place = "a house", ruling = "L", other = "1" }\n'
    )
    second = VARIANT.replace('"maghribi"', '"variant"').replace('id = "variant"', 'id = "second"')
    second += 'target = 11\n[sources]\ntarget = "another house"\n'
    folder = folder_with(tmp_path, variant=first, second=second)
    sources = sources_of(folder, "second")
    assert sources["target"].place == "another house"
    assert (sources["mesa"].place, sources["mesa"].other_reading) == ("a house", "1")
    assert sources["kinds"].place == "a test"
    assert sources["bluff"].place == "000, announcements"
    assert "count" not in sources
    base = sources_of(folder, "maghribi")
    assert base["mesa"].place == "000, caida and mesa"
    assert base["count"].place == "000, end of the deal"


FAULTS: dict[str, tuple[str, str, str]] = {
    "an unknown parameter": (
        'mesas = "000"',
        "sources.mesas",
        "no such parameter; did you mean 'mesa'?",
    ),
    "an unknown part": (
        '"kinds.trinca" = "000"',
        "sources.kinds.trinca",
        "no such parameter; did you mean 'kinds.tringa'?",
    ),
    "what a file says of itself": ('title = "000"', "sources.title", "no such parameter"),
    "a number": ("mesa = 1", "sources.mesa", "1 is no source; a place as a text, or a table"),
    "an empty place": ('mesa = " "', "sources.mesa", "' ' is no text"),
    "no place": (
        'mesa = { ruling = "S", other = "0" }',
        "sources.mesa.place",
        "it is missing; a source names its place",
    ),
    "a wrong letter": (
        'mesa = { place = "000", ruling = "M", other = "0" }',
        "sources.mesa.ruling",
        "'M' is no ruling; S: the text is silent, L: the less certain of two readings",
    ),
    "a ruling without the other reading": (
        'mesa = { place = "000", ruling = "L" }',
        "sources.mesa.other",
        "it is missing; a ruling names the other reading",
    ),
    "an empty other reading": (
        'mesa = { place = "000", ruling = "L", other = "" }',
        "sources.mesa.other",
        "'' is no text",
    ),
    "another reading without a ruling": (
        'mesa = { place = "000", other = "0" }',
        "sources.mesa.ruling",
        "it is missing; another reading stands beside a ruling, S or L",
    ),
    "an unknown key": (
        'mesa = { place = "000", rulings = "S" }',
        "sources.mesa.rulings",
        "no such key; did you mean 'ruling'?",
    ),
    "a part twice": (
        '"kinds.ronda" = "000"\nkinds.ronda = "000"',
        "sources.kinds.ronda",
        "it stands twice; keep one",
    ),
}


@pytest.mark.parametrize("name", FAULTS)
def test_a_faulty_source_is_refused_with_file_and_field(tmp_path: Path, name: str) -> None:
    """The error is of its own type and says what would be right."""
    text, field, problem = FAULTS[name]
    folder = folder_with(tmp_path, variant=f"{VARIANT}[sources]\n{text}\n")
    with pytest.raises(RuleSetSourceError) as caught:
        load_listed_rule_sets(folder)
    assert (caught.value.file, caught.value.field) == (folder / "variant.toml", field)
    assert caught.value.problem.startswith(problem)


def test_sources_that_are_no_table_are_refused(tmp_path: Path) -> None:
    """A text for all of them is none."""
    folder = folder_with(tmp_path, variant=VARIANT + 'sources = "000"\n')
    with pytest.raises(RuleSetSourceError, match="'000' is no table of parameters"):
        load_listed_rule_sets(folder)


def test_the_page_has_the_rulings_of_the_files() -> None:
    """`python tools/generate_rulings.py` writes them anew; a ruling that changes shows."""
    assert generate_rulings.main(["--check"]) == 0
    page = generate_rulings.PAGE.read_text(encoding="utf-8")
    assert (
        "| `qahwa` | `table_remedy` | `RETURN_ALL` | L | `RETURN_LAST`, or dealing all anew |\n"
        in page
    )
    assert generate_rulings.page_with(page, "| other |\n") != page


def test_a_page_without_its_markers_is_not_written() -> None:
    """The message says what they are."""
    with pytest.raises(generate_rulings.GenerationError, match="the markers are missing"):
        generate_rulings.page_with("# A page\n", "| row |\n")
