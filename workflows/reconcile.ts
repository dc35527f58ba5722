import type { ReconcileInput } from '../modules/mirror/messages/sync.ts';
import { erpActivities, eventActivities, upkeepActivities } from './support/activity-sets.ts';

/**
 * Restarts pending work that has no execution, also after a loss of Temporal's whole database:
 * schedules, runs, rebuilds, events, notifications, bindings, orders, gifts and their markers;
 * expires rights and checks gifts; renews tokens that expire soon, adds new entries of the audit to
 * its chain and deletes outdated rows. Every step is tried, even if others fail. Kept for
 * executions that an earlier release began: workers do it without Temporal (rule OPS-102).
 */
export async function reconcile({ queues }: ReconcileInput): Promise<void> {
  const upkeep = upkeepActivities();
  const steps = await Promise.allSettled([
    upkeep.applySchedules(),
    upkeep.reconcileImports(),
    eventActivities(queues).deliverEvents(),
    upkeep.reconcileSnapshots(),
    erpActivities(queues).refreshTokens(),
    upkeep.deleteOutdated(),
    upkeep.reconcileNotifications(),
    upkeep.reconcileBindings(),
    upkeep.reconcileOrders(),
    upkeep.reconcileRights(),
    upkeep.reconcileGifts(),
    upkeep.sealAudit(),
  ]);
  const failed = steps.find((step) => step.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
}
