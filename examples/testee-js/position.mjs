// Positions in notation (conformance/spec/position.md); whether one can come about is not checked.

import { Match, Refused, pack, same, without } from "./engine.mjs";

const KNOWN = ["seats", "deal", "dealer", "batch", "turn", "hands", "table", "piles", "scores", "laid",
  "capturer", "pack", "played"];
const LAST_BATCH = 6, BATCH_CARDS = 6;

const words = (text) => text.split(/\s+/).filter((word) => word && word !== "-");

const parseCard = (text) => /^\d+[oceb]$/.test(text)
  ? { rank: parseInt(text), suit: "oceb".indexOf(text.at(-1)) + 1 } : undefined;

export function readPosition(request) {
  const fields = {};
  for (const field of request.position.split(";")) {
    const [name, ...values] = words(field);
    if (!KNOWN.includes(name)) throw new Refused("UNSUPPORTED", `position: ${name}`);
    fields[name] = values.join(" ");
  }
  if (fields.seats !== "2") throw new Refused("UNSUPPORTED", "position: other than two seats");
  // A bare rank takes the first suit that the line does not use for it elsewhere.
  const used = words(request.position.replace(/[;/]/g, " ")).map(parseCard).filter(Boolean);
  const card = (word) => {
    const whole = parseCard(word);
    if (whole) return whole;
    const found = pack().find((one) => one.rank === Number(word) && !used.some((u) => same(u, one)));
    if (!found) throw new Refused("POSITION_INVALID", `no card ${word} is left`);
    used.push(found);
    return found;
  };
  const match = new Match(request);
  const numbers = (text) => words(text).map(Number);
  match.hands = fields.hands.split("/").map((hand) => words(hand).map(card));
  match.table = words(fields.table).map(card).sort((a, b) => a.rank - b.rank);
  match.piles = numbers(fields.piles);
  match.scores = numbers(fields.scores ?? "0 0");
  for (const name of ["deal", "dealer", "batch", "turn"]) match[name] = Number(fields[name] ?? 1);
  const laid = fields.laid && (parseCard(fields.laid) ?? { rank: Number(fields.laid) });
  match.laid = laid && match.table.find((one) => one.rank === laid.rank);
  if (fields.capturer) match.capturer = Number(fields.capturer);
  const inPlay = [...match.hands.flat(), ...match.table];
  const left = without(pack(), inPlay).slice(0, (LAST_BATCH - match.batch) * BATCH_CARDS);
  match.pack = fields.pack ? words(fields.pack).map(card) : left;
  return match;
}
