/** Cards as people write them, and where a referee is. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { cardText, checkedTarget, isLoopback, Rank, rankNumber, RefereeClient, Suit } from "../src/index.js";

test("cards are written rank then suit", () => {
  assert.equal(cardText({ rank: Rank.RANK_7, suit: Suit.SUIT_OROS }), "7o");
  assert.equal(cardText({ rank: Rank.RANK_10, suit: Suit.SUIT_COPAS }), "10c");
  assert.equal(cardText({ rank: Rank.RANK_1, suit: Suit.SUIT_ESPADAS }), "1e");
  assert.equal(cardText({ rank: Rank.RANK_12, suit: Suit.SUIT_BASTOS }), "12b");
});

test("what is no card is refused", () => {
  assert.throws(() => rankNumber(Rank.RANK_UNSPECIFIED), /0 is no rank/);
  assert.throws(() => rankNumber(8 as Rank), /8 is no rank/);
  assert.throws(() => cardText({ rank: Rank.RANK_7, suit: Suit.SUIT_UNSPECIFIED }), /0 is no suit/);
});

test("a target is a host and a port", () => {
  for (const target of ["127.0.0.1:7632", "[::1]:7632", "referee.example:65535"]) {
    assert.equal(checkedTarget(target), target);
  }
  for (const target of ["", "127.0.0.1", ":7632", "::1:7632", "a:0", "a:65536", "http://a:1"]) {
    assert.throws(() => checkedTarget(target), /is no HOST:PORT, as 127\.0\.0\.1:7632/, target);
  }
});

test("loopback is this machine alone", () => {
  for (const target of ["127.0.0.1:1", "127.9.9.9:1", "localhost:1", "[::1]:1"]) {
    assert.ok(isLoopback(target), target);
  }
  for (const target of ["10.0.0.1:1", "127.example:1", "[::2]:1", "128.0.0.1:1"]) {
    assert.ok(!isLoopback(target), target);
  }
});

test("an organiser's token leaves this machine over TLS only", () => {
  const organiserToken = "a secret";
  assert.throws(
    () => RefereeClient.connect("10.0.0.1:7632", { organiserToken }),
    (error: Error) => /over TLS only/.test(error.message) && !error.message.includes("secret"),
  );
  RefereeClient.connect("127.0.0.1:7632", { organiserToken }).close();
});
