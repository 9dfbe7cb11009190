// A program under test: reads RunRequests from standard input, writes a RunResponse for each to
// standard output, every message after its length. Logs go to standard error alone.

import { Match, Refused } from "./engine.mjs";
import { readPosition } from "./position.mjs";
import { decode, encode, readVarint, varintBytes } from "./protobuf.mjs";
import { RunRequest, RunResponse } from "./schema.mjs";

const TABLE_OF_FOUR = 1, FIRST_TURN = 1, UNDECLARED_NONE = 1, POINTS = 1, DEAL_END = 2;

// What is not implemented is refused with the reason UNSUPPORTED, which no scenario expects.
function requireSupported({ ruleSet: rules, seats, moves }) {
  const opening = rules.seats.find((one) => one.count === seats)?.opening;
  const steps = seats < (rules.chainMinSeats ?? 0) ? 1 : rules.ladder.length;
  const duty = Object.values(rules.dealerDuty ?? {});
  const lacks = {
    "other than two seats": seats !== 2, opening: opening !== TABLE_OF_FOUR, chains: steps > 1,
    timing: rules.timing !== FIRST_TURN, "the dealer's duty": duty.some((points) => points > 0),
    "a drawn first dealer": rules.firstDealer?.drawn, challenges: rules.challenge,
    "undeclared combinations": rules.undeclaredDetection !== UNDECLARED_NONE,
    "cards as payment": rules.scoring !== POINTS, "win check": rules.winCheck !== DEAL_END,
    announcements: moves.some((made) => made.move?.announce),
  };
  for (const what in lacks) if (lacks[what]) throw new Refused("UNSUPPORTED", what);
}

function refusing(refused, act) {
  try {
    return act();
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    return refused({ reason: error.reason, detail: error.message });
  }
}

function run(request) {
  requireSupported(request);
  const match = request.position ? readPosition(request) : new Match(request);
  if (!request.position) match.begin();
  const start = { events: match.unfold(), sight: match.sight() };
  const steps = request.moves.map(({ seat = 0, move }) => {
    const refusal = refusing((one) => one, () => match.move(seat, move));
    return { refusal, events: refusal ? [] : match.unfold(), sight: match.sight() };
  });
  return { start, steps };
}

let input = Buffer.alloc(0);
process.stdin.on("data", (chunk) => {
  input = Buffer.concat([input, chunk]);
  for (;;) {
    const [length, start] = readVarint(input, 0) ?? [Infinity, 0];
    if (input.length < start + length) return;
    const request = decode(RunRequest, input.subarray(start, start + length));
    input = input.subarray(start + length);
    const answer = encode(RunResponse, refusing((refusal) => ({ refusal }), () => run(request)));
    process.stdout.write(Buffer.concat([varintBytes(answer.length), answer]));
  }
});
