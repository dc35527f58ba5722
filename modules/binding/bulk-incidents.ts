import type { Actor } from '../../kernel/actor.ts';
import { invalidField, isProblem } from '../../kernel/problem.ts';
import type { Tx } from '../../platform/db/database.ts';
import type { CatalogDeps } from '../catalog/commit-edit.ts';
import { matchingIncidentIds } from './incident-views.ts';
import { commitUnlessDry } from './rehearse.ts';
import {
  INCIDENT_BULK_LIMIT,
  type IncidentBulk,
  type IncidentBulkResult,
} from './schemas/incident-bulk.ts';
import {
  dismissalTexts,
  dismissInTransaction,
  snoozeEnd,
  snoozeInTransaction,
} from './settle-incident.ts';

type Move = (tx: Tx, id: number) => Promise<void>;

/**
 * Dismisses or snoozes incidents in one transaction (BND-44). Returns unknown and otherwise closed
 * incidents. A dry run changes nothing. Problem `validation` without ids or a filter with at most
 * {@link INCIDENT_BULK_LIMIT} matches, and for an invalid note or time.
 */
export async function bulkIncidents(
  deps: CatalogDeps,
  actor: Actor,
  request: IncidentBulk,
): Promise<IncidentBulkResult> {
  const move = toMove(actor, request);
  const ids = await resolveIncidentIds(deps, request);

  return commitUnlessDry(deps, request.dryRun, async (tx) => {
    const result: IncidentBulkResult = { succeeded: [], failed: [] };
    for (const id of ids) {
      const reason = await attempt(tx, id, move);
      if (reason === null) result.succeeded.push(id);
      else result.failed.push({ id, reason });
    }

    return result;
  });
}

function toMove(actor: Actor, { action, note, until }: IncidentBulk): Move {
  if (action === 'DISMISS') {
    if (until !== undefined)
      throw invalidField('until', 'not_supported', 'Only SNOOZE has an end.');
    if (note === undefined) throw invalidField('note', 'required', 'DISMISS needs a note.');
    const texts = dismissalTexts({ note });
    return (tx, id) => dismissInTransaction(tx, actor, id, texts);
  }

  if (until === undefined) throw invalidField('until', 'required', 'SNOOZE needs an end.');
  const end = snoozeEnd(until);

  return (tx, id) =>
    snoozeInTransaction(tx, actor, id, { until: end, ...(note === undefined ? {} : { note }) });
}

/** Sorted ascending to avoid deadlocks. */
async function resolveIncidentIds(
  { db }: CatalogDeps,
  { incidentIds, filter = {} }: IncidentBulk,
): Promise<number[]> {
  if (Object.keys(filter).length > 0 === (incidentIds !== undefined))
    throw invalidField(
      'incidentIds',
      'required',
      'Name either `incidentIds` or a `filter` that is not empty.',
    );

  if (incidentIds !== undefined) return [...new Set(incidentIds)].toSorted((a, b) => a - b);
  const ids = await matchingIncidentIds(db, filter, {
    limit: INCIDENT_BULK_LIMIT + 1,
    isLive: filter.status === undefined,
  });

  if (ids.length > INCIDENT_BULK_LIMIT)
    throw invalidField(
      'filter',
      'max_items',
      `The filter matches more than ${INCIDENT_BULK_LIMIT} incidents.`,
    );

  return ids;
}

/** Returns null, or the reason for not moving the incident, which is found before any write. */
async function attempt(tx: Tx, id: number, move: Move): Promise<'NOT_FOUND' | 'CLOSED' | null> {
  try {
    await move(tx, id);
    return null;
  } catch (error) {
    if (isProblem(error) && error.kind === 'not-found') return 'NOT_FOUND';
    if (isProblem(error) && error.kind === 'invalid-transition') return 'CLOSED';
    throw error;
  }
}
