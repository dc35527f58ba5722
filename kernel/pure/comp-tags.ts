/**
 * `[COMP]name of a dish[/COMP]`, case-insensitive (CMP-30). Customers may write nothing similar.
 * Similar text by staff is a mistake.
 */

/** Includes spaces, another slash and Cyrillic look-alikes. */
const LOOKS_LIKE_OPENING = String.raw`\[\s*[cс][oо][mм][pр]\s*\]`;
const LOOKS_LIKE_CLOSING = String.raw`\[\s*[/\\][\s/\\]*[cс][oо][mм][pр]\s*\]`;
const LOOKS_LIKE_TAG = String.raw`\[[\s/\\]*[cс][oо][mм][pр]\s*\]`;

export const TAGS = new RegExp(LOOKS_LIKE_TAG, 'gi');
/** A block up to its nearest closing tag. */
export const BLOCKS = new RegExp(`${LOOKS_LIKE_OPENING}[^]*?${LOOKS_LIKE_CLOSING}`, 'gi');

/** `ALIKE`: not a valid tag, only similar. */
export function kindOfTag(tag: string): 'OPENING' | 'CLOSING' | 'ALIKE' {
  const plain = tag.toLowerCase();
  if (plain === '[comp]') return 'OPENING';
  return plain === '[/comp]' ? 'CLOSING' : 'ALIKE';
}
