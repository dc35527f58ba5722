import { isDeepStrictEqual } from 'node:util';
import type { EntityName, RequiredEntityData } from '@mikro-orm/postgresql';
import type { Actor } from '../../../kernel/actor.ts';
import { holdForEdit, insertRow, removeRow, saveEdit, type Stored } from '../../../kernel/edits.ts';
import type { Tx } from '../../../platform/db/database.ts';
import type { AuditEntity } from '../schemas/audit.ts';
import { omitUndefined } from '../../../kernel/pages.ts';
import { recordAudit } from './record-audit.ts';

type Row = { id: number; version: number };

export type Audited<E extends Row> = {
  entity: EntityName<E>;
  entityType: AuditEntity;
  /** Detail of `not-found`. */
  missing?: string;
};

type AuditedFields<E extends Row> = (row: Stored<E>) => Record<string, unknown>;

type RowEdit<E extends Row> = {
  id: number;
  /** Any version if absent. */
  version?: number | undefined;
  fields: Partial<Stored<E>>;
  /** `update` if absent. */
  action?: string;
  /** Changed fields if absent. */
  audited?: AuditedFields<E>;
  /** Throws if the changed row is not valid. */
  check?: (row: Stored<E>) => void;
};

/** Returns the fields whose values differ. Compares lists and dates by value. */
export function differing<R extends object>(row: R, change: Partial<R>): Partial<R> {
  const fields = Object.entries(change).filter(
    ([field, value]) => !isDeepStrictEqual(row[field as keyof R], value),
  );
  return Object.fromEntries(fields) as Partial<R>;
}

export async function createRow<E extends Row>(
  tx: Tx,
  actor: Actor,
  { entity, entityType }: Audited<E>,
  fields: RequiredEntityData<E>,
): Promise<number> {
  const row = await insertRow(tx, entity, fields);
  const after = fields as Record<string, unknown>;
  await recordAudit(tx, actor, { entityType, entityId: row.id, action: 'create', after });
  return row.id;
}

/** Saves changed fields with an audit entry. Problems: not-found, version-conflict. */
export async function editRow<E extends Row>(
  tx: Tx,
  actor: Actor,
  { entity, entityType, missing }: Audited<E>,
  { id, version, fields, action = 'update', audited, check }: RowEdit<E>,
): Promise<Stored<E>> {
  const row = await holdForEdit<E>(
    tx,
    entity,
    id,
    omitUndefined({ seen: version, detail: missing }),
  );
  const change = differing(row, fields);
  check?.({ ...row, ...change });
  const before = audited?.(row);

  const changed = await saveEdit(tx, row, change);
  if (changed === null) return row;
  const values = before === undefined ? changed : { before, after: audited!(row) };
  await recordAudit(tx, actor, { entityType, entityId: id, action, ...values });

  return row;
}

export async function deleteRow<E extends Row>(
  tx: Tx,
  actor: Actor,
  { entity, entityType, missing }: Audited<E>,
  id: number,
  audited: AuditedFields<E> = (row) => ({ ...row }),
): Promise<void> {
  const row = await holdForEdit<E>(tx, entity, id, omitUndefined({ detail: missing }));
  const before = audited(row);
  await removeRow(tx, row);
  await recordAudit(tx, actor, { entityType, entityId: id, action: 'delete', before });
}
