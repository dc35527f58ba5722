/** Marks by which gifts are promised in comments of the ERP: nobody may write one by hand. */
const MARKS = /\[COMP\].*?\[\/COMP\]|\[\/?COMP\]/gis;
/** Control characters, also those that turn the direction of a text. */
const CONTROL = /[\p{Cc}\p{Cf}\p{Co}\p{Cn}]+/gu;

/** A guest's words as the ERP may get them: without marks of gifts and control characters; null when nothing is left (rule ORD-13). */
export function guestWords(text: string | null | undefined): string | null {
  const words = (text ?? '').replaceAll(CONTROL, ' ').replaceAll(MARKS, ' ');
  return words.replaceAll(/\s+/g, ' ').trim() || null;
}
