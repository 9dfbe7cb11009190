/** What a refusal says, read from bytes that another implementation of protobuf has written. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { Metadata, status, type ServiceError } from "@grpc/grpc-js";

import { errorInfo } from "../src/error_info.js";
import { BotError, ClientError, RefereeError, type Reason } from "../src/index.js";

// google.rpc.Status with a BadRequest and then an ErrorInfo: CARD_NOT_IN_HAND, with `card` and
// `clause` in its metadata; the domain is cut out, to be put in.
const BEFORE =
  "0809121b7468652063617264206973206e6f7420696e207468652068616e641a420a29747970652e676f6f676c65" +
  "617069732e636f6d2f676f6f676c652e7270632e4261645265717565737412150a130a0e6d6f76652e706c61792e" +
  "636172641201781a650a28747970652e676f6f676c65617069732e636f6d2f676f6f676c652e7270632e4572726f" +
  "72496e666f12390a10434152445f4e4f545f494e5f48414e44";
const DOMAIN = "1208726f6e64612e7631";
const OTHER_DOMAIN = "1208726f6e64612e7632";
const AFTER = "1a0a0a04636172641202376f1a0f0a06636c6175736512054341502d31";

function failed(code: status, details?: Buffer): ServiceError {
  const metadata = new Metadata();
  if (details) metadata.set("grpc-status-details-bin", details);
  return Object.assign(new Error("failed"), { code, details: "not in the hand", metadata });
}

test("the reason, the clause and the values at fault are read from the details", () => {
  const details = Buffer.from(BEFORE + DOMAIN + AFTER, "hex");
  const error = RefereeError.fromCall(failed(status.FAILED_PRECONDITION, details));
  const expected: Reason = "CARD_NOT_IN_HAND";
  assert.equal(error.reason, expected);
  assert.ok(error.is("NOT_YOUR_TURN", "CARD_NOT_IN_HAND"));
  assert.ok(!error.is("NOT_YOUR_TURN"));
  // @ts-expect-error - A reason that the schema does not have is found by the compiler.
  assert.ok(!error.is("NOT_YOUR_TURM"));
  assert.equal(error.clause, "CAP-1");
  assert.deepEqual(error.metadata, { card: "7o", clause: "CAP-1" });
  assert.equal(error.message, "CARD_NOT_IN_HAND (CAP-1): not in the hand");
  assert.equal(error.name, "RefereeError");
  assert.ok(error instanceof ClientError);
});

test("an ErrorInfo of another domain is not ours, and the code stands alone", () => {
  const details = Buffer.from(BEFORE + OTHER_DOMAIN + AFTER, "hex");
  const error = RefereeError.fromCall(failed(status.FAILED_PRECONDITION, details));
  assert.equal(error.reason, "");
  assert.equal(error.message, "FAILED_PRECONDITION: not in the hand");
});

test("details that are cut off anywhere, or are noise, are read as what is whole or as nothing", () => {
  const whole = Buffer.from(BEFORE + DOMAIN + AFTER, "hex");
  for (let length = 0; length < whole.length; length += 1) {
    assert.equal(errorInfo(whole.subarray(0, length)), undefined, `${length} bytes`);
  }
  assert.equal(errorInfo(Buffer.from("ffffffffffff", "hex")), undefined);
});

test("only a lost connection, a stop and a time-out leave the outcome unknown", () => {
  const unknown = Object.values(status)
    .filter((code): code is status => typeof code === "number")
    .filter((code) => RefereeError.fromCall(failed(code)).outcomeUnknown);
  assert.deepEqual(unknown, [status.CANCELLED, status.DEADLINE_EXCEEDED, status.UNAVAILABLE]);
});

test("a call that came too soon says when it may come again", () => {
  const soon = (metadata: Record<string, string>) =>
    new RefereeError(status.RESOURCE_EXHAUSTED, "TOO_MANY_CALLS", "slowly", metadata).retryAfter;
  assert.equal(soon({ retry_after_ms: "250" }), 250);
  assert.equal(soon({}), 0);
  assert.equal(soon({ retry_after_ms: "-1" }), 0);
  const full = new RefereeError(status.RESOURCE_EXHAUSTED, "TOO_MANY_MATCHES", "full");
  assert.equal(full.retryAfter, undefined);
});

test("a bot's error keeps what the bot threw", () => {
  const thrown = new TypeError("nine");
  const error = new BotError("m", 1, 7, "choose() threw TypeError: nine", { cause: thrown });
  assert.equal(error.cause, thrown);
  assert.equal(error.message, "the bot at seat 1 of match m, decision 7: choose() threw TypeError: nine");
});
