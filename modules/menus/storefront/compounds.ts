import { joinedWords, listCompounds, type SearchWord } from './search-terms.ts';

type CompoundEntry = { id: number; name: string; subtitle: string; categories: string };

/** Finds words that only the query or only the menu writes as one word. */
export type Compounds = {
  /** `idsOf` finds a word as written. */
  find(words: readonly SearchWord[], idsOf: (word: SearchWord) => readonly number[]): number[];
};

type Compound = { ids: Set<number>; firstLength: number };

/** Shorter words would match too much. */
const SHORTEST = 5;
const SHORTEST_BEGINNING = 4;
const FIELDS = ['name', 'subtitle', 'categories'] as const;

/**
 * Indexes adjacent words (STO-21). Only a whole compound matches; for the last word of a query,
 * also a prefix that is longer than the compound's first word.
 */
export function createCompounds(
  entries: readonly CompoundEntry[],
  terms: ReadonlySet<string>,
): Compounds {
  const compounds = new Map<string, Compound>();

  for (const entry of entries)
    for (const { text, firstLength } of FIELDS.flatMap((field) => listCompounds(entry[field]))) {
      const compound = compounds.get(text) ?? { ids: new Set(), firstLength };
      compounds.set(text, compound);
      compound.ids.add(entry.id);
    }

  function apart({ typed, otherLayout }: SearchWord, isLast: boolean): number[] {
    const spellings = [...typed, ...otherLayout];
    const whole = spellings.flatMap((spelling) => [...(compounds.get(spelling)?.ids ?? [])]);
    const long = isLast
      ? spellings.filter((spelling) => spelling.length >= SHORTEST_BEGINNING)
      : [];
    if (whole.length > 0 || long.length === 0) return whole;

    return [...compounds].flatMap(([text, { ids, firstLength }]) =>
      long.some((spelling) => spelling.length > firstLength && text.startsWith(spelling))
        ? [...ids]
        : [],
    );
  }

  return {
    find(words, idsOf) {
      const idSets = words.map((word, at) => new Set(apart(word, at === words.length - 1)));

      for (const { from, to, word } of joinedWords(words))
        if (word.typed[0]!.length >= SHORTEST && word.typed.some((term) => terms.has(term)))
          for (const id of idsOf(word)) for (let at = from; at < to; at += 1) idSets[at]!.add(id);
      if (idSets.every((ids) => ids.size === 0)) return [];
      let commonIds: ReadonlySet<number> | null = null;

      for (const [at, word] of words.entries()) {
        const ids = new Set([...idSets[at]!, ...idsOf(word)]);
        commonIds = commonIds === null ? ids : commonIds.intersection(ids);
        if (commonIds.size === 0) return [];
      }

      return [...(commonIds ?? [])].toSorted((a, b) => a - b);
    },
  };
}
