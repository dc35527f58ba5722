import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto';

/** Primary key of the row with an encrypted text. */
export type RowKey = string | number;

/** Ends the ids of keys whose texts are bound to their row (decision 124). */
export const ROW_MARKER = '@row';

/**
 * Encrypts and decrypts what is stored; the text names its key, so several keys stay readable and
 * one writes.
 */
export type SecretBox = {
  /** Ids of the keys, the writing one first. */
  readonly keyIds: readonly string[];
  /**
   * `keyId.iv.tag.data`, the last three base64url; AES-256-GCM bound to `purpose` (for example
   * `connection.apiLogin`) and, when the id of the key ends with {@link ROW_MARKER}, to its row.
   */
  seal(purpose: string, row: RowKey, plain: string): string;
  /**
   * The plain text; throws when the key is unknown, the purpose or the row differs or the text was
   * changed.
   */
  open(purpose: string, row: RowKey, sealed: string): string;
  /** True when the key the text names is configured. */
  canOpen(sealed: string): boolean;
  /** True when the text was written with an older key and should be written again. */
  isStale(sealed: string): boolean;
  /**
   * `keyId.digest` of a text for a purpose, in hex: the same in every process with these keys, and
   * of no use without them.
   */
  digest(purpose: string, text: string): string;
  /**
   * The digest of a text with each configured key: what was stored with any of them is one of
   * these.
   */
  digests(purpose: string, text: string): string[];
  /**
   * True when the digest was made of this text for this purpose, with whichever configured key it
   * names.
   */
  isDigestOf(purpose: string, text: string, digest: string): boolean;
};

/** Makes a box from the keys of ENCRYPTION_KEYS; the first key writes. */
export function createSecretBox(keys: readonly { id: string; key: Buffer }[]): SecretBox {
  const writer = keys[0];
  if (writer === undefined) throw new Error('At least one encryption key is needed');
  const bindingOf = (id: string, purpose: string, row: RowKey) =>
    Buffer.from(id.endsWith(ROW_MARKER) ? `${id}:${purpose}#${row}` : `${id}:${purpose}`);
  const digestWith = ({ id, key }: { id: string; key: Buffer }, purpose: string, text: string): string => {
    // A key of its own for each purpose: what encrypts is never used to sign.
    const own = Buffer.from(hkdfSync('sha256', key, '', `digest:${purpose}`, 32));
    return `${id}.${createHmac('sha256', own).update(text).digest('hex')}`;
  };
  return {
    keyIds: keys.map(({ id }) => id),
    seal(purpose, row, plain) {
      const iv = randomBytes(12);
      const cipher = createCipheriv('aes-256-gcm', writer.key, iv).setAAD(bindingOf(writer.id, purpose, row));
      const data = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
      return [writer.id, ...[iv, cipher.getAuthTag(), data].map((part) => part.toString('base64url'))].join('.');
    },
    open(purpose, row, sealed) {
      const [id = '', iv = '', tag = '', data = ''] = sealed.split('.');
      const found = keys.find((key) => key.id === id);
      if (found === undefined) throw new Error(`No encryption key with the id ${JSON.stringify(id)} is configured`);
      const decipher = createDecipheriv('aes-256-gcm', found.key, Buffer.from(iv, 'base64url'), { authTagLength: 16 })
        .setAAD(bindingOf(id, purpose, row))
        .setAuthTag(Buffer.from(tag, 'base64url'));
      return Buffer.concat([decipher.update(Buffer.from(data, 'base64url')), decipher.final()]).toString('utf8');
    },
    canOpen: (sealed) => keys.some(({ id }) => sealed.startsWith(`${id}.`)),
    isStale: (sealed) => !sealed.startsWith(`${writer.id}.`),
    digest: (purpose, text) => digestWith(writer, purpose, text),
    digests: (purpose, text) => keys.map((key) => digestWith(key, purpose, text)),
    isDigestOf: (purpose, text, digest) =>
      keys.some((key) => digest.startsWith(`${key.id}.`) && sameSecret(digestWith(key, purpose, text), digest)),
  };
}

/** Compares two secrets of any length in constant time. */
export function sameSecret(given: string, expected: string): boolean {
  const digest = (value: string) => createHash('sha256').update(value).digest();
  return timingSafeEqual(digest(given), digest(expected));
}
