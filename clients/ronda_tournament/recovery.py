"""Going on with a tournament: what its last run has left open, and logs that were lost."""

import hashlib
from pathlib import Path

from ronda_client import RefereeError
from ronda_client.log_file import log_name
from ronda_client.whole_file import write_whole
from ronda_tournament.games import Context, abandon, note_ended
from ronda_tournament.match_log import ended
from ronda_tournament.results import Results

LEFT_OPEN = "the runner stopped while it was played"


async def recover(context: Context, results: Results) -> None:
    """Say of every match what became of it, and have every log.

    A match that was played to its end while nobody looked counts; any other that is open is
    cancelled, and will be played again with the same cards.

    Raises:
        ClientError: The referee was lost.
    """
    for match_id in results.open_matches():
        try:
            log = await context.client.get_match_log(match_id)
        except RefereeError as error:
            context.journal.note("abandoned", match_id=match_id, why=str(error), sha256="")
            continue
        end = ended(log, match_id, context.config.seats)
        place = results.created[match_id]
        called = [context.config.entrants[entrant].name for entrant in place[2]]
        if end.played and not end.faults(called):
            note_ended(context, match_id, end, log, place)
        else:
            await abandon(context, match_id, LEFT_OPEN)
    wanted = [(match_id, game.sha256) for match_id, game in results.ended.items()]
    wanted += [(match_id, one.sha256) for match_id, one in results.abandoned.items() if one.sha256]
    for match_id, sha256 in wanted:
        path = context.logs / log_name(match_id)
        if not _is_whole(path, sha256):
            write_whole(path, await context.client.get_match_log(match_id))
    await context.journal.sync()


def _is_whole(path: Path, sha256: str) -> bool:
    try:
        return hashlib.sha256(path.read_bytes()).hexdigest() == sha256
    except FileNotFoundError:
        return False
