"""A replay is told in six languages, as somebody who speaks them would say it."""

from pathlib import Path

import pytest

from ronda.v1 import log_pb2
from ronda_conformance.event_sentences import Sentences
from ronda_conformance.glossary import load_glossary
from ronda_replay.telling import Language
from tests.clients.replayed import Replay, played, told
from tests.referee.played_logs import PlayedMatch, maghribi

LANGUAGES = [
    ("en", "Brahim (1) captures 7 of coins, jack of coins", "score: Amina (0) 0, Brahim (1) 1"),
    ("es", "Brahim (1) captura 7 de oros, sota de oros", "tanteo: Amina (0) 0, Brahim (1) 1"),
    (
        "fr",
        "Brahim (1) prend 7 de deniers, valet de deniers",
        "score\u00a0: Amina (0) 0, Brahim (1) 1",
    ),
    (
        "ar",
        "Brahim\u200f (1) يلتقط 7 الذهب، سوتا الذهب",
        "المجموع: Amina\u200f (0) 0، Brahim\u200f (1) 1",
    ),
    (
        "ary",
        "Brahim\u200f (1) كيقبض 7 ديال الدهب، السوتا ديال الدهب",
        "النقط: Amina\u200f (0) 0، Brahim\u200f (1) 1",
    ),
    (
        "fa",
        "Brahim\u200f (1) جمع می‌کند: 7 کوین، جک کوین",
        "امتیازها: Amina\u200f (0) 0، Brahim\u200f (1) 1",
    ),
]


@pytest.mark.parametrize(("code", "capture", "score"), LANGUAGES)
def test_a_match_is_told_in_six_languages(
    replay: Replay, log: Path, code: str, capture: str, score: str
) -> None:
    """In the glossary's own words."""
    ran = replay(log, "--lang", code)
    assert ran.code == 0
    lines = [line.removeprefix("\u200f") for line in ran.out.splitlines()]
    assert lines[19] == f"      {capture}"
    assert lines[21] == f"      {score}"


# What is read from right to left: `\u200f` where a line begins with a Latin name.
RIGHT_TO_LEFT = {
    "ar": [
        "الورقة: 1 آس، 10 سوتا، 11 كابايو، 12 ري، o الذهب، c الكؤوس، e السيوف، b العصي",
        "    الطاولة: 1o 5o 10o 12o | اليد: 7o 1c 2c",
        "\u200f    Amina\u200f (0) يلعب 7 الذهب",
        "\u200f      Brahim\u200f (1): قائدة 1 (Brahim\u200f (1) \u200e+1)",
        "  عدّ الكومات: Amina\u200f (0) 17، Brahim\u200f (1) 23؛ Brahim\u200f (1) \u200e+3",
        "انتهت المباراة بفوز Brahim\u200f (1)، المجموع: Amina\u200f (0) 0، Brahim\u200f (1) 4",
    ],
    "ary": [
        "    الطبلة: 1o 5o 10o 12o | اليد: 7o 1c 2c",
        "\u200f    Amina\u200f (0) كيلعب 7 ديال الدهب",
        "\u200f      Brahim\u200f (1): القايدة 1 (Brahim\u200f (1) \u200e+1)",
        "  حساب الكومات: Amina\u200f (0) 17، Brahim\u200f (1) 23؛ Brahim\u200f (1) \u200e+3",
        "اللعبة سالات بالربح ديال Brahim\u200f (1)، النقط: Amina\u200f (0) 0، Brahim\u200f (1) 4",
    ],
    "fa": [
        "کارت: 1 آس، 10 جک، 11 اسب، 12 کینگ، o کوین، c کوپا، e چبادا، b کلاب",
        "    میز: 1o 5o 10o 12o | دست: 7o 1c 2c",
        "\u200f    Amina\u200f (0) بازی می‌کند: 7 کوین",
        "  شمارش دسته‌ها: Amina\u200f (0) 17، Brahim\u200f (1) 23؛ Brahim\u200f (1) \u200e+3",  # noqa: RUF001 - Persian
        "بازی با برد Brahim\u200f (1) تمام شد؛ امتیازها: Amina\u200f (0) 0، Brahim\u200f (1) 4",
    ],
}


@pytest.mark.parametrize("code", RIGHT_TO_LEFT)
def test_lines_keep_their_direction_and_their_commas(replay: Replay, log: Path, code: str) -> None:
    """Whatever a line begins with it is read from right to left; lists have the script's comma."""
    lines = replay(log, "--lang", code).out.splitlines()
    assert [line for line in RIGHT_TO_LEFT[code] if line not in lines] == []
    assert not any(line.startswith(" ") and line.lstrip()[0].isascii() for line in lines)


def test_arabic_names_need_no_mark() -> None:
    """A line that begins with letters that are read from right to left says so itself."""
    records = played().records
    records[2].seat_joined.name = "أمينة"
    lines = told(records, language=Language(load_glossary("ar")))
    assert "    أمينة (0) يلعب 7 الذهب" in lines
    assert "\u200f    Brahim\u200f (1) يلعب 7 الكؤوس" in lines


def test_an_arabic_name_turns_no_number_of_a_spanish_line() -> None:
    """`\u200e` behind it keeps its seat and its points in the order of the line."""
    records = played().records
    records[2].seat_joined.name = "أمينة"
    lines = told(records, language=Language(load_glossary("es")))
    assert "    أمينة\u200e (0) juega 7 de oros" in lines
    assert "      tanteo: أمينة\u200e (0) 0, Brahim (1) 1" in lines


# Four seats play for two sides, so that whatever a side does, two people do.
OF_PARTNERS = [
    ("en", "the match is over, won by Amina (0) & Chama (2); score: "),
    ("es", "termina la partida; victoria de Amina (0) & Chama (2); tanteo: "),
    (
        "fr",
        "la partie est finie\u00a0; victoire\u00a0: Amina (0) et Chama (2)\u00a0; score\u00a0: ",
    ),
    ("ar", "انتهت المباراة بفوز Amina\u200f (0) وChama\u200f (2)، المجموع: "),
    ("ary", "اللعبة سالات بالربح ديال Amina\u200f (0) وChama\u200f (2)، النقط: "),
    ("fa", "بازی با برد Amina\u200f (0) و Chama\u200f (2) تمام شد؛ امتیازها: "),
]


@pytest.mark.parametrize(("code", "over"), OF_PARTNERS)
def test_partners_win_together(code: str, over: str) -> None:
    """The sentence is right for one winner and for two, and partners are joined by `and`."""
    records = [
        record
        for record in PlayedMatch(maghribi(1), 4).records
        if record.WhichOneof("record") in {"header", "seat_joined"}
    ]
    ended = log_pb2.LogRecord()
    ended.event_logged.event.match_ended.winners.append(0)
    ended.event_logged.event.match_ended.scores.extend([7, 3])
    lines = told([*records, ended], language=Language(load_glossary(code)))
    assert lines[-1].startswith(over)


# Language, key, and what a replay says besides the events.
REMARKS = [
    ("ar", "forfeit_time_out", "المقعد 1: انتهى وقته"),
    ("ar", "automatic", "... (لعب الحكم بدلًا منه)"),
    ("ar", "ended_forfeited", "انتهت المباراة بالانسحاب"),
    ("ar", "ended_not_joined", "لم تبدأ المباراة: لم تُشغل كل المقاعد في الوقت المحدد"),
    ("ary", "forfeit_resigned", "الكرسي 1: انسحب"),
    ("ary", "forfeit_refusals", "الكرسي 1: بزاف ديال اللعبات ديالو ترفضو"),
    ("ary", "unverified", "هاد السجل ماشي صحيح"),
    ("ary", "unread", "ما يمكنش يتقرا اللي بقا من الملف"),
    ("fa", "forfeit_time_out", "صندلی 1: وقتش تمام شد"),
    ("fa", "forfeit_refusals", "صندلی 1: شمار حرکت‌های ردشده از حد گذشت"),
    ("fa", "fixed", "برگزارکننده کارت‌ها را تعیین کرد؛ کارت‌ها بر نخوردند"),  # noqa: RUF001 - Persian
    ("es", "seen_by", "tal como la ve asiento 1"),
    ("fr", "seen_by", "telle que la voit place 1"),
]


@pytest.mark.parametrize(("code", "key", "text"), REMARKS)
def test_remarks_are_said_in_good_grammar(code: str, key: str, text: str) -> None:
    """As somebody says it who speaks the language."""
    sentences = Sentences(load_glossary(code))
    assert sentences.say("replay", key, seat=sentences.seat(1), told="...") == text


def test_right_to_left_languages_have_latin_letters(replay: Replay, log: Path) -> None:
    """With --latin no letter of the script is left."""
    ran = replay(log, "--lang", "ary", "--latin")
    assert ran.out.isascii()
    lines = ran.out.splitlines()
    assert lines[7] == "l-lo'ba bdat, 'adad l-karasi: 2"
    assert lines[19] == "      Brahim (1) kayqbed 7 dyal d-dhab, s-suta dyal d-dhab"


def test_an_unknown_language_is_named(replay: Replay, log: Path) -> None:
    """With those that there are."""
    ran = replay(log, "--lang", "de")
    assert (ran.code, ran.out) == (2, "")
    assert ran.err == (
        "ronda: --lang: there is no glossary of 'de'; there are: ar, ary, en, es, fa, fr\n"
    )


def test_latin_letters_change_nothing_where_there_are_no_others() -> None:
    """Spanish stays as it is."""
    spanish = load_glossary("es")
    records = played().records
    assert told(records, language=Language(spanish, latin=True)) == told(
        records, language=Language(spanish)
    )
