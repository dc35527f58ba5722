import { sql } from 'kysely';
import type { NewPin, PinEnd, SnapshotStatus } from '../schemas/snapshot.ts';
import { invalidField, Problem } from '../../../kernel/problem.ts';
import { appendOutbox } from '../../../kernel/outbox.ts';
import { systemActor, type Actor } from '../../../kernel/actor.ts';
import { recordAudit } from '../../access/audit/record-audit.ts';
import { once, type Idempotency } from '../../../kernel/idempotency.ts';
import type { Database, Sql, Tx } from '../../../platform/db/database.ts';
import { markDirty } from '../rebuilds/mark-dirty.ts';
import { requiredTexts } from '../../../kernel/required-texts.ts';
import { readPin, type Pin } from './pin-row.ts';
import { requireOrganization, revisionNotFound } from './revisions.ts';
import { lockSnapshot } from './snapshot-row.ts';
import { getSnapshotStatus } from './snapshot-status.ts';

type Deps = { db: Database };

const REASON_LIMIT = { reason: 500 };
/** Longest pin; permanent changes belong in the catalog. */
const LONGEST_MS = 366 * 24 * 60 * 60_000;

/**
 * Shows a stored revision with current prices and availability; the triggered rebuild publishes it.
 * Problems: not-found, validation (`reason`, `until`), invalid-transition during another pin.
 */
export async function pinRevision(
  { db }: Deps,
  actor: Actor,
  organizationId: number,
  request: Omit<NewPin, 'until'> & { until: Date },
  idempotency: Idempotency | null = null,
): Promise<SnapshotStatus> {
  const { revision, until } = request;
  const { reason } = requiredTexts({ reason: request.reason }, REASON_LIMIT, 'words');
  const pin = async (tx: Tx) => {
    await requireOrganization(tx, organizationId);
    await requireEnd(tx, until);
    const snapshot = await lockSnapshot(tx, organizationId);
    if (snapshot === undefined || !(await isKept(tx, organizationId, revision)))
      throw revisionNotFound(revision);
    const present = await readPin(tx, organizationId);
    if (present !== undefined)
      throw new Problem('invalid-transition', {
        detail: `Revision ${present.revision} is pinned already.`,
      });

    await tx.db
      .insertInto('snapshot_pin')
      .values({
        organizationId,
        revision,
        reason,
        until,
        pinnedBy: actor.type === 'USER' ? actor.userId : null,
      })
      .execute();

    await recordAudit(tx, actor, {
      entityType: 'snapshot',
      entityId: organizationId,
      action: 'pin',
      before: { revision: snapshot.revision },
      after: { revision, until: until.toISOString() },
      reason,
    });

    await announce(tx, actor, organizationId);

    return getSnapshotStatus(tx, organizationId);
  };

  return db.transaction((tx) => once(tx, idempotency, () => pin(tx)));
}

/** Ends a pin early. Problems: not-found, validation, invalid-transition. */
export async function unpinRevision(
  { db }: Deps,
  actor: Actor,
  organizationId: number,
  request: PinEnd,
): Promise<SnapshotStatus> {
  const { reason } = requiredTexts(request, REASON_LIMIT, 'words');
  return db.transaction(async (tx) => {
    await requireOrganization(tx, organizationId);
    await lockSnapshot(tx, organizationId);
    const pin = await readPin(tx, organizationId);
    if (pin === undefined)
      throw new Problem('invalid-transition', { detail: 'No revision is pinned.' });
    await endPin(tx, actor, organizationId, pin, { action: 'unpin', reason });

    return getSnapshotStatus(tx, organizationId);
  });
}

/** Ends an expired pin and returns the remaining time; null without a pin. Idempotent. */
export function endDuePin(
  { db }: Deps,
  organizationId: number,
): Promise<{ remainingMs: number | null }> {
  return db.transaction(async (tx) => {
    await lockSnapshot(tx, organizationId);
    const pin = await readPin(tx, organizationId);
    if (pin === undefined) return { remainingMs: null };
    const ms = sql<number>`ceil(extract(epoch from ${pin.until}::timestamptz - clock_timestamp()) * 1000)::float8`;
    const { remainingMs } = await tx.db
      .selectNoFrom(ms.as('remainingMs'))
      .executeTakeFirstOrThrow();
    if (remainingMs > 0) return { remainingMs };

    await endPin(tx, systemActor('snapshot-pin'), organizationId, pin, { action: 'pin-ended' });

    return { remainingMs: null };
  });
}

async function requireEnd(tx: Sql, until: Date): Promise<void> {
  const { now } = await tx.db.selectNoFrom(sql<Date>`now()`.as('now')).executeTakeFirstOrThrow();
  const ahead = until.getTime() - now.getTime();
  if (!(ahead > 0)) throw invalidField('until', 'min', 'must be in the future');
  if (ahead > LONGEST_MS) throw invalidField('until', 'max', 'must be within a year');
}

/** Prevents the deletion of the revision before the pin exists. */
async function isKept(tx: Sql, organizationId: number, revision: number): Promise<boolean> {
  const row = await tx.db
    .selectFrom('snapshot_revision')
    .select('revision')
    .where('organizationId', '=', organizationId)
    .where('revision', '=', revision)
    .forKeyShare()
    .executeTakeFirst();

  return row !== undefined;
}

async function endPin(
  tx: Sql,
  actor: Actor,
  organizationId: number,
  { id, revision, until, reason }: Pin,
  audit: { action: string; reason?: string },
): Promise<void> {
  await tx.db.deleteFrom('snapshot_pin').where('id', '=', id).execute();
  await recordAudit(tx, actor, {
    entityType: 'snapshot',
    entityId: organizationId,
    before: { revision, until: until.toISOString(), reason },
    ...audit,
  });

  await announce(tx, actor, organizationId);
}

async function announce(tx: Sql, actor: Actor, organizationId: number): Promise<void> {
  await markDirty(tx, 'snapshot-pin', [organizationId], actor);
  await appendOutbox(tx, 'SnapshotPinChanged', { organizationId });
}
