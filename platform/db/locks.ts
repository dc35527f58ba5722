import { sql } from 'kysely';
import type { Sql } from './database.ts';

/**
 * Every advisory lock of the product, in one place so that no two share a key. Those of a
 * transaction are released at its end. Processes of different versions meet in the same database: a
 * name that is in use keeps its meaning.
 */
export const advisory = {
  /** Only one transaction at a time adds an address of this owner. */
  addresses: (tx: Sql, owner: string) => hold(tx, `fulfillment/addresses/${owner}`),
  /** Only one transaction at a time decides who is an administrator. */
  administrators: (tx: Sql) => hold(tx, 'access/administrators'),
  /** Only one transaction at a time adds to the chain of digests over the audit. */
  auditSeal: (tx: Sql) => hold(tx, 'audit/seal'),
  /** Only one transaction at a time numbers public events. */
  eventNumbers: (tx: Sql) => hold(tx, 'events/numbers'),
  /** Only one transaction at a time counts what this user grants. */
  compensationGrants: (tx: Sql, userId: number) => hold(tx, `compensation/grants/${userId}`),
  /** Only one transaction at a time assigns phones of this connection to clients. */
  clientPhones: (tx: Sql, connectionId: number) => hold(tx, `compensation/client-phones/${connectionId}`),
  /** Only one transaction at a time changes or ends the busy mode of organizations. */
  busyMode: (tx: Sql) => hold(tx, 'delivery/busy-mode'),
  /** Only one transaction at a time moves categories. */
  categoryTree: (tx: Sql) => hold(tx, 'catalog/category-tree'),
  /** Only one transaction at a time chooses among the slugs with the same base. */
  slugs: (tx: Sql, table: string, beginning: string) => hold(tx, `catalog/slug/${table}/${beginning}`),
  /** Only one request with this key of this caller is processed; false while another one is. */
  tryIdempotencyKey: (tx: Sql, scope: string, key: string) => tryHold(tx, `idempotency/${scope}\n${key}`),
  /** Only one transaction at a time takes note of an order of the ERP under this id. */
  giftOrder: (tx: Sql, connectionId: number, erpOrderId: string) =>
    hold(tx, `compensation/gift-order/${connectionId}/${erpOrderId}`),
  /**
   * Only one transaction at a time records how far the orders of the connection were read, or
   * receives one of them first.
   */
  orderRevision: (tx: Sql, connectionId: number) => hold(tx, `ordering/order-revision/${connectionId}`),
  /** Only one transaction at a time counts the orders of any of these keys. */
  orderLimits: (tx: Sql, keys: readonly string[]) =>
    holdAll(
      tx,
      keys.map((key) => `ordering/limits/${key}`),
    ),
  /** Only one import of the connection writes at a time, stop-lists aside. */
  connectionImports: (tx: Sql, connectionId: number) => hold(tx, `mirror/connection/${connectionId}`),
  /**
   * Only one transaction at a time marks orders of the connection as waiting for data of the ERP,
   * or removes the mark.
   */
  notConfiguredOrders: (tx: Sql, connectionId: number) => hold(tx, `ordering/not-configured/${connectionId}`),
  /**
   * Two connections may import the same organization concurrently; only one may become its active
   * owner.
   */
  organizationOwners: (tx: Sql) => hold(tx, 'mirror/organizations'),
  /** Only one import of stop-lists of the connection writes at a time. */
  connectionStopLists: (tx: Sql, connectionId: number) => hold(tx, `mirror/stop-lists/${connectionId}`),
  /** Only one transaction at a time publishes, patches or pins the menu of the organization. */
  snapshot: (tx: Sql, organizationId: number) => hold(tx, `snapshot/${organizationId}`),
  /** Only one process builds a menu that is not stored yet; false while another one does. */
  tryFirstBuild: (tx: Sql, organizationId: number) => tryHold(tx, `storefront/first-build/${organizationId}`),
};

/**
 * Key of the lock of a session that keeps two migrate commands apart; the migrator itself takes
 * none.
 */
export const MIGRATE_LOCK = 4_201_001;

async function hold({ db }: Sql, name: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(db);
}

/** Takes locks in one order, so that two transactions never wait for each other. */
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
