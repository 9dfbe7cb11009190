"""The glossary has the same words in six languages, and its files are read strictly."""

import re
import unicodedata
from pathlib import Path

import pytest

from ronda.v1.event_pb2 import Event
from ronda.v1.move_pb2 import Move
from ronda_conformance import data_folders
from ronda_conformance.glossary import (
    SENTENCES,
    TERMS,
    Glossary,
    GlossaryError,
    GlossaryUnknownError,
    load_glossaries,
    load_glossary,
    placeholders,
    read_glossary,
)

LANGUAGES = ("ar", "ary", "en", "es", "fa", "fr")
GLOSSARIES = load_glossaries()
ENGLISH = (data_folders.glossary() / "en.toml").read_text(encoding="utf-8")
ARABIC = (data_folders.glossary() / "ar.toml").read_text(encoding="utf-8")


def keys(glossary: Glossary) -> dict[str, set[str]]:
    """Return every key with the placeholders of its text."""
    return {
        f"{section}.{key}": placeholders(entry.text)
        for section, entries in glossary.sections.items()
        for key, entry in entries.items()
    }


def test_there_are_six_languages() -> None:
    """With their own names and directions."""
    assert tuple(GLOSSARIES) == LANGUAGES
    assert {one.language: (one.name, one.direction) for one in GLOSSARIES.values()} == {
        "ar": ("العربية", "rtl"),
        "ary": ("الدارجة", "rtl"),
        "en": ("English", "ltr"),
        "es": ("Español", "ltr"),
        "fa": ("فارسی", "rtl"),
        "fr": ("Français", "ltr"),
    }


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_has_the_same_keys_and_placeholders(language: str) -> None:
    """None lacks what another has, none has more, and each sentence tells the same."""
    expected, found = keys(GLOSSARIES["en"]), keys(GLOSSARIES[language])
    assert sorted(expected.keys() - found.keys()) == []
    assert sorted(found.keys() - expected.keys()) == []
    assert {key for key in expected if expected[key] != found[key]} == set()


# Language, section and key, then the word, its transliteration and the text that has it.
WORDS = [
    ("ar", "suits", "oros", "الذهب", "al-dhahab", "000"),
    ("ar", "suits", "bastos", "العصي", "al-'isi", "000"),
    ("ar", "ranks", "10", "سوتا", "suta", "000"),
    ("ar", "words", "mesa", "ميسا", "misa", "000"),
    ("ar", "words", "batch", "دفعة", "duf'a", "000"),
    ("ar", "words", "deal", "توزيعة", "tawzi'a", "000"),
    ("ar", "kinds", "double_ronda", "دوبل روندا", "dubl ronda", "001"),
    ("ar", "calls", "step_2", "بخمسة", "bkhamsa", "001"),
    ("ar", "calls", "last_batch", "خلاصو", "khlaso", "001"),
    ("ary", "suits", "oros", "الدهب", "d-dhab", "003"),
    ("ary", "suits", "copas", "الكوبس", "l-kubs", "003"),
    ("ary", "suits", "espadas", "الشبضة", "sh-shebda", "003"),
    ("ary", "suits", "bastos", "الخل", "l-khal", "003"),
    ("ary", "ranks", "12", "الري", "r-ri", "001"),
    ("ary", "kinds", "tringa", "ترينكة", "tringa", "003"),
    ("ary", "words", "run", "سيرية", "siriya", "003"),
    ("ary", "words", "table", "الطبلة", "t-tebla", "003"),
    ("fa", "ranks", "12", "کینگ", "king", "004"),
    ("fa", "ranks", "11", "اسب", "asb", "004"),
    ("fa", "suits", "espadas", "چبادا", "chbada", "004"),
    ("fa", "words", "penalty", "جریمه", "jarime", "004"),
    ("fa", "calls", "step_3_mesa", "یازده", "yazdah", "004"),
    ("es", "suits", "espadas", "espadas", None, "003"),
    ("es", "ranks", "11", "caballo", None, "usual"),
    ("es", "words", "caida", "caída", None, "004"),
    ("fr", "suits", "bastos", "bâtons", None, "003"),
    ("fr", "words", "mesa", "missa", None, "004"),
    ("en", "suits", "oros", "coins", None, "usual"),
]


@pytest.mark.parametrize(("language", "section", "key", "text", "latin", "source"), WORDS)
def test_words_of_the_rule_texts(
    language: str, section: str, key: str, text: str, latin: str | None, source: str
) -> None:
    """Read off the rule texts by eye."""
    entry = GLOSSARIES[language].entry(section, key)
    assert (entry.text, entry.latin, entry.source) == (text, latin, source)


def test_there_is_a_word_for_everything_in_the_schema() -> None:
    """Cards, kinds, moves and what a seat is asked for."""
    sections = GLOSSARIES["en"].sections
    assert list(sections["ranks"]) == ["1", "2", "3", "4", "5", "6", "7", "10", "11", "12"]
    assert list(sections["suits"]) == list(sections["of_suits"])
    assert list(sections["suits"]) == ["oros", "copas", "espadas", "bastos"]
    assert set(sections["kinds"]) == {"ronda", "tringa", "double_ronda"}
    assert set(sections["asked"]) == {"announcement", "challenge", "claim", "card"}
    assert set(sections["moves"]) == {field.name for field in Move.DESCRIPTOR.fields}


def test_there_is_a_sentence_for_every_event_and_none_for_another() -> None:
    """A sentence is named after its event, or begins with its name."""
    kinds = {field.name for field in Event.DESCRIPTOR.fields}
    sentences = set(GLOSSARIES["en"].sections["events"])
    assert len(kinds) == 30

    def of(kind: str) -> set[str]:
        return {key for key in sentences if key == kind or key.startswith(f"{kind}_")}

    assert {kind for kind in kinds if not of(kind)} == set()
    assert set().union(*map(of, kinds)) == sentences


def test_the_placeholders_of_a_sentence_are_its_events_fields() -> None:
    """So that a client can fill them in without knowing the sentence."""
    fields = {
        field.name: {part.name for part in field.message_type.fields}
        for field in Event.DESCRIPTOR.fields
        if field.message_type is not None
    }
    for key, entry in GLOSSARIES["en"].sections["events"].items():
        kind = max((name for name in fields if key.startswith(name)), key=len)
        assert placeholders(entry.text) <= fields[kind], key


@pytest.mark.parametrize("language", LANGUAGES)
def test_texts_are_in_their_own_script(language: str) -> None:
    """Persian has its own yeh and kaf, Arabic its own, and what is Latin has no Arabic letter."""
    foreign = {"fa": "يكىة", "ar": "یکپچگ", "ary": "یکپچگ"}.get(language, "")
    for section in GLOSSARIES[language].sections.values():
        for entry in section.values():
            words = re.sub(r"\{\w+\}", "", entry.text)
            assert not set(words) & set(foreign), words
            assert "ARABIC" not in " ".join(
                unicodedata.name(letter, "") for letter in entry.shown_in_latin
            )
            assert entry.shown_in_latin.isascii() or entry.latin is None
            if language in {"ar", "ary", "fa"}:
                assert not re.search("[A-Za-z]", words), words
            assert unicodedata.is_normalized("NFC", entry.text)


def write(folder: Path, text: str, name: str = "en.toml") -> Path:
    """Write a glossary file."""
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


# What is put in place of which text of the English file, the key at fault, and what is said.
FAULTS: dict[str, tuple[str, str, str, str]] = {
    "no TOML": ('language = "en"', "language =", "", "it is no TOML"),
    "an unknown section": ("[calls]", "[call]", "call", "no such key; did you mean 'calls'?"),
    "a missing head": ('direction = "ltr"\n', "", "direction", "it is missing"),
    "another language": (
        'language = "en"',
        'language = "es"',
        "language",
        "'es' differs from the file's name; it must be 'en'",
    ),
    "no direction": ('"ltr"', '"left"', "direction", "'left' is neither ltr nor rtl"),
    "a bare text": (
        '12 = { text = "king", source = "usual" }',
        '12 = "king"',
        "ranks.12",
        "'king' is no table of text, source",
    ),
    "a term without source": (
        '12 = { text = "king", source = "usual" }',
        '12 = { text = "king" }',
        "ranks.12.source",
        "it is missing",
    ),
    "an unknown source": (
        '"king", source = "usual"',
        '"king", source = "002"',
        "ranks.12.source",
        "'002' is none of 000, 001, 003, 004, usual, ours",
    ),
    "a sentence with a source": (
        '"of coins"',
        '"of coins", source = "ours"',
        "of_suits.oros.source",
        "only text can stand here",
    ),
    "an empty text": ('text = "king"', 'text = " "', "ranks.12.text", "' ' is no text"),
    "an open brace": (
        "{seat} passes",
        "{seat passes",
        "events.announcement_passed.text",
        "its braces are wrong: ",
    ),
    "a placeholder that is no name": (
        "{seat} captures",
        "{seat.x} captures",
        "events.cards_captured.text",
        "its braces are wrong: {seat.x} is no plain name",
    ),
}


@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_is_refused_with_its_key(tmp_path: Path, name: str) -> None:
    """The message names file and key, and what would be right."""
    old, new, key, problem = FAULTS[name]
    assert old in ENGLISH
    path = write(tmp_path, ENGLISH.replace(old, new, 1))
    with pytest.raises(GlossaryError) as caught:
        load_glossaries(tmp_path)
    assert (caught.value.file, caught.value.key) == (path, key)
    assert problem in caught.value.problem
    assert str(caught.value).startswith(f"{path}: {key}: " if key else f"{path}: ")


@pytest.mark.parametrize(
    ("old", "new", "key", "problem"),
    [
        ('text = "ري", latin = "ri",', 'text = "ري",', "ranks.12.latin", "it is missing"),
        (
            'latin = "{seat} yal\'ab {card}"',
            'latin = "{seat} yal\'ab"',
            "events.card_played.latin",
            "its placeholders are ['seat'], the text's ['card', 'seat']",
        ),
    ],
)
def test_what_is_written_from_the_right_has_a_transliteration(
    tmp_path: Path, old: str, new: str, key: str, problem: str
) -> None:
    """With the same placeholders as the text."""
    assert old in ARABIC
    path = write(tmp_path, ARABIC.replace(old, new, 1), "ar.toml")
    with pytest.raises(GlossaryError) as caught:
        read_glossary(path)
    assert (caught.value.key, caught.value.problem) == (key, problem)


def test_a_file_that_is_no_text_is_an_error(tmp_path: Path) -> None:
    """Bytes that are not UTF-8 are refused as such."""
    (tmp_path / "en.toml").write_bytes(b'name = "\xff"')
    with pytest.raises(GlossaryError, match="it cannot be read"):
        load_glossaries(tmp_path)


def test_what_is_unknown_is_named() -> None:
    """A language, a section and a key, each with what there is."""
    with pytest.raises(GlossaryUnknownError, match="'de'; there are: ar, ary, en, es, fa, fr"):
        load_glossary("de")
    with pytest.raises(GlossaryUnknownError, match="fr: no section 'word'; did you mean 'words'"):
        load_glossary("fr").entry("word", "card")
    with pytest.raises(GlossaryUnknownError, match="no key 'cards' in 'words'; did you mean 'card"):
        load_glossary("fr").entry("words", "cards")


def test_the_page_shows_every_key_and_word() -> None:
    """Terms in a table, sentences in lists."""
    text = (data_folders.spec() / "glossary.md").read_text(encoding="utf-8")
    assert re.search(r"^\| `12` .*\| king +\| rey .*\| کینگ \(king, 004\) +\|$", text, re.MULTILINE)
    assert "  - fa: {seat} جمع می‌کند: {cards} ({seat} jam' mikonad: {cards})\n" in text
    assert "  - es: {seat} captura {cards}\n" in text
    sections = GLOSSARIES["en"].sections
    for section in TERMS:
        assert all(f"\n| `{key}` " in text for key in sections[section])
    for section in SENTENCES:
        assert all(f"\n- `{key}`\n" in text for key in sections[section])
