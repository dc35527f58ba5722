/** Digits of a phone with its country. */
const LEAST_DIGITS = 10;
const MOST_DIGITS = 15;

/**
 * A phone as a guest writes it, in the form +79990001122; null when it is none. Russian numbers may begin with 8 or with their code of
 * three digits (rule ORD-38).
 */
export function normalPhone(text: string): string | null {
  if (!/^\+?[\d\s().–-]+$/.test(text.trim())) return null;
  const digits = text.replace(/\D/g, '');
  if (text.trim().startsWith('+'))
    return digits.length >= LEAST_DIGITS && digits.length <= MOST_DIGITS && !digits.startsWith('0')
      ? `+${digits}`
      : null;
  if (/^[78]\d{10}$/.test(digits)) return `+7${digits.slice(1)}`;
  return /^9\d{9}$/.test(digits) ? `+7${digits}` : null;
}
