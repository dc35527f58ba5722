import { DAY_MS } from '../../../kernel/pure/time.ts';
import type { CallOptions } from '../../../erp/call.ts';
import { isErpFailure } from '../../../erp/failure.ts';
import type { ErpDelivery } from '../../../erp/schemas/deliveries.ts';
import { anyOf } from '../../../platform/db/database.ts';
import { noteMissedHistory } from '../../gifts/clients/missed-history.ts';
import { applyAll, type AppliedOrders, type Poll, type PollDeps } from '../at-erp/apply-orders.ts';
import type { AskTogether, JointRequests } from './ask-together.ts';
import { AT_ORGANIZATION, openOrders } from './open-orders.ts';
import type { SavedRevision } from '../at-erp/order-revision.ts';
import { readByDate } from './read-by-date.ts';

/** Limit of the ERP for searches by date. */
const MOST_DAYS = 7;
/** The ERP retains order lines this long. */
const DAYS_KEPT = 90;
/** Covers later days, and time zones up to half a day apart. */
export const DAYS_AHEAD = 2;
/** Own open orders are read this often while others are read by date. */
const OWN_EVERY_MS = 30_000;

/**
 * `saved` is the revision before the request, `since` the last poll. Reading by date continues at
 * `from`. `done` receives the end of each period.
 */
type Missed = {
  saved: SavedRevision | null;
  since: Date;
  from: Date | null;
  done: (to: Date) => Promise<void>;
  ownEveryMs?: number;
};

/**
 * Reads open orders by id. If all orders are polled, reads the others by date (rule ORD-101), and
 * older ones later by phone (rule CMP-68). Own orders do not wait (rule ORD-149).
 */
export async function readMissed(
  deps: PollDeps,
  { connectionId, readsAll, search }: Poll,
  joint: JointRequests,
  { saved, since, from, done, ownEveryMs = OWN_EVERY_MS }: Missed,
  options: CallOptions | undefined,
): Promise<AppliedOrders & { passedOver: string[] }> {
  const read = { orders: 0, gifts: 0, passedOver: [] as string[] };
  const apply = async (facts: ErpDelivery[]): Promise<void> => {
    const applied = await applyAll(deps, connectionId, facts, saved);
    read.orders += applied.orders;
    read.gifts += applied.gifts;
    read.passedOver.push(...applied.passedOver);
  };

  if (readsAll) {
    // Whole hours, so that a continued poll ends at the same time.
    const now = Temporal.Now.instant().round({ smallestUnit: 'hour', roundingMode: 'floor' });
    const days = Math.min(MOST_DAYS, Math.ceil((Date.now() - since.getTime()) / DAY_MS) + 1);
    const period = {
      ...search,
      organizationIds: [...joint.answering()],
      from: from?.toTemporalInstant() ?? now.subtract({ hours: 24 * days }),
      to: now.add({ hours: 24 * DAYS_AHEAD }),
    };

    const work = { apply, done: (to: Temporal.Instant) => done(new Date(to.epochMilliseconds)) };
    let ownReadAt = -Infinity;
    const ask: AskTogether = async (...request) => {
      if (performance.now() - ownReadAt >= ownEveryMs) {
        ownReadAt = performance.now();
        await apply(
          await readOpenOrders(
            deps,
            connectionId,
            joint.answering(),
            { ...options, isPart: true },
            isErpFailure,
          ),
        );
      }

      return joint.ask(...request);
    };

    await readByDate(deps.erp, connectionId, period, work, ask);
    await noteOlder(deps, connectionId, since);
  }

  // Success for one organization does not show that others are accepted.
  await apply(await readOpenOrders(deps, connectionId, joint.answering(), options));

  return read;
}

/** Records a period too old for reading by date. */
export async function noteOlder(
  { db }: PollDeps,
  connectionId: number,
  since: Date,
): Promise<void> {
  const [horizon, byDate] = [DAYS_KEPT, MOST_DAYS].map(
    (days) => new Date(Date.now() - days * DAY_MS),
  ) as [Date, Date];
  const from = since < horizon ? horizon : since;
  if (from < byDate) await noteMissedHistory(db, connectionId, { from, to: byDate });
}

/** Returns the current revision with the shortest possible search. */
export async function presentRevision(
  { erp }: PollDeps,
  { connectionId, search }: Poll,
  joint: JointRequests,
): Promise<number> {
  const from = Temporal.Now.plainDateTimeISO('UTC');
  const thisMinute = { ...search, phone: null, from, to: from.add({ minutes: 1 }), rowsCount: 1 };
  const answers = await joint.ask(joint.answering(), (organizationIds, options) =>
    erp.deliveriesByPhone(connectionId, { organizationIds, ...thisMinute }, options),
  );

  return Math.min(...answers.map(({ answer }) => answer.maxRevision));
}

/** Skips organizations with an `isSkipped` failure. */
async function readOpenOrders(
  deps: PollDeps,
  connectionId: number,
  organizationErpIds: readonly string[],
  options: CallOptions | undefined,
  isSkipped: (error: unknown) => boolean = () => false,
): Promise<ErpDelivery[]> {
  const open = await openOrders(deps.db, connectionId)
    .where(AT_ORGANIZATION, '=', anyOf([...organizationErpIds], 'uuid'))
    .execute();
  const deliveries: ErpDelivery[] = [];

  for (const [organization, rows] of Map.groupBy(open, (entry) => entry.organizationErpId)) {
    const ids = rows.map((row) => row.erpId);
    const request = { ...options, priority: 'REST' as const };

    try {
      const { orders } = await deps.erp.deliveriesById(connectionId, organization, ids, request);
      deliveries.push(...orders);
    } catch (error) {
      if (!isSkipped(error)) throw error;
    }
  }

  return deliveries;
}
