/** A bot in few lines, as an example. */

import type { Bot, Decision, Move, SeatView } from "@ronda/client";

/** Says what is true, plays its lowest card, and lets everything else pass. */
export class LowestBot implements Bot {
  choose(_view: SeatView, { legalMoves, trueAnnouncements }: Decision): Move {
    for (const { move } of legalMoves) {
      if (move?.$case === "announce" && trueAnnouncements.includes(move.value.kind)) return { move };
    }
    const quiet = legalMoves.filter(({ move }) => move?.$case === "play" || move?.$case === "pass");
    return quiet.reduce((lowest, move) => (rank(move) < rank(lowest) ? move : lowest));
  }
}

function rank({ move }: Move): number {
  return move?.$case === "play" ? (move.value.card?.rank ?? 0) : 0;
}
