import type { CallOptions } from '../../../erp/call.ts';
import { isErpFailure, type ErpFailure } from '../../../erp/failure.ts';
import type { Database } from '../../../platform/db/database.ts';
import { recordRefusedOrganizations } from '../../mirror/runs/refused-organizations.ts';
import { applyAll, type AppliedOrders, type Poll, type PollDeps } from '../at-erp/apply-orders.ts';
import { askWhole } from './ask-together.ts';
import { endRefusal, savedRevision } from '../at-erp/order-revision.ts';
import type { RefusedPoll } from '../at-erp/polled-organizations.ts';
import { noteOlder, presentRevision, readMissed } from './read-missed.ts';

/** Maximum number of rejected organizations per poll. */
const ASKED_AGAIN = 10;
/** Leaves time for other organizations if the ERP is slow. */
const SHARE_MS = 30_000;

/** `answered` counts accepted organizations. `failure` is the last failure. */
type Answered = AppliedOrders & { answered: number; failure: ErpFailure | null };

/**
 * Polls rejected organizations from their own revisions (rule ORD-117). After `shareMs`, the others
 * wait (rule OPS-123).
 */
export async function pollRefused(
  deps: PollDeps,
  poll: Poll,
  refused: readonly RefusedPoll[],
  options: CallOptions,
  shareMs = SHARE_MS,
): Promise<Answered> {
  const began = performance.now();
  const read: Answered = { orders: 0, gifts: 0, answered: 0, failure: null };
  // A 5xx for one organization is not an outage (rule ERP-27).
  const alone = { ...options, isSplit: options.isPart === true };

  for (const organization of refused.slice(0, ASKED_AGAIN)) {
    try {
      const { orders, gifts } = await pollAlone(deps, poll, organization, alone);
      read.orders += orders;
      read.gifts += gifts;
      read.answered += 1;
    } catch (error) {
      if (!isErpFailure(error)) throw error;
      read.failure = error;
      await askedAgain(deps.db, organization);
      const { connectionId } = poll;
      const failures = [{ id: organization.id, failure: error }];
      await recordRefusedOrganizations(deps.db, { connectionId, job: 'ORDERS' }, failures, {
        notifies: options.isPart === true,
      });
    }

    if (performance.now() - began >= shareMs) break;
  }

  return read;
}

async function pollAlone(
  deps: PollDeps,
  poll: Poll,
  organization: RefusedPoll,
  options: CallOptions,
): Promise<AppliedOrders> {
  const { db, erp } = deps;
  const { connectionId, search } = poll;
  const { id, erpId, revision: startRevision, polledAt } = organization;
  // Read first, so that it precedes changes of other organizations.
  const saved = await savedRevision(db, connectionId);
  const changes =
    startRevision === null
      ? null
      : await erp.deliveriesByRevision(
          connectionId,
          { organizationIds: [erpId], ...search, startRevision },
          options,
        );

  const alone = { answering: () => [erpId], ask: askWhole(options) };
  const isKnown = changes?.kind === 'ORDERS';
  const revision = isKnown ? changes.maxRevision : await presentRevision(deps, poll, alone);
  const { passedOver, ...applied } = isKnown
    ? await applyAll(deps, connectionId, changes.orders, saved)
    : await readMissed(
        deps,
        poll,
        alone,
        { saved, since: polledAt, from: null, done: async () => undefined },
        options,
      );

  if (isKnown) await noteOlder(deps, connectionId, polledAt);
  await endRefusal(db, connectionId, { id, startRevision, polledAt, saved, revision, passedOver });

  return applied;
}

/** Moves the organization to the end of the queue. */
async function askedAgain({ db }: Database, { id }: RefusedPoll): Promise<void> {
  await db
    .updateTable('refused_order_revision')
    .set({ askedAt: new Date() })
    .where('organizationId', '=', id)
    .execute();
}
