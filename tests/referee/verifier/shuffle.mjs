// The notation (LOG-1), the shuffle (SHUFFLE-1 to SHUFFLE-7, SHUFFLE-9,
// SHUFFLE-10) and the hashes of a log (LOG-5, LOG-12,
// LOG-18).

import { createHash, createHmac, createPublicKey, verify } from "node:crypto";

export const u32 = (number) => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(number);
  return bytes;
};

const u64 = (number) => {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64BE(BigInt(number));
  return bytes;
};

const lp = (value) => {
  const bytes = Buffer.from(value);
  return Buffer.concat([u32(bytes.length), bytes]);
};

const sha256 = (...parts) => createHash("sha256").update(Buffer.concat(parts)).digest();
const hmac = (key, ...parts) => createHmac("sha256", key).update(Buffer.concat(parts)).digest();

export const recordHash = (record) => sha256(lp("ronda.v1 record"), record);
export const commitmentTo = (nonce, payload) => sha256(lp("ronda.v1 hidden event"), nonce, payload);
export const seedCommitment = (seed) => sha256(lp("ronda.v1 seed"), seed);
export const signedMessage = (head) => Buffer.concat([lp("ronda.v1 log head"), head]);

export function signatureIsValid(publicKey, signature, head) {
  const x = Buffer.from(publicKey).toString("base64url");
  const key = createPublicKey({ key: { kty: "OKP", crv: "Ed25519", x }, format: "jwk" });
  return verify(null, signedMessage(head), key, signature);
}

// The keys of a match (SHUFFLE-2) and of a deal, and its bytes (SHUFFLE-3).
export const matchKey = (seed, matchId, entropies) =>
  hmac(seed, lp("ronda.v1 match"), lp(matchId), u32(entropies.length), ...entropies.map(lp));

// The key of all matches that share a shuffle (SHUFFLE-9).
export const sharedMatchKey = (seed, shuffleId) =>
  hmac(seed, lp("ronda.v1 shared match"), lp(shuffleId));

// A tournament's commitment, and the seed of one of its groups (SHUFFLE-10).
export const tournamentCommitment = (seed) => sha256(lp("ronda.v1 tournament seed"), seed);
export const groupSeed = (seed, group) => hmac(seed, lp("ronda.v1 tournament group"), lp(group));

export const dealKey = (key, deal) => hmac(key, lp("ronda.v1 deal"), u32(deal));

export const block = (key, index) => hmac(key, lp("ronda.v1 stream"), u64(index));

// The bytes of a deal, read from the front.
export class DealBytes {
  constructor(key, deal) {
    this.key = dealKey(key, deal);
    this.read = 0;
  }

  next() {
    const place = this.read % 32;
    if (place === 0) this.block = block(this.key, this.read / 32);
    this.read += 1;
    return this.block[place];
  }

  // Gives a uniform number below n, which is 1 to 256 (SHUFFLE-4).
  below(n) {
    for (;;) {
      const byte = this.next();
      if (byte < 256 - (256 % n)) return byte % n;
    }
  }
}

// Cards are numbers from 0 in canonical order (SHUFFLE-5).
export const PACK = Array.from({ length: 40 }, (_, card) => card);
export const RANKS = [1, 2, 3, 4, 5, 6, 7, 10, 11, 12];
export const cardText = (card) => `${RANKS[card % 10]}${"oceb"[Math.floor(card / 10)]}`;
export const cardFrom = (text) => PACK.find((card) => cardText(card) === text);

// Draws cards one after the other and takes them out of the pack, a sorted list.
export function draw(bytes, pack, count) {
  const drawn = [];
  while (drawn.length < count) drawn.push(pack.splice(bytes.below(pack.length), 1)[0]);
  return drawn;
}

export class DrawsExhausted extends Error {}
export class DrawImpossible extends Error {}

// All that chance decides in one match, in order (SHUFFLE-6).
export class MatchDraws {
  // `fixed` are the cards of fixed draws (SHUFFLE-7), or undefined.
  constructor(key, fixed) {
    this.key = key;
    this.fixed = fixed;
    this.taken = 0;
    this.bytes = new DealBytes(key, 1);
    this.deal = 1;
    this.pack = [];
    this.aside = [];
  }

  dealer(seats) {
    return this.bytes.below(seats);
  }

  startDeal(deal) {
    if (deal !== this.deal) this.bytes = new DealBytes(this.key, deal);
    this.deal = deal;
    this.pack = [...PACK];
    this.aside = [];
  }

  cards(count) {
    if (count > this.pack.length) throw new DrawImpossible(`${count} cards from ${this.pack.length}`);
    if (this.fixed === undefined) return draw(this.bytes, this.pack, count);
    const cards = this.fixed.slice(this.taken, this.taken + count);
    if (cards.length < count) throw new DrawsExhausted(`the match needs more than ${this.fixed.length}`);
    this.taken += count;
    for (const card of cards) {
      const place = this.pack.indexOf(card);
      if (place < 0) throw new DrawImpossible(`${cardText(card)} is not in the pack`);
      this.pack.splice(place, 1);
    }
    return cards;
  }

  // Turns cards on the table; those that were given back before are in the pack again then.
  turn(count) {
    const cards = this.cards(count);
    this.pack = [...this.pack, ...this.aside].sort((one, other) => one - other);
    this.aside = [];
    return cards;
  }

  giveBack(cards) {
    this.aside = cards;
  }
}
