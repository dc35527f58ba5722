const UNSEEN = /[\p{Default_Ignorable_Code_Point}\p{Cf}]/gu;
const DASH = /[\p{Pd}\u2212]/gu;

/**
 * A text that a person typed or pasted, as it is compared (rule HTTP-25): typographic forms and
 * dashes are plain, characters that are not shown are removed, and blanks are single and not at the
 * ends. Case and words stay.
 */
export function typedText(text: string): string {
  return text
    .normalize('NFKC')
    .replace(UNSEEN, '')
    .replace(DASH, '-')
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .trim();
}

/**
 * Cyrillic letters and the Latin ones that look the same, in lower case or as capitals; equal
 * positions are a pair.
 */
export const LOOK_ALIKES = { cyrillic: 'авекмнорстухіјѕ', latin: 'abekmhopctyxijs' } as const;
const pairs = (from: string, to: string) => new Map(Array.from(from, (letter, at) => [letter, to[at]!]));
const toLatin = pairs(LOOK_ALIKES.cyrillic, LOOK_ALIKES.latin);
const toCyrillic = pairs(LOOK_ALIKES.latin, LOOK_ALIKES.cyrillic);

/**
 * A word in lower case as it can be read in one alphabet, when letters of the other one look the
 * same (rule HTTP-25): `cyrillic` and `latin` are null when some letter is only in the other
 * alphabet. A word of letters that all look the same has both.
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
