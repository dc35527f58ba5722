/**
 * The syntax of a promise in a comment, in one place: `[COMP]name of a dish[/COMP]`, letters of the
 * tags in any case (rule CMP-30). Customers may write nothing that looks like it, and staff who
 * write something that only looks like it have made a mistake.
 */

/**
 * Texts that look like a tag: also with spaces, with another slash, or with Cyrillic letters that
 * look the same.
 */
const LOOKS_LIKE_OPENING = String.raw`\[\s*[cс][oо][mм][pр]\s*\]`;
const LOOKS_LIKE_CLOSING = String.raw`\[\s*[/\\][\s/\\]*[cс][oо][mм][pр]\s*\]`;
const LOOKS_LIKE_TAG = String.raw`\[[\s/\\]*[cс][oо][mм][pр]\s*\]`;

/** Anything that looks like a tag, opening or closing. */
export const TAGS = new RegExp(LOOKS_LIKE_TAG, 'gi');
/** Anything that looks like a block, up to its nearest closing tag. */
export const BLOCKS = new RegExp(`${LOOKS_LIKE_OPENING}[^]*?${LOOKS_LIKE_CLOSING}`, 'gi');

/** Classifies a text that {@link TAGS} has found: a tag of a block, or only similar. */
export function kindOfTag(tag: string): 'OPENING' | 'CLOSING' | 'ALIKE' {
  const plain = tag.toLowerCase();
  if (plain === '[comp]') return 'OPENING';
  return plain === '[/comp]' ? 'CLOSING' : 'ALIKE';
}
