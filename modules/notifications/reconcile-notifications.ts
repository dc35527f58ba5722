import { sql } from 'kysely';
import type { Sql } from '../../platform/db/database.ts';
import { startSending, type SendingDeps } from './start-sending.ts';

/** The usual way has not been taken within this time. */
const OVERDUE = sql<Date>`now() - interval '30 seconds'`;
/** More are left to the next call, which is a minute away. */
const ROWS_PER_CALL = 100;

/**
 * Starts the sending of every open notification that is neither sent nor given up: its event was
 * delivered by a process without a channel, Temporal's database was lost, or channels were
 * configured after it was raised. Returns their number.
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
