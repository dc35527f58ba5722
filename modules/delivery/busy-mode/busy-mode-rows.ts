import { appendOutbox } from '../../../kernel/outbox.ts';
import type { Sql } from '../../../platform/db/database.ts';
import { advisory } from '../../../platform/db/locks.ts';
import { announceOrdering } from '../configuration/commit-edit.ts';

/** Locks all busy modes until the transaction ends. */
export const lockBusyModes = (tx: Sql): Promise<void> => advisory.busyMode(tx);

/** Announces changes to API instances and to the workflow that ends busy modes. */
export async function announceBusyModes(tx: Sql, organizationIds: number[]): Promise<void> {
  if (organizationIds.length === 0) return;
  await announceOrdering(tx);
  await appendOutbox(tx, 'BusyModeChanged', { organizationIds });
}
