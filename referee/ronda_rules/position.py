"""Position notation: a position in mid-deal as one line of text, as chess has FEN.

The line holds fields ``name value``, parted by ``;``, in any order. Cards are written as ``7o``;
a bare rank takes the first suit, in the order o c e b, that the line does not use for it.

=========  ========================================================  =======================
name       value                                                     where it is left out
=========  ========================================================  =======================
seats      2, 3 or 4                                                 required
deal       number of the deal, from 1                                1
dealer     the seat that deals                                       the last seat
batch      number of the batch, from 1                               required
turn       the seat to play                                          required
hands      cards by seat, parted by ``/``; ``-`` is an empty hand    required
table      the face-up cards; ``-`` is none                          required
piles      cards in each side's pile                                 required
scores     total points by side                                      zeros
laid       the card just laid by the seat before, in this batch      none
capturer   the seat that captured last                               none; needed with piles
held       ``seat:step:rank:cards:mesa`` of the pile of a chain      none
said       ``batch:seat:kind:rank``, ``…:false`` or ``…:struck``     nothing announced
played     cards played in this batch, by seat, as hands             see below
award      what this batch's announcements have been paid, by side   zeros
owed       ``payer:receiver:cards``, or ``…:award``; oldest first    nothing
claimed    seats charged by a claim in this batch                    none
punished   false announcements punished in this deal, by seat        zeros
pack       the cards not dealt yet                                   the first unplaced ones
=========  ========================================================  =======================

Hands, table, piles, held pile and pack make forty cards together. Cards of ``played`` are lying in
one of them; a bare rank there means the table's card of that rank where there is one. They are
required where cards were played in this batch and the rule set judges by them. ``struck`` is a
false announcement that a challenge has shown.

Where all seats are asked for announcements, all have answered and the challenge window is over.
"""

from collections.abc import Iterable

from ronda_rules.cards import RANKS, Card, ascending, card_text, cards_of
from ronda_rules.engine import Asked, SeatsToAct, decide, seat_to_play
from ronda_rules.errors import PositionError
from ronda_rules.position_reading import PositionReader, default_pack, played_cards_decide, said
from ronda_rules.rule_set import RuleSet
from ronda_rules.state import NOBODY, Debt, Held, MatchState


def parse_position(text: str, rules: RuleSet) -> MatchState:
    """Read a position as `format_position` writes it.

    Args:
        text: the line.
        rules: the rule set that is played; it decides hand sizes and which fields fit.

    Raises:
        PositionError: the line cannot be read, or the position cannot arise.
        RuleSetError: the rule set or the seat count cannot be played.
    """
    return PositionReader(text, rules).state()


def format_position(state: MatchState) -> str:
    """Write a position in which a card must be played, with every card's suit.

    Raises:
        PositionError: no card is to be played: cards are being dealt, seats are asked for
            something else, a seat has forfeited, or the match is over.
    """
    match decide(state):
        case SeatsToAct(_, Asked.CARD):
            pass
        case _:
            raise PositionError("turn", "only a position in which a card is played can be written")
    if state.forfeited:
        raise PositionError("turn", "a position after a forfeit cannot be written")
    fields = [
        f"seats {state.seats}",
        f"deal {state.deal}",
        f"dealer {state.dealer}",
        f"batch {state.batch}",
        f"turn {seat_to_play(state)}",
        f"hands {_by_seat(state.hands)}",
        f"table {_card_list(ascending(state.table))}",
        f"piles {_numbers(state.piles)}",
        f"scores {_numbers(state.scores)}",
    ]
    if state.laid is not None:
        fields.append(f"laid {card_text(state.laid)}")
    if state.last_capturer != NOBODY:
        fields.append(f"capturer {state.last_capturer}")
    if state.held is not None:
        fields.append(f"held {_held(state.held)}")
    if state.announcements:
        fields.append(f"said {', '.join(map(said, state.announcements))}")
    fields += _of_batch(state)
    if any(state.punished):
        fields.append(f"punished {_numbers(state.punished)}")
    if state.pack and state.pack != default_pack(state):
        fields.append(f"pack {_card_list(tuple(cards_of(state.pack)))}")
    return "; ".join(fields)


def _of_batch(state: MatchState) -> list[str]:
    fields = []
    if state.cards_played and played_cards_decide(state.rules):
        fields.append(f"played {_by_seat(state.played)}")
    if state.award:
        amounts = dict(state.award)
        fields.append(f"award {_numbers(amounts.get(side, 0) for side in range(state.sides))}")
    if state.debts:
        fields.append(f"owed {', '.join(map(_owed, state.debts))}")
    if state.claimed:
        fields.append(f"claimed {_numbers(sorted(state.claimed))}")
    return fields


def _by_seat(hands: Iterable[Iterable[Card]]) -> str:
    return " / ".join(_card_list(hand) for hand in hands)


def _card_list(cards: Iterable[Card]) -> str:
    return " ".join(map(card_text, cards)) or "-"


def _numbers(numbers: Iterable[int]) -> str:
    return " ".join(map(str, numbers))


def _held(held: Held) -> str:
    return f"{held.seat}:{held.step}:{RANKS[held.rank]}:{held.cards}:{held.mesa}"


def _owed(debt: Debt) -> str:
    return f"{debt.payer}:{debt.receiver}:{debt.cards}" + (":award" if debt.award else "")
