import { randomUUID } from 'node:crypto';
import { sql, type Expression } from 'kysely';
import { anyOf, type Sql, type Statements } from '../../../platform/db/database.ts';
import type { SecretBox } from '../../../platform/secrets.ts';

/** The encryption purpose of personal data. */
export const PERSONAL_PURPOSE = 'personal.data';

/** The purpose of a record, which determines how long it is kept. */
export type PersonalPurpose = 'ADDRESS' | 'ORDER' | 'CLIENT' | 'COMMENT' | 'REASON';

type Deps = { secrets: SecretBox };

/**
 * Encrypts and stores personal data; other tables store only the id (rule CLI-4). Its life counts
 * from `createdAt`, by default from now. A record with `phoneDigest` is found by the phone (rule
 * ORD-133).
 */
export async function keepPersonal(
  { db }: Sql,
  { secrets }: Deps,
  purpose: PersonalPurpose,
  value: unknown,
  { createdAt, phoneDigest }: { createdAt?: Date; phoneDigest?: string } = {},
): Promise<string> {
  const { id, insertInto } = personalRecord({ secrets }, purpose, value, { createdAt, phoneDigest });
  await insertInto(db).execute();
  return id;
}

/** The same as a part of another statement: the id of a record, and the part that inserts it. */
export function personalRecord(
  { secrets }: Deps,
  purpose: PersonalPurpose,
  value: unknown,
  { createdAt, phoneDigest = null }: { createdAt?: Date | undefined; phoneDigest?: string | null | undefined } = {},
) {
  const id = randomUUID();
  const dataEncrypted = secrets.seal(PERSONAL_PURPOSE, id, JSON.stringify(value));
  return {
    id,
    insertInto: (db: Statements) =>
      db
        .insertInto('personal_data')
        .values({ id, purpose, dataEncrypted, phoneDigest, ...(createdAt === undefined ? {} : { createdAt }) }),
  };
}

/**
 * Records by their ids, as they were kept; those that were erased are left out. The type is the
 * caller's promise.
 */
export async function readPersonal<T>(
  { db }: Sql,
  { secrets }: Deps,
  ids: readonly string[],
): Promise<ReadonlyMap<string, T>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .selectFrom('personal_data')
    .select(['id', 'dataEncrypted'])
    .where('id', '=', anyOf(ids, 'uuid'))
    .execute();
  return new Map(
    rows.map((row) => [row.id, JSON.parse(secrets.open(PERSONAL_PURPOSE, row.id, row.dataEncrypted)) as T]),
  );
}

/** Adds fields to a record; one that was erased stays so. */
export async function amendPersonal(tx: Sql, deps: Deps, id: string, fields: object): Promise<void> {
  const existing = (await readPersonal<object>(tx, deps, [id])).get(id);
  if (existing === undefined) return;
  const dataEncrypted = deps.secrets.seal(PERSONAL_PURPOSE, id, JSON.stringify({ ...existing, ...fields }));
  await tx.db.updateTable('personal_data').set({ dataEncrypted }).where('id', '=', id).execute();
}

/**
 * Deletes records permanently, and returns how many were there. Referring rows keep all other data.
 */
export async function erasePersonal({ db }: Sql, ids: readonly string[]): Promise<number> {
  if (ids.length === 0) return 0;
  const { numDeletedRows } = await db
    .deleteFrom('personal_data')
    .where('id', '=', anyOf(ids, 'uuid'))
    .executeTakeFirst();
  return Number(numDeletedRows);
}

/** The part of a statement that deletes the records that a query names. */
export const personalErasure = (db: Statements, ids: Expression<{ personalDataId: string | null }>) =>
  db.deleteFrom('personal_data').where('id', 'in', sql<string>`(${ids})`);
