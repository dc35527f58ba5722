import { INCIDENT_MOVES, type IncidentStatus } from '../../domain/binding/incident-states.ts';
import { systemActor } from '../actor.ts';
import { recordAudit } from '../audit/record-audit.ts';
import type { Database, Sql } from '../database.ts';

/** What the workflow of an incident needs of its row. An incident that is not there counts as closed: there is nothing to do for it. */
export async function readIncidentState(
  sql: Sql,
  incidentId: number,
): Promise<{ status: IncidentStatus; snoozeEndsInMs: number | null }> {
  const [row] = await sql.query<{ status: IncidentStatus; snoozeEndsInMs: number | null }>(
    `select status, ceil(extract(epoch from snoozed_until - now()) * 1000)::double precision as "snoozeEndsInMs"
       from binding_incident where id = $1`,
    [incidentId],
  );
  return row ?? { status: 'CLOSED', snoozeEndsInMs: null };
}

/** Opens an incident again whose snooze is over; does nothing when staff have moved it meanwhile. */
export async function reopenIncident(db: Database, incidentId: number): Promise<void> {
  const { from, to } = INCIDENT_MOVES.reopen;
  await db.transaction(async (tx) => {
    const reopened = await tx.query(
      `update binding_incident set status = $2, snoozed_until = null, version = version + 1
        where id = $1 and status = any ($3) and snoozed_until <= now() returning id`,
      [incidentId, to, from],
    );
    if (reopened.length > 0)
      await recordAudit(tx, systemActor('incident'), {
        entityType: 'binding-incident',
        entityId: incidentId,
        action: 'reopen',
        before: { status: 'SNOOZED' },
        after: { status: to },
      });
  });
}
