import type { FoundPhrase } from '../../../kernel/pure/phrases.ts';
import { readBlocks } from './comment-blocks.ts';

/** UTF-16 units of the context, and of the phrase. */
const AROUND = 40;
const LONGEST = 120;

/** Finds phrases outside of blocks (rule CMP-22). */
export function phrasesOutside(
  comment: string,
  find: (text: string) => FoundPhrase[],
): FoundPhrase[] {
  const phrases: FoundPhrase[] = [];
  let from = 0;

  for (const { start, end } of [
    ...readBlocks(comment).blocks,
    { start: comment.length, end: comment.length },
  ]) {
    for (const phrase of find(comment.slice(from, start)))
      phrases.push({ ...phrase, start: phrase.start + from, end: phrase.end + from });
    from = end;
  }

  return phrases;
}

/** Returns a phrase with its context in one line of at most 202 characters. */
export function cutExcerpt(
  comment: string,
  { start, end }: Pick<FoundPhrase, 'start' | 'end'>,
): string {
  const from = Math.max(0, start - AROUND);
  const to = Math.min(comment.length, Math.min(end, start + LONGEST) + AROUND);
  // Cutting may split a surrogate pair, which is not valid text.
  const text = comment
    .slice(from, to)
    .replaceAll(/\p{Cs}/gu, '')
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .trim();

  return `${from > 0 ? '…' : ''}${text}${to < comment.length ? '…' : ''}`;
}
