/**
 * Plays one seat of a match: `node bots/dist/src/bot.js HOST:PORT MATCH_ID`, with the seat's token
 * in RONDA_SEAT_TOKEN or a file.
 *
 * The exit code is 0 once the match has ended, whoever won; 1 where something went wrong on the
 * way; 2 where the arguments cannot be used.
 */

import { credentials, type ChannelCredentials } from "@grpc/grpc-js";
import { ClientError, EndReason, playSeat, RefereeClient, type SeatResult } from "@ronda/client";

import { readArguments, USAGE, UsageError, type Arguments, type Tls } from "./arguments.js";
import { byName } from "./index.js";

/** Return a seat's result as `ronda bot --json` prints it. */
function asJson(result: SeatResult): string {
  return JSON.stringify({
    match_id: result.matchId,
    seat: result.seat,
    side: result.side,
    outcome: result.outcome,
    winners: result.winners,
    scores: result.scores,
    reason: EndReason[result.reason]?.replace("END_REASON_", ""),
    moves: result.moves,
  });
}

/** Return a seat's result as a sentence. */
function asText({ matchId, seat, outcome, scores }: SeatResult): string {
  return `match ${matchId}: seat ${seat} ${outcome}, ${scores.join(" : ")}`;
}

/**
 * Return credentials for TLS.
 *
 * @throws UsageError - A file holds no certificate or key.
 */
function credentialsOf({ roots, key, certificate }: Tls): ChannelCredentials {
  try {
    return credentials.createSsl(roots, key, certificate);
  } catch (error) {
    throw new UsageError(`TLS: ${(error as Error).message}`);
  }
}

async function play(given: Arguments): Promise<SeatResult> {
  const client = RefereeClient.connect(given.target, {
    backoff: { patience: given.patience },
    ...(given.tls === undefined ? {} : { credentials: credentialsOf(given.tls) }),
  });
  try {
    const joining = given.name === undefined ? {} : { name: given.name };
    const bot = byName(given.bot, given.seed);
    return await playSeat(client, given.matchId, given.token, bot, joining);
  } finally {
    client.close();
  }
}

async function main(): Promise<number> {
  try {
    const given = readArguments(process.argv.slice(2), process.env);
    if (given === "help") {
      process.stdout.write(USAGE);
      return 0;
    }
    const result = await play(given);
    console.log(given.json ? asJson(result) : asText(result));
    return 0;
  } catch (error) {
    if (!(error instanceof UsageError || error instanceof ClientError)) throw error;
    console.error(`bot: ${error.message}`);
    return error instanceof UsageError ? 2 : 1;
  }
}

process.exitCode = await main();
