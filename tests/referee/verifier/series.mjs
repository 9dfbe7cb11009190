// The series of records: each one checked against its neighbours (LOG-4, LOG-5, LOG-7).

import { Found } from "./file.mjs";
import { recordHash } from "./shuffle.mjs";

const ZEROS = Buffer.alloc(32);
const FOLLOWING = new Set(["event_logged", "opening", "signature"]);

export class Series {
  constructor({ records, fault, end }) {
    this.records = records;
    this.fault = fault;
    this.end = end;
    this.next = 0;
    this.time = 0n;
    this.clock = 0n;
  }

  // What the next record records; undefined where there is none.
  get coming() {
    return this.records[this.next]?.message.record;
  }

  // Gives the next record, which must be one of some kinds.
  take(kinds, otherwise = "RECORD_OUT_OF_ORDER") {
    const place = this.records[this.next];
    const wanted = [kinds].flat().join(" or ");
    if (place === undefined) {
      if (this.fault !== undefined) throw this.fault;
      throw new Found("LOG_UNFINISHED", "LOG-19", this.next, this.end, `${wanted} is to come`);
    }
    this.check(place);
    const { message } = place;
    if (![kinds].flat().includes(message.record)) {
      throw wrong(place, otherwise, "LOG-6", `${wanted} belongs here, not ${message.record}`);
    }
    const later = message.time_ms !== this.time || message.clock_ms !== this.clock;
    if (FOLLOWING.has(message.record) && later) {
      throw wrong(place, "TIME_WRONG", "LOG-7", "it has not the times of the record before it");
    }
    this.next += 1;
    this.before = { time: this.time, clock: this.clock };
    this.time = message.time_ms;
    this.clock = message.clock_ms;
    return place;
  }

  finish() {
    if (this.fault !== undefined) throw this.fault;
  }

  check(place) {
    const { message } = place;
    if (message.sequence !== BigInt(this.next)) {
      throw wrong(place, "SEQUENCE_WRONG", "LOG-4", `it is numbered ${message.sequence}`);
    }
    if (this.next === 0 && !ZEROS.equals(message.previous_hash)) {
      throw wrong(place, "CHAIN_BROKEN", "LOG-5", "the first record follows on another");
    }
    const after = this.records[this.next + 1]?.message;
    const isNext = after !== undefined && after.sequence === BigInt(this.next + 1);
    if (isNext && !recordHash(place.data).equals(after.previous_hash)) {
      throw wrong(place, "CHAIN_BROKEN", "LOG-5", "the next record names another hash");
    }
    for (const [time, before] of [[message.time_ms, this.time], [message.clock_ms, this.clock]]) {
      if (time < before) throw wrong(place, "TIME_WRONG", "LOG-7", `${time} ms after ${before} ms`);
    }
  }
}

export const wrong = (place, kind, clause, detail) =>
  new Found(kind, clause, place.number, place.offset, detail);
