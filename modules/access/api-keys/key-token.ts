import { createHash, randomInt, timingSafeEqual } from 'node:crypto';
import { crc32 } from 'node:zlib';

/** The beginning of every token of an API key. */
export const KEY_TOKEN_START = 'carte_';

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const PUBLIC_CHARACTERS = 12;
/** 190 random bits. */
const SECRET_CHARACTERS = 32;
const CHECKSUM_CHARACTERS = 6;

/**
 * The format for secret scanners: a public prefix, a random secret, and a checksum of both in
 * base 62 (rule ACC-32).
 */
const TOKEN = /^(carte_[0-9A-Za-z]{12})_[0-9A-Za-z]{32}([0-9A-Za-z]{6})$/;

/** Creates a token with its public prefix and the digest to be stored. */
export function newKeyToken(): { token: string; prefix: string; digest: Buffer } {
  const prefix = KEY_TOKEN_START + randomText(PUBLIC_CHARACTERS);
  const unsigned = `${prefix}_${randomText(SECRET_CHARACTERS)}`;
  const token = unsigned + checksumOf(unsigned);
  return { token, prefix, digest: digestOf(token) };
}

/** The public prefix of a token; null if its form or checksum is wrong. */
export function prefixOfToken(token: string): string | null {
  const [, prefix, checksum] = TOKEN.exec(token) ?? [];
  if (prefix === undefined || checksumOf(token.slice(0, -CHECKSUM_CHARACTERS)) !== checksum) return null;
  return prefix;
}

/** True if the token has this digest. Takes the same time for every token. */
export function isDigestOfToken(digest: Buffer, token: string): boolean {
  return timingSafeEqual(digest, digestOf(token));
}

/** A token has 190 random bits, so its plain digest reveals nothing. */
const digestOf = (token: string): Buffer => createHash('sha256').update(token).digest();

const randomText = (characters: number): string =>
  Array.from({ length: characters }, () => DIGITS[randomInt(DIGITS.length)]).join('');

function checksumOf(text: string): string {
  let rest = crc32(text);
  let digits = '';
  while (digits.length < CHECKSUM_CHARACTERS) {
    digits = DIGITS[rest % DIGITS.length]! + digits;
    rest = Math.floor(rest / DIGITS.length);
  }
  return digits;
}
