import { sql } from 'kysely';
import type { ErpFailure } from '../../../erp/failure.ts';
import { anyOf, type Database, type Sql } from '../../../platform/db/database.ts';
import { areGiftsGiven } from '../../gifts/rewards/gift-dishes.ts';
import { recordRefusedOrganizations } from '../../mirror/runs/refused-organizations.ts';
import type { SavedRevision } from './order-revision.ts';

export type PolledOrganization = { id: number; erpId: string };

export type RefusedPoll = PolledOrganization & { revision: number | null; polledAt: Date };

/** Rule ORD-117. */
export type PolledOrganizations = { together: PolledOrganization[]; refused: RefusedPoll[] };

/**
 * Returns organizations that are served or have open orders. Rejected organizations are sorted by
 * their last request.
 */
export async function polledOrganizations(
  { db }: Sql,
  connectionId: number,
): Promise<PolledOrganizations> {
  const served = db
    .selectFrom('served_organization')
    .select(['id', 'erpId'])
    .where('connectionId', '=', connectionId);

  // Added, because orders of unlisted organizations are read one by one.
  const others = db
    .selectFrom('customer_order as order')
    .innerJoin(
      'mirror_organization as organization',
      'organization.erpId',
      'order.erpOrganizationErpId',
    )
    .select(['organization.id', 'organization.erpId'])
    .where('order.connectionId', '=', connectionId)
    .where('organization.connectionId', '=', connectionId)
    .where('organization.inactiveAt', 'is', null)
    .where('order.endedAt', 'is', null);

  const organizations = await served.union(others).orderBy('erpId').execute();
  const rows = await db
    .selectFrom('refused_order_revision')
    .select(['organizationId', 'revision', 'polledAt'])
    .where('connectionId', '=', connectionId)
    .orderBy('askedAt')
    .orderBy('organizationId')
    .execute();

  const byId = new Map(organizations.map((organization) => [organization.id, organization]));
  const refused = rows.flatMap(({ organizationId, revision, polledAt }) => {
    const organization = byId.get(organizationId);
    return organization === undefined ? [] : [{ ...organization, revision, polledAt }];
  });

  const apart = new Set(refused.map(({ id }) => id));

  return { together: organizations.filter(({ id }) => !apart.has(id)), refused };
}

/**
 * Records rejected organizations and the revision from which polls continue (rule ORD-117).
 * Idempotent.
 */
export async function keepRevisions(
  database: Database,
  connectionId: number,
  refused: readonly { id: number; failure: ErpFailure }[],
  { saved, notifies }: { saved: SavedRevision | null; notifies: boolean },
): Promise<void> {
  const { revision = null, polledAt = new Date() } = saved ?? {};
  await database.db
    .insertInto('refused_order_revision')
    .values(refused.map(({ id }) => ({ organizationId: id, connectionId, revision, polledAt })))
    .onConflict((conflict) => conflict.column('organizationId').doNothing())
    .execute();

  await recordRefusedOrganizations(database, { connectionId, job: 'ORDERS' }, refused, {
    notifies,
  });
}

/**
 * Postpones orders until the ERP accepts their organizations. Returns false if an organization was
 * accepted and must be read now.
 */
export async function readRefusedFrom(
  { db }: Sql,
  ids: readonly number[],
  from: Date,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('refused_order_revision')
    .set({ polledAt: sql<Date>`least(polled_at, ${from}::timestamptz)` })
    .where('organizationId', '=', anyOf(ids))
    .executeTakeFirstOrThrow();

  return Number(numUpdatedRows) === ids.length;
}

/** True if orders are accepted or gifts exist. */
export async function readsAllOrders(from: Sql, connectionId: number): Promise<boolean> {
  const accepting = await from.db
    .selectFrom('served_organization as organization')
    .innerJoin('ordering_config as config', 'config.organizationId', 'organization.id')
    .select('organization.id')
    .where('organization.connectionId', '=', connectionId)
    .where((eb) =>
      eb.or([eb('config.deliveryEnabled', '=', true), eb('config.pickupEnabled', '=', true)]),
    )
    .limit(1)
    .executeTakeFirst();

  return accepting !== undefined || (await areGiftsGiven(from));
}

/** True if own orders are open or have ended within a day. */
export async function hasOrdersAtErp({ db }: Sql, connectionId: number): Promise<boolean> {
  // Open orders come first, because nulls do.
  const newest = await db
    .selectFrom('customer_order')
    .select(sql<boolean>`ended_at is null or ended_at > now() - interval '1 day'`.as('isRecent'))
    .where('connectionId', '=', connectionId)
    .where('sentAt', 'is not', null)
    .orderBy('endedAt', 'desc')
    .limit(1)
    .executeTakeFirst();

  return newest?.isRecent === true;
}
