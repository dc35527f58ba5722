import type { FoundPhrase } from '../../../kernel/pure/phrases.ts';
import { readBlocks } from './comment-blocks.ts';

/** Units of text on either side of a phrase as context, and of the phrase itself. */
const AROUND = 40;
const LONGEST = 120;

/**
 * The phrases that a finder finds in a comment outside of its blocks; none reaches across a block
 * (rule CMP-22).
 */
export function phrasesOutside(comment: string, find: (text: string) => FoundPhrase[]): FoundPhrase[] {
  const found: FoundPhrase[] = [];
  let from = 0;
  for (const { start, end } of [...readBlocks(comment).blocks, { start: comment.length, end: comment.length }]) {
    for (const phrase of find(comment.slice(from, start)))
      found.push({ ...phrase, start: phrase.start + from, end: phrase.end + from });
    from = end;
  }
  return found;
}

/** A phrase with a little of the text around it, on one line: at most 202 characters. */
export function excerptOf(comment: string, { start, end }: Pick<FoundPhrase, 'start' | 'end'>): string {
  const from = Math.max(0, start - AROUND);
  const to = Math.min(comment.length, Math.min(end, start + LONGEST) + AROUND);
  // A cut through a pair of units leaves halves that are no text.
  const text = comment
    .slice(from, to)
    .replaceAll(/\p{Cs}/gu, '')
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .trim();
  return `${from > 0 ? '…' : ''}${text}${to < comment.length ? '…' : ''}`;
}
