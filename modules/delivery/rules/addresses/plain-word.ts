import { readings } from '../../../../kernel/pure/typed-text.ts';

/** Normalizes a word: lower case, е for ё, and Cyrillic for Latin letters of the same shape. */
export function plainWord(text: string): string {
  const lower = text.toLowerCase().replaceAll('ё', 'е');
  return /[a-z]/.test(lower) ? (readings(lower).cyrillic ?? lower) : lower;
}
