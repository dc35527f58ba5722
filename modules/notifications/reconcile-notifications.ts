import { sql } from 'kysely';
import type { Sql } from '../../platform/db/database.ts';
import { startSending, type SendingDeps } from './start-sending.ts';

/** By then, the event has normally started the sending. */
const OVERDUE = sql<Date>`now() - interval '30 seconds'`;
/** The next call, a minute later, continues. */
const ROWS_PER_CALL = 100;

/**
 * Starts sending open notifications neither sent nor given up: their event was delivered without a
 * channel, Temporal's database was lost, or channels were configured later. Returns their number.
 */
export async function reconcileNotifications(
  deps: SendingDeps & { db: Sql },
): Promise<{ started: number }> {
  if (!deps.sendsNotifications) return { started: 0 };
  const rows = await deps.db.db
    .selectFrom('notification')
    .select('id')
    .where('sentAt', 'is', null)
    .where('resolvedAt', 'is', null)
    .where('sendEndedAt', 'is', null)
    .where('raisedAt', '<', OVERDUE)
    .orderBy('id')
    .limit(ROWS_PER_CALL)
    .execute();

  for (const { id } of rows) await startSending(deps, id);

  return { started: rows.length };
}
