/** The referee's calls, typed, each repeated until its outcome is known. */

import { randomBytes } from "node:crypto";

import { credentials as grpcCredentials, Metadata } from "@grpc/grpc-js";
import type { CallOptions, ChannelCredentials, ClientUnaryCall, ServiceError } from "@grpc/grpc-js";

import { backoff as waits, Trouble, type Backoff } from "./backoff.js";
import type { SeenRecord } from "./chain.js";
import { Channels, checkedTarget, isLoopback } from "./channels.js";
import { isServiceError, RefereeError } from "./errors.js";
import type { ListedRuleSet } from "./gen/ronda/v1/listed_rule_set.js";
import type { MatchTerms } from "./gen/ronda/v1/match_terms.js";
import type { Move } from "./gen/ronda/v1/move.js";
import {
  SubmitMoveRequest,
  type CreateMatchRequest,
  type CreateMatchResponse,
  type GetMatchLogResponse,
  type GetViewResponse,
  type RefereeServiceClient,
} from "./gen/ronda/v1/referee_service.js";
import type { RuleSet } from "./gen/ronda/v1/rule_set.js";
import { watch, type AskedTurn } from "./watching.js";

/** How a client behaves; every part may be left out. Times are in milliseconds. */
export interface ClientOptions {
  /** For TLS, as from `credentials.createSsl` of @grpc/grpc-js; left out: none, for loopback. */
  readonly credentials?: ChannelCredentials;
  /** How to wait where the referee does not answer. */
  readonly backoff?: Partial<Backoff>;
  /** What lets an organiser create matches, where the referee asks for it. */
  readonly organiserToken?: string;
  /** The time for one attempt of a call; 20 s. */
  readonly callTimeout?: number;
  /** The time without even a heartbeat after which a watcher connects anew; 90 s. */
  readonly silence?: number;
}

/** What a seat joins with. */
export interface Joining {
  /** The name to go by, up to 64 characters; public. */
  readonly name?: string;
  /** Up to 64 bytes that enter the shuffle; public. */
  readonly entropy?: Uint8Array;
}

type Answered<T> = (error: ServiceError | null, answer: T) => void;
type Unary<Q, A> = (
  request: Q,
  metadata: Metadata,
  options: Partial<CallOptions>,
  callback: Answered<A>,
) => ClientUnaryCall;

/**
 * A referee.
 *
 * Every call is repeated with the same contents while the referee cannot be reached, as the
 * backoff says. All throw `RefereeError` where the referee refuses, with the reason, and
 * `RefereeUnavailableError` where patience ends.
 */
export class RefereeClient {
  readonly #channels: Channels;
  readonly #backoff: Backoff;
  readonly #organiser = new Metadata();
  readonly #callTimeout: number;
  readonly #silence: number;

  private constructor(
    /** Where the referee listens, as `host:port`. */
    readonly target: string,
    options: ClientOptions,
  ) {
    checkedTarget(target);
    if (options.organiserToken) {
      if (!options.credentials && !isLoopback(target)) {
        throw new RangeError(`an organiser's token goes to ${target} over TLS only: give credentials`);
      }
      this.#organiser.set("authorization", `Bearer ${options.organiserToken}`);
    }
    this.#backoff = waits(options.backoff);
    this.#callTimeout = options.callTimeout ?? 20_000;
    this.#silence = options.silence ?? 90_000;
    this.#channels = new Channels(target, options.credentials ?? grpcCredentials.createInsecure());
  }

  /**
   * Return a client for the referee at `target`, `host:port`. Nothing is sent before the first
   * call; `close()` lets go of its connections.
   *
   * @throws RangeError - The target is none, the waits do not go together, or an organiser's token
   * would leave this machine in the clear.
   */
  static connect(target: string, options: ClientOptions = {}): RefereeClient {
    return new RefereeClient(target, options);
  }

  /** Close the connections; calls under way fail. */
  close(): void {
    this.#channels.close();
  }

  /** The calls as they are, each made once. */
  get stub(): RefereeServiceClient {
    return this.#channels.stub;
  }

  /** Return the rule sets that matches can be created with by id, with their sources. */
  async listRuleSets(): Promise<ListedRuleSet[]> {
    return (await this.#unary((stub) => stub.listRuleSets, {})).ruleSets;
  }

  /**
   * Create a match. Where an answer is lost another match is created; the lost one is never joined.
   *
   * @param ruleSet - The id of a rule set that the referee has, or one in full.
   * @param seats - How many seats: 2, 3 or 4, as the rule set allows.
   * @param terms - Clocks, forfeits, spectators; left out: as the referee's settings say, no clock.
   * @returns The match's id, which is public, and a token for each seat, by seat. Whoever has a
   * token plays the seat, and it is not to be had again.
   * @throws RefereeError - `RULE_SET_NOT_FOUND`, `RULE_SET_INVALID`, `MALFORMED_REQUEST`,
   * `ORGANISER_ONLY`, `TOO_MANY_MATCHES`.
   */
  async createMatch(
    ruleSet: string | RuleSet,
    seats: number,
    terms?: MatchTerms,
  ): Promise<CreateMatchResponse> {
    const rules: CreateMatchRequest["rules"] =
      typeof ruleSet === "string"
        ? { $case: "ruleSetId", value: ruleSet }
        : { $case: "ruleSet", value: ruleSet };
    const request = { rules, seats, terms, fixedDraws: undefined };
    return this.#unary((stub) => stub.createMatch, request, this.#organiser);
  }

  /**
   * Take a seat and return its number. Joining again with the same contents is harmless.
   *
   * @throws RefereeError - `MATCH_NOT_FOUND`, `WRONG_TOKEN`, `ALREADY_JOINED` (with other
   * contents), `MATCH_CANCELLED`, `MALFORMED_REQUEST`.
   */
  async join(matchId: string, seatToken: string, joining: Joining = {}): Promise<number> {
    const { name = "", entropy = new Uint8Array() } = joining;
    const request = { matchId, seatToken, name, entropy: Buffer.from(entropy) };
    return (await this.#unary((stub) => stub.joinMatch, request)).seat;
  }

  /**
   * Yield the log's records as they come, and with a seat's token its turns, to the end.
   *
   * The watcher comes back by itself wherever the stream breaks off, and goes on from the record
   * that it has not seen. A turn is yielded again when it comes back before the seat has acted.
   * Leave early by leaving the loop.
   *
   * @param seatToken - The seat's token; empty: watch as the public.
   * @param fromSequence - The first record wanted.
   * @throws ForkedLog - A record does not continue those seen before.
   * @throws RefereeError - `MATCH_NOT_FOUND`, `WRONG_TOKEN`, `SEQUENCE_OUT_OF_RANGE`,
   * `REFEREE_FAULT`.
   */
  watch(
    matchId: string,
    seatToken = "",
    fromSequence = 0,
  ): AsyncGenerator<SeenRecord | AskedTurn, void, undefined> {
    const request = { matchId, seatToken, fromSequence };
    return watch(this.#channels, request, this.#backoff, this.#silence);
  }

  /**
   * Return what a seat sees now and is asked, or what everyone sees without a token.
   *
   * @throws RefereeError - `MATCH_NOT_FOUND`, `WRONG_TOKEN`, `MATCH_NOT_STARTED`.
   */
  async getView(matchId: string, seatToken = ""): Promise<GetViewResponse> {
    return this.#unary((stub) => stub.getView, { matchId, seatToken });
  }

  /**
   * Submit a move and return the sequence number of its record once it is on disk.
   *
   * Where the answer is lost the same request goes out again under the same id, so that the move
   * is made once whatever happened to the first. Of answers that are sealed until all have
   * answered the number is that of the first.
   *
   * @param decisionId - The decision that the move answers.
   * @param requestId - 1 to 64 characters that name this request among the seat's requests of the
   * match; left out: random ones.
   * @throws RefereeError - The move is illegal (its reason says why), `STALE_DECISION`,
   * `REQUEST_ID_REUSED`, `WRONG_TOKEN`, `MATCH_NOT_FOUND`, `SEAT_FORFEITED`, `MATCH_CANCELLED`.
   */
  async submitMove(
    matchId: string,
    seatToken: string,
    decisionId: number,
    move: Move,
    requestId = randomBytes(16).toString("hex"),
  ): Promise<number> {
    // Copied, so that no attempt sends what the caller has changed meanwhile.
    const request = SubmitMoveRequest.decode(
      SubmitMoveRequest.encode({ matchId, seatToken, decisionId, requestId, move }).finish(),
    );
    return (await this.#unary((stub) => stub.submitMove, request)).sequence;
  }

  /**
   * Give the match up, and return the sequence number of the forfeit's record.
   *
   * @throws RefereeError - `MATCH_NOT_FOUND`, `WRONG_TOKEN`, `MATCH_NOT_STARTED`, `MATCH_OVER`,
   * `MATCH_CANCELLED`.
   */
  async resign(matchId: string, seatToken: string): Promise<number> {
    return (await this.#unary((stub) => stub.resign, { matchId, seatToken })).sequence;
  }

  /**
   * Return the log file of a match, byte for byte: of one that has ended whole, before that as far
   * as it goes.
   *
   * @throws RefereeError - `MATCH_NOT_FOUND`.
   */
  async getMatchLog(matchId: string): Promise<Buffer> {
    return this.#repeat(async () => {
      const deadline = Date.now() + this.#callTimeout;
      const call = this.stub.getMatchLog({ matchId, seatToken: "" }, { deadline });
      const parts: Buffer[] = [];
      for await (const part of call as AsyncIterable<GetMatchLogResponse>) parts.push(part.data);
      return Buffer.concat(parts);
    });
  }

  /** Make a call until its outcome is known. */
  #unary<Q, A>(
    chosen: (stub: RefereeServiceClient) => Unary<Q, A>,
    request: Q,
    metadata = new Metadata(),
  ): Promise<A> {
    return this.#repeat(
      () =>
        new Promise<A>((resolve, reject) => {
          const stub = this.stub;
          const deadline = Date.now() + this.#callTimeout;
          chosen(stub).call(stub, request, metadata, { deadline }, (error, answer) =>
            error ? reject(error) : resolve(answer),
          );
        }),
    );
  }

  async #repeat<T>(attempt: () => Promise<T>): Promise<T> {
    const trouble = new Trouble(this.#backoff, this.target);
    while (true) {
      try {
        return await attempt();
      } catch (error) {
        if (!isServiceError(error)) throw error;
        const refusal = RefereeError.fromCall(error);
        this.#channels.checkOpen();
        if (!refusal.outcomeUnknown && refusal.retryAfter === undefined) throw refusal;
        await trouble.wait(refusal.message, refusal.retryAfter);
      }
    }
  }
}
