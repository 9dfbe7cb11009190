/** A stream that breaks off is gone on with, and a bot is asked once for each decision. */

import assert from "node:assert/strict";
import { afterEach, test } from "node:test";

import { status, type ServerUnaryCall, type sendUnaryData } from "@grpc/grpc-js";

import {
  BotError,
  EndReason,
  FalseRecord,
  ForkedLog,
  playSeat,
  RefereeClient,
  RefereeError,
  WatchMatchResponse,
  type Bot,
  type JoinMatchRequest,
  type LogEntry,
  type LogRecord,
  type Move,
  type SubmitMoveRequest,
} from "../src/index.js";
import { fakeReferee, log, refusal, type Watching } from "./fake_referee.js";

const PASS: Move = { move: { $case: "pass", value: {} } };
const TURN = {
  view: { public: { seats: 2 }, seat: 1 },
  decision: { decisionId: 2, seat: 1, legalMoves: [PASS] },
};

const HEADER: LogRecord["record"] = {
  $case: "header",
  value: {
    formatVersion: 1,
    engineVersion: "0.1.0",
    matchId: "m",
    ruleSet: undefined,
    seats: 2,
    seedCommitment: Buffer.alloc(32),
    publicKey: Buffer.alloc(32),
    fixedDrawsCommitment: Buffer.alloc(0),
    terms: undefined,
  },
};
const RESULT: LogRecord["record"] = {
  $case: "matchResult",
  value: {
    reason: EndReason.END_REASON_PLAYED,
    winners: [1],
    scores: [3, 41],
    seed: Buffer.alloc(32),
    fixedDraws: undefined,
    fixedDrawsNonce: Buffer.alloc(0),
  },
};

function joined(name: string, entropy: Uint8Array): LogRecord["record"] {
  return { $case: "seatJoined", value: { seat: 1, name, entropy: Buffer.from(entropy) } };
}

function moved(move: Move): LogRecord["record"] {
  return {
    $case: "moveAccepted",
    value: {
      seat: 1,
      decisionId: 2,
      requestId: "r",
      move,
      commitment: Buffer.alloc(0),
      automatic: false,
      deadlineMs: undefined,
    },
  };
}

const afterwards: (() => void)[] = [];
afterEach(() => {
  for (const end of afterwards.splice(0).reverse()) end();
});

/** One message, and what the stream then does: it ends well, ends with a status, or goes on. */
type Message = Parameters<typeof WatchMatchResponse.fromPartial>[0];
type Script = [Message, "ends" | "goes on" | status, string?][];

/** Start a referee whose streams follow these scripts one after the other. */
async function scripted(...scripts: Script[]) {
  const wanted: number[] = [];
  const moves: SubmitMoveRequest[] = [];
  const joins: JoinMatchRequest[] = [];
  const referee = await fakeReferee({
    watchMatch(stream: Watching) {
      wanted.push(stream.request.fromSequence);
      for (const [message, then, reason] of scripts.shift() ?? []) {
        stream.write(WatchMatchResponse.fromPartial(message));
        if (then === "ends") stream.end();
        else if (then !== "goes on") stream.emit("error", refusal(then, reason));
      }
    },
    joinMatch(call: ServerUnaryCall<JoinMatchRequest, unknown>, answer: sendUnaryData<unknown>) {
      joins.push(call.request);
      answer(null, { seat: 1 });
    },
    submitMove(call: ServerUnaryCall<SubmitMoveRequest, unknown>, answer: sendUnaryData<unknown>) {
      moves.push(call.request);
      answer(null, { sequence: 2 });
    },
  });
  const client = RefereeClient.connect(referee.target, {
    backoff: { first: 1, cap: 1, patience: 30_000 },
  });
  afterwards.push(referee.stop, () => client.close());
  return { client, wanted, moves, joins };
}

class Passing implements Bot {
  asked = 0;
  choose(): Move {
    this.asked += 1;
    return PASS;
  }
}

const JOINING = { name: "Ada", entropy: new Uint8Array([7]) };
const ENDED = { logComplete: true };

test("a seat is played through every way in which a stream can break off", async () => {
  const all = log(HEADER, joined("Ada", JOINING.entropy), moved(PASS), RESULT);
  const { client, wanted, moves, joins } = await scripted(
    [[{ entries: all.slice(0, 1) }, status.UNAVAILABLE]],
    [[{ entries: all.slice(1, 2), turn: TURN }, status.RESOURCE_EXHAUSTED, "SLOW_WATCHER"]],
    [[{ turn: TURN, ended: { logComplete: false } }, "ends"]],
    [[{}, "ends"]],
    [[{ entries: all.slice(2, 3) }, status.RESOURCE_EXHAUSTED, "TOO_MANY_CALLS"]],
    [[{ entries: all.slice(3), ended: ENDED }, "ends"]],
  );
  const bot = new Passing();
  assert.deepEqual(await playSeat(client, "m", "token", bot, JOINING), {
    matchId: "m",
    seat: 1,
    side: 1,
    outcome: "won",
    winners: [1],
    scores: [3, 41],
    reason: EndReason.END_REASON_PLAYED,
    moves: 1,
  });
  assert.deepEqual(wanted, [0, 1, 2, 2, 2, 3]);
  assert.equal(bot.asked, 1);
  assert.equal(moves.length, 1);
  assert.deepEqual([joins.length, joins[0]!.name, joins[0]!.seatToken], [1, "Ada", "token"]);
});

test("a bot of a class goes by the name of its class and brings 32 bytes", async () => {
  const { client, joins } = await scripted([
    [{ entries: log(HEADER, RESULT), ended: ENDED }, "ends"],
  ]);
  await playSeat(client, "m", "token", new Passing());
  assert.equal(joins[0]!.name, "Passing");
  assert.equal(joins[0]!.entropy.length, 32);
});

test("a silent stream is left and gone on with", async () => {
  const all = log(HEADER, RESULT);
  const referee = await fakeReferee({
    watchMatch(stream: Watching) {
      const { fromSequence } = stream.request;
      const entries = all.slice(fromSequence, fromSequence + 1);
      const ended = fromSequence > 0 ? ENDED : undefined;
      stream.write(WatchMatchResponse.fromPartial({ entries, ended }));
      if (ended) stream.end();
    },
  });
  const client = RefereeClient.connect(referee.target, { silence: 50, backoff: { first: 1, cap: 1 } });
  afterwards.push(referee.stop, () => client.close());
  const seen: number[] = [];
  for await (const item of client.watch("m")) {
    if (item.kind === "record") seen.push(item.record.sequence);
  }
  assert.deepEqual(seen, [0, 1]);
});

async function fails(entries: LogEntry[], turn: boolean, bot: Bot = new Passing()) {
  const asked = turn ? [{ entries: entries.slice(0, 2), turn: TURN }] : [];
  const rest = { entries: turn ? entries.slice(2) : entries, ended: ENDED };
  const { client } = await scripted([
    ...asked.map((message): Script[number] => [message, "goes on"]),
    [rest, "ends"],
  ]);
  return playSeat(client, "m", "token", bot, JOINING);
}

test("a log that says that the seat brought other bytes is false", async () => {
  const entries = log(HEADER, joined("Ada", new Uint8Array([8])), RESULT);
  await assert.rejects(fails(entries, false), FalseRecord);
});

test("a log that says that the seat moved otherwise is false", async () => {
  const other: Move = { move: { $case: "challenge", value: { seat: 0 } } };
  const entries = log(HEADER, joined("Ada", JOINING.entropy), moved(other), RESULT);
  await assert.rejects(fails(entries, true), FalseRecord);
});

test("a log that is shorter after a return, or another one, is forked", async () => {
  const short = await scripted(
    [[{ entries: log(HEADER) }, status.UNAVAILABLE]],
    [[{}, status.OUT_OF_RANGE, "SEQUENCE_OUT_OF_RANGE"]],
  );
  await assert.rejects(playSeat(short.client, "m", "t", new Passing()), ForkedLog);
  const [, other] = log(RESULT, RESULT);
  const forked = await scripted(
    [[{ entries: log(HEADER) }, status.UNAVAILABLE]],
    [[{ entries: [other!], ended: ENDED }, "ends"]],
  );
  await assert.rejects(playSeat(forked.client, "m", "t", new Passing()), ForkedLog);
});

test("what a watcher is refused is thrown", async () => {
  const { client } = await scripted([[{}, status.PERMISSION_DENIED, "WRONG_TOKEN"]]);
  await assert.rejects(
    playSeat(client, "m", "t", new Passing()),
    (error) => error instanceof RefereeError && error.is("WRONG_TOKEN"),
  );
});

test("a bot that throws, or returns no move, is named with its decision", async () => {
  const entries = log(HEADER, joined("Ada", JOINING.entropy), RESULT);
  const throwing: Bot = {
    choose() {
      throw new TypeError("nine");
    },
  };
  await assert.rejects(fails(entries, true, throwing), (error) => {
    assert.ok(error instanceof BotError && error.cause instanceof TypeError);
    assert.equal(
      error.message,
      "the bot at seat 1 of match m, decision 2: choose() threw TypeError: nine",
    );
    return true;
  });
  const confused = { choose: () => undefined } as unknown as Bot;
  await assert.rejects(fails(entries, true, confused), /must return a ronda\.v1 Move, it returned undefined/);
});
