import { sql, type RawBuilder } from 'kysely';
import type { SecretBox } from '../platform/secrets.ts';
import { SIGNING_KEY_PURPOSE } from './access/keyring.ts';
import { SECOND_FACTOR_PURPOSE } from './access/second-factor/totp.ts';
import { PERSONAL_PURPOSE } from './access/customers/personal-data.ts';
import { rotateOrderPhones } from './access/customers/rotate-order-phones.ts';
import { phoneDigest } from './gifts/clients/clients.ts';
import { WEBHOOK_SECRET_PURPOSE } from './events/deliveries/webhook-message.ts';
import { rotatePhoneDigests } from './gifts/clients/rotate-phone-digests.ts';
import { API_LOGIN_PURPOSE, TOKEN_PURPOSE } from './connections/erp-calls/erp-token-store.ts';
import type { Sql } from '../platform/db/database.ts';
import { COMMENTS_PURPOSE } from './ordering/cart/cart-row.ts';

/** A test compares this list with the schema. */
export const ENCRYPTED_COLUMNS = [
  { table: 'connection', key: 'id', column: 'api_login_encrypted', purpose: API_LOGIN_PURPOSE },
  { table: 'erp_token', key: 'connection_id', column: 'token_encrypted', purpose: TOKEN_PURPOSE },
  {
    table: 'access_signing_key',
    key: 'kid',
    column: 'private_jwk_encrypted',
    purpose: SIGNING_KEY_PURPOSE,
  },
  {
    table: 'access_second_factor',
    key: 'user_id',
    column: 'secret_encrypted',
    purpose: SECOND_FACTOR_PURPOSE,
  },
  { table: 'cart', key: 'id', column: 'comments_encrypted', purpose: COMMENTS_PURPOSE },
  {
    table: 'webhook_endpoint',
    key: 'id',
    column: 'secret_encrypted',
    purpose: WEBHOOK_SECRET_PURPOSE,
  },
  {
    table: 'webhook_endpoint',
    key: 'id',
    column: 'former_secret_encrypted',
    purpose: WEBHOOK_SECRET_PURPOSE,
  },
  { table: 'personal_data', key: 'id', column: 'data_encrypted', purpose: PERSONAL_PURPOSE },
] as const;

type EncryptedColumn = (typeof ENCRYPTED_COLUMNS)[number];

/**
 * `current` counts values that already use the first key, `unreadable` those whose key is not
 * configured.
 */
export type RotationCount = { table: string; rotated: number; current: number; unreadable: number };

const ROWS_PER_BATCH = 200;

type Row = { key: number | string; sealed: string };

/**
 * Re-encrypts values that do not use the first key of ENCRYPTION_KEYS, row by row, and recomputes
 * phone digests. Processes may run: their concurrent writes are kept. Versions and times of rows do
 * not change.
 */
export async function rotateSecrets(deps: {
  db: Sql;
  secrets: SecretBox;
}): Promise<RotationCount[]> {
  const counts: RotationCount[] = [];
  for (const column of ENCRYPTED_COLUMNS) counts.push(await rotateColumn(deps, column));
  // Digests are computed from the phones above.
  counts.push({ table: 'compensation_client', ...(await rotatePhoneDigests(deps)) });
  const digests = await rotateOrderPhones(deps, (phone) => phoneDigest(deps, phone));
  counts.push({ table: 'personal_data.phone_digest', ...digests });

  return counts;
}

async function rotateColumn(
  deps: { db: Sql; secrets: SecretBox },
  encrypted: EncryptedColumn,
): Promise<RotationCount> {
  const { table, key, column } = encrypted;
  const count: RotationCount = { table, rotated: 0, current: 0, unreadable: 0 };
  let after: number | string | null = null;

  for (;;) {
    const isNext: RawBuilder<unknown> =
      after === null ? sql`true` : sql`${sql.ref(key)} > ${after}`;
    const { rows }: { rows: Row[] } = await sql<Row>`
      select ${sql.ref(key)} as key, ${sql.ref(column)} as sealed from ${sql.table(table)}
       where ${sql.ref(column)} is not null and ${isNext} order by ${sql.ref(key)} limit ${ROWS_PER_BATCH}`.execute(
      deps.db.db,
    );

    for (const row of rows) count[await rotateRow(deps, encrypted, row)] += 1;
    if (rows.length < ROWS_PER_BATCH) return count;
    after = rows.at(-1)!.key;
  }
}

async function rotateRow(
  { db, secrets }: { db: Sql; secrets: SecretBox },
  { table, key, column, purpose }: EncryptedColumn,
  row: Row,
): Promise<'rotated' | 'current' | 'unreadable'> {
  if (!secrets.isStale(row.sealed)) return 'current';
  if (!secrets.canOpen(row.sealed)) return 'unreadable';
  const sealed = secrets.seal(purpose, row.key, secrets.open(purpose, row.key, row.sealed));
  // Keeps a value that was written meanwhile.
  const { numAffectedRows = 0n } = await sql`
    update ${sql.table(table)} set ${sql.ref(column)} = ${sealed}
     where ${sql.ref(key)} = ${row.key}
       and ${sql.ref(column)} = ${row.sealed}`.execute(db.db);

  return numAffectedRows > 0n ? 'rotated' : 'current';
}
