import type { Static } from 'typebox';
import type { Endpoint, EndpointGroup, CallOptions } from '../call.ts';
import { checkThen } from '../schemas/check.ts';
import { checkRows } from '../schemas/read-rows.ts';
import {
  DiscountsAnswer,
  OrderTypesAnswer,
  PaymentTypesAnswer,
  type ErpDiscount,
  type ErpOrderType,
  type ErpPaymentType,
} from '../schemas/dictionaries.ts';

type Wrapper<Row> = { organizationId: string; items: Row[] };

/** Unwraps rows and drops deleted ones. */
function living<Row extends { isDeleted?: boolean | null }>(
  wrappers: Wrapper<Row>[],
): (Row & { organizationId: string })[] {
  return wrappers.flatMap(({ organizationId, items }) =>
    items.filter(({ isDeleted }) => isDeleted !== true).map((row) => ({ ...row, organizationId })),
  );
}

const ORDER_TYPES: Endpoint<ErpOrderType[]> = {
  path: '/api/1/deliveries/order_types',
  check: checkThen(checkRows(OrderTypesAnswer), ({ orderTypes }) =>
    living(orderTypes).map(({ organizationId, id, name, orderServiceType, isDefault }) => ({
      organizationId,
      id,
      name,
      service: orderServiceType,
      isDefault: isDefault === true,
    })),
  ),
};

const DISCOUNTS: Endpoint<ErpDiscount[]> = {
  path: '/api/1/discounts',
  check: checkThen(checkRows(DiscountsAnswer), ({ discounts }) =>
    living(discounts).map(
      ({ organizationId, id, name, percent, sum, mode, minOrderSum, isManual }) => ({
        organizationId,
        id,
        name: name ?? null,
        percent: percent ?? 0,
        sum: sum ?? 0,
        mode,
        minOrderSum: minOrderSum ?? null,
        isManual,
      }),
    ),
  ),
};

const PAYMENT_TYPES: Endpoint<ErpPaymentType[]> = {
  path: '/api/1/payment_types',
  check: checkThen(checkRows(PaymentTypesAnswer), ({ paymentTypes }) =>
    paymentTypes.flatMap(toPaymentTypes),
  ),
};

/** Orders cannot use a type without an id. */
function toPaymentTypes(
  row: Static<typeof PaymentTypesAnswer>['paymentTypes'][number],
): ErpPaymentType[] {
  if (row.id == null || row.isDeleted === true) return [];
  const terminalGroups = (row.terminalGroups ?? []).map(({ id, organizationId }) => ({
    id,
    organizationId,
  }));

  return [
    {
      id: row.id,
      code: row.code ?? null,
      name: row.name ?? null,
      kind: row.paymentTypeKind ?? null,
      terminalGroups,
    },
  ];
}

export type DictionaryCalls = {
  orderTypes(
    connectionId: number,
    organizationIds: string[],
    options?: CallOptions,
  ): Promise<ErpOrderType[]>;
  discounts(
    connectionId: number,
    organizationIds: string[],
    options?: CallOptions,
  ): Promise<ErpDiscount[]>;
  paymentTypes(
    connectionId: number,
    organizationIds: string[],
    options?: CallOptions,
  ): Promise<ErpPaymentType[]>;
};

/** Results exclude deleted rows. */
export const dictionaryCalls: EndpointGroup<DictionaryCalls> = (call) => ({
  orderTypes: async (connectionId, organizationIds, options) =>
    (await call(connectionId, ORDER_TYPES, { organizationIds }, options)).data,
  discounts: async (connectionId, organizationIds, options) =>
    (await call(connectionId, DISCOUNTS, { organizationIds }, options)).data,
  paymentTypes: async (connectionId, organizationIds, options) =>
    (await call(connectionId, PAYMENT_TYPES, { organizationIds }, options)).data,
});
