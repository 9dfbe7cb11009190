/** What the script that plays a seat is told: its arguments and its environment. */

import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";

import { checkedTarget, isLoopback } from "@ronda/client";

import { NAMES } from "./index.js";

/** Where a seat's token is looked for without a file, as `ronda bot` does. */
export const TOKEN_VARIABLE = "RONDA_SEAT_TOKEN";

export const USAGE = `usage: node bots/dist/src/bot.js HOST:PORT MATCH_ID [options]

Plays one seat of a match with a bot, to the end. The seat's token comes from a file or from the
environment variable ${TOKEN_VARIABLE}; on the command line others could read it.

  --token-file FILE    holds the seat's token
  --bot NAME           ${NAMES.join(" or ")} (default: random)
  --name NAME          the name to go by (default: the bot's)
  --seed N             fixes the choices of the bot (default: 0)
  --patience SECONDS   how long to wait for a referee that does not answer (default: 60)
  --tls-ca FILE        the roots that the referee's certificate must lead to, PEM; beyond loopback
                       TLS is spoken always (default: RONDA_TLS_CA, and else the usual roots)
  --tls-client-certificate FILE, --tls-client-key FILE
                       this client's certificate and its private key, PEM (default:
                       RONDA_TLS_CLIENT_CERTIFICATE, RONDA_TLS_CLIENT_KEY)
  --json               print one JSON object
`;

/** The arguments cannot be used; the message says which and why. */
export class UsageError extends Error {}

/** Files for TLS, PEM. */
export interface Tls {
  /** The roots that the referee's certificate must lead to; null: the usual ones. */
  readonly roots: Buffer | null;
  /** This client's certificate; null: it has none. */
  readonly certificate: Buffer | null;
  /** The certificate's private key; null: there is none. */
  readonly key: Buffer | null;
}

/** What to play, and how. */
export interface Arguments {
  readonly target: string;
  readonly matchId: string;
  readonly token: string;
  readonly bot: string;
  readonly name: string | undefined;
  readonly seed: number;
  /** In milliseconds. */
  readonly patience: number;
  /** What to speak TLS with; undefined: none is spoken. */
  readonly tls: Tls | undefined;
  readonly json: boolean;
}

/**
 * Return what the arguments and the environment say; "help" where that is asked for.
 *
 * @throws UsageError - They cannot be used.
 */
export function readArguments(given: string[], environment: NodeJS.ProcessEnv): Arguments | "help" {
  const { values, positionals } = parsed(given);
  if (values.help) return "help";
  const [target, matchId, ...others] = positionals;
  if (target === undefined || matchId === undefined || others.length > 0) {
    throw new UsageError("give HOST:PORT and the match's id, and nothing beside options");
  }
  try {
    checkedTarget(target);
  } catch (error) {
    throw new UsageError(String((error as Error).message));
  }
  if (!NAMES.includes(values.bot)) {
    throw new UsageError(`--bot: there is no bot "${values.bot}"; there are: ${NAMES.join(", ")}`);
  }
  const file = (option: TlsOption) => {
    const name = values[option] ?? environment[`RONDA_${option.toUpperCase().replaceAll("-", "_")}`];
    return name ? read(`--${option}`, name) : null;
  };
  const tls = {
    roots: file("tls-ca"),
    certificate: file("tls-client-certificate"),
    key: file("tls-client-key"),
  };
  if ((tls.certificate === null) !== (tls.key === null)) {
    throw new UsageError("--tls-client-certificate and --tls-client-key go together");
  }
  return {
    target,
    matchId,
    token: token(values["token-file"], environment),
    bot: values.bot,
    name: values.name,
    seed: number("--seed", values.seed),
    patience: number("--patience", values.patience) * 1000,
    tls: tls.roots || tls.key || !isLoopback(target) ? tls : undefined,
    json: values.json,
  };
}

type TlsOption = "tls-ca" | "tls-client-certificate" | "tls-client-key";

function parsed(given: string[]) {
  try {
    return parseArgs({
      args: given,
      allowPositionals: true,
      options: {
        "token-file": { type: "string" },
        bot: { type: "string", default: "random" },
        name: { type: "string" },
        seed: { type: "string", default: "0" },
        patience: { type: "string", default: "60" },
        "tls-ca": { type: "string" },
        "tls-client-certificate": { type: "string" },
        "tls-client-key": { type: "string" },
        json: { type: "boolean", default: false },
        help: { type: "boolean", short: "h", default: false },
      },
    });
  } catch (error) {
    throw new UsageError(String((error as Error).message));
  }
}

function number(option: string, text: string): number {
  const value = Number(text);
  if (text.trim() === "" || !Number.isFinite(value) || value < 0) {
    throw new UsageError(`${option}: "${text}" is no number that is 0 or more`);
  }
  return value;
}

/** Return the first token of the file, which has one a line and comments that begin with #. */
function token(file: string | undefined, environment: NodeJS.ProcessEnv): string {
  if (file === undefined) {
    const given = environment[TOKEN_VARIABLE]?.trim();
    if (!given) throw new UsageError(`give the seat's token with --token-file or ${TOKEN_VARIABLE}`);
    return given;
  }
  const lines = read("--token-file", file).toString("latin1").split("\n");
  const first = lines.map((line) => line.trim()).find((line) => line && !line.startsWith("#"));
  if (first === undefined) throw new UsageError(`--token-file ${file}: it is empty`);
  return first;
}

function read(option: string, file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    throw new UsageError(`${option} ${file}: ${(error as Error).message}`);
  }
}
