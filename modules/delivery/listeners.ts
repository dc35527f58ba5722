import { sql } from 'kysely';
import type { Database } from '../../platform/db/database.ts';
import type { Listeners } from '../../kernel/events/listeners.ts';
import { ORDERING_CHANNEL } from './commit-edit.ts';
import { tellLeftBehind } from './left-behind.ts';

export type FulfillmentListenerDeps = { db: Database };

/** Event handlers for order intake when connections or ERP lists change. */
export const FULFILLMENT_LISTENERS = {
  // Whether orders are taken depends on the connection (rule FUL-48): the clocks of every process
  // look again.
  ConnectionChanged: async (_, { db }) => {
    await sql`select pg_notify(${ORDERING_CHANNEL}, '')`.execute(db.db);
  },
  ErpOrganizationsChanged: ({ organizationIds }, { db }) => tellLeftBehind(db, organizationIds),
} satisfies Listeners<FulfillmentListenerDeps>;
