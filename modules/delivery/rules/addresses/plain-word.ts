import { readings } from '../../../../kernel/pure/typed-text.ts';

/** Normalizes a word; Latin letters that look Cyrillic become Cyrillic. */
export function plainWord(text: string): string {
  const lower = text.toLowerCase().replaceAll('ё', 'е');
  return /[a-z]/.test(lower) ? (readings(lower).cyrillic ?? lower) : lower;
}
