import { DAY_MS } from '../../../kernel/pure/time.ts';
import { MOST_HISTORY_ROWS } from '../../../erp/endpoints/deliveries-read.ts';
import { isErpFailure, isTooMuchData } from '../../../erp/failure.ts';
import type { CallOptions } from '../../../erp/call.ts';
import type { ErpDelivery } from '../../../erp/schemas/deliveries.ts';
import type { Failpoint } from '../../../platform/failpoint.ts';
import type { Log } from '../../../platform/log.ts';
import {
  endMissedHistory,
  nextMissedHistories,
  postponeMissedHistory,
} from '../../gifts/clients/missed-history.ts';
import { savedRevision } from '../at-erp/order-revision.ts';
import { applyAll, type PollDeps } from '../at-erp/apply-orders.ts';
import { polledOrganizations, readRefusedFrom } from '../at-erp/polled-organizations.ts';

export type HistoryDeps = PollDeps & { log: Log; failpoint: Failpoint };

/** Maximum per poll, which leaves calls for other work. */
const HISTORIES = 10;

/**
 * Reads older orders by phone, for clients whose rights may be affected (rule CMP-68). Returns the
 * number of clients. Rejected phones are not retried. Idempotent.
 */
export async function readMissedHistories(
  deps: HistoryDeps,
  connectionId: number,
  options?: CallOptions,
): Promise<{ read: number }> {
  const due = await nextMissedHistories(deps.db, deps, connectionId, HISTORIES);
  const { together, refused } =
    due.length === 0
      ? { together: [], refused: [] }
      : await polledOrganizations(deps.db, connectionId);
  if (together.length === 0) return { read: 0 };

  const organizationIds = together.map(({ erpId }) => erpId);
  const refusedIds = refused.map(({ id }) => id);

  for (const [index, { clientId, ...history }] of due.entries()) {
    try {
      const saved = await savedRevision(deps.db, connectionId);
      const orders =
        history.phone === ''
          ? []
          : await readHistory(deps, connectionId, { organizationIds, ...history }, options);
      await applyAll(deps, connectionId, orders, saved);
      deps.failpoint('history-applied');
    } catch (error) {
      if (!isErpFailure(error)) throw error;
      deps.log.warn(
        { err: error, connectionId, clientId },
        'the older orders of a client are not read',
      );

      if (error.kind !== 'CLIENT') {
        await postponeMissedHistory(deps.db, clientId);
        return { read: index };
      }
    }

    // Rejected organizations are read when the ERP accepts them again.
    if (await readRefusedFrom(deps.db, refusedIds, history.from))
      await endMissedHistory(deps.db, clientId);
    else await postponeMissedHistory(deps.db, clientId);
  }

  return { read: due.length };
}

type History = { organizationIds: string[]; phone: string; from: Date; to: Date };

/** Splits the period of a full or rejected response, down to a day. */
async function readHistory(
  deps: HistoryDeps,
  connectionId: number,
  history: History,
  options: CallOptions | undefined,
): Promise<ErpDelivery[]> {
  const { organizationIds, phone, from, to } = history;
  const length = to.getTime() - from.getTime();
  const halves = async () => {
    const middle = new Date(from.getTime() + length / 2);
    return [
      ...(await readHistory(deps, connectionId, { ...history, to: middle }, options)),
      ...(await readHistory(deps, connectionId, { ...history, from: middle }, options)),
    ];
  };

  // Time zones differ by up to half a day.
  const period = {
    from: wallClock(from).subtract({ days: 1 }),
    to: wallClock(to).add({ days: 1 }),
  };

  try {
    const { orders } = await deps.erp.deliveryHistory(
      connectionId,
      { organizationIds, phone, ...period },
      options,
    );

    return orders.length < MOST_HISTORY_ROWS || length <= DAY_MS ? orders : await halves();
  } catch (error) {
    const isTooMuch = isTooMuchData(error) && length > DAY_MS;
    if (!isTooMuch) throw error;
    return halves();
  }
}

const wallClock = (at: Date): Temporal.PlainDateTime =>
  Temporal.Instant.fromEpochMilliseconds(at.getTime()).toZonedDateTimeISO('UTC').toPlainDateTime();
