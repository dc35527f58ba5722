import { sql } from 'kysely';
import { advisory } from '../../platform/db/locks.ts';
import { areGiftsKnown } from '../gifts/gift-orders.ts';
import type { Database, Sql, Tx } from '../../platform/db/database.ts';

/** Up to which revision the changes of orders of a connection were read, and when. */
export type SavedRevision = { revision: number; polledAt: Date };

/** What was saved last; null before the first poll. */
export async function savedRevision({ db }: Sql, connectionId: number): Promise<SavedRevision | null> {
  const row = await db
    .selectFrom('order_revision')
    .select(['revision', 'polledAt'])
    .where('connectionId', '=', connectionId)
    .executeTakeFirst();
  return row ?? null;
}

/**
 * Saves up to where the changes of orders were read, by somebody who found `saved`. Not beyond what others have saved meanwhile, and not at all when one
 * of the orders that were `passedOver` for having no gifts is known to have some now: whoever wrote them had read an older state (rule CMP-95).
 * Changes that are read twice change nothing the second time.
 */
export async function saveRevision(
  db: Database,
  connectionId: number,
  { saved, revision, passedOver }: { saved: SavedRevision | null; revision: number; passedOver: readonly string[] },
): Promise<void> {
  await db.transaction(async (tx) => {
    await advisory.orderRevision(tx, connectionId);
    const now = await savedRevision(tx, connectionId);
    if (now !== null && now.revision !== saved?.revision) return lower(tx, connectionId, revision);
    if (await areGiftsKnown(tx, connectionId, passedOver)) return;
    await tx.db
      .insertInto('order_revision')
      .values({ connectionId, revision })
      .onConflict((conflict) => conflict.column('connectionId').doUpdateSet({ revision, polledAt: sql<Date>`now()` }))
      .execute();
  });
}

/**
 * Has the changes since `saved` read again, in the transaction that hears of an order first, by somebody who asked the ERP when that was saved: others
 * may have read a later state of the order meanwhile, and passed it over (rule CMP-95).
 */
export async function readAgainFrom(tx: Tx, connectionId: number, saved: SavedRevision | null): Promise<void> {
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
}
