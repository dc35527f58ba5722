import { randomUUID } from 'node:crypto';
import { sql, type Expression } from 'kysely';
import { anyOf, type Sql, type Statements } from '../../../platform/db/database.ts';
import type { SecretBox } from '../../../platform/secrets.ts';

export const PERSONAL_PURPOSE = 'personal.data';

/** The purpose determines the retention period. */
export type PersonalPurpose = 'ADDRESS' | 'ORDER' | 'CLIENT' | 'COMMENT' | 'REASON';

type Deps = { secrets: SecretBox };

/**
 * Stores encrypted data; other tables refer to its id (rule CLI-4). The retention period begins at
 * `createdAt` (default: now). Staff search orders by `phoneDigest` (rule ORD-133).
 */
export async function keepPersonal(
  { db }: Sql,
  { secrets }: Deps,
  purpose: PersonalPurpose,
  value: unknown,
  { createdAt, phoneDigest }: { createdAt?: Date; phoneDigest?: string } = {},
): Promise<string> {
  const { id, insertInto } = personalRecord({ secrets }, purpose, value, {
    createdAt,
    phoneDigest,
  });
  await insertInto(db).execute();

  return id;
}

export function personalRecord(
  { secrets }: Deps,
  purpose: PersonalPurpose,
  value: unknown,
  {
    createdAt,
    phoneDigest = null,
  }: { createdAt?: Date | undefined; phoneDigest?: string | null | undefined } = {},
) {
  const id = randomUUID();
  const dataEncrypted = secrets.seal(PERSONAL_PURPOSE, id, JSON.stringify(value));

  return {
    id,
    insertInto: (db: Statements) =>
      db.insertInto('personal_data').values({
        id,
        purpose,
        dataEncrypted,
        phoneDigest,
        ...(createdAt === undefined ? {} : { createdAt }),
      }),
  };
}

/** Reads records by id, without erased ones. The type is not validated. */
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
    rows.map((row) => [
      row.id,
      JSON.parse(secrets.open(PERSONAL_PURPOSE, row.id, row.dataEncrypted)) as T,
    ]),
  );
}

/** Adds fields unless the record is erased. */
export async function amendPersonal(
  tx: Sql,
  deps: Deps,
  id: string,
  fields: object,
): Promise<void> {
  const existing = (await readPersonal<object>(tx, deps, [id])).get(id);
  if (existing === undefined) return;
  const dataEncrypted = deps.secrets.seal(
    PERSONAL_PURPOSE,
    id,
    JSON.stringify({ ...existing, ...fields }),
  );

  await tx.db.updateTable('personal_data').set({ dataEncrypted }).where('id', '=', id).execute();
}

/** Deletes records permanently. Rows that refer to them stay. */
export async function erasePersonal({ db }: Sql, ids: readonly string[]): Promise<number> {
  if (ids.length === 0) return 0;
  const { numDeletedRows } = await db
    .deleteFrom('personal_data')
    .where('id', '=', anyOf(ids, 'uuid'))
    .executeTakeFirst();

  return Number(numDeletedRows);
}

export const personalErasure = (
  db: Statements,
  ids: Expression<{ personalDataId: string | null }>,
) => db.deleteFrom('personal_data').where('id', 'in', sql<string>`(${ids})`);
