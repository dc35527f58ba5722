import { everyPage } from '../../../kernel/cursor-pages.ts';
import type { ExportColumns } from '../../../kernel/exports.ts';
import { anyOf, type Sql } from '../../../platform/db/database.ts';
import type { SecretBox } from '../../../platform/secrets.ts';
import { readPersonal } from '../../access/customers/personal-data.ts';
import { momentText } from '../../delivery/rules/schedule.ts';
import { listedErpOrders } from '../orders/erp-order-view.ts';
import { pageOfStaffOrders, type StaffOrderFilters } from './list-staff-orders.ts';
import { readGuestTexts, type ListsOfChannels } from '../orders/order-view.ts';
import type { OrderPersonal } from '../orders/order-personal.ts';
import { addressInWords } from '../rules/erp-address.ts';
import type { OrderChannel } from '../schemas/orders.ts';

type Deps = { db: Sql; secrets: SecretBox };

/** Columns that other channels do not have are null. */
type ExportedOrder = {
  id: string;
  number: string;
  erpNumber: string | null;
  channel: OrderChannel;
  organizationErpId: string;
  state: string;
  problem: string | null;
  fulfillmentType: string;
  paymentMethod: string;
  createdAt: Date | string;
  dueAt: Date | string;
  subtotalKopecks: number | null;
  discountKopecks: number | null;
  deliveryFeeKopecks: number | null;
  totalKopecks: number;
  customerId: string | null;
  person: OrderPersonal | undefined;
};

/** Without `mayManage`, the guest's columns are empty (rule ORD-128). */
export const ORDER_EXPORT: ExportColumns<ExportedOrder> = {
  id: ({ id }) => id,
  number: ({ number }) => number,
  erp_number: ({ erpNumber }) => erpNumber,
  channel: ({ channel }) => channel,
  organization_id: ({ organizationErpId }) => organizationErpId,
  status: ({ state }) => state,
  problem: ({ problem }) => problem,
  fulfillment: ({ fulfillmentType }) => fulfillmentType,
  payment_method: ({ paymentMethod }) => paymentMethod,
  created_at: ({ createdAt }) => createdAt,
  due_at: ({ dueAt }) => dueAt,
  subtotal_kopecks: ({ subtotalKopecks }) => subtotalKopecks,
  discount_kopecks: ({ discountKopecks }) => discountKopecks,
  delivery_fee_kopecks: ({ deliveryFeeKopecks }) => deliveryFeeKopecks,
  total_kopecks: ({ totalKopecks }) => totalKopecks,
  customer_id: ({ customerId }) => customerId,
  guest_name: ({ person }) => person?.customer.name ?? null,
  guest_phone: ({ person }) => person?.customer.phone ?? null,
  guest_address: ({ person }) => (person?.address == null ? null : addressInWords(person.address)),
};

/**
 * Exports orders page by page (rule ORD-128). `mayManage` adds guests not yet erased (rule
 * ORD-130).
 */
export function exportOrders(
  deps: Deps,
  filters: StaffOrderFilters,
  mayManage: boolean,
): AsyncGenerator<ExportedOrder[]> {
  const lists: ListsOfChannels<ExportedOrder> = {
    CARTE: (ids) => ordersMadeHere(deps, ids, mayManage),
    ERP: (ids) => ordersFromElsewhere(deps, ids),
  };

  return everyPage((paging) => pageOfStaffOrders(deps, filters, paging, lists));
}

const HERE = [
  'id',
  'number',
  'erpNumber',
  'state',
  'problem',
  'fulfillmentType',
  'paymentMethod',
  'acceptedAt',
  'dueAt',
  'timeZone',
  'subtotalKopecks',
  'discountKopecks',
  'deliveryFeeKopecks',
  'totalKopecks',
  'customerId',
  'personalDataId',
] as const;

async function ordersMadeHere(deps: Deps, ids: readonly string[], mayManage: boolean) {
  const rows = await deps.db.db
    .selectFrom('customer_order')
    .innerJoin(
      'mirror_organization as organization',
      'organization.id',
      'customer_order.organizationId',
    )
    .select([
      ...HERE.map((name) => `customer_order.${name}` as const),
      'organization.erpId as organizationErpId',
    ])
    .where('customer_order.id', '=', anyOf(ids, 'uuid'))
    .execute();

  const personal = mayManage ? rows.flatMap(({ personalDataId }) => personalDataId ?? []) : [];
  const persons = await readPersonal<OrderPersonal>(deps.db, deps, personal);

  return new Map(
    rows.map(({ acceptedAt, dueAt, timeZone, personalDataId, ...row }) => [
      row.id,
      {
        ...row,
        channel: 'CARTE' as const,
        createdAt: momentText(acceptedAt.getTime(), timeZone),
        dueAt: momentText(dueAt.getTime(), timeZone),
        person: persons.get(personalDataId ?? ''),
      },
    ]),
  );
}

async function ordersFromElsewhere({ db }: Deps, ids: readonly string[]) {
  const orders = await listedErpOrders(db, ids, await readGuestTexts(db));
  return new Map(
    [...orders.values()].map((order): [string, ExportedOrder] => [
      order.orderId,
      {
        id: order.orderId,
        number: order.number,
        erpNumber: null,
        channel: 'ERP',
        organizationErpId: order.organizationId,
        state: order.status,
        problem: null,
        fulfillmentType: order.fulfillment.type,
        paymentMethod: order.paymentMethod,
        createdAt: order.createdAt,
        dueAt: order.eta.at,
        subtotalKopecks: null,
        discountKopecks: null,
        deliveryFeeKopecks: null,
        totalKopecks: order.total,
        customerId: null,
        person: undefined,
      },
    ]),
  );
}
