import { LockMode, type EntityName } from '@mikro-orm/postgresql';
import { Problem } from '../contracts/problem.ts';
import type { Tx } from './database.ts';

/** What every row has that people edit: the ORM raises the version with each change. */
type Edited = { id: number; version: number };

/** A row as it is stored: a column without a value is null, never absent. */
export type Stored<E> = { [K in keyof E]-?: Exclude<E[K], undefined> };

/** Throws `version-conflict` when the caller has seen another version than the stored one; a caller who names none takes any. */
export function requireVersion(stored: number, seen: number | undefined): void {
  if (seen !== undefined && seen !== stored)
    throw new Problem('version-conflict', { extra: { currentVersion: stored } });
}

/**
 * One row for an edit, held until the transaction ends. `seen` is the version that the caller has seen; left out, any will do.
 * Problems: not-found with `detail`, version-conflict with `currentVersion`.
 */
export async function holdForEdit<E extends Edited>(
  tx: Tx,
  entity: EntityName<E>,
  id: number,
  { seen, detail }: { seen?: number | undefined; detail?: string } = {},
): Promise<Stored<E>> {
  const row = await tx.em.findOne(entity, { id } as never, { lockMode: LockMode.PESSIMISTIC_WRITE });
  if (row === null) throw new Problem('not-found', detail === undefined ? {} : { detail });
  requireVersion(row.version, seen);
  return row as unknown as Stored<E>;
}

/** The fields that an edit has changed, as they were and as they are. */
export type Changed<E> = { before: Partial<E>; after: Partial<E> };

/**
 * Assigns the fields that differ and writes the row with its next version; null, and nothing is written, when none differs.
 * Values are compared as they are: for a field that holds a list or an object, leave it out when it is equal.
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

/** Gives a row its next version although none of its own columns has changed: something that belongs to it has. */
export async function touchEdited<E extends Edited & { updatedAt: Date }>(tx: Tx, row: E): Promise<void> {
  row.updatedAt = new Date();
  await tx.em.flush();
}
