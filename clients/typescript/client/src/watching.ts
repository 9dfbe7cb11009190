/** Watching a match: one stream for the reader, however many connections it takes. */

import type { ClientReadableStream } from "@grpc/grpc-js";

import { Trouble, type Backoff } from "./backoff.js";
import { Chain, type SeenRecord } from "./chain.js";
import type { Channels } from "./channels.js";
import { isServiceError, RefereeError } from "./errors.js";
import type { Decision } from "./gen/ronda/v1/decision.js";
import type { WatchMatchRequest, WatchMatchResponse } from "./gen/ronda/v1/referee_service.js";
import type { SeatView } from "./gen/ronda/v1/view.js";

/** A seat is asked to act. */
export interface AskedTurn {
  readonly kind: "turn";
  /** What it sees. */
  readonly view: SeatView;
  /** What it is asked. */
  readonly decision: Decision;
}

/**
 * Yield the records from the one asked for to the last, and a seat's turns among them.
 *
 * @param channels - The connections to use.
 * @param request - The match, the seat's token (empty: the public) and the first record wanted.
 * @param backoff - How to wait where the referee is away.
 * @param silence - Milliseconds without even a heartbeat after which the connection counts as lost.
 * @throws RefereeError - The referee refused to let it be watched.
 * @throws ForkedLog - A record does not continue those before.
 * @throws RefereeUnavailableError - The referee stayed away for longer than patience allows.
 */
export async function* watch(
  channels: Channels,
  request: WatchMatchRequest,
  backoff: Backoff,
  silence: number,
): AsyncGenerator<SeenRecord | AskedTurn, void, undefined> {
  const chain = new Chain(request.matchId, request.fromSequence);
  const trouble = new Trouble(backoff, channels.target);
  while (true) {
    let detail = "the stream ended before the log did";
    let pause = 0;
    const [stub, leave] = channels.watching();
    const call = stub.watchMatch({ ...request, fromSequence: chain.nextSequence });
    try {
      for await (const message of messages(call, silence)) {
        for (const entry of message.entries) yield chain.follow(entry);
        const { view, decision } = message.turn ?? {};
        if (view && decision) yield { kind: "turn", view, decision };
        if (message.ended?.logComplete) return;
        if (message.ended) {
          detail = "the referee is shutting down";
          break;
        }
        trouble.over();
      }
    } catch (error) {
      if (!isServiceError(error)) throw error;
      const refusal = RefereeError.fromCall(error);
      if (refusal.is("SEQUENCE_OUT_OF_RANGE") && chain.seen) {
        throw chain.fork("the referee's log is shorter than it was");
      }
      const goesOn = refusal.outcomeUnknown || refusal.is("SLOW_WATCHER");
      if (!goesOn && refusal.retryAfter === undefined) throw refusal;
      detail = refusal.message;
      pause = refusal.retryAfter ?? 0;
    } finally {
      leave();
    }
    channels.checkOpen();
    await trouble.wait(detail, pause);
  }
}

/**
 * Yield a stream's messages, and cancel it where it is silent for too long while it is read. What
 * it ends with is thrown as gRPC's ServiceError.
 */
async function* messages(
  call: ClientReadableStream<WatchMatchResponse>,
  silence: number,
): AsyncGenerator<WatchMatchResponse, void, undefined> {
  // A call that is cancelled after its reader has left reports that to nobody.
  call.on("error", () => {});
  const reader = call[Symbol.asyncIterator]() as AsyncIterator<WatchMatchResponse>;
  try {
    while (true) {
      const timer = setTimeout(() => call.cancel(), silence);
      const next = await reader.next().finally(() => clearTimeout(timer));
      if (next.done) return;
      yield next.value;
    }
  } finally {
    call.cancel();
  }
}
