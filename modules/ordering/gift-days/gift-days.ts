import { selectAuthor } from '../../access/authors.ts';
import { sql } from 'kysely';
import type { DifferingOrder, GiftDay } from '../schemas/gift-reconciliation.ts';
import { invalidField } from '../../../kernel/problem.ts';
import { BOM, csvText, type Separator } from '../../../kernel/pure/csv.ts';
import type { Sql } from '../../../platform/db/database.ts';
import type { SecretBox } from '../../../platform/secrets.ts';
import { readReasons, shownReason } from '../../access/customers/staff-reasons.ts';
import { inScope, type Scope } from '../../../kernel/scope.ts';
import { readPage, type Page, type Paging } from '../../../kernel/pages.ts';
import { DIFFERS, FINGERPRINT, orderCounts, type CountedDays } from './count-gifts.ts';

/** Local dates such as `2026-11-21`, both included. */
type Period = { from: string; to: string };
export type GiftDaysQuestion = Period & { organizationId?: number | undefined; scope: Scope };

const MOST_DAYS = 92;

function checkPeriod({ from, to }: Period): void {
  // PostgreSQL has no year 0, but date strings do.
  if (Temporal.PlainDate.from(from).year < 1)
    throw invalidField('from', 'invalid', 'There is no such day.');
  const days = Temporal.PlainDate.from(from).until(to).days;
  if (days < 0) throw invalidField('to', 'invalid', 'The last day is before the first one.');
  if (days >= MOST_DAYS)
    throw invalidField('to', 'invalid', `The period has more than ${MOST_DAYS} days.`);
}

const between = (from: string, to: string): CountedDays => ({
  first: sql`${from}::date`,
  has: (day) => sql`${day} between ${from}::date and ${to}::date`,
});

/** The active organization, or else the newest with this ERP id. */
const organizations = ({ db }: Sql) =>
  db
    .selectFrom('mirror_organization')
    .select(['erpId', 'id', 'name'])
    .distinctOn('erpId')
    .orderBy('erpId')
    .orderBy(sql`inactive_at is not null`)
    .orderBy('id', 'desc');

/** Counts current rows. A changed difference is no longer accepted. */
export const giftDays = (tx: Sql, { from, to, organizationId, scope }: GiftDaysQuestion) =>
  tx.db
    .selectFrom(
      sql<{
        day: string;
        organizationErpId: string;
        atErp: number;
        redeemed: number;
        unauthorized: number;
        differingOrders: number;
        fingerprint: string | null;
      }>`(select day, organization_erp_id, sum(at_erp)::int as at_erp, sum(redeemed)::int as redeemed, sum(unauthorized)::int as unauthorized,
                 count(*) filter (where ${DIFFERS})::int as differing_orders, ${FINGERPRINT} as fingerprint
            from (${orderCounts(between(from, to))}) counts group by day, organization_erp_id)`.as(
        'counted',
      ),
    )
    .leftJoin('gift_reconciliation as checked', (join) =>
      join
        .onRef('checked.day', '=', 'counted.day')
        .onRef('checked.organizationErpId', '=', 'counted.organizationErpId'),
    )
    .leftJoin('gift_reconciliation as accepted', (join) =>
      join
        .onRef('accepted.day', '=', 'counted.day')
        .onRef('accepted.organizationErpId', '=', 'counted.organizationErpId')
        .onRef('accepted.acceptedFingerprint', '=', 'counted.fingerprint'),
    )
    .leftJoin(
      organizations(tx).as('organization'),
      'organization.erpId',
      'counted.organizationErpId',
    )
    .select([
      'counted.day as date',
      'organization.id as organizationId',
      'organization.name as organizationName',
      'counted.organizationErpId as organizationErpId',
      'counted.atErp',
      'counted.redeemed',
      'counted.unauthorized',
      'counted.differingOrders',
      'counted.fingerprint',
      'checked.checkedAt',
      'accepted.acceptedAt',
      selectAuthor('accepted.acceptedByUserId').as('acceptedBy'),
      'accepted.acceptanceReason',
      'accepted.acceptanceReasonId',
    ])
    .select(sql<number>`counted.at_erp - counted.redeemed - counted.unauthorized`.as('difference'))
    .$if(organizationId !== undefined, (query) =>
      query.where(
        'counted.organizationErpId',
        'in',
        tx.db.selectFrom('mirror_organization').select('erpId').where('id', '=', organizationId!),
      ),
    )
    .$if(scope !== null, (query) =>
      query.where('counted.organizationErpId', 'in', (eb) =>
        eb
          .selectFrom('mirror_organization as own')
          .select('own.erpId')
          .where((own) => inScope(own.ref('own.id'), scope)),
      ),
    )
    .orderBy('counted.day')
    .orderBy('counted.organizationErpId');

/**
 * Returns gifts and their rights by day and organization (rule CMP-55), counted now. `checkedAt` is
 * the time of the daily reconciliation. Problem `validation`.
 */
export async function readGiftDays(
  deps: Deps,
  question: GiftDaysQuestion,
  paging: Paging,
): Promise<Page<GiftDay>> {
  checkPeriod(question);
  const { items, ...page } = await readPage(giftDays(deps.db, question), paging);
  return { ...page, items: await withAcceptance(deps.db, deps, items) };
}

/** Lists a day's differing orders, counted now (rule CMP-130). */
export function differingOrders(
  { db }: Sql,
  { date, organizationId }: { date: string; organizationId?: number | undefined },
  paging: Paging,
): Promise<Page<DifferingOrder>> {
  const orders = db
    .selectFrom(
      sql<DifferingOrder>`(
        select coalesce(own.id, counts.order_id) as order_id, counts.order_id as erp_order_id,
               coalesce(own.number, elsewhere.number) as number, counts.organization_erp_id, counts.at_erp,
               counts.redeemed, counts.unauthorized, counts.at_erp - counts.redeemed - counts.unauthorized as difference
          from (select * from (${orderCounts(between(date, date))}) counted where ${DIFFERS}) counts
          left join lateral (select own_order_id from erp_gift_order seen where seen.erp_order_id = counts.order_id limit 1) seen on true
          left join customer_order own on own.id = coalesce(seen.own_order_id, counts.order_id)
          left join erp_order elsewhere on elsewhere.id = counts.order_id and elsewhere.moved_to is null)`.as(
        'differing',
      ),
    )
    .selectAll()
    .$if(organizationId !== undefined, (query) =>
      query.where(
        'organizationErpId',
        'in',
        db.selectFrom('mirror_organization').select('erpId').where('id', '=', organizationId!),
      ),
    )
    .orderBy('organizationErpId')
    .orderBy('orderId');

  return readPage(orders, paging);
}

type Deps = { db: Sql; secrets: SecretBox };
type StoredDay = Omit<GiftDay, 'acceptanceReasonErased'> & { acceptanceReasonId: string | null };

/** Rule HTTP-26. */
export async function withAcceptance(
  from: Sql,
  deps: Pick<Deps, 'secrets'>,
  days: readonly StoredDay[],
): Promise<GiftDay[]> {
  const words = await readReasons(
    from,
    deps,
    days.map(({ acceptanceReasonId }) => acceptanceReasonId),
  );

  return days.map(({ acceptanceReason, acceptanceReasonId, ...day }) => {
    const shown = shownReason({ reason: acceptanceReason, reasonId: acceptanceReasonId }, words);
    return { ...day, acceptanceReason: shown.reason, acceptanceReasonErased: shown.reasonErased };
  });
}

const COLUMNS = {
  date: 'date',
  organization: 'organizationErpId',
  organization_name: 'organizationName',
  at_erp: 'atErp',
  redeemed: 'redeemed',
  unauthorized: 'unauthorized',
  difference: 'difference',
  differing_orders: 'differingOrders',
  checked_at: 'checkedAt',
  accepted_at: 'acceptedAt',
  acceptance_reason: 'acceptanceReason',
} as const satisfies Record<string, keyof GiftDay>;

/** Returns all days as a sheet (rule CMP-58). Problem `validation`. */
export async function giftDaysSheet(
  deps: Deps,
  question: GiftDaysQuestion,
  separator?: Separator,
): Promise<string> {
  checkPeriod(question);
  const days = await withAcceptance(deps.db, deps, await giftDays(deps.db, question).execute());
  const cells = days.map((day) =>
    Object.values(COLUMNS).map((field) => {
      const value = day[field];
      return value instanceof Date ? value.toISOString() : value;
    }),
  );

  return BOM + csvText(Object.keys(COLUMNS), cells, separator);
}
