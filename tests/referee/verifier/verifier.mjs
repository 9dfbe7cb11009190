// A verifier of match logs, written from the pages of conformance/spec/protocol.
//
// It checks everything that can be checked without the rules of the game (LOG-20).

import { readFile, Found } from "./file.mjs";
import { takeHeader, takeJoins } from "./header.mjs";
import { Play } from "./play.mjs";
import { cardOf, checkShown, Secrets } from "./secrets.mjs";
import { Series, wrong } from "./series.mjs";
import { MatchDraws, matchKey, sharedMatchKey, signatureIsValid } from "./shuffle.mjs";

const PLAYED = 1;
const FORFEITED = 2;
const NOT_JOINED = 3;
const CANCELLED = 4;

// Gives the draws of the match, or undefined where they hang on a secret that is not there.
function drawsOf(secrets, header, place, entropies) {
  let fixed;
  if (header.fixed_draws_commitment.length > 0) {
    fixed = secrets.fixedDraws(header)?.map(cardOf);
    if (fixed === undefined) return undefined;
    if (fixed.includes(undefined)) {
      throw wrong(place, "FIXED_DRAWS_INVALID", "SHUFFLE-7", "a card that there is not");
    }
  }
  const seed = secrets.seed(header);
  if (seed === undefined) return undefined;
  const key =
    header.shared_shuffle_id === ""
      ? matchKey(seed, header.match_id, entropies)
      : sharedMatchKey(seed, header.shared_shuffle_id);
  return new MatchDraws(key, fixed);
}

// Says how a match must have ended: reason, winners and scores (LOG-16).
function ending(play, header, clock) {
  if (play === undefined) {
    const timeout = header.terms.join_timeout_ms;
    const reason = timeout > 0n && clock >= timeout ? NOT_JOINED : CANCELLED;
    return { reason, winners: [], scores: [] };
  }
  if (play.ended === undefined) return { reason: CANCELLED, winners: [], scores: play.scores };
  if (play.sidesLeft.length > 1) return { reason: PLAYED, ...play.ended };
  return { reason: FORFEITED, winners: play.sidesLeft, scores: play.ended.scores };
}

function takeResult(series, header, play) {
  const place = series.take("match_result");
  const result = place.message.match_result;
  checkShown(place, header);
  const expected = ending(play, header, place.message.clock_ms);
  for (const name of ["reason", "winners", "scores"]) {
    const [recorded, due] = [result[name], expected[name]].map(String);
    if (recorded !== due) {
      throw wrong(place, "RESULT_WRONG", "LOG-16", `${name} is ${recorded}, and it should be ${due}`);
    }
    const late = series.time !== series.before.time || series.clock !== series.before.clock;
    if (name === "reason" && result.reason <= FORFEITED && late) {
      throw wrong(place, "TIME_WRONG", "LOG-7", "the result has a time of its own");
    }
  }
  return result;
}

function takeSignature(series, header) {
  const place = series.take("signature");
  const { previous_hash: head, signature } = place.message;
  if (!signatureIsValid(header.public_key, signature.signature, head)) {
    throw wrong(place, "SIGNATURE_INVALID", "LOG-18", "it is none of the head under the header's key");
  }
  return Buffer.from(head).toString("hex");
}

function verified(bytes, expectedKey) {
  const file = readFile(bytes);
  const series = new Series(file);
  const secrets = new Secrets(file.records);
  const { place, header } = takeHeader(series, expectedKey);
  const entropies = takeJoins(series, header);
  const draws = drawsOf(secrets, header, place, entropies);
  let play;
  if (entropies.length === header.seats) {
    play = new Play(series, secrets, header, place, draws);
    play.run();
  }
  const result = takeResult(series, header, play);
  secrets.check(series);
  const head = takeSignature(series, header);
  series.finish();
  return {
    match_id: header.match_id,
    seats: header.seats,
    records: file.records.length,
    deals: play?.deal ?? 0,
    moves: play?.moves ?? 0,
    tables: play?.tables ?? 0,
    forfeited: [...(play?.forfeited ?? [])],
    reason: result.reason,
    winners: result.winners,
    scores: result.scores,
    head,
  };
}

// Verifies the bytes of a log. Gives what it says, or under `finding` the first thing wrong with it.
export function verify(bytes, expectedKey) {
  try {
    return { finding: null, ...verified(bytes, expectedKey) };
  } catch (error) {
    if (!(error instanceof Found)) throw error;
    return { finding: error.finding };
  }
}
