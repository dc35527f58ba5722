import { createHash } from 'node:crypto';
import { nameKey } from './rules/comment-blocks.ts';

/** What the name in a block is remembered by: the comment itself is never stored. Names that are the same to people have one subject. */
export function blockSubject(name: string): string {
  return createHash('sha256').update(nameKey(name)).digest('hex').slice(0, 32);
}
