import { createHash } from 'node:crypto';

/** Repeatable: the same seed and key give the same value in any order of calls. */
export type Dice = {
  /** At least 0 and below 1. */
  unit(key: string): number;
  /** Inclusive. */
  int(key: string, min: number, max: number): number;
  /** Different elements, in list order. */
  some<T>(key: string, list: readonly T[], count: number): T[];
  uuid(key: string): string;
};

export function createDice(seed: number): Dice {
  const digest = (key: string): Buffer => createHash('sha1').update(`${seed}/${key}`).digest();
  const unit = (key: string): number => digest(key).readUInt32BE(0) / 0x1_0000_0000;
  const int = (key: string, min: number, max: number): number =>
    min + Math.floor(unit(key) * (max - min + 1));

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
