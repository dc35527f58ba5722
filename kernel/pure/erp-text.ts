import { BLOCKS, TAGS } from './comp-tags.ts';

/** Characters that join and color emoji. */
const JOINER = String.raw`(?:\u200d|\ufe0e|\ufe0f)`;
const BESIDE = String.raw`[\p{L}\p{P}\s]`;

/**
 * May hide a block or change the text direction. Joiners stay, except next to letters and
 * brackets.
 */
export const INVISIBLE = new RegExp(
  String.raw`(?!${JOINER})[\p{Default_Ignorable_Code_Point}\u2028\u2029]|(?<=${BESIDE})${JOINER}+|${JOINER}+(?=${BESIDE})`,
  'gu',
);

const CONTROL = /\p{Cc}+/gu;

/**
 * Sanitizes a customer's text for the ERP (ORD-32): removes `[COMP]` blocks (also nested ones),
 * control and invisible characters, and cuts to `longest` UTF-16 units. May be empty.
 */
export function erpText(text: string, longest: number): string {
  let clean = text.toWellFormed().replace(INVISIBLE, '').replace(CONTROL, ' ');
  for (let before = ''; before !== clean;) {
    before = clean;
    // Removes gift promises, which only staff may write, and their remains.
    clean = clean.replace(BLOCKS, ' ').replace(TAGS, ' ');
  }

  return cut(clean.replace(/\s+/g, ' ').trim(), longest);
}

/** Does not split surrogate pairs. */
function cut(text: string, longest: number): string {
  if (text.length <= longest) return text;
  const high = text.charCodeAt(longest - 1);
  const isHalf = high >= 0xd800 && high <= 0xdbff;
  return text.slice(0, isHalf ? longest - 1 : longest).trimEnd();
}

/** Returns the sanitized text under this name, or an empty object. */
export function namedText<Name extends string>(
  name: Name,
  text: string | null,
  longest: number,
): { [N in Name]?: string } {
  const clean = erpText(text ?? '', longest);
  return clean === '' ? {} : ({ [name]: clean } as { [N in Name]?: string });
}
