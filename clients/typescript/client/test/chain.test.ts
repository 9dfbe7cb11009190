/** The hash chain, held against hashes that were computed elsewhere and a log that is kept. */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { BinaryReader } from "@bufbuild/protobuf/wire";

import { Chain } from "../src/chain.js";
import { commitment, ForkedLog, recordHash, type LogEntry } from "../src/index.js";
import { log } from "./fake_referee.js";

const GOLDEN = new URL("../../../../../tests/golden/maghribi-2.rlog", import.meta.url);

/** Return the records of a log file, each as the public is sent it. */
function entries(): LogEntry[] {
  const reader = new BinaryReader(readFileSync(GOLDEN).subarray("RONDALOG".length));
  const found: LogEntry[] = [];
  while (reader.pos < reader.len) {
    const record = Buffer.from(reader.bytes());
    found.push({ sequence: found.length, record, opening: undefined });
  }
  return found;
}

test("hashes and commitments are those that the pages of the log say", () => {
  assert.equal(
    recordHash(Buffer.from("0a0b0c", "hex")).toString("hex"),
    "53fd517019d9db94a4ebe5d5957912b5ce1b7171bb9735909cbb3813d11866d0",
  );
  // conformance/vectors/chain.json
  const nonce = Buffer.from(Array.from({ length: 32 }, (_, place) => place));
  const payload = Buffer.from("2a10080110021a04080710011a04080c1004", "hex");
  assert.equal(
    commitment(nonce, payload).toString("hex"),
    "b663f80eb76ecb114e9e83414daa58033689248117c0fb68cc9a0106cab62d7a",
  );
});

test("a whole log of a kept match is followed to its head", () => {
  const chain = new Chain("238067b0503734daf34d", 0);
  const seen = entries().map((entry) => chain.follow(entry));
  assert.equal(seen.length, 963);
  // tests/golden/index.json: what the signature, the last record, is made over.
  assert.equal(
    seen.at(-2)?.hash.toString("hex"),
    "9acfc7aa9403a451f62535f459b620bbd077b389d7183e29296f8c8ac5d25ba4",
  );
});

test("a record of another story is refused at the record after it", () => {
  const all = entries();
  const chain = new Chain("m", 0);
  for (const entry of all.slice(0, 100)) chain.follow(entry);
  const other = { ...all[100]!, record: Buffer.from(all[100]!.record) };
  // Within the time of the record, behind its number and the hash of the one before.
  other.record[2 + 2 + 32 + 3]! ^= 1;
  chain.follow(other);
  assert.throws(
    () => chain.follow(all[101]!),
    (error) => error instanceof ForkedLog && error.sequence === 101,
  );
});

test("records out of their order, and bytes that are no record, are refused", () => {
  const [first, second] = log(
    { $case: "forfeitDeclared", value: { seat: 0, reason: 2, decisionId: 0, deadlineMs: undefined } },
    { $case: "forfeitDeclared", value: { seat: 1, reason: 2, decisionId: 0, deadlineMs: undefined } },
  );
  assert.throws(() => new Chain("m", 0).follow(second!), /numbered 1 and the record in it 1/);
  assert.throws(
    () => new Chain("m", 0).follow({ ...first!, record: Buffer.from("ff", "hex") }),
    /its bytes are no LogRecord/,
  );
});

test("an opening that is not what the record commits to is refused", () => {
  const nonce = Buffer.alloc(32, 1);
  const payload = Buffer.from("1200", "hex");
  const hidden = (committed: Buffer) =>
    log({
      $case: "moveAccepted",
      value: {
        seat: 0,
        decisionId: 1,
        requestId: "r",
        move: undefined,
        commitment: committed,
        automatic: false,
        deadlineMs: undefined,
      },
    })[0]!;
  const opening = { sequence: 0, nonce, payload };
  const seen = new Chain("m", 0).follow({ ...hidden(commitment(nonce, payload)), opening });
  assert.deepEqual(seen.move, { move: { $case: "pass", value: {} } });
  assert.ok(seen.opened);
  assert.throws(
    () => new Chain("m", 0).follow({ ...hidden(Buffer.alloc(32)), opening }),
    /is not what it commits to/,
  );
});
