const UNSEEN = /[\p{Default_Ignorable_Code_Point}\p{Cf}]/gu;
const DASH = /[\p{Pd}\u2212]/gu;

/**
 * Normalizes typed text for comparison (HTTP-25): NFKC, plain dashes, single spaces, no invisible
 * characters. Keeps case.
 */
export function typedText(text: string): string {
  return text
    .normalize('NFKC')
    .replace(UNSEEN, '')
    .replace(DASH, '-')
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .trim();
}

/** Look-alikes, paired by position. */
export const LOOK_ALIKES = { cyrillic: 'авекмнорстухіјѕ', latin: 'abekmhopctyxijs' } as const;
const pairs = (from: string, to: string) =>
  new Map(Array.from(from, (letter, at) => [letter, to[at]!]));
const toLatin = pairs(LOOK_ALIKES.cyrillic, LOOK_ALIKES.latin);
const toCyrillic = pairs(LOOK_ALIKES.latin, LOOK_ALIKES.cyrillic);

/**
 * Returns a lower-case word in each alphabet (HTTP-25). Null if a letter exists only in the other
 * alphabet.
 */
export function readings(word: string): { cyrillic: string | null; latin: string | null } {
  return {
    cyrillic: reading(word, toCyrillic, /\p{Script=Latin}/u),
    latin: reading(word, toLatin, /\p{Script=Cyrillic}/u),
  };
}

function reading(word: string, twins: ReadonlyMap<string, string>, others: RegExp): string | null {
  const read = Array.from(word, (letter) => twins.get(letter) ?? letter).join('');
  return others.test(read) ? null : read;
}
