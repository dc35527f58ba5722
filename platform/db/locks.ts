import { sql } from 'kysely';
import type { Sql } from './database.ts';

/**
 * All advisory locks of the product, so that no two share a key. They are released at the end of
 * the transaction. Versions run concurrently on one database: never change the meaning of a name.
 */
export const advisory = {
  /** Serializes additions to the addresses of an owner. */
  addresses: (tx: Sql, owner: string) => hold(tx, `fulfillment/addresses/${owner}`),
  /** Serializes changes of administrators. */
  administrators: (tx: Sql) => hold(tx, 'access/administrators'),
  /** Serializes additions to the digest chain of the audit. */
  auditSeal: (tx: Sql) => hold(tx, 'audit/seal'),
  /** Serializes the numbering of public events. */
  eventNumbers: (tx: Sql) => hold(tx, 'events/numbers'),
  /** Serializes grants by a user, which are counted. */
  compensationGrants: (tx: Sql, userId: number) => hold(tx, `compensation/grants/${userId}`),
  /** Serializes the assignment of phones to clients of a connection. */
  clientPhones: (tx: Sql, connectionId: number) =>
    hold(tx, `compensation/client-phones/${connectionId}`),
  /** Serializes changes of the busy mode. */
  busyMode: (tx: Sql) => hold(tx, 'delivery/busy-mode'),
  /** Serializes moves of categories. */
  categoryTree: (tx: Sql) => hold(tx, 'catalog/category-tree'),
  /** Serializes the selection of slugs with the same base. */
  slugs: (tx: Sql, table: string, beginning: string) =>
    hold(tx, `catalog/slug/${table}/${beginning}`),
  /** Returns false while another request with this key of this caller is processed. */
  tryIdempotencyKey: (tx: Sql, scope: string, key: string) =>
    tryHold(tx, `idempotency/${scope}\n${key}`),
  /** Serializes transactions that store gifts of the ERP order with this id. */
  giftOrder: (tx: Sql, connectionId: number, erpOrderId: string) =>
    hold(tx, `compensation/gift-order/${connectionId}/${erpOrderId}`),
  /** Serializes the poll position of a connection's orders, and the first storage of its orders. */
  orderRevision: (tx: Sql, connectionId: number) =>
    hold(tx, `ordering/order-revision/${connectionId}`),
  /** Serializes counting against these limits. */
  orderLimits: (tx: Sql, keys: readonly string[]) =>
    holdAll(
      tx,
      keys.map((key) => `ordering/limits/${key}`),
    ),
  /** Serializes writing imports of a connection, except stop-lists. */
  connectionImports: (tx: Sql, connectionId: number) =>
    hold(tx, `mirror/connection/${connectionId}`),
  /** Serializes flagging orders as waiting for ERP data, and clearing the flag. */
  notConfiguredOrders: (tx: Sql, connectionId: number) =>
    hold(tx, `ordering/not-configured/${connectionId}`),
  /**
   * Concurrent imports of two connections may list the same organization; only one becomes its
   * active owner.
   */
  organizationOwners: (tx: Sql) => hold(tx, 'mirror/organizations'),
  /** Serializes writing stop-list imports of a connection. */
  connectionStopLists: (tx: Sql, connectionId: number) =>
    hold(tx, `mirror/stop-lists/${connectionId}`),
  /** Serializes publishing, patching and pinning the menu of an organization. */
  snapshot: (tx: Sql, organizationId: number) => hold(tx, `snapshot/${organizationId}`),
  /** Returns false while another process builds the first menu of the organization. */
  tryFirstBuild: (tx: Sql, organizationId: number) =>
    tryHold(tx, `storefront/first-build/${organizationId}`),
};

/** Key of the session lock that serializes migrate commands. The migrator itself takes no lock. */
export const MIGRATE_LOCK = 4_201_001;

async function hold({ db }: Sql, name: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(db);
}

/** Takes locks in sorted order, to prevent deadlocks. */
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
