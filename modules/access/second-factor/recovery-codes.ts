import { createHash, randomInt } from 'node:crypto';

const CODES = 10;
const GROUPS = 4;
const LETTERS_PER_GROUP = 6;
/** No letter that reads like a digit. */
const LETTERS = 'abcdefghijkmnpqrstuvwxyz23456789';

const ofLength = (length: number, next: () => string) => Array.from({ length }, next);
const group = () => ofLength(LETTERS_PER_GROUP, () => LETTERS[randomInt(LETTERS.length)]!).join('');

/** Ten codes in case the phone is lost, each of 120 random bits and for one use. */
export function newRecoveryCodes(): string[] {
  return ofLength(CODES, () => ofLength(GROUPS, group).join('-'));
}

/**
 * Returns the stored digest of a code, however it was written down; 120 random bits need neither
 * salt nor a slow digest.
 */
export function recoveryDigest(code: string): string {
  const letters = code.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
  return createHash('sha256').update(letters).digest('base64url');
}
