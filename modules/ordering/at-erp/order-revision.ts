import { sql } from 'kysely';
import { advisory } from '../../../platform/db/locks.ts';
import { areGiftsKnown } from '../../gifts/orders/gift-orders.ts';
import { forgetRefusedOrganizations } from '../../mirror/runs/refused-organizations.ts';
import { anyOf, type Database, type Sql, type Tx } from '../../../platform/db/database.ts';

export type SavedRevision = { revision: number; polledAt: Date };

/** Null before the first poll. */
export async function savedRevision(
  { db }: Sql,
  connectionId: number,
): Promise<SavedRevision | null> {
  const row = await db
    .selectFrom('order_revision')
    .select(['revision', 'polledAt'])
    .where('connectionId', '=', connectionId)
    .executeTakeFirst();

  return row ?? null;
}

/**
 * Saves a poll's revision, unless a concurrent poll has a lower one. Saves nothing if a skipped
 * order now has gifts (rule CMP-95) or a rejection has ended (rule ORD-117).
 */
export async function saveRevision(
  db: Database,
  connectionId: number,
  { saved, revision, passedOver, leftOut = [] }: Reading & { leftOut?: readonly number[] },
): Promise<void> {
  await db.transaction(async (tx) => {
    await advisory.orderRevision(tx, connectionId);
    const now = await savedRevision(tx, connectionId);
    if (now !== null && now.revision !== saved?.revision) return lower(tx, connectionId, revision);
    if (await areGiftsKnown(tx, connectionId, passedOver)) return;
    if (!(await areRefused(tx, leftOut))) return;
    await tx.db
      .insertInto('order_revision')
      .values({ connectionId, revision })
      .onConflict((conflict) =>
        conflict.column('connectionId').doUpdateSet({ revision, polledAt: sql<Date>`now()` }),
      )
      .execute();
  });
}

/** `saved` is the revision before the request. `passedOver` are orders without gifts. */
type Reading = { saved: SavedRevision | null; revision: number; passedOver: readonly string[] };

async function areRefused({ db }: Sql, ids: readonly number[]): Promise<boolean> {
  const rows = await db
    .selectFrom('refused_order_revision')
    .select('organizationId')
    .where('organizationId', '=', anyOf(ids))
    .execute();

  return rows.length === new Set(ids).size;
}

/**
 * Ends a rejection (rule ORD-117). If the others have a newer revision, stores this organization's
 * revision, with which the next poll reads it alone. Skips a concurrently changed row.
 */
export async function endRefusal(
  db: Database,
  connectionId: number,
  {
    id,
    startRevision,
    polledAt,
    saved,
    revision,
    passedOver,
  }: Reading & { id: number; startRevision: number | null; polledAt: Date },
): Promise<void> {
  await db.transaction(async (tx) => {
    await advisory.orderRevision(tx, connectionId);
    await forgetRefusedOrganizations(tx, { connectionId, job: 'ORDERS' }, [id]);
    if (await areGiftsKnown(tx, connectionId, passedOver)) return;
    const now = await savedRevision(tx, connectionId);
    const isRead = sql<boolean>`revision is not distinct from ${startRevision}::bigint
      and date_trunc('milliseconds', polled_at) >= ${polledAt}::timestamptz`;
    if (now?.revision === saved?.revision)
      await tx.db
        .deleteFrom('refused_order_revision')
        .where('organizationId', '=', id)
        .where(isRead)
        .execute();
    else
      await tx.db
        .updateTable('refused_order_revision')
        .set({ revision, polledAt: sql<Date>`now()`, askedAt: sql<Date>`now()` })
        .where('organizationId', '=', id)
        .where(isRead)
        .execute();
  });
}

/**
 * Lowers the revision to `saved`, because concurrent polls may have skipped a later state (rule
 * CMP-95). Requires the transaction that first stores an order.
 */
export async function readAgainFrom(
  tx: Tx,
  connectionId: number,
  saved: SavedRevision | null,
): Promise<void> {
  await advisory.orderRevision(tx, connectionId);
  if (saved !== null) await lower(tx, connectionId, saved.revision);
}

async function lower({ db }: Tx, connectionId: number, revision: number): Promise<void> {
  await db
    .updateTable('order_revision')
    .set({ revision })
    .where('connectionId', '=', connectionId)
    .where('revision', '>', revision)
    .execute();

  await db
    .updateTable('refused_order_revision')
    .set({ revision })
    .where('connectionId', '=', connectionId)
    .where('revision', '>', revision)
    .execute();
}
