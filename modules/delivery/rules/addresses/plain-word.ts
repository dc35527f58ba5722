import { readings } from '../../../../kernel/pure/typed-text.ts';

/** Lower case, е for ё, and Cyrillic letters for Latin ones that look the same. */
export function plainWord(text: string): string {
  const lower = text.toLowerCase().replaceAll('ё', 'е');
  return /[a-z]/.test(lower) ? (readings(lower).cyrillic ?? lower) : lower;
}
