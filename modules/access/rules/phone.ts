import { parsePhoneNumberFromString } from 'libphonenumber-js/min';
import { typedText } from '../../../kernel/pure/typed-text.ts';

/** A Russian number without one digit, which cannot be guessed. */
const LACKS_A_DIGIT = /^8\d{9}$/;

/** A phone with an optional extension: «доб. 12», «(вн. 7)», `ext. 5`, `x5`, `#5`. */
const WRITTEN =
  /^(\+?[\d\s()./_-]+?)(?:[\s,;]*\(?(?:доб(?:авочный)?|вн(?:утр(?:енний)?)?|ext(?:ension)?|[xх#])[\s.:]*(\d{1,10})\)?)?$/iu;

/** `number` has the format +79990001122. `extension` has 1 to 10 digits. */
export type TypedPhone = { number: string; extension: string | null };

/**
 * Returns null for an invalid phone. Without a plus sign, it is Russian and may begin with 8 or its
 * three-digit code (rule ORD-38). Ignores invisible characters and dashes (rule HTTP-25).
 */
export function typedPhone(text: string): TypedPhone | null {
  const [, typed = '', extension = null] = WRITTEN.exec(typedText(text)) ?? [];
  const written = typed.replaceAll(/[/_]/g, ' ').trim();
  if (LACKS_A_DIGIT.test(written.replaceAll(/\D/g, ''))) return null;
  const phone = parsePhoneNumberFromString(written, { defaultCountry: 'RU', extract: false });
  if (phone === undefined) return null;
  // Number ranges change, so with a country code only the length is checked.
  const isNumber = written.startsWith('+') ? phone.isPossible() : phone.isValid();

  return isNumber ? { number: phone.number, extension } : null;
}

/** Returns a typed phone in the format +79990001122, or null (rule ORD-38). */
export function normalPhone(text: string): string | null {
  return typedPhone(text)?.number ?? null;
}
