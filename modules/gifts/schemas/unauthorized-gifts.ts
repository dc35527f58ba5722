import { Type, type Static } from 'typebox';
import { UNAUTHORIZED_KINDS, UNAUTHORIZED_STATUSES } from '../rules/words.ts';
import {
  Count,
  Id,
  Named,
  Nullable,
  NullableText,
  ReasonErased,
  Strict,
  Timestamp,
  Uuid,
  Words,
} from '../../../kernel/pure/schemas.ts';

/** Units of a gift in an order at the ERP to which nobody had a right. */
export const UnauthorizedGift = Named(
  'UnauthorizedGift',
  Type.Object({
    id: Id,
    kind: Type.Unsafe<(typeof UNAUTHORIZED_KINDS)[number]>({
      ...Words(UNAUTHORIZED_KINDS),
      description:
        'NO_RIGHT: nobody had a right to the gift; REPEATED: its client had one, which another order has redeemed.',
    }),
    status: Type.Unsafe<(typeof UNAUTHORIZED_STATUSES)[number]>({
      ...Words(UNAUTHORIZED_STATUSES),
      description: 'WITHDRAWN: the gift was taken out of the order again.',
    }),
    organizationErpId: Uuid,
    erpOrderId: Type.Unsafe<string>({ ...Uuid, description: 'Id of the order at the external system.' }),
    orderId: Type.Unsafe<string | null>({
      ...Nullable(Uuid),
      description: 'The order of this service; null for one that was made elsewhere.',
    }),
    day: Type.String({ format: 'date', description: "On which the order was made, by the restaurant's clock." }),
    name: Type.String({ description: 'What the external system calls the item.' }),
    quantity: Count,
    reward: Type.Object({ id: Id, code: Type.String(), name: Type.String() }),
    clientId: Nullable(Uuid),
    reason: NullableText,
    reasonErased: ReasonErased,
    foundAt: Timestamp,
    closedAt: Nullable(Timestamp),
    closedBy: Nullable(Id),
  }),
);
export type UnauthorizedGift = Static<typeof UnauthorizedGift>;

/** ALLOWED: it was right to give it. NOT_ALLOWED: it should not have been given. */
export const UnauthorizedDecision = Named(
  'UnauthorizedDecision',
  Strict({ decision: Words(['ALLOWED', 'NOT_ALLOWED']), reason: Type.String({ minLength: 1, maxLength: 500 }) }),
);
export type UnauthorizedDecision = Static<typeof UnauthorizedDecision>;
