"""Counts every way to play out a batch, to the deal's end after the last one, without the engine.

Written from the rules with lists of ranks; nothing of `ronda_rules` is imported. Run as a program
it prints the tally of each position, as the files that `leaves.py` reads have them:

    python -m tests.rules.brute_force
"""

from collections import Counter
from dataclasses import replace

from tests.rules.brute_force_judging import (
    ORDER,
    best_kind,
    held,
    kinds_to_say,
    proved_kind,
)
from tests.rules.brute_force_point import Announced, Chain, OverError, Point, read
from tests.rules.brute_force_rules import RULES, Rules
from tests.rules.brute_force_settling import (
    judge_shown,
    penalise_batch,
    punish,
    ranks_left,
    receivers,
    settle_batch,
    when_shown,
)
from tests.rules.leaves import as_toml, load_leaves

# What a seat does: a word, and a place in the hand, a seat or a kind.
Move = tuple[str, int | str]


def tally(rule_set: str, position: str, target: int | None = None) -> Counter[str]:
    """Count the leaves below a position, and over all leaves what was scored and captured.

    A leaf is one sequence of moves to the end of the batch, or to the end of the deal where it is
    the deal's last, or to the end of the match.
    """
    rules = RULES[rule_set]
    if target is not None:
        rules = replace(rules, target=target)
    return tally_by(rules, position)


def tally_by(rules: Rules, position: str) -> Counter[str]:
    """Count as `tally` does, by any rules."""
    return +leaves(read(position, rules))


def leaves(point: Point) -> Counter[str]:
    """Count the leaves below a point."""
    total: Counter[str] = Counter()
    if point.done:
        found = Counter(point.found)
        found["leaves"] = 1
        found["draws"] = int(point.scores.count(max(point.scores)) > 1)
        for side in range(point.sides):
            found[f"points {side}"] = point.scores[side]
            found[f"cards {side}"] = point.piles[side]
        return found
    for move in moves(point):
        after = point.branch()
        make(after, move)
        total.update(leaves(after))
    return total


def moves(point: Point) -> list[Move]:
    """Give the legal moves of the seat that must act."""
    if point.asking is not None:
        seat = point.order[point.asking]
        return [*(("claim", other) for other in to_claim(point, seat)), ("pass", 0)]
    seat = point.turn
    hand = point.hands[seat]
    found: list[Move] = []
    if point.rules.timing == "FIRST_TURN" and not point.played[seat] and point.silent(seat):
        found += [("say", kind) for kind in kinds_to_say(point.rules, point.batch, hand)]
    if point.rules.challenge:
        found += [
            ("challenge", one.seat)
            for one in point.of_batch()
            if are_opponents(point, one.seat, seat)
            and not one.struck
            and not is_settled(point, one)
        ]
    found += [("claim", other) for other in to_claim(point, seat)]
    return found + [("play", place) for place in range(len(hand))]


def are_opponents(point: Point, one: int, other: int) -> bool:
    """Whether two seats play on different sides."""
    return one % point.sides != other % point.sides


def is_settled(point: Point, one: Announced) -> bool:
    """Whether the cards played prove an announcement true or false."""
    ranks, must = ranks_left(point, one)
    return must or not ranks


def to_claim(point: Point, seat: int) -> list[int]:
    """Give the seats against which a seat may claim."""
    if point.rules.undeclared != "CLAIM":
        return []
    return [
        other
        for other in range(point.seats)
        if are_opponents(point, other, seat)
        and point.silent(other)
        and other not in point.claimed
        and proved(point, other) is not None
    ]


def proved(point: Point, seat: int) -> str | None:
    """Give the best kind that the cards played by a seat prove."""
    return proved_kind(point.rules, point.batch, point.played[seat], len(point.hands[seat]))


def make(point: Point, move: Move) -> None:
    """Make a move, and let everything follow that follows from it."""
    seat = point.turn if point.asking is None else point.order[point.asking]
    try:
        match move:
            case ("say", str(kind)):
                rank = held(point.rules, point.batch, point.hands[seat], kind)
                point.said.append(Announced(point.batch, seat, kind, rank))
            case ("challenge", int(other)):
                challenge(point, other)
            case ("claim", int(other)):
                claim(point, seat, other)
            case ("play", int(place)):
                play(point, seat, place)
            case _:
                point.asking = (point.asking or 0) + 1
                go_on_asking(point)
    except OverError:
        pass


def challenge(point: Point, other: int) -> None:
    """Show a hand: its side wins at once, or the announcement is struck and penalised."""
    one = next(one for one in point.of_batch() if one.seat == other)
    point.found["challenges"] += 1
    if one.rank is not None:
        point.win([other % point.sides])
    one.struck = True
    if point.rules.settle == "WHEN_SHOWN":
        judge_shown(point)
    punish(point, one)
    point.end_moment()


def claim(point: Point, seat: int, other: int) -> None:
    """Charge a seat for what it has shown and did not announce."""
    kind = proved(point, other) or ""
    point.claimed.append(other)
    points = point.rules.undeclared_penalty[kind]
    point.gain("undeclared", [(seat % point.sides, points, [other % point.sides])])
    point.end_moment()


def play(point: Point, seat: int, place: int) -> None:
    """Play a card, with all that follows up to the next seat that must act."""
    rank = point.hands[seat].pop(place)
    point.played[seat].append(rank)
    captured = capture(point, seat, rank)
    if point.rules.settle == "WHEN_SHOWN":
        when_shown(point, seat)
    over = not any(point.hands)
    if over and point.last_batch:
        duty(point, rank, captured=captured)
    if over:
        batch_end(point)


def capture(point: Point, seat: int, rank: int) -> bool:
    """Capture or lay a card, close and continue chains, score; whether it captured."""
    laid, point.laid = point.laid, None
    chain = point.chain
    if chain is not None and chain.rank != rank:
        close(point, point.rules.ladder[chain.step - 1])
        chain = None
    if chain is not None:
        chain.seat, chain.step, chain.cards = seat, chain.step + 1, chain.cards + 1
        if is_excluded(point):
            chain.mesa = 0
        after_a_link(point, chain)
        return True
    if rank not in point.table:
        point.table.append(rank)
        point.laid = rank
        return False
    taken = run_from(rank, point.table)
    point.table = [card for card in point.table if card not in taken]
    caida = rank == laid
    mesa = 0 if point.table or is_excluded(point) else point.rules.mesa
    ladder = ladder_of(point)
    if caida and len(ladder) > 1:
        point.chain = Chain(seat, 1, rank, 1 + len(taken), mesa)
        after_a_link(point, point.chain)
        return True
    point.found["captures"] += 1
    take(point, seat, 1 + len(taken))
    score_play(point, seat, ladder[0] if caida and ladder else 0, mesa)
    return True


def ladder_of(point: Point) -> tuple[int, ...]:
    """Give the ladder for the seat count."""
    few = point.seats < point.rules.chain_min_seats
    return point.rules.ladder[:1] if few else point.rules.ladder


def run_from(rank: int, table: list[int]) -> list[int]:
    """Give the ranks that a card takes: its own and the unbroken ones above."""
    taken = []
    for higher in ORDER[ORDER.index(rank) :]:
        if higher not in table:
            break
        taken.append(higher)
    return taken


def is_excluded(point: Point) -> bool:
    """Whether the card just played makes no mesa: the very last of the deal, or of its batch."""
    if point.rules.mesa_excluded == "LAST_BATCH":
        return point.last_batch
    return point.rules.mesa_excluded == "LAST_CARD" and point.last_batch and not any(point.hands)


def after_a_link(point: Point, chain: Chain) -> None:
    """Close a chain that cannot go on, or pay the link where each is paid."""
    point.found["links"] += 1
    worth = point.rules.ladder[chain.step - 1]
    last = not any(point.hands) and (point.last_batch or not point.rules.across)
    if chain.step == len(point.rules.ladder) or last:
        close(point, worth)
    elif point.rules.each_link:
        score_play(point, chain.seat, worth, 0)


def close(point: Point, worth: int) -> None:
    """Give the chain's pile to its last seat, with the step's worth if not yet paid."""
    chain = point.chain
    assert chain is not None
    point.chain = None
    take(point, chain.seat, chain.cards)
    # Where each link is paid, only a card that closes its own chain is paid at the closing.
    own_card = chain.seat == last_to_play(point)
    score_play(point, chain.seat, worth if own_card or not point.rules.each_link else 0, chain.mesa)


def last_to_play(point: Point) -> int:
    """Give the seat that has just played a card."""
    return point.order[(sum(map(len, point.played)) - 1) % point.seats]


def take(point: Point, seat: int, cards: int) -> None:
    """Put captured cards into the pile of a seat's side, which pays its debts first."""
    point.piles[seat % point.sides] += cards
    point.capturer = seat
    point.pay()


def score_play(point: Point, seat: int, caida: int, mesa: int) -> None:
    """Score the caida or step and the mesa of one card together."""
    side = seat % point.sides
    before = (seat - 1) % point.seats % point.sides
    point.gain("caidas", [(side, caida, [before])])
    point.gain("mesas", [(side, mesa, point.others(side))])
    point.end_moment()


def duty(point: Point, rank: int, *, captured: bool) -> None:
    """Score the dealer's last card of the deal."""
    king, ace, miss = point.rules.duty
    side = point.dealer % point.sides
    others = point.others(side)
    if captured and rank == 12:
        gains = [(side, king, others)]
    elif captured:
        gains = [(other, ace, [side]) for other in others if rank == 1]
    else:
        gains = [(other, miss, [side]) for other in others]
    point.gain("duty", gains)
    point.end_moment()


def batch_end(point: Point) -> None:
    """Settle, penalise, and ask for claims."""
    settle = point.rules.settle
    if settle == "BATCH_END" or (settle == "BATCH_END_OR_CLEAR_KIND" and not point.award):
        settle_batch(point, point.batch)
    if settle == "BATCH_END":
        penalise_batch(point, point.batch)
    for seat in point.order if point.rules.undeclared == "AUTOMATIC" else []:
        kind = best_kind(point.rules, point.batch, point.played[seat])
        if kind and point.silent(seat):
            offender = seat % point.sides
            points = point.rules.undeclared_penalty[kind]
            gains = [(side, points, [offender]) for side in receivers(point, offender)]
            point.gain("undeclared", gains)
            point.end_moment()
    point.asking = 0
    go_on_asking(point)


def go_on_asking(point: Point) -> None:
    """Go to the next seat with something to claim; after the last one the batch is over."""
    while point.asking is not None and point.asking < point.seats:
        if to_claim(point, point.order[point.asking]):
            return
        point.asking += 1
    point.done = True
    if point.last_batch:
        deal_end(point)


def deal_end(point: Point) -> None:
    """Give the leftovers, settle what waits for the deal's end, count, look for the match's end."""
    if point.table:
        assert point.capturer is not None
        take(point, point.capturer, len(point.table))
        point.table = []
    if point.rules.settle == "DEAL_END":
        for batch in range(1, point.batch + 1):
            settle_batch(point, batch)
        for batch in range(1, point.batch + 1):
            penalise_batch(point, batch)
    assert sum(point.piles) == 40
    # Where nothing is counted no pile is above the threshold.
    two, three = point.rules.count or (40, 40)
    threshold = three if point.sides == 3 else two
    for side, cards in enumerate(point.piles):
        point.scores[side] += max(0, cards - threshold)
        point.found["counted"] += max(0, cards - threshold)
    point.look_for_the_end()


if __name__ == "__main__":
    for one in load_leaves():
        found = tally(one.rule_set, one.position, one.target)
        print(one, as_toml(found, 3 if one.position.startswith("seats 3") else 2), sep="\n")
