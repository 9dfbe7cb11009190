/**
 * Creates a match and plays all its seats from one program:
 * `node bots/dist/src/whole_match.js HOST:PORT`.
 */

import { playSeat, RefereeClient, RefereeError } from "@ronda/client";

import { LowestBot, RandomBot } from "./index.js";

const client = RefereeClient.connect(process.argv[2] ?? "127.0.0.1:7632");
try {
  const { matchId, seatTokens } = await client.createMatch("maghribi", 2);
  const bots = [new LowestBot(), new RandomBot(1)];
  const [first] = await Promise.all(
    bots.map((bot, seat) => playSeat(client, matchId, seatTokens[seat]!, bot)),
  );
  console.log(`${first!.scores.join(" : ")}, winner: ${first!.winners.join(", ")}`);
} catch (error) {
  if (!(error instanceof RefereeError && error.is("ORGANISER_ONLY"))) throw error;
  console.error("this referee lets organisers alone create matches");
  process.exitCode = 1;
} finally {
  client.close();
}
