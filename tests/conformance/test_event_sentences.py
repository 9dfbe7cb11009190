"""Every event is said in every language."""

import pytest

from ronda.v1 import card_pb2, event_pb2, rule_set_pb2
from ronda.v1.event_pb2 import Event
from ronda_conformance.cards import parse_card
from ronda_conformance.event_sentences import Sentences, sentence_key
from ronda_conformance.event_texts import MalformedEventError
from ronda_conformance.glossary import load_glossaries, load_glossary

GLOSSARIES = load_glossaries()
RONDA = rule_set_pb2.ANNOUNCEMENT_KIND_RONDA
TRINGA = rule_set_pb2.ANNOUNCEMENT_KIND_TRINGA
CARDS = [parse_card("6c"), parse_card("7o")]
GAIN = [event_pb2.Share(side=1, points=2)]

# One event for each sentence.
EVENTS: dict[str, Event] = {
    "match_started": Event(match_started=event_pb2.MatchStarted(seats=4)),
    "first_dealer_drawn": Event(first_dealer_drawn=event_pb2.FirstDealerDrawn(seat=1)),
    "deal_started": Event(deal_started=event_pb2.DealStarted(deal=2, dealer=1)),
    "batch_started": Event(batch_started=event_pb2.BatchStarted(batch=1, hand_size=3)),
    "batch_started_last": Event(
        batch_started=event_pb2.BatchStarted(batch=6, hand_size=3, last=True)
    ),
    "hand_dealt": Event(hand_dealt=event_pb2.HandDealt(seat=1, card_count=3)),
    "hand_dealt_shown": Event(hand_dealt=event_pb2.HandDealt(seat=1, card_count=2, cards=CARDS)),
    "table_turned": Event(table_turned=event_pb2.TableTurned(cards=CARDS)),
    "table_returned_pairs": Event(
        table_returned=event_pb2.TableReturned(found=rule_set_pb2.TABLE_FORBID_PAIRS, cards=CARDS)
    ),
    "table_returned_runs": Event(
        table_returned=event_pb2.TableReturned(found=rule_set_pb2.TABLE_FORBID_RUNS, cards=CARDS)
    ),
    "announcement_made": Event(announcement_made=event_pb2.AnnouncementMade(seat=1, kind=TRINGA)),
    "announcement_sealed": Event(announcement_sealed=event_pb2.AnnouncementSealed(seat=1)),
    "announcement_sealed_kind": Event(
        announcement_sealed=event_pb2.AnnouncementSealed(seat=1, kind=RONDA)
    ),
    "announcement_sealed_passed": Event(
        announcement_sealed=event_pb2.AnnouncementSealed(seat=1, passed=True)
    ),
    "announcement_passed": Event(announcement_passed=event_pb2.AnnouncementPassed(seat=1)),
    "card_played": Event(card_played=event_pb2.CardPlayed(seat=1, card=parse_card("1e"))),
    "cards_captured": Event(cards_captured=event_pb2.CardsCaptured(seat=1, cards=CARDS)),
    "card_laid": Event(card_laid=event_pb2.CardLaid(seat=1, card=parse_card("12b"))),
    "cards_held": Event(cards_held=event_pb2.CardsHeld(seat=1, step=2)),
    "cards_held_mesa": Event(cards_held=event_pb2.CardsHeld(seat=1, step=1, cards=CARDS, mesa=1)),
    "chain_closed": Event(chain_closed=event_pb2.ChainClosed(seat=1, step=2, card_count=5)),
    "play_awarded_caida": Event(play_awarded=event_pb2.PlayAwarded(seat=1, caida=5, shares=GAIN)),
    "play_awarded_mesa": Event(play_awarded=event_pb2.PlayAwarded(seat=1, mesa=1, shares=GAIN)),
    "play_awarded_caida_mesa": Event(
        play_awarded=event_pb2.PlayAwarded(seat=1, caida=1, mesa=1, shares=GAIN)
    ),
    "announcements_revealed": Event(
        announcements_revealed=event_pb2.AnnouncementsRevealed(
            batch=2,
            announcements=[
                event_pb2.RevealedAnnouncement(seat=0, kind=RONDA, rank=card_pb2.RANK_12),
                event_pb2.RevealedAnnouncement(seat=1, kind=TRINGA),
            ],
        )
    ),
    "announcements_awarded": Event(
        announcements_awarded=event_pb2.AnnouncementsAwarded(batch=2, shares=GAIN)
    ),
    "award_withdrawn": Event(award_withdrawn=event_pb2.AwardWithdrawn(batch=2, shares=GAIN)),
    "false_announcement_penalised": Event(
        false_announcement_penalised=event_pb2.FalseAnnouncementPenalised(
            batch=2, seat=0, kind=TRINGA, shares=GAIN
        )
    ),
    "undeclared_penalised": Event(
        undeclared_penalised=event_pb2.UndeclaredPenalised(batch=2, seat=0, kind=RONDA, shares=GAIN)
    ),
    "undeclared_penalised_claimed": Event(
        undeclared_penalised=event_pb2.UndeclaredPenalised(
            batch=2, seat=1, kind=RONDA, shares=GAIN, claimant=0
        )
    ),
    "announcement_challenged_true": Event(
        announcement_challenged=event_pb2.AnnouncementChallenged(
            challenger=0, seat=1, hand=CARDS, announcement_true=True
        )
    ),
    "announcement_challenged_false": Event(
        announcement_challenged=event_pb2.AnnouncementChallenged(challenger=0, seat=1, hand=CARDS)
    ),
    "window_passed": Event(window_passed=event_pb2.WindowPassed(seat=0)),
    "duty_awarded": Event(duty_awarded=event_pb2.DutyAwarded(dealer=1, shares=GAIN)),
    "cards_due": Event(cards_due=event_pb2.CardsDue(payer=0, receiver=1, cards=2)),
    "cards_due_award": Event(
        cards_due=event_pb2.CardsDue(payer=0, receiver=1, cards=2, award=True)
    ),
    "cards_paid": Event(cards_paid=event_pb2.CardsPaid(payer=0, receiver=1, cards=2)),
    "leftovers_taken": Event(leftovers_taken=event_pb2.LeftoversTaken(seat=0, cards=CARDS)),
    "piles_counted": Event(piles_counted=event_pb2.PilesCounted(piles=[18, 22], shares=GAIN)),
    "piles_counted_nothing": Event(piles_counted=event_pb2.PilesCounted(piles=[20, 20])),
    "deal_ended": Event(deal_ended=event_pb2.DealEnded(deal=1, scores=[4, 9])),
    "seat_forfeited": Event(seat_forfeited=event_pb2.SeatForfeited(seat=1)),
    "match_ended": Event(match_ended=event_pb2.MatchEnded(winners=[1], scores=[11, 46])),
    "match_ended_drawn": Event(match_ended=event_pb2.MatchEnded(winners=[0, 1], scores=[41, 41])),
}


def test_every_sentence_has_its_event() -> None:
    """Each is found by its event, and none is left over."""
    assert {key: sentence_key(event) for key, event in EVENTS.items()} == {
        key: key for key in EVENTS
    }
    assert EVENTS.keys() == GLOSSARIES["en"].sections["events"].keys()


@pytest.mark.parametrize("latin", [False, True])
@pytest.mark.parametrize("language", GLOSSARIES)
def test_every_event_is_said(language: str, latin: bool) -> None:
    """No placeholder is left open, and no two events sound alike."""
    sentences = Sentences(GLOSSARIES[language], latin=latin)
    said = [sentences.event(event) for event in EVENTS.values()]
    assert not any("{" in text or "}" in text for text in said)
    # Two kinds of passing sound alike, but here they are those of two seats.
    assert len(set(said)) == len(EVENTS)
    assert not latin or not any("\u0600" <= letter <= "\u06ff" for letter in "".join(said))


def test_seats_and_sides_are_named_where_names_are_given() -> None:
    """Scores and piles say whose they are; what no event tells is said in the same way."""
    sentences = Sentences(
        GLOSSARIES["fr"],
        seat_name=lambda seat: ["Amina", "Brahim"][seat],
        side_name=lambda side: "AB"[side],
    )
    ended = event_pb2.DealEnded(deal=2, scores=[3, 14])
    assert sentences.event(Event(deal_ended=ended)) == (
        "la donne 2 est finie\u00a0; score\u00a0: A 3, B 14"
    )
    assert sentences.by_side([(1, 5)]) == "B 5"
    assert sentences.say("replay", "label", word="but", value="4") == "but\u00a0: 4"


# Language, whether in Latin letters, the event, and what is said of it.
SAID = [
    ("en", False, "seat_forfeited", "seat 1 forfeits"),
    ("fa", True, "seat_forfeited", "sandali-ye 1 enseraf midahad"),
    ("en", False, "cards_captured", "seat 1 captures 6 of cups, 7 of coins"),
    ("en", False, "card_laid", "seat 1 lays king of clubs on the table"),
    ("en", False, "cards_held", "seat 1: step 2 of the chain; from the table: none"),
    (
        "en",
        False,
        "award_withdrawn",
        "points for the announcements of batch 2 taken back: side 1 -2",
    ),
    (
        "en",
        False,
        "announcements_revealed",
        "announcements of batch 2: seat 0 ronda (king), seat 1 tringa (false)",
    ),
    ("en", False, "match_ended_drawn", "the match is drawn: side 0, side 1; score: 41, 41"),
    # One side may be two people: no verb that is right for one alone.
    ("en", False, "cards_due", "debt of side 0 to side 1, cards: 2"),
    ("en", False, "cards_due_award", "debt of side 0 to side 1 for announcements, cards: 2"),
    ("en", False, "cards_paid", "payment by side 0 to side 1, cards: 2"),
    ("en", False, "match_ended", "the match is over, won by side 1; score: 11, 46"),
    ("es", False, "cards_captured", "asiento 1 captura 6 de copas, 7 de oros"),
    ("es", False, "card_played", "asiento 1 juega as de espadas"),
    ("fr", False, "card_played", "place 1 joue as d'épées"),
    ("fr", False, "table_turned", "sur la table\u00a0: 6 de coupes, 7 de deniers"),
    ("ar", False, "cards_captured", "المقعد 1 يلتقط 6 الكؤوس، 7 الذهب"),
    ("ar", True, "cards_captured", "al-maq'ad 1 yaltaqit 6 al-ku'us, 7 al-dhahab"),
    ("ar", False, "play_awarded_mesa", "المقعد 1: ميسا 1 (الطرف 1 \u200e+2)"),
    ("ary", False, "card_laid", "الكرسي 1 كيحط الري ديال الخل فالطبلة"),
    ("ary", True, "card_laid", "l-kursi 1 kayhett r-ri dyal l-khal f-t-tebla"),
    ("fa", False, "card_laid", "صندلی 1 روی میز می‌گذارد: کینگ کلاب"),
    ("fa", True, "card_laid", "sandali-ye 1 ru-ye miz migozarad: king-e klab"),
    ("fa", False, "announcement_made", "صندلی 1 ترینگا اعلام می‌کند"),
    # One side may be two people, and what goes back to the pack one card: no verb, or one that
    # is right for any number.
    ("ar", False, "cards_paid", "دفع من الطرف 0 إلى الطرف 1، أوراق: 2"),
    ("ar", False, "match_ended", "انتهت المباراة بفوز الطرف 1، المجموع: 11، 46"),
    (
        "ar",
        False,
        "table_returned_pairs",
        "ورقتان من رتبة واحدة على الطاولة، تعود إلى الشدّة: 6 الكؤوس، 7 الذهب",
    ),
    ("ar", False, "piles_counted", "عدّ الكومات: 18، 22؛ الطرف 1 \u200e+2"),
    ("ary", False, "cards_paid", "خلاص من الطرف 0 لفائدة الطرف 1، كارطات: 2"),
    ("ary", False, "announcement_made", "الكرسي 1 كيصرّح بترينكة"),
    ("ary", True, "announcement_made", "l-kursi 1 kayserreh b-tringa"),
    (
        "ary",
        False,
        "undeclared_penalised",
        "عقوبة فالتوزيعة 2: الكرسي 0 عندو روندة وماصرّحش بيها (الطرف 1 \u200e+2)",
    ),
    ("ary", False, "seat_forfeited", "الكرسي 1 انسحب"),
    ("fa", False, "cards_due", "بدهی طرف 0 به طرف 1، کارت: 2"),
    ("fa", False, "match_ended", "بازی با برد طرف 1 تمام شد؛ امتیازها: 11، 46"),
    (
        "fa",
        False,
        "false_announcement_penalised",
        "جریمه در سری 2: صندلی 0 به‌دروغ ترینگا اعلام کرد (طرف 1 \u200e+2)",
    ),
    ("es", False, "cards_held", "asiento 1: eslabón 2 de la cadena; de la mesa: nada"),
    ("es", False, "cards_paid", "pago de bando 0 a bando 1, cartas: 2"),
    ("fr", False, "cards_due", "dette\u00a0: camp 0 envers camp 1, cartes\u00a0: 2"),
    (
        "fr",
        False,
        "false_announcement_penalised",
        "pénalité dans la distribution 2\u00a0: place 0 a annoncé tringa à tort (camp 1 +2)",
    ),
]


@pytest.mark.parametrize(("language", "latin", "key", "text"), SAID)
def test_what_is_said(language: str, latin: bool, key: str, text: str) -> None:
    """Sentences as a player reads them."""
    assert Sentences(GLOSSARIES[language], latin=latin).event(EVENTS[key]) == text


def test_seats_can_have_names() -> None:
    """A client that knows its players says who it is."""
    names = {0: "Amina", 1: "Brahim"}
    sentences = Sentences(load_glossary("fr"), seat_name=names.__getitem__)
    assert sentences.event(EVENTS["announcement_passed"]) == "Brahim passe"


def test_what_does_not_exist_is_refused() -> None:
    """An unset event, and a card, a kind and a table that are none."""
    sentences = Sentences(load_glossary("en"))
    with pytest.raises(MalformedEventError, match="an event is unset"):
        sentences.event(Event())
    with pytest.raises(MalformedEventError, match="0 is no Suit"):
        sentences.card(card_pb2.Card(rank=card_pb2.RANK_7))
    with pytest.raises(MalformedEventError, match="0 is no AnnouncementKind"):
        sentences.event(Event(announcement_made=event_pb2.AnnouncementMade(seat=0)))
    with pytest.raises(MalformedEventError, match="0 is no TableForbid"):
        sentences.event(Event(table_returned=event_pb2.TableReturned(cards=CARDS)))
