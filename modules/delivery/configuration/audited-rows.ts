import { isDeepStrictEqual } from 'node:util';
import type { EntityName, RequiredEntityData } from '@mikro-orm/postgresql';
import type { AuditEntity } from '../../access/schemas/audit.ts';
import type { Actor } from '../../../kernel/actor.ts';
import { recordAudit } from '../../access/audit/record-audit.ts';
import type { Tx } from '../../../platform/db/database.ts';
import { holdForEdit, insertRow, removeRow, saveEdit, type Stored } from '../../../kernel/edits.ts';

type Row = { id: number; version: number };

/** Rows that are edited one by one, with their names in audit and problems. */
export type Audited<E extends Row> = {
  entity: EntityName<E>;
  entityType: AuditEntity;
  /** Detail of `not-found`. */
  missing: string;
};

/** Returns the fields that differ by value, including lists and moments. */
export function differing<R extends object>(row: R, wanted: Partial<R>): Partial<R> {
  const fields = Object.entries(wanted).filter(([field, value]) => !isDeepStrictEqual(row[field as keyof R], value));
  return Object.fromEntries(fields) as Partial<R>;
}

/** Creates a row with an audit entry and returns its id. */
export async function createRow<E extends Row>(
  tx: Tx,
  actor: Actor,
  { entity, entityType }: Audited<E>,
  fields: RequiredEntityData<E>,
): Promise<number> {
  const row = await insertRow(tx, entity, fields);
  await recordAudit(tx, actor, {
    entityType,
    entityId: row.id,
    action: 'create',
    after: fields as Record<string, unknown>,
  });
  return row.id;
}

/**
 * Changes the differing fields of a row with an audit entry; `check` validates the result.
 * Problems: not-found, version-conflict.
 */
export async function editRow<E extends Row>(
  tx: Tx,
  actor: Actor,
  { entity, entityType, missing }: Audited<E>,
  edit: { id: number; version: number; fields: Partial<Stored<E>> },
  check: (row: Stored<E>) => void = () => undefined,
): Promise<void> {
  const row = await holdForEdit<E>(tx, entity, edit.id, { seen: edit.version, detail: missing });
  const change = differing(row, edit.fields);
  check({ ...row, ...change });
  const changed = await saveEdit(tx, row, change);
  if (changed !== null) await recordAudit(tx, actor, { entityType, entityId: edit.id, action: 'update', ...changed });
}

/** Deletes a row with an audit entry. Problem `not-found`. */
export async function deleteRow<E extends Row>(
  tx: Tx,
  actor: Actor,
  { entity, entityType, missing }: Audited<E>,
  id: number,
): Promise<void> {
  const row = await holdForEdit<E>(tx, entity, id, { detail: missing });
  const before = { ...row } as Record<string, unknown>;
  await removeRow(tx, row);
  await recordAudit(tx, actor, { entityType, entityId: id, action: 'delete', before });
}
