// The shuffle's test vectors, computed without a line of the referee's code.
//
// Written from the description of the shuffle alone, with Node's own hashes:
//
//     node tests/referee/shuffle_vectors.mjs
//
// prints the vectors as JSON. test_shuffle.py holds the same values as literals.

import { createHash, createHmac } from "node:crypto";

const PACK = ["o", "c", "e", "b"].flatMap((suit) =>
  [1, 2, 3, 4, 5, 6, 7, 10, 11, 12].map((rank) => `${rank}${suit}`),
);

const u32 = (number) => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(number);
  return bytes;
};

const u64 = (number) => {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64BE(BigInt(number));
  return bytes;
};

const prefixed = (value) => {
  const bytes = Buffer.from(value);
  return Buffer.concat([u32(bytes.length), bytes]);
};

const hmac = (key, ...parts) => createHmac("sha256", key).update(Buffer.concat(parts)).digest();

const commit = (seed) =>
  createHash("sha256").update(prefixed("ronda.v1 seed")).update(seed).digest();

const matchKey = (seed, matchId, entropies) =>
  hmac(
    seed,
    prefixed("ronda.v1 match"),
    prefixed(matchId),
    u32(entropies.length),
    ...entropies.map(prefixed),
  );

const sharedMatchKey = (seed, shuffleId) =>
  hmac(seed, prefixed("ronda.v1 shared match"), prefixed(shuffleId));

const groupSeed = (seed, group) =>
  hmac(seed, prefixed("ronda.v1 tournament group"), prefixed(group));

const commitTournament = (seed) =>
  createHash("sha256").update(prefixed("ronda.v1 tournament seed")).update(seed).digest();

function* dealBytes(key, deal) {
  const dealKey = hmac(key, prefixed("ronda.v1 deal"), u32(deal));
  for (let block = 0; ; block += 1) {
    yield* hmac(dealKey, prefixed("ronda.v1 stream"), u64(block));
  }
}

const uniform = (bytes, n) => {
  for (;;) {
    const byte = bytes.next().value;
    if (byte < 256 - (256 % n)) return byte % n;
  }
};

const draw = (bytes, pack, count) => {
  const drawn = [];
  while (drawn.length < count) {
    drawn.push(pack.splice(uniform(bytes, pack.length), 1)[0]);
  }
  return drawn.join(" ");
};

const take = (bytes, count) => Buffer.from(Array.from({ length: count }, () => bytes.next().value));

const seed = Buffer.from(Array.from({ length: 32 }, (_, index) => index));
const key = matchKey(seed, "m-7", [Buffer.from("first"), Buffer.alloc(0), Buffer.from([0, 255])]);
const sharedKey = sharedMatchKey(seed, "round 1, table 2");
const sharedWithDealer = dealBytes(sharedKey, 1);
const dealt = dealBytes(key, 2);
const withDealer = dealBytes(key, 1);

const vectors = {
  commitment: commit(seed).toString("hex"),
  match_key: key.toString("hex"),
  match_key_without_entropy: matchKey(seed, "m-7", [Buffer.alloc(0), Buffer.alloc(0)]).toString("hex"),
  match_key_of_other_text: matchKey(seed, "málaga", [Buffer.from("a"), Buffer.from("b")]).toString("hex"),
  stream_of_deal_1: take(dealBytes(key, 1), 70).toString("hex"),
  first_dealer_of_three: uniform(withDealer, 3),
  deal_1_after_dealer: draw(withDealer, [...PACK], 40),
  deal_2: draw(dealt, [...PACK], 40),
  deal_2_rest: take(dealt, 4).toString("hex"),
  deal_3_aces_and_kings: draw(
    dealBytes(key, 3),
    PACK.filter((card) => /^12?[a-z]$/.test(card)),
    5,
  ),
  shared_match_key: sharedKey.toString("hex"),
  shared_match_key_of_other_text: sharedMatchKey(seed, "málaga").toString("hex"),
  shared_match_key_of_the_match_id: sharedMatchKey(seed, "m-7").toString("hex"),
  shared_first_dealer_of_three: uniform(sharedWithDealer, 3),
  shared_deal_1_after_dealer: draw(sharedWithDealer, [...PACK], 40),
  shared_deal_2: draw(dealBytes(sharedKey, 2), [...PACK], 40),
  tournament_commitment: commitTournament(seed).toString("hex"),
  group_seed: groupSeed(seed, "round 1, table 2").toString("hex"),
  group_seed_of_other_text: groupSeed(seed, "málaga").toString("hex"),
};

console.log(JSON.stringify(vectors, null, 2));
