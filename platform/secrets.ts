import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto';

/** The key of the row that contains the encrypted text. */
export type RowKey = string | number;

/** Suffix of key ids whose texts are bound to their row (decision 124). */
export const ROW_MARKER = '@row';

/** One key writes, several read. */
export type SecretBox = {
  /** The key for writing comes first. */
  readonly keyIds: readonly string[];
  /**
   * Returns `keyId.iv.tag.data`, the last three in base64url: AES-256-GCM bound to `purpose`
   * (such as `connection.apiLogin`), and to the row if the key id ends with {@link ROW_MARKER}.
   */
  seal(purpose: string, row: RowKey, plain: string): string;
  /** Throws for an unknown key, a different purpose or row, or a changed text. */
  open(purpose: string, row: RowKey, sealed: string): string;
  canOpen(sealed: string): boolean;
  /** Returns true if an older key encrypted the text. */
  isStale(sealed: string): boolean;
  /** Returns `keyId.digest` (hex), equal in all processes with these keys. */
  digest(purpose: string, text: string): string;
  /** Returns digests with each key, for searches. */
  digests(purpose: string, text: string): string[];
  /** Compares with digests of all configured keys. */
  isDigestOf(purpose: string, text: string, digest: string): boolean;
};

/** The first key writes. */
export function createSecretBox(keys: readonly { id: string; key: Buffer }[]): SecretBox {
  const writer = keys[0];
  if (writer === undefined) throw new Error('At least one encryption key is needed');
  const buildBinding = (id: string, purpose: string, row: RowKey) =>
    Buffer.from(id.endsWith(ROW_MARKER) ? `${id}:${purpose}#${row}` : `${id}:${purpose}`);
  const digestWith = (
    { id, key }: { id: string; key: Buffer },
    purpose: string,
    text: string,
  ): string => {
    // An encryption key never signs.
    const own = Buffer.from(hkdfSync('sha256', key, '', `digest:${purpose}`, 32));
    return `${id}.${createHmac('sha256', own).update(text).digest('hex')}`;
  };

  return {
    keyIds: keys.map(({ id }) => id),
    seal(purpose, row, plain) {
      const iv = randomBytes(12);
      const cipher = createCipheriv('aes-256-gcm', writer.key, iv).setAAD(
        buildBinding(writer.id, purpose, row),
      );
      const data = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);

      return [
        writer.id,
        ...[iv, cipher.getAuthTag(), data].map((part) => part.toString('base64url')),
      ].join('.');
    },
    open(purpose, row, sealed) {
      const [id = '', iv = '', tag = '', data = ''] = sealed.split('.');
      const reader = keys.find((key) => key.id === id);
      if (reader === undefined)
        throw new Error(`No encryption key with the id ${JSON.stringify(id)} is configured`);
      const decipher = createDecipheriv('aes-256-gcm', reader.key, Buffer.from(iv, 'base64url'), {
        authTagLength: 16,
      })
        .setAAD(buildBinding(id, purpose, row))
        .setAuthTag(Buffer.from(tag, 'base64url'));

      return Buffer.concat([
        decipher.update(Buffer.from(data, 'base64url')),
        decipher.final(),
      ]).toString('utf8');
    },
    canOpen: (sealed) => keys.some(({ id }) => sealed.startsWith(`${id}.`)),
    isStale: (sealed) => !sealed.startsWith(`${writer.id}.`),
    digest: (purpose, text) => digestWith(writer, purpose, text),
    digests: (purpose, text) => keys.map((key) => digestWith(key, purpose, text)),
    isDigestOf: (purpose, text, digest) =>
      keys.some(
        (key) =>
          digest.startsWith(`${key.id}.`) && sameSecret(digestWith(key, purpose, text), digest),
      ),
  };
}

/** Constant time, any length. */
export function sameSecret(candidate: string, expected: string): boolean {
  const digest = (value: string) => createHash('sha256').update(value).digest();
  return timingSafeEqual(digest(candidate), digest(expected));
}
