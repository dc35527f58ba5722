import { sql } from 'kysely';
import type { NotificationKind } from '../notifications/schemas/notifications.ts';
import type { IncidentChange } from './messages/binding.ts';
import { anyOf, type Tx } from '../../platform/db/database.ts';
import type { Row } from '../../platform/db/row.ts';
import { appendOutboxRows } from '../../kernel/outbox.ts';
import { inBatches } from '../../kernel/pure/lists.ts';
import {
  INCIDENT_MOVES,
  SEVERITY_OF,
  UNSETTLED,
  type IncidentMove,
  type IncidentType,
} from './rules/incident-states.ts';
import type { Candidate } from './rules/replacement.ts';
import { nextVersion } from '../../kernel/edits.ts';
import { recordEvents } from '../events/record-events.ts';
import { resolveNotifications } from '../notifications/raise-notification.ts';

/** The evaluation that found the lost items. */
export const NOTIFICATION_SUBJECT = 'binding-evaluation';

/** Signals for incidents that another change has closed. */
const CHANGE_OF = {
  rebind: 'rebound',
  itemReturns: 'itemReturned',
  removeVariant: 'variantRemoved',
} as const satisfies Partial<Record<IncidentMove, IncidentChange>>;

/** Limited, because one delivery must signal all incidents of an event. */
const INCIDENTS_PER_EVENT = 100;

export type WantedIncident = {
  variantId: number;
  type: IncidentType;
  candidates: readonly Candidate[];
};

/**
 * Opens incidents of variants in the table `evaluated`, or updates open ones (constraint
 * binding_incident_open_unique). Returns new incidents.
 */
export async function openIncidents(
  tx: Tx,
  origin: { evaluation: number; runId: number | null },
  newIncidents: readonly WantedIncident[],
): Promise<{ id: number; type: IncidentType }[]> {
  if (newIncidents.length === 0) return [];
  const incidents = newIncidents.map(({ variantId, type, candidates }) => ({
    variant_id: variantId,
    type,
    severity: SEVERITY_OF[type],
    candidates: candidates.map((candidate) => ({
      ...candidate,
      firstSeenAt: new Date(candidate.firstSeenAt).toISOString(),
    })),
  }));

  const { rows } = await sql<
    Row<'binding_incident', 'id' | 'type' | 'productId' | 'variantId', { isNew: boolean }>
  >`
     insert into binding_incident
       (type, severity, product_id, variant_id, evaluation, detected_by_run_id, last_known, new_name, lost, candidates)
     select wanted.type, wanted.severity, evaluated.product_id, evaluated.id, ${origin.evaluation}, ${origin.runId}::bigint,
            evaluated.last_known || jsonb_build_object('lastSeenAt', evaluated.last_seen_at),
            case when wanted.type = 'NAME_CHANGED' then evaluated.name end,
            case when wanted.type = 'ITEM_MISSING' then evaluated.lost end, wanted.candidates
       from jsonb_to_recordset(${JSON.stringify(incidents)}::jsonb) as wanted (variant_id bigint, type text, severity text, candidates jsonb)
       join evaluated on evaluated.id = wanted.variant_id order by evaluated.id, wanted.type
     on conflict (variant_id, type) where status <> 'CLOSED' do update
       set new_name = excluded.new_name, candidates = excluded.candidates, version = ${nextVersion('binding_incident')}
       where (binding_incident.new_name, binding_incident.candidates) is distinct from (excluded.new_name, excluded.candidates)
     returning id, type, product_id, variant_id, xmax = 0 as is_new`.execute(tx.db);

  const added = rows.filter((row) => row.isNew);
  await recordEvents(
    tx,
    'incident.opened',
    added.map(({ id, type, productId, variantId }) => ({
      id,
      organizationId: null,
      data: { incidentId: id, type, productId, variantId },
    })),
  );

  const opened = added.map(({ id, type }) => ({ id, type }));
  await announceIncidents(
    tx,
    opened.map((entry) => entry.id),
    'opened',
  );

  return opened;
}

export async function closeIncidents(
  tx: Tx,
  move: keyof typeof CHANGE_OF,
  variantIds: readonly number[],
  types: readonly IncidentType[],
  closedBy: number | null,
): Promise<number> {
  const { to, resolution } = INCIDENT_MOVES[move];
  const closed = await tx.db
    .updateTable('binding_incident as incident')
    .set({
      status: to,
      resolution,
      closedAt: sql`now()`,
      closedBy,
      snoozedUntil: null,
      version: nextVersion('incident'),
    })
    .where('variantId', '=', anyOf(variantIds))
    .where('type', 'in', types)
    .where('status', 'in', UNSETTLED)
    .returning(['id', 'type', 'productId', 'variantId', 'resolution', 'evaluation'])
    .execute();

  await recordClosed(tx, closed);
  await announceIncidents(
    tx,
    closed.map((entry) => entry.id),
    CHANGE_OF[move],
  );

  await settleNotifications(
    tx,
    closed.map((entry) => entry.evaluation),
  );

  return closed.length;
}

export function recordClosed(
  tx: Tx,
  closed: readonly {
    id: number;
    type: IncidentType;
    productId: number;
    variantId: number;
    resolution: string | null;
  }[],
): Promise<void> {
  return recordEvents(
    tx,
    'incident.closed',
    closed.map(({ id, type, productId, variantId, resolution }) => ({
      id,
      organizationId: null,
      data: { incidentId: id, type, productId, variantId, resolution },
    })),
  );
}

/** Stores a variant's option name in its incidents, which outlive the variant. */
export async function keepOptionName(
  tx: Tx,
  variantId: number,
  optionName: string | null,
): Promise<void> {
  await tx.db
    .updateTable('binding_incident')
    .set({ removedOptionName: optionName })
    .where('variantId', '=', variantId)
    .execute();
}

export function announceIncidents(
  tx: Tx,
  incidentIds: readonly number[],
  change: IncidentChange,
): Promise<void> {
  const payloads = inBatches(incidentIds, INCIDENTS_PER_EVENT).map((some) => ({
    incidentIds: [...some],
    change,
  }));

  return appendOutboxRows(tx, 'BindingIncidentsChanged', payloads);
}

/**
 * Resolves notifications of lost items once all incidents are closed, and of unattended items once
 * no escalated one is open.
 */
export async function settleNotifications(tx: Tx, evaluations: readonly number[]): Promise<void> {
  if (evaluations.length === 0) return;
  const { rows } = await sql<
    Row<'binding_incident', 'evaluation', { isLost: boolean; isUnattended: boolean }>
  >`
    select evaluation, bool_or(status <> 'CLOSED') as is_lost, bool_or(status = 'OPEN' and escalated_at is not null) as is_unattended
      from binding_incident where evaluation = any (${evaluations}::bigint[]) and type = 'ITEM_MISSING' group by evaluation`.execute(
    tx.db,
  );

  const waiting: Partial<Record<NotificationKind, typeof rows>> = {
    BINDING_MISSING: rows.filter((row) => row.isLost),
    BINDING_UNATTENDED: rows.filter((row) => row.isUnattended),
  };

  for (const [kind, open] of Object.entries(waiting)) {
    const subjects = [
      ...new Set(evaluations).difference(new Set(open.map((row) => row.evaluation))),
    ];
    if (subjects.length > 0)
      await resolveNotifications(tx, kind as NotificationKind, NOTIFICATION_SUBJECT, subjects);
  }
}
