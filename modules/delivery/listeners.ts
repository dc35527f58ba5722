import type { Database } from '../../platform/db/database.ts';
import type { Listeners } from '../../kernel/events/listeners.ts';
import { announceOrdering } from './configuration/commit-edit.ts';
import type { TemporalDeps } from '../../kernel/start-workflow.ts';
import { tellLeftBehind } from './configuration/left-behind.ts';
import { watchBusyModes } from './busy-mode/watch-busy-modes.ts';

export type FulfillmentListenerDeps = TemporalDeps & { db: Database };

export const FULFILLMENT_LISTENERS = {
  // Intake depends on the connection (FUL-48).
  ConnectionChanged: async (_: unknown, { db }: { db: Database }) => {
    await announceOrdering(db);
  },
  BusyModeChanged: (_, deps) => watchBusyModes(deps),
  ErpOrganizationsChanged: ({ organizationIds }, { db }) => tellLeftBehind(db, organizationIds),
} satisfies Listeners<FulfillmentListenerDeps>;
