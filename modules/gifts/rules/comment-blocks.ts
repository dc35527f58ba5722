import { kindOfTag, TAGS } from '../../../kernel/pure/comp-tags.ts';

/** A place in a comment, in UTF-16 units; `end` is the first unit after it. */
type Span = { start: number; end: number };

/** One block, tags included; `name` is the text between them, trimmed. */
export type CommentBlock = Span & { name: string };

export type CommentBlocks = {
  blocks: CommentBlock[];
  /**
   * Tags without a block, texts that look like a tag, and blocks without a name: signs of a typing
   * mistake.
   */
  damage: Span[];
};

/**
 * The blocks of a comment in their order: an opening tag, a name, and the next closing tag with
 * nothing like a tag in between (rules CMP-30, CMP-31). Of tags inside tags only the innermost pair
 * can be a block; the others are damage.
 */
export function readBlocks(comment: string): CommentBlocks {
  const found: CommentBlocks = { blocks: [], damage: [] };
  let opening: Span | null = null;
  for (const { 0: tag, index: start } of comment.matchAll(TAGS)) {
    const end = start + tag.length;
    const kind = kindOfTag(tag);
    if (kind === 'CLOSING' && opening !== null) {
      const name = comment.slice(opening.end, start).trim();
      if (name === '') found.damage.push({ start: opening.start, end });
      else found.blocks.push({ start: opening.start, end, name });
      opening = null;
      continue;
    }
    if (opening !== null) found.damage.push(opening);
    opening = kind === 'OPENING' ? { start, end } : null;
    if (opening === null) found.damage.push({ start, end });
  }
  if (opening !== null) found.damage.push(opening);
  return found;
}

/**
 * Returns a key that is equal for equivalent names: trimmed, of one case, composed in one way (rule
 * CMP-32).
 */
export function nameKey(name: string): string {
  return name.trim().normalize('NFC').toUpperCase().toLowerCase().normalize('NFC');
}

export type Removal =
  | { kind: 'REMOVED'; comment: string }
  /** There is no such block. */
  | { kind: 'ABSENT' }
  /** The block cannot be removed without changing other text: the comment must not be rewritten. */
  | { kind: 'UNSAFE' };

/**
 * The comment without exactly one block whose name has this key; everything else stays unit for
 * unit (rule CMP-33). Of several equal blocks, removes the first one that leaves all the others,
 * and all damage, unchanged: text on both sides of a block may become a tag after its removal.
 */
export function withoutOneBlock(comment: string, key: string): Removal {
  const before = readBlocks(comment);
  const wanted = before.blocks.filter(({ name }) => nameKey(name) === key);
  if (wanted.length === 0) return { kind: 'ABSENT' };
  // The ERP may return invalid Unicode or a text with NUL in a changed form.
  if (!comment.isWellFormed() || comment.includes('\0')) return { kind: 'UNSAFE' };
  for (const block of wanted) {
    const rest = comment.slice(0, block.start) + comment.slice(block.end);
    if (isRestOf(before, block, readBlocks(rest))) return { kind: 'REMOVED', comment: rest };
  }
  return { kind: 'UNSAFE' };
}

/** True if `after` equals `before` without the block, with all values in place. */
function isRestOf(before: CommentBlocks, gone: CommentBlock, after: CommentBlocks): boolean {
  const moved = (at: number): number => (at < gone.end ? at : at - (gone.end - gone.start));
  const isSame = (spans: readonly Span[], left: readonly Span[]): boolean =>
    spans.length === left.length &&
    spans.every(({ start, end }, index) => left[index]?.start === moved(start) && left[index].end === moved(end));
  return (
    isSame(
      before.blocks.filter((block) => block !== gone),
      after.blocks,
    ) && isSame(before.damage, after.damage)
  );
}
