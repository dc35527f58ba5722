import { appendOutbox } from '../../../kernel/outbox.ts';
import type { Sql } from '../../../platform/db/database.ts';
import { advisory } from '../../../platform/db/locks.ts';
import { announceOrdering } from '../configuration/commit-edit.ts';

/** Locks the busy modes of all organizations until the end of the transaction. */
export const lockBusyModes = (tx: Sql): Promise<void> => advisory.busyMode(tx);

/**
 * Announces changed busy modes to the API instances and to the workflow that waits for their end;
 * none, nothing is sent.
 */
export async function announceBusyModes(tx: Sql, organizationIds: number[]): Promise<void> {
  if (organizationIds.length === 0) return;
  await announceOrdering(tx);
  await appendOutbox(tx, 'BusyModeChanged', { organizationIds });
}
