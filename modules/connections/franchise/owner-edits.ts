import type { EntityName } from '@mikro-orm/postgresql';
import type { AuditEntity } from '../../access/schemas/audit.ts';
import type { Actor } from '../../../kernel/actor.ts';
import { recordAudit } from '../../access/audit/record-audit.ts';
import { withConstraintProblems } from '../../../kernel/constraint-problems.ts';
import type { Database } from '../../../platform/db/database.ts';
import { holdForEdit, saveEdit, type Stored } from '../../../kernel/edits.ts';

type Owner = { id: number; version: number; isActive: boolean };

export type OwnerEdit<E> = {
  id: number;
  /** The version the caller has seen; left out, any will do. */
  version?: number | undefined;
  action: 'update' | 'activate' | 'deactivate';
  change: Partial<Stored<E>>;
};

/**
 * Changes fields of an owner with its audit; a change that changes nothing writes nothing, so a
 * second call is harmless. The row is locked, so a connection is created either before an owner
 * becomes inactive or not at all. Problems: not-found, version-conflict, duplicate.
 */
export function editOwner<E extends Owner>(
  { db }: { db: Database },
  actor: Actor,
  owner: { entity: EntityName<E>; entityType: AuditEntity; audited: (row: Stored<E>) => Record<string, unknown> },
  edit: OwnerEdit<E>,
): Promise<Stored<E>> {
  return withConstraintProblems(() =>
    db.transaction(async (tx) => {
      const row = await holdForEdit<E>(tx, owner.entity, edit.id, { seen: edit.version });
      const before = owner.audited(row);
      if ((await saveEdit(tx, row, edit.change)) !== null)
        await recordAudit(tx, actor, {
          entityType: owner.entityType,
          entityId: edit.id,
          action: edit.action,
          before,
          after: owner.audited(row),
        });
      return row;
    }),
  );
}

/** The edit that makes an owner active or inactive; both are harmless a second time. */
export function activityEdit(input: { id: number; version?: number | undefined; isActive: boolean }) {
  const { id, version, isActive } = input;
  return { id, version, action: isActive ? ('activate' as const) : ('deactivate' as const), change: { isActive } };
}
