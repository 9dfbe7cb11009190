"""`ronda glossary` shows the words of the game."""

import json

import pytest

from ronda_cli.main import main


def said(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """Run the command, which must succeed, and return what it printed."""
    assert main(["glossary", *arguments]) == 0
    return capsys.readouterr().out


def test_one_language_is_shown_with_sources(capsys: pytest.CaptureFixture[str]) -> None:
    """Key, source, Latin letters and, at the end of the line, the word."""
    lines = said(capsys, "--lang", "fa").splitlines()
    assert lines[0] == "fa  فارسی"
    assert "ranks.12  004    king    کینگ" in lines
    assert "suits.oros     004  koin    کوین" in lines
    english = said(capsys, "--lang", "en").splitlines()
    assert "ranks.12  usual  king" in english
    assert any(line.endswith("  {seat} captures {cards}") for line in english)


def test_all_languages_are_shown_one_after_the_other(capsys: pytest.CaptureFixture[str]) -> None:
    """Each begins with its code and its own name."""
    heads = [line for line in said(capsys).splitlines() if line and "." not in line.split()[0]]
    assert [head.split()[0] for head in heads] == ["ar", "ary", "en", "es", "fa", "fr"]


def test_it_can_be_read_by_programs(capsys: pytest.CaptureFixture[str]) -> None:
    """One language is an object, all of them one by code."""
    one = json.loads(said(capsys, "--lang", "ar", "--json"))
    assert (one["language"], one["direction"]) == ("ar", "rtl")
    assert one["sections"]["suits"]["oros"] == {
        "text": "الذهب",
        "latin": "al-dhahab",
        "source": "000",
    }
    everything = json.loads(said(capsys, "--json"))
    assert list(everything) == ["ar", "ary", "en", "es", "fa", "fr"]
    assert everything["es"]["sections"]["ranks"]["12"]["text"] == "rey"


@pytest.mark.parametrize(
    ("language", "batch"),
    [
        ("ar", "دفعة"),
        ("ary", "توزيعة"),
        ("en", "batch"),
        ("es", "tanda"),
        ("fa", "سری"),
        ("fr", "distribution"),
    ],
)
def test_sentences_about_a_batch_use_its_word(
    language: str, batch: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """The term, the event and what a table at a terminal says call it the same."""
    sections = json.loads(said(capsys, "--lang", language, "--json"))["sections"]
    told = [
        section[key]["text"]
        for section in sections.values()
        for key in ("batch", "batch_started", "batch_started_last", "answered")
        if key in section
    ]
    assert len(told) == 4
    assert all(batch in text for text in told), told


def test_a_language_that_is_none_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    """The message names those that there are; the exit code is 2."""
    assert main(["glossary", "--lang", "de"]) == 2
    assert capsys.readouterr().err == (
        "ronda: there is no glossary of 'de'; there are: ar, ary, en, es, fa, fr\n"
    )
