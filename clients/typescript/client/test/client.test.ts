/** Calls are repeated with the same contents until their outcome is known, and not otherwise. */

import assert from "node:assert/strict";
import { afterEach, test } from "node:test";

import { status, type ServerUnaryCall, type sendUnaryData } from "@grpc/grpc-js";

import {
  ClientError,
  RefereeClient,
  RefereeError,
  RefereeUnavailableError,
  Rank,
  Suit,
  type JoinMatchRequest,
  type Move,
  type SubmitMoveRequest,
} from "../src/index.js";
import { fakeReferee, refusal } from "./fake_referee.js";

const PLAY: Move = {
  move: { $case: "play", value: { card: { rank: Rank.RANK_7, suit: Suit.SUIT_OROS } } },
};

const afterwards: (() => void)[] = [];
afterEach(() => {
  for (const end of afterwards.splice(0).reverse()) end();
});

/** Return a client of a referee that answers moves with these statuses in turn, and then well. */
async function refusing(...refusals: ReturnType<typeof refusal>[]) {
  const asked: SubmitMoveRequest[] = [];
  const referee = await fakeReferee({
    submitMove(call: ServerUnaryCall<SubmitMoveRequest, unknown>, answer: sendUnaryData<unknown>) {
      asked.push(call.request);
      const refused = refusals.shift();
      if (refused) answer(refused);
      else answer(null, { sequence: 42 });
    },
    joinMatch(call: ServerUnaryCall<JoinMatchRequest, unknown>, answer: sendUnaryData<unknown>) {
      const { name, entropy } = call.request;
      answer(null, { seat: name === "Ada" && entropy.equals(Buffer.from([1, 2])) ? 1 : 9 });
    },
  });
  const client = RefereeClient.connect(referee.target, {
    backoff: { first: 1, cap: 1, patience: 30_000 },
  });
  afterwards.push(referee.stop, () => client.close());
  return { client, asked };
}

test("a move whose answer was lost is sent again unchanged, under the same id", async () => {
  const lost = refusal(status.UNAVAILABLE);
  const { client, asked } = await refusing(lost, refusal(status.CANCELLED), lost);
  assert.equal(await client.submitMove("m", "t", 7, PLAY), 42);
  assert.equal(asked.length, 4);
  for (const request of asked) assert.deepEqual(request, asked[0]);
  assert.match(asked[0]!.requestId, /^[0-9a-f]{32}$/);
  assert.deepEqual([asked[0]!.matchId, asked[0]!.seatToken, asked[0]!.decisionId], ["m", "t", 7]);
  assert.deepEqual(asked[0]!.move, PLAY);
});

test("two moves have two ids, and one that is given is kept", async () => {
  const { client, asked } = await refusing();
  await client.submitMove("m", "t", 7, PLAY);
  await client.submitMove("m", "t", 8, PLAY);
  await client.submitMove("m", "t", 9, PLAY, "mine");
  assert.notEqual(asked[0]!.requestId, asked[1]!.requestId);
  assert.equal(asked[2]!.requestId, "mine");
});

test("what the referee refuses is thrown at once, with its reason", async () => {
  const stale = refusal(status.FAILED_PRECONDITION, "STALE_DECISION", [["decision_id", "7"]]);
  const { client, asked } = await refusing(stale);
  await assert.rejects(client.submitMove("m", "t", 7, PLAY), (error) => {
    assert.ok(error instanceof RefereeError);
    assert.equal(error.reason, "STALE_DECISION");
    assert.equal(error.code, status.FAILED_PRECONDITION);
    assert.deepEqual(error.metadata, { decision_id: "7" });
    return true;
  });
  assert.equal(asked.length, 1);
});

test("a call that came too soon is made again", async () => {
  const soon = refusal(status.RESOURCE_EXHAUSTED, "TOO_MANY_CALLS", [["retry_after_ms", "1"]]);
  const { client, asked } = await refusing(soon);
  assert.equal(await client.submitMove("m", "t", 7, PLAY), 42);
  assert.equal(asked.length, 2);
});

test("a seat is taken with the name and bytes that are given", async () => {
  const { client } = await refusing();
  assert.equal(await client.join("m", "t", { name: "Ada", entropy: new Uint8Array([1, 2]) }), 1);
});

test("a referee that stays away is given up", async () => {
  const referee = await fakeReferee({ joinMatch() {} });
  referee.stop();
  const client = RefereeClient.connect(referee.target, { backoff: { first: 1, patience: 1 } });
  afterwards.push(() => client.close());
  await assert.rejects(client.join("m", "t"), RefereeUnavailableError);
});

test("a client that was closed says so", async () => {
  const { client } = await refusing();
  client.close();
  await assert.rejects(client.join("m", "t"), (error) => {
    assert.ok(error instanceof ClientError);
    assert.match(error.message, /^the client of 127\.0\.0\.1:\d+ was closed$/);
    return true;
  });
});
