import { LockMode, type EntityName, type RequiredEntityData } from '@mikro-orm/postgresql';
import { sql, type RawBuilder } from 'kysely';
import { Problem } from './problem.ts';
import type { Tables } from '../platform/db/tables.ts';
import type { Sql, Tx, Database } from '../platform/db/database.ts';
import { withConstraintProblems } from './constraint-problems.ts';

/** The ORM increments it with each change. */
type Edited = { version: number };

/** Missing values are null, never undefined. */
export type Stored<E> = { [K in keyof E]-?: Exclude<E[K], undefined> };

/** Throws `version-conflict` if `seen` differs. Undefined accepts any version. */
export function requireVersion(version: number, seen: number | undefined): void {
  if (seen !== undefined && seen !== version)
    throw new Problem('version-conflict', { extra: { currentVersion: version } });
}

/**
 * Locks one row until the transaction ends. `seen`: version that the caller has read, undefined
 * for any. Problems: not-found with `detail`, version-conflict with `currentVersion`.
 */
export async function holdForEdit<E extends Edited>(
  tx: Tx,
  entity: EntityName<E>,
  key: number | Partial<E>,
  { seen, detail }: { seen?: number | undefined; detail?: string } = {},
): Promise<Stored<E>> {
  const where = typeof key === 'number' ? { id: key } : key;
  const row = await tx.em.findOne(entity, where as never, { lockMode: LockMode.PESSIMISTIC_WRITE });
  if (row === null) throw new Problem('not-found', detail === undefined ? {} : { detail });
  requireVersion(row.version, seen);
  return row as unknown as Stored<E>;
}

export async function insertRow<E extends object>(
  tx: Tx,
  entity: EntityName<E>,
  fields: RequiredEntityData<E>,
): Promise<E> {
  const row = tx.em.create(entity, fields);
  await tx.em.persist(row).flush();
  return row;
}

/** Requires the lock of {@link holdForEdit}. */
export async function removeRow(tx: Tx, row: object): Promise<void> {
  await tx.em.remove(row).flush();
}

export type Changed<E> = { before: Partial<E>; after: Partial<E> };

/**
 * Writes the fields that differ and increments the version. Returns null if none differs. Compares
 * by identity, so omit lists and objects that are equal.
 */
export async function saveEdit<E extends Edited>(
  tx: Tx,
  row: E,
  change: Partial<E>,
): Promise<Changed<E> | null> {
  const fields = (Object.keys(change) as (keyof E)[]).filter(
    (field) => row[field] !== change[field],
  );
  if (fields.length === 0) return null;

  const only = (from: Partial<E>): Partial<E> =>
    Object.fromEntries(fields.map((field) => [field, from[field]])) as Partial<E>;
  const before = only(row);
  Object.assign(row, only(change));
  await tx.em.flush();

  return { before, after: only(row) };
}

/** Increments the version of a row whose dependents have changed. */
export async function touchEdited<E extends Edited & { updatedAt: Date }>(
  tx: Tx,
  row: E,
): Promise<void> {
  row.updatedAt = new Date();
  await tx.em.flush();
}

export function nextVersion(table: string): RawBuilder<number> {
  return sql<number>`${sql.ref(`${table}.version`)} + 1`;
}

/** Created by its first edit. Before that its version is 0. */
type KeyedRow<T extends keyof Tables> = {
  table: T;
  key: Extract<keyof Tables[T], string>;
  of: string | number | boolean;
  seen: number;
};

/**
 * Writes such a row atomically if its version is still `seen`. Problem `version-conflict` with
 * `currentVersion`.
 */
export async function saveKeyed<T extends keyof Tables>(
  tx: Sql,
  { table, key, of, seen }: KeyedRow<T>,
  change: Partial<Record<keyof Tables[T], unknown>>,
): Promise<void> {
  const [tableRef, keyColumn] = [sql.table(table), sql.ref(key)];
  const columns = Object.keys(change).map((column) => sql.ref(column));
  const assignments = [
    ...columns.map((column) => sql`${column} = excluded.${column}`),
    sql`updated_at = now()`,
    sql`version = old.version + 1`,
  ];

  const { rows } = await sql`insert into ${tableRef} as old (${sql.join([keyColumn, ...columns])})
    select ${sql.join([of, ...Object.values(change)])}
     where ${seen}::float8 = 0 or exists (select from ${tableRef} where ${keyColumn} = ${of})
    on conflict (${keyColumn}) do update set ${sql.join(assignments)}
     where old.version = ${seen}::float8
    returning 1`.execute(tx.db);
  if (rows.length > 0) return;

  const { rows: currentRows } = await sql<{ version: number }>`
    select version from ${tableRef} where ${keyColumn} = ${of}`.execute(tx.db);
  requireVersion(currentRows[0]?.version ?? 0, seen);
}

/** Runs one edit in a transaction, and throws violated constraints as Problems. */
export function commitEdit<T>({ db }: { db: Database }, work: (tx: Tx) => Promise<T>): Promise<T> {
  return withConstraintProblems(() => db.transaction(work));
}
