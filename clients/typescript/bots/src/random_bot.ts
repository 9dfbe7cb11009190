/** A bot without a plan. */

import type { Bot, Decision, Move, SeatView } from "@ronda/client";

import { chances } from "./chances.js";

/** Makes any legal move, each as likely as the others. It says only what is true. */
export class RandomBot implements Bot {
  readonly #chance: () => number;

  /**
   * @param seed - Fixes every choice: the same decisions get the same moves.
   */
  constructor(seed = 0) {
    this.#chance = chances(seed);
  }

  /** Return one of the legal moves, without the announcements that the hand does not make true. */
  choose(_view: SeatView, decision: Decision): Move {
    const { legalMoves, trueAnnouncements } = decision;
    const moves = legalMoves.filter(
      ({ move }) => move?.$case !== "announce" || trueAnnouncements.includes(move.value.kind),
    );
    const chosen = moves[Math.floor(this.#chance() * moves.length)];
    if (chosen === undefined) throw new Error("there is no legal move to choose from");
    return chosen;
  }
}
