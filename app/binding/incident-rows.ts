import type { IncidentChange } from '../../contracts/messages/binding.ts';
import { appendOutboxRows } from '../../db/outbox.ts';
import { inBatches } from '../../domain/batches.ts';
import {
  INCIDENT_MOVES,
  SEVERITY_OF,
  UNSETTLED,
  type IncidentMove,
  type IncidentType,
} from '../../domain/binding/incident-states.ts';
import type { Candidate } from '../../domain/binding/replacement.ts';
import type { Sql } from '../database.ts';
import { resolveNotifications } from '../notifications/raise-notification.ts';

/** The notice about lost items names the evaluation that found them. */
export const NOTICE_SUBJECT = 'binding-evaluation';
/** What the workflows of incidents are told when they are closed by a fact. */
const CHANGE_OF = {
  rebind: 'rebound',
  itemReturns: 'itemReturned',
  removeVariant: 'variantRemoved',
} as const satisfies Partial<Record<IncidentMove, IncidentChange>>;
/** Incidents of one event; the delivery of one signals them all within its deadline. */
const INCIDENTS_PER_EVENT = 100;

export type WantedIncident = { variantId: number; type: IncidentType; candidates: readonly Candidate[] };

/**
 * Opens incidents of variants in the temporary table `evaluated`, or brings the open one of the same type and variant up to date:
 * the constraint binding_incident_open_unique decides which. Returns the new ones.
 */
export async function openIncidents(
  tx: Sql,
  found: { evaluation: number; runId: number | null },
  wanted: readonly WantedIncident[],
): Promise<{ id: number; type: IncidentType }[]> {
  if (wanted.length === 0) return [];
  const rows = await tx.query<{ id: number; type: IncidentType; isNew: boolean }>(
    `insert into binding_incident
       (type, severity, product_id, variant_id, evaluation, detected_by_run_id, last_known, new_name, candidates)
     select wanted.type, wanted.severity, evaluated.product_id, evaluated.id, $1, $2,
            evaluated.last_known || jsonb_build_object('lastSeenAt', evaluated.last_seen_at),
            case when wanted.type = 'NAME_CHANGED' then evaluated.name end, wanted.candidates
       from jsonb_to_recordset($3) as wanted (variant_id bigint, type text, severity text, candidates jsonb)
       join evaluated on evaluated.id = wanted.variant_id order by evaluated.id, wanted.type
     on conflict (variant_id, type) where status <> 'CLOSED' do update
       set new_name = excluded.new_name, candidates = excluded.candidates, version = binding_incident.version + 1
       where (binding_incident.new_name, binding_incident.candidates) is distinct from (excluded.new_name, excluded.candidates)
     returning id, type, xmax = 0 as "isNew"`,
    [
      found.evaluation,
      found.runId,
      JSON.stringify(
        wanted.map(({ variantId, type, candidates }) => ({
          variant_id: variantId,
          type,
          severity: SEVERITY_OF[type],
          candidates: candidates.map((each) => ({ ...each, firstSeenAt: new Date(each.firstSeenAt).toISOString() })),
        })),
      ),
    ],
  );
  const opened = rows.filter((row) => row.isNew).map(({ id, type }) => ({ id, type }));
  await announceIncidents(
    tx,
    opened.map((each) => each.id),
    'opened',
  );
  return opened;
}

/** Closes the open incidents of these types and variants, with what belongs to it. Returns their number. */
export async function closeIncidents(
  tx: Sql,
  move: keyof typeof CHANGE_OF,
  variantIds: readonly number[],
  types: readonly IncidentType[],
  closedBy: number | null,
): Promise<number> {
  const { to, resolution } = INCIDENT_MOVES[move];
  const closed = await tx.query<{ id: number; evaluation: number }>(
    `update binding_incident
        set status = $3, resolution = $4, closed_at = now(), closed_by = $5, snoozed_until = null, version = version + 1
      where variant_id = any ($1::bigint[]) and type = any ($2) and status = any ($6) returning id, evaluation`,
    [variantIds, types, to, resolution, closedBy, UNSETTLED],
  );
  await announceIncidents(
    tx,
    closed.map((each) => each.id),
    CHANGE_OF[move],
  );
  await settleNotices(
    tx,
    closed.map((each) => each.evaluation),
  );
  return closed.length;
}

/** Keeps what the option of a variant was called in its incidents, which outlive it. */
export async function keepOptionName(tx: Sql, variantId: number, optionName: string | null): Promise<void> {
  await tx.query('update binding_incident set removed_option_name = $2 where variant_id = $1', [variantId, optionName]);
}

/** Leaves the hints for the workflows of these incidents, in the caller's transaction. */
export function announceIncidents(tx: Sql, incidentIds: readonly number[], change: IncidentChange): Promise<void> {
  const payloads = inBatches(incidentIds, INCIDENTS_PER_EVENT).map((some) => ({ incidentIds: [...some], change }));
  return appendOutboxRows(tx, 'BindingIncidentsChanged', payloads);
}

/** Ends the notices of evaluations whose lost items are all taken care of. */
export async function settleNotices(tx: Sql, evaluations: readonly number[]): Promise<void> {
  if (evaluations.length === 0) return;
  const settled = await tx.query<{ evaluation: number }>(
    `select distinct evaluation from unnest($1::bigint[]) evaluation
      where not exists (select 1 from binding_incident open where open.evaluation = evaluation.evaluation
                           and open.type = 'ITEM_MISSING' and open.status <> 'CLOSED')`,
    [evaluations],
  );
  const subjects = settled.map((each) => each.evaluation);
  if (subjects.length > 0) await resolveNotifications(tx, 'BINDING_MISSING', NOTICE_SUBJECT, subjects);
}
