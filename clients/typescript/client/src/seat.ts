/** Playing one seat of a match from joining it to the end. */

import { randomBytes } from "node:crypto";

import { ask, type Bot } from "./bot.js";
import type { SeenRecord } from "./chain.js";
import type { Joining, RefereeClient } from "./client.js";
import { ClientError, FalseRecord, RefereeError } from "./errors.js";
import { EndReason, type MatchResult } from "./gen/ronda/v1/log.js";
import { Move } from "./gen/ronda/v1/move.js";
import type { AskedTurn } from "./watching.js";

const ENTROPY_SIZE = 32;
const NAME_LENGTH = 64;
const SAME_TOKEN = ", unless another process plays with the same token";

/** How a match ended for one side. */
export type Outcome = "won" | "lost" | "drawn" | "cancelled";

/** How a match ended for one seat. */
export interface SeatResult {
  /** The match. */
  readonly matchId: string;
  /** The seat. */
  readonly seat: number;
  /** Its side: with four seats 0 for seats 0 and 2, 1 for seats 1 and 3; else the seat. */
  readonly side: number;
  /** Whether its side won, lost, or shares a draw, or nobody won: it was cancelled. */
  readonly outcome: Outcome;
  /** The side that won, or the sides that share a draw; empty: it was cancelled. */
  readonly winners: readonly number[];
  /** Total points, by side. */
  readonly scores: readonly number[];
  /** How the match ended. */
  readonly reason: EndReason;
  /** How many moves the seat made. */
  readonly moves: number;
}

/** Return the side that a seat plays for in a match of so many seats. */
export function sideOf(seat: number, seats: number): number {
  return seats === 4 ? seat % 2 : seat;
}

/**
 * Play one seat with a bot: join, answer every turn, and return the result at the end.
 *
 * The seat joins once it has seen the log's header, so that the referee is bound to its seed before
 * it knows what the seat brings to the shuffle. What the log says that this seat brought and moved
 * is compared with what it did.
 *
 * Lost connections and a referee that stops and comes back are waited out. A decision is put to the
 * bot once; what it chose is sent until the referee has answered, and never changed. Where the seat
 * was joined before, by this bot in an earlier run, it is played on.
 *
 * @param client - The referee.
 * @param matchId - The match.
 * @param seatToken - The seat's token.
 * @param bot - The player.
 * @param joining - What to join with; left out: the name of the bot's class, 32 random bytes.
 * @throws BotError - The bot threw, or chose what is no move.
 * @throws RefereeError - The referee refused; for an illegal move with the rule's clause.
 * @throws ForkedLog - The referee's log does not continue what it sent before.
 * @throws FalseRecord - The log says something of this seat that it did not do.
 * @throws RefereeUnavailableError - The referee stayed away for longer than patience allows.
 */
export async function playSeat(
  client: RefereeClient,
  matchId: string,
  seatToken: string,
  bot: Bot,
  joining: Joining = {},
): Promise<SeatResult> {
  return new Player(client, matchId, seatToken, bot, {
    name: joining.name ?? bot.constructor.name.slice(0, NAME_LENGTH),
    entropy: joining.entropy ?? randomBytes(ENTROPY_SIZE),
  }).play();
}

/** One seat's session. */
class Player {
  #seat: number | undefined;
  #seats = 0;
  #brought: Required<Joining> | undefined;
  #moves = 0;
  #result: MatchResult | undefined;
  readonly #sent = new Map<number, Uint8Array>();

  constructor(
    private readonly client: RefereeClient,
    private readonly matchId: string,
    private readonly token: string,
    private readonly bot: Bot,
    joining: Required<Joining>,
  ) {
    this.#brought = joining;
  }

  async play(): Promise<SeatResult> {
    for await (const item of this.client.watch(this.matchId, this.token)) {
      await (item.kind === "turn" ? this.#answer(item) : this.#note(item));
    }
    if (this.#result === undefined || this.#seat === undefined) {
      throw new ClientError(`the log of match ${this.matchId} ended without a result`);
    }
    return this.#seatResult(this.#result, this.#seat);
  }

  async #note({ record: { sequence, record }, event, move, opened }: SeenRecord): Promise<void> {
    switch (record?.$case) {
      case "header":
        this.#seats = record.value.seats;
        await this.#join();
        break;
      case "seatJoined": {
        const { seat, name, entropy } = record.value;
        if (seat !== this.#seat || this.#brought === undefined) break;
        if (name !== this.#brought.name || !entropy.equals(this.#brought.entropy)) {
          const detail = `seat ${seat} joined with another name or other bytes${SAME_TOKEN}`;
          throw new FalseRecord(this.matchId, sequence, detail);
        }
        break;
      }
      case "moveAccepted": {
        const { seat, decisionId, automatic } = record.value;
        const sent = this.#sent.get(decisionId);
        if (automatic || seat !== this.#seat || sent === undefined) break;
        if (move === undefined || !Buffer.from(Move.encode(move).finish()).equals(sent)) {
          const detail = `seat ${seat} answered decision ${decisionId} otherwise${SAME_TOKEN}`;
          throw new FalseRecord(this.matchId, sequence, detail);
        }
        break;
      }
      case "matchResult":
        this.#result = record.value;
        break;
      default:
        // Only its own hand is opened to a seat, which so learns where it sits.
        if (opened && event?.event?.$case === "handDealt") {
          this.#seat ??= event.event.value.seat;
        }
    }
  }

  async #join(): Promise<void> {
    try {
      this.#seat = await this.client.join(this.matchId, this.token, this.#brought);
    } catch (error) {
      if (!(error instanceof RefereeError && error.is("ALREADY_JOINED"))) throw error;
      // Whoever joined had the token, so the seat is ours; which one, its cards will tell, and
      // what it brought only whoever joined knows.
      this.#brought = undefined;
    }
  }

  async #answer(turn: AskedTurn): Promise<void> {
    const { decisionId, seat } = turn.decision;
    if (this.#sent.has(decisionId)) return;
    const move = await ask(this.bot, this.matchId, turn);
    // Before it is sent: once an attempt was made the answer stands.
    this.#sent.set(decisionId, Move.encode(move).finish());
    this.#seat = seat;
    try {
      await this.client.submitMove(this.matchId, this.token, decisionId, move);
      this.#moves += 1;
    } catch (error) {
      if (!(error instanceof RefereeError)) throw error;
      // Closed before the answer came: somebody else with the token was faster, or the referee
      // decided for the seat. What is asked now, if anything, comes as a turn of its own.
      if (error.is("STALE_DECISION", "MATCH_OVER", "SEAT_FORFEITED", "MATCH_CANCELLED")) return;
      const asked = `seat ${seat} of match ${this.matchId}, decision ${decisionId}`;
      const detail = `${error.detail} (${asked})`;
      throw new RefereeError(error.code, error.reason, detail, error.metadata);
    }
  }

  #seatResult({ winners, scores, reason }: MatchResult, seat: number): SeatResult {
    const side = sideOf(seat, this.#seats);
    let outcome: Outcome = winners.length > 0 ? "lost" : "cancelled";
    if (winners.includes(side)) outcome = winners.length === 1 ? "won" : "drawn";
    const { matchId } = this;
    return { matchId, seat, side, outcome, winners, scores, reason, moves: this.#moves };
  }
}
