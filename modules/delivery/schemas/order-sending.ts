import { Type, type Static } from 'typebox';
import { FirstVersion } from './hours.ts';
import {
  Id,
  Named,
  Nullable,
  NullableText,
  Strict,
  Timestamp,
  Uuid,
} from '../../../kernel/pure/schemas.ts';

const ErpType = Named(
  'OrderSendingChoice',
  Type.Object({
    id: Uuid,
    name: NullableText,
    kind: NullableText,
    organizationIds: Type.Array(Id),
  }),
);

export const OrderSending = Named(
  'OrderSending',
  Type.Object({
    connectionId: Id,
    paymentTypes: Type.Record(Type.String(), Uuid, {
      description:
        'Way to pay of the ERP by our code. For an absent code, the only matching one of the ERP is used.',
    }),
    discountTypeId: Nullable(Uuid),
    marketingSourceId: Type.Unsafe<string | null>({
      ...Nullable(Uuid),
      description: 'Marketing source of the ERP that every order names.',
    }),
    missing: Type.Array(
      Type.Object({
        organizationId: Id,
        what: Type.String({
          description: 'A code of a way to pay, DISCOUNT, or MARKETING_SOURCE.',
        }),
      }),
      {
        description:
          'Missing names of the ERP, by organization. Orders that need them wait. Ways to pay and discounts are listed once the ERP ' +
          'has been queried. Without a marketing source that the ERP requires, the organization accepts no deliveries.',
      },
    ),
    choices: Nullable(
      Type.Object({
        paymentTypes: Type.Array(ErpType),
        discountTypes: Type.Array(ErpType),
        readAt: Timestamp,
      }),
    ),
    updatedAt: Nullable(Timestamp),
    version: Type.Integer({ description: '0 until staff have selected a value.' }),
  }),
);

export type OrderSending = Static<typeof OrderSending>;

const Chosen = Type.Optional(Nullable(Uuid));

export const OrderSendingEdit = Named(
  'OrderSendingEdit',
  Strict({
    version: FirstVersion,
    paymentTypes: Type.Optional(Strict({ CASH: Chosen, CARD_COURIER: Chosen })),
    discountTypeId: Chosen,
    marketingSourceId: Chosen,
  }),
);

export type OrderSendingEdit = Static<typeof OrderSendingEdit>;
