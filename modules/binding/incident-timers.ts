import { sql } from 'kysely';
import type { IncidentStanding } from './messages/binding.ts';
import { INCIDENT_MOVES } from './rules/incident-states.ts';
import { systemActor } from '../../kernel/actor.ts';
import { recordAudit } from '../access/audit/record-audit.ts';
import type { Database, Sql } from '../../platform/db/database.ts';
import { nextVersion } from '../../kernel/edits.ts';
import { raiseNotification } from '../notifications/raise-notification.ts';
import { readSettings } from '../settings/read-settings.ts';
import { NOTIFICATION_SUBJECT } from './incident-rows.ts';

/** Reads an incident for its workflow. A missing incident counts as closed. */
export async function readIncidentState(from: Sql, incidentId: number): Promise<IncidentStanding> {
  const row = await from.db
    .selectFrom('binding_incident')
    .select(['status', 'resolution', 'type', 'severity'])
    .select(
      sql<
        number | null
      >`ceil(extract(epoch from snoozed_until - now()) * 1000)::double precision`.as(
        'snoozeEndsInMs',
      ),
    )
    .select(
      sql<number>`ceil(extract(epoch from now() - opened_at) * 1000)::double precision`.as(
        'openForMs',
      ),
    )
    .select(sql<boolean>`escalated_at is not null`.as('isEscalated'))
    .where('id', '=', incidentId)
    .executeTakeFirst();

  if (row === undefined)
    return {
      status: 'CLOSED',
      resolution: null,
      type: null,
      severity: null,
      snoozeEndsInMs: null,
      escalatesInMs: null,
      isEscalated: false,
    };

  const { openForMs, ...standing } = row;
  const escalates = row.status === 'OPEN' && row.severity === 'CRITICAL' && !row.isEscalated;

  return {
    ...standing,
    escalatesInMs: escalates ? Math.max(0, (await escalationMs(from)) - openForMs) : null,
  };
}

const escalationMs = async (from: Sql): Promise<number> =>
  (await readSettings(from, 'binding.escalation_minutes'))['binding.escalation_minutes'] * 60_000;

/**
 * Notifies staff of an unattended lost item, once for all items of an evaluation (BND-23).
 * Idempotent. Does nothing before the deadline.
 */
export async function escalateIncident(db: Database, incidentId: number): Promise<void> {
  await db.transaction(async (tx) => {
    const escalated = await tx.db
      .updateTable('binding_incident')
      .set({ escalatedAt: sql<Date>`now()` })
      .where('id', '=', incidentId)
      .where('status', '=', 'OPEN')
      .where('severity', '=', 'CRITICAL')
      .where('escalatedAt', 'is', null)
      .where(
        'openedAt',
        '<=',
        sql<Date>`now() - make_interval(secs => ${(await escalationMs(tx)) / 1000})`,
      )
      .returning(['evaluation', 'openedAt'])
      .executeTakeFirst();
    if (escalated === undefined) return;

    const { evaluation, openedAt } = escalated;
    await raiseNotification(tx, {
      kind: 'BINDING_UNATTENDED',
      subjectType: NOTIFICATION_SUBJECT,
      subjectId: evaluation,
      details: { incidentId, openSince: openedAt.toISOString() },
    });
  });
}

/** Reopens an incident after its snooze, unless staff have changed it. */
export async function reopenIncident(db: Database, incidentId: number): Promise<void> {
  const { from, to } = INCIDENT_MOVES.reopen;
  await db.transaction(async (tx) => {
    const reopened = await tx.db
      .updateTable('binding_incident as incident')
      .set({
        status: to,
        snoozedUntil: null,
        openedAt: sql<Date>`now()`,
        escalatedAt: null,
        version: nextVersion('incident'),
      })
      .where('id', '=', incidentId)
      .where('status', 'in', from)
      .where('snoozedUntil', '<=', sql<Date>`now()`)
      .returning('id')
      .executeTakeFirst();

    if (reopened !== undefined)
      await recordAudit(tx, systemActor('incident'), {
        entityType: 'binding-incident',
        entityId: incidentId,
        action: 'reopen',
        before: { status: 'SNOOZED' },
        after: { status: to },
      });
  });
}
