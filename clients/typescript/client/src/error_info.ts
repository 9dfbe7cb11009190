/**
 * The `google.rpc.ErrorInfo` in a status, read from the bytes that travel beside it.
 *
 * The three messages are small and their types are not part of our schema, so that they are read
 * field by field: `Status.details` is 3, `Any.type_url` 1 and `value` 2, `ErrorInfo.reason` 1,
 * `domain` 2 and `metadata` 3, a map.
 */

import { BinaryReader } from "@bufbuild/protobuf/wire";

/** The domain of every reason of the schema. */
export const ERROR_DOMAIN = "ronda.v1";

const ERROR_INFO = "google.rpc.ErrorInfo";
const TEXT = new TextDecoder();

/** Why a request was refused, as machines read it. */
export interface ErrorInfo {
  /** The stable reason, as `NOT_YOUR_TURN`. */
  readonly reason: string;
  /** The values at fault, by name. */
  readonly metadata: Readonly<Record<string, string>>;
}

/**
 * Return the ErrorInfo of our domain in a serialized `google.rpc.Status`; undefined where there is
 * none or the bytes are no Status.
 */
export function errorInfo(status: Uint8Array): ErrorInfo | undefined {
  try {
    for (const any of fields(status).get(3) ?? []) {
      const parts = fields(any);
      if (text(parts, 1).split("/").at(-1) !== ERROR_INFO) continue;
      const info = fields(parts.get(2)?.at(-1) ?? new Uint8Array());
      if (text(info, 2) !== ERROR_DOMAIN) continue;
      return { reason: text(info, 1), metadata: Object.fromEntries((info.get(3) ?? []).map(pair)) };
    }
  } catch {
    // Details that cannot be read say nothing; the status code stands without them.
  }
  return undefined;
}

function pair(entry: Uint8Array): [string, string] {
  const parts = fields(entry);
  return [text(parts, 1), text(parts, 2)];
}

function text(parts: Map<number, Uint8Array[]>, field: number): string {
  return TEXT.decode(parts.get(field)?.at(-1));
}

/** Return a message's length-delimited fields, by number, in order. */
function fields(message: Uint8Array): Map<number, Uint8Array[]> {
  const found = new Map<number, Uint8Array[]>();
  const reader = new BinaryReader(message);
  while (reader.pos < reader.len) {
    const [field, wireType] = reader.tag();
    if (wireType === LENGTH_DELIMITED) {
      found.set(field, [...(found.get(field) ?? []), reader.bytes()]);
    } else {
      reader.skip(wireType, field);
    }
  }
  return found;
}

const LENGTH_DELIMITED = 2;
