import { parsePhoneNumberFromString } from 'libphonenumber-js/min';
import { typedText } from '../../../kernel/pure/typed-text.ts';

/** Ten digits that begin with 8 are a Russian number that lacks one; which one is unknown. */
const LACKS_A_DIGIT = /^8\d{9}$/;

/** A number, and an optional extension after it: «доб. 12», «(вн. 7)», `ext. 5`, `x5`, `#5`. */
const WRITTEN =
  /^(\+?[\d\s()./_-]+?)(?:[\s,;]*\(?(?:доб(?:авочный)?|вн(?:утр(?:енний)?)?|ext(?:ension)?|[xх#])[\s.:]*(\d{1,10})\)?)?$/iu;

/**
 * A phone with the extension behind it: the number in the form +79990001122, the extension as 1 to
 * 10 digits or null.
 */
export type TypedPhone = { number: string; extension: string | null };

/**
 * Reads a phone as a person writes or pastes it; null when the text is not one phone. A number
 * without a plus is Russian, and may begin with 8 or with its code of three digits (rule ORD-38).
 * Text that is not shown and kinds of dashes do not matter (rule HTTP-25).
 */
export function typedPhone(text: string): TypedPhone | null {
  const [, typed = '', extension = null] = WRITTEN.exec(typedText(text)) ?? [];
  const written = typed.replaceAll(/[/_]/g, ' ').trim();
  if (LACKS_A_DIGIT.test(written.replaceAll(/\D/g, ''))) return null;
  const phone = parsePhoneNumberFromString(written, { defaultCountry: 'RU', extract: false });
  if (phone === undefined) return null;
  // Ranges of numbers change, so a number with its country only needs a possible length.
  const isNumber = written.startsWith('+') ? phone.isPossible() : phone.isValid();
  return isNumber ? { number: phone.number, extension } : null;
}

/**
 * The number of a phone as a person writes it, in the form +79990001122; null when the text is not
 * one phone (rule ORD-38).
 */
export function normalPhone(text: string): string | null {
  return typedPhone(text)?.number ?? null;
}
