/** Waits double up to their cap, begin anew after a success, and end with patience. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { Trouble } from "../src/backoff.js";
import { backoff, RefereeUnavailableError } from "../src/index.js";

/** Return trouble whose time passes by its own waits alone, and the waits that it makes. */
function trouble(chance: number, patience: number): [Trouble, number[]] {
  const waits: number[] = [];
  let time = 0;
  const sleep = async (milliseconds: number) => {
    waits.push(milliseconds);
    time += milliseconds;
  };
  const made = backoff({ first: 100, factor: 2, cap: 500, patience });
  return [new Trouble(made, "127.0.0.1:1", { now: () => time, sleep, chance: () => chance }), waits];
}

test("each wait is drawn between half and the whole of one that doubles up to the cap", async () => {
  for (const [chance, expected] of [
    [0, [50, 100, 200, 250, 250]],
    [1, [100, 200, 400, 500, 500]],
  ] as const) {
    const [met, waits] = trouble(chance, 60_000);
    for (const _ of expected) await met.wait("nothing there");
    assert.deepEqual(waits, expected);
  }
});

test("after a success the waits begin anew", async () => {
  const [met, waits] = trouble(1, 60_000);
  await met.wait("nothing there");
  await met.wait("nothing there");
  met.over();
  await met.wait("nothing there");
  assert.deepEqual(waits, [100, 200, 100]);
});

test("what the referee asks for comes on top", async () => {
  const [met, waits] = trouble(1, 60_000);
  await met.wait("too soon", 1_000);
  assert.deepEqual(waits, [1_100]);
});

test("the last attempt is made when patience ends, and then it is given up", async () => {
  const [met, waits] = trouble(1, 250);
  await met.wait("nothing there");
  await met.wait("nothing there");
  assert.deepEqual(waits, [100, 150]);
  await assert.rejects(
    met.wait("nothing there"),
    new RefereeUnavailableError("127.0.0.1:1", 250, "nothing there"),
  );
});

test("waits that do not go together are refused", () => {
  assert.throws(() => backoff({ first: 0 }), RangeError);
  assert.throws(() => backoff({ factor: 0.5 }), RangeError);
  assert.throws(() => backoff({ first: 3_000 }), /needs first > 0, .* cap=2000/);
  assert.throws(() => backoff({ patience: -1 }), /patience must not be negative, it is -1/);
});
