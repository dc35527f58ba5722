import { parsePhoneNumberFromString } from 'libphonenumber-js/min';

/** Ten digits that begin with 8 are a Russian number that lacks one: nobody knows which. */
const LACKS_A_DIGIT = /^8\d{9}$/;

/**
 * A phone as a guest writes it, in the form +79990001122; null when it is none. Without a plus it is a Russian number, which may begin with 8 or
 * with its code of three digits (rule ORD-38).
 */
export function normalPhone(text: string): string | null {
  const typed = text.trim();
  if (!/^\+?[\d\s().–-]+$/.test(typed) || LACKS_A_DIGIT.test(typed.replace(/\D/g, ''))) return null;
  const phone = parsePhoneNumberFromString(typed, { defaultCountry: 'RU', extract: false });
  if (phone === undefined) return null;
  // Ranges of numbers change: whoever writes the country knows it.
  return (typed.startsWith('+') ? phone.isPossible() : phone.isValid()) ? phone.number : null;
}
