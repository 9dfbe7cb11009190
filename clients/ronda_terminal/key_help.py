"""What every key does, for who asks for help at the table."""

from ronda_terminal.actions import CHALLENGE_KEYS, CLAIM_KEYS, KIND_KEYS, PASS_KEY
from ronda_terminal.controls import (
    CHOOSE_KEY,
    HELP_KEY,
    HINTS_KEY,
    PAUSE_KEY,
    QUIT_KEY,
    Controls,
)

# The largest hand there is (clause DEAL-5 deals three or four).
_CARD_KEYS = ("1", "2", "3", "4")


def key_help(controls: Controls) -> tuple[tuple[tuple[str, ...], str], ...]:
    """Give the keys of this table in groups, each with what it does, in the table's language."""
    words, seating = controls.sight.words, controls.seating
    groups: list[tuple[tuple[str, ...], str]] = []
    if seating.plays:
        rules = controls.sight.rules.kinds
        kinds = zip(KIND_KEYS, (rules.ronda, rules.tringa, rules.double_ronda), strict=True)
        played = [key for key, worth in kinds if worth] or list(KIND_KEYS)
        names = words.joined(words.kind(KIND_KEYS[key]) for key in played)
        groups += [
            (_CARD_KEYS, words.say("help_card")),
            (("left", "right"), words.say("help_choose")),
            ((CHOOSE_KEY,), words.say("help_do")),
            (tuple(played), words.labelled(words.move("announce"), names)),
            (tuple(CHALLENGE_KEYS), words.move("challenge")),
            (tuple(CLAIM_KEYS), words.move("claim")),
            ((PASS_KEY,), words.move("pass")),
            ((HINTS_KEY,), words.say("hints")),
        ]
    if seating.pauses:
        groups.append(((PAUSE_KEY,), f"{words.replay('pause')} / {words.replay('play')}"))
    return (
        *groups,
        ((QUIT_KEY,), words.say("quit")),
        ((HELP_KEY, "escape"), words.say("help_back")),
        ((), words.say("help_mouse")),
    )
