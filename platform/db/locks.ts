import { sql } from 'kysely';
import type { Sql } from './database.ts';

/**
 * All advisory locks, released at the end of the transaction. Versions run concurrently: never
 * change the meaning of a name.
 */
export const advisory = {
  addresses: (tx: Sql, owner: string) => hold(tx, `fulfillment/addresses/${owner}`),
  administrators: (tx: Sql) => hold(tx, 'access/administrators'),
  auditSeal: (tx: Sql) => hold(tx, 'audit/seal'),
  eventNumbers: (tx: Sql) => hold(tx, 'events/numbers'),
  compensationGrants: (tx: Sql, userId: number) => hold(tx, `compensation/grants/${userId}`),
  clientPhones: (tx: Sql, connectionId: number) =>
    hold(tx, `compensation/client-phones/${connectionId}`),
  busyMode: (tx: Sql) => hold(tx, 'delivery/busy-mode'),
  categoryTree: (tx: Sql) => hold(tx, 'catalog/category-tree'),
  slugs: (tx: Sql, table: string, beginning: string) =>
    hold(tx, `catalog/slug/${table}/${beginning}`),
  /** False while another request of this caller with this key is processed. */
  tryIdempotencyKey: (tx: Sql, scope: string, key: string) =>
    tryHold(tx, `idempotency/${scope}\n${key}`),
  giftOrder: (tx: Sql, connectionId: number, erpOrderId: string) =>
    hold(tx, `compensation/gift-order/${connectionId}/${erpOrderId}`),
  /** Also for the first storage of the connection's orders. */
  orderRevision: (tx: Sql, connectionId: number) =>
    hold(tx, `ordering/order-revision/${connectionId}`),
  orderLimits: (tx: Sql, keys: readonly string[]) =>
    holdAll(
      tx,
      keys.map((key) => `ordering/limits/${key}`),
    ),
  /** Except stop-lists. */
  connectionImports: (tx: Sql, connectionId: number) =>
    hold(tx, `mirror/connection/${connectionId}`),
  /** For the flag of orders that wait for ERP data. */
  notConfiguredOrders: (tx: Sql, connectionId: number) =>
    hold(tx, `ordering/not-configured/${connectionId}`),
  /**
   * Imports of two connections may list the same organization. Only one becomes its active owner.
   */
  organizationOwners: (tx: Sql) => hold(tx, 'mirror/organizations'),
  connectionStopLists: (tx: Sql, connectionId: number) =>
    hold(tx, `mirror/stop-lists/${connectionId}`),
  /** For publishing, patching and pinning a menu. */
  snapshot: (tx: Sql, organizationId: number) => hold(tx, `snapshot/${organizationId}`),
  /** Returns false while another process builds the first menu. */
  tryFirstBuild: (tx: Sql, organizationId: number) =>
    tryHold(tx, `storefront/first-build/${organizationId}`),
};

/** Session lock. The migrator itself takes no lock. */
export const MIGRATE_LOCK = 4_201_001;

async function hold({ db }: Sql, name: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(db);
}

/** Sorted, to prevent deadlocks. */
async function holdAll({ db }: Sql, names: readonly string[]): Promise<void> {
  await sql`
    select pg_advisory_xact_lock(hashtextextended(name, 0))
      from (select unnest(${names.toSorted()}::text[]) as name) as ordered`.execute(db);
}

async function tryHold({ db }: Sql, name: string): Promise<boolean> {
  const { rows } = await sql<{ taken: boolean }>`
    select pg_try_advisory_xact_lock(hashtextextended(${name}, 0)) as taken`.execute(db);
  return rows[0]?.taken === true;
}
