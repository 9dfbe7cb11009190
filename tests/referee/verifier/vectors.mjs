// Computes the test vectors in conformance/vectors again, from their inputs and the pages alone:
//
//     node tests/referee/verifier/vectors.mjs FOLDER
//
// prints as JSON how many values were computed, and which differ.

import { createPrivateKey, createPublicKey, sign } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { argv, stdout } from "node:process";

import { SCHEMA } from "./schema.mjs";
import {
  block,
  cardFrom,
  cardText,
  commitmentTo,
  DealBytes,
  dealKey,
  draw,
  groupSeed,
  matchKey,
  PACK,
  recordHash,
  seedCommitment,
  sharedMatchKey,
  signatureIsValid,
  signedMessage,
  tournamentCommitment,
} from "./shuffle.mjs";
import { verify } from "./verifier.mjs";
import { decode } from "./wire.mjs";

// PKCS #8 of an Ed25519 key, up to the 32 bytes of the key itself (RFC 8410).
const PKCS8 = Buffer.from("302e020100300506032b657004220420", "hex");

const folder = argv[2];
const read = (name) => JSON.parse(readFileSync(join(folder, name), "utf8"));
const bytes = (hex) => Buffer.from(hex, "hex");
const hex = (value) => Buffer.from(value).toString("hex");

let checked = 0;
const wrong = [];
function same(place, computed, given) {
  checked += 1;
  if (JSON.stringify(computed) !== JSON.stringify(given)) wrong.push({ place, computed, given });
}

function checkShuffle({ matches, uniform, decks }) {
  for (const [index, match] of matches.entries()) {
    const place = `shuffle.json matches[${index}]`;
    const seed = bytes(match.seed);
    same(`${place} seed_commitment`, hex(seedCommitment(seed)), match.seed_commitment);
    const key = matchKey(seed, match.match_id, match.entropies.map(bytes));
    same(`${place} match_key`, hex(key), match.match_key);
    for (const { deal, deal_key: given, blocks } of match.deals) {
      const ofDeal = dealKey(key, deal);
      same(`${place} deal ${deal} deal_key`, hex(ofDeal), given);
      same(`${place} deal ${deal} blocks`, [0, 1, 2].map((i) => hex(block(ofDeal, i))), blocks);
    }
  }
  for (const [index, { match_key: key, deal, below, numbers }] of uniform.entries()) {
    const row = new DealBytes(bytes(key), deal);
    same(`shuffle.json uniform[${index}]`, numbers.map(() => row.below(below)), numbers);
  }
  for (const [index, { match_key: key, deal, steps }] of decks.entries()) {
    checkDeck(`shuffle.json decks[${index}]`, new DealBytes(bytes(key), deal), steps);
  }
}

function checkShared({ shared, tournaments }) {
  for (const [index, one] of shared.entries()) {
    const place = `shuffle.json shared[${index}]`;
    const seed = bytes(one.seed);
    same(`${place} seed_commitment`, hex(seedCommitment(seed)), one.seed_commitment);
    const key = sharedMatchKey(seed, one.shuffle_id);
    same(`${place} match_key`, hex(key), one.match_key);
    for (const { deal, deal_key: given, blocks } of one.deals) {
      const ofDeal = dealKey(key, deal);
      same(`${place} deal ${deal} deal_key`, hex(ofDeal), given);
      same(`${place} deal ${deal} blocks`, [0, 1, 2].map((i) => hex(block(ofDeal, i))), blocks);
    }
    checkDeck(`${place} deck`, new DealBytes(key, 1), one.deck);
  }
  for (const [index, { seed, commitment, groups }] of tournaments.entries()) {
    const place = `shuffle.json tournaments[${index}]`;
    same(`${place} commitment`, hex(tournamentCommitment(bytes(seed))), commitment);
    for (const { group, group_seed: given, seed_commitment: committed } of groups) {
      const ofGroup = groupSeed(bytes(seed), group);
      same(`${place} ${group} group_seed`, hex(ofGroup), given);
      same(`${place} ${group} seed_commitment`, hex(seedCommitment(ofGroup)), committed);
    }
  }
}

function checkDeck(place, row, steps) {
  let pack = [...PACK];
  let aside = [];
  for (const [index, step] of steps.entries()) {
    const here = `${place} steps[${index}]`;
    if (step.step === "dealer") {
      same(here, row.below(step.seats), step.seat);
    } else if (step.step === "put_back") {
      aside = step.cards.split(" ").map(cardFrom);
    } else {
      same(here, draw(row, pack, step.count).map(cardText).join(" "), step.cards);
      if (step.step === "turn") {
        pack = [...pack, ...aside].sort((one, other) => one - other);
        aside = [];
      }
    }
  }
}

function checkChain({ commitments, records, signatures }) {
  for (const [index, { type, nonce, payload, commitment }] of commitments.entries()) {
    const place = `chain.json commitments[${index}]`;
    same(place, hex(commitmentTo(bytes(nonce), bytes(payload))), commitment);
    const { unknown, notCanonical } = decode(bytes(payload), SCHEMA, type.replace("ronda.v1.", ""));
    same(`${place} payload`, { unknown, notCanonical }, { unknown: false, notCanonical: false });
  }
  for (const [index, { kind, sequence, record, hash }] of records.entries()) {
    const place = `chain.json records[${index}]`;
    same(`${place} hash`, hex(recordHash(bytes(record))), hash);
    const { message, unknown, notCanonical } = decode(bytes(record), SCHEMA, "LogRecord");
    same(`${place} kind`, message.record, kind);
    same(`${place} sequence`, Number(message.sequence), sequence);
    same(`${place} form`, { unknown, notCanonical }, { unknown: false, notCanonical: false });
  }
  for (const [index, one] of signatures.entries()) {
    const place = `chain.json signatures[${index}]`;
    const der = Buffer.concat([PKCS8, bytes(one.private_key)]);
    const key = createPrivateKey({ key: der, format: "der", type: "pkcs8" });
    const { x } = createPublicKey(key).export({ format: "jwk" });
    same(`${place} public_key`, hex(Buffer.from(x, "base64url")), one.public_key);
    const message = signedMessage(bytes(one.head));
    same(`${place} message`, hex(message), one.message);
    same(`${place} signature`, hex(sign(null, message, key)), one.signature);
    const valid = signatureIsValid(bytes(one.public_key), bytes(one.signature), bytes(one.head));
    same(`${place} valid`, valid, true);
  }
}

const REASONS = ["UNSPECIFIED", "PLAYED", "FORFEITED", "NOT_JOINED", "CANCELLED"];

// What only the rules find is found later without them, or not at all.
function foundTooEarly(said, given) {
  return said !== null && said.record <= given.record;
}

function checkLogs({ public_key: key, logs }) {
  for (const log of logs) {
    const place = `logs.json ${log.id}`;
    const said = verify(Buffer.from(log.file, "base64"), bytes(key));
    if (log.needs_rules) {
      same(place, foundTooEarly(said.finding, log.finding), false);
    } else if (log.finding !== null) {
      const { kind, record, offset } = said.finding ?? {};
      same(place, { kind, record, offset }, log.finding);
    } else {
      same(place, said.finding, null);
      const { records, reason, winners, scores, head } = said;
      const told = { records, reason: REASONS[reason], winners, scores, head };
      const { finding, id, about, file, ...given } = log;
      same(`${place} says`, told, given);
    }
  }
}

checkShuffle(read("shuffle.json"));
checkShared(read("shuffle.json"));
checkChain(read("chain.json"));
checkLogs(read("logs.json"));
stdout.write(`${JSON.stringify({ checked, wrong }, null, 1)}\n`);
