import type { AuditEntity } from '../../contracts/audit.ts';
import { Problem } from '../../contracts/problem.ts';
import type { Actor } from '../actor.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { withConstraintProblems } from '../constraint-problems.ts';
import type { Database, Sql } from '../database.ts';

type Owner = { id: number; version: number };

/** A kind of owner: where it is stored, how it is read, and what of it goes into the audit. */
export type OwnerKind<View extends Owner> = {
  table: 'franchisee' | 'legal_entity';
  entityType: AuditEntity;
  columns: string;
  /** Column of each field that can be edited. */
  editable: Readonly<Partial<Record<keyof View, string>>>;
};

/** One owner. Problem `not-found`. `hold` locks its row in a transaction. */
export async function getOwner<View extends Owner>(
  sql: Sql,
  kind: OwnerKind<View>,
  id: number,
  options: { hold?: boolean } = {},
): Promise<View> {
  const [row] = await sql.query<View>(
    `select ${kind.columns} from ${kind.table} where id = $1 ${options.hold === true ? 'for update' : ''}`,
    [id],
  );
  if (row === undefined) throw new Problem('not-found');
  return row;
}

export type OwnerEdit<View> = {
  id: number;
  /** The version the caller has seen; left out, any will do. */
  version?: number | undefined;
  action: 'update' | 'activate' | 'deactivate';
  change: Partial<View>;
};

/**
 * Changes fields of an owner with its audit; a change that changes nothing writes nothing, so a second call is harmless. The row is
 * held, so a connection is created either before an owner becomes inactive or not at all.
 * Problems: not-found, version-conflict, duplicate.
 */
export function editOwner<View extends Owner>(
  { db }: { db: Database },
  actor: Actor,
  kind: OwnerKind<View>,
  edit: OwnerEdit<View>,
): Promise<View> {
  const fields = Object.keys(edit.change) as (keyof View & string)[];
  const audited = (view: View): Record<string, unknown> =>
    Object.fromEntries(Object.keys(kind.editable).map((field) => [field, view[field as keyof View]]));
  return withConstraintProblems(() =>
    db.transaction(async (tx) => {
      const before = await getOwner(tx, kind, edit.id, { hold: true });
      if (edit.version !== undefined && edit.version !== before.version)
        throw new Problem('version-conflict', { extra: { currentVersion: before.version } });
      if (fields.every((field) => before[field] === edit.change[field])) return before;
      const assignments = fields.map((field, index) => `${kind.editable[field]} = $${index + 2}`).join(', ');
      await tx.query(
        `update ${kind.table} set ${assignments}, updated_at = now(), version = version + 1 where id = $1`,
        [edit.id, ...fields.map((field) => edit.change[field])],
      );
      const after = await getOwner(tx, kind, edit.id);
      await recordAudit(tx, actor, {
        entityType: kind.entityType,
        entityId: edit.id,
        action: edit.action,
        before: audited(before),
        after: audited(after),
      });
      return after;
    }),
  );
}

/** The edit that makes an owner active or inactive; both are harmless a second time. */
export function activityEdit(input: { id: number; version?: number | undefined; isActive: boolean }) {
  const { id, version, isActive } = input;
  return { id, version, action: isActive ? ('activate' as const) : ('deactivate' as const), change: { isActive } };
}
