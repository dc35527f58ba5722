import { BLOCKS, TAGS } from './comp-tags.ts';

/** Characters that join and color emoji. */
const JOINER = String.raw`(?:\u200d|\ufe0e|\ufe0f)`;
const BESIDE = String.raw`[\p{L}\p{P}\s]`;
/**
 * Characters that are not shown and may hide a block, or turn the direction of what follows.
 * Joiners of emoji stay, but not next to letters and brackets.
 */
export const INVISIBLE = new RegExp(
  String.raw`(?!${JOINER})[\p{Default_Ignorable_Code_Point}\u2028\u2029]|(?<=${BESIDE})${JOINER}+|${JOINER}+(?=${BESIDE})`,
  'gu',
);
const CONTROL = /\p{Cc}+/gu;

/**
 * A customer's text in the form for the ERP (rule ORD-32): without `[COMP]` blocks, also those that
 * appear only after the removal of an inner one, without control and invisible characters, on one
 * line, and at most `longest` characters long as the ERP counts them. Empty when nothing is left.
 */
export function erpText(text: string, longest: number): string {
  let clean = text.toWellFormed().replace(INVISIBLE, '').replace(CONTROL, ' ');
  for (let before = ''; before !== clean;) {
    before = clean;
    // A promise of a gift, which only staff may write, and remains of a broken one.
    clean = clean.replace(BLOCKS, ' ').replace(TAGS, ' ');
  }
  return cut(clean.replace(/\s+/g, ' ').trim(), longest);
}

/**
 * The beginning of a text that has at most `longest` UTF-16 units and ends with a whole character.
 */
function cut(text: string, longest: number): string {
  if (text.length <= longest) return text;
  const high = text.charCodeAt(longest - 1);
  const isHalf = high >= 0xd800 && high <= 0xdbff;
  return text.slice(0, isHalf ? longest - 1 : longest).trimEnd();
}

/** The text under this name, or nothing when none of it is left. */
export function namedText<Name extends string>(
  name: Name,
  text: string | null,
  longest: number,
): { [N in Name]?: string } {
  const clean = erpText(text ?? '', longest);
  return clean === '' ? {} : ({ [name]: clean } as { [N in Name]?: string });
}
