import { Type, type Static, type TSchema } from 'typebox';
import { Uuid, maybe } from './check.ts';

/** Lists wrapped by organization. */
const byOrganization = <T extends TSchema>(row: T) =>
  Type.Array(Type.Object({ organizationId: Uuid, items: Type.Array(row) }));

const OrderType = Type.Object({
  id: Uuid,
  name: Type.String(),
  orderServiceType: Type.String(),
  isDeleted: maybe(Type.Boolean()),
  isDefault: maybe(Type.Boolean()),
});
export const OrderTypesAnswer = Type.Object({ orderTypes: byOrganization(OrderType) });

/**
 * A kind of order. `service` is a word of the ERP: Common, DeliveryByCourier, or DeliveryPickUp,
 * which orders call DeliveryByClient.
 */
export type ErpOrderType = {
  organizationId: string;
  id: string;
  name: string;
  service: string;
  /** There may be several. */
  isDefault: boolean;
};

const Discount = Type.Object({
  id: Uuid,
  name: maybe(Type.String()),
  percent: maybe(Type.Number()),
  sum: maybe(Type.Number()),
  mode: Type.String(),
  minOrderSum: maybe(Type.Number()),
  isManual: Type.Boolean(),
  isDeleted: maybe(Type.Boolean()),
});
export const DiscountsAnswer = Type.Object({ discounts: byOrganization(Discount) });

/**
 * A discount that an order may name. `mode` is a word of the ERP: Percent, FlexibleSum or FixedSum;
 * amounts are roubles.
 */
export type ErpDiscount = { organizationId: string } & Omit<
  Static<typeof Discount>,
  'name' | 'minOrderSum' | 'isDeleted' | 'percent' | 'sum'
> & {
    name: string | null;
    percent: number;
    sum: number;
    minOrderSum: number | null;
  };

const PaymentType = Type.Object({
  id: maybe(Uuid),
  code: maybe(Type.String()),
  name: maybe(Type.String()),
  isDeleted: maybe(Type.Boolean()),
  paymentTypeKind: maybe(Type.String()),
  terminalGroups: maybe(Type.Array(Type.Object({ id: Uuid, organizationId: Uuid }))),
});
/** A flat list: the organization of a type follows only from its terminal groups. */
export const PaymentTypesAnswer = Type.Object({ paymentTypes: Type.Array(PaymentType) });

/** A way to pay that an order may name. `kind` is a word of the ERP, for example Cash or Card. */
export type ErpPaymentType = {
  id: string;
  code: string | null;
  name: string | null;
  kind: string | null;
  terminalGroups: { id: string; organizationId: string }[];
};
