/** What the bots choose, and what the script takes. */

import assert from "node:assert/strict";
import { test } from "node:test";

import {
  AnnouncementKind,
  Rank,
  SeatView,
  Suit,
  type Decision,
  type Move,
} from "@ronda/client";

import { readArguments, UsageError } from "../src/arguments.js";
import { chances } from "../src/chances.js";
import { byName, LowestBot, RandomBot } from "../src/index.js";

const PASS: Move = { move: { $case: "pass", value: {} } };
const VIEW = SeatView.create();

function play(rank: Rank): Move {
  return { move: { $case: "play", value: { card: { rank, suit: Suit.SUIT_OROS } } } };
}

function announce(kind: AnnouncementKind): Move {
  return { move: { $case: "announce", value: { kind } } };
}

function decision(legalMoves: Move[], ...trueAnnouncements: AnnouncementKind[]): Decision {
  return { decisionId: 1, seat: 0, legalMoves, trueAnnouncements, millisecondsLeft: undefined };
}

const RONDA = announce(AnnouncementKind.ANNOUNCEMENT_KIND_RONDA);
const TRINGA = announce(AnnouncementKind.ANNOUNCEMENT_KIND_TRINGA);

test("the lowest bot says what is true, else plays its lowest card, else passes", () => {
  const bot = new LowestBot();
  const cards = [play(Rank.RANK_10), play(Rank.RANK_7), play(Rank.RANK_12)];
  const moves = [RONDA, TRINGA, ...cards];
  assert.deepEqual(
    bot.choose(VIEW, decision(moves, AnnouncementKind.ANNOUNCEMENT_KIND_TRINGA)),
    TRINGA,
  );
  assert.deepEqual(bot.choose(VIEW, decision(moves)), play(Rank.RANK_7));
  const challenge: Move = { move: { $case: "challenge", value: { seat: 1 } } };
  assert.deepEqual(bot.choose(VIEW, decision([challenge, PASS])), PASS);
});

test("the random bot makes every legal move in time, and never says what is not true", () => {
  const bot = new RandomBot(1);
  const asked = decision(
    [RONDA, TRINGA, play(Rank.RANK_1), play(Rank.RANK_2)],
    AnnouncementKind.ANNOUNCEMENT_KIND_RONDA,
  );
  const chosen = Array.from({ length: 300 }, () => bot.choose(VIEW, asked));
  const times = (move: Move) => chosen.filter((one) => one === move).length;
  for (const move of [asked.legalMoves[0]!, asked.legalMoves[2]!, asked.legalMoves[3]!]) {
    assert.ok(times(move) > 60, `${times(move)} of 300`);
  }
  assert.equal(times(asked.legalMoves[1]!), 0);
});

test("a seed fixes what comes, and another one gives something else", () => {
  const row = (seed: number) => Array.from({ length: 20 }, chances(seed));
  assert.deepEqual(row(7), row(7));
  assert.notDeepEqual(row(7), row(8));
  for (const number of row(7)) assert.ok(number >= 0 && number < 1);
});

test("a bot without a name that is known is refused with those that are", () => {
  assert.ok(byName("random", 3) instanceof RandomBot);
  assert.throws(() => byName("toString"), /there is no bot "toString"; there are: lowest, random/);
});

const TOKEN = { RONDA_SEAT_TOKEN: " the-token\n" };

test("the token comes from the environment, and never from the command line", () => {
  assert.deepEqual(readArguments(["127.0.0.1:7632", "m"], TOKEN), {
    target: "127.0.0.1:7632",
    matchId: "m",
    token: "the-token",
    bot: "random",
    name: undefined,
    seed: 0,
    patience: 60_000,
    tls: undefined,
    json: false,
  });
});

test("beyond loopback TLS is spoken, with the usual roots where none are named", () => {
  const given = readArguments(["referee.example:7632", "m"], TOKEN);
  assert.ok(given !== "help");
  assert.deepEqual(given.tls, { roots: null, certificate: null, key: null });
});

test("what cannot be used is refused with what is wrong", () => {
  const refused = (words: string[], environment: NodeJS.ProcessEnv, message: RegExp) =>
    assert.throws(
      () => readArguments(words, environment),
      (error) => error instanceof UsageError && message.test(error.message),
    );
  refused([], TOKEN, /give HOST:PORT and the match's id/);
  refused(["127.0.0.1:1", "m", "token"], TOKEN, /nothing beside options/);
  refused(["127.0.0.1", "m"], TOKEN, /is no HOST:PORT/);
  refused(["127.0.0.1:1", "m"], {}, /--token-file or RONDA_SEAT_TOKEN/);
  refused(["127.0.0.1:1", "m", "--token-file", "/nowhere"], TOKEN, /--token-file \/nowhere: ENOENT/);
  refused(["127.0.0.1:1", "m", "--bot", "best"], TOKEN, /--bot: .*lowest, random/);
  refused(["127.0.0.1:1", "m", "--seed", "x"], TOKEN, /--seed: "x" is no number/);
  refused(["127.0.0.1:1", "m", "--tokn"], TOKEN, /--tokn/);
  const alone = { ...TOKEN, RONDA_TLS_CLIENT_KEY: import.meta.filename };
  refused(["127.0.0.1:1", "m"], alone, /--tls-client-certificate and --tls-client-key go together/);
});
