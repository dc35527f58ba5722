import { createHash, randomInt, timingSafeEqual } from 'node:crypto';
import { crc32 } from 'node:zlib';

export const KEY_TOKEN_START = 'carte_';

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const PUBLIC_CHARACTERS = 12;
const SECRET_CHARACTERS = 32;
const CHECKSUM_CHARACTERS = 6;

/** Prefix, secret and checksum in base 62, which secret scanners recognize (rule ACC-32). */
const TOKEN = /^(carte_[0-9A-Za-z]{12})_[0-9A-Za-z]{32}([0-9A-Za-z]{6})$/;

export function newKeyToken(): { token: string; prefix: string; digest: Buffer } {
  const prefix = KEY_TOKEN_START + randomText(PUBLIC_CHARACTERS);
  const unsigned = `${prefix}_${randomText(SECRET_CHARACTERS)}`;
  const token = unsigned + computeChecksum(unsigned);
  return { token, prefix, digest: hashToken(token) };
}

/** Returns null if the format or the checksum is wrong. */
export function prefixOfToken(token: string): string | null {
  const [, prefix, checksum] = TOKEN.exec(token) ?? [];
  if (prefix === undefined || computeChecksum(token.slice(0, -CHECKSUM_CHARACTERS)) !== checksum)
    return null;
  return prefix;
}

export function isDigestOfToken(digest: Buffer, token: string): boolean {
  return timingSafeEqual(digest, hashToken(token));
}

/** The secret has 190 random bits, so a slow hash is not necessary. */
const hashToken = (token: string): Buffer => createHash('sha256').update(token).digest();

const randomText = (characters: number): string =>
  Array.from({ length: characters }, () => DIGITS[randomInt(DIGITS.length)]).join('');

function computeChecksum(text: string): string {
  let rest = crc32(text);
  let digits = '';
  while (digits.length < CHECKSUM_CHARACTERS) {
    digits = DIGITS[rest % DIGITS.length]! + digits;
    rest = Math.floor(rest / DIGITS.length);
  }

  return digits;
}
