import { Type, type Static } from 'typebox';
import { GIFT_CHECKS } from '../rules/checks.ts';
import { Id, Named, Nullable, Timestamp, Uuid, Words } from '../../../kernel/pure/schemas.ts';

/** Has the order of the response. */
const EXPLAINED_RULES = [
  'ACCOUNT',
  'CLIENT_PHONE',
  'CUSTOMER',
  'SERVED',
  ...GIFT_CHECKS,
  'CHOICE',
  'TURN',
] as const;

const ExplainedRule = Named(
  'ExplainedRule',
  Type.Object({
    rule: Type.Unsafe<(typeof EXPLAINED_RULES)[number]>({
      ...Words(EXPLAINED_RULES),
      description:
        'ACCOUNT: the client belongs to the account of the ERP in which the cart is. CLIENT_PHONE: a phone of the client is stored, by which ' +
        'customers who sign in are found. CUSTOMER: the cart belongs to a customer who has signed in, and no fact shows that this is another ' +
        'client: `ofCart` is the client whose gifts the cart was answered last (`foundBy` CART), else whose gift the customer has ordered last ' +
        '(ORDER). It is null for a customer who was never found as a client; the phone is compared with that of the right only when the ' +
        'customer sends a request. SERVED: guests see the restaurant. TERM, REWARD_ACTIVE, ORGANIZATION, BINDING, ZERO_PRICE, ' +
        'STOP_LIST: the gift can be given there now. CHOICE: the client has not postponed it. TURN: earlier promises leave it a place.',
    }),
    passed: Type.Boolean(),
    sentence: Type.String({
      description: 'The result in words, in the language of `Accept-Language`.',
    }),
    data: Type.Unsafe<Readonly<Record<string, unknown>>>(
      Type.Object({}, { additionalProperties: true, description: 'Inputs of the rule.' }),
    ),
  }),
);

export type ExplainedRule = Omit<Static<typeof ExplainedRule>, 'sentence'>;

export const CompensationExplanation = Named(
  'CompensationExplanation',
  Type.Object({
    compensationId: Uuid,
    cartId: Nullable(Uuid),
    orderId: Nullable(Uuid),
    organizationId: Type.Unsafe<number | null>({
      ...Nullable(Id),
      description: 'The number of the restaurant. Null without cart, order and restaurant.',
    }),
    checkedAt: Timestamp,
    comes: Type.Boolean({ description: 'Every listed rule is passed.' }),
    rules: Type.Array(ExplainedRule),
  }),
);

export type CompensationExplanation = Static<typeof CompensationExplanation>;
