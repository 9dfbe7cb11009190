"""The client library for bots and tools.

A bot is any object with a method `choose(view, decision)` that returns a move::

    class LastMoveBot:
        def choose(self, view, decision):
            return decision.legal_moves[-1]

    run(LastMoveBot(), "127.0.0.1:7632", match_id, seat_token)

The same bot plays hundreds of matches at once over one stream with `play_seats`. A bot that has a
method `saw(event)` too, an `Observer`, is told everything that its seat may see between its turns,
and one that has `begins(rule_set, seats)`, a `RuleReader`, the rules.
"""

from ronda_client.answers import CreatedMatch, CurrentView
from ronda_client.backoff import Backoff
from ronda_client.bot import Bot, BotMaker, Observer, RuleReader
from ronda_client.cards import card_text, rank_number
from ronda_client.chain import SeenRecord
from ronda_client.client import RefereeClient
from ronda_client.credentials import tls_credentials
from ronda_client.errors import (
    BotError,
    ClientError,
    CredentialsError,
    FalseRecord,
    ForkedLog,
    LogFileError,
    MatchIdError,
    RefereeError,
    RefereeUnavailableError,
)
from ronda_client.heads import Heads, HeadsError, SeenHead, read_heads
from ronda_client.log_file import read_records
from ronda_client.match import PlayedMatch, play_match
from ronda_client.seat import Outcome, SeatResult, play_seat, run
from ronda_client.seat_stream import SeatStream, play_seats

__all__ = [
    "Backoff",
    "Bot",
    "BotError",
    "BotMaker",
    "ClientError",
    "CreatedMatch",
    "CredentialsError",
    "CurrentView",
    "FalseRecord",
    "ForkedLog",
    "Heads",
    "HeadsError",
    "LogFileError",
    "MatchIdError",
    "Observer",
    "Outcome",
    "PlayedMatch",
    "RefereeClient",
    "RefereeError",
    "RefereeUnavailableError",
    "RuleReader",
    "SeatResult",
    "SeatStream",
    "SeenHead",
    "SeenRecord",
    "card_text",
    "play_match",
    "play_seat",
    "play_seats",
    "rank_number",
    "read_heads",
    "read_records",
    "run",
    "tls_credentials",
]
