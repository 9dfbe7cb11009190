/** Everything that can go wrong for a client, each as a class of its own. */

import { status, type ServiceError } from "@grpc/grpc-js";

import { errorInfo } from "./error_info.js";
import type { ErrorReason } from "./gen/ronda/v1/error.js";

/** A stable reason: a name of `ronda.v1.ErrorReason` without its prefix, as `CARD_NOT_IN_HAND`. */
export type Reason =
  Exclude<keyof typeof ErrorReason, "ERROR_REASON_UNSPECIFIED"> extends infer Name
    ? Name extends `ERROR_REASON_${infer Short}`
      ? Short
      : never
    : never;

/** What every error of this package is. */
export class ClientError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
  }
}

/** The referee refused a request; nothing has changed. */
export class RefereeError extends ClientError {
  /** The clause of the rules behind it, as `CAP-1`; empty where there is none. */
  readonly clause: string;

  constructor(
    /** The gRPC status code. */
    readonly code: status,
    /**
     * The stable reason; empty where whoever answered gave none. A newer referee may send one that
     * this package does not know: it has a type only where it does.
     */
    readonly reason: Reason | "" | (string & {}),
    /** The message for people. */
    readonly detail: string,
    /** The values at fault, by name. */
    readonly metadata: Readonly<Record<string, string>> = {},
  ) {
    const clause = metadata["clause"] ?? "";
    super(`${reason || status[code]}${clause && ` (${clause})`}: ${detail}`);
    this.clause = clause;
  }

  /** Return what a failed call says, with the reason that travels in its ErrorInfo. */
  static fromCall(error: ServiceError): RefereeError {
    const [details] = error.metadata?.get("grpc-status-details-bin") ?? [];
    const info = details instanceof Uint8Array ? errorInfo(details) : undefined;
    const detail = error.details || "no message was given";
    return new RefereeError(error.code, info?.reason ?? "", detail, info?.metadata);
  }

  /** Whether it was refused for this reason. */
  is(...reasons: Reason[]): boolean {
    return (reasons as string[]).includes(this.reason);
  }

  /**
   * After how many milliseconds the call may be made again unchanged; undefined: never.
   *
   * A call that came too soon after others has done nothing, and the referee says when to come
   * again.
   */
  get retryAfter(): number | undefined {
    if (!this.is("TOO_MANY_CALLS")) return undefined;
    const milliseconds = this.metadata["retry_after_ms"] ?? "";
    return /^\d+$/.test(milliseconds) ? Number(milliseconds) : 0;
  }

  /**
   * Whether the call may have taken effect all the same: the connection was lost, the referee
   * stopped while it answered, or the time for one attempt ran out.
   */
  get outcomeUnknown(): boolean {
    const lost = [status.UNAVAILABLE, status.CANCELLED, status.DEADLINE_EXCEEDED];
    return lost.includes(this.code);
  }
}

/**
 * The referee could not be reached for as long as the client was told to be patient. Whether a
 * request that was under way took effect is unknown.
 */
export class RefereeUnavailableError extends ClientError {
  constructor(
    /** Where the referee was looked for. */
    readonly target: string,
    /** Milliseconds for which it was tried. */
    readonly milliseconds: number,
    /** What the last attempt met with. */
    readonly detail: string,
  ) {
    super(`no answer from ${target} in ${(milliseconds / 1000).toFixed(1)} s: ${detail}`);
  }
}

/** The log that the referee sends does not continue what it sent before. */
export class ForkedLog extends ClientError {
  constructor(
    /** The match. */
    readonly matchId: string,
    /** The sequence number of the first record that does not fit. */
    readonly sequence: number,
    /** What does not fit. */
    readonly detail: string,
  ) {
    super(`match ${matchId}, record ${sequence}: ${detail}`);
  }
}

/** The log says something of a seat that the seat did not do. */
export class FalseRecord extends ClientError {
  constructor(
    /** The match. */
    readonly matchId: string,
    /** The sequence number of the record. */
    readonly sequence: number,
    /** What is not true. */
    readonly detail: string,
  ) {
    super(`match ${matchId}, record ${sequence} is false: ${detail}`);
  }
}

/** A bot threw, or chose what is no move. What it threw is the `cause`. */
export class BotError extends ClientError {
  constructor(
    /** The match. */
    readonly matchId: string,
    /** The seat that it plays. */
    readonly seat: number,
    /** The decision that it was asked for. */
    readonly decisionId: number,
    /** What it did. */
    readonly detail: string,
    options?: ErrorOptions,
  ) {
    super(`the bot at seat ${seat} of match ${matchId}, decision ${decisionId}: ${detail}`, options);
  }
}

/** Tell whether what was caught is the status of a failed call. */
export function isServiceError(error: unknown): error is ServiceError {
  return error instanceof Error && "code" in error && "details" in error && "metadata" in error;
}
