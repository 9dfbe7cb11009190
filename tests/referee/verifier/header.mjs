// The header and the joins (LOG-8, LOG-9).

import { wrong } from "./series.mjs";

const LIMITS = {
  most_refusals: 1_000_000n,
  join_timeout_ms: 604_800_000n,
  spectator_delay: 1_000n,
  per_move_ms: 86_400_000n,
  bank_ms: 86_400_000n,
  increment_ms: 86_400_000n,
};
const FORFEIT = 1;
const AUTOMATIC = 2;

function checkTerms(place, terms) {
  const find = (detail) => wrong(place, "TERMS_REFUSED", "LOG-8", detail);
  const control = terms.time_control;
  for (const [name, value] of Object.entries({ ...terms, ...control })) {
    if (name in LIMITS && BigInt(value) > LIMITS[name]) throw find(`${name} is ${value}`);
  }
  if (control === undefined) {
    if (terms.time_out !== 0) throw find("no clock runs, and a time can run out");
    return;
  }
  if (![FORFEIT, AUTOMATIC].includes(terms.time_out)) throw find(`time_out is ${terms.time_out}`);
  if (control.per_move_ms === 0n && control.bank_ms === 0n) throw find("the clock gives no time");
}

// Takes the header; gives it with terms, which it may leave out whole.
export function takeHeader(series, expectedKey) {
  const place = series.take("header");
  const { header } = place.message;
  const find = (detail) => wrong(place, "HEADER_INCOMPLETE", "LOG-8", detail);
  if (header.format_version !== 1) {
    throw wrong(place, "FORMAT_UNSUPPORTED", "LOG-8", `version ${header.format_version}`);
  }
  for (const name of ["engine_version", "match_id"]) {
    if (header[name] === "") throw find(`${name} is empty`);
  }
  for (const name of ["seed_commitment", "public_key"]) {
    if (header[name].length !== 32) throw find(`${name} has ${header[name].length} bytes`);
  }
  if (![0, 32].includes(header.fixed_draws_commitment.length)) {
    throw find("fixed_draws_commitment has neither 32 bytes nor none");
  }
  if (header.fixed_draws_commitment.length > 0 && header.shared_shuffle_id !== "") {
    throw find("draws are fixed, and a shuffle is shared");
  }
  if (expectedKey !== undefined && !expectedKey.equals(header.public_key)) {
    throw wrong(place, "KEY_NOT_EXPECTED", "LOG-8", "the log is signed under another key");
  }
  if (!header.rule_set?.seats.some(({ count }) => count === header.seats)) {
    throw wrong(place, "RULE_SET_REFUSED", "LOG-8", `the rules have no ${header.seats} seats`);
  }
  const unset = {
    time_out: 0, most_refusals: 0, join_timeout_ms: 0n, spectator_delay: 0, time_control: undefined,
  };
  header.terms = { ...unset, ...header.terms };
  checkTerms(place, header.terms);
  return { place, header };
}

// Takes the joins; gives the bytes of the seats, by seat, of fewer where the match was cancelled.
export function takeJoins(series, header) {
  const entropies = new Map();
  const timeout = header.terms.join_timeout_ms;
  while (entropies.size < header.seats && series.coming !== "match_result") {
    const place = series.take("seat_joined");
    const { seat, entropy } = place.message.seat_joined;
    if (seat >= header.seats || entropies.has(seat)) {
      throw wrong(place, "SEAT_INVALID", "LOG-9", `seat ${seat} cannot join`);
    }
    if (timeout > 0n && place.message.clock_ms >= timeout) {
      throw wrong(place, "CLOCK_WRONG", "LOG-9", "the time to join was over");
    }
    entropies.set(seat, entropy);
  }
  return [...entropies.entries()].sort(([one], [other]) => one - other).map(([, bytes]) => bytes);
}
