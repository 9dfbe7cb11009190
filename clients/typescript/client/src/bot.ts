/** What a bot is, and how it is asked. */

import { BotError } from "./errors.js";
import type { Decision } from "./gen/ronda/v1/decision.js";
import { Move } from "./gen/ronda/v1/move.js";
import type { SeatView } from "./gen/ronda/v1/view.js";
import type { AskedTurn } from "./watching.js";

/** A player: any object with this one method, plain or async. */
export interface Bot {
  /**
   * Return the move to make.
   *
   * @param view - What the seat sees.
   * @param decision - What it is asked; `decision.legalMoves` lists every legal move.
   */
  choose(view: SeatView, decision: Decision): Move | Promise<Move>;
}

/**
 * Return the move that a bot chooses for its turn, as a copy of its own.
 *
 * @throws BotError - It threw, or returned something that is no move.
 */
export async function ask(bot: Bot, matchId: string, turn: AskedTurn): Promise<Move> {
  const { seat, decisionId } = turn.decision;
  let chosen: Move;
  try {
    chosen = await bot.choose(turn.view, turn.decision);
  } catch (error) {
    const detail = `choose() threw ${String(error)}`;
    throw new BotError(matchId, seat, decisionId, detail, { cause: error });
  }
  try {
    return Move.decode(Move.encode(chosen).finish());
  } catch (error) {
    const detail = `choose() must return a ronda.v1 Move, it returned ${JSON.stringify(chosen)}`;
    throw new BotError(matchId, seat, decisionId, detail, { cause: error });
  }
}
