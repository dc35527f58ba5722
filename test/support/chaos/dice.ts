/** Random numbers that repeat with the seed (mulberry32). */
export type Dice = {
  roll(): number;
  /** An integer, limits included. */
  between(from: number, to: number): number;
  pick<T>(list: readonly T[]): T;
  shuffled<T>(list: readonly T[]): T[];
};

export function createDice(seed: number): Dice {
  let state = seed >>> 0;
  const roll = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const between = (from: number, to: number): number => from + Math.floor(roll() * (to - from + 1));
  return {
    roll,
    between,
    pick<T>(list: readonly T[]): T {
      const found = list[between(0, list.length - 1)];
      if (found === undefined) throw new Error('nothing to pick from');
      return found;
    },
    shuffled: (list) =>
      list
        .map((entry) => ({ each: entry, order: roll() }))
        .toSorted((a, b) => a.order - b.order)
        .map(({ each }) => each),
  };
}
