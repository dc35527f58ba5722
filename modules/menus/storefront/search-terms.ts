import { stemmer as english } from '@orama/stemmers/english';
import { stemmer as russian } from '@orama/stemmers/russian';
import { readings, typedText } from '../../../kernel/pure/typed-text.ts';

export type SearchWord = {
  /** The typed word, its stem and its simplified spelling. */
  typed: string[];
  /** Terms in the other keyboard layout, if they form a word. */
  otherLayout: string[];
};

const WORD = /\p{N}+(?:[.,]\p{N}+)?|\p{L}+/gu;
const ENGLISH_KEYS = "qwertyuiop[]asdfghjkl;'zxcvbnm,.";
const RUSSIAN_KEYS = 'йцукенгшщзхъфывапролджэячсмитьбю';
/** Letters of the other layout: ё, and capitals typed with Shift. */
const SIGNS = '`~{}:"<>';
const CAPITALS = 'еехъжэбю';
const toRussian = new Map(
  Array.from(ENGLISH_KEYS + SIGNS, (key, at) => [key, (RUSSIAN_KEYS + CAPITALS)[at]!]),
);
const toEnglish = new Map(Array.from(RUSSIAN_KEYS, (key, at) => [key, ENGLISH_KEYS[at]!]));

/** HTTP-25. */
function folded(text: string): string {
  return typedText(text).toLowerCase().replaceAll(/[ёë]/g, 'е');
}

export function listTerms(text: string): string[] {
  return splitWords(folded(text)).flatMap((word) => spellings(listReadings(word)[0]!));
}

/** On the other layout, punctuation keys are letters. */
export function queryWords(query: string): SearchWord[] {
  const searchWords = folded(query)
    .split(/\s+/)
    .flatMap((part) => {
      const words = splitWords(part);
      const converted = otherLayout(part);
      const otherWords = converted === null ? [] : splitWords(converted);
      if (words.length <= 1 || otherWords.length === 1)
        return words.length + otherWords.length === 0
          ? []
          : [{ typed: words.flatMap(typedKeys), otherLayout: otherWords.flatMap(spellings) }];

      return words.map((word) => ({ typed: typedKeys(word), otherLayout: [] }));
    });

  // Keeps the last of equal words, because it may be incomplete.
  const keys = searchWords.map((word) => JSON.stringify(word));

  return searchWords.filter((_, at) => keys.lastIndexOf(keys[at]!) === at);
}

/** Longest compound, as in «фиш-н-чипс». */
const MOST_JOINED = 3;

function listRuns<T>(items: readonly T[]): { from: number; to: number; run: readonly T[] }[] {
  return items.flatMap((_, from) =>
    Array.from({ length: MOST_JOINED - 1 }, (_each, more) => from + more + 2)
      .filter((to) => to <= items.length)
      .map((to) => ({ from, to, run: items.slice(from, to) })),
  );
}

/** Joins adjacent words that only blanks and hyphens separate (STO-21). */
export function listCompounds(text: string): { text: string; firstLength: number }[] {
  const parts = folded(text).match(/\p{L}+(?:[\s-]+\p{L}+)+/gu) ?? [];
  return parts.flatMap((part) =>
    listRuns(splitWords(part)).flatMap(({ run }) => {
      const word = listReadings(run.join(''))[0]!;
      return [...new Set([word, stemWord(word)])].map((spelling) => ({
        text: spelling,
        firstLength: run[0]!.length,
      }));
    }),
  );
}

export function joinedWords(
  words: readonly SearchWord[],
): { from: number; to: number; word: SearchWord }[] {
  return listRuns(words)
    .filter(({ run }) => run.every(({ typed }) => typed.length > 0 && /^\p{L}+$/u.test(typed[0]!)))
    .map(({ from, to, run }) => ({
      from,
      to,
      word: { typed: typedKeys(run.map(({ typed }) => typed[0]!).join('')), otherLayout: [] },
    }));
}

function splitWords(text: string): string[] {
  return [...text.matchAll(WORD)].map(([word]) => word.replace(',', '.'));
}

/** Cyrillic first; the word itself if it mixes alphabets. */
function listReadings(word: string): string[] {
  const { cyrillic, latin } = readings(word);
  const texts = [...new Set([cyrillic, latin])].filter((reading) => reading !== null);
  return texts.length === 0 ? [word] : texts;
}

function typedKeys(word: string): string[] {
  return listReadings(word).flatMap(spellings);
}

function spellings(word: string): string[] {
  return [...new Set([word, stemWord(word), plainSpelling(word)])];
}

/** Shorter words would match too much. */
const SHORTEST_PLAIN = 3;

/** Examples: «апелсин» and «аппельсин». */
function plainSpelling(word: string): string {
  const plain = word.replaceAll(/[ьъ]/g, '').replaceAll(/(\p{L})\1+/gu, '$1');
  return plain.length < SHORTEST_PLAIN ? word : plain;
}

function stemWord(word: string): string {
  if (/^[а-яіїєґў]+$/.test(word)) return russian(word);
  return /^[a-z]+$/.test(word) ? english(word) : word;
}

/** Null without letters, or if a key has no letter in the other layout. */
function otherLayout(text: string): string | null {
  if (!/\p{L}/u.test(text)) return null;
  const isRussian = /[а-я]/.test(text);
  const table = isRussian ? toEnglish : toRussian;
  let result = '';

  for (const character of text) {
    const other = table.get(character);
    if (other === undefined) return null;
    result += other;
  }

  return result;
}
