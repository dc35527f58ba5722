import { createHash, randomInt } from 'node:crypto';

const CODES = 10;
const GROUPS = 4;
const LETTERS_PER_GROUP = 6;
/** Without letters that look like digits. */
const LETTERS = 'abcdefghijkmnpqrstuvwxyz23456789';

const ofLength = (length: number, next: () => string) => Array.from({ length }, next);
const group = () => ofLength(LETTERS_PER_GROUP, () => LETTERS[randomInt(LETTERS.length)]!).join('');

/** Creates ten single-use codes of 120 random bits. */
export function newRecoveryCodes(): string[] {
  return ofLength(CODES, () => ofLength(GROUPS, group).join('-'));
}

/** Accepts any format. 120 random bits need no salt or slow hash. */
export function recoveryDigest(code: string): string {
  const letters = code.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
  return createHash('sha256').update(letters).digest('base64url');
}
