// What a log hides until its end (LOG-12, LOG-16, LOG-17), taken from the end.

import { SCHEMA } from "./schema.mjs";
import { wrong } from "./series.mjs";
import { commitmentTo, RANKS, seedCommitment } from "./shuffle.mjs";
import { decode, Undecodable } from "./wire.mjs";

const fits = (nonce, payload, commitment) =>
  nonce.length === 32 && commitmentTo(nonce, payload).equals(commitment);

// Gives a card as its number in canonical order, or undefined where it is none.
export const cardOf = ({ rank, suit }) =>
  RANKS.includes(rank) && suit >= 1 && suit <= 4
    ? (suit - 1) * 10 + RANKS.indexOf(rank)
    : undefined;

const varint = (value) => {
  const bytes = [];
  for (let rest = BigInt.asUintN(64, BigInt(value)); ; rest >>= 7n) {
    if (rest < 0x80n) return [...bytes, Number(rest)];
    bytes.push(Number(rest & 0x7fn) | 0x80);
  }
};

// Gives the bytes of fixed draws as the one serialization has them (LOG-3).
function fixedDrawsBytes(draws) {
  const field = (tag, number) => (number === 0 ? [] : [tag, ...varint(number)]);
  const cards = draws.cards.map(({ rank, suit }) => [...field(8, rank), ...field(16, suit)]);
  return Buffer.from(cards.flatMap((card) => [10, card.length, ...card]));
}

export class Secrets {
  constructor(records) {
    this.results = records.filter(({ message }) => message.record === "match_result");
    this.openings = new Map();
    for (const { message } of records) {
      const { opening } = message;
      if (opening !== undefined && !this.openings.has(opening.sequence)) {
        this.openings.set(opening.sequence, opening);
      }
    }
    this.sealed = [];
  }

  // Gives the seed that opens the header's commitment, or undefined (SHUFFLE-1).
  seed(header) {
    return this.results
      .map(({ message }) => message.match_result.seed)
      .find((seed) => opensSeed(seed, header));
  }

  // Gives the list of fixed draws that opens the header's commitment, or undefined (SHUFFLE-7).
  fixedDraws(header) {
    const result = this.results
      .map(({ message }) => message.match_result)
      .find((one) => opensDraws(one, header));
    return result?.fixed_draws.cards;
  }

  // Notes a commitment, and gives what it holds as a message of a kind; undefined where no opening
  // fits, which is found when the openings are checked.
  open(place, commitment, name) {
    if (commitment.length !== 32) {
      throw wrong(place, "COMMITMENT_WRONG", "LOG-12", `the commitment has ${commitment.length} bytes`);
    }
    const entry = { place, commitment, name };
    this.sealed.push(entry);
    const opening = this.openings.get(BigInt(place.number));
    if (opening === undefined || !fits(opening.nonce, opening.payload, commitment)) return undefined;
    try {
      const { message, unknown, notCanonical } = decode(opening.payload, SCHEMA, name);
      entry.poor = unknown || notCanonical ? "it is another serialization" : undefined;
      return message;
    } catch (error) {
      if (!(error instanceof Undecodable)) throw error;
      entry.poor = error.message;
      return undefined;
    }
  }

  // Takes the openings of all commitments, each once and in order (LOG-17).
  check(series) {
    for (const { place: sealed, commitment, poor } of this.sealed) {
      const place = series.take("opening");
      const { opening } = place.message;
      const find = (detail) => wrong(place, "OPENING_WRONG", "LOG-17", detail);
      if (opening.sequence !== BigInt(sealed.number)) {
        throw find(`that of record ${sealed.number} belongs here, not of ${opening.sequence}`);
      }
      if (!fits(opening.nonce, opening.payload, commitment)) {
        throw find(`it does not open record ${sealed.number}`);
      }
      if (poor !== undefined) throw find(`record ${sealed.number} commits to no message: ${poor}`);
    }
  }
}

const opensSeed = (seed, header) =>
  seed.length === 32 && seedCommitment(seed).equals(header.seed_commitment);

const opensDraws = (result, header) =>
  result.fixed_draws !== undefined &&
  fits(
    result.fixed_draws_nonce,
    fixedDrawsBytes(result.fixed_draws),
    header.fixed_draws_commitment,
  );

// Checks that a result shows what the header commits to (LOG-16).
export function checkShown(place, header) {
  const result = place.message.match_result;
  const find = (detail) => wrong(place, "FIXED_DRAWS_INVALID", "LOG-16", detail);
  if (header.fixed_draws_commitment.length > 0) {
    if (!opensDraws(result, header)) throw find("other draws than the header commits to");
  } else if (result.fixed_draws !== undefined || result.fixed_draws_nonce.length > 0) {
    throw find("fixed draws, and the header commits to none");
  }
  if (!opensSeed(result.seed, header)) {
    throw wrong(place, "SEED_WRONG", "SHUFFLE-1", "it is not the seed of the header's commitment");
  }
}
