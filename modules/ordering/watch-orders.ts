import type { CallOptions } from '../../erp/call.ts';
import { pollOrders, type Polled } from './poll-orders.ts';
import { readMissedHistories, type HistoryDeps } from './read-histories.ts';
import { checkTerminals } from './terminal-alive.ts';

/**
 * Brings the orders of a connection to what has changed at the ERP, and reads the older orders of
 * some clients whose history was missed. A second call finds them there already. Throws what the
 * client of the ERP throws.
 */
export async function pollWithHistories(
  deps: HistoryDeps,
  connectionId: number,
  options: CallOptions,
): Promise<Polled & { histories: number }> {
  const polled = await pollOrders(deps, connectionId, options);
  return { ...polled, histories: (await readMissedHistories(deps, connectionId, options)).read };
}

/**
 * Asks the ERP what has changed about the orders of a connection, and which terminals can take new
 * ones. Both are tried, whatever became of the other; throws the first failure.
 */
export async function watchOrders(deps: HistoryDeps, connectionId: number, options: CallOptions): Promise<void> {
  const steps = await Promise.allSettled([
    pollWithHistories(deps, connectionId, options),
    checkTerminals(deps, connectionId, options),
  ]);
  const failed = steps.find((step) => step.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
}
