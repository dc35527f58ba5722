import { Type, type Static, type TSchema } from 'typebox';
import { Uuid, maybe } from './check.ts';

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

/** `service`: Common, DeliveryByCourier or DeliveryPickUp, which orders call DeliveryByClient. */
export type ErpOrderType = {
  organizationId: string;
  id: string;
  name: string;
  service: string;
  /** Several may be true. */
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

/** `mode`: Percent, FlexibleSum or FixedSum. Rubles. */
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

/** Payment types belong to organizations only through terminal groups. */
export const PaymentTypesAnswer = Type.Object({ paymentTypes: Type.Array(PaymentType) });

/** `kind` is the ERP's word, such as Cash or Card. */
export type ErpPaymentType = {
  id: string;
  code: string | null;
  name: string | null;
  kind: string | null;
  terminalGroups: { id: string; organizationId: string }[];
};
