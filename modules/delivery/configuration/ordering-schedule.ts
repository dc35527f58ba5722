import { isDeepStrictEqual } from 'node:util';
import type { OrderingSchedule, OrderingScheduleEdit } from '../schemas/hours.ts';
import { Problem } from '../../../kernel/problem.ts';
import { json, type Database, type Sql, type Tx } from '../../../platform/db/database.ts';
import { scheduleErrors } from '../rules/schedule-rules.ts';
import type { Actor } from '../../../kernel/actor.ts';
import { recordAudit } from '../../access/audit/record-audit.ts';
import { requireVersion, saveKeyed } from '../../../kernel/edits.ts';
import { commitOrderingEdit, requireOrganization } from './commit-edit.ts';
import { resolveLeftBehind } from './left-behind.ts';

/** Returns the regular week, empty by default. Problem `not-found`. */
export async function getSchedule(sql: Sql, organizationId: number): Promise<OrderingSchedule> {
  await requireOrganization(sql, organizationId);
  const row = await sql.db
    .selectFrom('ordering_schedule')
    .selectAll()
    .where('organizationId', '=', organizationId)
    .executeTakeFirst();

  return row ?? { organizationId, windows: [], updatedAt: null, version: 0 };
}

/**
 * Replaces the regular week. Problems: not-found, version-conflict, validation for each invalid
 * window (FUL-1).
 */
export function replaceSchedule(
  deps: { db: Database },
  actor: Actor,
  organizationId: number,
  edit: OrderingScheduleEdit,
): Promise<OrderingSchedule> {
  const errors = scheduleErrors(edit.windows);
  if (errors.length > 0) throw new Problem('validation', { errors });

  return commitOrderingEdit(deps, async (tx) => {
    await writeSchedule(tx, actor, organizationId, edit);
    return getSchedule(tx, organizationId);
  });
}

/** {@link replaceSchedule} for valid windows. */
export async function writeSchedule(
  tx: Tx,
  actor: Actor,
  organizationId: number,
  { version, windows }: OrderingScheduleEdit,
): Promise<void> {
  const currentSchedule = await getSchedule(tx, organizationId);
  requireVersion(currentSchedule.version, version);
  if (isDeepStrictEqual(currentSchedule.windows, windows)) return;
  await saveKeyed(
    tx,
    { table: 'ordering_schedule', key: 'organizationId', of: organizationId, seen: version },
    { windows: json(windows) },
  );

  await resolveLeftBehind(tx, [organizationId]);
  await recordAudit(tx, actor, {
    entityType: 'organization-schedule',
    entityId: organizationId,
    action: 'update',
    before: { windows: currentSchedule.windows },
    after: { windows },
  });
}
