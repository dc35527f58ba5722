import { sql, type Expression, type RawBuilder, type SqlBool } from 'kysely';
import type { CursorPage, CursorPaging, Part } from '../../../kernel/cursor-pages.ts';
import { omitUndefined } from '../../../kernel/pages.ts';
import { inScope, type Scope } from '../../../kernel/scope.ts';
import { typedText } from '../../../kernel/pure/typed-text.ts';
import { anyOf, type Sql } from '../../../platform/db/database.ts';
import type { SecretBox } from '../../../platform/secrets.ts';
import { normalPhone } from '../../access/rules/phone.ts';
import { momentText } from '../../delivery/rules/schedule.ts';
import { phoneDigests } from '../../gifts/clients/clients.ts';
import { listedErpOrders } from '../orders/erp-order-view.ts';
import type { GuestTexts } from '../orders/guest-texts.ts';
import {
  cursorPageOfChannels,
  KEY_COLUMNS,
  toListedOrder,
  ordersHere,
  readGuestTexts,
  type ListsOfChannels,
  type OrderKey,
} from '../orders/order-view.ts';
import { ordersOfPhone } from '../orders/orders-of-phone.ts';
import type { FulfillmentType } from '../../delivery/rules/status.ts';
import { IS_AT_ERP } from '../orders/is-at-erp.ts';
import type { OrderProblem, OrderState } from '../rules/order-states.ts';
import type { OrderChannel, StaffListedOrder } from '../schemas/orders.ts';
import { withOrganizations } from './order-organizations.ts';

type Deps = { db: Sql; secrets: SecretBox };

export type StaffOrderFilters = {
  /** Number or id, here or in the ERP; with `mayFindPhones` also a phone. */
  q?: string | undefined;
  mayFindPhones: boolean;
  ids?: readonly string[] | undefined;
  organizationId?: number | undefined;
  scope: Scope;
  states?: readonly OrderState[] | undefined;
  problems?: readonly OrderProblem[] | undefined;
  open?: boolean | undefined;
  /** False for orders that the ERP has not reported (rule ORD-170). */
  atErp?: boolean | undefined;
  fulfillmentType?: FulfillmentType | undefined;
  /** Inclusive; `dueTo` is exclusive. */
  dueFrom?: string | undefined;
  dueTo?: string | undefined;
  customerId?: string | undefined;
  channel?: OrderChannel | undefined;
  /** Inclusive; `to` is exclusive. */
  from?: string | undefined;
  to?: string | undefined;
};

/** Lists orders, newest first (rules ORD-132 to ORD-134). */
export async function listStaffOrders(
  deps: Deps,
  filters: StaffOrderFilters,
  paging: CursorPaging,
): Promise<CursorPage<StaffListedOrder>> {
  const texts = await readGuestTexts(deps.db);
  return pageOfStaffOrders<StaffListedOrder>(deps, filters, paging, {
    CARTE: (ids) => staffOrders(deps.db, ids, texts),
    ERP: async (ids) => {
      const orders = await listedErpOrders(deps.db, ids, texts);
      const listed = await withOrganizations(deps.db, [...orders.values()]);

      return new Map(
        listed.map(({ gifts: _gifts, ...order }) => [
          order.orderId,
          { ...order, customerId: null, sendUntil: null },
        ]),
      );
    },
  });
}

export function pageOfStaffOrders<Shown>(
  deps: Deps,
  {
    q,
    mayFindPhones,
    customerId,
    channel,
    from,
    to,
    organizationId,
    fulfillmentType,
    scope,
    ...more
  }: StaffOrderFilters,
  paging: CursorPaging,
  lists: ListsOfChannels<Shown>,
): Promise<CursorPage<Shown>> {
  const { db: source } = deps;
  const search = q === undefined ? null : parseSearch(deps, q, mayFindPhones);
  const both = omitUndefined({ organizationId, fulfillmentType });
  const made = source.db
    .selectFrom('customer_order')
    .select([...KEY_COLUMNS, 'acceptedAt as at', sql<OrderChannel>`'CARTE'`.as('channel')])
    .where((eb) =>
      eb.and([eb.and(omitUndefined({ ...both, customerId })), ...period('accepted_at', from, to)]),
    )
    .where(joinConditions(conditions(MADE_HERE, more)))
    .where((eb) => inScope(eb.ref('organizationId'), scope))
    .where(
      search === null
        ? sql.lit(true)
        : isFound('customer_order.id', ordersMadeHere(source, search)),
    )
    .where(sql.lit(channel !== 'ERP'));

  const reported = source.db
    .selectFrom('erp_order')
    .select([...KEY_COLUMNS, 'placedAt as at', sql<OrderChannel>`'ERP'`.as('channel')])
    .where((eb) => eb.and([eb.and(both), ...period('placed_at', from, to)]))
    .where(joinConditions(conditions(FROM_ELSEWHERE, more)))
    .where((eb) => inScope(eb.ref('organizationId'), scope))
    .where('movedTo', 'is', null)
    .where(
      search === null
        ? sql.lit(true)
        : isFound('erp_order.id', ordersFromElsewhere(source, search)),
    )
    // Orders from other channels have no customer id.
    .where(sql.lit(channel !== 'CARTE' && customerId === undefined));

  const parts = [
    { query: made, columns: { at: 'acceptedAt' } },
    { query: reported, columns: { at: 'placedAt' } },
  ] as unknown as Part<OrderKey>[];

  return cursorPageOfChannels(source, parts, paging, lists);
}

/** `digests` are digests of a phone. */
type Search = { number: string; id: RawBuilder<string>; digests: readonly string[] };

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

function parseSearch(deps: Deps, q: string, mayFindPhones: boolean): Search {
  const text = typedText(q);
  const phone = mayFindPhones ? normalPhone(text) : null;

  return {
    number: text.replace(/^(No|#)\s*/i, ''),
    id: sql`${UUID.test(text) ? text.toLowerCase() : null}::uuid`,
    digests: phone === null ? [] : phoneDigests(deps, phone),
  };
}

/** Each part has an index (rule ORD-134). */
const ordersMadeHere = ({ db }: Sql, { number, id, digests }: Search) =>
  db
    .selectFrom('customer_order as numbered')
    .select('numbered.id')
    .where('numbered.number', '=', number)
    .unionAll(
      db
        .selectFrom('customer_order as there')
        .select('there.id')
        .where('there.erpNumber', '=', number),
    )
    .unionAll(
      db.selectFrom('customer_order as named').select('named.id').where('named.id', '=', id),
    )
    .unionAll(
      db
        .selectFrom('customer_order as moved')
        .select('moved.id')
        .where('moved.erpOrderId', '=', id),
    )
    .unionAll(
      db
        .selectFrom('personal_data as person')
        .innerJoin('customer_order as ordered', 'ordered.personalDataId', 'person.id')
        .select('ordered.id')
        .where('person.phoneDigest', '=', anyOf(digests, 'text')),
    );

const ordersFromElsewhere = (from: Sql, { number, id, digests }: Search) =>
  from.db
    .selectFrom('erp_order as numbered')
    .select('numbered.id')
    .where('numbered.number', '=', number)
    .where('numbered.movedTo', 'is', null)
    .unionAll(
      from.db.selectFrom('erp_order as named').select('named.id').where('named.id', '=', id),
    )
    .unionAll(ordersOfPhone(from, digests));

/** Finds the ids once, before orders are read. */
const isFound = (column: string, ids: Expression<{ id: string }>): RawBuilder<SqlBool> =>
  sql<SqlBool>`${sql.ref(column)} = any (array(${ids}))`;

function period(
  column: string,
  from: string | undefined,
  to: string | undefined,
): RawBuilder<SqlBool>[] {
  return [
    ...(from === undefined ? [] : [sql<SqlBool>`${sql.raw(column)} >= ${from}::timestamptz`]),
    ...(to === undefined ? [] : [sql<SqlBool>`${sql.raw(column)} < ${to}::timestamptz`]),
  ];
}

/** Expressions that match each channel's indexes. */
type Columns = {
  open: RawBuilder<SqlBool>;
  ended: RawBuilder<SqlBool>;
  atErp: RawBuilder<SqlBool>;
  problem: RawBuilder<string | null>;
  due: (from: string | undefined, to: string | undefined) => RawBuilder<SqlBool>[];
};

const MADE_HERE: Columns = {
  open: sql`ended_at is null`,
  ended: sql`ended_at is not null`,
  atErp: IS_AT_ERP,
  problem: sql`problem`,
  due: (from, to) => period('due_at', from, to),
};

const FROM_ELSEWHERE: Columns = {
  open: sql`state not in ('CLOSED', 'CANCELLED', 'FAILED')`,
  ended: sql`state in ('CLOSED', 'CANCELLED', 'FAILED')`,
  atErp: sql`true`,
  problem: sql`null::text`,
  // An order without a requested time is due when placed. Each part has an index.
  due: (from, to) =>
    from === undefined && to === undefined
      ? []
      : [
          sql<SqlBool>`(${joinConditions([sql`due_at is not null`, ...period('due_at', from, to)])}
            or ${joinConditions([sql`due_at is null`, ...period('placed_at', from, to)])})`,
        ],
};

type MoreFilters = Pick<
  StaffOrderFilters,
  'ids' | 'states' | 'problems' | 'open' | 'atErp' | 'dueFrom' | 'dueTo'
>;

/** Rule ORD-170. */
function conditions(
  { open, ended, atErp, problem, due }: Columns,
  { ids, states, problems, open: isOpen, atErp: isAtErp, dueFrom, dueTo }: MoreFilters,
): RawBuilder<SqlBool>[] {
  return [
    ...(ids === undefined ? [] : [sql<SqlBool>`id = any (${ids}::uuid[])`]),
    ...(states === undefined ? [] : [sql<SqlBool>`state = any (${states}::text[])`]),
    ...(problems === undefined ? [] : [sql<SqlBool>`${problem} = any (${problems}::text[])`]),
    ...(isOpen === undefined ? [] : [isOpen ? open : ended]),
    ...(isAtErp === undefined ? [] : [isAtErp ? atErp : sql<SqlBool>`not ${atErp}`]),
    ...due(dueFrom, dueTo),
  ];
}

const joinConditions = (all: readonly RawBuilder<SqlBool>[]): RawBuilder<SqlBool> =>
  sql<SqlBool>`(${sql.join([sql`true`, ...all], sql` and `)})`;

async function staffOrders(
  from: Sql,
  ids: readonly string[],
  texts: GuestTexts,
): Promise<Map<string, StaffListedOrder>> {
  const rows = await ordersHere(from, ids)
    .select(['customer_order.customerId', 'customer_order.sendUntil'])
    .execute();
  const orders = rows.map((row) => ({
    ...toListedOrder(row, texts),
    customerId: row.customerId,
    sendUntil: momentText(row.sendUntil.getTime(), row.timeZone),
  }));

  return new Map((await withOrganizations(from, orders)).map((order) => [order.orderId, order]));
}
