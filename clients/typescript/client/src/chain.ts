/**
 * The hash chain of a match's log, followed as it comes.
 *
 * Every record holds the hash of the one before, so whoever has seen a record knows at once when
 * the referee later tells another story (clause LOG-5). What a record hides it commits to, so that
 * nobody is dealt other cards than the log says (clause LOG-12).
 */

import { createHash } from "node:crypto";

import { ForkedLog } from "./errors.js";
import { Event } from "./gen/ronda/v1/event.js";
import { LogRecord } from "./gen/ronda/v1/log.js";
import { Move } from "./gen/ronda/v1/move.js";
import type { LogEntry } from "./gen/ronda/v1/referee_service.js";

const RECORD_DOMAIN = lengthPrefixed("ronda.v1 record");
const HIDDEN_DOMAIN = lengthPrefixed("ronda.v1 hidden event");
const NO_HASH = Buffer.alloc(32);

function lengthPrefixed(domain: string): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(Buffer.byteLength(domain));
  return Buffer.concat([length, Buffer.from(domain)]);
}

/** Return the 32-byte hash of a record, given the record's bytes as they stand in the log. */
export function recordHash(record: Uint8Array): Buffer {
  return createHash("sha256").update(RECORD_DOMAIN).update(record).digest();
}

/** Return the 32-byte commitment to an event or move, given its blinding nonce and its bytes. */
export function commitment(nonce: Uint8Array, payload: Uint8Array): Buffer {
  return createHash("sha256").update(HIDDEN_DOMAIN).update(nonce).update(payload).digest();
}

/** A record of the log as a watcher sees it. */
export interface SeenRecord {
  readonly kind: "record";
  /** The record, which is the same for every watcher. */
  readonly record: LogRecord;
  /** The event that it records, as fully as this watcher may see it. */
  readonly event: Event | undefined;
  /** The move that it records, as fully as this watcher may see it. */
  readonly move: Move | undefined;
  /** Whether the record hides something that this watcher may see, and so was shown. */
  readonly opened: boolean;
  /** The record's hash, 32 bytes. */
  readonly hash: Buffer;
}

/** Follows a log from some record on, across as many connections as it takes. */
export class Chain {
  #head: Buffer | undefined;
  #next: number;
  #seen = false;

  /**
   * Start before the record `nextSequence`; the first record is taken as it is. Where that is
   * record 0, nothing may come before it.
   */
  constructor(
    private readonly matchId: string,
    nextSequence: number,
  ) {
    this.#next = nextSequence;
    this.#head = nextSequence === 0 ? NO_HASH : undefined;
  }

  /** The sequence number of the record that comes next. */
  get nextSequence(): number {
    return this.#next;
  }

  /** Whether any record was followed. */
  get seen(): boolean {
    return this.#seen;
  }

  /** Return the error that says that the next record does not fit. */
  fork(detail: string): ForkedLog {
    return new ForkedLog(this.matchId, this.#next, detail);
  }

  /**
   * Check that an entry continues the log, and return its record.
   *
   * @throws ForkedLog - It does not.
   */
  follow(entry: LogEntry): SeenRecord {
    const record = this.#read("its bytes are no LogRecord", () => LogRecord.decode(entry.record));
    if (entry.sequence !== this.#next || record.sequence !== this.#next) {
      const numbers = `${entry.sequence} and the record in it ${record.sequence}`;
      throw this.fork(`the entry is numbered ${numbers}`);
    }
    if (this.#head !== undefined && !this.#head.equals(record.previousHash)) {
      const before = record.previousHash.toString("hex") || "nothing";
      const known = this.#head.toString("hex");
      throw this.fork(`it follows on ${before}, but the record before has the hash ${known}`);
    }
    const { event, move } = this.#opened(entry, record);
    this.#head = recordHash(entry.record);
    this.#next += 1;
    this.#seen = true;
    const opened = entry.opening !== undefined;
    return { kind: "record", record, event, move, opened, hash: this.#head };
  }

  /** Return the event or move of a record, opened where the entry opens what it hides. */
  #opened(
    { opening }: LogEntry,
    { record }: LogRecord,
  ): { event: Event | undefined; move: Move | undefined } {
    const move = record?.$case === "moveAccepted" ? record.value.move : undefined;
    const event = record?.$case === "eventLogged" ? record.value.event : undefined;
    if (opening === undefined) return { event, move };
    const holder =
      record?.$case === "moveAccepted" || record?.$case === "eventLogged" ? record : undefined;
    const made = commitment(opening.nonce, opening.payload);
    if (opening.sequence !== this.#next || !holder || !made.equals(holder.value.commitment)) {
      throw this.fork("what it is said to hide is not what it commits to");
    }
    const what = "what it hides is no Event or Move";
    return holder.$case === "moveAccepted"
      ? { event, move: this.#read(what, () => Move.decode(opening.payload)) }
      : { event: this.#read(what, () => Event.decode(opening.payload)), move };
  }

  #read<T>(what: string, decode: () => T): T {
    try {
      return decode();
    } catch (error) {
      throw this.fork(`${what}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
}
