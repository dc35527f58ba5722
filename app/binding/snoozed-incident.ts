import { sql } from 'kysely';
import type { IncidentStanding } from '../../contracts/messages/binding.ts';
import { INCIDENT_MOVES } from '../../domain/binding/incident-states.ts';
import { systemActor } from '../actor.ts';
import { recordAudit } from '../audit/record-audit.ts';
import type { Database, Sql } from '../database.ts';
import { nextVersion } from '../edits.ts';

/** What the workflow of an incident needs of its row. An incident that is not there counts as closed: there is nothing to do for it. */
export async function readIncidentState({ db }: Sql, incidentId: number): Promise<IncidentStanding> {
  const row = await db
    .selectFrom('binding_incident')
    .select(['status', 'type', 'severity'])
    .select(
      sql<number | null>`ceil(extract(epoch from snoozed_until - now()) * 1000)::double precision`.as('snoozeEndsInMs'),
    )
    .where('id', '=', incidentId)
    .executeTakeFirst();
  return row ?? { status: 'CLOSED', snoozeEndsInMs: null };
}

/** Opens an incident again whose snooze is over; does nothing when staff have moved it meanwhile. */
export async function reopenIncident(db: Database, incidentId: number): Promise<void> {
  const { from, to } = INCIDENT_MOVES.reopen;
  await db.transaction(async (tx) => {
    const reopened = await tx.db
      .updateTable('binding_incident as incident')
      .set({ status: to, snoozedUntil: null, version: nextVersion('incident') })
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
