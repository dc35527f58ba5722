import { patched } from '@temporalio/workflow';
import { erpActivities, upkeepActivities } from './activity-sets.ts';

/**
 * Starts again what the rows ask for and no execution does, also after a loss of Temporal's whole database: schedules, runs,
 * rebuilds, events, notifications, bindings; renews tokens that end soon and deletes rows whose time is over. Every step is tried, whatever became of the others.
 */
export async function reconcile(): Promise<void> {
  const {
    applySchedules,
    reconcileImports,
    reconcileSnapshots,
    reconcileNotifications,
    reconcileBindings,
    deliverEvents,
    deleteOutdated,
  } = upkeepActivities();
  const steps = await Promise.allSettled([
    applySchedules(),
    reconcileImports(),
    deliverEvents(),
    reconcileSnapshots(),
    erpActivities().refreshTokens(),
    // Executions that began before these steps existed go on without them.
    ...(patched('delete-outdated') ? [deleteOutdated()] : []),
    ...(patched('send-notifications') ? [reconcileNotifications()] : []),
    ...(patched('reconcile-bindings') ? [reconcileBindings()] : []),
  ]);
  const failed = steps.find((step) => step.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
}
