/** Bots that play Ronda. They see what a seat sees and know nothing of the referee. */

import type { Bot } from "@ronda/client";

import { LowestBot } from "./lowest_bot.js";
import { RandomBot } from "./random_bot.js";

export { LowestBot, RandomBot };

const BOTS: Readonly<Record<string, (seed: number) => Bot>> = {
  lowest: () => new LowestBot(),
  random: (seed) => new RandomBot(seed),
};

/** The names that `byName` knows. */
export const NAMES: readonly string[] = Object.keys(BOTS);

/**
 * Return a new bot.
 *
 * @param name - `lowest` or `random`.
 * @param seed - Fixes its choices.
 * @throws RangeError - There is no bot of this name.
 */
export function byName(name: string, seed = 0): Bot {
  const made = Object.hasOwn(BOTS, name) ? BOTS[name] : undefined;
  if (made === undefined) {
    throw new RangeError(`there is no bot "${name}"; there are: ${NAMES.join(", ")}`);
  }
  return made(seed);
}
