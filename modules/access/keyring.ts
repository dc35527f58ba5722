import { randomBytes, randomUUID } from 'node:crypto';
import { exportJWK, generateKeyPair, importJWK, type JWK } from 'jose';
import { sql, type Selectable } from 'kysely';
import { json, type Database, type Sql } from '../../platform/db/database.ts';
import type { Tables } from '../../platform/db/tables.ts';
import type { SecretBox } from '../../platform/secrets.ts';
import { SESSION_DAYS } from './sessions.ts';

/** Prevents texts encrypted for other purposes from being used as keys. */
export const SIGNING_KEY_PURPOSE = 'access_signing_key.private_jwk';
/** Unknown key ids from strangers must not cause more reads. */
const CACHE_MS = 1_000;

/** Encrypted in PostgreSQL and shared by all instances. */
export type Keyring = {
  signingKey(): Promise<{ kid: string; key: CryptoKey }>;
  /** Returns null if the key is unknown, compromised, or retired more than an hour ago. */
  verificationKey(kid: string): Promise<CryptoKey | null>;
  /** The current secret first, then those retired within the lifetime of a session. */
  refreshSecrets(): Promise<Buffer[]>;
};

type KeyRow = Pick<
  Selectable<Tables['access_signing_key']>,
  'kid' | 'purpose' | 'publicJwk' | 'privateJwkEncrypted' | 'retiredAt'
>;

type Loaded = { at: number; rows: KeyRow[] };

/**
 * Creates missing keys on first use. Safe to run concurrently: a unique index allows one current
 * key per purpose.
 */
export function createKeyring({ db, secrets }: { db: Database; secrets: SecretBox }): Keyring {
  let loading: Promise<Loaded> | undefined;

  async function load(): Promise<Loaded> {
    const rows = await readKeys(db);
    const missing = (['ACCESS_TOKEN', 'REFRESH_TOKEN'] as const).filter(
      (purpose) => !rows.some((row) => row.purpose === purpose && row.retiredAt === null),
    );
    if (missing.length > 0) await createKeys(db, secrets);

    return { at: Date.now(), rows: missing.length === 0 ? rows : await readKeys(db) };
  }

  async function keys(maxAgeMs: number): Promise<KeyRow[]> {
    const existing = await loading?.catch(() => undefined);
    if (existing === undefined || Date.now() - existing.at > maxAgeMs) loading = load();
    return (await loading!).rows;
  }

  const open = (row: KeyRow) =>
    JSON.parse(secrets.open(SIGNING_KEY_PURPOSE, row.kid, row.privateJwkEncrypted)) as JWK;

  return {
    async signingKey() {
      const row = (await keys(CACHE_MS)).find(
        (key) => key.purpose === 'ACCESS_TOKEN' && key.retiredAt === null,
      );
      if (row === undefined) throw new Error('There is no current signing key');
      return { kid: row.kid, key: (await importJWK(open(row), 'EdDSA')) as CryptoKey };
    },
    async verificationKey(kid) {
      const ofKid = (row: KeyRow) => row.purpose === 'ACCESS_TOKEN' && row.kid === kid;
      const row = (await keys(CACHE_MS)).find(ofKid);
      return row === undefined
        ? null
        : ((await importJWK(row.publicJwk as JWK, 'EdDSA')) as CryptoKey);
    },
    async refreshSecrets() {
      const rows = (await keys(CACHE_MS)).filter((row) => row.purpose === 'REFRESH_TOKEN');
      const current = rows.toSorted(
        (a, b) => Number(a.retiredAt !== null) - Number(b.retiredAt !== null),
      );
      return current.map((row) => Buffer.from(open(row).k ?? '', 'base64url'));
    },
  };
}

function readKeys({ db }: Database): Promise<KeyRow[]> {
  return db
    .selectFrom('access_signing_key')
    .select(['kid', 'purpose', 'publicJwk', 'privateJwkEncrypted', 'retiredAt'])
    .where((eb) =>
      eb('retiredAt', 'is', null).or(
        'retiredAt',
        '>',
        sql<Date>`now() - case purpose when 'REFRESH_TOKEN' then interval '${sql.lit(SESSION_DAYS)} days' else interval '1 hour' end`,
      ),
    )
    .orderBy('createdAt', 'desc')
    .execute();
}

/** Creates missing current keys. */
export async function createKeys(from: Sql, secrets: SecretBox): Promise<void> {
  for (const purpose of ['ACCESS_TOKEN', 'REFRESH_TOKEN'] as const)
    await createKey(from, secrets, purpose);
}

async function createKey(
  { db }: Sql,
  secrets: SecretBox,
  purpose: KeyRow['purpose'],
): Promise<void> {
  const { publicJwk, privateJwk } = purpose === 'ACCESS_TOKEN' ? await newKeyPair() : newSecret();
  const kid = randomUUID();
  await db
    .insertInto('access_signing_key')
    .values({
      kid,
      purpose,
      publicJwk: json<unknown>(publicJwk),
      privateJwkEncrypted: secrets.seal(SIGNING_KEY_PURPOSE, kid, JSON.stringify(privateJwk)),
    })
    .onConflict((conflict) => conflict.column('purpose').where('retiredAt', 'is', null).doNothing())
    .execute();
}

async function newKeyPair(): Promise<{ publicJwk: JWK; privateJwk: JWK }> {
  const pair = await generateKeyPair('EdDSA', { crv: 'Ed25519', extractable: true });
  return {
    publicJwk: await exportJWK(pair.publicKey),
    privateJwk: await exportJWK(pair.privateKey),
  };
}

function newSecret(): { publicJwk: JWK; privateJwk: JWK } {
  return {
    publicJwk: { kty: 'oct' },
    privateJwk: { kty: 'oct', k: randomBytes(32).toString('base64url') },
  };
}
