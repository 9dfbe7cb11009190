/** How to wait for a referee that does not answer. */

import { setTimeout as sleepFor } from "node:timers/promises";

import { RefereeUnavailableError } from "./errors.js";

/** How long to wait between attempts, and for how long to go on. Times are in milliseconds. */
export interface Backoff {
  /** The wait before the second attempt, at most; above 0. */
  readonly first: number;
  /** What the wait is multiplied by after each further failure; 1 or more. */
  readonly factor: number;
  /** What no single wait exceeds; `first` or more. */
  readonly cap: number;
  /** How long without any success until the client gives up; 0: after one attempt. */
  readonly patience: number;
}

/** The usual waits: from 50 ms doubled to 2 s, and a minute of patience. */
export const USUAL_BACKOFF: Backoff = { first: 50, factor: 2, cap: 2_000, patience: 60_000 };

/**
 * Return the usual waits with some of them replaced.
 *
 * @throws RangeError - They do not go together.
 */
export function backoff(changes: Partial<Backoff> = {}): Backoff {
  const made = { ...USUAL_BACKOFF, ...changes };
  if (!(made.first > 0 && made.factor >= 1 && made.cap >= made.first)) {
    const given = `first=${made.first}, factor=${made.factor}, cap=${made.cap}`;
    throw new RangeError(`a backoff needs first > 0, factor >= 1 and cap >= first, not ${given}`);
  }
  if (!(made.patience >= 0)) {
    throw new RangeError(`patience must not be negative, it is ${made.patience}`);
  }
  return made;
}

/** What time and chance are to a series of attempts; tests give their own. */
export interface Waiting {
  /** Give the time, in milliseconds from any start. */
  readonly now: () => number;
  /** Wait for so many milliseconds. */
  readonly sleep: (milliseconds: number) => Promise<unknown>;
  /** Give a number from 0 to 1. */
  readonly chance: () => number;
}

const REALLY: Waiting = {
  now: () => performance.now(),
  sleep: (milliseconds) => sleepFor(milliseconds),
  chance: Math.random,
};

/** One series of failed attempts: waits between them, and gives up in the end. */
export class Trouble {
  #since: number | undefined;
  #next: number;

  constructor(
    private readonly backoff: Backoff,
    private readonly target: string,
    private readonly waiting: Waiting = REALLY,
  ) {
    this.#next = backoff.first;
  }

  /** Note a success: patience and waits begin anew. */
  over(): void {
    this.#since = undefined;
    this.#next = this.backoff.first;
  }

  /**
   * Note a failure and wait before the next attempt.
   *
   * The wait is drawn between half and the whole of the present one, so that clients which lost
   * the referee together do not come back together. The last attempt is made when patience ends.
   *
   * @param detail - What the attempt met with.
   * @param atLeast - Milliseconds that the referee has asked to wait; the drawn wait comes on top.
   * @throws RefereeUnavailableError - Patience has ended.
   */
  async wait(detail: string, atLeast = 0): Promise<void> {
    const now = this.waiting.now();
    this.#since ??= now;
    const left = this.backoff.patience - (now - this.#since);
    if (left <= 0) throw new RefereeUnavailableError(this.target, now - this.#since, detail);
    const wait = atLeast + (this.#next / 2) * (1 + this.waiting.chance());
    this.#next = Math.min(this.#next * this.backoff.factor, this.backoff.cap);
    await this.waiting.sleep(Math.min(wait, left));
  }
}
