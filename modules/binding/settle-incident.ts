import type {
  Incident,
  IncidentDismissal,
  IncidentPostponement,
  Rebind,
} from './schemas/binding.ts';
import { Problem } from '../../kernel/problem.ts';
import { BindingIncident } from './tables/binding.ts';
import {
  decideIncidentMove,
  INCIDENT_MOVES,
  type IncidentMove,
  type IncidentResolution,
  type IncidentStatus,
} from './rules/incident-states.ts';
import { closedSentence, NOTE_LENGTH, snoozeErrors } from './rules/operator-moves.ts';
import type { Actor } from '../../kernel/actor.ts';
import { recordAudit } from '../access/audit/record-audit.ts';
import { commitEdit, type CatalogDeps } from '../catalog/commit-edit.ts';
import type { Tx } from '../../platform/db/database.ts';
import { holdForEdit, saveEdit } from '../../kernel/edits.ts';
import { requiredTexts } from '../../kernel/required-texts.ts';
import { announceIncidents, recordClosed, settleNotifications } from './incident-rows.ts';
import { getIncident } from './incident-views.ts';
import { rebindVariant } from './rebind-variant.ts';

type IncidentState = { status: IncidentStatus; resolution: IncidentResolution | null };

/**
 * Dismisses an incident. Idempotent. Problems: not-found, validation, version-conflict,
 * invalid-transition (closed otherwise).
 */
export async function dismissIncident(
  deps: CatalogDeps,
  actor: Actor,
  id: number,
  request: IncidentDismissal,
): Promise<Incident> {
  const { note } = dismissalTexts(request);
  return commitEdit(deps, async (tx) => {
    await dismissInTransaction(tx, actor, id, { ...request, note });
    return getIncident(tx, id);
  });
}

export const dismissalTexts = ({ note }: { note: string }): { note: string } =>
  requiredTexts({ note }, { note: NOTE_LENGTH }, 'words');

/** Requires a valid note. */
export async function dismissInTransaction(
  tx: Tx,
  actor: Actor,
  id: number,
  request: { note: string; version?: number },
): Promise<void> {
  const { note } = request;
  const incident = await holdIncident(tx, id, request);
  const { status: before } = incident;
  if (decide(incident, 'dismiss') === 'already') return;
  const { to, resolution } = INCIDENT_MOVES.dismiss;
  const closedBy = actor.type === 'USER' ? actor.userId : null;
  await saveEdit(tx, incident, {
    status: to,
    resolution,
    closedAt: new Date(),
    closedBy,
    note,
    snoozedUntil: null,
  });

  const { type, productId, variantId } = incident;
  await recordClosed(tx, [{ id, type, productId, variantId, resolution }]);
  await settleNotifications(tx, [incident.evaluation]);
  await announceIncidents(tx, [id], 'dismissed');
  await audit(tx, actor, id, 'dismiss', before, { status: to, resolution, note });
}

/**
 * Snoozes an incident for at most a year, or changes its snooze. The audit contains the note.
 * Problems: not-found, validation, version-conflict, invalid-transition (closed).
 */
export async function snoozeIncident(
  deps: CatalogDeps,
  actor: Actor,
  id: number,
  request: IncidentPostponement & { note?: string },
): Promise<Incident> {
  const until = snoozeEnd(request.until);
  return commitEdit(deps, async (tx) => {
    await snoozeInTransaction(tx, actor, id, { ...request, until });
    return getIncident(tx, id);
  });
}

/** Throws `validation` unless in the future and within a year. */
export function snoozeEnd(until: string): Date {
  const errors = snoozeErrors(until, Date.now());
  if (errors.length > 0) throw new Problem('validation', { errors });
  return new Date(until);
}

/** Requires a valid end. */
export async function snoozeInTransaction(
  tx: Tx,
  actor: Actor,
  id: number,
  request: { until: Date; note?: string; version?: number },
): Promise<void> {
  const { until, note } = request;
  const incident = await holdIncident(tx, id, request);
  const { status: before } = incident;
  decide(incident, 'snooze');
  if (incident.snoozedUntil?.getTime() === until.getTime()) return;
  const { to } = INCIDENT_MOVES.snooze;
  await saveEdit(tx, incident, { status: to, snoozedUntil: until });
  await settleNotifications(tx, [incident.evaluation]);
  await announceIncidents(tx, [id], 'snoozed');
  await audit(tx, actor, id, 'snooze', before, {
    status: to,
    until: until.toISOString(),
    ...(note === undefined ? {} : { note }),
  });
}

/**
 * Rebinds the variant, which closes its incidents (BND-17). Idempotent. Problems: those of {@link
 * rebindVariant}, invalid-transition (closed otherwise).
 */
export async function rebindIncident(
  deps: CatalogDeps,
  actor: Actor,
  id: number,
  request: Rebind,
): Promise<Incident> {
  const { variant } = await getIncident(deps.db, id);
  await rebindVariant(deps, actor, variant.id, request, async (tx, { sizeId }) => {
    const incident = await holdIncident(tx, id, {});
    if (decide(incident, 'rebind') === 'already' && sizeId !== request.erpItemSizeId)
      throw closed(incident);
  });

  return getIncident(deps.db, id);
}

/** A concurrent evaluation that finds the item again waits, or has already closed the incident. */
function holdIncident(tx: Tx, id: number, { version }: { version?: number }) {
  return holdForEdit(tx, BindingIncident, id, { seen: version, detail: 'No such incident.' });
}

function decide(row: IncidentState, move: IncidentMove): 'moves' | 'already' {
  const decision = decideIncidentMove(row, move);
  if (decision === 'refused') throw closed(row);
  return decision;
}

const closed = ({ resolution }: IncidentState): Problem =>
  new Problem('invalid-transition', { detail: closedSentence(resolution) });

function audit(
  tx: Tx,
  actor: Actor,
  id: number,
  action: string,
  before: IncidentStatus,
  after: object,
): Promise<void> {
  return recordAudit(tx, actor, {
    entityType: 'binding-incident',
    entityId: id,
    action,
    before: { status: before },
    after: { ...after },
  });
}
