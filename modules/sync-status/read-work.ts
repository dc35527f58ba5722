import { sql, type RawBuilder } from 'kysely';
import { PERMISSIONS, type Permission } from '../../kernel/pure/permissions.ts';
import { inScope, type Scope } from '../../kernel/scope.ts';
import type { Sql } from '../../platform/db/database.ts';
import { IS_AT_ERP } from '../ordering/orders/is-at-erp.ts';
import { isForReader } from '../notifications/list-notifications.ts';
import { WORK_KINDS, type Work, type WorkKind } from './schemas/work.ts';

export type Reader = { permissions: readonly Permission[]; scope: Scope };

/**
 * Selects open rows for a reader; `at` is their start. Kinds `byRestaurant` select
 * `organization_ids`.
 */
type Rows = (reader: Reader) => RawBuilder<unknown>;

const ofRestaurant = (column: string, { scope }: Reader) => inScope(sql.ref<number>(column), scope);

const incidents =
  (severity: 'CRITICAL' | 'INFO'): Rows =>
  () =>
    sql`select opened_at as at from binding_incident where status = 'OPEN' and severity = ${severity}`;

type Kind = { needs: Permission; isOfChain?: true; byRestaurant?: true; rows: Rows };

/** `isOfChain`: hidden from callers with limited restaurants. */
const KINDS: Readonly<Record<WorkKind, Kind>> = {
  // Accepted orders are sent at once, so a minute is late.
  ORDERS_NOT_AT_ERP: {
    needs: 'orders.read',
    byRestaurant: true,
    rows: (reader) => sql`
      select accepted_at as at, array[organization_id] as organization_ids from customer_order
       where ended_at is null and not ${IS_AT_ERP} and accepted_at < now() - interval '1 minute'
         and ${ofRestaurant('organization_id', reader)}`,
  },
  ORDERS_FAILED: {
    needs: 'orders.read',
    byRestaurant: true,
    rows: (reader) => sql`
      select accepted_at as at, array[organization_id] as organization_ids from customer_order
       where state = 'FAILED' and accepted_at > now() - interval '1 day' and ${ofRestaurant('organization_id', reader)}`,
  },
  INCIDENTS_CRITICAL: { needs: 'incidents.read', rows: incidents('CRITICAL') },
  INCIDENTS_INFO: { needs: 'incidents.read', rows: incidents('INFO') },
  // Stays open until an import of the menu removes no more than the threshold.
  IMPORTS_HELD_BACK: {
    needs: 'sync.read',
    isOfChain: true,
    rows: () => sql`
      select raised_at as at from notification where kind = 'SUSPICIOUS_SHRINK' and resolved_at is null`,
  },
  GIFT_CANDIDATES: {
    needs: 'compensations.grant',
    isOfChain: true,
    rows: () => sql`select found_at as at from compensation_candidate where status = 'OPEN'`,
  },
  GIFT_CONFLICTS: {
    needs: 'compensations.read',
    isOfChain: true,
    rows: () => sql`select found_at as at from compensation_conflict where status = 'OPEN'`,
  },
  GIFTS_UNAUTHORIZED: {
    needs: 'compensations.read',
    byRestaurant: true,
    rows: (reader) => sql`
      select gift.found_at as at, array(
               select id from mirror_organization where erp_id = placed.organization_erp_id) as organization_ids
        from unauthorized_gift gift
        join erp_gift_order placed on placed.id = gift.gift_order_id
       where gift.status = 'OPEN' and exists (
         select from mirror_organization organization
          where organization.erp_id = placed.organization_erp_id and ${ofRestaurant('organization.id', reader)})`,
  },
  NEW_DISHES: {
    needs: 'catalog.read',
    rows: () => sql`
      select item.first_seen_at as at from mirror_item item
       where item.role = 'DISH' and item.deleted_at is null
         and not exists (select from catalog_item_binding binding where binding.item_id = item.id)
         and coalesce((select status from catalog_item_triage triage where triage.item_id = item.id), 'NEW') = 'NEW'`,
  },
  NOTIFICATIONS: {
    needs: 'notifications.read',
    rows: (reader) => sql`
      select raised_at as at from notification where resolved_at is null and ${isForReader(reader)}`,
  },
  WEBHOOK_ENDPOINTS_DISABLED: {
    needs: 'webhooks.manage',
    isOfChain: true,
    rows: () => sql`select updated_at as at from webhook_endpoint where not is_enabled`,
  },
};

/** Counts the open work that a caller may read, with the oldest age of each kind (OPS-198). */
export async function readWork({ db }: Sql, reader: Reader): Promise<Work> {
  const kinds = listKinds(reader);
  if (kinds.length === 0) return { kinds: [] };
  const counts = kinds.map(
    (kind) => sql`
      select ${kind}::text as kind, count(*)::int as count, min(at) as "oldestAt",
             floor(extract(epoch from now() - min(at)))::int as "oldestAgeSeconds"
        from (${KINDS[kind].rows(reader)}) as open`,
  );

  const { rows } = await sql<{
    kind: WorkKind;
    count: number;
    oldestAt: Date | null;
    oldestAgeSeconds: number | null;
  }>`${sql.join(counts, sql` union all `)}`.execute(db);

  return { kinds: rows };
}

export const listKinds = ({ permissions, scope }: Reader): WorkKind[] =>
  WORK_KINDS.filter((kind) => {
    const { needs, isOfChain } = KINDS[kind];
    return permissions.includes(needs) && !(isOfChain === true && scope !== null);
  });

/** Null: work of the whole chain. */
export type WorkGroup = {
  kind: WorkKind;
  organizationIds: number[] | null;
  count: number;
  oldestAt: Date;
};

/**
 * Counts the open work of all readers, except notifications. Each process derives the counts of a
 * reader from it (EVT-46).
 */
export async function readWorkGroups({ db }: Sql): Promise<WorkGroup[]> {
  const everything: Reader = { permissions: PERMISSIONS, scope: null };
  const groups = WORK_KINDS.filter((kind) => kind !== 'NOTIFICATIONS').map((kind) => {
    const restaurants =
      KINDS[kind].byRestaurant === true ? sql`organization_ids` : sql`null::bigint[]`;
    return sql`
      select ${kind}::text as kind, ${restaurants} as "organizationIds", count(*)::int as count, min(at) as "oldestAt"
        from (${KINDS[kind].rows(everything)}) as open group by 2`;
  });

  return (await sql<WorkGroup>`${sql.join(groups, sql` union all `)}`.execute(db)).rows;
}
