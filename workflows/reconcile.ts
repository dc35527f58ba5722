import { erpActivities, upkeepActivities } from './activity-sets.ts';

/**
 * Starts again what the rows ask for and no execution does, also after a loss of Temporal's whole database: schedules, runs,
 * rebuilds, events; and renews tokens that end soon. Every step is tried, whatever became of the others.
 */
export async function reconcile(): Promise<void> {
  const { applySchedules, reconcileImports, reconcileSnapshots, deliverEvents } = upkeepActivities();
  const steps = await Promise.allSettled([
    applySchedules(),
    reconcileImports(),
    deliverEvents(),
    reconcileSnapshots(),
    erpActivities().refreshTokens(),
  ]);
  const failed = steps.find((step) => step.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
}
