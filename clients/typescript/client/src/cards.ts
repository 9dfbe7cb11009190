/** Cards and ranks as people write them. */

import { Rank, Suit, type Card } from "./gen/ronda/v1/card.js";

const SUITS: Partial<Record<Suit, string>> = {
  [Suit.SUIT_OROS]: "o",
  [Suit.SUIT_COPAS]: "c",
  [Suit.SUIT_ESPADAS]: "e",
  [Suit.SUIT_BASTOS]: "b",
};

/**
 * Return the number on a card of this rank: 1 to 7 or 10 to 12.
 *
 * @throws RangeError - It is no rank.
 */
export function rankNumber(rank: Rank): number {
  const number = Number(Rank[rank]?.replace("RANK_", ""));
  if (!Number.isInteger(number)) throw new RangeError(`${rank} is no rank`);
  return number;
}

/**
 * Return a card as `7o`, `10c`, `12b`.
 *
 * @throws RangeError - Its rank or its suit is unset or unknown.
 */
export function cardText(card: Card): string {
  const suit = SUITS[card.suit];
  if (suit === undefined) throw new RangeError(`${card.suit} is no suit`);
  return `${rankNumber(card.rank)}${suit}`;
}
