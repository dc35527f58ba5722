import { createHash } from 'node:crypto';

/** Repeatable choices: the same seed and key always give the same value, in any order of calls. */
export type Dice = {
  /** A number from 0 (included) to 1 (not included). */
  unit(key: string): number;
  /** A whole number from `min` to `max`, both included. */
  int(key: string, min: number, max: number): number;
  /** `count` different elements of `list`, in list order. */
  some<T>(key: string, list: readonly T[], count: number): T[];
  /** A version 4 uuid. */
  uuid(key: string): string;
};

/** Returns the dice of one seed. */
export function createDice(seed: number): Dice {
  const digest = (key: string): Buffer => createHash('sha1').update(`${seed}/${key}`).digest();
  const unit = (key: string): number => digest(key).readUInt32BE(0) / 0x1_0000_0000;
  const int = (key: string, min: number, max: number): number => min + Math.floor(unit(key) * (max - min + 1));

  const some = <T>(key: string, list: readonly T[], count: number): T[] => {
    const ranked = list.map((value, index) => ({ value, index, rank: unit(`${key}/${index}`) }));
    return ranked
      .toSorted((a, b) => a.rank - b.rank)
      .slice(0, count)
      .toSorted((a, b) => a.index - b.index)
      .map((entry) => entry.value);
  };

  const uuid = (key: string): string => {
    const hex = digest(key).toString('hex');
    const variant = '89ab'[Number.parseInt(hex.charAt(16), 16) % 4];
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
  };

  return { unit, int, some, uuid };
}
