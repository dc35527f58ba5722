import { Type, type Static } from 'typebox';
import { FirstVersion } from './hours.ts';
import { Id, Named, Nullable, NullableText, Strict, Timestamp, Uuid } from '../../../kernel/pure/schemas.ts';

/**
 * The names for orders of a connection at the ERP: its ways to pay, and the discount that takes any
 * sum off.
 */

const ErpType = Named(
  'OrderSendingChoice',
  Type.Object({ id: Uuid, name: NullableText, kind: NullableText, organizationIds: Type.Array(Uuid) }),
);

/** The choices of staff for the orders of a connection, and the options. */
export const OrderSending = Named(
  'OrderSending',
  Type.Object({
    connectionId: Id,
    paymentTypes: Type.Record(Type.String(), Uuid, {
      description:
        'Way to pay of the ERP by our code. For a code that is absent the only fitting one of the ERP is taken.',
    }),
    discountTypeId: Nullable(Uuid),
    missing: Type.Array(
      Type.Object({ organizationId: Uuid, what: Type.String({ description: 'A code of a way to pay, or DISCOUNT.' }) }),
      {
        description:
          'What no order of an organization can name, so that such orders wait. Empty while the ERP was not asked.',
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
    version: Type.Integer({ description: '0 while staff have chosen nothing.' }),
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
  }),
);
export type OrderSendingEdit = Static<typeof OrderSendingEdit>;
