import { Type, type Static } from 'typebox';
import { Count, Id, Named, Nullable, Timestamp, Uuid } from './schemas.ts';

/** Gifts of one day of one organization: what orders at the ERP contain, and what stands for it. */
export const GiftDay = Named(
  'GiftDay',
  Type.Object({
    date: Type.Unsafe<string>({ type: 'string', format: 'date', description: "By the organization's clock." }),
    organizationId: Nullable(Id),
    organizationName: Nullable(Type.String()),
    organizationErpId: Uuid,
    atErp: Type.Unsafe<number>({ ...Count, description: 'Units of gifts in orders at the external system.' }),
    redeemed: Type.Unsafe<number>({ ...Count, description: 'Units of rights that these orders have redeemed.' }),
    unauthorized: Type.Unsafe<number>({ ...Count, description: 'Units to which nobody had a right.' }),
    difference: Type.Integer({ description: '`atErp` without the two others.' }),
    differingOrders: Type.Unsafe<number>({
      ...Count,
      description: 'Orders that do not add up. Two of them can hide each other in the sums.',
    }),
    checkedAt: Type.Unsafe<Date | string | null>({
      ...Nullable(Timestamp),
      description: 'When the daily comparison last looked at the day; null before that.',
    }),
  }),
);
export type GiftDay = Static<typeof GiftDay>;

/** Such days as lines of a sheet. */
export const GiftSheet = Named('GiftSheet', Type.String());
