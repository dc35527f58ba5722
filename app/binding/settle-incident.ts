import { invalidField, Problem } from '../../contracts/problem.ts';
import {
  decideIncidentMove,
  INCIDENT_MOVES,
  type IncidentMove,
  type IncidentResolution,
  type IncidentStatus,
} from '../../domain/binding/incident-states.ts';
import type { Actor } from '../actor.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { commitEdit, type CatalogDeps } from '../catalog/commit-edit.ts';
import type { Tx } from '../database.ts';
import { requiredTexts } from '../required-texts.ts';
import { announceIncidents, settleNotices } from './incident-rows.ts';
import { getIncident, type IncidentView } from './incident-views.ts';

type Row = {
  status: IncidentStatus;
  resolution: IncidentResolution | null;
  snoozedUntil: Date | null;
  evaluation: number;
  version: number;
};

/** `version` is optional: whoever names it is refused when somebody else was faster. */
export type Settling = { version?: number | undefined };

/** Longest note, characters. */
const NOTE_LENGTH = 1_000;
/** A postponement must end while somebody still remembers it. */
const LONGEST_SNOOZE_MS = 366 * 24 * 3_600_000;

/**
 * Closes an incident with a note; an incident dismissed before stays as it is.
 * Problems: not-found; validation; version-conflict; invalid-transition when it was closed in another way meanwhile.
 */
export async function dismissIncident(
  deps: CatalogDeps,
  actor: Actor,
  id: number,
  request: Settling & { note: string },
): Promise<IncidentView> {
  const { note } = requiredTexts({ note: request.note }, { note: NOTE_LENGTH }, 'words');
  return commitEdit(deps, async (tx) => {
    const before = await lockIncident(tx, id, request);
    if (decide(before, 'dismiss') === 'already') return getIncident(tx, id);
    const { to, resolution } = INCIDENT_MOVES.dismiss;
    await tx.query(
      `update binding_incident set status = $2, resolution = $3, closed_at = now(), closed_by = $4, note = $5,
              snoozed_until = null, version = version + 1 where id = $1`,
      [id, to, resolution, actor.type === 'USER' ? actor.userId : null, note],
    );
    await settleNotices(tx, [before.evaluation]);
    await announceIncidents(tx, [id], 'dismissed');
    await audit(tx, actor, id, 'dismiss', before, { status: to, resolution, note });
    return getIncident(tx, id);
  });
}

/**
 * Postpones an incident until a moment in the future, at most a year away; one that is postponed already gets the new moment.
 * Problems: not-found; validation; version-conflict; invalid-transition when it is closed.
 */
export async function snoozeIncident(
  deps: CatalogDeps,
  actor: Actor,
  id: number,
  request: Settling & { until: string },
): Promise<IncidentView> {
  const until = new Date(request.until);
  const leftMs = until.getTime() - Date.now();
  if (leftMs <= 0) throw invalidField('until', 'min', 'Must be in the future');
  if (leftMs > LONGEST_SNOOZE_MS) throw invalidField('until', 'max', 'At most a year away');
  return commitEdit(deps, async (tx) => {
    const before = await lockIncident(tx, id, request);
    decide(before, 'snooze');
    if (before.snoozedUntil?.getTime() === until.getTime()) return getIncident(tx, id);
    const { to } = INCIDENT_MOVES.snooze;
    await tx.query('update binding_incident set status = $2, snoozed_until = $3, version = version + 1 where id = $1', [
      id,
      to,
      until,
    ]);
    await announceIncidents(tx, [id], 'snoozed');
    await audit(tx, actor, id, 'snooze', before, { status: to, until: until.toISOString() });
    return getIncident(tx, id);
  });
}

/** The incident, locked: an evaluation that finds its item again waits, or has closed it before. */
async function lockIncident(tx: Tx, id: number, { version }: Settling): Promise<Row> {
  const [row] = await tx.query<Row>(
    `select status, resolution, snoozed_until as "snoozedUntil", evaluation, version
       from binding_incident where id = $1 for update`,
    [id],
  );
  if (row === undefined) throw new Problem('not-found', { detail: 'No such incident.' });
  if (version !== undefined && version !== row.version)
    throw new Problem('version-conflict', { extra: { currentVersion: row.version } });
  return row;
}

function decide(row: Row, move: IncidentMove): 'moves' | 'already' {
  const decision = decideIncidentMove(row, move);
  if (decision === 'refused')
    throw new Problem('invalid-transition', { detail: `The incident is closed: ${row.resolution ?? 'no reason'}.` });
  return decision;
}

function audit(tx: Tx, actor: Actor, id: number, action: string, before: Row, after: object): Promise<void> {
  return recordAudit(tx, actor, {
    entityType: 'binding-incident',
    entityId: id,
    action,
    before: { status: before.status },
    after: { ...after },
  });
}
