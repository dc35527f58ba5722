import { LockMode, type EntityName, type RequiredEntityData } from '@mikro-orm/postgresql';
import { sql, type RawBuilder } from 'kysely';
import { Problem } from './problem.ts';
import type { Tables } from '../platform/db/tables.ts';
import type { Sql, Tx, Database } from '../platform/db/database.ts';
import { withConstraintProblems } from './constraint-problems.ts';

/** The column of every editable row: the ORM raises the version with each change. */
type Edited = { version: number };

/** A row as it is stored: a column without a value is null, never absent. */
export type Stored<E> = { [K in keyof E]-?: Exclude<E[K], undefined> };

/**
 * Throws `version-conflict` when the caller has seen another version than the stored one; a caller
 * who names none takes any.
 */
export function requireVersion(stored: number, seen: number | undefined): void {
  if (seen !== undefined && seen !== stored)
    throw new Problem('version-conflict', { extra: { currentVersion: stored } });
}

/**
 * One row for an edit, locked until the transaction ends, by its id or by required fields. `seen`
 * is the version that the caller has read; any if absent. Problems: not-found with `detail`,
 * version-conflict with `currentVersion`.
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

/** Inserts one row of an entity and returns it as it is stored, with its id and defaults. */
export async function insertRow<E extends object>(
  tx: Tx,
  entity: EntityName<E>,
  fields: RequiredEntityData<E>,
): Promise<E> {
  const row = tx.em.create(entity, fields);
  await tx.em.persist(row).flush();
  return row;
}

/** Deletes a row that {@link holdForEdit} has locked. */
export async function removeRow(tx: Tx, row: object): Promise<void> {
  await tx.em.remove(row).flush();
}

/** The fields that an edit has changed, as they were and as they are. */
export type Changed<E> = { before: Partial<E>; after: Partial<E> };

/**
 * Assigns the fields that differ and writes the row with its next version; null, and nothing is
 * written, when none differs. Values are compared as they are: omit a field with a list or an
 * object when it is equal.
 */
export async function saveEdit<E extends Edited>(tx: Tx, row: E, change: Partial<E>): Promise<Changed<E> | null> {
  const fields = (Object.keys(change) as (keyof E)[]).filter((field) => row[field] !== change[field]);
  if (fields.length === 0) return null;
  const only = (from: Partial<E>): Partial<E> =>
    Object.fromEntries(fields.map((field) => [field, from[field]])) as Partial<E>;
  const before = only(row);
  Object.assign(row, only(change));
  await tx.em.flush();
  return { before, after: only(row) };
}

/**
 * Gives a row its next version although none of its own columns has changed: something that belongs
 * to it has.
 */
export async function touchEdited<E extends Edited & { updatedAt: Date }>(tx: Tx, row: E): Promise<void> {
  row.updatedAt = new Date();
  await tx.em.flush();
}

/**
 * The next version of each row that a statement about a set writes; `table` is the name of the
 * table in the statement.
 */
export function nextVersion(table: string): RawBuilder<number> {
  return sql<number>`${sql.ref(`${table}.version`)} + 1`;
}

/** A row that exists only after the first edit of its key; before that its version is 0. */
type KeyedRow<T extends keyof Tables> = {
  table: T;
  key: Extract<keyof Tables[T], string>;
  of: string | number | boolean;
  /** The version that the caller has seen. */
  seen: number;
};

/**
 * Writes such a row when its version is still the one the caller has seen: check and claim in one
 * statement, so of two concurrent edits one gets a conflict. Problem `version-conflict` with
 * `currentVersion`.
 */
export async function saveKeyed<T extends keyof Tables>(
  tx: Sql,
  { table, key, of, seen }: KeyedRow<T>,
  change: Partial<Record<keyof Tables[T], unknown>>,
): Promise<void> {
  const [stored, keyColumn] = [sql.table(table), sql.ref(key)];
  const columns = Object.keys(change).map((column) => sql.ref(column));
  const assignments = [
    ...columns.map((column) => sql`${column} = excluded.${column}`),
    sql`updated_at = now()`,
    sql`version = old.version + 1`,
  ];
  const { rows } = await sql`insert into ${stored} as old (${sql.join([keyColumn, ...columns])})
    select ${sql.join([of, ...Object.values(change)])}
     where ${seen}::int = 0 or exists (select from ${stored} where ${keyColumn} = ${of})
    on conflict (${keyColumn}) do update set ${sql.join(assignments)}
     where old.version = ${seen}
    returning 1`.execute(tx.db);
  if (rows.length > 0) return;
  const { rows: found } = await sql<{ version: number }>`
    select version from ${stored} where ${keyColumn} = ${of}`.execute(tx.db);
  requireVersion(found[0]?.version ?? 0, seen);
}

/**
 * Runs one edit of staff in one transaction; a rejected edit leaves nothing, a broken rule of the
 * database is its Problem.
 */
export function commitEdit<T>({ db }: { db: Database }, work: (tx: Tx) => Promise<T>): Promise<T> {
  return withConstraintProblems(() => db.transaction(work));
}
