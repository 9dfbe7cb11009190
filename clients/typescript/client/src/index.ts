/**
 * The client library for bots and tools.
 *
 * A bot is any object with a method `choose(view, decision)` that returns a move:
 *
 * ```ts
 * const lastMove: Bot = {
 *   choose: (_view, decision) => decision.legalMoves.at(-1)!,
 * };
 * const client = RefereeClient.connect("127.0.0.1:7632");
 * const result = await playSeat(client, matchId, seatToken, lastMove);
 * ```
 */

export { backoff, USUAL_BACKOFF, type Backoff } from "./backoff.js";
export type { Bot } from "./bot.js";
export { cardText, rankNumber } from "./cards.js";
export { commitment, recordHash, type SeenRecord } from "./chain.js";
export { checkedTarget, isLoopback } from "./channels.js";
export { RefereeClient, type ClientOptions, type Joining } from "./client.js";
export {
  BotError,
  ClientError,
  FalseRecord,
  ForkedLog,
  RefereeError,
  RefereeUnavailableError,
  type Reason,
} from "./errors.js";
export * from "./gen/ronda/v1/card.js";
export * from "./gen/ronda/v1/decision.js";
export * from "./gen/ronda/v1/error.js";
export * from "./gen/ronda/v1/event.js";
export * from "./gen/ronda/v1/listed_rule_set.js";
export * from "./gen/ronda/v1/log.js";
export * from "./gen/ronda/v1/match_terms.js";
export * from "./gen/ronda/v1/move.js";
export * from "./gen/ronda/v1/referee_service.js";
export * from "./gen/ronda/v1/rule_set.js";
export * from "./gen/ronda/v1/view.js";
export { playSeat, sideOf, type Outcome, type SeatResult } from "./seat.js";
export type { AskedTurn } from "./watching.js";
