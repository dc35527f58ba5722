import type { CarteEvents, EventName } from '../../contracts/events.ts';
import type { Tx } from '../../db/database.ts';
import type { OutboxRow } from '../../db/outbox.ts';
import { isTemporalUnavailable } from '../../platform/temporal.ts';
import { act } from './act.ts';
import type { EventDeps } from './event-deps.ts';
import { LISTENERS, type Action } from './listeners.ts';

export type Delivery = { delivered: number; failed: number };

/** More are left to the next sweep, which is seconds away. */
const ROWS_PER_CALL = 200;

/**
 * Delivers pending events in the order of their ids, each at least once, and marks them row by row; rows that another process
 * delivers just now are skipped. An event that fails keeps its row with the error and the number of attempts, and the others
 * go on; when Temporal does not answer, the rest waits for the next sweep.
 *
 * The row is locked while its listeners run: the lock ends with the process, so a crash leaves nothing claimed. So a delivery
 * needs two connections, and a process runs one at a time (`latestRun`).
 */
export async function deliverOutbox(deps: EventDeps, limit = ROWS_PER_CALL): Promise<Delivery> {
  const delivery: Delivery = { delivered: 0, failed: 0 };
  let after = 0;
  while (delivery.delivered + delivery.failed < limit) {
    const step = await deps.db.transaction((tx) => deliverNext(deps, tx, after));
    if (step === null) break;
    after = step.id;
    delivery[step.error === null ? 'delivered' : 'failed'] += 1;
    if (isTemporalUnavailable(step.error)) break;
  }
  return delivery;
}

async function deliverNext(deps: EventDeps, tx: Tx, after: number): Promise<{ id: number; error: unknown } | null> {
  const [row] = await tx.query<OutboxRow>(
    `select id, event, payload, attempts from outbox where delivered_at is null and id > $1
      order by id limit 1 for update skip locked`,
    [after],
  );
  if (row === undefined) return null;
  try {
    for (const action of actionsOf(row)) await act(deps, action);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    deps.log.warn(
      { err: error, event: row.event, outboxId: row.id, attempts: row.attempts + 1 },
      'event not delivered',
    );
    await tx.query('update outbox set attempts = attempts + 1, last_error = $2 where id = $1', [
      row.id,
      message.slice(0, 300),
    ]);
    deps.metrics.outboxDelivered.inc({ event: row.event, outcome: 'failed' });
    return { id: row.id, error };
  }
  await tx.query('update outbox set delivered_at = now(), attempts = attempts + 1, last_error = null where id = $1', [
    row.id,
  ]);
  deps.metrics.outboxDelivered.inc({ event: row.event, outcome: 'delivered' });
  return { id: row.id, error: null };
}

/** An event that a newer version wrote and this one does not know stays in the table until a process that knows it comes. */
function actionsOf<E extends EventName>(row: { event: E; payload: CarteEvents[E] }): Action[] {
  const listen = LISTENERS[row.event] as ((payload: CarteEvents[E]) => Action[]) | undefined;
  if (listen === undefined) throw new Error(`no listener table entry for the event ${row.event}`);
  return listen(row.payload);
}
