/** Range in UTF-16 units. `phrase` is its key. */
export type FoundPhrase = { phrase: string; start: number; end: number };

const WORD = /[\p{L}\p{N}][\p{L}\p{N}\p{M}\p{Cf}]*/gu;

/**
 * Returns the key of a phrase, which ignores case, ё/е, Unicode composition and separators
 * (CMP-22). Empty if the phrase contains no word.
 */
export function phraseKey(phrase: string): string {
  return splitWords(phrase)
    .map(({ word }) => word)
    .join(' ');
}

/**
 * Finds whole words, left to right. The longest match wins, and matches do not overlap. Empty
 * keys never match.
 */
export function createPhraseFinder(keys: Iterable<string>): (text: string) => FoundPhrase[] {
  const byFirst = new Map<string, string[][]>();

  for (const key of new Set(keys)) {
    if (key === '') continue;
    const words = key.split(' ');
    const beginners = byFirst.get(words[0]!);
    if (beginners === undefined) byFirst.set(words[0]!, [words]);
    else beginners.push(words);
  }

  for (const beginners of byFirst.values()) beginners.sort((a, b) => b.length - a.length);

  return (text) => {
    const words = splitWords(text);
    const phrases: FoundPhrase[] = [];

    for (let at = 0; at < words.length; at += 1) {
      const phrase = byFirst
        .get(words[at]!.word)
        ?.find((candidate) => candidate.every((word, index) => words[at + index]?.word === word));
      if (phrase === undefined) continue;
      const last = at + phrase.length - 1;
      phrases.push({ phrase: phrase.join(' '), start: words[at]!.start, end: words[last]!.end });
      at = last;
    }

    return phrases;
  };
}

function splitWords(text: string): { word: string; start: number; end: number }[] {
  return Array.from(text.matchAll(WORD), ({ 0: word, index: start }) => ({
    word: foldWord(word),
    start,
    end: start + word.length,
  }));
}

const foldWord = (word: string): string =>
  word
    .replaceAll(/\p{Cf}/gu, '')
    .normalize('NFKC')
    .toUpperCase()
    .toLowerCase()
    .normalize('NFKC')
    .replaceAll('ё', 'е')
    .replaceAll(' ', '');
