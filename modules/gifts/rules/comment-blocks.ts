import { kindOfTag, TAGS } from '../../../kernel/pure/comp-tags.ts';

/** Position in UTF-16 units. `end` is exclusive. */
type Span = { start: number; end: number };

/** The positions include the tags. `name` is the trimmed text between them. */
export type CommentBlock = Span & { name: string };

export type CommentBlocks = {
  blocks: CommentBlock[];
  /** Probable typing mistakes: single tags, similar texts, blocks without a name. */
  damage: Span[];
};

/**
 * Returns blocks in order (rules CMP-30, CMP-31). Of nested tags, only the innermost pair is a
 * block.
 */
export function readBlocks(comment: string): CommentBlocks {
  const parts: CommentBlocks = { blocks: [], damage: [] };
  let opening: Span | null = null;

  for (const { 0: tag, index: start } of comment.matchAll(TAGS)) {
    const end = start + tag.length;
    const kind = kindOfTag(tag);
    if (kind === 'CLOSING' && opening !== null) {
      const name = comment.slice(opening.end, start).trim();
      if (name === '') parts.damage.push({ start: opening.start, end });
      else parts.blocks.push({ start: opening.start, end, name });
      opening = null;
      continue;
    }

    if (opening !== null) parts.damage.push(opening);
    opening = kind === 'OPENING' ? { start, end } : null;
    if (opening === null) parts.damage.push({ start, end });
  }

  if (opening !== null) parts.damage.push(opening);

  return parts;
}

/** Trims a name and normalizes its case and Unicode composition (rule CMP-32). */
export function nameKey(name: string): string {
  return name.trim().normalize('NFC').toUpperCase().toLowerCase().normalize('NFC');
}

export type Removal =
  | { kind: 'REMOVED'; comment: string }
  | { kind: 'ABSENT' }
  /** Removal would change other text, so the comment must not be written. */
  | { kind: 'UNSAFE' };

/**
 * Removes one block and nothing else (rule CMP-33). Tries equal blocks in turn, because the text
 * around a block could form a new tag.
 */
export function withoutOneBlock(comment: string, key: string): Removal {
  const before = readBlocks(comment);
  const matches = before.blocks.filter(({ name }) => nameKey(name) === key);
  if (matches.length === 0) return { kind: 'ABSENT' };
  // The ERP may change invalid Unicode and NUL.
  if (!comment.isWellFormed() || comment.includes('\0')) return { kind: 'UNSAFE' };

  for (const block of matches) {
    const rest = comment.slice(0, block.start) + comment.slice(block.end);
    if (isWithoutBlock(before, block, readBlocks(rest))) return { kind: 'REMOVED', comment: rest };
  }

  return { kind: 'UNSAFE' };
}

function isWithoutBlock(
  before: CommentBlocks,
  oldBlock: CommentBlock,
  after: CommentBlocks,
): boolean {
  const moved = (at: number): number =>
    at < oldBlock.end ? at : at - (oldBlock.end - oldBlock.start);
  const isSame = (spans: readonly Span[], newSpans: readonly Span[]): boolean =>
    spans.length === newSpans.length &&
    spans.every(
      ({ start, end }, index) =>
        newSpans[index]?.start === moved(start) && newSpans[index].end === moved(end),
    );

  return (
    isSame(
      before.blocks.filter((block) => block !== oldBlock),
      after.blocks,
    ) && isSame(before.damage, after.damage)
  );
}
