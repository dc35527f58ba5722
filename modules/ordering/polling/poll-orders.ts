import { earlierProgress, reportProgress, type Progress } from '../../../platform/progress.ts';
import { isRefusal } from '../../../erp/apart.ts';
import type { CallOptions } from '../../../erp/call.ts';
import type { ErpDelivery } from '../../../erp/schemas/deliveries.ts';
import { applyAll, type AppliedOrders, type Poll, type PollDeps } from '../at-erp/apply-orders.ts';
import { jointRequests, type JointRequests } from './ask-together.ts';
import { endRequest, endPoll, pollState, saveCatchUp } from './order-poll.ts';
import { savedRevision, saveRevision, type SavedRevision } from '../at-erp/order-revision.ts';
import { pollRefused } from './poll-refused.ts';
import {
  hasOrdersAtErp,
  keepRevisions,
  polledOrganizations,
  readsAllOrders,
  type PolledOrganizations,
} from '../at-erp/polled-organizations.ts';
import { readMovedOrders } from './read-moved.ts';
import { DAYS_AHEAD, presentRevision, readMissed } from './read-missed.ts';
import { readByDate } from './read-by-date.ts';
import { SOURCE_KEY } from '../rules/erp-order.ts';

/** BEGAN: open orders were read by id, without a revision. `gifts` counts all channels. */
export type Polled = AppliedOrders & { outcome: 'NOTHING_TO_ASK' | 'CHANGES' | 'BEGAN' };

/**
 * Applies changes since the last poll (rules ORD-57, ORD-94, CMP-46). Without a usable revision,
 * reads open orders by id and gift orders by date (rules CMP-102, ORD-101, ORD-102). Polls rejected
 * organizations alone (rule ORD-117). Idempotent. Throws ERP client errors.
 */
export async function pollOrders(
  deps: PollDeps,
  connectionId: number,
  options?: CallOptions,
): Promise<Polled> {
  const { db } = deps;
  await endRequest(db, connectionId);
  const readsAll = await readsAllOrders(db, connectionId);
  const mayHaveChanged = readsAll || (await hasOrdersAtErp(db, connectionId));
  const organizations = mayHaveChanged
    ? await polledOrganizations(db, connectionId)
    : { together: [], refused: [] };
  const { together, refused } = organizations;
  if (together.length + refused.length === 0) {
    await endPoll(db, connectionId);
    return { outcome: 'NOTHING_TO_ASK', orders: 0, gifts: 0 };
  }

  const poll = { connectionId, readsAll, search: readsAll ? {} : { sourceKeys: [SOURCE_KEY] } };
  const [read, failure] = await pollTogether(deps, poll, organizations, options).then(
    (polled) => [polled, null] as const,
    (error: unknown) => {
      // The ERP may accept the organizations again.
      if (!isRefusal(error, false)) throw error;
      return [null, error] as const;
    },
  );

  // The rejection of the only organization concerns the connection.
  const apart = await pollRefused(deps, poll, refused, { ...options, isPart: together.length > 0 });
  if (failure !== null) throw failure;
  if (read === null && apart.answered === 0) throw apart.failure;
  if (read === null) await endPoll(db, connectionId);
  const moved = await readMovedOrders(deps, connectionId, options);
  const { outcome, orders, gifts } = read ?? { outcome: 'CHANGES', orders: 0, gifts: 0 };

  return {
    outcome,
    orders: orders + apart.orders + moved.orders,
    gifts: gifts + apart.gifts + moved.gifts,
  };
}

async function pollTogether(
  deps: PollDeps,
  poll: Poll,
  organizations: PolledOrganizations,
  options: CallOptions | undefined,
): Promise<Polled | null> {
  if (organizations.together.length === 0) return null;
  const { db, erp } = deps;
  const { connectionId, search } = poll;
  const saved = await savedRevision(db, connectionId);
  const state = await pollState(db, connectionId);
  const { joint, leftOut } = buildRequests(deps, connectionId, organizations, saved, options);
  const save = (revision: number, passedOver: readonly string[]) =>
    saveRevision(db, connectionId, { saved, revision, passedOver, leftOut });
  if (saved !== null && !state.isTooOld && state.catchUpRevision === null) {
    const parts = await joint.ask(joint.answering(), (organizationIds, part) =>
      erp.deliveriesByRevision(
        connectionId,
        { organizationIds, ...search, startRevision: saved.revision },
        part,
      ),
    );

    const changes = parts.flatMap(({ answer }) => (answer.kind === 'ORDERS' ? [answer] : []));
    if (changes.length === parts.length) {
      const facts = changes.flatMap(({ orders }) => orders);
      const { passedOver, ...applied } = await applyAll(deps, connectionId, facts, saved);
      await save(Math.min(...changes.map(({ maxRevision }) => maxRevision)), passedOver);
      await endPoll(db, connectionId);
      return { outcome: 'CHANGES', ...applied };
    }
  }

  // Read first, so that the next response contains later changes.
  const revision = state.catchUpRevision ?? (await presentRevision(deps, poll, joint));
  if (saved !== null && state.catchUpRevision === null && revision === saved.revision) {
    await save(revision, []);
    await endPoll(db, connectionId, { isTooOld: true });
    return { outcome: 'CHANGES', orders: 0, gifts: 0 };
  }

  const { passedOver, ...read } = await readMissed(
    deps,
    poll,
    joint,
    {
      saved,
      since: saved?.polledAt ?? new Date(),
      from: state.catchUpTo,
      done: (to) => saveCatchUp(db, connectionId, { revision, to }),
    },
    options,
  );

  await save(revision, passedOver);
  await endPoll(db, connectionId);

  return { outcome: 'BEGAN', ...read };
}

/** `leftOut` omits the only organization, because its rejection concerns the connection. */
function buildRequests(
  { db }: PollDeps,
  connectionId: number,
  { together, refused }: PolledOrganizations,
  saved: SavedRevision | null,
  options: CallOptions | undefined,
): { joint: JointRequests; leftOut: number[] } {
  const isOnly = together.length + refused.length === 1;
  const ids = new Map(together.map(({ id, erpId }) => [erpId, id]));
  const leftOut = refused.map(({ id }) => id);
  const joint = jointRequests(
    [...ids.keys()],
    async (refusals, { notifies }) => {
      if (isOnly) return;
      const failures = refusals.map(({ organizationId, failure }) => ({
        id: ids.get(organizationId)!,
        failure,
      }));
      await keepRevisions(db, connectionId, failures, { saved, notifies });
      leftOut.push(...failures.map(({ id }) => id));
    },
    { ...options, isPart: !isOnly },
  );

  return { joint, leftOut };
}

/** Includes a day that may not have ended in every time zone. */
const DAYS_COMPARED = 4;

/**
 * Reads the orders of the last days by date, which repairs lost calls and wrong responses (rule
 * CMP-56). Continues an earlier attempt at its day. Throws ERP client errors.
 */
export async function readLastOrders(
  deps: PollDeps,
  connectionId: number,
  options?: CallOptions,
): Promise<AppliedOrders> {
  const organizations = await polledOrganizations(deps.db, connectionId);
  const { now, day: first, ...read } = placeInDays(earlierProgress());
  if (organizations.together.length === 0 || !(await readsAllOrders(deps.db, connectionId)))
    return read;
  const startRevision = await savedRevision(deps.db, connectionId);
  const { joint } = buildRequests(deps, connectionId, organizations, startRevision, options);

  for (let day = first; day < DAYS_AHEAD; day += 1) {
    reportProgress({ now: now.toString(), day, ...read });
    const saved = await savedRevision(deps.db, connectionId);
    const apply = async (facts: ErpDelivery[]): Promise<void> => {
      const { orders, gifts } = await applyAll(deps, connectionId, facts, saved);
      read.orders += orders;
      read.gifts += gifts;
    };

    const [from, to] = [now.add({ hours: 24 * day }), now.add({ hours: 24 * (day + 1) })];
    const period = { organizationIds: [...joint.answering()], from, to };
    await readByDate(
      deps.erp,
      connectionId,
      period,
      { apply, done: async () => undefined },
      joint.ask,
    );
  }

  return read;
}

function placeInDays({
  now,
  day,
  orders,
  gifts,
}: Progress): AppliedOrders & { now: Temporal.Instant; day: number } {
  if (typeof now !== 'string')
    return { now: Temporal.Now.instant(), day: -DAYS_COMPARED, orders: 0, gifts: 0 };
  return {
    now: Temporal.Instant.from(now),
    day: Number(day),
    orders: Number(orders),
    gifts: Number(gifts),
  };
}
