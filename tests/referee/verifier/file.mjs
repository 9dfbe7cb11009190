// A log file's records (LOG-2 to LOG-4), up to the first that cannot be read.

import { SCHEMA } from "./schema.mjs";
import { decode, Undecodable } from "./wire.mjs";

const MAGIC = Buffer.from("RONDALOG");
const LONGEST_RECORD = 1 << 20;

export class Found extends Error {
  constructor(kind, clause, record, offset, detail) {
    super(detail);
    this.finding = { kind, clause, record, offset, detail };
  }
}

function lengthAt(bytes, at, fault) {
  let size = 0;
  for (let taken = 0; ; taken += 1) {
    if (taken === 3) throw fault("RECORD_TOO_LONG", "LOG-2", "the length has more than three bytes");
    if (at + taken === bytes.length) throw fault("TRUNCATED", "LOG-2", "the file ends in a length");
    const byte = bytes[at + taken];
    size |= (byte & 0x7f) << (7 * taken);
    if (byte >= 0x80) continue;
    if (size > LONGEST_RECORD) throw fault("RECORD_TOO_LONG", "LOG-2", `${size} bytes are too many`);
    if (byte === 0 && taken > 0) {
      throw fault("LENGTH_NOT_MINIMAL", "LOG-2", "the length takes more bytes than it needs");
    }
    if (size === 0) throw fault("EMPTY_RECORD", "LOG-2", "the record is empty");
    return [size, taken + 1];
  }
}

// Gives the message in serialized bytes of a record.
function recordIn(data, fault) {
  let read;
  try {
    read = decode(data, SCHEMA, "LogRecord");
  } catch (error) {
    if (!(error instanceof Undecodable)) throw error;
    throw fault("UNDECODABLE_RECORD", "LOG-3", error.message);
  }
  if (read.unknown) throw fault("UNKNOWN_FIELDS", "LOG-3", "there are unknown fields");
  if (read.notCanonical) throw fault("NOT_CANONICAL", "LOG-3", "another serialization is allowed");
  if (read.message.record === undefined) throw fault("EMPTY_RECORD", "LOG-4", "it records nothing");
  return read.message;
}

// Gives the records that can be read, each with its number, offset, bytes and message; and what is
// wrong with the next one, or where the file ends.
export function readFile(bytes) {
  const records = [];
  let at = MAGIC.length;
  const fault = (kind, clause, detail) => new Found(kind, clause, records.length, at, detail);
  if (!bytes.subarray(0, MAGIC.length).equals(MAGIC)) {
    at = 0;
    return { records, fault: fault("NOT_A_LOG", "LOG-2", "it does not begin with RONDALOG") };
  }
  try {
    while (at < bytes.length) {
      if (records.at(-1)?.message.record === "signature") {
        throw fault("TRAILING_BYTES", "LOG-2", "bytes follow the signature");
      }
      const [size, taken] = lengthAt(bytes, at, fault);
      const data = bytes.subarray(at + taken, at + taken + size);
      if (data.length < size) throw fault("TRUNCATED", "LOG-2", "the file ends in a record");
      const message = recordIn(data, fault);
      records.push({ number: records.length, offset: at, data, message });
      at += taken + size;
    }
  } catch (error) {
    if (!(error instanceof Found)) throw error;
    return { records, fault: error };
  }
  return { records, end: at };
}
