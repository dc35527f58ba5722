import { randomBytes, randomUUID } from 'node:crypto';
import { exportJWK, generateKeyPair, importJWK, type JWK } from 'jose';
import type { Database } from '../../db/database.ts';
import type { SecretBox } from '../../platform/secrets.ts';

/** Purpose of the encrypted private keys: a text sealed for something else cannot be opened as one. */
export const SIGNING_KEY_PURPOSE = 'access_signing_key.private_jwk';
/** How long another instance may go on with the keys it knows. */
const CACHE_MS = 60_000;
/** An unknown key id reads the table again, but not more often than this: ids come from strangers. */
const RELOAD_MS = 5_000;

/** Keys of both tokens, shared by all instances through PostgreSQL and encrypted there. */
export type Keyring = {
  /** The key that signs new access tokens. */
  signingKey(): Promise<{ kid: string; key: CryptoKey }>;
  /** The public key of `kid`; null when it is unknown or was retired more than an hour ago. */
  verificationKey(kid: string): Promise<CryptoKey | null>;
  /** Secrets of refresh tokens, the writing one first. */
  refreshSecrets(): Promise<Buffer[]>;
};

type KeyRow = {
  kid: string;
  purpose: 'ACCESS_TOKEN' | 'REFRESH_TOKEN';
  public_jwk: JWK;
  private_jwk_encrypted: string;
  retired_at: Date | null;
};
type Loaded = { at: number; rows: KeyRow[] };

/**
 * Reads the keys at first use and creates the missing ones. Any number of instances may start at once: a unique index
 * allows one current key per purpose, and whoever loses that race uses the winner's key.
 */
export function createKeyring({ db, secrets }: { db: Database; secrets: SecretBox }): Keyring {
  let loading: Promise<Loaded> | undefined;

  async function load(): Promise<Loaded> {
    const found = await readKeys(db);
    const missing = (['ACCESS_TOKEN', 'REFRESH_TOKEN'] as const).filter(
      (purpose) => !found.some((row) => row.purpose === purpose && row.retired_at === null),
    );
    for (const purpose of missing) await createKey(db, secrets, purpose);
    return { at: Date.now(), rows: missing.length === 0 ? found : await readKeys(db) };
  }

  async function keys(maxAgeMs: number): Promise<KeyRow[]> {
    const known = await loading?.catch(() => undefined);
    if (known === undefined || Date.now() - known.at > maxAgeMs) loading = load();
    return (await loading!).rows;
  }

  const open = (row: KeyRow) => JSON.parse(secrets.open(SIGNING_KEY_PURPOSE, row.private_jwk_encrypted)) as JWK;

  return {
    async signingKey() {
      const row = (await keys(CACHE_MS)).find((each) => each.purpose === 'ACCESS_TOKEN' && each.retired_at === null);
      if (row === undefined) throw new Error('There is no current signing key');
      return { kid: row.kid, key: (await importJWK(open(row), 'EdDSA')) as CryptoKey };
    },
    async verificationKey(kid) {
      const ofKid = (row: KeyRow) => row.purpose === 'ACCESS_TOKEN' && row.kid === kid;
      const row = (await keys(CACHE_MS)).find(ofKid) ?? (await keys(RELOAD_MS)).find(ofKid);
      return row === undefined ? null : ((await importJWK(row.public_jwk, 'EdDSA')) as CryptoKey);
    },
    async refreshSecrets() {
      const rows = (await keys(CACHE_MS)).filter((row) => row.purpose === 'REFRESH_TOKEN');
      const current = rows.toSorted((a, b) => Number(a.retired_at !== null) - Number(b.retired_at !== null));
      return current.map((row) => Buffer.from(open(row).k ?? '', 'base64url'));
    },
  };
}

async function readKeys(db: Database): Promise<KeyRow[]> {
  return db.query<KeyRow>(
    `select kid, purpose, public_jwk, private_jwk_encrypted, retired_at from access_signing_key
      where retired_at is null or retired_at > now() - interval '1 hour' order by created_at desc`,
  );
}

async function createKey(db: Database, secrets: SecretBox, purpose: KeyRow['purpose']): Promise<void> {
  const { publicJwk, privateJwk } = purpose === 'ACCESS_TOKEN' ? await newKeyPair() : newSecret();
  await db.query(
    `insert into access_signing_key (kid, purpose, public_jwk, private_jwk_encrypted) values ($1, $2, $3, $4)
     on conflict (purpose) where retired_at is null do nothing`,
    [randomUUID(), purpose, JSON.stringify(publicJwk), secrets.seal(SIGNING_KEY_PURPOSE, JSON.stringify(privateJwk))],
  );
}

async function newKeyPair(): Promise<{ publicJwk: JWK; privateJwk: JWK }> {
  const pair = await generateKeyPair('EdDSA', { crv: 'Ed25519', extractable: true });
  return { publicJwk: await exportJWK(pair.publicKey), privateJwk: await exportJWK(pair.privateKey) };
}

function newSecret(): { publicJwk: JWK; privateJwk: JWK } {
  return { publicJwk: { kty: 'oct' }, privateJwk: { kty: 'oct', k: randomBytes(32).toString('base64url') } };
}
