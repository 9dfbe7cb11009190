"""House rules against the real referee: sent along with a match, and from a folder by id."""

from pathlib import Path

from ronda_bots import RandomBot
from ronda_client import Bot, RefereeClient, play_match, read_records
from ronda_conformance import data_folders
from ronda_conformance.rule_set_files import check_file
from tests.clients.test_end_to_end import audited, referee_process, ronda


async def test_every_house_rule_set_is_played_when_it_is_sent_along(tmp_path: Path) -> None:
    """A referee that does not know it plays it by the message; the audit finds nothing."""
    async with referee_process(tmp_path / "referee") as process:
        for file in sorted(data_folders.house_rules().glob("*.toml")):
            rule_set = check_file(file).listed.rule_set
            seats = max(seats.count for seats in rule_set.seats)
            bots: list[Bot] = [RandomBot(seat) for seat in range(seats)]
            played = await play_match(process.target, rule_set, bots)
            assert played.winners, file.stem
            assert next(iter(read_records(played.log))).header.rule_set == rule_set
            assert audited(played.log, tmp_path / f"{file.stem}.rlog") is None


async def test_house_rule_sets_of_a_folder_are_played_by_id(tmp_path: Path) -> None:
    """They are listed beside those that are shipped, with where their values come from."""
    house = tmp_path / "house"
    house.mkdir()
    (house / "short.toml").write_text(
        'base = "sarii"\nid = "short"\ntitle = "Short"\nsummary = "To 11."\n'
        'source = "house"\ntarget = 11\n'
    )
    folders = [house, data_folders.house_rules()]
    async with referee_process(tmp_path / "referee", rule_sets=folders) as process:
        async with RefereeClient.connect(process.target) as client:
            listed = {one.rule_set.id: one for one in await client.list_rule_sets()}
            played = await play_match(client, "short", [RandomBot(0), RandomBot(1)])
        code, out, err = await ronda(
            *("match", "--target", process.target, "--rule-set", str(house / "short.toml"))
        )
    assert {"maghribi", "phone-table", "short"} <= set(listed)
    sources = {source.parameter: source.place for source in listed["short"].sources}
    assert (sources["target"], sources["mesa"]) == ("house", "000, caida and mesa")
    assert max(played.scores) >= 11
    assert (code, err) == (0, "")
    assert out.startswith("match ")
