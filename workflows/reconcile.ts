import type { ReconcileInput } from '../modules/mirror/messages/sync.ts';
import { erpActivities, eventActivities, upkeepActivities } from './support/activity-sets.ts';

/**
 * Starts again what the rows ask for and no execution does, also after a loss of Temporal's whole
 * database: schedules, runs, rebuilds, events, notifications, bindings, orders, gifts and their
 * markers; ends rights whose term is over and looks at gifts; renews tokens that end soon, takes
 * new entries of the audit into its chain and deletes rows whose time is over. Every step is tried,
 * whatever became of the others. Kept for executions that an earlier release began: workers do it
 * without Temporal (rule OPS-102).
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
