"""Which positions can arise: what must hold of a state that was read from a line of text."""

from ronda_rules.cards import FULL_PACK, RANKS, ranks_of, set_of, size_of
from ronda_rules.deal import TABLE_OF_FOUR, forbidden
from ronda_rules.engine import seat_to_play
from ronda_rules.errors import PositionError
from ronda_rules.holdings import held_rank
from ronda_rules.rule_set import Opening, Scoring, Settle, Timing, UndeclaredDetection
from ronda_rules.state import NOBODY, Announcement, Held, MatchState


def check_position(state: MatchState, turn: int, dealt: int) -> None:
    """Refuse a position that cannot arise.

    Args:
        state: the position.
        turn: the seat that is said to play.
        dealt: how many cards were dealt to hands so far in the deal.

    Raises:
        PositionError: with the field at fault.
    """
    for seat, order in zip(state.in_order_of_play(), range(state.seats), strict=True):
        rounds, more = divmod(state.cards_played, state.seats)
        size = state.hand_size - rounds - (order < more)
        if len(state.hands[seat]) != size:
            raise PositionError(
                "hands",
                f"seat {seat} holds {len(state.hands[seat])} cards where it should hold {size}, "
                f"as {state.cards_played} were played and seat {state.dealer} deals",
            )
    if state.hands_empty:
        raise PositionError("hands", "are all empty: nobody can play")
    if turn != seat_to_play(state):
        raise PositionError(
            "turn", f"is {turn}, but seat {seat_to_play(state)} plays with these hands"
        )
    if size_of(state.table) != ranks_of(state.table).bit_count():
        raise PositionError("table", "holds two cards of one rank")
    _check_forty(state, dealt)
    _check_played(state)
    _check_capturer(state)
    if state.laid is not None and not (state.cards_played or state.rules.chain_across_batches):
        raise PositionError("laid", "needs a card played in this batch")
    if state.held is not None:
        _check_held(state, state.held)
    for one in state.announcements:
        _check_announcement(state, one)
    _check_uses(state)


def _check_forty(state: MatchState, dealt: int) -> None:
    hands = sum(map(len, state.hands))
    held = state.held.cards if state.held else 0
    numbers = (hands, size_of(state.table), sum(state.piles), held, size_of(state.pack))
    four = TABLE_OF_FOUR if state.rules.opening(state.seats) is Opening.TABLE_OF_FOUR else 0
    if sum(numbers) != size_of(FULL_PACK):
        raise PositionError(
            "piles",
            f"hands {numbers[0]}, table {numbers[1]}, piles {numbers[2]}, held {numbers[3]} and "
            f"pack {numbers[4]} make {sum(numbers)} cards, not 40",
        )
    nothing_played = dealt == hands
    if nothing_played and four:
        wrong = forbidden(state.turned, state.rules.table_forbids)
        if size_of(state.table) != four or wrong is not None:
            raise PositionError("table", "the first card meets a valid table of four")


def _check_played(state: MatchState) -> None:
    if not any(state.played):
        return
    for seat, cards in enumerate(state.played):
        wanted = state.hand_size - len(state.hands[seat])
        if len(cards) != wanted:
            raise PositionError("played", f"seat {seat} has played {wanted} cards in this batch")
    if set_of(card for cards in state.played for card in cards) & state.pack:
        raise PositionError("played", "holds a card of the pack")


def _check_capturer(state: MatchState) -> None:
    capturer = state.last_capturer
    if any(state.piles) != (capturer != NOBODY):
        raise PositionError("capturer", "must be given where piles hold cards, and only there")
    # Where cards are paid a capturer can have paid its whole pile away.
    paid = state.rules.scoring is Scoring.CARD_TRANSFER
    if capturer != NOBODY and not paid and not state.piles[state.side(capturer)]:
        raise PositionError("capturer", f"is {capturer}, but that side's pile is empty")


def _check_held(state: MatchState, held: Held) -> None:
    if held.step >= len(state.rules.ladder_for(state.seats)) or not held.step:
        raise PositionError("held", f"step {held.step} is no step after which a chain goes on")
    if state.next_seat(held.seat) != seat_to_play(state):
        raise PositionError("held", "belongs to the seat that played just before")
    if held.cards < held.step + 1:
        raise PositionError("held", f"holds at least {held.step + 1} cards after step {held.step}")
    if held.cards > held.step + len(RANKS):
        raise PositionError("held", f"{held.cards} cards are more than a run can bring")
    if ranks_of(state.table) >> held.rank & 1:
        raise PositionError("held", f"a {RANKS[held.rank]} lies on the table")
    if held.mesa not in {0, state.rules.mesa}:
        raise PositionError("held", f"a mesa is worth {state.rules.mesa}, not {held.mesa}")
    if state.laid is not None:
        raise PositionError("laid", "the card played just before is held")
    if state.cards_played <= held.step and not state.rules.chain_across_batches:
        raise PositionError("held", f"needs {held.step + 1} cards played in this batch")


def _check_announcement(state: MatchState, one: Announcement) -> None:
    word = f"{one.batch}:{one.seat}:{one.kind.lower()}"
    same = [x for x in state.announcements if (x.batch, x.seat) == (one.batch, one.seat)]
    if len(same) > 1:
        raise PositionError("said", f"{word}: seat {one.seat} announced twice in the batch")
    if one.batch != state.batch:
        return
    on_turn = state.rules.timing is Timing.FIRST_TURN
    if on_turn and state.in_order_of_play().index(one.seat) > state.cards_played:
        raise PositionError("said", f"{word}: seat {one.seat} has had no turn in this batch yet")
    known = len(state.dealt[one.seat]) == state.hand_size
    if known and held_rank(state, one.seat, one.kind) != one.rank:
        raise PositionError("said", f"{word}: the hand of seat {one.seat} says otherwise")


def _check_uses(state: MatchState) -> None:
    """Refuse what the rule set has no use for."""
    rules = state.rules
    if state.award and rules.settle in {Settle.DEAL_END, Settle.BATCH_END}:
        raise PositionError("award", f"nothing is paid within a batch with settle {rules.settle}")
    if state.debts and rules.scoring is not Scoring.CARD_TRANSFER:
        raise PositionError("owed", "cards are owed with the scoring CARD_TRANSFER alone")
    if state.claimed and rules.undeclared_detection is not UndeclaredDetection.CLAIM:
        raise PositionError("claimed", "the rule set has no claims")
    if any(one.struck for one in state.announcements) and not rules.challenge:
        raise PositionError("said", "the rule set has no challenges that could strike")
