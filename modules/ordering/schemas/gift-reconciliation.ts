import { Author } from '../../access/schemas/author.ts';
import { Type, type Static } from 'typebox';
import {
  Count,
  Id,
  Named,
  Nullable,
  ReasonErased,
  Strict,
  Timestamp,
  Uuid,
} from '../../../kernel/pure/schemas.ts';

export const GiftDay = Named(
  'GiftDay',
  Type.Object({
    date: Type.Unsafe<string>({
      type: 'string',
      format: 'date',
      description: "By the organization's clock.",
    }),
    organizationId: Nullable(Id),
    organizationName: Nullable(Type.String()),
    organizationErpId: Uuid,
    atErp: Type.Unsafe<number>({
      ...Count,
      description: 'Units of gifts in orders at the external system.',
    }),
    redeemed: Type.Unsafe<number>({
      ...Count,
      description: 'Units of rights that these orders have redeemed.',
    }),
    unauthorized: Type.Unsafe<number>({ ...Count, description: 'Units without a right.' }),
    difference: Type.Integer({ description: '`atErp` without the two others.' }),
    differingOrders: Type.Unsafe<number>({
      ...Count,
      description: 'Orders that do not add up. Two of them can hide each other in the sums.',
    }),
    checkedAt: Type.Unsafe<Date | string | null>({
      ...Nullable(Timestamp),
      description: 'Moment of the last daily comparison of the day; null before that.',
    }),
    fingerprint: Nullable(
      Type.String({
        description:
          'Identifies the orders that differ, with their counts; null if there are none.',
      }),
    ),
    acceptedAt: Type.Unsafe<Date | string | null>({
      ...Nullable(Timestamp),
      description: 'Moment at which staff accepted this difference; null if they have not.',
    }),
    acceptedBy: Nullable(Author),
    acceptanceReason: Nullable(Type.String()),
    acceptanceReasonErased: ReasonErased,
  }),
);

export type GiftDay = Static<typeof GiftDay>;

export const DifferingOrder = Named(
  'DifferingOrder',
  Type.Object({
    orderId: Type.Unsafe<string>({ ...Uuid, description: 'Id for `GET /orders/{id}`.' }),
    erpOrderId: Type.Unsafe<string>({ ...Uuid, description: 'Id of the order at the ERP.' }),
    number: Nullable(Type.String()),
    organizationErpId: Uuid,
    atErp: Count,
    redeemed: Count,
    unauthorized: Count,
    difference: Type.Integer({ description: '`atErp` without the two others.' }),
  }),
);

export type DifferingOrder = Static<typeof DifferingOrder>;

export const AcceptedGiftDay = Strict({
  date: Type.Unsafe<string>({ type: 'string', format: 'date' }),
  organizationErpId: Uuid,
  fingerprint: Type.String({ maxLength: 64, description: 'Of the day as it was read.' }),
  reason: Type.String({ maxLength: 500 }),
});

export type AcceptedGiftDay = Static<typeof AcceptedGiftDay>;

export const GiftSheet = Named('GiftSheet', Type.String());
