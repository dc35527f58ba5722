import { act } from './act.ts';
import type { EventDeps } from './event-deps.ts';

/** The usual way has not been taken within this time. */
const OVERDUE = '30 seconds';
/** More are left to the next call, which is a minute away. */
const ROWS_PER_CALL = 100;

/**
 * Starts the sending of every open notice that is neither sent nor given up: its event was delivered by a process without a
 * channel, Temporal's database was lost, or channels were configured after it was raised. Returns their number.
 */
export async function reconcileNotifications(deps: EventDeps): Promise<{ started: number }> {
  if (!deps.sendsNotices) return { started: 0 };
  const rows = await deps.db.query<{ id: number }>(
    `select id from notification where sent_at is null and resolved_at is null and send_ended_at is null
        and raised_at < now() - interval '${OVERDUE}' order by id limit $1`,
    [ROWS_PER_CALL],
  );
  for (const { id } of rows) await act(deps, { do: 'SEND_NOTIFICATION', notificationId: id });
  return { started: rows.length };
}
