/** Chance that a seed fixes, for bots whose games can be played again. */

/** Return what gives numbers from 0 up to but not 1, the same ones for the same seed. */
export function chances(seed: number): () => number {
  // A counter of 32 bits whose every value is mixed by two multiplications: good enough to choose
  // between moves, and no use for anything that must be hard to guess.
  let counter = seed >>> 0;
  return () => {
    counter = (counter + 0x9e3779b9) >>> 0;
    let mixed = Math.imul(counter ^ (counter >>> 16), 0x85ebca6b);
    mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
    return ((mixed ^ (mixed >>> 16)) >>> 0) / 2 ** 32;
  };
}
