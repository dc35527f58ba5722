import type { CallOptions } from '../../../erp/call.ts';
import { pollOrders, type Polled } from './poll-orders.ts';
import { readMissedHistories, type HistoryDeps } from './read-histories.ts';
import { checkTerminals } from '../cart/terminal-alive.ts';

/**
 * Polls changed orders, and reads older orders of some clients. Idempotent. Throws ERP client
 * errors.
 */
export async function pollWithHistories(
  deps: HistoryDeps,
  connectionId: number,
  options: CallOptions,
): Promise<Polled & { histories: number }> {
  const polled = await pollOrders(deps, connectionId, options);
  return { ...polled, histories: (await readMissedHistories(deps, connectionId, options)).read };
}

/** Runs both, then throws the first failure. */
export async function watchOrders(
  deps: HistoryDeps,
  connectionId: number,
  options: CallOptions,
): Promise<Polled> {
  const [polled, checked] = await Promise.allSettled([
    pollWithHistories(deps, connectionId, options),
    checkTerminals(deps, connectionId, options),
  ]);
  if (polled.status === 'rejected') throw polled.reason;
  if (checked.status === 'rejected') throw checked.reason;

  return polled.value;
}
