"""A replay's page needs nothing else, and runs nothing of a log's, whatever that holds."""

import base64
import hashlib
import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from ronda.v1 import log_pb2
from tests.clients.replay_pages import Elements, data_of, in_node, page_of, played


def test_a_page_refers_to_nothing_outside() -> None:
    """No address, no import, no font, and only drawings in the page itself are used."""
    text = page_of(played().records)
    elements = Elements(text)
    assert {tag for tag, _ in elements.found} == {
        *("html", "head", "meta", "title", "style", "body", "svg", "symbol", "path", "circle"),
        *("ellipse", "rect", "text", "g", "use", "header", "h1", "bdi", "p", "main", "div"),
        *("section", "h2", "ol", "script"),
    }
    references = {
        attributes[name]
        for _, attributes in elements.found
        for name in ("href", "src", "srcset", "action", "data", "style", "xlink:href")
        if name in attributes
    }
    assert all(re.fullmatch(r"#[cfp]-\w+", str(one)) for one in references)
    assert re.findall(r"\w+:(?=//)[^\s\"]*", text) == ["http://www.w3.org/2000/svg"]
    assert 'const SVG = "http://www.w3.org/2000/svg";' in text
    for word in ("url(", "@import", "@font-face", "innerHTML", "eval(", "fetch(", "import("):
        assert word not in text


def test_the_policy_lets_only_the_pages_own_script_and_style_in() -> None:
    """By their hashes; everything else is forbidden."""
    elements = Elements(page_of(played().records))
    (policy,) = (
        attributes["content"]
        for tag, attributes in elements.found
        if tag == "meta" and attributes.get("http-equiv") == "Content-Security-Policy"
    )
    data, script = elements.texts["script"]
    (style,) = elements.texts["style"]
    assert json.loads(data)["views"]

    def hashed(text: str) -> str:
        return base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()

    assert policy == (
        f"default-src 'none'; script-src 'sha256-{hashed(script)}'; "
        f"style-src 'sha256-{hashed(style)}'; base-uri 'none'; form-action 'none'"
    )


HOSTILE = (
    "</script><script>alert(1)</script><img src=x onerror=alert(2)><!--",
    "\"><svg onload=alert(3)>\u2028\u2029'%%script%%{count}",
)


def hostile() -> list[log_pb2.LogRecord]:
    """Give records of a log whose every text is markup, and whose numbers are absurd."""
    records = played().records
    header = records[0].header
    header.match_id, header.engine_version = HOSTILE
    header.rule_set.title, header.rule_set.id = HOSTILE
    records[1].seat_joined.name, records[2].seat_joined.name = HOSTILE
    for number, kind in enumerate(("deal_started", "batch_started")):
        started = getattr(records[4 + number].event_logged.event, kind)
        setattr(started, kind.partition("_")[0], 4_294_967_295)
    records[6].event_logged.event.hand_dealt.card_count = 4_294_967_295
    records[6].event_logged.commitment = b""
    records[9].event_logged.event.card_played.card.rank = 77  # type: ignore[assignment] # none
    return records


def test_a_hostile_log_adds_no_element(tmp_path: Path) -> None:
    """The page has the same elements with the same attributes, but for the policy's same hashes."""
    honest = Elements(page_of(played().records, finding="it is wrong"))
    text = page_of(hostile(), finding=HOSTILE[0])
    assert Elements(text).found == honest.found
    assert text.count("</script>") == 2
    assert "\u2028" not in text
    seen = in_node(text, tmp_path, ["key:ArrowRight"] * 9)["seen"]
    assert (
        seen[1]["now"] == "seat 1 is taken by \u2068</script><script>alert(1)</script><img …\u2069"
    )
    assert seen[6]["seats"][1]["cards"] == ["back"] * 10


def test_absurd_seats_make_a_page() -> None:
    """A header of four thousand million seats takes no more room than one of two."""
    records = played().records
    records[0].header.seats = 4_000_000_000
    data = data_of(page_of(records))
    assert (data["seats"], data["sides"]) == ([], [])
    assert data_of(page_of([]))["steps"] == []


def test_a_state_stays_small_whatever_a_log_holds() -> None:
    """Thousands of cards, seats, sides, debts and calls: no step repeats more than a match has."""
    records = []
    for number in range(2_000):
        for kind in ("hand_dealt", "announcement_made", "seat_forfeited", "cards_captured"):
            record = log_pb2.LogRecord()
            getattr(record.event_logged.event, kind).seat = number
            records.append(record)
        record = log_pb2.LogRecord()
        record.event_logged.event.cards_due.payer = number
        records.append(record)
    table = log_pb2.LogRecord()
    for _ in range(10_000):
        table.event_logged.event.table_turned.cards.add(rank=1, suit=1)
    records.insert(0, table)
    largest = max(len(json.dumps(step)) for step in data_of(page_of(records))["steps"])
    assert 2_000 < largest < 20_000


CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser"))), None)


@pytest.mark.skipif(CHROMIUM is None, reason="no Chromium here; Node runs the same page above")
def test_a_browser_shows_a_hostile_log_as_text(tmp_path: Path) -> None:
    """Its own policy lets the page's script and style run, and nothing of the log's."""
    path = tmp_path / "page.html"
    path.write_text(page_of(hostile()), encoding="utf-8")
    ran = subprocess.run(
        [
            str(CHROMIUM),
            *("--headless", "--no-sandbox", "--disable-gpu", "--no-first-run"),
            *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
            f"--user-data-dir={tmp_path / 'profile'}",
            *("--enable-logging=stderr", "--dump-dom"),
            f"file://{path}#2",
        ],
        capture_output=True,
        text=True,
        check=True,
    )
    assert "CONSOLE" not in ran.stderr
    shown = Elements(ran.stdout)
    assert {tag for tag, _ in shown.found if tag in {"img", "iframe", "link"}} == set()
    assert not any(name.startswith("on") for _, attributes in shown.found for name in attributes)
    now = re.search(r'<p id="now"[^>]*>(.*?)</p>', ran.stdout)
    assert now is not None
    assert now[1].startswith("seat 1 is taken by \u2068&lt;/script&gt;&lt;script&gt;alert(1)")
